"""Everything the legality of a card can depend on, once up to the names of the suits.

Inside this package suits have *roles* before they have names: role 0 is the suit led, role 1 a
trump suit that was not led, the others are idle. A key is a hand and the card that wins the trick
so far, written with roles for suits as card masks and card numbers of the engine are (role * 5 +
rank). Idle suits that hold the same ranks are interchangeable, so their holdings come in one order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from typing import NamedTuple

from bauernschnapsen.notation import RANKS, SUITS

LED, OTHER = 0, 1
"""Roles of suits: the one led; a trump suit that was not led."""
_RANKS = len(RANKS)
_SUITS = len(SUITS)
_WHOLE = (1 << _RANKS) - 1
Naming = tuple[int, ...]
"""The suit that each role stands for, as `(2, 0, 1, 3)`: spades were led."""


class Key(NamedTuple):
    """What legality depends on, apart from the rules of a contract."""

    hand: int
    """Card mask by roles."""
    winning: int | None
    """The card that wins the trick so far; None where the hand leads."""
    trump: int | None
    """Role of the trump suit in force, or None."""
    alike: tuple[tuple[int, int], ...]
    """Pairs of neighbouring idle roles that hold the same ranks."""


@lru_cache(maxsize=8)
def holdings(most: int) -> tuple[int, ...]:
    """Return every set of at most `most` ranks as a mask, fewest ranks first."""
    return tuple(sorted((m for m in range(_WHOLE + 1) if m.bit_count() <= most), key=int.bit_count))


def keys(hand_size: int, *, trump: bool) -> Iterator[Key]:
    """Yield every key of a hand of one to `hand_size` cards, in contracts with trump or without.

    The winning card is not in the hand, and somebody else must have led the suit.
    """
    for role in (LED, OTHER) if trump else (None,):
        for hand, alike in _hands(hand_size, fixed=2 if role == OTHER else 1):
            unseen = ~hand
            if not unseen & _WHOLE:
                continue  # nobody else could have led the suit
            for suit in (LED, OTHER) if role == OTHER else (LED,):
                for card in range(suit * _RANKS, (suit + 1) * _RANKS):
                    if unseen >> card & 1:
                        yield Key(hand, card, role, alike)


def leads(hand_size: int) -> Iterator[Key]:
    """Yield every hand that may be asked to lead, of one to `hand_size` cards."""
    for hand, alike in _hands(hand_size, fixed=0):
        yield Key(hand, None, None, alike)


def _hands(hand_size: int, *, fixed: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """Yield hands and which of the roles after the `fixed` ones are alike in them."""
    some = holdings(min(hand_size, _RANKS))
    for parts in product(some, repeat=fixed):
        room = hand_size - sum(map(int.bit_count, parts))
        if room < 0:
            continue
        for others in combinations_with_replacement(some, _SUITS - fixed):
            if sum(map(int.bit_count, others)) > room:
                continue
            held = (*parts, *others)
            hand = sum(ranks << role * _RANKS for role, ranks in enumerate(held))
            if hand:
                alike = [
                    (role, role + 1) for role in range(fixed, _SUITS - 1)
                    if held[role] == held[role + 1]
                ]  # fmt: skip
                yield hand, tuple(alike)


@lru_cache(maxsize=64)
def namings(alike: tuple[tuple[int, int], ...]) -> tuple[Naming, ...]:
    """Return every naming of the suits that makes another situation: 24, fewer where two are alike.

    `alike` are pairs of roles whose exchange changes nothing.
    """
    return tuple(
        naming
        for naming in permutations(range(_SUITS))
        if all(naming[one] < naming[other] for one, other in alike)
    )


def named(mask: int, naming: Naming) -> int:
    """Return a card mask by roles as one by suits."""
    result = 0
    for role, suit in enumerate(naming):
        result |= (mask >> role * _RANKS & _WHOLE) << suit * _RANKS
    return result


def named_card(card: int, naming: Naming) -> int:
    """Return a card number by roles as one by suits."""
    return naming[card // _RANKS] * _RANKS + card % _RANKS
