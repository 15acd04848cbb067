"""`bauernschnapsen fuzz`: play many deals against an engine and shrink every difference."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options

if TYPE_CHECKING:
    from ..campaign.running import Executors, Extent, State
    from ..campaign.workers import Subject

_MOST_CASES = 10**12


@click.command("fuzz")
@options.ruleset_of_engine
@click.option("--against", metavar="COMMAND", help="Compare with this engine, not the reference.")
@options.seed("Decides all deals and lines of play; default: a new one.")
@click.option("--cases", type=int, metavar="N", help="Stop after N cases, each of 1 to 3 deals.")
@click.option(
    "--seconds",
    type=float,
    metavar="N",
    help="Stop after N seconds; default: 60, or none with --cases.",
)
@click.option(
    "--findings", default=10, show_default=True, metavar="N", help="Stop at N causes; 0: never."
)
@options.output("Put findings into this folder; default: fuzz-SEED.")
@click.option("--resume", type=options.FILE, metavar="FOLDER", help="Go on with this campaign.")
@options.jobs
@click.option(
    "--executor",
    default="local",
    show_default=True,
    type=options.Choice(["local", "dask"]),
    help="Run on this machine, or on a Dask cluster.",
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="The Dask scheduler; default: a cluster of its own."
)
@options.timeout_scale
@options.python
@options.as_json
@click.argument("adapter", nargs=-1)
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    ruleset: str,
    against: str | None,
    seed: int | None,
    cases: int | None,
    seconds: float | None,
    findings: int,
    output: Path | None,
    resume: Path | None,
    jobs: int,
    executor: str,
    scheduler: str | None,
    timeout_scale: float,
    python: str | None,
    as_json: bool,
    adapter: tuple[str, ...],
) -> int:
    """Play deals against the engine behind ADAPTER and shrink every difference to a scenario.

    What is rare is played on purpose, chosen by what has been covered. Differences are grouped by
    rule and field; each is written as a scenario file with a transcript beside it.

    \b
    Exit code: 0 no difference, 1 differences, 2 usage, 3 the adapter did not start, 4 interrupted.
    Examples:
      bauernschnapsen fuzz -- ./my-adapter
      bauernschnapsen fuzz --seconds 600 --jobs 2 -o found -- ./my-adapter
      bauernschnapsen fuzz --against './old-adapter --fast' -- ./my-adapter
      bauernschnapsen fuzz --resume found
    """
    from functools import partial

    from ..adapter import AdapterError
    from ..campaign import executors
    from ..campaign.running import Extent
    from . import running

    _check(cases, seconds, findings, executor, scheduler)
    running.check_numbers(timeout_scale=timeout_scale, jobs=jobs)
    if resume is None:
        subject, state = _new(ruleset, against, seed, findings, timeout_scale, python, adapter)
        folder = output or Path(f"fuzz-{state.seed}")
    else:
        _check_resumed()
        subject, state = _known(resume, adapter, python)
        state.most_findings = findings or None
        folder = output or (resume if resume.is_dir() else resume.parent)
    extent = Extent(cases, state.seconds + 60.0 if cases is None and seconds is None else seconds)
    where: Executors = partial(executors.local, jobs)
    if executor == "dask":
        where = partial(executors.dask, scheduler)
    try:
        with running.sigterm_interrupts():
            return _run(subject, state, extent, where, folder, as_json=as_json)
    except AdapterError as error:
        running.tell(error)
        return error.exit_code


def _check(
    cases: int | None, seconds: float | None, findings: int, executor: str, scheduler: str | None
) -> None:
    if cases is not None and not 1 <= cases <= _MOST_CASES:
        raise click.UsageError(f"--cases lies between 1 and {_MOST_CASES}")
    if seconds is not None and not 0 < seconds <= 10**8:
        raise click.UsageError("--seconds is more than 0 and less than three years")
    if findings < 0:
        raise click.UsageError("--findings is a number, 0 or more")
    if scheduler is not None and executor != "dask":
        raise click.UsageError("--scheduler belongs to --executor dask")


def _check_resumed() -> None:
    """Complain of what would make it another campaign."""
    context = click.get_current_context()
    for name in ("ruleset", "against", "seed", "timeout_scale"):
        source = context.get_parameter_source(name)
        if source is click.core.ParameterSource.COMMANDLINE:
            option = name.replace("_", "-")
            raise click.UsageError(f"--{option} was settled when the campaign was begun")


def _new(
    ruleset: str,
    against: str | None,
    seed: int | None,
    findings: int,
    timeout_scale: float,
    python: str | None,
    adapter: tuple[str, ...],
) -> tuple[Subject, State]:
    from bauernschnapsen.ruleset import load_ruleset

    from ..campaign.running import State
    from ..campaign.workers import Subject
    from ..run.engine import Engine
    from . import running

    engine = running.engine_of(adapter, python)
    if seed is not None and seed < 0:
        raise click.UsageError("--seed is a number, 0 or more")
    other = None
    if against is not None:
        try:
            words = tuple(shlex.split(against))
        except ValueError as error:
            raise click.UsageError(f"--against is no command: {error}") from None
        if not words:
            raise click.UsageError("--against names a command, as in: --against './other-adapter'")
        other = Engine(words)
    subject = Subject.of(load_ruleset(ruleset), engine, other, timeout_scale)
    seed = running.seed_of(seed, blind=True)
    return subject, State(seed, most_findings=findings or None)


def _known(resume: Path, adapter: tuple[str, ...], python: str | None) -> tuple[Subject, State]:
    from ..campaign.keeping import load
    from ..run.engine import Engine

    subject, state = load(resume)
    if (adapter or python) and Engine(adapter, python) != subject.engine:
        raise click.UsageError(
            f"{resume} is a campaign with another engine: {subject.engine.arguments}"
        )
    return subject, state


def _run(
    subject: Subject,
    state: State,
    extent: Extent,
    where: Executors,
    folder: Path,
    *,
    as_json: bool,
) -> int:
    import json

    from ..campaign.keeping import Keeper
    from ..campaign.running import Campaign
    from ..campaign.telling import Outcome, Progress, lines, write_findings

    keeper = Keeper(folder, subject)
    with Progress(quiet=as_json) as progress:
        campaign = Campaign(
            subject,
            state,
            extent,
            where,
            progress=progress.tell,
            keep=keeper.now_and_then,
        )
        found = campaign.run()
    keeper.keep(state)
    write_findings(folder, found)
    outcome = Outcome(
        campaign.result(),
        found,
        subject.resolved,
        state.seed,
        state.seconds,
        folder,
        subject.engine.arguments,
        subject.other is not None,
        campaign.interrupted,
    )
    if as_json:
        click.echo(json.dumps(outcome.as_json(), indent=2, ensure_ascii=False))
    else:
        for line in lines(outcome):
            click.echo(line)
    return outcome.exit_code
