"""What a second opinion says of any deal, of four players or of three with a talon.

Nothing of the engine is used here. Above each line stands the sentence it obeys. What only one of
the two games has stands in `naive_deal` and `naive_talon`, and beside each what it looks at.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, ClassVar, NamedTuple

from naive_oracle import legal_cards, trick_winner

# R4: "Card points 11 10 4 3 2, 120 in the pack."
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
DOUBLES = ["kontra", "rekontra", "subkontra"]


class Row(NamedTuple):
    """A contract, as a line of the table of contracts says it; `who` may bid it, by letter."""

    name: str
    value: int
    who: str
    to_hold: str
    trump: bool
    ranks: str
    lead: str
    goal: str


class AnyDeal:
    """What has happened in a deal so far. Everything else is worked out anew when it is needed."""

    clockwise: ClassVar[str]
    contracts: ClassVar[Sequence[Row]]

    def __init__(self, record: dict[str, Any]) -> None:
        self.dealer: str = record["dealer"]
        self.dealt: dict[str, list[str]] = record["hands"]
        self.hands = {seat: list(cards) for seat, cards in self.dealt.items()}
        self.scores: dict[str, int] = dict(record["scores"])
        self.trump: str | None = None
        self.said_in_auction: list[str] = []
        self.passes: list[str] = []
        self.contract: str | None = None
        self.declarer = ""
        self.doubles: list[str] = []
        self.tricks: list[tuple[list[tuple[str, str]], str]] = []
        self.table: list[tuple[str, str]] = []
        self.marriages: list[tuple[str, int, int]] = []  # seat, worth, number of tricks before it
        self.outcome: dict[str, Any] | None = None
        self.game: dict[str, Any] | None = None
        start = record.get("contract")
        if start is not None:
            self.trump, self.contract = start["trump"], start["name"]
            self.declarer = start["declarer"]

    # who is who -----------------------------------------------------------------

    def seat_after(self, seat: str, steps: int = 1) -> str:
        # R7: "Everything runs clockwise."
        return self.clockwise[(self.clockwise.index(seat) + steps) % len(self.clockwise)]

    def forehand(self) -> str:
        # R8: "F is the player to the dealer's left."
        return self.seat_after(self.dealer)

    def players(self) -> list[str]:
        return list(self.clockwise)

    # the contract ---------------------------------------------------------------

    def row(self) -> Row:
        return next(row for row in self.contracts if row.name == self.contract)

    def trump_that_counts(self) -> str | None:
        return self.trump if self.row().trump else None

    # what counts ----------------------------------------------------------------

    def number_of_tricks(self, seats: Container[str]) -> int:
        return len([winner for _, winner in self.tricks if winner in seats])

    def card_points(self, seats: Container[str]) -> int:
        # A77: "Completed tricks + declared marriages only." T8: "discards count for nobody".
        total = 0
        for trick, winner in self.tricks:
            if winner in seats:
                total += sum(CARD_POINTS[card[0]] for _, card in trick)
        return total + sum(worth for seat, worth, _ in self.marriages if seat in seats)

    # whose turn -----------------------------------------------------------------

    def to_bid(self) -> str:
        # R20: "F bids first."
        if not self.said_in_auction:
            return self.forehand()
        # R24: "A pass is final for the auction."
        seat = self.seat_after(self.said_in_auction[-1])
        while seat in self.passes:
            seat = self.seat_after(seat)
        return seat

    def to_play(self) -> str:
        # R34: "Winner leads." R27: "Trump contracts: F leads first. No-trump contracts: declarer
        # leads first." A46: F leads too where the trump contract was bid by someone else. T7: in
        # the Herren-Schnapser of three the declarer is F.
        if not self.table:
            if self.tricks:
                return self.tricks[-1][1]
            return self.declarer if self.row().lead == "declarer" else self.forehand()
        # A53: "order clockwise skipping partner".
        seat = self.seat_after(self.table[-1][0])
        while seat not in self.players():
            seat = self.seat_after(seat)
        return seat

    # playing a card -------------------------------------------------------------

    def put(self, seat: str, card: str) -> bool:
        """Put a card on the table; whether that completes a trick."""
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        if len(self.table) < len(self.players()):
            return False
        cards = [card for _, card in self.table]
        place = trick_winner(cards, self.trump_that_counts(), self.row().ranks)
        self.tricks.append((self.table, self.table[place][0]))
        self.table = []
        return True


# --------------------------------------------------------------------------- what may be done


def may_play(deal: AnyDeal, seat: str, verb: str, card: str) -> bool:
    if seat != deal.to_play() or card not in deal.hands[seat]:
        return False
    trick = [card for _, card in deal.table]
    # R38: "Zehner-Gang uses the special rank from the table."
    trump, ranks = deal.trump_that_counts(), deal.row().ranks
    if card not in legal_cards(deal.hands[seat], trick, trump, ranks):
        return False
    return verb == "play" or _may_marry(deal, seat, card)


def _may_marry(deal: AnyDeal, seat: str, card: str) -> bool:
    # R39, R44: "Only in Normal, Schnapser, Kontra-Schnapser."
    if deal.contract not in ("normal", "schnapser", "kontra-schnapser"):
        return False
    # R43, A61: in Schnapser and Kontra-Schnapser only the declarer.
    if deal.contract != "normal" and seat != deal.declarer:
        return False
    # R40: "On lead with K+Q of a suit in hand: show both, play one." A57: also the very first lead.
    if deal.table or card[0] not in "KQ":
        return False
    # R41: "The partner card must still be in hand." T: "Marriages made with talon cards count."
    return "K" + card[1] in deal.hands[seat] and "Q" + card[1] in deal.hands[seat]


def may_claim(deal: AnyDeal, seat: str) -> bool:
    # A76: "Claims outside Normal: not available."
    if deal.contract != "normal":
        return False
    # A68: "After winning a trick until he leads"; A67, T16: only "who has just won the trick".
    if not deal.table:
        return deal.tricks != [] and deal.tricks[-1][1] == seat
    # A68: "after a marriage lead until the next player plays"; A67: "who has just declared".
    # A71: also with no trick, though it is always false. A74 cannot come in: the last card of a
    # hand is no pair.
    just_declared = bool(deal.marriages) and deal.marriages[-1][2] == len(deal.tricks)
    return len(deal.table) == 1 and just_declared and deal.marriages[-1][0] == seat


# --------------------------------------------------------------------------- what comes of it


def do_marry(deal: AnyDeal, seat: str, card: str) -> None:
    # R40: "20 card points, trump 40." R42: "The trick need not be won."
    worth = 40 if card[1] == deal.trump_that_counts() else 20
    deal.marriages.append((seat, worth, len(deal.tricks)))
