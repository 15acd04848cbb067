"""What a second opinion on a whole deal looks at: the contracts, the hands, what has been done.

Nothing of the engine is used here. Above each line stands the sentence it obeys.
"""

from __future__ import annotations

from typing import Any

from naive_both import DOUBLES, AnyDeal, Row
from naive_oracle import RANKS, SUITS

CLOCKWISE = "NESW"


# --------------------------------------------------------------------------- the table of contracts

# Section 2, lowest first: name, value, who may bid, cards to hold, trump, ranks, who leads, goal.
# F forehand, P dealer's partner, M forehand's partner, D dealer.
TABLE = [
    Row("normal", 1, "F", "", True, "ATKQJ", "forehand", "66"),
    Row("bettler", 4, "FPMD", "", False, "ATKQJ", "declarer", "no trick"),
    Row("schnapser", 6, "FM", "", True, "ATKQJ", "forehand", "three tricks and 66"),
    Row("gang", 9, "FPMD", "", False, "ATKQJ", "declarer", "five tricks"),
    Row("zehner-gang", 10, "FPMD", "", False, "TKQJA", "declarer", "five tricks"),
    Row("kontra-schnapser", 12, "PD", "", True, "ATKQJ", "forehand", "three tricks and 66"),
    Row("bauern-schnapser", 12, "FM", "", True, "ATKQJ", "forehand", "five tricks"),
    Row("farben-gang", 18, "PMD", "five of one suit", False, "ATKQJ", "", "show"),
    Row("kontra-bauern-schnapser", 24, "PD", "", True, "ATKQJ", "forehand", "five tricks"),
    Row("herren-schnapser", 24, "F", "five trumps", False, "ATKQJ", "", "show"),
]
NAMES = [row.name for row in TABLE]

VOCABULARY = [
    *(f"trump {suit}" for suit in SUITS),
    "turn-up 1",
    "turn-up 2",
    *(f"bid {name}" for name in NAMES),
    "pass",
    *DOUBLES,
    *(f"{verb} {rank}{suit}" for verb in ("play", "marry") for suit in SUITS for rank in RANKS),
    "enough",
    "show",
]


class Deal(AnyDeal):
    """A deal of four players, two against two."""

    clockwise = CLOCKWISE
    contracts = TABLE

    def __init__(self, record: dict[str, Any]) -> None:
        super().__init__(record)
        self.bids: list[tuple[str, str]] = []

    def letter(self, seat: str) -> str:
        # Seats used: "Clockwise order is F, P, M, D."
        return "FPMD"[(CLOCKWISE.index(seat) - CLOCKWISE.index(self.forehand())) % 4]

    def partner(self, seat: str) -> str:
        # R1: "Four players; two partnerships; partners sit opposite."
        return self.seat_after(seat, 2)

    def side(self, seat: str) -> str:
        return "NS" if seat in "NS" else "EW"

    def players(self) -> list[str]:
        # R37: "Bettler: declarer's partner does not take part; his cards stay out of play."
        out = self.partner(self.declarer) if self.contract == "bettler" else ""
        return [seat for seat in CLOCKWISE if seat != out]
