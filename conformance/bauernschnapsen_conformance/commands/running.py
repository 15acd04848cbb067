"""What the commands that run an engine have in common; no command itself."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from types import FrameType

    from ..adapter import AdapterError
    from ..run.engine import Engine

_STDERR_LINES = 6


def engine_of(adapter: tuple[str, ...], python: str | None) -> Engine:
    """Return the engine named on the command line: a command after --, or a Python factory."""
    from ..run.engine import Engine

    if bool(adapter) == (python is not None):
        raise click.UsageError(
            "name the adapter's command after --, as in: -- ./my-adapter"
            if python is None
            else "either --python MODULE:FACTORY or an adapter's command, not both"
        )
    return Engine(adapter, python)


def check_numbers(*, timeout_scale: float = 1.0, jobs: int = 1, failures: int = 0) -> None:
    """UsageError where a number makes no sense."""
    from ..adapter.pool import MOST_JOBS

    if not 0 < timeout_scale <= 1000:
        raise click.UsageError("--timeout-scale lies between 0 and 1000")
    if not 1 <= jobs <= MOST_JOBS:
        raise click.UsageError(f"--jobs lies between 1 and {MOST_JOBS}")
    if failures < 0:
        raise click.UsageError("--failures is a number, 0 or more")


def seed_of(seed: int | None, *, blind: bool, shared: str | None = None) -> int:
    """Return the seed of a run: the one that was named; else a new one if blind.

    `shared` is a digest that gives all shards of a run the same seed, since they must match.
    """
    from ..run.plan import DEFAULT_SEED

    if seed is not None:
        return seed
    if not blind:
        return DEFAULT_SEED
    if shared is not None:
        return int(shared.rpartition(":")[2][:8], 16) % 1_000_000
    import secrets

    return secrets.randbelow(1_000_000)


@contextlib.contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Let SIGTERM, and the terminal's closing, end a run as Ctrl-C does: no process stays."""

    def interrupted(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - its form
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # Who is told to ignore a signal (nohup) goes on doing so.
    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    heeded = [number for number, what in before.items() if what is not signal.SIG_IGN]
    for number in heeded:
        signal.signal(number, interrupted)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number])


def tell(error: AdapterError) -> None:
    """Say why an adapter cannot be asked, with the lines on its stderr that tell most."""
    from bauernschnapsen.errors import printable

    from ..adapter.last_words import telling_lines

    hint = f" ({error.hint})" if error.hint else ""
    click.echo(printable(f"bauernschnapsen: {error.message}{hint}"), err=True)
    for line in telling_lines(error.stderr_tail, _STDERR_LINES):
        click.echo(f"  stderr: {line}", err=True)
