"""The engines of a campaign, opened in whatever process a part of it is run in.

An engine stays open from one part to the next, since starting one may take seconds; what it is
asked says all, so nothing depends on what it was asked before. Where a worker process ends, so does
the engine: its input is closed.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import util
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from ..adapter import Answer, Breaker, Capabilities, Hello, Request
from ..run.asked import Asked
from ..run.engine import Engine, started
from ..run.in_process import PythonEngine
from ..run.plan import engine_ruleset
from .generators import Abilities, Case
from .judging import (
    Discrepancy,
    Question,
    abilities,
    common_abilities,
    is_unsupported,
    judge,
    judge_pair,
    question,
)

_IN_A_ROW, _IN_ALL = 20, 100_000
_BATCH = 64
_MOST_OPEN = 4
_PATIENT = 1_000_000


@dataclass(frozen=True, slots=True)
class Subject:
    """What a campaign is about: a ruleset, the engine, and the engine it is held against if any."""

    ruleset: str
    """Canonical JSON of the resolved ruleset."""
    engine: Engine
    other: Engine | None = None
    timeout_scale: float = 1.0

    @classmethod
    def of(
        cls,
        ruleset: Resolved,
        engine: Engine,
        other: Engine | None = None,
        timeout_scale: float = 1.0,
    ) -> Subject:
        """Make a subject of a resolved ruleset."""
        return cls(json.dumps(ruleset, sort_keys=False), engine, other, timeout_scale)

    @property
    def resolved(self) -> Resolved:
        """The ruleset as it was named."""
        resolved: Resolved = json.loads(self.ruleset)
        return resolved


@dataclass(slots=True)
class Opened:
    """Engines that have shaken hands."""

    asked: Asked
    other: Asked | None
    able: Capabilities
    rules: Rules
    """The rules by which they play: where deals end by themselves, with such claims."""
    resolved: Resolved
    _asked: int = 0
    _thread: ThreadPoolExecutor | None = None

    @property
    def hello(self) -> Hello:
        """What the engine said of itself."""
        return self.asked.hello

    @property
    def names(self) -> tuple[str, ...]:
        """Name and version of the engine, and of the one it is held against, if any."""
        sides = [self.asked, *([self.other] if self.other is not None else [])]
        return tuple(f"{one.hello.engine.name} {one.hello.engine.version}" for one in sides)

    @property
    def makes(self) -> Abilities:
        """What decides which cases are made for it."""
        return abilities(self.able)

    @property
    def stopped(self) -> str | None:
        """Why nothing is asked any more, or None."""
        return self.asked.stopped or (self.other.stopped if self.other is not None else None)

    def question(self, deals: Case, expected: Any = None) -> Question | None:
        """Return a case as these engines can be asked it, or None."""
        return question(deals, self.rules, self.able, expected)

    def put(
        self, questions: Iterable[tuple[int, Question]]
    ) -> Iterator[tuple[int, Question, Discrepancy | None, bool]]:
        """Ask many; yields, in any order, number, question, what is wrong, and if unsupported.

        A question after whose answer the engine did something wrong comes a second time.
        """
        if self.other is not None:
            yield from self._put_to_both(questions)
            return
        given: dict[int, tuple[int, Question]] = {}

        def requests() -> Iterator[Request]:
            for number, one in questions:
                # No key comes twice, so that a fault after the answer finds its question.
                self._asked += 1
                given[self._asked] = number, one
                yield Request(self._asked, one.body)

        for answer in self.asked.ask(requests()):
            assert isinstance(answer.key, int)
            number, one = given[answer.key]
            yield number, one, judge(one, answer, self.rules, self.able), is_unsupported(answer)
        for key, fault in list(self.asked.late_faults.items()):
            if key in given:
                number, one = given[key]
                wrong = judge(one, Answer(key, None, fault), self.rules, self.able)
                yield number, one, wrong, False

    def _put_to_both(
        self, questions: Iterable[tuple[int, Question]]
    ) -> Iterator[tuple[int, Question, Discrepancy | None, bool]]:
        source = iter(questions)
        while batch := [pair for _, pair in zip(range(_BATCH), source, strict=False)]:
            requests = [Request(number, one.body) for number, one in batch]
            theirs = self._in_thread(requests)
            ours = {answer.key: answer for answer in self.asked.ask(requests)}
            others = {answer.key: answer for answer in theirs()}
            for number, one in batch:
                mine, other = ours[number], others[number]
                unsupported = is_unsupported(mine) or is_unsupported(other)
                yield number, one, self._judge_pair(one, mine, other), unsupported

    def _in_thread(self, requests: list[Request]) -> Any:
        """Ask the other engine meanwhile; return what gives its answers.

        One that lives in this process is asked before: the time given to it is kept in the main
        thread only, and the two may share modules.
        """
        assert self.other is not None
        if isinstance(self.other, PythonEngine):
            answers = list(self.other.ask(requests))
            return lambda: answers
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1)
        return self._thread.submit(list, self.other.ask(requests)).result

    def _judge_pair(self, one: Question, mine: Answer, other: Answer) -> Discrepancy | None:
        if mine.fault is not None or mine.reply is None:
            return judge(one, mine, self.rules, self.able)
        if other.fault is not None or other.reply is None:
            return judge(one, other, self.rules, self.able)
        return judge_pair(one, mine.reply, other.reply, self.rules)


# --------------------------------------------------------------------------- opening and closing


@contextlib.contextmanager
def opened(subject: Subject, *, patient: bool = False, recorder: Any = None) -> Iterator[Opened]:
    """Start the engines of a subject. AdapterError if one does not start, SpecError if it cannot.

    `patient`: bear any number of faults, as where the same fault is looked for again and again.
    """
    resolved = subject.resolved

    def start(engine: Engine, recorder: Any = None) -> Asked:
        breaker = Breaker(in_a_row=_IN_A_ROW, in_all=_IN_ALL)
        if patient:
            breaker = Breaker(in_a_row=_PATIENT, in_all=_PATIENT)
        asked: Asked = stack.enter_context(
            started(
                engine,
                resolved,
                suite_digest="",
                timeout_scale=subject.timeout_scale,
                breaker=breaker,
                recorder=recorder,
            )
        )
        if asked.rules_refused is not None:
            raise SpecError(f"the engine does not take the ruleset: {asked.rules_refused}")
        return asked

    with contextlib.ExitStack() as stack:
        asked = start(subject.engine, recorder)
        other = None if subject.other is None else start(subject.other)
        yield ready(asked, resolved, other)


def ready(asked: Asked, resolved: Resolved, other: Asked | None = None) -> Opened:
    """Return engines that have shaken hands, as a campaign asks them; SpecError if it cannot."""
    able = asked.hello.capabilities
    if other is not None:
        common = common_abilities(able, other.hello.capabilities)
        if isinstance(common, str):
            raise SpecError(f"these engines cannot be held against each other: {common}")
        able = common
    if not able.starts:
        raise SpecError(
            "the engine plays no deals, it only answers queries",
            hint="'certify' asks those; fuzz needs capabilities.starts",
        )
    played = engine_ruleset(resolved, able.claims)
    rules = compile_rules(played)
    if rules.seats not in able.players:
        raise SpecError(
            f"the engine has no deals for {rules.seats} players",
            hint="--ruleset names rules that it plays",
        )
    return Opened(asked, other, able, rules, played)


_STACKS: dict[Subject, contextlib.ExitStack] = {}


@cache
def _known(subject: Subject) -> Opened:
    stack = contextlib.ExitStack()
    engine = stack.enter_context(opened(subject))
    _STACKS[subject] = stack
    return engine


def engine_here(subject: Subject) -> Opened:
    """Return the engines of a subject as opened in this process, which stay open."""
    if len(_STACKS) >= _MOST_OPEN:
        close_engines()
    engine = _known(subject)
    if engine.stopped is not None:
        close_engines()
        engine = _known(subject)
    return engine


def close_engines() -> None:
    """End all engines that this process has opened."""
    _known.cache_clear()
    while _STACKS:
        _, stack = _STACKS.popitem()
        with contextlib.suppress(Exception):
            stack.close()


# In a process of a pool this is called on the way out, where functions of atexit are not.
util.Finalize(None, close_engines, exitpriority=10)
