"""The engine that is tested: how it is reached, started, named in commands and known again."""

from __future__ import annotations

import contextlib
import hashlib
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bauernschnapsen
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved

from ..adapter import AdapterCommand, Breaker, Limits, Session, Suite
from ..adapter.pool import Pool, open_sessions
from ..adapter.process import Recorder
from .asked import Asked
from .plan import engine_ruleset

_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Engine:
    """A command that speaks the adapter protocol, or a Python factory (`module:factory`)."""

    argv: tuple[str, ...] = ()
    python: str | None = None

    @property
    def arguments(self) -> str:
        """What stands for the engine on the command line: `-- ./my-adapter`."""
        if self.python is not None:
            return f"--python {shlex.quote(self.python)}"
        return f"-- {shlex.join(self.argv)}"

    @property
    def shell(self) -> str | None:
        """The command to pipe lines into, or None for an engine in process."""
        return None if self.python is not None else shlex.join(self.argv)

    def files(self) -> list[dict[str, str]]:
        """Return name and digest of every file that the command names: program and arguments."""
        found = []
        for place, word in enumerate(self.argv):
            path = Path(word)
            if place == 0 and "/" not in word:
                path = Path(shutil.which(word) or word)
            digest = _digest(path)
            if digest is not None:
                found.append({"name": word, "digest": digest})
        return found


def _digest(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        with path.open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


@contextlib.contextmanager
def started(
    engine: Engine,
    ruleset: Resolved,
    *,
    suite_digest: str,
    jobs: int = 1,
    timeout_scale: float = 1.0,
    recorder: Recorder | None = None,
    breaker: Breaker | None = None,
) -> Iterator[Asked]:
    """Start an engine under a ruleset; whatever happens, it is ended on the way out.

    `breaker`: how many faults are borne, where it is not the usual number.
    AdapterError if it does not start; SpecError if a Python factory is none.
    """
    suite = Suite(bauernschnapsen.__version__, suite_digest)
    limits = Limits(timeout_scale=timeout_scale)
    if engine.python is not None:
        from .in_process import PythonEngine, load_engine

        if jobs > 1 or recorder is not None:
            raise SpecError("an engine in process has no jobs and no transcript")
        asked = PythonEngine(
            load_engine(engine.python), rules=ruleset, suite=suite, limits=limits, breaker=breaker
        )
        asked.start()
        yield asked
        return

    def opened(rules: Resolved) -> Session | Pool:
        def make(breaker: Any) -> Session:
            return Session(
                AdapterCommand(engine.argv),
                limits=limits,
                rules=rules,
                suite=suite,
                transcript=recorder,
                breaker=breaker,
            )

        return open_sessions(make, jobs, breaker)

    session = opened(ruleset)
    with session:
        hello = session.start()
        played = engine_ruleset(ruleset, hello.capabilities.claims)
        if played is ruleset or not hello.capabilities.configurable:
            yield session
            return
    # It is sent the rules in the handshake, so it needs another one.
    session = opened(played)
    with session:
        session.start()
        yield session
