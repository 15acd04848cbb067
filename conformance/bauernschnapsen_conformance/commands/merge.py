"""`bauernschnapsen merge`: join the JSON reports of shards."""

from __future__ import annotations

from pathlib import Path

import click

from . import options

_FILE = click.Path(path_type=Path)


@click.command("merge")
@options.file("--json", "json_file", said="Write the full report to FILE, as JSON.")
@options.certificate
@options.badge
@click.argument("reports", nargs=-1, required=True, type=_FILE)
def command(
    json_file: Path | None,
    certificate_file: Path | None,
    badge: tuple[Path, ...],
    reports: tuple[Path, ...],
) -> int:
    """Join the REPORTS of all shards of one run: the same as one run over everything.

    \b
    Exit code: that of the whole run; 2 where the reports do not belong together.
    Example:
      bauernschnapsen certify --shard 1/2 --json one.json -- ./my-adapter
      bauernschnapsen certify --shard 2/2 --json two.json -- ./my-adapter
      bauernschnapsen merge one.json two.json --certificate certificate.json
    """
    from ..corpus import load_corpus
    from ..report.badge import badge_file
    from ..report.files import check_targets, json_bytes, read_json, write
    from ..report.machine import certificate, exit_code
    from ..report.merging import merge
    from ..report.terminal import summary_lines

    check_targets(json_file, certificate_file, *badge, badges=badge, inputs=reports)
    whole = merge([(str(path), read_json(path)) for path in reports], load_corpus())
    click.echo("\n".join(summary_lines(whole)))
    if json_file is not None:
        write(json_file, json_bytes(whole))
    if certificate_file is not None:
        write(certificate_file, json_bytes(certificate(whole)))
    for path in badge:
        write(path, badge_file(whole, path))
    return exit_code(whole)
