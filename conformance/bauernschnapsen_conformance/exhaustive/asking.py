"""Asking an engine every trick situation and every complete trick, in long lists.

A list of cases is one request. What an engine answers is compared as a whole first; only a list
that is not equal is looked at case by case. A list that faults is cut up and asked again, so that a
fault costs one case.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from bauernschnapsen.notation import seat_letters
from bauernschnapsen.ruleset import Rules

from ..adapter.faults import FaultKind
from ..adapter.messages import Answer, EncodedBody, Request
from ..run.queries import why_malformed
from ..run.verdicts import error_text
from .blame import Cause, Wrong, cause_of
from .situations import Kind, Situation, situations
from .winners import Won, won_tricks
from .writing import json_list

LEGAL, WINNER = "legal_plays", "trick_winner"
CASES = 256
"""Cases in a request: long enough to cost little each, far shorter than a line may be."""
_SMALLER = (16, 1)
_MOST_CUT_UP = 40
"""Lists that are cut up at most; an engine that faults everywhere is not asked case by case."""
_REASONS_KEPT = 20


class Asks(Protocol):
    """What is asked: a session, several, or an engine in process."""

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Exactly one answer to every request, in any order."""


@dataclass(slots=True)
class Tally:
    """What became of all cases of one kind of question."""

    cases: int = 0
    right: int = 0
    wrong: int = 0
    unsupported: int = 0
    """Not known to the engine, or not shown."""
    errors: int = 0
    not_asked: int = 0
    """Since the run was stopped."""
    causes: dict[Cause, int] = field(default_factory=dict)
    examples: dict[Cause, Wrong] = field(default_factory=dict)
    """For each cause the wrong answer with the fewest cards."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Why cases are unsupported or in error, with their number."""

    @property
    def conforms(self) -> bool:
        """Whether nothing was answered wrongly."""
        return not self.wrong and not self.errors and not self.not_asked

    @property
    def complete(self) -> bool:
        """Whether every situation was answered, and rightly."""
        return 0 < self.cases == self.right

    def give_up(self) -> None:
        """Count what was asked and has not been answered, in an interrupted run, as not asked."""
        done = self.right + self.wrong + self.unsupported + self.errors
        self.not_asked = max(self.cases - done, 1)

    def note_wrong(self, wrong: Wrong, cause: Cause) -> None:
        """Count a wrong answer."""
        self.wrong += 1
        self.causes[cause] = self.causes.get(cause, 0) + 1
        kept = self.examples.get(cause)
        if kept is None or wrong.size < kept.size:
            self.examples[cause] = wrong

    def note_reason(self, reason: str, number: int = 1) -> None:
        """Count why cases were not answered; only so many reasons are kept."""
        if reason in self.reasons or len(self.reasons) < _REASONS_KEPT:
            self.reasons[reason] = self.reasons.get(reason, 0) + number


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases that are asked together, all in one contract."""

    op: str
    cases: Sequence[str]
    """As JSON."""
    answers: Sequence[Any]

    @property
    def body(self) -> EncodedBody:
        """The request without its id."""
        return EncodedBody(f'{{"op":"{self.op}","cases":[{",".join(self.cases)}]}}'.encode())

    def cut(self, size: int) -> Iterator[Batch]:
        """Yield the same cases in shorter lists."""
        for start in range(0, len(self.cases), size):
            end = start + size
            yield Batch(self.op, self.cases[start:end], self.answers[start:end])


def batches(rules: Rules, kinds: Iterable[Kind], op: str) -> Iterator[Batch]:
    """Yield all cases of some kinds in lists, each of one contract."""
    for kind in kinds:
        if op == LEGAL:
            yield from legal_batches(rules, situations(rules, kind))
        else:
            yield from winner_batches(rules, won_tricks(rules, kind))


def legal_batches(rules: Rules, found: Iterable[Situation]) -> Iterator[Batch]:
    """Yield trick situations in lists."""
    seats = json_list(list(seat_letters(rules.seats)))
    return _listed(LEGAL, (_case(one, seats) for one in found))


def winner_batches(rules: Rules, found: Iterable[Won]) -> Iterator[Batch]:
    """Yield complete tricks in lists."""
    seats = json_list(list(seat_letters(rules.seats)))
    return _listed(WINNER, (_trick(one, seats) for one in found))


def _listed(op: str, written: Iterable[tuple[str, str, Any]]) -> Iterator[Batch]:
    """Yield cases (contract, text, answer) in lists of one contract each."""
    waiting: dict[str, tuple[list[str], list[Any]]] = {}
    for contract, text, answer in written:
        group = waiting.get(contract)
        if group is None:
            group = waiting[contract] = ([], [])
        group[0].append(text)
        group[1].append(answer)
        if len(group[0]) == CASES:
            del waiting[contract]
            yield Batch(op, *group)
    for group in waiting.values():
        yield Batch(op, *group)


def _case(situation: Situation, seats: str) -> tuple[str, str, list[str]]:
    contract, trump, declarer, trick, hand, legal = situation
    text = (
        f'{{"contract":"{contract}","trump":"{trump}","declarer":"{declarer}","seats":{seats},'
        f'"trick":{trick.wire},"seat":"{trick.seat}","hand":{hand.wire}}}'
    )
    return contract, text, legal.texts


def _trick(won: Won, seats: str) -> tuple[str, str, str]:
    contract, trump, declarer, trick, winner = won
    text = (
        f'{{"contract":"{contract}","trump":"{trump}","declarer":"{declarer}","seats":{seats},'
        f'"trick":{trick.wire}}}'
    )
    return contract, text, winner


def sweep(
    session: Asks,
    source: Iterable[Batch],
    rules: Rules,
    tally: Tally,
    *,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Ask every case and note in `tally` what became of it. The session is not ended."""
    run = _Sweep(rules, tally, progress)
    for answer in session.ask(run.requests(source)):
        run.take(answer, last=False)
    for size in _SMALLER:
        again = [batch for one in run.to_cut() for batch in one.cut(size)]
        for answer in session.ask(run.requests(again, first=False)):
            run.take(answer, last=size == 1)


