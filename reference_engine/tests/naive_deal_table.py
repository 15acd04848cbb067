"""What a second opinion on a whole deal looks at: the contracts, the hands, what has been done.

Nothing of the engine is used here. Above each line stands the sentence it obeys.
"""

from __future__ import annotations

from typing import Any

from naive_oracle import RANKS, SUITS

CLOCKWISE = "NESW"

# R4: "Card points 11 10 4 3 2, 120 in the pack."
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


# --------------------------------------------------------------------------- the table of contracts

# Section 2, lowest first: name, value, who may bid, cards to hold, trump, ranks, who leads, goal.
# F forehand, P dealer's partner, M forehand's partner, D dealer.
TABLE: list[tuple[str, int, str, str, bool, str, str, str]] = [
    ("normal", 1, "F", "", True, "ATKQJ", "forehand", "66"),
    ("bettler", 4, "FPMD", "", False, "ATKQJ", "declarer", "no trick"),
    ("schnapser", 6, "FM", "", True, "ATKQJ", "forehand", "three tricks and 66"),
    ("gang", 9, "FPMD", "", False, "ATKQJ", "declarer", "five tricks"),
    ("zehner-gang", 10, "FPMD", "", False, "TKQJA", "declarer", "five tricks"),
    ("kontra-schnapser", 12, "PD", "", True, "ATKQJ", "forehand", "three tricks and 66"),
    ("bauern-schnapser", 12, "FM", "", True, "ATKQJ", "forehand", "five tricks"),
    ("farben-gang", 18, "PMD", "five of one suit", False, "ATKQJ", "", "show"),
    ("kontra-bauern-schnapser", 24, "PD", "", True, "ATKQJ", "forehand", "five tricks"),
    ("herren-schnapser", 24, "F", "five trumps", False, "ATKQJ", "", "show"),
]
NAMES = [row[0] for row in TABLE]
DOUBLES = ["kontra", "rekontra", "subkontra"]

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


class Deal:
    """What has happened in a deal so far. Everything else is worked out anew when it is needed."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.dealer: str = record["dealer"]
        self.dealt: dict[str, list[str]] = record["hands"]
        self.hands = {seat: list(cards) for seat, cards in self.dealt.items()}
        self.scores: dict[str, int] = dict(record["scores"])
        self.trump: str | None = None
        self.bids: list[tuple[str, str]] = []
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
        return CLOCKWISE[(CLOCKWISE.index(seat) + steps) % 4]

    def forehand(self) -> str:
        # R8: "F is the player to the dealer's left."
        return self.seat_after(self.dealer)

    def letter(self, seat: str) -> str:
        # Seats used: "Clockwise order is F, P, M, D."
        return "FPMD"[(CLOCKWISE.index(seat) - CLOCKWISE.index(self.forehand())) % 4]

    def partner(self, seat: str) -> str:
        # R1: "Four players; two partnerships; partners sit opposite."
        return self.seat_after(seat, 2)

    def side(self, seat: str) -> str:
        return "NS" if seat in "NS" else "EW"

    def row(self) -> tuple[str, int, str, str, bool, str, str, str]:
        return TABLE[NAMES.index(self.contract or "")]

    def trump_that_counts(self) -> str | None:
        return self.trump if self.row()[4] else None

    def players(self) -> list[str]:
        # R37: "Bettler: declarer's partner does not take part; his cards stay out of play."
        out = self.partner(self.declarer) if self.contract == "bettler" else ""
        return [seat for seat in CLOCKWISE if seat != out]

    # what counts ------------------------------------------------------------------

    def number_of_tricks(self, side: str) -> int:
        return len([winner for _, winner in self.tricks if self.side(winner) == side])

    def card_points(self, side: str) -> int:
        # A77: "Completed tricks + declared marriages only."
        total = 0
        for trick, winner in self.tricks:
            if self.side(winner) == side:
                total += sum(CARD_POINTS[card[0]] for _, card in trick)
        return total + sum(worth for seat, worth, _ in self.marriages if self.side(seat) == side)

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
        # leads first." A46: F leads too where the trump contract was bid by someone else.
        if not self.table:
            if self.tricks:
                return self.tricks[-1][1]
            return self.declarer if self.row()[6] == "declarer" else self.forehand()
        # A53: "order clockwise skipping partner".
        seat = self.seat_after(self.table[-1][0])
        while seat not in self.players():
            seat = self.seat_after(seat)
        return seat
