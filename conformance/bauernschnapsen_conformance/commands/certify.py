"""`bauernschnapsen certify`: test an engine through its adapter."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..counting import counted
from . import options

if TYPE_CHECKING:
    from ..adapter.transcript import Transcript
    from ..run.known_failures import KnownFailures
    from ..run.outcome import Report


@click.command("certify")
@options.ruleset_of_engine
@click.option(
    "--only", multiple=True, metavar="PATTERN", help="Ask only ids like this; * is any text."
)
@click.option("--shard", metavar="I/N", help="Ask only the I-th of N parts; see 'merge'.")
@click.option(
    "--blind/--no-blind",
    default=True,
    show_default=True,
    help="Rename seats and suits, shuffle, and ask a sample twice.",
)
@options.seed("Decides seats, suits and order; default: a new one.")
@options.jobs
@options.timeout_scale
@options.known_failures
@click.option("--fix", is_flag=True, help="Rewrite that list as a complete run shows it.")
@click.option("--exhaustive", is_flag=True, help="Ask all trick situations and auctions, too.")
@click.option("--house-rules", is_flag=True, help="Ask under other house rules, too; see above.")
@options.file("--json", "json_file", said="Write the full report to FILE, as JSON.")
@options.file("--junit", "junit_file", said="Write the verdicts to FILE, as JUnit XML.")
@options.file("--html", "html_file", said="Write a page with drawn cards to FILE.")
@options.certificate
@options.badge
@options.file("--transcript", said="Record every line of the wire in FILE, as NDJSON.")
@click.option(
    "--failures", default=20, show_default=True, metavar="N", help="Tell N failures in full."
)
@options.python
@click.argument("adapter", nargs=-1)
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    ruleset: str,
    only: tuple[str, ...],
    shard: str | None,
    blind: bool,
    seed: int | None,
    jobs: int,
    timeout_scale: float,
    known_file: Path | None,
    fix: bool,
    exhaustive: bool,
    house_rules: bool,
    json_file: Path | None,
    junit_file: Path | None,
    html_file: Path | None,
    certificate_file: Path | None,
    badge: tuple[Path, ...],
    transcript: Path | None,
    failures: int,
    python: str | None,
    adapter: tuple[str, ...],
) -> int:
    """Test the engine behind ADAPTER, a command that speaks the adapter protocol.

    With --house-rules an engine that takes a ruleset over the wire is also asked every scenario for
    as many players that belongs to other rules, under those. It is counted apart: what goes wrong
    there is not conforming, but no level depends on it.

    \b
    Exit code: 0 conforming, 1 not, 2 usage, 3 the adapter did not start, 4 stopped.
    Examples:
      bauernschnapsen certify -- ./my-adapter
      bauernschnapsen certify --ruleset my-house.yaml -- node adapter.mjs
      bauernschnapsen certify --only 'claims.*' -- ./my-adapter
      bauernschnapsen certify --exhaustive --jobs 2 -- ./my-adapter
      bauernschnapsen certify --ruleset talon --house-rules -- ./my-adapter
      bauernschnapsen certify --python my_engine:make_adapter
    """
    from bauernschnapsen.ruleset import load_ruleset

    from ..adapter import AdapterError
    from ..corpus import load_corpus
    from ..report.files import check_targets, write_reports
    from ..report.machine import json_report
    from ..report.progress import Progress
    from ..report.repeat import Repeat
    from ..report.terminal import render_failures, summary_lines
    from ..run.engine import started
    from ..run.house_rules import with_house_rules
    from ..run.plan import BrokenSuite
    from ..run.runner import certify
    from ..run.selection import Selection, parse_shard
    from . import running

    engine = running.engine_of(adapter, python)
    running.check_numbers(timeout_scale=timeout_scale, jobs=jobs, failures=failures)
    if transcript is not None and jobs > 1:
        raise click.UsageError("a transcript is of one process: leave out --jobs")
    check_targets(
        *(json_file, junit_file, html_file, certificate_file, transcript, *badge),
        badges=badge,
        inputs=[known_file, Path(ruleset), *map(Path, adapter)],
    )
    if exhaustive and shard is not None:
        raise click.UsageError("--exhaustive asks everything: it belongs to no shard")
    if house_rules and shard is not None:
        raise click.UsageError("--house-rules belongs to a whole run, not to a shard")
    if house_rules and transcript is not None:
        raise click.UsageError("a transcript is of one ruleset: leave out --house-rules")
    selection = Selection(only, parse_shard(shard) if shard else None)
    known = _known(known_file, fix=fix)
    resolved = load_ruleset(ruleset)
    corpus = load_corpus()
    seed = running.seed_of(seed, blind=blind, shared=corpus.digest if shard else None)
    recorder = _recorder(transcript)
    opened = partial(
        started, engine, suite_digest=corpus.digest, jobs=jobs, timeout_scale=timeout_scale
    )
    try:
        with (
            running.sigterm_interrupts(),
            Progress() as tick,
        ):
            with opened(resolved, recorder=recorder) as session:
                report = certify(
                    corpus,
                    resolved,
                    session,
                    seed=seed,
                    blind=blind,
                    selection=selection,
                    known=known,
                    planned=tick.planned,
                    progress=tick.judged,
                    exhaustive=exhaustive,
                    ticks=tick.swept,
                )
            if house_rules:
                report = with_house_rules(report, corpus.items, opened, ticks=tick.swept)
    except AdapterError as error:
        running.tell(error)
        return error.exit_code
    except BrokenSuite as error:
        click.echo(f"the suite is broken: {error}", err=True)
        return 2
    finally:
        if recorder is not None:
            recorder.close()
    whole = json_report(report, engine)
    repeat = Repeat(engine, ruleset, seed, blind, report.hello.capabilities)
    told = render_failures(report, repeat, most_failures=failures)
    click.echo("\n".join([told, *summary_lines(whole)] if told else summary_lines(whole)))
    if told and report.stopped is None:
        from ..hints import hint_lines

        for line in hint_lines(report, engine.arguments):
            click.echo(line)
    # After what is told: a full disk must not take a long run with it.
    write_reports(
        report,
        whole,
        repeat,
        json_file=json_file,
        junit_file=junit_file,
        html_file=html_file,
        certificate_file=certificate_file,
        badges=badge,
    )
    _complain_of(recorder, transcript)
    if fix and known is not None and known_file is not None:
        _fix(report, known, known_file)
    return report.exit_code


def _recorder(transcript: Path | None) -> Transcript | None:
    if transcript is None:
        return None
    from ..adapter import AdapterError
    from ..adapter.transcript import Transcript

    try:
        return Transcript(transcript)
    except AdapterError as error:
        raise click.UsageError(str(error)) from None


def _complain_of(recorder: Transcript | None, transcript: Path | None) -> None:
    """Say that the transcript is not whole; nothing else of the run is lost."""
    from bauernschnapsen.errors import SpecError

    if recorder is not None and recorder.problem is not None:
        raise SpecError(f"cannot be written: {recorder.problem}", str(transcript))


def _known(path: Path | None, *, fix: bool) -> KnownFailures | None:
    if path is None:
        if fix:
            raise click.UsageError("--fix needs --known-failures FILE")
        return None
    from ..run.known_failures import KnownFailures

    if fix and not path.exists():
        return KnownFailures((), str(path))
    return KnownFailures.load(path)


def _fix(report: Report, known: KnownFailures, path: Path) -> None:
    """Rewrite the list of known failures; a run that is not complete proves nothing about it."""
    from ..report.files import write

    if not report.complete or report.stopped is not None:
        click.echo(f"{path} is left as it is: only a complete run can fix it", err=True)
        return
    fixed = known.fixed(report.judgements)
    write(path, fixed.text().encode())
    click.echo(f"{path} now lists {counted(len(fixed.entries), 'known failure')}")
