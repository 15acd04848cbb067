"""`bauernschnapsen export`: every scenario with its expected views as one JSON."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

import click

from ..counting import counted
from . import options


@click.command("export")
@options.ruleset()
@options.output("Write to this file, packed if it ends in .gz; default: print.")
@click.option("--indent", is_flag=True, help="Lay the JSON out for people.")
@click.option(
    "--exhaustive", is_flag=True, help="Write all trick situations and auctions instead, as lines."
)
def command(ruleset: str, output: Path | None, indent: bool, exhaustive: bool) -> int:
    """Write all scenarios that apply under a ruleset, with full expected views, as one JSON.

    For those who want no runner in Python; schemas/export.schema.json says what is in it.

    \b
    Examples:
      bauernschnapsen export > scenarios.json
      bauernschnapsen export --ruleset my-house.yaml --output scenarios.json
      bauernschnapsen export --exhaustive --output all.txt.gz
    """
    import json
    import sys

    from bauernschnapsen.ruleset import load_ruleset

    if exhaustive:
        if indent:
            raise click.UsageError("--indent is for JSON: --exhaustive writes lines")
        return _export_all(ruleset, output)

    from ..corpus import load_corpus
    from ..exporting import export
    from ..report.files import write

    found = export(load_corpus(), load_ruleset(ruleset))
    separators = None if indent else (",", ":")
    text = json.dumps(
        found, ensure_ascii=False, indent=2 if indent else None, separators=separators
    )
    content = (text + "\n").encode()
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return 0
    write(output, content)
    scenarios, positions = len(found["scenarios"]), len(found["positions"])
    both = f"{counted(scenarios, 'scenario')} and {counted(positions, 'position')}"
    click.echo(f"{output}: {both}")
    return 0


def _export_all(ruleset: str, output: Path | None) -> int:
    """Write every right answer as lines; say on stderr how many there are, and their digests."""
    from bauernschnapsen.errors import SpecError
    from bauernschnapsen.ruleset import compile_rules, load_ruleset

    from ..exhaustive.lines import write_lines
    from ..report.files import check_targets

    rules = compile_rules(load_ruleset(ruleset))
    check_targets(output)
    try:
        with _opened(output) as file:
            for said in write_lines(rules, file):
                click.echo(said, err=True)
            file.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SpecError(f"cannot be written: {error.strerror}", str(output or "-")) from None
    return 0


@contextlib.contextmanager
def _opened(output: Path | None) -> Iterator[IO[bytes]]:
    """The file to write to, packed if it is called .gz; the standard output stays open."""
    import gzip
    import sys

    if output is None:
        yield sys.stdout.buffer
    elif output.suffix == ".gz":
        with gzip.open(output, "wb", compresslevel=6) as packed:
            yield cast("IO[bytes]", packed)
    else:
        with output.open("wb") as plain:
            yield plain
