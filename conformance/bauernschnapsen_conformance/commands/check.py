"""`bauernschnapsen check`: validate and lint everything under spec/, or files of one's own."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("check")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
def command(files: tuple[Path, ...]) -> int:
    """Validate and lint rules, rulesets and scenarios; every fault with file, line and field.

    \b
    Examples:
      bauernschnapsen check                            everything that comes with the suite
      bauernschnapsen check my-house.yaml              a ruleset of your own
      bauernschnapsen check spec/scenarios/play/*.yaml only these files
    """
    from ..corpus.check import check_everything, check_files

    found = check_files(files) if files else check_everything()
    for error in found.errors:
        click.echo(str(error), err=True)
    if found.errors:
        count = len(found.errors)
        click.echo(f"{count} fault{'s' if count > 1 else ''} found", err=True)
        return 2
    click.echo(found.summary)
    return 0
