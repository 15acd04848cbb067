"""Faulty engines of the chapter "Auction": priority, holding a bid, and bids over the partner's."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import auction
from bauernschnapsen.errors import Refusal
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import allow_bid, forbid_bid, on_bid, place

_SEATS = ("forehand", "the dealer's partner", "forehand's partner", "the dealer")
_SLUGS = ("forehand", "dealers-partner", "forehands-partner", "dealer")


def _holding(rule: str, slug: str, sentence: str, change: Any) -> None:
    """Change who may bid the same contract: change(place, bidder's place, right) -> may he."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def objection(
            position: Position, seat: int, contract: Contract, right: Refusal | None
        ) -> Refusal | None:
            if contract is not position.bid or position.bidder is None or seat == position.bidder:
                return right
            if right is not None and right.rule != "auction.hold":
                return right
            mine, his = place(position, seat), place(position, position.bidder)
            if change(mine, his, right is None):
                return None
            return Refusal("auction.hold", "a rule that does not exist")

        on_bid(patch, objection)


for _mine in range(4):
    for _his in range(4):
        if _mine == _his or (_his == 0 and _mine):
            continue  # nobody holds his own bid; forehand's bids come first and are covered below
        _may = _mine < _his
        _what = "has no" if _may else "has"
        _holding(
            "auction.priority",
            f"{_SLUGS[_mine]}-{'not-' if _may else ''}before-{_SLUGS[_his]}",
            f"Among equal bids {_SEATS[_mine]} {_what} priority over {_SEATS[_his]}.",
            lambda mine, his, right, pair=(_mine, _his): (
                not right if (mine, his) == pair else right
            ),
        )
_holding("auction.priority", "reversed", "Among equal bids the later seat goes before the earlier.",
         lambda mine, his, right: mine > his)  # fmt: skip
_holding("auction.priority", "counter-clockwise", "Priority goes counter-clockwise from forehand.",
         lambda mine, his, right: -mine % 4 < -his % 4)  # fmt: skip
_holding("auction.priority", "dealers-side-first", "The dealer's side goes before forehand's.",
         lambda mine, his, right: (mine + 1) % 2 < (his + 1) % 2)  # fmt: skip
_holding("auction.priority", "over-forehand", "Forehand's bids may be held by the others.",
         lambda mine, his, right: right or his == 0)  # fmt: skip

rules_mutant(
    "auction.hold", "never", "Nobody may bid the same contract.", options={"equal_bids": "never"}
)
_holding("auction.hold", "forehand-only", "Only forehand may hold a bid.",
         lambda mine, his, right: right and mine == 0)  # fmt: skip
_holding("auction.hold", "not-forehand", "Forehand may hold no bid.",
         lambda mine, his, right: right and mine != 0)  # fmt: skip
_holding("auction.hold", "anybody", "Anybody may take over a bid by bidding the same.",
         lambda mine, his, right: True)  # fmt: skip
_holding("auction.hold", "neighbour-only", "A bid may be held only by the seat just before.",
         lambda mine, his, right: right and his - mine == 1)  # fmt: skip


@mutant("auction.hold", "stays-with-first", "Holding a bid leaves it with whoever bid it first.")
def _(patch: Patch) -> None:
    right = auction.bid

    def bid(position: Position, seat: int, name: str) -> None:
        standing, bidder = position.bid, position.bidder
        if standing is not None and standing.name == name and bidder is not None:
            auction._check_turn(position, seat)
            objection = auction._objection(position, seat, standing)
            if objection is not None:
                raise objection
            auction._next_bidder(position, seat)
            return
        right(position, seat, name)

    patch.swap(auction, "bid", bid)


@mutant("auction.hold", "ends-auction", "Holding a bid ends the auction.")
def _(patch: Patch) -> None:
    right = auction.bid

    def bid(position: Position, seat: int, name: str) -> None:
        held = position.bid is not None and position.bid.name == name
        right(position, seat, name)
        if held and position.phase == AUCTION:
            auction._conclude(position)

    patch.swap(auction, "bid", bid)


def _no_hold(slug: str, sentence: str, *names: str) -> None:
    @mutant("auction.hold", slug, sentence)
    def _(patch: Patch) -> None:
        forbid_bid(patch, "auction.hold", lambda p, seat, c: c is p.bid and c.name in names)


_no_hold("not-laydowns", "A Farben-Gang cannot be held.", "farben-gang")
_no_hold("not-bettler", "A Bettler cannot be held.", "bettler")
_no_hold("not-kontra", "The Kontra contracts cannot be held.", "kontra-schnapser",
         "kontra-bauern-schnapser")  # fmt: skip
_no_hold("not-gang", "Gang and Zehner-Gang cannot be held.", "gang", "zehner-gang")
_no_hold("not-schnapser", "Schnapser and Bauern-Schnapser cannot be held.", "schnapser",
         "bauern-schnapser")  # fmt: skip


@mutant("auction.hold", "same-value", "A player with priority may answer with the same value.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, contract: Contract) -> bool:
        bid, bidder = position.bid, position.bidder
        if bid is None or bidder is None:
            return False
        return contract.value == bid.value and place(position, seat) < place(position, bidder)

    allow_bid(patch, "auction.higher", when)


rules_mutant(
    "auction.partner",
    "refused",
    "A partner's bid may be neither outbid nor held.",
    options={"overbid_partner": "refused"},
)


def _partner(slug: str, sentence: str, when: Any) -> None:
    @mutant("auction.partner", slug, sentence)
    def _(patch: Patch) -> None:
        def forbidden(position: Position, seat: int, contract: Contract) -> bool:
            return hooks.partners(position, seat, position.bidder) and when(position, contract)

        forbid_bid(patch, "auction.partner", forbidden)


_partner("not-held", "A partner's bid may be outbid but not held.", lambda p, c: c is p.bid)
_partner("only-held", "A partner's bid may be held but not outbid.", lambda p, c: c is not p.bid)
_partner("not-by-forehand", "Forehand leaves his partner's bid alone.",
         lambda p, c: p.turn == p.forehand)  # fmt: skip
_partner("not-by-dealers-side", "Dealer and partner leave each other's bids alone.",
         lambda p, c: place(p, p.turn) % 2 == 1)  # fmt: skip
_partner("not-above-normal", "Forehand's partner outbids nothing but his Normal.",
         lambda p, c: place(p, p.turn) == 2 and p.bid.rank > 0)  # fmt: skip
