"""Every trick situation that an engine can be asked without a deal, with the right answer.

Contracts that are alike in their trick rules are one *kind*. Every key of a kind is asked

* under every naming of its suits, so that each concrete situation (hand, suit led, winning card,
  trump) occurs;
* on each of its tables, in contracts without trumps with each suit as the one that was named;
* in each contract of its kind;

each of them at least once, side by side, not multiplied. Seats and declarers go round. A hand that
leads is a key, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bauernschnapsen.notation import SUITS, seat_letters
from bauernschnapsen.play import Duties, allowed_cards, trick_duties
from bauernschnapsen.ruleset import Contract, Rules

from .keys import Key, keys, leads, namings
from .tables import Shape, Table, shape, tables
from .writing import Cards, CardsByRoles, Trick, TricksOfTable

_MOST_CARDS = 3
"""Cards in a trick before the last one."""
Situation = tuple[str, str, str, Trick, Cards, Cards]
"""Contract, trump that was named, declarer, trick with the seat that is to play, hand, legal cards.

A plain tuple, since there are millions of them.
"""
_TRICK_RULES = (
    "trump", "ranks", "follow", "head", "head_target", "head_after_ruff", "ruff", "overtrump",
    "undertrump",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """Contracts that are alike in their trick rules."""

    contracts: tuple[Contract, ...]

    @property
    def trump(self) -> bool:
        """Whether a trump is in force."""
        return self.contracts[0].trump == "named"

    @property
    def ranks(self) -> str:
        """The ranks from the highest to the lowest."""
        return self.contracts[0].ranks

    def with_players(self, players: int, seats: int) -> tuple[Contract, ...]:
        """Return the contracts with this many players in a trick, at a table of `seats`."""
        return tuple(one for one in self.contracts if seats - (one.partner == "out") == players)


def kinds(rules: Rules) -> list[Kind]:
    """Return the kinds of contracts in which tricks are played, that of the lowest first."""
    found: dict[tuple[str, ...], list[Contract]] = {}
    for contract in rules.contracts:
        if contract.goal != "shown":
            same = tuple(getattr(contract, name) for name in _TRICK_RULES)
            found.setdefault(same, []).append(contract)
    return [Kind(tuple(contracts)) for contracts in found.values()]


def count_keys(rules: Rules, kind: Kind) -> int:
    """Return the number of keys of a kind, without the hands that lead."""
    return sum(1 for _ in keys(rules.hand_size, trump=kind.trump))


def situations(rules: Rules, kind: Kind) -> Iterator[Situation]:
    """Yield every situation of a kind; see the module."""
    writer = Writer(rules, kind)
    number = 0
    for found in (keys(rules.hand_size, trump=kind.trump), leads(rules.hand_size)):
        for key in found:
            yield from writer.situations(key, number)
            number += 1


def out_of(contract: Contract, declarer: int, seats: int) -> int:
    """Return the seat that sits out, the declarer's partner, or -1."""
    return (declarer + seats // 2) % seats if contract.partner == "out" else -1


class Writer:
    """Writes keys as situations."""

    def __init__(self, rules: Rules, kind: Kind) -> None:
        self._kind = kind
        self._letters = seat_letters(rules.seats)
        self._cards = {naming: CardsByRoles(naming) for naming in namings(())}
        self._tricks: dict[Table, TricksOfTable] = {}
        self._asks: dict[
            tuple[Shape, int | None], list[tuple[TricksOfTable, Duties | None, int]]
        ] = {}
        # By size of hand and number of cards in the trick: a contract of three tricks begins them
        # with three cards at least, and where a partner sits out a trick has three cards.
        self._contracts = [
            [
                [
                    contract
                    for contract in kind.contracts
                    if size > rules.hand_size - contract.tricks
                    and cards < rules.seats - (contract.partner == "out")
                ]
                for cards in range(_MOST_CARDS + 1)
            ]
            for size in range(rules.hand_size + 1)
        ]

    def situations(self, key: Key, number: int) -> list[Situation]:
        """Return those of a key; `number` makes contracts, tables and seats begin elsewhere."""
        hand, letters, seats = key.hand, self._letters, len(self._letters)
        by_cards = self._contracts[hand.bit_count()]
        if not by_cards[0]:
            return []  # every contract of this kind ends before hands are so small
        names, asks = namings(key.alike), self._asks_of(key)
        if not by_cards[_MOST_CARDS]:
            asks = [ask for ask in asks if by_cards[ask[3]]]
        found = []
        for turn in range(max(len(names), len(asks), len(by_cards[0]))):
            naming = names[turn % len(names)]
            at = number + turn
            tricks, legal, role, cards = asks[at % len(asks)]
            contracts = by_cards[cards]
            contract = contracts[at % len(contracts)]
            declarer = (number + turn // seats) % seats
            trick = tricks[naming, at % seats, out_of(contract, declarer, seats)]
            written = self._cards[naming]
            trump, by = SUITS[naming[role]], letters[declarer]
            found.append((contract.name, trump, by, trick, written[hand], written[legal]))
        return found

    def _asks_of(self, key: Key) -> list[tuple[TricksOfTable, int, int, int]]:
        """Return each table of a key with the legal cards, the role of the suit named as trump."""
        looks = shape(key, self._kind.ranks)
        written = self._asks.get((looks, key.trump))
        if written is None:
            written = self._asks[looks, key.trump] = self._written(looks, key.trump)
        roles = (key.trump,) if key.trump is not None else range(len(SUITS))
        hand = key.hand
        return [
            (tricks, hand if duties is None else allowed_cards(hand, duties), role, cards)
            for tricks, duties, cards in written
            for role in roles
        ]

    def _written(
        self, looks: Shape, trump: int | None
    ) -> list[tuple[TricksOfTable, Duties | None, int]]:
        """Return each table of a shape with what it asks of the next player (by roles)."""
        found = []
        for table in tables(looks, self._kind.ranks):
            tricks = self._tricks.setdefault(table, TricksOfTable(table, self._letters))
            duties = None
            if looks.winning is not None:
                # Roles are as good as suits here: no rule tells one suit from another.
                duties = trick_duties(self._kind.contracts[0], trump, table, looks.winning)
            found.append((tricks, duties, len(table)))
        return found
