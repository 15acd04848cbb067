"""Faulty engines of the chapter "Talon": the table of three, the trump, the auction."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import auction, deal, talon
from bauernschnapsen.cards import SUIT_MASKS, SUIT_OF
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import cards_in, mask_of, seat_letters
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen.table import View
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import allow_bid, forbid_bid, place, suits_of

# --------------------------------------------------------------------------- each for himself


@mutant("talon.alone", "anticlockwise", "With three players the turn goes to the right.")
def _(patch: Patch) -> None:
    patch.attribute(Position, "after", lambda p, seat: (seat - 1) % p.rules.seats)


@mutant("talon.alone", "opponents-share-points", "Card points of the two opponents are one number.")
def _(patch: Patch) -> None:
    def change(position: Position, view: View) -> None:
        if position.contract is None:
            return
        both = [s for s in range(position.rules.seats) if position.against_declarer(s)]
        for key in ("points", "tricks"):
            total = sum(getattr(position, key)[position.side(s)] for s in both)
            for letter in (seat_letters(position.rules.seats)[s] for s in both):
                view[key][letter] = total

    hooks.on_view(patch, change)


@mutant("talon.alone", "dealer-is-a-partner", "Forehand and the dealer score together.")
def _(patch: Patch) -> None:
    def change(position: Position, awards: tuple[int, ...], reason: str) -> tuple[int, ...]:
        pair = (position.side(position.forehand), position.side(position.dealer))
        best = max(awards[side] for side in pair)
        return tuple(best if side in pair else award for side, award in enumerate(awards))

    hooks.on_awards(patch, change)


@mutant("talon.alone", "two-in-a-trick", "A trick is complete with the second card.")
def _(patch: Patch) -> None:
    def after(position: Position, seat: int) -> int:
        if len(position.trick) == 2:
            return position.trick[0][0]
        return (seat + 1) % position.rules.seats

    patch.attribute(Position, "after", after)


@mutant(
    "talon.alone", "dealer-stays", "Between two seats and the dealer the deal does not move on."
)
def _(patch: Patch) -> None:
    def look(position: Position) -> None:
        position.next_dealer = (position.dealer + 2) % position.rules.seats

    hooks.after_score(patch, look)


# --------------------------------------------------------------------------- turning a card up

rules_mutant(
    "talon.turn-up", "refused", "Forehand has to name a suit.", options={"turn_up": "refused"}
)


def _turnable(rule: str, slug: str, sentence: str, change: Any) -> None:
    """Offer other places: change(position, range of places) -> range."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda position: change(position, right(position))

        patch.wrap(deal, "_turnable", make)


_turnable("talon.turn-up", "three-suits", "A card is turned up only if the first three differ.",
          lambda p, places: places if len(suits_of(p.dealt[p.forehand][:3])) == 3
          else range(0))  # fmt: skip
_turnable("talon.turn-up", "one-suit-left", "Who has three cards of one suit has to name it.",
          lambda p, places: places if len(suits_of(p.dealt[p.forehand][:3])) > 1
          else range(0))  # fmt: skip
_turnable("talon.turn-up", "although-refused", "A card may always be turned up.",
          lambda p, places: range(3))  # fmt: skip
_turnable("talon.turn-up-choice", "two-of-three", "Only two of the three hidden cards are offered.",
          lambda p, places: range(min(2, len(places))))  # fmt: skip
_turnable("talon.turn-up-choice", "first-only", "Only the first hidden card may be turned up.",
          lambda p, places: range(min(1, len(places))))  # fmt: skip
_turnable("talon.turn-up-choice", "last-only", "Only the last hidden card may be turned up.",
          lambda p, places: places[-1:])  # fmt: skip


