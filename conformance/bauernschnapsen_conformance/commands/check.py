"""`bauernschnapsen check`: validate and lint everything under spec/, or files of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..counting import counted

if TYPE_CHECKING:
    from bauernschnapsen.errors import SpecError

_OF_SUITE = ("coverage", "lock", "freeze", "release")


@click.command("check")
@click.option("--coverage", is_flag=True, help="Count what covers each rule, too; takes a minute.")
@click.option(
    "--lock", is_flag=True, help="First lock new ids, and texts whose scenarios were looked at."
)
@click.option("--freeze", is_flag=True, help="First freeze how many scenarios apply per ruleset.")
@click.option(
    "--release", is_flag=True, help="Check every text in every language of the rulebook, too."
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
def command(
    files: tuple[Path, ...], *, coverage: bool, lock: bool, freeze: bool, release: bool
) -> int:
    """Validate and lint rules, rulesets and scenarios; every fault with file, line and field.

    \b
    Exit code: 0 in order, 1 a ruleset plays otherwise than its baseline says, 2 faults.
    Examples:
      bauernschnapsen check                            everything that comes with the suite
      bauernschnapsen check my-house.yaml              a ruleset of your own
      bauernschnapsen check spec/scenarios/play/*.yaml only these files
      bauernschnapsen check --coverage                 rules by scenarios and mutants
      bauernschnapsen check --release                  translations, too: nothing may lag
    """
    from ..corpus.check import Findings, check_everything, check_files, check_variants
    from .given import refuse_options

    if files:
        refuse_options(_OF_SUITE, "it is about the whole suite; name no files")
    if lock:
        _lock()
    if freeze:
        _freeze()
    found = check_files(files) if files else check_everything()
    if not files and not found.errors:
        variants = check_variants()
        found = Findings(variants.errors, found.summary, (*found.notes, *variants.notes))
    if release and not found.errors:
        found = Findings(_lagging(), found.summary, found.notes)
    for error in found.errors:
        click.echo(str(error), err=True)
    if found.errors:
        return _told(found.errors)
    click.echo(found.summary)
    if not files:
        _tell_notes(found.notes)
    return _print_coverage() if coverage else 0


def _told(errors: tuple[SpecError, ...]) -> int:
    """Count faults and changes; 1 where nothing but changes was found, as `baseline --check`."""
    from ..baselines import PlaysOtherwise

    changes = sum(isinstance(error, PlaysOtherwise) for error in errors)
    faults = len(errors) - changes
    if faults:
        click.echo(f"{counted(faults, 'fault')} found", err=True)
    if changes:
        click.echo(
            f"{counted(changes, 'ruleset plays', 'rulesets play')} otherwise than frozen; "
            "bauernschnapsen baseline --check shows the deals",
            err=True,
        )
    return 2 if faults else 1


def _lagging() -> tuple[SpecError, ...]:
    from ..rulebook.checkout import ROOT
    from ..rulebook.publish import READERS_PAGES
    from ..rulebook.release import release_faults

    docs = ROOT / "docs" if (ROOT / "mkdocs.yml").exists() else None
    return tuple(release_faults(docs, READERS_PAGES))


def _lock() -> None:
    from ..corpus import load_corpus
    from ..corpus.locks import write_locks
    from ..corpus.rules import load_rules

    for line in write_locks(load_rules(), load_corpus().scenarios):
        click.echo(line)


def _freeze() -> None:
    from ..corpus import load_corpus
    from ..corpus.variants import count_applicable, freeze_counts

    freeze_counts(count_applicable(load_corpus()))


def _tell_notes(notes: tuple[str, ...]) -> None:
    from ..gates import staleness

    stale = staleness()
    for note in (*notes, *([stale] if stale is not None else [])):
        click.echo(f"note: {note}", err=True)


def _print_coverage() -> int:
    """Print rule x (positive, negative, mutants killed) and every hole; return the exit code."""
    from ..corpus import load_corpus
    from ..corpus.coverage import compute_coverage
    from ..corpus.rules import load_rules
    from ..teeth import Bench, load_mutants
    from ..teeth.matrix import compute

    mutants = load_mutants()
    corpus = load_corpus()
    found = compute_coverage(load_rules(), corpus.items, compute(Bench(corpus.items), mutants))
    click.echo(f"{'rule':<44} positive  negative   mutants killed")
    for one in found.rules:
        killed = f"{one.killed} of {one.mutants}"
        hole = "   HOLE" if one.holes else ""
        counts = f"{len(one.positive):>8}  {len(one.negative):>8}   {killed:>14}"
        click.echo(f"{one.rule.id:<44} {counts}{hole}")
    for scenario, rule in found.unconfirmed:
        click.echo(f"note: {scenario} kills no mutant of {rule}, which it names", err=True)
    for error in found.errors:
        click.echo(str(error), err=True)
    if found.errors:
        click.echo(f"{counted(len(found.errors), 'hole')} found", err=True)
        return 2
    click.echo(f"{counted(len(found.rules), 'rule is', 'rules are')} covered both ways")
    return 0
