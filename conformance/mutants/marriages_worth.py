"""Faulty engines of the chapter "Marriages": what they count, what they leave as it is."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import marriages, table
from bauernschnapsen.cards import KING, QUEEN, RANK_OF, SUIT_MASKS, SUIT_OF
from bauernschnapsen.errors import Refusal
from bauernschnapsen.marriages import PAIRS
from bauernschnapsen.notation import Action, cards_in
from bauernschnapsen.position import PLAY, Position, Trick
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks
from .marriages import half_pair, not_for

# --------------------------------------------------------------------------- what it counts


def _worth(rule: str, slug: str, sentence: str, worth: Any) -> None:
    """Count a marriage otherwise: worth(position, seat, card, right number)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = marriages.declare

        def declare(position: Position, seat: int, card: int) -> None:
            right(position, seat, card)
            trumps = SUIT_OF[card] == position.trump_in_force
            due = 40 if trumps else 20
            position.points[position.side(seat)] += worth(position, seat, card, due) - due

        patch.swap(marriages, "declare", declare)


_worth("marriages.twenty", "forty", "Every marriage is worth 40.", lambda p, s, c, due: 40)
_worth("marriages.twenty", "ten", "A marriage in a plain suit is worth 10.",
       lambda p, s, c, due: 10 if due == 20 else due)  # fmt: skip
_worth("marriages.twenty", "nothing", "Only trump marriages count.",
       lambda p, s, c, due: 0 if due == 20 else due)  # fmt: skip
_worth("marriages.twenty", "twenty-seven", "The cards of the marriage are counted in at once.",
       lambda p, s, c, due: due + 7)  # fmt: skip
_worth("marriages.twenty", "red-forty", "A marriage of hearts is worth 40.",
       lambda p, s, c, due: 40 if SUIT_OF[c] == 0 else due)  # fmt: skip
_worth("marriages.twenty", "second-forty", "A side's second marriage is worth 40.",
       lambda p, s, c, due: 40 if p.declared[p.side(s)] > due else due)  # fmt: skip
_worth("marriages.forty", "twenty", "Every marriage is worth 20.", lambda p, s, c, due: 20)
_worth("marriages.forty", "sixty", "A marriage in trumps is worth 60.",
       lambda p, s, c, due: 60 if due == 40 else due)  # fmt: skip
_worth("marriages.forty", "forehand-only", "Only forehand's trump marriage is worth 40.",
       lambda p, s, c, due: due if s == p.forehand else 20)  # fmt: skip
_worth("marriages.forty", "declarers-side-only", "Only the declarer's side has a 40.",
       lambda p, s, c, due: 20 if p.against_declarer(s) else due)  # fmt: skip
_worth("marriages.forty", "not-in-schnapser", "In Schnapser every marriage is worth 20.",
       lambda p, s, c, due: 20 if p.contract.goal == "tricks_66" else due)  # fmt: skip
_worth("marriages.forty", "king-led", "A marriage of trumps counts 40 if the king is led.",
       lambda p, s, c, due: 20 if RANK_OF[c] == QUEEN else due)  # fmt: skip


@mutant("marriages.at-once", "needs-trick", "Marriages count from the side's first trick on.")
def _(patch: Patch) -> None:
    held: dict[int, int] = {}
    right = marriages.declare

    def start(position: Position, _: Position | None) -> None:
        held.clear()

    def declare(position: Position, seat: int, card: int) -> None:
        before = list(position.points)
        right(position, seat, card)
        side = position.side(seat)
        if not position.tricks[side]:
            held[side] = held.get(side, 0) + position.points[side] - before[side]
            position.points = before

    def change(position: Position, trick: Trick) -> None:
        side = position.side(trick.winner)
        position.points[side] += held.pop(side, 0)

    hooks.on_start(patch, start)
    patch.swap(marriages, "declare", declare)
    hooks.after_trick(patch, change)


def _after_its_trick(slug: str, sentence: str, change: Any) -> None:
    """Settle a marriage only when its trick is complete: change(position, trick, side, worth)."""

    @mutant("marriages.at-once", slug, sentence)
    def _(patch: Patch) -> None:
        pending: list[tuple[int, int]] = []
        right = marriages.declare

        def start(position: Position, _: Position | None) -> None:
            pending.clear()

        def declare(position: Position, seat: int, card: int) -> None:
            before = list(position.points)
            right(position, seat, card)
            side = position.side(seat)
            pending[:] = [(side, position.points[side] - before[side])]
            if slug != "trick-lost":
                position.points = before

        def settle(position: Position, trick: Trick) -> None:
            if pending:
                change(position, trick, *pending.pop())

        hooks.on_start(patch, start)
        patch.swap(marriages, "declare", declare)
        hooks.after_trick(patch, settle)


