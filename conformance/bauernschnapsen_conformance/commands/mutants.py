"""`bauernschnapsen mutants`: test the suite itself with engines that break one rule."""

from __future__ import annotations

import fnmatch
import json
from typing import TYPE_CHECKING, Any

import click

from ..counting import counted
from . import options

if TYPE_CHECKING:
    from ..teeth import Bench, Kill, Mutant


@click.command("mutants")
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option("--survivors", "only_survivors", is_flag=True, help="List survivors only.")
@click.option("--killers", is_flag=True, help="List every scenario that kills, not the first one.")
@click.option("--witness", is_flag=True, help="Show a smallest deal that tells the mutant apart.")
@options.as_json
def command(
    patterns: tuple[str, ...], *, only_survivors: bool, killers: bool, witness: bool, as_json: bool
) -> int:
    """Ask which scenario tells each faulty engine from a right one; only from a checkout.

    A mutant is killed by what the author of a scenario states, and only if the scenario names the
    rule that the mutant breaks.

    \b
    Exit code: 0 all are killed, 1 some survive, 2 usage.
    Examples:
      bauernschnapsen mutants                        all of them, by rule
      bauernschnapsen mutants 'play.beat.*'
      bauernschnapsen mutants claims.enough.sixty-five --witness
      bauernschnapsen serve --mutant play.beat.third-hand
    """
    from ..corpus import load_corpus
    from ..teeth import Bench

    chosen = _chosen(patterns)
    bench = Bench(load_corpus().items)
    found = []
    for mutant in chosen:
        entry = _entry(mutant, bench, killers=killers)
        if witness:
            entry["witness"] = _witness(mutant)
        if not only_survivors or entry["survives"]:
            found.append(entry)
    survive = sum(entry["survives"] for entry in found)
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        _print(found)
        click.echo(_summary(len(chosen), survive))
    return 1 if survive else 0


def _chosen(patterns: tuple[str, ...]) -> list[Mutant]:
    from bauernschnapsen.errors import SpecError, did_you_mean, quoted

    from ..teeth import load_mutants

    mutants = load_mutants()
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in mutants):
            hint = did_you_mean(pattern, mutants) or "* stands for any text"
            raise SpecError(f"there is no mutant {quoted(pattern)}", hint=hint)
    return [
        mutant
        for name, mutant in mutants.items()
        if not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    ]


def _entry(mutant: Mutant, bench: Bench, *, killers: bool) -> dict[str, Any]:
    own = bench.own_kills(mutant) if killers else _one(bench.first_own_kill(mutant))
    foreign = None if own else bench.first_foreign_kill(mutant)
    return {
        "mutant": mutant.name,
        "rule": mutant.rule,
        "sentence": mutant.sentence,
        "equivalent": mutant.equivalent,
        "killed_by": [kill.item for kill in own],
        "difference": _tell(own[0] if own else foreign),
        "noticed_by": foreign.item if foreign else None,
        "survives": bool(own) == bool(mutant.equivalent),
    }


def _one(kill: Kill | None) -> list[Kill]:
    return [] if kill is None else [kill]


def _tell(kill: Kill | None) -> str | None:
    if kill is None:
        return None
    difference = kill.difference
    return f"{difference.where}: expected {difference.expected!r}, got {difference.got!r}"


def _witness(mutant: Mutant) -> dict[str, Any] | None:
    from ..teeth.witness import find_witness

    found = find_witness(mutant, 4000)
    if found is None:
        return None
    difference = found.difference
    return {
        "deals": found.deals,
        "where": difference.where,
        "expected": difference.expected,
        "got": difference.got,
    }


# --------------------------------------------------------------------------- printing


def _print(found: list[dict[str, Any]]) -> None:
    rule = None
    for entry in found:
        if entry["rule"] != rule:
            rule = entry["rule"]
            click.echo(rule)
        slug = entry["mutant"].removeprefix(f"{rule}.")
        click.echo(f"  {slug:<36} {_fate(entry)}")
        for more in entry["killed_by"][1:]:
            click.echo(f"  {'':<36} {more}")
        if entry["survives"]:
            click.echo(f"  {'':<36} {entry['sentence']}")
        if "witness" in entry:
            _print_witness(entry["witness"])


def _fate(entry: dict[str, Any]) -> str:
    if entry["equivalent"] is not None:
        if entry["survives"]:
            return f"KILLED by {entry['killed_by'][0]} though said to be equivalent"
        return f"equivalent: {entry['equivalent']}"
    if not entry["survives"]:
        killer: str = entry["killed_by"][0]
        return killer
    if entry["noticed_by"] is not None:
        return f"SURVIVES (noticed by {entry['noticed_by']}, which does not name the rule)"
    return "SURVIVES (noticed by nothing)"


def _print_witness(witness: dict[str, Any] | None) -> None:
    if witness is None:
        click.echo("      no random deal tells it apart")
        return
    for deal in witness["deals"]:
        owners = {**deal["hands"], **({"talon": deal["talon"]} if "talon" in deal else {})}
        hands = "; ".join(f"{owner} {' '.join(cards)}" for owner, cards in owners.items())
        click.echo(f"      dealer {deal.get('dealer', 'as it follows')}: {hands}")
        if "contract" in deal:
            start = deal["contract"]
            click.echo(f"      {start['name']} by {start['declarer']}, trump {start['trump']}")
        click.echo(f"      {', '.join(' '.join(pair) for pair in deal['actions'])}")
    click.echo(
        f"      then {witness['where']} is {witness['expected']!r}, "
        f"and {witness['got']!r} with the fault"
    )


def _summary(number: int, survive: int) -> str:
    surviving = counted(survive, "survives", "survive") if survive else "none survives"
    return f"{counted(number, 'mutant')}, {surviving}"
