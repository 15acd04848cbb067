"""Deals that differ in what the hands allow in an auction, one for every combination there is.

A bid asks no more of a hand than whether it holds five of a suit, five trumps or an ace. So all
combinations are found among deals in which each seat holds a whole suit or does not, and an ace or
none. Where it can be, whoever does not hold a whole suit lacks only one card of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import NamedTuple

from bauernschnapsen import table
from bauernschnapsen.auction import holds_required_cards
from bauernschnapsen.notation import RANKS, SUITS, Action
from bauernschnapsen.position import AUCTION, TRUMP, Position
from bauernschnapsen.ruleset import Rules

Holds = tuple[tuple[str, ...], ...]
"""By seat clockwise from forehand: the contracts open to it that ask for cards which it holds."""
_RANKS = len(RANKS)


class Start(NamedTuple):
    """A deal, the action that names the trump, and the beginning of the auction."""

    deal: Position
    named: Action | None
    """None where the auction comes first."""
    begun: Position


def starts(rules: Rules) -> dict[Holds, Start]:
    """Return a deal for each combination of what hands allow.

    In every second one the trump is turned up, if that comes to the same.
    """
    found: dict[Holds, list[Start]] = {}
    for hands, rest in _deals(rules):
        position = table.new_deal(rules, rules.seats - 1, hands, None, rest)
        for action, begun in _begun(position):
            ways = found.setdefault(holds(begun), [])
            if not ways or ways[0].deal is position:
                ways.append(Start(position, action, begun))
    return {
        combination: next((way for way in ways if number % 2 and _turned_up(way)), ways[0])
        for number, (combination, ways) in enumerate(found.items())
    }


def _turned_up(start: Start) -> bool:
    return start.named is not None and start.named.verb == "turn-up"


def holds(position: Position) -> Holds:
    """Return what the hands allow; see `Holds`."""
    rules = position.rules
    return tuple(
        tuple(
            contract.name
            for contract in rules.contracts
            if contract.hold != "none"
            and contract.held_at == "bid"
            and place in contract.bidders
            and holds_required_cards(position, (position.forehand + place) % rules.seats, contract)
        )
        for place in range(rules.seats)
    )


def _begun(position: Position) -> Iterator[tuple[Action | None, Position]]:
    if position.phase == AUCTION:
        yield None, position
    elif position.phase == TRUMP and position.turn is not None:
        for action in table.legal_actions(position)[position.turn]:
            begun = table.apply(position, position.turn, action)
            if begun.phase == AUCTION:
                yield action, begun


def _deals(rules: Rules) -> Iterator[tuple[list[list[int]], list[int]]]:
    """Yield hands and what is laid aside, for every way to hold whole suits and aces."""
    seats = range(rules.seats)
    aces = any(contract.hold == "an_ace" for contract in rules.contracts)
    for number in range(min(rules.seats, len(SUITS)) + 1):
        for holders in combinations(seats, number):
            for suits in permutations(range(len(SUITS)), number):
                whole = dict(zip(holders, suits, strict=True))
                others = [seat for seat in seats if seat not in whole]
                nearly = _nearly(rules, whole, others)
                if nearly is not None:
                    yield nearly
                for with_ace in _subsets(others) if aces else [others]:
                    yield _dealt(rules, whole, with_ace)


def _nearly(
    rules: Rules, whole: dict[int, int], others: list[int]
) -> tuple[list[list[int]], list[int]] | None:
    """Deal whole suits to their holders and four of a suit to everybody else; None if impossible.

    These come first: what a hand does not allow is best seen where one card is missing.
    """
    suits = [suit for suit in range(len(SUITS)) if suit not in whole.values()]
    if not others or len(others) > len(suits):
        return None
    own = {**whole, **dict(zip(others, suits, strict=False))}
    hands = [
        [own[seat] * _RANKS + rank for rank in range(_RANKS - (seat in others))]
        for seat in range(rules.seats)
    ]
    dealt = {card for hand in hands for card in hand}
    left = [card for card in range(len(SUITS) * _RANKS) if card not in dealt]
    for turn in range(rules.seats):
        # Each takes what the seat before him lacks, so that nobody is left with his own.
        seat = (others[0] + turn) % rules.seats
        while len(hands[seat]) < rules.hand_size:
            card = next((card for card in reversed(left) if card // _RANKS != own[seat]), None)
            if card is None:
                return None
            left.remove(card)
            hands[seat].append(card)
    return hands, left


def _subsets(seats: list[int]) -> Iterator[list[int]]:
    for number in range(len(seats) + 1):
        yield from (list(some) for some in combinations(seats, number))


def _dealt(
    rules: Rules, whole: dict[int, int], with_ace: list[int]
) -> tuple[list[list[int]], list[int]]:
    """Deal whole suits to their holders and the aces to some others."""
    hands = [
        [whole[seat] * _RANKS + rank for rank in range(_RANKS)] if seat in whole else []
        for seat in range(rules.seats)
    ]
    suits = [suit for suit in range(len(SUITS)) if suit not in whole.values()]
    left = [suit * _RANKS for suit in suits]
    for turn in range(len(left) if with_ace else 0):
        hands[with_ace[turn % len(with_ace)]].append(left.pop(0))
    # Rank by rank, so that nobody else comes by all cards of a suit; the aces that nobody is to
    # hold come last, and are laid aside.
    left = [suit * _RANKS + rank for rank in range(1, _RANKS) for suit in suits] + left
    for seat in sorted(range(rules.seats), key=lambda seat: -len(hands[seat])):
        while len(hands[seat]) < rules.hand_size:
            hands[seat].append(left.pop(0))
    return hands, left
