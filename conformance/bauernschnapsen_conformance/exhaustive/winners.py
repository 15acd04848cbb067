"""Every complete trick, with the seat that wins it.

Each concrete trick is asked, in contracts with trumps under each trump suit; in contracts without,
each trick up to the names of its suits is asked with each suit as the one that was named. Contracts
of a kind, seats and declarers go round as in `situations`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bauernschnapsen.notation import RANKS, SUITS, seat_letters
from bauernschnapsen.play import beats
from bauernschnapsen.ruleset import Contract, Rules

from .keys import Naming, namings
from .situations import Kind, out_of
from .tables import Table
from .writing import Trick, TricksOfTable

Won = tuple[str, str, str, Trick, str]
"""Contract, trump that was named, declarer, complete trick, the seat that wins it."""


def won_tricks(rules: Rules, kind: Kind) -> Iterator[Won]:
    """Yield every complete trick of a kind; see the module."""
    number = 0
    for players in sorted({3, rules.seats}):
        contracts = kind.with_players(players, rules.seats)
        if not contracts:
            continue
        for table in complete_tricks(players):
            written = TricksOfTable(table, seat_letters(rules.seats))
            yield from _of_trick(rules, kind, contracts, table, written, number)
            number += 1


def complete_tricks(players: int) -> Iterator[Table]:
    """Yield tricks by roles: the suit led is role 0, the next suit to appear role 1, and so on."""
    size = len(RANKS)

    def longer(table: Table, used: int) -> Iterator[Table]:
        if len(table) == players:
            yield table
            return
        for card in range(min(used + 1, len(SUITS)) * size):
            if card not in table:
                yield from longer((*table, card), max(used, card // size + 1))

    return longer((), 0)


def _of_trick(
    rules: Rules,
    kind: Kind,
    contracts: tuple[Contract, ...],
    table: Table,
    written: TricksOfTable,
    number: int,
) -> Iterator[Won]:
    used = max(table) // len(RANKS) + 1
    absent = range(used, len(SUITS))
    letters, seats = seat_letters(rules.seats), rules.seats
    asks: list[tuple[int, tuple[int, ...], tuple[Naming, ...]]]
    if kind.trump:
        # Suits that do not occur are alike, so one of them stands for all as trump.
        asks = [
            (_winner(kind, table, role), (role,), namings(_alike([r for r in absent if r != role])))
            for role in range(min(used + 1, len(SUITS)))
        ]
    else:
        asks = [(_winner(kind, table, None), tuple(range(len(SUITS))), namings(_alike([*absent])))]
    for winner, roles, names in asks:
        for turn in range(max(len(names), len(roles), len(contracts))):
            naming = names[turn % len(names)]
            contract = contracts[(number + turn) % len(contracts)]
            declarer = (number + turn // seats) % seats
            trick = written[naming, (number + turn) % seats, out_of(contract, declarer, seats)]
            trump = SUITS[naming[roles[turn % len(roles)]]]
            yield contract.name, trump, letters[declarer], trick, trick.seats[winner]


def _alike(roles: list[int]) -> tuple[tuple[int, int], ...]:
    return tuple(pairwise(roles))


def _winner(kind: Kind, table: Table, trump: int | None) -> int:
    """Return the place of the card that wins."""
    best = 0
    for place in range(1, len(table)):
        if beats(table[place], table[best], kind.contracts[0], trump):
            best = place
    return best
