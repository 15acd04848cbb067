"""Asking an engine lines, and holding what it showed against what a ruleset says.

An engine may show little: what is absent from its views is never a difference. What it cannot do
(`unsupported`, `error`) is an answer too; a crash or silence is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from bauernschnapsen import table
from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules

from ..adapter import Answer, FaultKind, Hello, Request
from ..adapter.faults import printable
from ..views import COMPARED, Difference, View, compare
from .caution import Caution, needs
from .houses import AUCTION, WHOLE, Houses
from .lines import Line, sketch, step

Json = dict[str, Any]
_AT_START = 0
_IN_PLAY = ("play", "marry", "enough", "show")


class Asked(Protocol):
    """An adapter session or an engine in process."""

    @property
    def hello(self) -> Hello: ...  # noqa: D102

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Miss:
    """Where an engine leaves a ruleset: deal, view, how, and how much of the question agreed."""

    deal: int
    view: int
    share: float
    differences: list[Difference] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Seen:
    """What an engine showed of one question."""

    deals: list[Json]
    line: Line | None
    """The line, where the question is one; else it is a scenario with the rules it witnesses."""
    title: str = ""
    rules: tuple[str, ...] = ()
    views: list[list[View]] | None = None
    """None where it gave no views."""
    said: str = ""
    """Why not: its words for unsupported."""
    fault: str = ""
    """What went wrong instead of an answer."""
    held: dict[int, Miss | None] = field(default_factory=dict)
    """By scope of a ruleset, where it leaves that."""
    right: dict[int, tuple[bool, Any]] = field(default_factory=dict)
    """By number of a view, a position that it was found to agree with, as a sketch."""

    needs: frozenset[str] = frozenset()
    """What it takes to answer; see `caution`."""

    def __post_init__(self) -> None:
        self.needs = needs(self.deals)

    @property
    def scope(self) -> str:
        """What of a ruleset the answer depends on; see `houses`."""
        if self.line is None:
            return WHOLE
        if self.line.start.contract is not None:
            return self.line.start.contract[0]
        in_play = any(action.verb in _IN_PLAY for _, action in self.line.moves)
        return WHOLE if in_play else AUCTION

    @property
    def moves(self) -> int:
        """How long the question is."""
        return sum(len(deal["actions"]) for deal in self.deals)


class Observer:
    """Asks questions, each only once, and compares."""

    def __init__(self, engine: Asked, houses: Houses | None = None) -> None:
        self._engine = engine
        self.houses = houses or Houses()
        capabilities = engine.hello.capabilities
        self.claims = capabilities.claims
        self.enforces = capabilities.enforces
        self.starts = capabilities.starts
        self._known: dict[Line, Seen] = {}
        self.caution = Caution()
        self.faults: dict[str, list[Seen]] = {}
        """What went wrong, and in which questions."""
        self.said: Counter[str] = Counter()
        """Its words where it gave no views."""
        self.shown: Counter[str] = Counter()
        """What it showed in views, and how often."""
        self.asked = 0

    @property
    def stopped(self) -> str | None:
        """Why the engine is asked nothing any more, or None."""
        reason: str | None = getattr(self._engine, "stopped", None)
        return reason

    def lines(self, wanted: Iterable[Line]) -> list[Seen]:
        """Return what the engine shows of these lines, asking those that are new."""
        order = list(dict.fromkeys(wanted))
        new = [line for line in order if line not in self._known]
        for line in new:
            self._known[line] = Seen([line.record()], line)
        self.ask([self._known[line] for line in new])
        return [self._known[line] for line in order]

    def known(self, line: Line) -> Seen | None:
        """Return what the engine has shown of a line, or None if it was not asked."""
        return self._known.get(line)

    def ask(self, questions: Sequence[Seen]) -> None:
        """Ask the engine and keep what it shows."""
        waiting = list(questions)
        while waiting:
            wanted = []
            for question in waiting:
                avoided = self.caution.avoided(question.needs)
                if avoided is None:
                    wanted.append(question)
                else:
                    question.fault = f"not asked: it breaks down over {avoided}"
            now = self.caution.first_ones([question.needs for question in wanted])
            self._ask_all([wanted[number] for number in now])
            chosen = set(now)
            waiting = [one for number, one in enumerate(wanted) if number not in chosen]

    def _ask_all(self, questions: Sequence[Seen]) -> None:
        requests = [
            Request(number, {"op": "replay", "deals": question.deals})
            for number, question in enumerate(questions)
        ]
        self.asked += len(requests)
        for answer in self._engine.ask(requests):
            assert isinstance(answer.key, int)
            question = questions[answer.key]
            self._take(question, answer)
            if answer.fault is None or answer.fault.kind is not FaultKind.NOT_RUN:
                self.caution.note(question.needs, managed=not question.fault)

    def _take(self, seen: Seen, answer: Answer) -> None:
        reply = answer.reply or {}
        views: Any = reply.get("ok")
        if answer.fault is not None:
            seen.fault = str(answer.fault)
            if answer.fault.kind is not FaultKind.NOT_RUN:
                self.faults.setdefault(seen.fault, []).append(seen)
        elif "error" in reply:
            seen.fault = f"error: {_words(reply['error'])}"
            self.faults.setdefault(seen.fault, []).append(seen)
        elif _are_views(views):
            seen.views = views
            self.shown.update(
                key
                for deal in views
                for view in deal
                for key in view
                if key in COMPARED and view[key] is not None
            )
        else:
            seen.said = _words(reply.get("unsupported", "an answer without views"))
            self.said[seen.said] += 1

    # ------------------------------------------------------------------ holding against rules

    def miss(self, seen: Seen, rules: Rules) -> Miss | None:
        """Return where the engine leaves a ruleset first, or None if it follows it throughout."""
        if seen.fault:
            return None
        scope = self.houses.scope(rules, seen.scope)
        if scope not in seen.held:
            line = seen.line
            seen.held[scope] = (
                self._miss_in_scenario(seen, rules)
                if line is None
                else self._miss_in_line(seen, line, rules)
            )
        return seen.held[scope]

    def _miss_in_line(self, seen: Seen, line: Line, rules: Rules) -> Miss | None:
        position = line.start.position(rules)
        if (position is None) != (seen.views is None):
            return Miss(0, _AT_START, 0.0)
        if position is None or seen.views is None or not seen.views:
            return None
        got = seen.views[0]
        refused = False
        for number in range(min(len(got), len(line.moves) + 1)):
            if number:
                position, fine = step(position, line.moves[number - 1])
                refused = not fine
            mark = (refused, sketch(position))
            if seen.right.get(number) == mark:
                continue
            expected = table.view(position)
            if refused:
                expected["refused"] = True
            found = self._compare(expected, got[number], 0, number)
            if found is None:
                return None
            if not found:
                seen.right.setdefault(number, mark)
            if found:
                share = (number + _closeness(found)) / (len(line.moves) + 1)
                return Miss(0, number, share, found)
        return None

    def _miss_in_scenario(self, seen: Seen, rules: Rules) -> Miss | None:
        try:
            expected = replay(rules, seen.deals)
        except SpecError:
            return None
        if seen.views is None:
            return None
        for deal, (right, got) in enumerate(zip(expected, seen.views, strict=False)):
            for number, (view, shown) in enumerate(zip(right, got, strict=False)):
                found = self._compare(view, shown, deal, number)
                if found is None:
                    return None
                if found:
                    share = (deal + (number + _closeness(found)) / len(right)) / len(expected)
                    return Miss(deal, number, share, found)
        return None

    def _compare(
        self, expected: View, got: View, deal: int, number: int
    ) -> list[Difference] | None:
        """Return the differences of a view; None where nothing more can be told."""
        if "error" in got:
            return None
        if self.claims != "called":
            expected = {**expected, "legal": _without_claims(expected["legal"])}
        if not self.enforces and expected.get("refused"):
            return None  # it takes what it does not offer; what follows is another deal
        try:
            return compare(expected, got, deal, number)
        except (AttributeError, TypeError, KeyError):
            return [Difference(deal, number, ("view",), "a view", "something else", stated=False)]


def _closeness(differences: list[Difference]) -> float:
    """Return how little of a view differs, below 1."""
    count = 0
    for difference in differences:
        one, other = difference.expected, difference.got
        lists = isinstance(one, list) and isinstance(other, list)
        if difference.path[0] == "legal" and lists:
            count += len(set(map(str, one)) ^ set(map(str, other)))
        else:
            count += 1
    return 1 / (1 + count)


def _without_claims(legal: Json) -> Json:
    return {
        seat: kept
        for seat, actions in legal.items()
        if (kept := [action for action in actions if action != "enough"])
    }


def _words(said: Any) -> str:
    text = said.get("message", said) if isinstance(said, dict) else said
    return printable(str(text), 120) or "nothing"


def _are_views(views: Any) -> bool:
    return isinstance(views, list) and all(
        isinstance(deal, list) and all(isinstance(view, dict) for view in deal) for deal in views
    )
