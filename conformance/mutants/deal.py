"""Faulty engines of the chapter "Deal and trump": dealers, hands, and who names which trump."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import deal, match, replay, table
from bauernschnapsen.cards import SUIT_OF, UNTERS
from bauernschnapsen.notation import SUITS, Action, format_mask, mask_of, seat_letters
from bauernschnapsen.position import AUCTION, OVER, PLAY, TRUMP, Position
from bauernschnapsen.table import View
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import suits_of

# --------------------------------------------------------------------------- the next dealer


def _next_dealer(slug: str, sentence: str, choose: Any) -> None:
    @mutant("deal.next-dealer", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position) -> None:
            position.next_dealer = choose(position) % position.rules.seats

        hooks.after_score(patch, change)


def _left(position: Position) -> int:
    return position.dealer + 1


_next_dealer("same", "The dealer deals again.", lambda p: p.dealer)
_next_dealer("right", "The deal passes to the right.", lambda p: p.dealer - 1)
_next_dealer("partner", "The deal passes to the dealer's partner.", lambda p: p.dealer + 2)
_next_dealer("declarer", "The declarer of a deal deals the next one.", lambda p: p.declarer)
_next_dealer("winner", "Whoever won the last trick deals next.",
             lambda p: p.last_trick.winner if p.last_trick else _left(p))  # fmt: skip
_next_dealer("losers-deal", "The dealer deals again if his side has scored.",
             lambda p: p.dealer if hooks.winner_side(p) == p.side(p.dealer)
             else _left(p))  # fmt: skip
_next_dealer("after-shown-hand", "After a contract that is not played the dealer deals again.",
             lambda p: p.dealer if p.outcome.reason == "shown" else _left(p))  # fmt: skip
_next_dealer("after-false-claim", "After a false claim the dealer deals again.",
             lambda p: p.dealer if p.outcome.reason == "false_claim" else _left(p))  # fmt: skip
_next_dealer("after-failure", "After a lost contract its declarer deals.",
             lambda p: p.declarer if p.outcome.reason == "failed" else _left(p))  # fmt: skip


@mutant("deal.next-dealer", "said-not-done", "The next dealer is named, but the same one deals.")
def _(patch: Patch) -> None:
    _start_with_dealer(patch, lambda position, last: last.dealer)


def _start_with_dealer(patch: Patch, choose: Any) -> None:
    def make(right: Any) -> Any:
        def start(rules: Any, record: Any, last: Position | None) -> Position:
            if last is not None and "dealer" not in record:
                letters = seat_letters(rules.seats)
                record = {**record, "dealer": letters[choose(None, last)]}
                score = match.score_of_next_deal(last)
                position: Position = right(
                    rules, {**record, "scores": _named(rules, score.points)}, last
                )
                position.score = score
                return position
            return right(rules, record, last)  # type: ignore[no-any-return]

        return start

    patch.wrap(replay, "start_of_deal", make)


def _named(rules: Any, points: tuple[int, ...]) -> dict[str, int]:
    from bauernschnapsen.notation import side_names

    return dict(zip(side_names(rules.seats, partners=True), points, strict=True))


# --------------------------------------------------------------------------- closed hands


def _sees(slug: str, sentence: str, shows: Any) -> None:
    """Show hands: shows(position, viewer, owner) says whether the hand lies open to the viewer."""

    @mutant("deal.hands-closed", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, view: View) -> None:
            letters = seat_letters(position.rules.seats)
            for viewer, letter in enumerate(letters):
                for owner, other in enumerate(letters):
                    if owner != viewer and shows(position, viewer, owner):
                        known = view["sees"].setdefault(letter, {})
                        known[other] = format_mask(position.hands[owner])

        hooks.on_view(patch, change)


_sees("all-open", "All hands lie open.", lambda p, viewer, owner: True)
_sees("partners-open", "Partners know each other's hands.", lambda p, v, o: p.side(v) == p.side(o))
_sees("bettler-open", "The declarer of a Bettler plays with his hand open.",
      lambda p, v, o: p.phase == PLAY and hooks.goal_is("no_trick")(p)
      and o == p.declarer)  # fmt: skip
_sees("sitting-out-sees", "The partner who sits out sees the declarer's hand.",
      lambda p, v, o: v == p.out and o == p.declarer)  # fmt: skip
_sees("forehands-first-cards", "Everybody sees forehand's hand while he fixes the trump.",
      lambda p, v, o: p.phase == TRUMP and o == p.forehand)  # fmt: skip
_sees("marriage-opens-hand", "Whoever declares a marriage shows his whole hand.",
      lambda p, v, o: p.phase == PLAY and p.declared[p.side(o)] and p.shown[o])  # fmt: skip


@mutant("deal.hands-closed", "leaks", "Cards known in one deal count as known in the next.")
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is not None:
            shown = 0
            for mask in last.shown:
                shown |= mask
            position.shown = [hand & shown for hand in position.hands]

    hooks.on_start(patch, change)


# --------------------------------------------------------------------------- who names the trump


def _namer(slug: str, sentence: str, who: int) -> None:
    @mutant("deal.forehand-names", slug, sentence)
    def _(patch: Patch) -> None:
        def start(position: Position, _: Position | None) -> None:
            if position.phase == TRUMP:
                position.turn = (position.forehand + who) % position.rules.seats

        def change(before: Position, after: Position, seat: int, action: Action) -> None:
            if before.phase == TRUMP and after.phase == AUCTION:
                after.turn = after.forehand

        hooks.on_start(patch, start)
        hooks.on_accepted(patch, change)


_namer("dealer", "The dealer names the trump.", 3)
_namer("dealers-partner", "The dealer's partner names the trump.", 1)
_namer("partner", "Forehand's partner names the trump.", 2)


@mutant("deal.forehand-names", "anybody", "Any seat may name the trump for forehand.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        forehand = position.turn
        assert forehand is not None
        table._HANDLERS[action.verb](position, forehand, action.value)
        return True

    hooks.accept(patch, "deal.forehand-names", do)


@mutant("deal.forehand-names", "partner-too", "Forehand's partner may name the trump for him.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        forehand = position.turn
        if forehand is None or not hooks.partners(position, seat, forehand):
            return False
        table._HANDLERS[action.verb](position, forehand, action.value)
        return True

    hooks.accept(patch, "deal.forehand-names", do)


@mutant("deal.forehand-names", "fixed-seat", "The seat that named the first trump names them all.")
def _(patch: Patch) -> None:
    first: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        if last is None or not first:
            first[:] = [position.forehand]
        elif position.phase == TRUMP:
            position.turn = first[0]

    hooks.on_start(patch, start)


# --------------------------------------------------------------------------- which suit


def _suits(slug: str, sentence: str, choose: Any) -> None:
    @mutant("deal.trump-from-three", slug, sentence)
    def _(patch: Patch) -> None:
        patch.swap(deal, "_suits", lambda position: choose(position.dealt[position.forehand]))


_suits("any-suit", "Any suit may be named.", lambda hand: set(range(len(SUITS))))
_suits("all-five", "Any suit of all five cards may be named.", suits_of)
_suits("four-cards", "Any suit among the first four cards may be named.",
       lambda hand: suits_of(hand[:4]))  # fmt: skip
_suits("first-card", "Only the suit of the first card may be named.",
       lambda hand: suits_of(hand[:1]))  # fmt: skip
_suits("first-two", "Only suits of the first two cards may be named.",
       lambda hand: suits_of(hand[:2]))  # fmt: skip
_suits("longest", "Only a suit held most often among the first three may be named.",
       lambda hand: {s for s in suits_of(hand[:3]) if _count(hand, s)
                     == max(_count(hand, t) for t in suits_of(hand[:3]))})  # fmt: skip
_suits("last-three", "The suits of the last three cards may be named.",
       lambda hand: suits_of(hand[2:]))  # fmt: skip


def _count(hand: tuple[int, ...], suit: int) -> int:
    return sum(SUIT_OF[card] == suit for card in hand[:3])


# --------------------------------------------------------------------------- once and for all


def _name_again(slug: str, sentence: str, verb: str, when: Any) -> None:
    @mutant("deal.trump-once", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            if action.verb != verb or seat != position.forehand or not when(position):
                return False
            hand = position.dealt[seat]
            assert isinstance(action.value, int)
            if verb == "trump" and action.value not in suits_of(hand[:3]):
                return False
            position.trump = action.value if verb == "trump" else SUIT_OF[hand[3 + action.value]]
            return True

        hooks.accept(patch, "deal.trump-once", do)


_name_again("before-first-bid", "Until he has bid, forehand may name another trump.", "trump",
            lambda p: p.phase == AUCTION and p.bid is None)  # fmt: skip
_name_again("in-auction", "During the auction forehand may name another trump.", "trump",
            lambda p: p.phase == AUCTION)  # fmt: skip
_name_again("before-lead", "Until the first lead forehand may name another trump.", "trump",
            lambda p: p.phase == PLAY and not p.trick and not p.tricks_done)  # fmt: skip
_name_again("turn-up-after-all", "Having named a suit he may still turn a card up.", "turn-up",
            lambda p: p.phase == AUCTION and not any(p.shown))  # fmt: skip
_name_again("second-card", "Forehand may have the other card turned up as well.", "turn-up",
            lambda p: p.phase == AUCTION and any(p.shown))  # fmt: skip
_name_again("suit-after-turn-up", "Having turned a card up he may still name a suit.", "trump",
            lambda p: p.phase == AUCTION and any(p.shown))  # fmt: skip


@mutant("deal.trump-once", "leaks", "The trump of the deal before is trump until one is fixed.")
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is not None and position.trump is None:
            position.trump = last.trump

    hooks.on_start(patch, change)


# --------------------------------------------------------------------------- no new deal

rules_mutant(
    "deal.no-redeal",
    "three-unters",
    "With three jacks among the first cards forehand may ask for a new deal.",
    options={"redeal_three_unters": "forehand_may"},
)


def _redeal_if(slug: str, sentence: str, when: Any) -> None:
    @mutant("deal.no-redeal", slug, sentence)
    def _(patch: Patch) -> None:
        patch.swap(deal, "_may_redeal", lambda position: when(position.dealt[position.forehand]))


_redeal_if("always", "Forehand may always ask for a new deal.", lambda hand: True)
_redeal_if("no-ace-no-ten", "Without an ace or ten among three cards there is a new deal.",
           lambda hand: all(card % 5 > 1 for card in hand[:3]))  # fmt: skip
_redeal_if("three-jacks-of-five", "With three jacks in hand forehand may ask for a new deal.",
           lambda hand: (mask_of(hand) & UNTERS).bit_count() >= 3)  # fmt: skip


@mutant("deal.no-redeal", "after-trump", "A new deal may be asked for during the auction.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "redeal" or position.phase != AUCTION:
            return False
        position.phase, position.turn = OVER, None
        position.next_dealer = position.dealer
        return True

    hooks.accept(patch, "deal.trump-once", do)


hooks.wrong_reason("deal.trump-from-three", "deal.turn-up", "A suit not among the first three")
hooks.wrong_reason("deal.forehand-names", "auction.turn", "Naming the trump by another seat")
hooks.wrong_reason("deal.trump-once", "deal.forehand-names", "A second naming of the trump")
hooks.wrong_reason("deal.no-redeal", "deal.turn-up", "Asking for a new deal")
