"""`bauernschnapsen certify`: test an engine through its adapter."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..corpus import Item
    from ..runner import Report


@click.command("certify", context_settings={"ignore_unknown_options": False})
@click.option("--ruleset", default="pagat", metavar="NAME|FILE", help="Rules the engine plays by.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Only ids like this; * is any text.")
@click.option("--seed", default=1, show_default=True, help="Chooses how each table is turned.")
@click.option("--timeout-scale", default=1.0, metavar="FACTOR", help="Multiplies all deadlines.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the full report.")
@click.option("--junit", "junit_file", type=click.Path(path_type=Path), help="Write JUnit XML.")
@click.option(
    "--certificate",
    "certificate_file",
    type=click.Path(path_type=Path),
    help="Write the certificate.",
)
@click.option("--transcript", type=click.Path(path_type=Path), help="Record the wire as NDJSON.")
@click.option("--failures", default=20, show_default=True, help="Failures told in full.")
@click.argument("adapter", nargs=-1, required=True)
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    ruleset: str,
    only: tuple[str, ...],
    seed: int,
    timeout_scale: float,
    json_file: Path | None,
    junit_file: Path | None,
    certificate_file: Path | None,
    transcript: Path | None,
    failures: int,
    adapter: tuple[str, ...],
) -> int:
    """Test the engine behind ADAPTER, a command that speaks the adapter protocol.

    \b
    Exit code: 0 conforming, 1 not, 2 usage, 3 the adapter did not start, 4 stopped.
    Examples:
      bauernschnapsen certify -- ./my-adapter
      bauernschnapsen certify --ruleset my-house.yaml -- node adapter.mjs
      bauernschnapsen certify --only 'claims.*' -- ./my-adapter
    """
    from bauernschnapsen.ruleset import load_ruleset

    from ..adapter import AdapterCommand, AdapterError, Limits, Session, Suite
    from ..corpus import load_corpus
    from ..corpus.rules import load_rules
    from ..plan import BrokenSuite
    from ..report.progress import Progress
    from ..report.terminal import render_report
    from ..runner import certify

    if not 0 < timeout_scale <= 1000:
        raise click.UsageError("--timeout-scale lies between 0 and 1000")
    resolved = load_ruleset(ruleset)
    corpus = load_corpus()
    import bauernschnapsen

    recorder = _recorder(transcript)
    session = Session(
        AdapterCommand(adapter),
        limits=Limits(timeout_scale=timeout_scale),
        rules=resolved,
        suite=Suite(bauernschnapsen.__version__, corpus.digest),
        transcript=recorder,
    )
    try:
        with session, Progress() as tick:
            session.start()
            report = certify(
                corpus,
                resolved,
                session,
                seed=seed,
                choose=_chooser(only),
                planned=tick.planned,
                progress=tick.judged,
            )
    except AdapterError as error:
        _tell_adapter_error(error)
        return error.exit_code
    except BrokenSuite as error:
        click.echo(f"the suite is broken: {error}", err=True)
        return 2
    finally:
        if recorder is not None:
            recorder.close()
    _write_files(report, adapter, json_file, junit_file, certificate_file)
    click.echo(render_report(report, load_rules(), adapter, most_failures=failures))
    return report.exit_code


def _recorder(transcript: Path | None) -> Any:
    if transcript is None:
        return None
    from ..adapter.transcript import Transcript

    return Transcript(transcript)


def _chooser(only: tuple[str, ...]) -> Any:
    if not only:
        return None

    def chosen(item: Item) -> bool:
        return any(item.id == pattern or fnmatch.fnmatchcase(item.id, pattern) for pattern in only)

    return chosen


def _tell_adapter_error(error: Any) -> None:
    click.echo(f"{error.message}{f' ({error.hint})' if error.hint else ''}", err=True)
    for line in error.stderr_tail.splitlines()[-5:]:
        click.echo(f"  stderr: {line}", err=True)


def _write_files(
    report: Report,
    adapter: tuple[str, ...],
    json_file: Path | None,
    junit_file: Path | None,
    certificate_file: Path | None,
) -> None:
    from ..corpus.rules import load_rules
    from ..report.junit import junit_xml
    from ..report.machine import certificate, json_report

    wanted: list[tuple[Path | None, Callable[[], bytes]]] = [
        (json_file, lambda: _json(json_report(report))),
        (junit_file, lambda: junit_xml(report, load_rules(), adapter)),
        (certificate_file, lambda: _json(certificate(report))),
    ]
    for path, content in wanted:
        if path is not None:
            try:
                path.write_bytes(content())
            except OSError as error:
                raise click.UsageError(f"cannot write {path}: {error.strerror}") from None


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