def _turned(rule: str, slug: str, sentence: str, choose: Any) -> None:
    """Turn up another card: choose(position, hand, place) -> card."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = deal.turn_up

        def turn_up(position: Position, seat: int, which: int) -> None:
            right(position, seat, which)
            card = choose(position, position.dealt[seat], which)
            position.shown[seat] = 1 << card
            position.trump = SUIT_OF[card]

        patch.swap(deal, "turn_up", turn_up)


_turned("talon.turn-up", "from-the-talon", "The card turned up is one of the talon.",
        lambda p, hand, which: cards_in(p.talon.cards)[which % 2])  # fmt: skip
_turned("talon.turn-up-choice", "from-the-end", "Hidden cards are counted from the last.",
        lambda p, hand, which: hand[5 - which])  # fmt: skip
_turned("talon.turn-up-choice", "third-is-second", "The third is the second of two.",
        lambda p, hand, which: hand[3 + min(which, 1)])  # fmt: skip
_turned("talon.turn-up-choice", "from-the-front", "The cards of the first packet are meant.",
        lambda p, hand, which: hand[which])  # fmt: skip
_turned("talon.turn-up-choice", "always-the-first", "Whatever is said, the first is turned up.",
        lambda p, hand, which: hand[3])  # fmt: skip

# --------------------------------------------------------------------------- bids


def _earlier(position: Position, seat: int) -> bool:
    assert position.bidder is not None
    return place(position, seat) < place(position, position.bidder)


rules_mutant("talon.priority", "nobody", "Nobody holds a bid.", options={"equal_bids": "never"})
_ALLOWED: dict[str, tuple[str, Any]] = {
    "later-seat": (
        "A later seat may hold the bid of an earlier one.",
        lambda p, s: not _earlier(p, s),
    ),
    "anybody": ("Anybody may hold a bid.", lambda p, s: True),
    "dealer-holds": ("The dealer may hold every bid.", lambda p, s: s == p.dealer),
}
for _slug, (_sentence, _when) in _ALLOWED.items():

    def _allow(patch: Patch, when: Any = _when) -> None:
        allow_bid(patch, "auction.hold", lambda p, seat, contract: when(p, seat))

    mutant("talon.priority", _slug, _sentence)(_allow)

_FORBIDDEN: dict[str, tuple[str, Any]] = {
    "not-forehand": ("Forehand may not hold.", lambda p, s: place(p, s) == 0),
    "not-the-second": ("Only forehand may hold.", lambda p, s: place(p, s) == 1),
    "neighbours-only": (
        "Only the bid of the next player may be held.",
        lambda p, s: place(p, p.bidder) - place(p, s) > 1,
    ),
}
for _slug, (_sentence, _when) in _FORBIDDEN.items():

    def _forbid(patch: Patch, when: Any = _when) -> None:
        def equal(position: Position, seat: int, contract: Contract) -> bool:
            return contract is position.bid and when(position, seat)

        forbid_bid(patch, "auction.hold", equal)

    mutant("talon.priority", _slug, _sentence)(_forbid)


@mutant("talon.auction-end", "one-pass", "The auction is over with the first pass after a bid.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def pass_by(position: Position, seat: int) -> None:
            right(position, seat)
            if position.phase == AUCTION and position.bid is not None:
                auction._conclude(position)

        return pass_by

    patch.wrap(auction, "pass_by", make)


@mutant("talon.auction-end", "three-passes", "The last bidder is asked once more.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def next_bidder(position: Position, seat: int) -> None:
            bidder = position.bidder
            right(position, seat)
            if position.phase != AUCTION and bidder is not None and seat != bidder:
                position.phase, position.turn = AUCTION, bidder
                position.bid, position.bidder = position.contract, bidder
                position.contract = None

        return next_bidder

    patch.wrap(auction, "_next_bidder", make)


rules_mutant(
    "talon.auction-end",
    "one-round",
    "Everybody speaks once.",
    options={"auction_rounds": "one_round"},
)


@mutant("talon.auction-end", "forehand-once", "Forehand may not bid again once he is outbid.")
def _(patch: Patch) -> None:
    forbid_bid(
        patch,
        "auction.pass-final",
        lambda p, seat, contract: seat == p.forehand and p.bid is not None,
    )


@mutant("talon.auction-end", "forehand-plays", "Forehand plays whatever was bid last.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def conclude(position: Position) -> None:
            right(position)
            if position.contract is not None:
                position.declarer = position.forehand

        return conclude

    patch.wrap(auction, "_conclude", make)


def _bidders(rule: str, slug: str, sentence: str, names: str, places: tuple[int, ...]) -> None:
    fields = {name: {"bidders": frozenset(places)} for name in names.split()}
    rules_mutant(rule, slug, sentence, contracts=fields)


for _name in ("schnapser", "bauern-schnapser"):
    _bidders("talon.forehand-contracts", f"dealer-bids-{_name}",
             f"The dealer sits where forehand's partner would and may bid {_name}.", _name,
             (0, 2))  # fmt: skip
    _bidders("talon.forehand-contracts", f"anyone-bids-{_name}", f"Everybody may bid {_name}.",
             _name, (0, 1, 2))  # fmt: skip
    _bidders("talon.forehand-contracts", f"nobody-bids-{_name}",
             f"{_name} belongs to forehand's partner, and there is none.", _name, ())  # fmt: skip
for _name in ("kontra-schnapser", "kontra-bauern-schnapser"):
    _bidders("talon.kontra-contracts", f"second-only-{_name}",
             f"The dealer may not bid {_name}.", _name, (1,))  # fmt: skip
    _bidders("talon.kontra-contracts", f"dealer-only-{_name}",
             f"The player after forehand may not bid {_name}.", _name, (2,))  # fmt: skip
    _bidders("talon.kontra-contracts", f"forehand-too-{_name}",
             f"Forehand may bid {_name} as well.", _name, (0, 1, 2))  # fmt: skip
_bidders("talon.farben-gang.bidders", "anyone", "Forehand may bid Farben-Gang.", "farben-gang",
         (0, 1, 2))  # fmt: skip
_bidders("talon.farben-gang.bidders", "not-forehand", "Forehand may never bid Farben-Gang.",
         "farben-gang", (1, 2))  # fmt: skip


@mutant("talon.farben-gang.bidders", "plain-suit", "Forehand may bid it on a suit not trumps.")
def _(patch: Patch) -> None:
    def change(
        position: Position, seat: int, contract: Contract, refusal: Refusal | None
    ) -> Refusal | None:
        suit = next((s for s, m in enumerate(SUIT_MASKS) if position.hands[seat] & m == m), None)
        open_to_all = refusal is not None and refusal.rule == "auction.bidders"
        if contract.hold == "five_of_a_suit" and open_to_all and suit not in (None, position.trump):
            return None
        return refusal

    hooks.on_bid(patch, change)


# --------------------------------------------------------------------------- the cards demanded


def _held(rule: str, slug: str, sentence: str, holds: Any) -> None:
    """Require other cards: holds(position, seat, contract, right answer)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda position, seat, contract: (
                contract.hold == "none"
                or holds(position, seat, contract, right(position, seat, contract))
            )

        patch.wrap(auction, "holds_required_cards", make)


