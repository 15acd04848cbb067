"""Situations: what a deal has gone through, in words that can be counted.

A campaign does not count deals but situations: which contract, which rule fired, where in the
trick, for whom, and how the deal ended. Each is a short text such as `gang|play.beat|3|o|t2`: in a
Gang the third hand, an opponent, had to beat in the second trick. What fired is told by the
reference engine: the rule it refuses for, or the duty that binds the seat on turn.
"""

from __future__ import annotations

from bauernschnapsen.auction import standing_bid
from bauernschnapsen.cards import five_of_a_suit
from bauernschnapsen.marriages import PAIRS
from bauernschnapsen.notation import CARD_NUMBER, Action
from bauernschnapsen.position import AUCTION, OVER, PLAY, TRUMP, Position
from bauernschnapsen.scoring import SIXTY_SIX, camp_points

from ..blaming import binding

_CARDS = ("play", "marry")


class Watch:
    """Collects the situations of one case as the reference engine plays it."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def started(self, position: Position, last: Position | None) -> None:
        """A deal begins; `last` is the end of the deal before it in the same case."""
        score = _stakes(position)
        begun = "auction" if position.contract is None else position.contract.name
        self.seen.add(f"start|{begun}|{score}")
        if last is not None:
            how = last.outcome.reason if last.outcome is not None else "no score"
            self.seen.add(f"after|{how}|{'game' if last.game else 'deal'}|{begun}")

    def refused(self, position: Position, seat: int, text: str, rule: str) -> None:
        """A seat tried something and was refused because of a rule."""
        self.seen.update(refusals(position, seat, text, rule))

    def accepted(self, before: Position, seat: int, action: Action, after: Position) -> None:
        """A seat did something and the reference engine took it."""
        if action.verb in _CARDS:
            self._card(before, seat, action, after)
        elif action.verb == "enough":
            self._claim(before, seat, after)
        elif before.phase in (TRUMP, AUCTION):
            self._call(before, seat, action, after)
        else:
            step = before.phase if before.phase != PLAY else "play"
            self.seen.add(f"{_contract(before)}|{action.verb}|{_role(before, seat)}|{step}")
        if after.phase == OVER and before.phase != OVER:
            self._end(before, after)

    # ------------------------------------------------------------------ kinds of events

    def _call(self, before: Position, seat: int, action: Action, after: Position) -> None:
        place = (seat - before.forehand) % before.rules.seats
        if action.verb in ("trump", "turn-up", "redeal"):
            self.seen.add(f"{before.phase}|{action.verb}|{action.value}|{place}")
            return
        standing = standing_bid(before)
        over = "nothing" if standing is None else standing[1].name
        said = action.verb if action.value is None else f"{action.verb} {action.value}"
        ends = after.phase != AUCTION
        self.seen.add(f"auction|{over}|{said}|{place}|{'end' if ends else 'on'}")
        if ends and after.contract is not None:
            self.seen.add(f"{after.contract.name}|bid|{place}|{before.passed.bit_count()}")

    def _card(self, before: Position, seat: int, action: Action, after: Position) -> None:
        contract, role, trick = _contract(before), _role(before, seat), _trick(before)
        place = len(before.trick) + 1
        for rule in binding(before):
            self.seen.add(f"{contract}|{rule}|{place}|{role}|t{trick}")
        assert isinstance(action.value, int)
        trump = action.value // 5 == before.trump_in_force
        if action.verb == "marry":
            number = before.declared[before.side(seat)] // 20
            self.seen.add(f"{contract}|marriage|{'40' if trump else '20'}|{role}|t{trick}|{number}")
        if after.tricks_done > before.tricks_done and after.last_trick is not None:
            winner = _role(before, after.last_trick.winner)
            by_trump = after.last_trick.cards[0][1] // 5 != _card_of(after) // 5
            self.seen.add(f"{contract}|trick|{winner}|{'ruff' if by_trump else 'suit'}|t{trick}")

    def _claim(self, before: Position, seat: int, after: Position) -> None:
        points = camp_points(before, seat)
        others = sum(before.points) - points
        moment = "lead" if before.trick else "trick"
        role, name = _role(before, seat), _contract(before)
        paid = max(after.outcome.awards) if after.outcome is not None else 0
        side = before.side(seat)
        married = "own" if before.declared[side] else ""
        if sum(before.declared) > before.declared[side]:
            married += "others" if others > 0 else ""
        self.seen.add(f"{name}|enough|{_bucket(points)}|{role}|{moment}|x{1 << before.steps}")
        self.seen.add(f"{name}|enough|{_bucket(points)}|{_safe(before, side, others)}|{married}")
        self.seen.add(f"{name}|enough|{points >= SIXTY_SIX}|{others >= SIXTY_SIX}|{paid}|{moment}")

    def _end(self, before: Position, after: Position) -> None:
        outcome = after.outcome
        if outcome is None:
            self.seen.add(f"end|{before.phase}|no score")
            return
        assert after.contract is not None
        name, trick = after.contract.name, after.tricks_done
        paid = "".join("+" if award else "0" for award in outcome.awards)
        base = max(outcome.awards) // max(outcome.factor, 1)
        won = _role(after, outcome.awards.index(max(outcome.awards)))
        self.seen.add(f"{name}|end|{outcome.reason}|x{outcome.factor}|{won}")
        self.seen.add(f"{name}|end|{outcome.reason}|{base}|t{trick}")
        side = after.side(after.declarer)
        points, married = after.points[side], after.declared[side]
        had, bare = _bucket(points), _bucket(points - married)
        self.seen.add(f"{name}|end|{outcome.reason}|{had}|{bare}|married {married}")
        self.seen.add(f"score|{outcome.reason}|{_stakes(before)}|{paid}|{max(outcome.awards)}")
        if after.game is not None:
            marks = "".join(map(str, after.game.bummerl))
            self.seen.add(f"game|{len(after.game.winners)}|{marks}|x{outcome.factor}")


def refusals(position: Position, seat: int, text: str, rule: str) -> tuple[str, str]:
    """Return the situations that a refused attempt is."""
    verb, _, word = text.partition(" ")
    role = _role(position, seat)
    if position.phase == PLAY:
        moment = f"{len(position.trick) + 1}|t{_trick(position)}"
    else:
        moment = position.phase
    detail = _DETAILS.get(verb, _no_detail)(position, seat, word)
    return (
        f"{_contract(position)}|refused|{rule}|{role}|{moment}",
        f"refused|{verb[:20]}|{rule}|{position.phase}|{role}|{detail}",
    )


def _no_detail(position: Position, seat: int, word: str) -> str:  # noqa: ARG001 - as its like
    return ""


def _bid_detail(position: Position, seat: int, word: str) -> str:
    standing = "nothing" if position.bid is None else position.bid.name
    passed = "passed" if position.passed >> seat & 1 else "turn" if seat == position.turn else ""
    return f"{word[:24]} over {standing} {passed}"


def _double_detail(position: Position, seat: int, word: str) -> str:  # noqa: ARG001 - as its like
    doubled = "himself" if seat in position.doubled_by else "another" if position.steps else ""
    return f"x{1 << position.steps} {doubled}"


def _show_detail(position: Position, seat: int, word: str) -> str:  # noqa: ARG001 - as its like
    return "five of a suit" if five_of_a_suit(position.hands[seat]) is not None else ""


def _claim_detail(position: Position, seat: int, word: str) -> str:  # noqa: ARG001 - as its like
    if position.contract is None:
        return ""
    led = "led" if position.trick and position.trick[0][0] == seat else ""
    won = position.last_trick is not None and position.last_trick.winner == seat
    true = camp_points(position, seat) >= SIXTY_SIX
    return f"{'true' if true else 'false'} {led} {'won' if won else ''}"


def _marriage_detail(position: Position, seat: int, word: str) -> str:
    card = CARD_NUMBER.get(word)
    hand = position.hands[seat]
    if card is None or not hand >> card & 1:
        return "not held"
    half = PAIRS[card // 5] & hand
    pair = "pair" if half == PAIRS[card // 5] else "half" if half >> card & 1 else "no half"
    return f"{pair} {'trump' if card // 5 == position.trump_in_force else ''}"


_DETAILS = {
    "bid": _bid_detail,
    "bid-without-talon": _bid_detail,
    "raise": _bid_detail,
    "pass": _bid_detail,
    "kontra": _double_detail,
    "rekontra": _double_detail,
    "subkontra": _double_detail,
    "show": _show_detail,
    "enough": _claim_detail,
    "marry": _marriage_detail,
}


def _contract(position: Position) -> str:
    return position.phase if position.contract is None else position.contract.name


def _trick(position: Position) -> int:
    return position.tricks_done + 1


def _role(position: Position, seat: int) -> str:
    """The seat as declarer, partner or opponent; before that, its place from forehand."""
    if position.contract is None:
        return str((seat - position.forehand) % position.rules.seats)
    if seat == position.declarer:
        return "d"
    return "o" if position.against_declarer(seat) else "p"


def _card_of(position: Position) -> int:
    """The card that won the last trick."""
    trick = position.last_trick
    assert trick is not None
    return next(card for seat, card in trick.cards if seat == trick.winner)


_BUCKETS = ((SIXTY_SIX + 1, "over 66"), (SIXTY_SIX, "66"), (65, "65"), (60, "60-64"), (33, "33-59"))


def _bucket(points: int) -> str:
    return next((name for least, name in _BUCKETS if points >= least), "under 33")


def _safe(position: Position, side: int, others: int) -> str:
    """What the other camp has, as far as it decides how much is lost."""
    tricks = sum(position.tricks) - position.tricks[side]
    grade = next(name for least, name in _SAFE if others >= least)
    return f"{grade} {'with' if tricks else 'without'} a trick"


_SAFE = ((34, "over 33"), (33, "33"), (30, "30-32"), (20, "20-29"), (1, "some"), (0, "nothing"))


def _stakes(position: Position) -> str:
    """How far each side is from the target, as words."""
    target = position.rules.options.target
    return "/".join(_stake(have, target) for have in position.score.points)


def _stake(have: int, target: int) -> str:
    if not have:
        return "0"
    return "1 short" if target - have == 1 else "near" if target - have <= 9 else "some"
