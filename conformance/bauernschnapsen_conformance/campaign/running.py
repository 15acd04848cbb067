"""Running a campaign: chunks in waves on an executor, results merged, findings shrunk and written.

A chunk is told what had been covered two waves before its own (`Prior`), so that it need not wait
for the wave before, and yet what it does follows from the seed alone: not from how many work at it,
nor from interrupts. Waves grow from one chunk to `_WIDEST`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Rules

from .chunks import SIZE, Chunk, Prior, Result, chooser_of, run_chunk
from .findings import Findings
from .generators import ALL, Made
from .reporting import Finding, report
from .workers import Subject

_WIDEST = 256
_RESTARTS = 3
Executors = Callable[[], AbstractContextManager[tuple[Executor, int]]]


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a campaign goes; whatever comes first ends it."""

    cases: int | None = None
    seconds: float | None = None


@dataclass(slots=True)
class Wave:
    """A wave that is not complete: the chunks that are done, and what they have brought."""

    done: set[int] = field(default_factory=set)
    result: Result = field(default_factory=Result)


@dataclass(slots=True)
class State:
    """How far a campaign has come; it can be kept and taken up again (`keeping`)."""

    seed: int
    size: int = SIZE
    blind: bool = False
    most_findings: int | None = None
    """It ends with the wave in which so many causes have turned up."""
    complete: int = 0
    """Waves that are complete; their results are in `total`."""
    total: Result = field(default_factory=Result)
    priors: dict[int, Prior] = field(default_factory=dict)
    """What the chunks of the next two waves are told."""
    begun: dict[int, Wave] = field(default_factory=dict)
    """Waves that are not complete; never more than two, as the third is not told anything yet."""
    seconds: float = 0.0
    cut_short: dict[int, Result] = field(default_factory=dict)
    """Chunks that ended before their time, since no more cases were wanted, and what they brought.
    It is not kept: who goes on has them run whole."""

    def __post_init__(self) -> None:
        if not self.priors:
            self.priors = {0: Prior(), 1: Prior()}

    def chunk(self, number: int, wave: int, count: int) -> Chunk:
        """Return a chunk of a wave that may begin."""
        return Chunk(number, count, self.priors[wave], self.blind)

    def is_done(self, number: int) -> bool:
        """Whether the result of a chunk is known."""
        wave = wave_of(number)
        if number in self.cut_short:
            return True
        return wave < self.complete or (wave in self.begun and number in self.begun[wave].done)

    def take(self, number: int, result: Result) -> None:
        """Note the result of a chunk, and complete its wave if it was the last one missing."""
        wave = self.begun.setdefault(wave_of(number), Wave())
        wave.done.add(number)
        wave.result.add(result)
        while not self.found_enough and self._is_whole(self.complete):
            self._complete()

    def _is_whole(self, wave: int) -> bool:
        return wave in self.begun and len(self.begun[wave].done) == len(wave_chunks(wave))

    def _complete(self) -> None:
        self.total.add(self.begun.pop(self.complete).result)
        self.priors.pop(self.complete, None)
        self.complete += 1
        self.priors[self.complete + 1] = Prior.of(self.total.coverage)

    @property
    def found_enough(self) -> bool:
        """Whether the whole waves have brought as many causes as were wanted."""
        return self.most_findings is not None and len(self.total.findings) >= self.most_findings

    @property
    def parts(self) -> list[Result]:
        """All results: of the complete waves together, and of each that is not complete."""
        begun = [self.begun[wave].result for wave in sorted(self.begun)]
        return [self.total, *begun, *self.cut_short.values()]

    @property
    def stopped(self) -> str:
        """Why the engine is not asked any more, or nothing."""
        return max(result.stopped for result in self.parts)

    def so_far(self) -> Result:
        """Return everything that is known."""
        result = Result()
        for part in self.parts:
            result.add(part)
        return result


def wave_chunks(wave: int) -> range:
    """Return the numbers of the chunks of a wave: 1, 2, 4, ... of them."""
    doublings = _WIDEST.bit_length() - 1
    if wave <= doublings:
        return range((1 << wave) - 1, (2 << wave) - 1)
    start = (2 << doublings) - 1 + (wave - doublings - 1) * _WIDEST
    return range(start, start + _WIDEST)


def wave_of(number: int) -> int:
    """Return the wave of a chunk."""
    doublings = _WIDEST.bit_length() - 1
    wave = (number + 1).bit_length() - 1
    if wave <= doublings:
        return wave
    return doublings + 1 + (number - wave_chunks(doublings + 1).start) // _WIDEST


