"""How many legal lines of play there are with three players, counted by the second opinion."""

from __future__ import annotations

from copy import copy

from naive_talon import do, may
from naive_talon_table import Deal


def count_lines(deal: Deal) -> list[int]:
    """The number of lines of 1, 2, ... cards from a deal at the first lead; ended ones drop out."""
    counts = _lines(deal, {})
    return counts[: counts.index(0)] if 0 in counts else counts


def _lines(deal: Deal, known: dict[object, list[int]]) -> list[int]:
    left = sum(len(hand) for hand in deal.hands.values())
    if deal.outcome is not None or not left:
        return [0] * left
    # Before a trick the rest depends on the cards and the leader only: a contract that is still on
    # has not been broken, and nobody's card points end anything.
    key = (deal.to_play(), *(tuple(sorted(hand)) for hand in deal.hands.values()))
    if not deal.table and key in known:
        return known[key]
    total = [0] * left
    seat = deal.to_play()
    for card in deal.hands[seat]:
        if may(deal, seat, f"play {card}"):
            total[0] += 1
            for ply, count in enumerate(_lines(_after(deal, seat, card), known), start=1):
                total[ply] += count
    if not deal.table:
        known[key] = total
    return total


def _after(deal: Deal, seat: str, card: str) -> Deal:
    after = copy(deal)
    after.hands = {owner: list(hand) for owner, hand in deal.hands.items()}
    after.table, after.tricks = list(deal.table), list(deal.tricks)
    after.scores = dict(deal.scores)
    do(after, seat, f"play {card}")
    return after
