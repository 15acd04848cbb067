"""The position: everything that is true at one moment of a deal.

`Position` is treated as immutable by everybody outside the engine: `table.apply` copies it and
lets the chapter that owns the action change the copy.
"""

from __future__ import annotations

from typing import NamedTuple

from .ruleset import Contract, Rules

TRUMP, AUCTION, TALON, PLAY, SHOW, OVER = "trump", "auction", "talon", "play", "show", "over"
"""Phases; TALON, PLAY and SHOW include the time for doubling."""


class Trick(NamedTuple):
    """A completed trick: its cards in playing order, the seat that won it, its card points."""

    cards: tuple[tuple[int, int], ...]
    winner: int
    points: int


class Talon(NamedTuple):
    """The cards laid aside face down, where a deal has any (talon.cards)."""

    cards: int
    """Mask of what lies there: the talon, nothing while the declarer holds it, his discards."""
    bid_without: bool = False
    """Whether the standing bid, and then the contract, is one without the talon."""
    taken: bool = False
    declined: bool = False
    """Whether the declarer has left the talon although it was his to take."""


class Outcome(NamedTuple):
    """How a deal ended: game points by side (factor included), the factor paid, the reason."""

    awards: tuple[int, ...]
    factor: int
    reason: str


class Game(NamedTuple):
    """A finished game: the sides that won it and the Bummerl of this game by side."""

    winners: tuple[int, ...]
    bummerl: tuple[int, ...]


class Score(NamedTuple):
    """Game points by side, counting up, and which sides have led to nil.

    That is, were one point short of the target while all others had none, as at 23 to 0; it is only
    needed for Retourschneider (A85).
    """

    points: tuple[int, ...]
    led_to_nil: tuple[bool, ...]


class Position:
    """A deal at one moment. Seats are places clockwise, hands are card masks, sides are numbers."""

    __slots__ = (
        "bid",
        "bidder",
        "cancelled",
        "contract",
        "dealer",
        "dealt",
        "declared",
        "declarer",
        "doubled_by",
        "game",
        "hands",
        "last_trick",
        "may_claim",
        "next_dealer",
        "out",
        "outcome",
        "passed",
        "phase",
        "points",
        "rules",
        "score",
        "shown",
        "steps",
        "talon",
        "trick",
        "tricks",
        "tricks_by_seat",
        "tricks_done",
        "trump",
        "turn",
        "winning",
    )

    def __init__(
        self,
        rules: Rules,
        dealer: int,
        dealt: tuple[tuple[int, ...], ...],
        score: Score,
        talon: Talon | None = None,
    ) -> None:
        """Start a deal before its first action; `dealt` lists each hand in the order received."""
        self.rules = rules
        self.dealer = dealer
        self.dealt = dealt
        self.score = score
        self.hands = [sum(1 << card for card in hand) for hand in dealt]
        self.shown = [0] * rules.seats
        """By seat, cards of it that everybody has seen."""
        self.talon = talon
        """None at tables where all cards are dealt to the players."""
        self.phase = TRUMP
        self.turn: int | None = self.forehand
        self.trump: int | None = None
        """The suit that was named, also where the contract has no trump."""
        # auction
        self.bidder: int | None = None
        self.bid: Contract | None = None
        self.passed = 0
        self.cancelled = False
        """Kontra on the lowest contract stands instead of `bid` (A29)."""
        self.contract: Contract | None = None
        self.declarer = -1
        # doubling
        self.steps = 0
        self.doubled_by: tuple[int, ...] = ()
        # play
        self.out = -1
        """The seat that sits out, or -1."""
        self.trick: tuple[tuple[int, int], ...] = ()
        self.winning: tuple[int, int] | None = None
        """Seat and card that win the trick so far."""
        self.points = [0] * rules.sides
        """Card points by side: completed tricks and declared marriages."""
        self.declared = [0] * rules.sides
        """Card points by side that come from marriages."""
        self.tricks = [0] * rules.sides
        self.tricks_by_seat = [0] * rules.seats
        self.tricks_done = 0
        self.last_trick: Trick | None = None
        self.may_claim: int | None = None
        """The seat that has just won a trick or declared a marriage, where that lets it claim."""
        # end
        self.outcome: Outcome | None = None
        self.next_dealer: int | None = None
        self.game: Game | None = None

    @property
    def forehand(self) -> int:
        """The seat to the dealer's left."""
        return (self.dealer + 1) % self.rules.seats

    @property
    def trump_in_force(self) -> int | None:
        """The trump suit of the contract, None where it has none or is not played."""
        contract = self.contract
        if contract is None or contract.trump == "none" or contract.goal == "shown":
            return None
        return self.trump

    @property
    def talon_bonus(self) -> int:
        """Game points that the deal is worth more, won or lost, because the talon was left alone.

        Before doubling (talon.bonus).
        """
        if self.talon is None or not self.talon.declined:
            return 0
        return self.rules.options.no_talon_bonus

    def side(self, seat: int) -> int:
        """The side of a seat."""
        return self.rules.side_of[seat]

    def against_declarer(self, seat: int) -> bool:
        """Whether a seat is an opponent of the declarer."""
        return self.rules.side_of[seat] != self.rules.side_of[self.declarer]

    def after(self, seat: int) -> int:
        """The next seat clockwise that takes part in the play."""
        place = (seat + 1) % self.rules.seats
        return place if place != self.out else (place + 1) % self.rules.seats

    def copy(self) -> Position:
        """A position that may be changed without changing this one."""
        new = object.__new__(Position)
        new.rules = self.rules
        new.dealer = self.dealer
        new.dealt = self.dealt
        new.score = self.score
        new.hands = self.hands[:]
        new.shown = self.shown[:]
        new.talon = self.talon
        new.phase = self.phase
        new.turn = self.turn
        new.trump = self.trump
        new.bidder = self.bidder
        new.bid = self.bid
        new.passed = self.passed
        new.cancelled = self.cancelled
        new.contract = self.contract
        new.declarer = self.declarer
        new.steps = self.steps
        new.doubled_by = self.doubled_by
        new.out = self.out
        new.trick = self.trick
        new.winning = self.winning
        new.points = self.points[:]
        new.declared = self.declared[:]
        new.tricks = self.tricks[:]
        new.tricks_by_seat = self.tricks_by_seat[:]
        new.tricks_done = self.tricks_done
        new.last_trick = self.last_trick
        new.may_claim = self.may_claim
        new.outcome = self.outcome
        new.next_dealer = self.next_dealer
        new.game = self.game
        return new