def _add(position: Position, side: int, points: int) -> None:
    position.points[side] += points


_after_its_trick("after-the-trick", "A marriage counts when its trick is over.",
                 lambda p, t, side, worth: _add(p, side, worth))  # fmt: skip
_after_its_trick("won-trick-only", "A marriage counts only if its trick is won.",
                 lambda p, t, side, worth: _add(p, side, worth)
                 if p.side(t.winner) == side else None)  # fmt: skip
_after_its_trick("goes-with-the-trick", "A marriage counts for the winner of its trick.",
                 lambda p, t, side, worth: _add(p, p.side(t.winner), worth))  # fmt: skip
_after_its_trick("trick-lost", "A marriage is struck off again if its trick is lost.",
                 lambda p, t, side, worth: _add(p, side, -worth)
                 if p.side(t.winner) != side else None)  # fmt: skip


@mutant("marriages.at-once", "declarers-side", "Every marriage counts for the declarer's side.")
def _(patch: Patch) -> None:
    right = marriages.declare

    def declare(position: Position, seat: int, card: int) -> None:
        before = sum(position.points)
        right(position, seat, card)
        if position.against_declarer(seat):
            worth = sum(position.points) - before
            _add(position, position.side(seat), -worth)
            _add(position, position.side(position.declarer), worth)

    patch.swap(marriages, "declare", declare)


@mutant("marriages.at-once", "loses-if-no-trick", "Without a trick in the deal it never counted.")
def _(patch: Patch) -> None:
    from bauernschnapsen import scoring

    tier = scoring.tier

    def wrong(position: Position, winner: int) -> int:
        for side in range(position.rules.sides):
            if not position.tricks[side]:
                position.points[side] -= position.declared[side]
        return tier(position, winner)

    patch.swap(scoring, "tier", wrong)


# --------------------------------------------------------------------------- an ordinary lead


def _married_lead(position: Position) -> bool:
    """Whether the card led to this trick was one of a declared marriage."""
    if not position.trick:
        return False
    leader, card = position.trick[0]
    other = (PAIRS[SUIT_OF[card]] & ~(1 << card)).bit_length() - 1
    marrying = RANK_OF[card] in (KING, QUEEN) and position.declared[position.side(leader)] > 0
    return marrying and bool(position.shown[leader] >> other & 1)


@mutant("marriages.ordinary-lead", "not-beaten", "The card of a marriage need not be beaten.")
def _(patch: Patch) -> None:
    hooks.drop_duty(patch, "play.beat", _married_lead)


@mutant("marriages.ordinary-lead", "not-followed", "Nobody has to follow to a marriage.")
def _(patch: Patch) -> None:
    hooks.on_allowed(patch, lambda p, mask: p.hands[p.turn or 0] if _married_lead(p) else mask)


@mutant("marriages.ordinary-lead", "not-ruffed", "Nobody has to ruff a marriage.")
def _(patch: Patch) -> None:
    hooks.drop_duty(patch, "play.ruff", _married_lead)


@mutant("marriages.ordinary-lead", "wins", "The card led with a marriage wins the trick.")
def _(patch: Patch) -> None:
    hooks.on_winner(patch, lambda p, winner: p.trick[0][0] if _married_lead(p) else winner)


@mutant("marriages.ordinary-lead", "wins-unless-trumped", "Only trumps take a marriage's trick.")
def _(patch: Patch) -> None:
    def change(position: Position, winner: int) -> int:
        card = next(card for seat, card in position.trick if seat == winner)
        trumped = SUIT_OF[card] == position.trump_in_force
        return position.trick[0][0] if _married_lead(position) and not trumped else winner

    hooks.on_winner(patch, change)


@mutant(
    "marriages.ordinary-lead", "binds", "After a marriage its suit is due in later tricks, too."
)
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        if not position.trick or not any(position.declared):
            return mask
        suits = 0
        for shown in position.shown:
            for card in cards_in(shown):
                suits |= SUIT_MASKS[SUIT_OF[card]]
        return position.hands[position.turn or 0] & suits or mask

    hooks.on_allowed(patch, change)


@mutant("marriages.ordinary-lead", "kept-card-next", "The kept card must be led to the next trick.")
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        if position.trick or not any(position.declared):
            return mask
        return mask & position.shown[position.turn or 0] or mask

    hooks.on_allowed(patch, change)


# --------------------------------------------------------------------------- voluntary, several


