"""Cards and tricks as they are written: in the notation of positions, and as JSON for the wire.

Both are made once for each set of cards and each trick, not once for each of millions of cases.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bauernschnapsen.notation import CARDS, format_mask

from .keys import Naming, named, named_card
from .tables import Table


class Cards(NamedTuple):
    """A set of cards."""

    texts: list[str]
    plain: str
    wire: str


class Trick(NamedTuple):
    """Cards on the table, and the seats that take part, from the one that led."""

    seats: str
    seat: str
    """The one to add a card; to a complete trick, the one that led."""
    plain: str
    wire: str


class CardsByRoles(dict[int, Cards]):
    """Masks of cards by roles, written under one naming."""

    def __init__(self, naming: Naming) -> None:
        super().__init__()
        self._naming = naming

    def __missing__(self, mask: int) -> Cards:
        cards = self[mask] = _written(named(mask, self._naming))
        return cards


@lru_cache(maxsize=1 << 16)
def _written(mask: int) -> Cards:
    texts = format_mask(mask)
    return Cards(texts, " ".join(texts), json_list(texts))


class TricksOfTable(dict[tuple[Naming, int, int], Trick]):
    """One table as tricks: by naming, the seat that begins, and the seat that is out (or -1)."""

    def __init__(self, table: Table, letters: str) -> None:
        super().__init__()
        self._table = table
        self._letters = letters

    def __missing__(self, place: tuple[Naming, int, int]) -> Trick:
        naming, first, out = place
        seats = [seat for seat in range(len(self._letters)) if seat != out]
        seats = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
        letters = [self._letters[seat] for seat in seats]
        cards = [CARDS[named_card(card, naming)] for card in self._table]
        pairs = list(zip(letters, cards, strict=False))
        trick = self[place] = Trick(
            "".join(letters),
            letters[len(cards) % len(letters)],
            " ".join(f"{seat} {card}" for seat, card in pairs),
            "[" + ",".join(f'["{seat}","{card}"]' for seat, card in pairs) + "]",
        )
        return trick


def json_list(texts: list[str]) -> str:
    """Return texts that need no escape as a JSON list."""
    return "[" + ",".join(f'"{text}"' for text in texts) + "]"
