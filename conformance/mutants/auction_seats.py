"""Faulty engines of the chapter "Auction": seats that may bid a contract, cards it demands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bauernschnapsen import auction
from bauernschnapsen.cards import SUIT_MASKS
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks
from .hooks import allow_bid, forbid_bid, on_bid, place


@mutant("auction.bidders", "anybody", "Every contract is open to everybody.")
def _(patch: Patch) -> None:
    allow_bid(patch, "auction.bidders")


@mutant("auction.bidders", "dealers-side-swapped", "Forehand's and dealer's contracts are swapped.")
def _(patch: Patch) -> None:
    patch.change_contracts(
        lambda c: (
            c
            if c.rank == 0
            else replace(c, bidders=frozenset((seat + 1) % 4 for seat in c.bidders))
        )
    )


@mutant("auction.bidders", "fixed-seats", "Seats are counted from the first deal's forehand on.")
def _(patch: Patch) -> None:
    first: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        if last is None or not first:
            first[:] = [position.forehand]

    def objection(
        position: Position, seat: int, contract: Contract, right: Refusal | None
    ) -> Refusal | None:
        counted = (seat - first[0]) % 4 if first else place(position, seat)
        if counted not in contract.bidders:
            return Refusal("auction.bidders", "not open to this seat")
        return None if right is not None and right.rule == "auction.bidders" else right

    hooks.on_start(patch, start)
    on_bid(patch, objection)


@mutant("auction.bidders", "offered-not-enforced", "Bids that are not offered are accepted.")
def _(patch: Patch) -> None:
    right = auction.bid

    def bid(position: Position, seat: int, name: str) -> None:
        try:
            right(position, seat, name)
        except Refusal as refusal:
            if refusal.rule != "auction.bidders" or name not in position.rules.by_name:
                raise
            contract = position.rules.by_name[name]
            if position.bid is not None and contract.rank <= position.bid.rank:
                raise
            position.bid, position.bidder = contract, seat
            auction._next_bidder(position, seat)

    patch.swap(auction, "bid", bid)


@mutant("auction.bidders", "enforced-not-offered", "Everything is offered, wrong bids refused.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        if position.phase == AUCTION and position.turn is not None:
            floor = -1 if position.bid is None else position.bid.rank
            wrong = [c for c in position.rules.contracts if c.rank > floor and c.hold == "none"]
            mine = legal[position.turn]
            mine += [a for c in wrong if (a := Action("bid", c.name)) not in mine]

    hooks.on_legal(patch, change)


def _cards(slug: str, sentence: str, when: Any) -> None:
    """Let bids pass without the cards: when(position, seat, contract, hand)."""

    @mutant("auction.cards-required", slug, sentence)
    def _(patch: Patch) -> None:
        allow_bid(
            patch,
            "auction.cards-required",
            lambda p, seat, c: when(p, seat, c, p.hands[seat]),
        )


def _most(hand: int) -> int:
    return max((hand & suit).bit_count() for suit in SUIT_MASKS)


_cards("not-checked", "Nobody looks whether a bidder has the cards.", lambda p, s, c, hand: True)
_cards("farben-gang-not-checked", "A Farben-Gang may be bid without the cards.",
       lambda p, s, c, hand: c.hold == "five_of_a_suit")  # fmt: skip
_cards("herren-not-checked", "A Herren-Schnapser may be bid without the cards.",
       lambda p, s, c, hand: c.hold == "five_trumps")  # fmt: skip
_cards("four-of-a-suit", "Four cards of a suit suffice for a Farben-Gang.",
       lambda p, s, c, hand: c.hold == "five_of_a_suit" and _most(hand) >= 4)  # fmt: skip
_cards("four-trumps", "Four trumps suffice for a Herren-Schnapser.",
       lambda p, s, c, hand: c.hold == "five_trumps"
       and (hand & SUIT_MASKS[p.trump]).bit_count() >= 4)  # fmt: skip


def _cards_missing(slug: str, sentence: str, when: Any) -> None:
    """Refuse bids although the cards are there."""

    @mutant("auction.cards-required", slug, sentence)
    def _(patch: Patch) -> None:
        forbid_bid(patch, "auction.cards-required", when)


_cards_missing("never-farben-gang", "Five cards of a suit must be trumps for a Farben-Gang.",
               lambda p, s, c: c.hold == "five_of_a_suit"
               and p.hands[s] != SUIT_MASKS[p.trump])  # fmt: skip
_cards_missing("named-only", "A Herren-Schnapser demands that the trump was named.",
               lambda p, s, c: c.hold == "five_trumps" and any(p.shown))  # fmt: skip
_cards_missing("turned-up-only", "A Herren-Schnapser demands that the trump was turned up.",
               lambda p, s, c: c.hold == "five_trumps" and not any(p.shown))  # fmt: skip
