"""Chunks: a campaign is a list of pure parts, each run anywhere, and results that merge.

`run_chunk` is a function of its arguments alone: the same chunk gives the same result in any
process on any machine, as often as it is run. So it can be run by any executor, lost and run again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bauernschnapsen.ruleset import Rules

from .choosing import Chooser
from .coverage import Coverage
from .findings import Findings, Witness, cut_off
from .generators import ALL, Abilities, Case
from .judging import ENGINE_ERROR, Discrepancy, Question
from .shrinking import shortest_prefix
from .workers import Opened, Subject, engine_here

Json = dict[str, Any]
SIZE = 200
"""Cases of a chunk."""
_ERRORS_LOOKED_AT = 10


@dataclass(frozen=True, slots=True)
class Prior:
    """What a chunk is told of the campaign before it: what is covered, what recipes brought."""

    done_with: tuple[int, ...] = ()
    yields: tuple[tuple[str, tuple[int, int]], ...] = ()

    @classmethod
    def of(cls, coverage: Coverage) -> Prior:
        """What is to be told of this coverage."""
        return cls(coverage.done_with(), tuple(sorted(coverage.yields.items())))

    def as_json(self) -> Json:
        """Return it as JSON; `from_json` reads it back."""
        return {"done_with": list(self.done_with), "yields": [[k, list(v)] for k, v in self.yields]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Prior:
        """Read what `as_json` has written (checked by the schema before)."""
        yields = tuple((part, (pair[0], pair[1])) for part, pair in data["yields"])
        return cls(tuple(data["done_with"]), yields)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a campaign."""

    number: int
    count: int = SIZE
    prior: Prior = Prior()
    blind: bool = False


@dataclass(slots=True)
class Result:
    """What a chunk, or several of them together, has brought."""

    cases: int = 0
    views: int = 0
    unsupported: int = 0
    """Cases the engine said it does not know."""
    not_asked: int = 0
    """Cases that could not be fitted to the engine."""
    coverage: Coverage = field(default_factory=Coverage)
    findings: Findings = field(default_factory=Findings)
    engine: str = ""
    """Name and version of the engine, and of the other one."""
    stopped: str = ""
    """Why the engine was not asked any more, if so."""

    def add(self, other: Result) -> None:
        """Take in another result of the same campaign."""
        self.cases += other.cases
        self.views += other.views
        self.unsupported += other.unsupported
        self.not_asked += other.not_asked
        self.coverage.add(other.coverage)
        self.findings.add(other.findings)
        self.engine = max(self.engine, other.engine)
        self.stopped = max(self.stopped, other.stopped)

    def as_json(self) -> Json:
        """Return it as JSON; `from_json` reads it back."""
        return {
            "cases": self.cases,
            "views": self.views,
            "unsupported": self.unsupported,
            "not_asked": self.not_asked,
            "engine": self.engine,
            "stopped": self.stopped,
            "findings": self.findings.as_json(),
            "coverage": self.coverage.as_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read what `as_json` has written (checked by the schema before)."""
        return cls(
            data["cases"],
            data["views"],
            data["unsupported"],
            data["not_asked"],
            Coverage.from_json(data["coverage"]),
            Findings.from_json(data["findings"]),
            data["engine"],
            data["stopped"],
        )


def run_chunk(subject: Subject, seed: int, chunk: Chunk) -> Result:
    """Make the cases of a chunk, ask the engine, and return what came of it.

    AdapterError if the engine does not start, SpecError if it cannot be asked deals.
    """
    return run_with(engine_here(subject), seed, chunk)


def chooser_of(rules: Rules, seed: int, chunk: Chunk, able: Abilities = ALL) -> Chooser:
    """Return what makes the cases of a chunk."""
    return Chooser(
        rules,
        f"{seed} {chunk.number}",
        able=able,
        done_with=chunk.prior.done_with,
        yields=dict(chunk.prior.yields),
        blind=chunk.blind,
    )


def run_with(engine: Opened, seed: int, chunk: Chunk) -> Result:
    """Run a chunk with engines that are open already."""
    result = Result(engine=" / ".join(engine.names))
    chooser = chooser_of(engine.rules, seed, chunk, engine.makes)

    def questions() -> Iterator[tuple[int, Question]]:
        for number, made in chooser.cases(chunk.count):
            result.cases += 1
            asked = engine.question(made.deals, made.expected)
            if asked is None:
                result.not_asked += 1
            else:
                result.views += sum(map(len, made.expected))
                yield number, asked

    errors: list[tuple[int, Case, Discrepancy]] = []
    for number, asked, wrong, unsupported in engine.put(questions()):
        result.unsupported += unsupported
        if wrong is None:
            continue
        if wrong.cause.field == ENGINE_ERROR:
            errors.append((number, asked.deals, wrong))
        else:
            deals = cut_off(asked.deals, wrong)
            result.findings.note(Witness(deals, wrong, (chunk.number, number)))
    errors.sort(key=lambda error: error[0])
    for place, (number, deals, wrong) in enumerate(errors):
        # An error says little: was anything wrong before it?
        shortest = shortest_prefix(engine, deals) if place < _ERRORS_LOOKED_AT else None
        result.findings.note(Witness(*(shortest or (deals, wrong)), (chunk.number, number)))
    result.coverage = chooser.coverage
    result.stopped = engine.stopped or ""
    return result
