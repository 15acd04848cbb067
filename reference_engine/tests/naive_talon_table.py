"""What a second opinion on a deal of three players needs to know: contracts, seats, whose turn.

Nothing of the engine is used here. Above each line stands the sentence it obeys; see `naive_talon`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

CLOCKWISE = "NES"

# R4: "Card points 11 10 4 3 2, 120 in the pack."
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


# --------------------------------------------------------------------------- the table of contracts


class Row(NamedTuple):
    """A contract. Who may bid it: F forehand, M the middle player, D dealer."""

    name: str
    value: int
    who: str
    to_hold: str
    trump: bool
    ranks: str
    lead: str
    goal: str


# T4: "Contracts, order, values as in the four-hand game. F-side contracts belong to F alone; Kontra
# contracts to the other two." T5: "Schnapser and Kontra-Schnapser: first four tricks." T6: "all six
# tricks". T7: five of a suit are played, "declarer leads"; no trump in Farben-Gang, not for F.
TABLE = [
    Row("normal", 1, "F", "", True, "ATKQJ", "forehand", "66"),
    Row("bettler", 4, "FMD", "", False, "ATKQJ", "declarer", "no trick"),
    Row("schnapser", 6, "F", "", True, "ATKQJ", "forehand", "four tricks and 66"),
    Row("gang", 9, "FMD", "", False, "ATKQJ", "declarer", "six tricks"),
    Row("zehner-gang", 10, "FMD", "", False, "TKQJA", "declarer", "six tricks"),
    Row("kontra-schnapser", 12, "MD", "", True, "ATKQJ", "forehand", "four tricks and 66"),
    Row("bauern-schnapser", 12, "F", "", True, "ATKQJ", "forehand", "six tricks"),
    Row("farben-gang", 18, "MD", "five of one suit", False, "ATKQJ", "declarer", "six tricks"),
    Row("kontra-bauern-schnapser", 24, "MD", "", True, "ATKQJ", "forehand", "six tricks"),
    Row("herren-schnapser", 24, "F", "five trumps", True, "ATKQJ", "forehand", "six tricks"),
]
NAMES = [row.name for row in TABLE]
DOUBLES = ["kontra", "rekontra", "subkontra"]


class Deal:
    """What has happened in a deal so far. Everything else is worked out anew when it is needed."""

    def __init__(self, record: dict[str, Any], agreed: frozenset[str]) -> None:
        self.agreed = agreed
        self.dealer: str = record["dealer"]
        self.dealt: dict[str, list[str]] = record["hands"]
        self.hands = {seat: list(cards) for seat, cards in self.dealt.items()}
        self.aside: list[str] = list(record["talon"])
        self.talon = "offered"  # then left, or taken and after that laid away
        self.scores: dict[str, int] = dict(record["scores"])
        self.trump: str | None = None
        self.bids: list[tuple[str, str, bool]] = []  # seat, contract, without the talon
        self.said_in_auction: list[str] = []
        self.passes: list[str] = []
        self.contract: str | None = None
        self.declarer = ""
        self.doubles: list[str] = []
        self.tricks: list[tuple[list[tuple[str, str]], str]] = []
        self.table: list[tuple[str, str]] = []
        self.marriages: list[tuple[str, int, int]] = []  # seat, worth, number of tricks before it
        self.shown: list[str] = []
        self.outcome: dict[str, Any] | None = None
        self.game: dict[str, Any] | None = None
        start = record.get("contract")
        if start is not None:
            self.trump, self.contract = start["trump"], start["name"]
            self.declarer = start["declarer"]

    # who is who -----------------------------------------------------------------

    def seat_after(self, seat: str) -> str:
        # R7: "Everything runs clockwise." T1: "Three players."
        return CLOCKWISE[(CLOCKWISE.index(seat) + 1) % 3]

    def forehand(self) -> str:
        # R8: "F is the player to the dealer's left."
        return self.seat_after(self.dealer)

    def letter(self, seat: str) -> str:
        # T4: "priority F, next, dealer".
        return "FMD"[(CLOCKWISE.index(seat) - CLOCKWISE.index(self.forehand())) % 3]

    def opponents(self) -> list[str]:
        # T1: "each deal the declarer plays alone against the other two".
        return [seat for seat in CLOCKWISE if seat != self.declarer]

    def party(self, seat: str) -> list[str]:
        return [seat] if seat == self.declarer else self.opponents()

    def row(self) -> Row:
        return TABLE[NAMES.index(self.contract or "")]

    def trump_that_counts(self) -> str | None:
        return self.trump if self.row().trump else None

    def not_led_yet(self) -> bool:
        return self.contract is not None and not self.tricks and not self.table

    # what counts ------------------------------------------------------------------

    def number_of_tricks(self, seats: list[str]) -> int:
        return len([winner for _, winner in self.tricks if winner in seats])

    def card_points(self, seats: list[str]) -> int:
        # A77: "Completed tricks + declared marriages only." T8: "discards count for nobody".
        total = 0
        for trick, winner in self.tricks:
            if winner in seats:
                total += sum(CARD_POINTS[card[0]] for _, card in trick)
        return total + sum(worth for seat, worth, _ in self.marriages if seat in seats)

    # whose turn -------------------------------------------------------------------

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
        # leads first." T7: in Herren-Schnapser the declarer is F.
        if not self.table:
            if self.tricks:
                return self.tricks[-1][1]
            return self.declarer if self.row().lead == "declarer" else self.forehand()
        # "Bettler has three active players automatically": nobody sits out.
        return self.seat_after(self.table[-1][0])

    def to_act(self) -> str | None:
        if self.outcome is not None:
            return None
        if self.trump is None:
            return self.forehand()
        if self.contract is None:
            return self.to_bid()
        return self.declarer if self.talon in ("offered", "taken") else self.to_play()
