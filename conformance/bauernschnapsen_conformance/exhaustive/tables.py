"""The tables on which a key is put before an engine: tricks in which its winning card wins.

Legality hardly depends on the cards below the winning one, but engines go wrong there: a real one
misjudged tricks by the order of two trumps. So every key is asked with each of these shapes that
the unseen cards allow: the winning card led, played over and before lower ones; one trump, two
ascending, two descending, with every card that may have been led; discards before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bauernschnapsen.notation import RANKS

from .keys import LED, OTHER, Key

Table = tuple[int, ...]
"""One to three cards by roles, in the order played."""
_RANKS = len(RANKS)
_SUIT = (1 << _RANKS) - 1
_PACK = (1 << 4 * _RANKS) - 1


class Shape(NamedTuple):
    """All that the tables of a key depend on."""

    winning: int | None
    unseen: int
    """Cards of the suit led and of the winning card's suit that are neither in the hand nor it."""
    discard: int | None
    """The highest card outside those suits and the trump suit that is not in the hand."""


def shape(key: Key, ranks: str) -> Shape:
    """Return the shape of a key; `ranks` from the highest to the lowest."""
    if key.winning is None:
        return Shape(None, 0, None)
    unseen = _PACK & ~key.hand & ~(1 << key.winning)
    kept = _SUIT | _SUIT << key.winning // _RANKS * _RANKS
    idle = unseen & ~_SUIT if key.trump != OTHER else unseen & ~_SUIT & ~(_SUIT << _RANKS)
    return Shape(key.winning, unseen & kept, _highest(idle, ranks))


@lru_cache(maxsize=1 << 16)
def _highest(mask: int, ranks: str) -> int | None:
    """Return the highest card of a mask, in the suit that comes first among equals."""
    for rank in ranks:
        for role in range(4):
            card = role * _RANKS + RANKS.index(rank)
            if mask >> card & 1:
                return card
    return None


def tables(shape: Shape, ranks: str) -> tuple[Table, ...]:
    """Return the tables of a shape; where the hand leads, the empty one alone."""
    winning, unseen, discard = shape
    if winning is None:
        return ((),)
    lower = [
        card
        for card in _cards(unseen, winning // _RANKS, ranks)
        if ranks.index(RANKS[card % _RANKS]) > ranks.index(RANKS[winning % _RANKS])
    ]
    if winning // _RANKS == LED:
        found = _led(winning, lower, discard)
    else:
        found = _ruffed(winning, lower, _cards(unseen, LED, ranks), discard)
    return tuple(dict.fromkeys(found))


def _led(win: int, lower: Sequence[int], discard: int | None) -> Iterator[Table]:
    """Tables won by a card of the suit led."""
    yield (win,)
    for low in lower:
        yield from ((low, win), (win, low))
    for one, two in pairwise(lower):
        yield from ((one, two, win), (two, one, win))
    if discard is not None:
        yield (win, discard)
        for low in lower[:1]:
            yield from ((low, discard, win), (low, win, discard), (win, discard, low))


def _ruffed(
    win: int, lower: Sequence[int], leads: Sequence[int], discard: int | None
) -> Iterator[Table]:
    """Tables won by a trump on another suit."""
    for lead in leads:
        yield (lead, win)
    for lead in (leads[0], leads[-1]):
        for low in (*lower, *leads):
            if low != lead:
                yield from ((lead, low, win), (lead, win, low))
        if discard is not None:
            yield from ((lead, discard, win), (lead, win, discard))


def _cards(mask: int, role: int, ranks: str) -> list[int]:
    """Return the cards of a suit in a mask, highest first."""
    cards = (role * _RANKS + RANKS.index(rank) for rank in ranks)
    return [card for card in cards if mask >> card & 1]
