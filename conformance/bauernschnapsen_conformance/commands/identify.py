"""`bauernschnapsen identify`: find out by experiment which house rules an engine plays."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click


@click.command("identify")
@click.option("--base", default="pagat", help="Ruleset to begin with and to extend.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write the profile here.")
@click.option("--name", default="identified", help="The name of the profile.")
@click.option("--python", metavar="MODULE:FACTORY", help="A Python engine instead of a command.")
@click.option("--seconds", type=float, default=120.0, help="Stop asking after this time.")
@click.option("--timeout-scale", type=float, default=1.0, help="Longer waiting for slow engines.")
@click.option("--no-suite", is_flag=True, help="Do not look for bugs with the suite's scenarios.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@click.argument("adapter", nargs=-1)
def command(  # noqa: PLR0913, PLR0917 - one for each option
    base: str,
    output: Path | None,
    name: str,
    python: str | None,
    seconds: float,
    timeout_scale: float,
    no_suite: bool,
    as_json: bool,
    adapter: tuple[str, ...],
) -> int:
    """Find the house rules an engine plays, and what is no house rule but a bug.

    Prints a ruleset file, how sure each value is, what cannot be observed, and the bugs with a
    deal for each. Exit code 0: everything is explained by house rules; 1: there are bugs.

    \b
    Examples:
      bauernschnapsen identify -- ./my-adapter
      bauernschnapsen identify -o my-house.yaml -- ./my-adapter
    """
    from bauernschnapsen.ruleset import load_ruleset

    from ..adapter import AdapterError
    from ..identify.running import identify
    from .running import check_numbers, engine_of, sigterm_interrupts, tell

    engine = engine_of(adapter, python)
    check_numbers(timeout_scale=timeout_scale)
    if not 0 < seconds <= 86400:
        raise click.UsageError("--seconds lies between 0 and 86400")
    ruleset = load_ruleset(base)
    if ruleset["options"]["seats"] != 4:
        raise click.UsageError("identify is for four players; --base names such a ruleset")
    loud = sys.stderr.isatty()
    try:
        with sigterm_interrupts():
            found = identify(
                engine,
                ruleset,
                seconds=seconds,
                timeout_scale=timeout_scale,
                suite=not no_suite,
                progress=(lambda text: click.echo(f"... {text}", err=True)) if loud else None,
            )
    except AdapterError as error:
        tell(error)
        return error.exit_code
    text = found.file(name)
    if output is not None:
        output.write_text(text, encoding="utf-8")
    if as_json:
        _print_json(found, text)
    else:
        _print(found, text)
    if found.stopped:
        click.echo(f"bauernschnapsen: stopped: {found.stopped}", err=True)
        return 4
    return 1 if found.bugs or found.faults else 0


def _print(found: Any, text: str) -> None:
    from ..identify.fields import name_of
    from ..identify.findings import draw_bug
    from ..report.deal_table import action_sign, draw_deal
    from ..report.differences import shown_value

    click.echo(text)
    if found.sure:
        click.echo("How sure")
    for path, value, speaking, witness, suspicion in found.sure:
        click.echo(f"  {name_of(path)} = {shown_value(value)}: {speaking}")
        if suspicion:
            click.echo(f"    probably a bug: {suspicion}")
        if witness is not None:
            for deal in witness.deals:
                for line in draw_deal(deal):
                    click.echo(f"  {line}")
                moves = ", ".join(f"{seat} {action_sign(act)}" for seat, act in deal["actions"])
                click.echo(f"      {moves}")
    if found.unseen:
        click.echo("Cannot be observed in this profile")
    for reason, paths in found.unseen.items():
        click.echo(f"  {reason}: {', '.join(name_of(path) for path in paths)}")
    if found.unsure:
        click.echo("Not ruled out, since nothing that was tried shows a difference")
    for path, value in found.unsure:
        click.echo(f"  {name_of(path)} = {shown_value(value)}")
    if found.bugs or found.faults:
        click.echo("What no house rule explains")
    for bug in found.bugs:
        title = f", as in {bug.seen.title}" if bug.seen.title else ""
        click.echo(f"  {bug.rule}: {bug.count} deals{title}")
        for line in draw_bug(bug, found.rules):
            click.echo(f"  {line}")
    for detail, count in found.faults.items():
        click.echo(f"  {detail} ({count} times)")
    click.echo(f"{found.asked} deals were played in {found.seconds:.1f} s.")
    if not found.finished:
        click.echo("The time was over before everything was asked; try --seconds.")


def _print_json(found: Any, text: str) -> None:
    import json

    from ..identify.fields import name_of

    data = {
        "profile": text,
        "ruleset": found.ruleset,
        "values": [
            {
                "field": name_of(path),
                "value": value,
                "evidence": speaking,
                "witness": None if witness is None else witness.deals,
                "suspicion": suspicion or None,
            }
            for path, value, speaking, witness, suspicion in found.sure
        ],
        "not_observed": {
            reason: [name_of(path) for path in paths] for reason, paths in found.unseen.items()
        },
        "not_ruled_out": [[name_of(path), value] for path, value in found.unsure],
        "bugs": [
            {
                "rule": bug.rule,
                "deals": bug.count,
                "scenario": bug.seen.title or None,
                "witness": bug.seen.deals,
                "view": [bug.miss.deal, bug.miss.view],
                "differences": [
                    {"where": one.where, "expected": one.expected, "got": one.got}
                    for one in bug.miss.differences
                ],
            }
            for bug in found.bugs
        ],
        "faults": found.faults,
        "asked": found.asked,
        "seconds": round(found.seconds, 1),
        "finished": found.finished,
    }
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
