"""Faulty engines of the chapter "Deal and trump": turning a card up."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import deal
from bauernschnapsen.cards import SUIT_MASKS, SUIT_OF
from bauernschnapsen.notation import cards_in, mask_of, seat_letters
from bauernschnapsen.position import Position, Trick
from bauernschnapsen.table import View
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import suits_of

# --------------------------------------------------------------------------- turning a card up

rules_mutant(
    "deal.turn-up", "refused", "Forehand has to name a suit.", options={"turn_up": "refused"}
)


def _turn_up_if(slug: str, sentence: str, when: Any) -> None:
    @mutant("deal.turn-up", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda position: right(position) if when(position) else range(0)

        patch.wrap(deal, "_turnable", make)


_turn_up_if("three-suits", "A card is turned up only if the first three are of three suits.",
            lambda p: len(suits_of(p.dealt[p.forehand][:3])) == 3)  # fmt: skip
_turn_up_if("weak-hand", "A card is turned up only if there is no ace among the first three.",
            lambda p: all(card % 5 for card in p.dealt[p.forehand][:3]))  # fmt: skip
_turn_up_if("not-three-alike", "Who has three cards of one suit may not have a card turned up.",
            lambda p: len(suits_of(p.dealt[p.forehand][:3])) > 1)  # fmt: skip

rules_mutant(
    "deal.turn-up-choice",
    "first-only",
    "Only the first hidden card may be turned up.",
    options={"turn_up": "first"},
)


@mutant("deal.turn-up-choice", "second-only", "Only the second hidden card may be turned up.")
def _(patch: Patch) -> None:
    patch.swap(deal, "_turnable", lambda position: range(1, 2))


def _turned(rule: str, slug: str, sentence: str, choose: Any) -> None:
    """Turn up another card: choose(place) gives the place in forehand's hand."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = deal.turn_up

        def turn_up(position: Position, seat: int, place: int) -> None:
            right(position, seat, place)
            hand = position.dealt[seat]
            position.shown[seat] = 1 << hand[choose(place)]
            position.trump = SUIT_OF[hand[choose(place)]]

        patch.swap(deal, "turn_up", turn_up)


_turned("deal.turn-up-choice", "swapped", "The first hidden card is counted from the end.",
        lambda place: 4 - place)  # fmt: skip
_turned("deal.turn-up-choice", "always-first", "Whatever forehand says, the first is turned up.",
        lambda place: 3)  # fmt: skip
_turned("deal.turn-up-choice", "always-second", "Whatever forehand says, the second is turned up.",
        lambda place: 4)  # fmt: skip
_turned("deal.turn-up-choice", "from-the-front", "The first and second of all five are meant.",
        lambda place: place)  # fmt: skip


def _turn_up_suit(slug: str, sentence: str, choose: Any) -> None:
    @mutant("deal.turn-up-suit", slug, sentence)
    def _(patch: Patch) -> None:
        right = deal.turn_up

        def turn_up(position: Position, seat: int, place: int) -> None:
            right(position, seat, place)
            position.trump = choose(position, position.dealt[seat], place)

        patch.swap(deal, "turn_up", turn_up)


_turn_up_suit("other-card", "The suit of the hidden card that was not turned up is trump.",
              lambda p, hand, place: SUIT_OF[hand[4 - place]])  # fmt: skip
_turn_up_suit("first-card", "The suit of forehand's first card is trump.",
              lambda p, hand, place: SUIT_OF[hand[0]])  # fmt: skip
_turn_up_suit("longest", "The suit that forehand holds most of is trump.",
              lambda p, hand, place: max(range(4), key=lambda s: (mask_of(hand) & SUIT_MASKS[s])
                                         .bit_count()))  # fmt: skip
_turn_up_suit("none", "After a card was turned up there is no trump.", lambda p, hand, place: None)


def _show(position: Position, seat: int, cards: tuple[int, ...]) -> None:
    position.shown[seat] = mask_of(cards)


