"""What a second opinion on a deal of three players needs to know: contracts, seats, whose turn.

Nothing of the engine is used here. Above each line stands the sentence it obeys; see `naive_talon`.
"""

from __future__ import annotations

from typing import Any

from naive_both import AnyDeal, Row

CLOCKWISE = "NES"


# --------------------------------------------------------------------------- the table of contracts

# Lowest first. F forehand, M the middle player, D dealer.
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


class Deal(AnyDeal):
    """A deal of three players; T1: each is a side of his own, and the declarer plays alone."""

    clockwise = CLOCKWISE
    contracts = TABLE

    def __init__(self, record: dict[str, Any], agreed: frozenset[str]) -> None:
        super().__init__(record)
        self.agreed = agreed
        self.aside: list[str] = list(record["talon"])
        self.talon = "offered"  # then left, or taken and after that laid away
        self.bids: list[tuple[str, str, bool]] = []  # seat, contract, without the talon
        self.shown: list[str] = []

    def letter(self, seat: str) -> str:
        # T4: "priority F, next, dealer".
        return "FMD"[(CLOCKWISE.index(seat) - CLOCKWISE.index(self.forehand())) % 3]

    def opponents(self) -> list[str]:
        # T1: "each deal the declarer plays alone against the other two".
        return [seat for seat in CLOCKWISE if seat != self.declarer]

    def party(self, seat: str) -> list[str]:
        return [seat] if seat == self.declarer else self.opponents()

    def not_led_yet(self) -> bool:
        return self.contract is not None and not self.tricks and not self.table

    def to_act(self) -> str | None:
        if self.outcome is not None:
            return None
        if self.trump is None:
            return self.forehand()
        if self.contract is None:
            return self.to_bid()
        return self.declarer if self.talon in ("offered", "taken") else self.to_play()
