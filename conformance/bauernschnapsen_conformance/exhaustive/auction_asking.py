"""Asking an engine every auction, as deals that end when the contract stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import format_action, parse_action, parse_seat, seat_letters
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules
from bauernschnapsen.table import apply, legal_actions

from ..adapter.faults import FaultKind
from ..adapter.handshake import Capabilities
from ..adapter.messages import Answer, Request
from ..corpus import Prepared, Scenario
from ..run.fitting import CannotBeAsked, NotApplicable, fit
from ..run.turning import Turning, turn
from ..run.verdicts import Opinion, Verdict, judge_reply
from ..views import Difference, Statement
from .asking import Asks, Tally
from .auctions import Walk, deal_of
from .blame import Cause, Wrong
from .keys import namings

REPLAY = "replay"
_ITEM = Scenario("auction.all", "", "", {}, (), ())
_SUITS = ["".join("HDSC"[suit] for suit in naming) for naming in namings(())]
_RULE_OF_PLACE = {"contract": "auction.last-bid", "bid": "auction.higher", "phase": "auction.end"}
ACCEPTS = "accepts a call that must be refused"
MISNAMES = "names another rule for refusing a call"
REFUSES = "refuses a call that is allowed"
OFFERS = "offers a call that must be refused"
HIDES = "does not offer a call that is allowed"


def ask_auctions(
    session: Asks,
    walks: list[Walk],
    engine_rules: Rules,
    able: Capabilities,
    tally: Tally,
    *,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Play every walk and note in `tally` what became of it. The session is not ended.

    `engine_rules` are those the engine plays by.
    """
    run = _Run(engine_rules, able, tally, progress)
    for answer in session.ask(run.requests(walks)):
        run.take(answer)