def _with_talon(position: Position, seat: int) -> Position:
    copied = position.copy()
    if copied.talon is not None:
        copied.hands[seat] |= copied.talon.cards
    return copied


def _longest(position: Position, seat: int, contract: Contract) -> int:
    suits = range(4) if contract.hold == "five_of_a_suit" else [position.trump or 0]
    return max((position.hands[seat] & SUIT_MASKS[suit]).bit_count() for suit in suits)


_held("talon.original-hand", "four-suffice", "Four cards of the suit are enough to bid.",
      lambda p, seat, c, right: right or _longest(p, seat, c) >= 4)  # fmt: skip
_held("talon.original-hand", "talon-counts", "Whoever bids may count the two cards of the talon.",
      lambda p, seat, c, right: right or _longest(_with_talon(p, seat), seat, c) >= 5)  # fmt: skip
_held("talon.original-hand", "as-dealt", "A raise too needs the cards among the six dealt.",
      lambda p, seat, c, right: right
      and _longest_of(mask_of(p.dealt[seat]), p.trump, c) >= 5)  # fmt: skip
for _moment, _how in {"after_talon": "after the talon", "show": "at the end"}.items():
    rules_mutant(
        "talon.original-hand",
        f"held-{_moment.replace('_', '-')}",
        f"The cards that a contract demands are asked for {_how}.",
        every_contract={"held_at": _moment},
    )
rules_mutant(
    "talon.original-hand",
    "not-asked",
    "Farben-Gang and Herren-Schnapser demand no cards.",
    every_contract={"hold": "none"},
)


def _longest_of(hand: int, trump: int | None, contract: Contract) -> int:
    suits = range(4) if contract.hold == "five_of_a_suit" else [trump or 0]
    return max((hand & SUIT_MASKS[suit]).bit_count() for suit in suits)


rules_mutant(
    "talon.completed",
    "at-the-bid",
    "The five cards are required to bid.",
    every_contract={"held_at": "bid"},
)
rules_mutant(
    "talon.completed",
    "never-asked",
    "Nobody asks for the five cards once the contract has been bid.",
    every_contract={"held_at": "show"},
)


def _go_on_if(slug: str, sentence: str, when: Any) -> None:
    """Go on to the play without the cards, at times."""

    @mutant("talon.completed", slug, sentence)
    def _(patch: Patch) -> None:
        from bauernschnapsen import contracts

        def make(right: Any) -> Any:
            return lambda p: contracts.begin_play(p) if when(p) else right(p)

        patch.wrap(talon, "_go_on", make)


_go_on_if("left-is-fine", "Who leaves the talon need not hold the cards.",
          lambda p: not p.talon.taken)  # fmt: skip
_go_on_if("taken-is-fine", "Who takes the talon need not hold the cards in the end.",
          lambda p: p.talon.taken)  # fmt: skip
_go_on_if("four-suffice", "Four of the suit and two laid away are enough.",
          lambda p: p.contract.hold == "five_of_a_suit"
          and _longest(p, p.declarer, p.contract) >= 4)  # fmt: skip


@mutant("talon.completed", "discards-count", "Cards that were laid away still count for the five.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def go_on(position: Position) -> None:
            held = position.hands[position.declarer]
            assert position.talon is not None
            if position.talon.taken:
                position.hands[position.declarer] |= position.talon.cards
            right(position)
            position.hands[position.declarer] = held

        return go_on

    patch.wrap(talon, "_go_on", make)
