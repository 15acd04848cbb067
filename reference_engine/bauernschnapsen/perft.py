"""Perft for cards: how many legal lines of play there are, by number of cards played.

One integer per ply is the conscience of a rules engine: it cannot be guessed, and two faults
that cancel out elsewhere do not cancel out here. Only `play` counts: no marriage, no claim, no
doubling. A line ends where the deal ends.
"""

from __future__ import annotations

from .notation import Action, cards_in
from .play import legal_cards
from .position import PLAY, Position
from .table import apply

Counts = list[int]
_DEPENDS_ON_POINTS = ("when_lost_or_marriage", "when_lost_or_66")


def count_lines(position: Position, plies: int | None = None) -> Counts:
    """Return the number of legal lines of 1, 2, ... `plies` cards from a position in play.

    Without `plies` all cards are played. The list ends where no line is longer.
    """
    deepest = sum(mask.bit_count() for mask in position.hands) if plies is None else plies
    counts = _lines(position, deepest, {})
    while counts and not counts[-1]:
        counts.pop()
    return counts


def divide(position: Position, plies: int) -> dict[int, int]:
    """Return, for each card that may be played now, the number of lines of `plies` cards."""
    result: dict[int, int] = {}
    if position.phase != PLAY or position.turn is None:
        return result
    for card in cards_in(legal_cards(position)):
        after = apply(position, position.turn, Action("play", card))
        deeper = _lines(after, plies - 1, {})
        result[card] = 1 if plies == 1 else (deeper[-1] if len(deeper) == plies - 1 else 0)
    return result


def _lines(position: Position, plies: int, known: dict[object, Counts]) -> Counts:
    """Return `plies` counts; lines from equal trick starts are counted once."""
    if plies <= 0 or position.phase != PLAY or position.turn is None:
        return [0] * max(plies, 0)
    key = None
    if not position.trick:
        key = _key(position, plies)
        if key in known:
            return known[key]
    total = [0] * plies
    for card in cards_in(legal_cards(position)):
        total[0] += 1
        after = apply(position, position.turn, Action("play", card))
        for ply, count in enumerate(_lines(after, plies - 1, known), start=1):
            total[ply] += count
    if key is not None:
        known[key] = total
    return total


def _key(position: Position, plies: int) -> object:
    """What the rest of the play depends on: while a deal is on, its contract is not yet broken."""
    contract = position.contract
    assert contract is not None
    points = tuple(position.points) if contract.ends_early in _DEPENDS_ON_POINTS else ()
    tricks = tuple(position.tricks_by_seat) if contract.ends_early == "never" else ()
    return tuple(position.hands), position.turn, plies, points, tricks
