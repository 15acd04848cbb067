"""A toy engine, in the place of yours: the tricks of a deal, and nothing else of the game.

Like most engines it has its own idea of cards and seats. Cards are numbers from 0 to 19, suit * 5 +
rank, with the suits hearts, diamonds, spades, clubs and the ranks jack, queen, king, ten, ace;
seats are numbers from 0, clockwise. Four sit at the table, or three, who have a talon.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

VERSION = "1.1"
WORTH = (2, 3, 4, 10, 11)
"""Card points, by rank."""


class Contract(NamedTuple):
    """What this engine must know of a contract to play its tricks."""

    trump: bool = True
    """Whether the suit that was named is trump."""
    ten_high: bool = False
    """Whether the ranks are ten, king, queen, jack, ace."""
    all_tricks: bool = True
    """Whether all tricks are played, or as many as have twelve cards."""
    wins: bool | None = True
    """Whether the declarer must win every trick or none; None if the tricks end nothing early."""


FOUR = {
    "normal": Contract(wins=None),
    "bettler": Contract(trump=False, wins=False),
    "schnapser": Contract(all_tricks=False),
    "gang": Contract(trump=False),
    "zehner-gang": Contract(trump=False, ten_high=True),
    "kontra-schnapser": Contract(all_tricks=False),
    "bauern-schnapser": Contract(),
    "kontra-bauern-schnapser": Contract(),
}
CONTRACTS = {
    4: FOUR,
    3: {**FOUR, "farben-gang": Contract(trump=False), "herren-schnapser": Contract()},
}
"""By the number of players: three also play what four lay down."""


def beats(contract: Contract, trump: int, card: int, other: int) -> bool:
    """Whether a card takes a trick from another one that led to it so far."""
    if card // 5 != other // 5:
        return contract.trump and card // 5 == trump
    if contract.ten_high:
        return (card + 1) % 5 > (other + 1) % 5
    return card > other


def best(contract: Contract, trump: int, trick: list[int]) -> int:
    """The place in the trick of the card that wins it."""
    place = 0
    for number, card in enumerate(trick):
        if beats(contract, trump, card, trick[place]):
            place = number
    return place


def playable(contract: Contract, trump: int, trick: list[int], hand: list[int]) -> list[int]:
    """The cards of a hand that may be played: follow suit, else ruff; beat what can be beaten."""
    if not trick:
        return hand
    cards = [card for card in hand if card // 5 == trick[0] // 5]
    if not cards and contract.trump:
        cards = [card for card in hand if card // 5 == trump]
    winning = trick[best(contract, trump, trick)]
    return [card for card in cards if beats(contract, trump, card, winning)] or cards or hand


class Deal:
    """A deal that is being played, from the end of the auction on."""

    def __init__(
        self,
        contract: Contract,
        declarer: int,
        trump: int,
        dealer: int,
        hands: list[list[int]],
        talon: list[int],
    ) -> None:
        self.contract = contract
        self.declarer = declarer
        self.trump = trump
        self.hands = [list(hand) for hand in hands]
        self.seats = len(hands)
        self.talon = talon
        self.settled = not talon
        """Whether the declarer has nothing more to do with the talon."""
        self.tricks = len(hands[0]) if contract.all_tricks else 12 // self.seats
        self.trick: list[tuple[int, int]] = []
        """The seats and cards on the table."""
        self.last_trick: list[tuple[int, int]] = []
        self.last_winner = 0
        self.last_points = 0
        self.number = 0
        """Of tricks that are complete."""
        self.leader = self._next(dealer) if contract.trump else declarer
        self.turn: int | None = self.leader if self.settled else declarer

    def may_play(self) -> list[int]:
        """The cards that whoever is to act may play."""
        if self.turn is None or not self.settled:
            return []
        cards = [card for _, card in self.trick]
        return playable(self.contract, self.trump, cards, self.hands[self.turn])

    def may_discard(self) -> list[tuple[int, int]]:
        """The pairs of cards that the declarer may lay away."""
        holds_talon = not self.settled and not self.talon
        return list(combinations(sorted(self.hands[self.declarer]), 2)) if holds_talon else []

    def is_sure(self, seat: int) -> bool:
        """Whether this engine knows all that a seat may do: it knows no Kontra and no marriages."""
        if self.trick or self.turn is None:
            return True
        kontra = self.number == 0 and not self._allied(seat)
        hand = self.hands[seat] if seat == self.turn and self.settled else []
        pair = any(card % 5 == 1 and card + 1 in hand for card in hand)
        marriage = pair and self.contract.trump
        return not kontra and not marriage

    def take(self, seat: int) -> bool:
        """Take the talon into the hand; False, and nothing happens, if that is not allowed."""
        if seat != self.declarer or self.settled or not self.talon:
            return False
        self.hands[seat] += self.talon
        self.talon = []
        return True

    def leave(self, seat: int) -> bool:
        """Leave the talon where it is; False, and nothing happens, if that is not allowed."""
        if seat != self.declarer or self.settled or not self.talon:
            return False
        self.settled, self.turn = True, self.leader
        return True

    def discard(self, seat: int, cards: tuple[int, ...]) -> bool:
        """Lay two cards away; False, and nothing happens, if that is not allowed."""
        if seat != self.declarer or tuple(sorted(cards)) not in self.may_discard():
            return False
        self.talon = [*cards]
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.settled, self.turn = True, self.leader
        return True

    def play(self, seat: int, card: int) -> bool:
        """Play a card; False, and nothing happens, if that is not allowed."""
        if seat != self.turn or card not in self.may_play():
            return False
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = self._next(seat)
        if self.turn == self.trick[0][0]:
            self._end_trick()
        return True

    def _end_trick(self) -> None:
        cards = [card for _, card in self.trick]
        winner = self.trick[best(self.contract, self.trump, cards)][0]
        self.last_trick, self.last_winner, self.trick = self.trick, winner, []
        self.last_points = sum(WORTH[card % 5] for card in cards)
        self.number += 1
        lost = self.contract.wins is not None and self.contract.wins != (winner == self.declarer)
        self.turn = None if lost or self.number == self.tricks else winner

    def _allied(self, seat: int) -> bool:
        """Whether a seat plays with the declarer: of four his partner does, of three nobody."""
        return seat == self.declarer or (self.seats == 4 and seat % 2 == self.declarer % 2)

    def _next(self, seat: int) -> int:
        """The next seat clockwise; in Bettler the declarer's partner is passed over."""
        seat = (seat + 1) % self.seats
        out = self.contract.wins is False and seat != self.declarer and self._allied(seat)
        return (seat + 1) % self.seats if out else seat
