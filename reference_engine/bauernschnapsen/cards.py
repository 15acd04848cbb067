"""Chapter "Cards": the pack, what cards are worth and which beats which.

Rule ids: cards.pack, cards.points, cards.rank.
"""

from __future__ import annotations

from functools import lru_cache

from .notation import CARDS, RANKS, SUITS

PACK_SIZE = len(CARDS)
SUIT_MASKS = tuple(0b11111 << 5 * suit for suit in range(len(SUITS)))
SUIT_OF = tuple(card // 5 for card in range(PACK_SIZE))
KING, QUEEN, UNTER = RANKS.index("K"), RANKS.index("Q"), RANKS.index("J")
RANK_OF = tuple(card % 5 for card in range(PACK_SIZE))

# cards.points: ace 11, ten 10, king 4, queen 3, jack 2; 120 card points in the pack.
POINTS = tuple((11, 10, 4, 3, 2)[rank] for rank in RANK_OF)

ACES = sum(1 << card for card in range(0, PACK_SIZE, 5))
UNTERS = ACES << UNTER


@lru_cache(maxsize=16)
def higher_cards(ranks: str) -> tuple[int, ...]:
    """Return, for each card, the mask of the cards of its suit that rank above it.

    `ranks` lists the ranks from the highest to the lowest (cards.rank), such as ``ATKQJ``.
    """
    masks = []
    for card in range(PACK_SIZE):
        above = ranks[: ranks.index(RANKS[RANK_OF[card]])]
        masks.append(sum(1 << SUIT_OF[card] * 5 + RANKS.index(rank) for rank in above))
    return tuple(masks)


def five_of_a_suit(hand: int) -> int | None:
    """Return the suit of which a hand (card mask) holds all five cards, or None."""
    for suit, mask in enumerate(SUIT_MASKS):
        if hand & mask == mask:
            return suit
    return None