class _Sweep:
    """What is under way, and what has become of the rest."""

    def __init__(self, rules: Rules, tally: Tally, progress: Callable[[int], None] | None) -> None:
        self.tally = tally
        self._rules = rules
        self._progress = progress
        self._under_way: dict[Hashable, Batch] = {}
        self._faulty: list[Batch] = []
        self._cut_up = 0
        self._number = 0

    def requests(self, source: Iterable[Batch], *, first: bool = True) -> Iterator[Request]:
        for batch in source:
            self._number += 1
            if first:
                self.tally.cases += len(batch.cases)
            self._under_way[self._number] = batch
            yield Request(self._number, batch.body)

    def to_cut(self) -> list[Batch]:
        """Return the lists that faulted, once."""
        faulty, self._faulty = self._faulty, []
        return faulty

    def take(self, answer: Answer, *, last: bool) -> None:
        batch = self._under_way.pop(answer.key)
        tally, number = self.tally, len(batch.cases)
        reply = answer.reply
        ok = reply.get("ok") if reply is not None else None
        if ok == batch.answers:
            tally.right += number
        elif isinstance(ok, list) and len(ok) == number:
            self._one_by_one(batch, ok)
        elif answer.fault is not None and answer.fault.kind is FaultKind.NOT_RUN:
            tally.not_asked += number
        elif reply is not None and "unsupported" in reply:
            tally.unsupported += number
            tally.note_reason(error_text(reply["unsupported"]), number)
        elif last or (number == CASES and self._cut_up >= _MOST_CUT_UP):
            tally.errors += number
            tally.note_reason(_trouble(answer), number)
        else:
            self._cut_up += number == CASES
            self._faulty.append(batch)
            return
        if self._progress is not None:
            self._progress(number)

    def _one_by_one(self, batch: Batch, ok: Sequence[Any]) -> None:
        tally = self.tally
        for text, right, got in zip(batch.cases, batch.answers, ok, strict=True):
            if got == right or _same_cards(batch.op, right, got):
                tally.right += 1
            elif got is None:
                tally.unsupported += 1
                tally.note_reason("not observed")
            elif isinstance(got, dict) and "unsupported" in got:
                tally.unsupported += 1
                tally.note_reason(error_text(got["unsupported"]))
            elif not _is_answer(batch.op, got):
                tally.errors += 1
                problem: Any = why_malformed(batch.op, got)
                if isinstance(got, dict):
                    problem = got.get("error", got)
                tally.note_reason(error_text(problem))
            else:
                wrong = Wrong(batch.op, json.loads(text), right, got)
                tally.note_wrong(wrong, cause_of(wrong, self._rules))


def _same_cards(op: str, right: Any, got: Any) -> bool:
    return op == LEGAL and _is_answer(op, got) and set(got) == set(right)


def _is_answer(op: str, got: Any) -> bool:
    return why_malformed(op, got) is None


def _trouble(answer: Answer) -> str:
    if answer.fault is not None:
        return str(answer.fault)
    if answer.reply is not None and "error" in answer.reply:
        return error_text(answer.reply["error"])
    return "ok must be a list with one answer for each case"
