"""`bauernschnapsen identify`: find out by experiment which house rules an engine plays."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from . import options

_NAME = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")


@click.command("identify")
@click.option(
    "--base",
    default="pagat",
    show_default=True,
    metavar="NAME|FILE",
    help="Ruleset to begin with and to extend.",
)
@options.output("Write the ruleset to this file; default: print it.")
@click.option(
    "--name",
    default="identified",
    show_default=True,
    metavar="NAME",
    help="Call that ruleset so.",
)
@options.python
@click.option(
    "--seconds", default=120.0, show_default=True, metavar="N", help="Stop asking after N seconds."
)
@options.timeout_scale
@click.option("--no-suite", is_flag=True, help="Do not look for bugs with the suite's scenarios.")
@options.as_json
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

    Prints a ruleset file, how sure each value is, what cannot be told, and the bugs with a deal for
    each. Only for the game of four: it knows no house rules of three players. Exit code 0: house
    rules explain everything; 1: there are bugs, or nothing could be found out; 3: the adapter did
    not start; 4: stopped by too many faults.

    \b
    Examples:
      bauernschnapsen identify -- ./my-adapter
      bauernschnapsen identify -o my-house.yaml -- ./my-adapter
    """
    from bauernschnapsen.ruleset import is_shipped, load_ruleset

    from ..adapter import AdapterError
    from ..identify.running import identify
    from .running import check_numbers, engine_of, sigterm_interrupts, tell

    engine = engine_of(adapter, python)
    check_numbers(timeout_scale=timeout_scale)
    if not 0 < seconds <= 86400:
        raise click.UsageError("--seconds lies between 0 and 86400")
    if not _NAME.fullmatch(name):
        raise click.UsageError("--name is small letters, digits, - and _, as ruleset names are")
    if is_shipped(name):
        raise click.UsageError(f"--name: {name} comes with the suite; call yours my-{name}, say")
    ruleset = load_ruleset(base)
    if ruleset["options"]["seats"] != 4:
        raise click.UsageError(
            f"{ruleset['ruleset']} is for {ruleset['options']['seats']} players; identify knows "
            "house rules of tables of four only, so --base takes a ruleset for four"
        )
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
        if found.nothing:
            click.echo(f"bauernschnapsen: {output} was not written: nothing found out", err=True)
        else:
            output.write_text(text, encoding="utf-8")
    if as_json:
        import json

        from ..identify.running import as_json as findings_as_json

        click.echo(json.dumps(findings_as_json(found, text), indent=2, ensure_ascii=False))
    else:
        from ..identify.printing import print_findings

        for line in print_findings(found, text):
            click.echo(line)
    if found.stopped:
        click.echo(f"bauernschnapsen: stopped: {found.stopped}", err=True)
    return found.exit_code
