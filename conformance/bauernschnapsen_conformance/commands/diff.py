"""`bauernschnapsen diff`: how two rulesets differ, with a deal for each difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..counting import counted
from . import options


@click.command("diff")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option("--short", is_flag=True, help="Tell only the fields, without deals.")
@click.option("--no-scenarios", is_flag=True, help="Do not try the suite's scenarios under both.")
@options.as_json
def command(one: str, other: str, short: bool, no_scenarios: bool, as_json: bool) -> int:
    """Say how two rulesets differ: fields, scenarios, and a smallest deal for each difference.

    A and B are names of shipped rulesets or files. Exit code 0: they play the same as far as was
    looked; 1: they differ.

    \b
    Examples:
      bauernschnapsen diff pagat ukrainian
      bauernschnapsen diff pagat my-house.yaml --short
    """
    from bauernschnapsen.ruleset import load_ruleset

    from ..comparing import compare_rulesets, hold_scenarios

    first, second = load_ruleset(one), load_ruleset(other)
    _check_seats(first, second)
    names = _labels(one, other, first, second)
    found = compare_rulesets(first, second)
    if not no_scenarios:
        for item, ours, theirs in hold_scenarios(first, second):
            if ours and not theirs:
                found.only_one.append(item)
            elif theirs and not ours:
                found.only_other.append(item)
        del item
    if as_json:
        _print_json(found, names)
    else:
        _print(found, names, short=short)
    return 0 if found.same else 1


def _check_seats(*rulesets: Any) -> None:
    seats = {ruleset["options"]["seats"] for ruleset in rulesets}
    if len(seats) > 1:
        raise click.UsageError("these rulesets are for different numbers of players")


def _labels(one: str, other: str, first: Any, second: Any) -> tuple[str, str]:
    names = (first["ruleset"], second["ruleset"])
    if names[0] != names[1]:
        return names
    labels = (Path(one).stem, Path(other).stem)
    return labels if labels[0] != labels[1] else (one, other)


def _print(found: Any, names: tuple[str, str], *, short: bool) -> None:
    from ..comparing import witness_views
    from ..report.differences import draw_tell, shown_value

    for each in found.fields:
        one, other = shown_value(each.one), shown_value(each.other)
        click.echo(f"{each.name}: {names[0]} {one}, {names[1]} {other}")
        if each.reason:
            click.echo(f"  makes no difference: {each.reason}")
        elif not short:
            if each.shown_in:
                click.echo("  hidden by other differences; with this field alone changed:")
            for line in draw_tell(each.witness, names, witness_views(each)):
                click.echo(line)
    for label, ids in ((names[0], found.only_one), (names[1], found.only_other)):
        if ids:
            more = f" and {len(ids) - 8} more" if len(ids) > 8 else ""
            hold = counted(len(ids), "scenario holds", "scenarios hold")
            click.echo(f"{hold} under {label} only: {', '.join(ids[:8])}{more}")
    if found.same:
        proof = "none differs"
        if found.fields and found.same_form:
            proof = "they differ only where nothing can show it"
        click.echo(
            f"{names[0]} and {names[1]} play the same: {proof}; "
            f"{counted(found.lines, 'deal')} with {counted(found.views, 'moment')} were compared"
        )


def _print_json(found: Any, names: tuple[str, str]) -> None:
    import json

    data = {
        "rulesets": list(names),
        "same": found.same,
        "looked_at": {"deals": found.lines, "moments": found.views},
        "fields": [
            {
                "field": each.name,
                "values": [each.one, each.other],
                "reason": each.reason or None,
                "alone": bool(each.shown_in),
                "witness": None if each.witness is None else each.witness.line.record(),
            }
            for each in found.fields
        ],
        "scenarios": {"first_only": found.only_one, "second_only": found.only_other},
    }
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