def _turn_up_shown(slug: str, sentence: str, change: Any) -> None:
    @mutant("deal.turn-up-shown", slug, sentence)
    def _(patch: Patch) -> None:
        right = deal.turn_up

        def turn_up(position: Position, seat: int, place: int) -> None:
            right(position, seat, place)
            change(position, seat, place)

        patch.swap(deal, "turn_up", turn_up)
        hooks.sees_everything(patch)


_turn_up_shown("hidden", "Nobody sees the card that was turned up.",
               lambda p, seat, place: _show(p, seat, ()))  # fmt: skip
_turn_up_shown("both", "Both hidden cards are shown.",
               lambda p, seat, place: _show(p, seat, p.dealt[seat][3:]))  # fmt: skip
_turn_up_shown("whole-hand", "Forehand's whole hand is shown.",
               lambda p, seat, place: _show(p, seat, p.dealt[seat]))  # fmt: skip


def _only_some_see(slug: str, sentence: str, partner: bool) -> None:
    @mutant("deal.turn-up-shown", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, view: View) -> None:
            if position.contract is not None:
                return
            letters = seat_letters(position.rules.seats)
            for viewer, letter in enumerate(letters):
                if hooks.partners(position, viewer, position.forehand) is partner:
                    view["sees"][letter] = {owner: [] for owner in letters if owner != letter}

        hooks.on_view(patch, change)


_only_some_see("not-by-opponents", "The opponents do not see the card turned up.", partner=False)
_only_some_see(
    "not-by-partner", "Forehand's partner does not see the card turned up.", partner=True
)


@mutant("deal.turn-up-shown", "until-the-play", "When the play begins the card is forgotten.")
def _(patch: Patch) -> None:
    from bauernschnapsen import contracts

    def make(begin: Any) -> Any:
        def begin_play(position: Position) -> None:
            position.shown = [0] * position.rules.seats
            begin(position)

        return begin_play

    patch.wrap(contracts, "begin_play", make)
    hooks.sees_everything(patch)


@mutant("deal.turn-up-shown", "still-after-played", "A shown card is shown when long played.")
def _(patch: Patch) -> None:
    from bauernschnapsen import play

    put = play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        shown = position.shown[seat]
        trick: Trick | None = put(position, seat, card)
        position.shown[seat] = shown
        return trick

    patch.swap(play, "put_card", put_card)


def _turn_up_lost(slug: str, sentence: str, change: Any) -> None:
    @mutant("deal.turn-up-kept", slug, sentence)
    def _(patch: Patch) -> None:
        right = deal.turn_up

        def turn_up(position: Position, seat: int, place: int) -> None:
            right(position, seat, place)
            change(position, seat, position.dealt[seat][3 + place])

        patch.swap(deal, "turn_up", turn_up)


def _take_out(position: Position, seat: int, card: int) -> None:
    position.hands[seat] &= ~(1 << card)


def _swap_with_dealer(position: Position, seat: int, card: int) -> None:
    other = cards_in(position.hands[position.dealer])[0]
    position.hands[seat] ^= 1 << card | 1 << other
    position.hands[position.dealer] ^= 1 << card | 1 << other


_turn_up_lost("laid-aside", "The card turned up stays on the table for the deal.", _take_out)
_turn_up_lost("to-the-dealer", "The dealer gets the card turned up for another.", _swap_with_dealer)


@mutant("deal.turn-up-kept", "not-counted", "The card turned up is no card for a Herren-Schnapser.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, contract: Any) -> bool:
        return contract.hold == "five_trumps" and bool(position.shown[seat])

    hooks.forbid_bid(patch, "auction.cards-required", when)


@mutant(
    "deal.turn-up-kept", "played-last", "The card turned up may be played only as the last one."
)
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        turned = position.shown[position.turn or 0]
        married = any(position.declared)
        return mask if married else mask & ~turned or mask

    hooks.on_allowed(patch, change)
