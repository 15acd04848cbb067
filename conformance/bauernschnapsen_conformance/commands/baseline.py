"""`bauernschnapsen baseline`: freeze what a ruleset plays, or compare with what was frozen."""

from __future__ import annotations

from pathlib import Path

import click

from . import options


@click.command("baseline")
@click.option("--check", "checking", is_flag=True, help="Compare with the frozen file.")
@options.file("--file", said="Frozen file; default: beside the ruleset, as NAME.baseline.yaml.")
@click.option("--all", "all_changes", is_flag=True, help="Show every change, not only the first.")
@click.argument("ruleset", metavar="NAME|FILE")
def command(checking: bool, file: Path | None, all_changes: bool, ruleset: str) -> int:
    """Freeze the outcome of the suite and of chosen deals under a ruleset.

    A later `--check` says whether an edit changed how the variant is played, and shows the first
    deal where it did. Exit code 0: nothing changed; 1: something did.

    \b
    Examples:
      bauernschnapsen baseline my-house.yaml            writes my-house.baseline.yaml
      bauernschnapsen baseline --check my-house.yaml
    """
    from bauernschnapsen.errors import SpecError
    from bauernschnapsen.ruleset import load_ruleset

    from ..baselines import baseline_path, changes_since, freeze
    from ..report.files import check_targets, write
    from .given import refuse_options

    if not checking:
        refuse_options(("all_changes",), "add --check, to compare with what was frozen")
    resolved = load_ruleset(ruleset)
    path = file or baseline_path(ruleset)
    if not checking:
        check_targets(path)
        write(path, freeze(resolved).encode())
        click.echo(f"{path} written")
        return 0
    if not path.exists():
        raise SpecError(
            f"{ruleset} has no baseline",
            str(path),
            hint=f"freeze one: bauernschnapsen baseline {ruleset}",
        )
    count = 0
    for change in changes_since(resolved, path):
        count += 1
        if count == 1 or all_changes:
            click.echo(str(change))
    if count:
        more = "" if all_changes or count == 1 else f"; {count - 1} more with --all"
        click.echo(f"{resolved['ruleset']} plays otherwise than {path} says{more}")
        return 1
    click.echo(f"{resolved['ruleset']} plays as {path} says")
    return 0
