"""Faulty engines of the chapter "Auction": the order of contracts, higher bids and jumps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from bauernschnapsen.position import Position
from bauernschnapsen.ruleset import Contract, Rules
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant
from bauernschnapsen_conformance.teeth.patch import with_contracts

from . import hooks
from .hooks import allow_bid, forbid_bid, place

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
