"""Who broke it? Suspects are asked one at a time; who faults alone is the culprit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .channel import Broken, Channel, request_text
from .faults import Fault, FaultKind, Stopped
from .ledger import Ledger
from .limits import Limits
from .messages import Answer, Request
from .transcript import ASKED_AFTER

_SHORT_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class _Broke:
    """What was seen when a request was asked alone, and whom it may concern instead."""

    kind: FaultKind
    seen: Fault
    earlier: Request | None


class Inquiry:
    """One inquiry, after one breakdown.

    `answers` are the results so far, in the order of asking. `blamed` is true once a culprit is
    known. Both questions raise Stopped when the run is over.
    """

    def __init__(
        self,
        channel: Callable[[], Channel],
        end: Callable[[Broken], Fault],
        ledger: Ledger,
        limits: Limits,
    ) -> None:
        self.answers: list[tuple[Request, Answer]] = []
        self.blamed = False
        self._channel = channel
        self._end = end
        self._ledger = ledger
        self._settle = limits.scaled(limits.settle)

    def ask_suspect(self, request: Request) -> None:
        """Ask a request whose answer was outstanding."""
        self.answers.append((request, self._examine(request, self._settle * _SHORT_SHARE)))

    def ask_earlier(self, request: Request, held: Answer | None) -> None:
        """Ask a request that had been answered, and look longer for what comes after the reply.

        One of those that behave is asked after it: whether the process goes on is then seen for
        certain, and not by chance. The answer goes to `answers` if it was held back, else a fault
        is a late one.
        """
        calm = (one for one, answer in self.answers if answer.fault is None and one is not request)
        answer = self._examine(request, self._settle, next(calm, None))
        if held is not None:
            self.answers.append((request, answer))
        elif answer.fault is not None:
            self._ledger.late_faults[request.key] = answer.fault

    def ask_others(self, requests: list[Request]) -> None:
        """Ask what was answered still earlier, the last first, unless a culprit is known.

        Whose engine runs in an event loop may answer others before it ends over one of them, or
        over several.
        """
        if not self.blamed:
            for request in reversed(requests):
                self.ask_earlier(request, None)

    def keep(self, request: Request, held: Answer | None) -> None:
        """Take over the answer of a request that is above suspicion."""
        if held is not None:
            self.answers.append((request, held))

    def _examine(self, request: Request, settle: float, after: Request | None = None) -> Answer:
        outcome = self._ask(request, settle, after)
        if isinstance(outcome, Answer):
            self._ledger.breaker.row = 0
            return outcome
        if outcome.earlier is None or outcome.earlier is request:
            return self._blame(request, outcome.seen)
        # Others were answered in this process before: in a new one it is certain.
        again = self._ask(request, settle, after)
        if isinstance(again, _Broke):
            return self._blame(request, again.seen)
        self._suspect_earlier(outcome.earlier, outcome, request)
        return again

    def _suspect_earlier(self, earlier: Request, broke: _Broke, later: Request) -> None:
        """Find out whether a request only breaks because of what was asked before it."""
        seen: Fault | None = broke.seen
        if broke.kind is not FaultKind.DUPLICATE_ID:
            # Only a second reply says by itself whose it is.
            outcome = self._ask(earlier, self._settle, later)
            seen = outcome.seen if isinstance(outcome, _Broke) else None
        if seen is not None:
            self._blame_earlier(earlier, seen)

    def blame_earlier(self, earlier: Request, seen: Fault) -> None:
        """Charge a request that was answered, unless a culprit is known."""
        if not self.blamed:
            self._blame_earlier(earlier, seen)

    def _blame_earlier(self, earlier: Request, seen: Fault) -> None:
        fault = self._blame(earlier, seen).fault
        for position, (request, _) in enumerate(self.answers):
            if request is earlier:
                self.answers[position] = (earlier, Answer(earlier.key, None, fault))
                return
        assert fault is not None
        self._ledger.late_faults[earlier.key] = fault

    def _ask(self, request: Request, settle: float, after: Request | None) -> Answer | _Broke:
        """Ask a request, and another one after it; what breaks then is charged to the first."""
        if self._ledger.breaker.reason is not None:
            raise Stopped
        channel = self._channel()
        try:
            answer = _exchange(channel, request, settle)
        except Broken as broken:
            return _Broke(broken.kind, self._end(broken), broken.earlier)
        try:
            if after is not None:
                if (recorder := channel.process.recorder) is not None:
                    recorder.note(ASKED_AFTER)
                _exchange(channel, after, 0.0)
        except Broken as broken:
            return _Broke(broken.kind, self._end(broken), request)
        if answer.fault is not None:
            self.blamed = True
            answer.fault = self._ledger.charge(answer.fault)
        return answer

    def _blame(self, request: Request, seen: Fault) -> Answer:
        self.blamed = True
        fault = replace(seen, key=request.key, request_line=request_text(request))
        return Answer(request.key, None, self._ledger.charge(fault))


def _exchange(channel: Channel, request: Request, settle: float) -> Answer:
    channel.post([request])
    while channel.under_way:
        channel.collect()
    channel.settle(settle)
    (answer,) = channel.flush()
    return answer
