"""`bauernschnapsen verify-certificate`: run again what a certificate claims, and compare."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ..counting import counted
from . import options


@click.command("verify-certificate")
@options.seed("Decides seats, suits and order; default: that of the certificate.")
@options.jobs
@options.timeout_scale
@options.known_failures
@options.python
@click.argument("certificate", type=click.Path(path_type=Path))
@click.argument("adapter", nargs=-1)
def command(
    seed: int | None,
    jobs: int,
    timeout_scale: float,
    known_file: Path | None,
    python: str | None,
    certificate: Path,
    adapter: tuple[str, ...],
) -> int:
    """Run the engine behind ADAPTER again as CERTIFICATE says, and compare what it shows.

    Ruleset, seed and manner are those of the certificate; so must be engine, files, levels, counts
    and what was not observed.

    \b
    Exit code: 0 it holds, 1 it does not, 2 usage, 3 the adapter did not start, 4 stopped.
    Example:
      bauernschnapsen verify-certificate certificate.json -- ./my-adapter
    """
    from bauernschnapsen.errors import SpecError, printable
    from bauernschnapsen.ruleset import resolve

    from ..adapter import AdapterError
    from ..corpus import load_corpus
    from ..report.files import read_json
    from ..report.machine import json_report
    from ..report.progress import Progress
    from ..report.verifying import differences, read_certificate, refuse_borrowed_name
    from ..run.engine import started
    from ..run.house_rules import with_house_rules
    from ..run.known_failures import KnownFailures
    from ..run.runner import certify
    from . import running

    engine = running.engine_of(adapter, python)
    running.check_numbers(timeout_scale=timeout_scale, jobs=jobs)
    corpus = load_corpus()
    claimed = read_certificate(read_json(certificate), str(certificate), corpus)
    try:
        profile = resolve(claimed["profile"], None)
    except SpecError as error:
        raise error.within("profile").located(str(certificate)) from None
    refuse_borrowed_name(profile, str(certificate))
    known = KnownFailures.load(known_file) if known_file is not None else None
    opened = partial(
        started, engine, suite_digest=corpus.digest, jobs=jobs, timeout_scale=timeout_scale
    )
    try:
        with (
            running.sigterm_interrupts(),
            Progress() as tick,
        ):
            with opened(profile) as session:
                report = certify(
                    corpus,
                    profile,
                    session,
                    seed=claimed["seed"] if seed is None else seed,
                    blind=claimed["blind"],
                    known=known,
                    planned=tick.planned,
                    progress=tick.judged,
                    exhaustive="exhaustive" in claimed,
                    ticks=tick.swept,
                )
            if "house_rules" in claimed:
                report = with_house_rules(report, corpus.items, opened, ticks=tick.swept)
    except AdapterError as error:
        running.tell(error)
        return error.exit_code
    if report.stopped is not None:
        click.echo(f"the run was stopped: {report.stopped}", err=True)
        return 4
    found = differences(claimed, json_report(report, engine))
    for line in found:
        click.echo(printable(line))
    if found:
        click.echo(f"The certificate does not hold: {counted(len(found), 'difference')}.")
        return 1
    levels = ", ".join(f"{level.value} {level.title}" for level in report.levels)
    click.echo(f"The certificate holds. Levels reached: {levels or 'none'}")
    return 0
