"""Faulty engines of the chapter "Auction"."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from bauernschnapsen import auction
from bauernschnapsen.cards import SUIT_MASKS
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import Contract, Rules
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant
from bauernschnapsen_conformance.teeth.patch import with_contracts

from . import hooks
from .hooks import allow_bid, forbid_bid, on_bid, place

_SEATS = ("forehand", "the dealer's partner", "forehand's partner", "the dealer")
_SLUGS = ("forehand", "dealers-partner", "forehands-partner", "dealer")

# --------------------------------------------------------------------------- the order of contracts


_ORDER = (
    "normal", "bettler", "schnapser", "gang", "zehner-gang", "kontra-schnapser",
    "bauern-schnapser", "farben-gang", "kontra-bauern-schnapser", "herren-schnapser",
)  # fmt: skip


def _reorder(rule: str, slug: str, sentence: str, change: Any) -> None:
    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def misread(rules: Rules) -> Rules:
            names = [contract.name for contract in rules.contracts]
            if set(names) >= set(_ORDER):
                change(names)
            return with_contracts(rules, [rules.by_name[name] for name in names])

        patch.change_rules(misread)


def _swap(lower: str, upper: str) -> Any:
    def change(names: list[str]) -> None:
        i, j = names.index(lower), names.index(upper)
        names[i], names[j] = names[j], names[i]

    return change


for _lower, _upper in pairwise(_ORDER):
    _equal = (_lower, _upper) in (
        ("kontra-schnapser", "bauern-schnapser"),
        ("kontra-bauern-schnapser", "herren-schnapser"),
    )
    _reorder(
        "auction.equal-value" if _equal else "auction.order",
        f"{_lower}-above-{_upper}",
        f"The contract {_lower} ranks above {_upper}.",
        _swap(_lower, _upper),
    )
_reorder("auction.order", "normal-outranks-nothing-else", "Bettler ranks above Schnapser and Gang.",
         lambda names: names.insert(3, names.pop(1)))  # fmt: skip
_reorder("auction.order", "farben-gang-on-top", "Farben-Gang outranks every other contract.",
         lambda names: names.append(names.pop(names.index("farben-gang"))))  # fmt: skip
_reorder("auction.order", "gang-above-twelve", "Gang and Zehner-Gang rank above the two at 12.",
         lambda names: names.__setitem__(slice(3, 7), [*names[5:7], *names[3:5]]))  # fmt: skip

rules_mutant(
    "auction.equal-value",
    "first-bid-stands",
    "A contract of the same value never outbids the standing one.",
    options={"equal_values": "first_bid"},
)
rules_mutant(
    "auction.equal-value",
    "earlier-seat",
    "Between contracts of the same value the earlier seat decides.",
    options={"equal_values": "earlier_seat"},
)


@mutant("auction.equal-value", "either-outbids", "Contracts of the same value outbid each other.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, contract: Contract) -> bool:
        return position.bid is not None and contract.value == position.bid.value

    allow_bid(patch, "auction.higher", when)


@mutant("auction.equal-value", "either-outbids-twelve", "The two contracts at 12 are equals.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, contract: Contract) -> bool:
        return position.bid is not None and contract.value == position.bid.value == 12

    allow_bid(patch, "auction.higher", when)


@mutant("auction.equal-value", "either-outbids-twenty-four", "The two contracts at 24 are equals.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, contract: Contract) -> bool:
        return position.bid is not None and contract.value == position.bid.value == 24

    allow_bid(patch, "auction.higher", when)


@mutant("auction.higher", "anything-goes", "A bid may also be lower than the last one.")
def _(patch: Patch) -> None:
    allow_bid(patch, "auction.higher")


def _lower_allowed(slug: str, sentence: str, when: Any) -> None:
    @mutant("auction.higher", slug, sentence)
    def _(patch: Patch) -> None:
        allow_bid(patch, "auction.higher", when)


_lower_allowed("forehand-may-lower", "Forehand may bid lower.",
               lambda p, seat, c: seat == p.forehand)  # fmt: skip
_lower_allowed("under-partner", "A partner's bid need not be topped.",
               lambda p, seat, c: hooks.partners(p, seat, p.bidder))  # fmt: skip
_lower_allowed("first-answer", "A player's first bid may be of any height.",
               lambda p, seat, c: seat != p.forehand)  # fmt: skip
_lower_allowed("next-lower", "A bid may also be the next lower contract.",
               lambda p, seat, c: p.bid is not None and c.rank == p.bid.rank - 1)  # fmt: skip
_lower_allowed("above-opening", "A bid has only to be higher than Schnapser.",
               lambda p, seat, c: c.value > 6)  # fmt: skip


@mutant("auction.higher", "too-low-is-pass", "A bid that is too low counts as a pass.")
def _(patch: Patch) -> None:
    from dataclasses import replace

    patch.change_rules(
        lambda rules: replace(rules, options=replace(rules.options, bid_too_low="counts_as_pass"))
    )


def _no_jump(slug: str, sentence: str, when: Any) -> None:
    @mutant("auction.jump", slug, sentence)
    def _(patch: Patch) -> None:
        forbid_bid(patch, "auction.jump", when)


def _next_open(position: Position, seat: int) -> int:
    """Rank of the lowest contract that outbids the standing one and is open to the seat."""
    rules = position.rules
    floor = -1 if position.bid is None else position.bid.rank
    open_ = [c.rank for c in rules.contracts if place(position, seat) in c.bidders]
    return min((rank for rank in open_ if rank > floor), default=99)


_no_jump("step-by-step", "Only the next contract open to a player may be bid.",
         lambda p, seat, c: c.rank > _next_open(p, seat) and p.bid is not None)  # fmt: skip
_no_jump("opens-normal", "Forehand can open with nothing but Normal.",
         lambda p, seat, c: p.bid is None and c.rank > 0)  # fmt: skip
_no_jump("opens-low", "Forehand can open with Normal, Bettler or Schnapser only.",
         lambda p, seat, c: p.bid is None and c.rank > 2)  # fmt: skip
_no_jump("at-most-six", "A bid may exceed the last one by six game points at most.",
         lambda p, seat, c: p.bid is not None and c.value > p.bid.value + 6)  # fmt: skip
_no_jump("no-double-height", "Over Normal nothing above Gang may be bid.",
         lambda p, seat, c: p.bid is not None and p.bid.rank == 0 and c.rank > 3)  # fmt: skip

# --------------------------------------------------------------------------- priority and holding


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

# --------------------------------------------------------------------------- seats and cards


@mutant("auction.bidders", "anybody", "Every contract is open to everybody.")
def _(patch: Patch) -> None:
    allow_bid(patch, "auction.bidders")


@mutant("auction.bidders", "dealers-side-swapped", "Forehand's and dealer's contracts are swapped.")
def _(patch: Patch) -> None:
    from dataclasses import replace

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