class _Run:
    """What is under way, and what has become of the rest."""

    def __init__(
        self,
        rules: Rules,
        able: Capabilities,
        tally: Tally,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.tally = tally
        self._rules = rules
        self._able = able
        self._progress = progress
        self._under_way: dict[Any, tuple[Walk, Prepared, tuple[int, ...], Turning]] = {}

    def requests(self, walks: list[Walk]) -> Iterator[Request]:
        partners = self._rules.options.sides == "partners"
        seats = self._rules.seats
        for number, walk in enumerate(walks):
            self.tally.cases += 1
            try:
                fitted = fit(prepared_walk(walk), self._rules, self._able)
            except (CannotBeAsked, NotApplicable) as reason:
                self.tally.unsupported += 1
                self.tally.note_reason(str(reason))
                continue
            suits = _SUITS[number % len(_SUITS)]
            turning = turn(number % seats, seats=seats, partners=partners, suits=suits)
            self._under_way[number] = (walk, fitted.prepared, fitted.skip, turning)
            yield Request(number, {"op": REPLAY, "deals": turning.deals(fitted.prepared.deals)})

    def take(self, answer: Answer) -> None:
        walk, prepared, skip, turning = self._under_way.pop(answer.key)
        tally = self.tally
        if answer.reply is None:
            not_run = answer.fault is not None and answer.fault.kind is FaultKind.NOT_RUN
            tally.not_asked += not_run
            tally.errors += not not_run
            tally.note_reason(str(answer.fault))
        else:
            reply = turning.back().reply(answer.reply)
            reasons = self._able.reasons
            self._judge(walk, prepared, judge_reply(prepared, reply, reasons=reasons, skip=skip))
        if self._progress is not None:
            self._progress(1)

    def _judge(self, walk: Walk, prepared: Prepared, opinion: Opinion) -> None:
        tally = self.tally
        if opinion.verdict is Verdict.PASS:
            tally.right += 1
        elif opinion.verdict is Verdict.UNSUPPORTED:
            tally.unsupported += 1
            tally.note_reason(opinion.reason)
        elif opinion.verdict is Verdict.FAIL:
            found = opinion.differences[0]
            deal = prepared.deals[0]
            seen = {**deal, "actions": deal["actions"][: found.view]}
            wrong = Wrong(REPLAY, seen, _named(found, found.expected), _named(found, found.got))
            tally.note_wrong(wrong, cause_of_difference(walk, deal["actions"], found))
        else:
            tally.errors += 1
            tally.note_reason(opinion.reason)


def prepared_walk(walk: Walk) -> Prepared:
    """Return a walk as a scenario that states every set of calls and every refusal."""
    rules = walk.deal.rules
    deal = deal_of(walk)
    expected = replay(rules, [deal])
    statements = []
    for place, view in enumerate(expected[0]):
        if "refused" in view:
            seat, action = deal["actions"][place - 1]
            statements.append(Statement(0, place, "refused", (seat, action), view["refused"]))
        elif place:
            seat, action = deal["actions"][place - 1]
            statements.append(Statement(0, place, "accepted", (seat, action), True))
        if view["phase"] == AUCTION:
            seat = view["to_act"]
            statements.append(Statement(0, place, "legal", (seat,), tuple(view["legal"][seat])))
    last = expected[0][-1]
    if last["contract"] is not None:
        for key in ("name", "declarer"):
            value = last["contract"][key]
            path = ("contract", key)
            statements.append(Statement(0, len(expected[0]) - 1, "value", path, value))
    return Prepared(_ITEM, [deal], expected, statements)


def cause_of_difference(walk: Walk, actions: list[list[str]], found: Difference) -> Cause:
    """Return which rule a wrong view in an auction breaks."""
    before = _before(walk, actions, found.view)
    if found.path[0] == "refused":
        seat, action = actions[found.view - 1]
        if found.expected:
            return Cause(found.expected, MISNAMES if found.got else ACCEPTS)
        return Cause(_allowing(before, action), REFUSES)
    if found.path[0] == "legal" and isinstance(found.got, list | tuple | set | frozenset):
        after = _before(walk, actions, found.view + 1)
        seat = found.path[1] if len(found.path) > 1 else ""
        want = _calls(after, seat)
        for action in sorted(set(map(str, found.got)) - want):
            return Cause(_refusing(after, seat, action), OFFERS)
        for action in sorted(want - set(map(str, found.got))):
            return Cause(_allowing(after, action), HIDES)
    place = found.path[0]
    return Cause(_RULE_OF_PLACE.get(place, "auction.turn"), f"shows another {found.where}")


def _named(found: Difference, value: Any) -> str:
    if isinstance(value, list | tuple | set | frozenset):
        value = ", ".join(sorted(map(str, value)))
    return f"{found.where} {value}"


def _before(walk: Walk, actions: list[list[str]], view: int) -> Position:
    """Return the position in which the action before a view was tried, by the reference."""
    position = walk.deal
    rules = position.rules
    for seat, text in actions[: max(view - 1, 0)]:
        try:
            position = apply(position, parse_seat(seat, rules.seats), parse_action(text))
        except Refusal:
            continue
    return position


def _calls(position: Position, seat: str) -> set[str]:
    letters = seat_letters(position.rules.seats)
    place = letters.find(seat)
    return {format_action(action) for action in legal_actions(position).get(place, ())}


def _refusing(position: Position, seat: str, text: str) -> str:
    try:
        apply(position, parse_seat(seat, position.rules.seats), parse_action(text))
    except Refusal as refusal:
        return refusal.rule
    except ValueError:
        pass
    return "auction.when"


def _allowing(position: Position, text: str) -> str:
    """Return the rule by which a call is allowed."""
    verb, _, name = text.partition(" ")
    if verb == "pass":
        return "auction.may-pass"
    if position.bid is None or verb == "kontra":
        return "auction.must-open" if verb == "bid" else "auction.kontra-on-normal"
    if name == position.bid.name:
        return "auction.hold"
    contract = position.rules.by_name.get(name)
    needs_cards = contract is not None and contract.hold != "none"
    return "auction.cards-required" if needs_cards else "auction.jump"