@mutant("marriages.voluntary", "forced", "Whoever leads from a pair has to declare it.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, action: Action) -> bool:
        return (
            action.verb == "play"
            and position.phase == PLAY
            and seat == position.turn
            and isinstance(action.value, int)
            and bool(marriages.marriage_cards(position) >> action.value & 1)
        )

    hooks.refuse(patch, "marriages.voluntary", when)


@mutant(
    "marriages.voluntary", "automatic", "A king or queen led from a pair declares it by itself."
)
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            leads = position.phase == PLAY and seat == position.turn and action.verb == "play"
            card = action.value
            if leads and isinstance(card, int) and marriages.marriage_cards(position) >> card & 1:
                action = Action("marry", card)
            after: Position = right(position, seat, action)
            return after

        return apply

    patch.wrap(table, "apply", make)


@mutant("marriages.voluntary", "must-lead-it", "Whoever holds a pair has to lead it.")
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        return mask & marriages.marriage_cards(position) or mask

    hooks.on_allowed(patch, change)


def _led_before(position: Position, seat: int, card: int, missing: int | None) -> bool:
    return missing in position.dealt[seat] and not any(position.declared)


half_pair("later", "A pair that was led in silence may still be declared later.", _led_before,
      rule="marriages.voluntary")  # fmt: skip


def _declared_by(position: Position, seat: int) -> bool:
    """Whether a seat has declared before: one half of a pair of his has been shown."""
    return any(
        bool(position.shown[seat] & pair)
        or (_gone(position, seat, pair) and position.declared[position.side(seat)] > 0)
        for pair in PAIRS
    )


def _gone(position: Position, seat: int, pair: int) -> bool:
    dealt = sum(1 << card for card in position.dealt[seat])
    return dealt & pair == pair and not position.hands[seat] & pair


not_for("marriages.several", "one-per-player", "A player declares once in a deal.", _declared_by)
not_for("marriages.several", "one-per-side", "A side declares once in a deal.",
         lambda p, seat: p.declared[p.side(seat)] > 0)  # fmt: skip
not_for("marriages.several", "one-per-deal", "There is one marriage in a deal.",
         lambda p, seat: any(p.declared))  # fmt: skip


not_for("marriages.several", "sixty-and-no-more", "Who has declared 60 with his side is done.",
         lambda p, seat: p.declared[p.side(seat)] >= 60)  # fmt: skip


@mutant("marriages.several", "sixty-at-most", "All the marriages of a side bring 60 at most.")
def _(patch: Patch) -> None:
    right = marriages.declare

    def declare(position: Position, seat: int, card: int) -> None:
        right(position, seat, card)
        side = position.side(seat)
        beyond = max(position.declared[side] - 60, 0)
        position.points[side] -= beyond
        position.declared[side] -= beyond

    patch.swap(marriages, "declare", declare)


@mutant("marriages.several", "highest-only", "Only the best marriage of a side counts.")
def _(patch: Patch) -> None:
    best: dict[int, int] = {}
    right = marriages.declare

    def start(position: Position, _: Position | None) -> None:
        best.clear()

    def declare(position: Position, seat: int, card: int) -> None:
        side = position.side(seat)
        before = position.points[side]
        right(position, seat, card)
        worth = position.points[side] - before
        position.points[side] = before + max(worth - best.get(side, 0), 0)
        best[side] = max(worth, best.get(side, 0))

    hooks.on_start(patch, start)
    patch.swap(marriages, "declare", declare)


@mutant("marriages.several", "all-at-once", "Declaring one pair declares every other in hand.")
def _(patch: Patch) -> None:
    right = marriages.declare

    def declare(position: Position, seat: int, card: int) -> None:
        right(position, seat, card)
        for suit, pair in enumerate(PAIRS):
            if suit != SUIT_OF[card] and position.hands[seat] & pair == pair:
                right(position, seat, pair.bit_length() - 1)

    patch.swap(marriages, "declare", declare)


@mutant("marriages.several", "leaks", "A suit declared in one deal cannot be declared in the next.")
def _(patch: Patch) -> None:
    done: set[int] = set()
    check, declare = marriages.check_marriage, marriages.declare
    this: set[int] = set()

    def start(position: Position, last: Position | None) -> None:
        if last is None:
            done.clear()
        else:
            done.update(this)
        this.clear()

    def check_marriage(position: Position, seat: int, card: int) -> None:
        check(position, seat, card)
        if SUIT_OF[card] in done:
            raise Refusal("marriages.several", "a rule that does not exist")

    def counted(position: Position, seat: int, card: int) -> None:
        declare(position, seat, card)
        this.add(SUIT_OF[card])

    hooks.on_start(patch, start)
    patch.swap(marriages, "check_marriage", check_marriage)
    patch.swap(marriages, "declare", counted)


hooks.wrong_reason("marriages.contracts", "marriages.pair", "A marriage in another contract")
hooks.wrong_reason("marriages.declarer-only", "marriages.pair", "A marriage of somebody else")
hooks.wrong_reason("marriages.on-lead", "play.follow", "A marriage while following")
hooks.wrong_reason("marriages.pair", "play.own-cards", "A marriage without a pair")
