"""Identify an engine from start to end: start it, search, and gather what is to be said."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bauernschnapsen
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from ..adapter import AdapterCommand, Breaker, Limits, Session, Suite
from ..engine import Engine
from .asking import Asked, Observer, Seen
from .broad import suite_questions
from .fields import Path, changed, value_at
from .findings import Bug, as_file, bugs_of, sureness
from .result import Result
from .search import Search

_IN_A_ROW, _IN_ALL = 12, 60


@dataclass(slots=True)
class Findings:
    """All that `identify` reports about an engine."""

    engine: str
    base: Resolved
    result: Result
    sure: list[tuple[Path, Any, str, Seen | None, str]]
    unseen: dict[str, list[Path]]
    bugs: list[Bug]
    faults: dict[str, int]
    stopped: str | None

    @property
    def ruleset(self) -> Resolved:
        """The profile, resolved."""
        return self.result.ruleset

    @property
    def rules(self) -> Rules:
        """The profile, ready for play."""
        return compile_rules(self.result.ruleset)

    @property
    def unsure(self) -> list[tuple[Path, Any]]:
        """Values that could not be ruled out."""
        return self.result.unsure

    @property
    def asked(self) -> int:
        """How many deals the engine was asked."""
        return self.result.asked

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.result.seconds

    @property
    def finished(self) -> bool:
        """Whether everything was asked in time."""
        return self.result.finished

    def file(self, name: str) -> str:
        """Return the profile as a ruleset file."""
        return as_file(self.result, self.base, name, self.engine)


def identify(
    engine: Engine,
    base: Resolved,
    *,
    seconds: float,
    timeout_scale: float = 1.0,
    suite: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Findings:
    """Start an engine and find its house rules. AdapterError if it does not start."""
    limits = Limits(timeout_scale=timeout_scale, faults_in_a_row=_IN_A_ROW, faults_in_all=_IN_ALL)
    about = Suite(bauernschnapsen.__version__, "")
    if engine.python is not None:
        from ..in_process import PythonEngine, load_engine

        breaker = Breaker(in_a_row=_IN_A_ROW, in_all=_IN_ALL)
        asked = PythonEngine(
            load_engine(engine.python), suite=about, limits=limits, breaker=breaker, rules=base
        )
        asked.start()
        return identify_started(asked, base, seconds=seconds, suite=suite, progress=progress)
    with Session(AdapterCommand(engine.argv), limits=limits, suite=about, rules=base) as session:
        session.start()
        return identify_started(session, base, seconds=seconds, suite=suite, progress=progress)


def identify_started(
    asked: Asked,
    base: Resolved,
    *,
    seconds: float,
    suite: bool = True,
    progress: Callable[[str], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Findings:
    """Find the house rules of an engine that has shaken hands."""
    observer = Observer(asked)
    first = _first_belief(base, observer)
    search = Search(
        observer, first, seconds=seconds, progress=progress or (lambda _: None), clock=clock
    )
    result = search.run(suite_questions(observer) if suite else ())
    sure = [
        (path, value_at(result.ruleset, path), speaking, witness, suspicion)
        for path, speaking, witness, suspicion in sureness(result, base)
    ]
    unseen: dict[str, list[Path]] = {}
    for path, reason in result.unseen.items():
        unseen.setdefault(reason, []).append(path)
    faults: dict[str, int] = {}
    for _, fault in observer.faults:
        faults[str(fault)] = faults.get(str(fault), 0) + 1
    hello = asked.hello
    engine = f"{hello.engine.name} {hello.engine.version}"
    stopped = getattr(asked, "stopped", None)
    return Findings(engine, base, result, sure, unseen, bugs_of(result), faults, stopped)


def _first_belief(base: Resolved, observer: Observer) -> Resolved:
    """Begin with what the engine says of itself."""
    if observer.claims == "automatic":
        return changed(base, ("options", "claim_mode"), "automatic")
    return base
