"""`bauernschnapsen export`: every scenario with its expected views as one JSON."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export")
@click.option("--ruleset", default="pagat", metavar="NAME|FILE", help="Rules to play by.")
@click.option("--output", type=click.Path(path_type=Path), help="A file instead of the output.")
@click.option("--indent", is_flag=True, help="Laid out for people.")
def command(ruleset: str, output: Path | None, indent: bool) -> int:
    """Write all scenarios that apply under a ruleset, with full expected views, as one JSON.

    For those who want no runner in Python; schemas/export.schema.json says what is in it.

    \b
    Examples:
      bauernschnapsen export > scenarios.json
      bauernschnapsen export --ruleset my-house.yaml --output scenarios.json
    """
    import json
    import sys

    from bauernschnapsen.ruleset import load_ruleset

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
    click.echo(f"{output}: {scenarios} scenarios and {positions} positions")
    return 0