class Campaign:
    """One campaign; `run` goes on where the state is until it is far enough, or interrupted."""

    def __init__(
        self,
        subject: Subject,
        state: State,
        extent: Extent,
        executors: Executors,
        *,
        shrinks: bool = True,
        progress: Callable[[State], None] | None = None,
        keep: Callable[[State], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`executors` opens an executor and says how many chunks it runs at once.

        `shrinks`: whether the findings are shrunk at the end; `progress` and `keep` are called
        after every chunk.
        """
        self.subject, self.state, self.extent = subject, state, extent
        self.interrupted = False
        self._shrinks = shrinks
        self._executors = executors
        self._progress = progress or (lambda _: None)
        self._keep = keep or (lambda _: None)
        self._clock = clock

    def run(self) -> list[Finding]:
        """Run to the end, and return the findings, shrunk, in the order of their first case.

        SpecError if processes that work at it are killed again and again.
        """
        began, before = self._clock(), self.state.seconds
        findings: list[Finding] = []
        restarts = _RESTARTS
        while True:
            try:
                with self._executors() as (executor, width):
                    self._ask(executor, width, began, before)
                    if self._shrinks and not self.interrupted:
                        findings = self._shrink(executor)
                    break
            except BrokenExecutor:
                # A process was killed. What it was at is lost, and is run again.
                restarts -= 1
                if not restarts:
                    raise SpecError(
                        f"worker processes were ended {_RESTARTS} times",
                        hint="is there memory for so many? --jobs says how many",
                    ) from None
        self._keep(self.state)
        return findings

    def result(self) -> Result:
        """Return what counts: where a number of findings ends it, that of the whole waves."""
        return self.state.total if self.state.found_enough else self.state.so_far()

    def findings(self) -> Findings:
        """Return the findings that count."""
        found, most = self.result().findings, self.state.most_findings
        return found if most is None else found.first(most)

    # ------------------------------------------------------------------ asking

    def _ask(self, executor: Executor, width: int, began: float, before: float) -> None:
        running: dict[Future[Result], int] = {}
        try:
            while True:
                self.state.seconds = before + self._clock() - began
                if not self._enough():
                    self._submit(executor, running, 2 * width)
                if not running:
                    return
                self._gather(running)
                if self._enough():
                    running = {one: number for one, number in running.items() if not one.cancel()}
                    if self.state.found_enough or self.state.stopped:
                        return
        except KeyboardInterrupt:
            self.interrupted = True
            for future in running:
                future.cancel()
        finally:
            self.state.seconds = before + self._clock() - began

    def _gather(self, running: dict[Future[Result], int]) -> None:
        done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
        for future in done:
            number = running.pop(future)
            if not future.cancelled():
                if self._count(number) < self.state.size:
                    self.state.cut_short[number] = future.result()
                else:
                    self.state.take(number, future.result())
                self._progress(self.state)
                self._keep(self.state)

    def _submit(self, executor: Executor, running: dict[Future[Result], int], most: int) -> None:
        at_work = set(running.values())
        for number, wave in self._next_chunks():
            if len(running) >= most:
                return
            if number in at_work or self.state.is_done(number):
                continue
            if wave not in self.state.priors:
                return
            chunk = self.state.chunk(number, wave, self._count(number))
            running[executor.submit(run_chunk, self.subject, self.state.seed, chunk)] = number
            if self._enough():
                return

    def _next_chunks(self) -> Iterator[tuple[int, int]]:
        """Yield all chunks from the first wave on that is not complete, with their waves."""
        wave = self.state.complete
        while True:
            for number in wave_chunks(wave):
                if not self._count(number):
                    return
                yield number, wave
            wave += 1

    def _count(self, number: int) -> int:
        """How many cases a chunk has; 0 beyond the end of the campaign."""
        if self.extent.cases is None:
            return self.state.size
        return max(0, min(self.state.size, self.extent.cases - number * self.state.size))

    def _enough(self) -> bool:
        seconds = self.extent.seconds
        late = seconds is not None and self.state.seconds >= seconds
        return late or self.state.found_enough or bool(self.state.stopped)

    # ------------------------------------------------------------------ shrinking

    def _shrink(self, executor: Executor) -> list[Finding]:
        futures = [
            executor.submit(report, self.subject, found.witness, found.count)
            for _, found in self.findings()
        ]
        return [future.result() for future in futures]


def planned_chunks(rules: Rules, seed: int) -> Iterator[list[Made]]:
    """Yield the cases of a campaign chunk by chunk, in their order, without asking anybody.

    Which cases a campaign plays does not depend on what an engine answers.
    """
    state = State(seed)
    for wave in itertools.count():
        for number in wave_chunks(wave):
            chooser = chooser_of(rules, seed, state.chunk(number, wave, state.size), ALL)
            yield [made for _, made in chooser.cases(state.size)]
            state.take(number, Result(coverage=chooser.coverage))
