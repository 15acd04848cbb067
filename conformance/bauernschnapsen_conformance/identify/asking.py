"""Asking an engine, each question only once.

What it does not have (`unsupported`) is an answer too; an error, a crash or silence is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from bauernschnapsen.ruleset import Rules

from ..adapter import Answer, FaultKind, Hello, Request
from ..adapter.faults import printable
from ..views import COMPARED
from .caution import Caution
from .forms import Forms
from .holding import Scales
from .houses import Houses
from .lines import Line
from .seen import Miss, Seen

SEATS = 4
"""At the tables whose house rules are looked for."""


class Asked(Protocol):
    """An adapter session or an engine in process."""

    @property
    def hello(self) -> Hello: ...  # noqa: D102

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]: ...  # noqa: D102


class Observer:
    """Asks questions, each only once, and compares."""

    def __init__(self, engine: Asked, houses: Houses | None = None) -> None:
        self._engine = engine
        self.houses = houses or Houses()
        capabilities = engine.hello.capabilities
        self.claims = capabilities.claims
        self.scales = Scales(claims=capabilities.claims, enforces=capabilities.enforces)
        self.players = capabilities.players
        self.starts = capabilities.starts if SEATS in capabilities.players else ()
        """How deals can begin; in no way with another number of players."""
        self._known: dict[Line, Seen] = {}
        self.caution = Caution()
        self.faults: dict[str, list[Seen]] = {}
        """What went wrong, and in which questions."""
        self.said: Counter[str] = Counter()
        """Its words where it gave no views."""
        self.shown: Counter[str] = Counter()
        """What it showed in views, and how often."""
        self.forms = Forms()
        self.asked = 0

    @property
    def is_blind(self) -> bool:
        """Whether nothing that was looked at had the form of the protocol."""
        return not self.forms.right

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
        if answer.flaky:
            self.faults.setdefault(answer.hint, []).append(seen)
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
            self.forms.clean(seen)
        else:
            seen.said = _words(reply.get("unsupported", "an answer without views"))
            self.said[seen.said] += 1

    def miss(self, seen: Seen, rules: Rules) -> Miss | None:
        """Return where the engine leaves a ruleset first, or None if it follows it throughout."""
        if seen.fault:
            return None
        scope = self.houses.scope(rules, seen.scope)
        if scope not in seen.held:
            seen.held[scope] = self.scales.miss(seen, rules)
        return seen.held[scope]


def _words(said: Any) -> str:
    text = said.get("message", said) if isinstance(said, dict) else said
    return printable(str(text), 120) or "nothing"


def _are_views(views: Any) -> bool:
    return isinstance(views, list) and all(
        isinstance(deal, list) and all(isinstance(view, dict) for view in deal) for deal in views
    )
