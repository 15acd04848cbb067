"""What a scenario is once it has been read: plain frozen values in the notation of the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
Pair = tuple[str, str]
"""A seat and an action text."""


@dataclass(frozen=True, slots=True)
class Do:
    """A seat acts, and the action must be accepted."""

    seat: str
    action: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """A seat tries something that must be refused because of a rule; nothing changes."""

    seat: str
    action: str
    because: str


@dataclass(frozen=True, slots=True)
class Expect:
    """What must be true now: part of a view, and actions that are or are not among the legal."""

    view: Json
    can: tuple[Pair, ...] = ()
    cannot: tuple[Pair, ...] = ()


Step = Do | Refuse | Expect


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal of a scenario. Dealer and scores are None where they follow from the deal before."""

    hands: dict[str, tuple[str, ...]]
    steps: tuple[Step, ...]
    dealer: str | None = None
    scores: dict[str, int] | None = None
    contract: Json | None = None
    """`name`, `declarer`, `trump` of a contract start."""
    talon: tuple[str, ...] = ()
    """The cards laid aside, where the deal has any."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something was written; not part of what it is."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario as its author wrote it."""

    id: str
    topic: str
    title: str
    why: dict[str, str]
    rules: tuple[str, ...]
    deals: tuple[DealRecord, ...]
    under: Json = field(default_factory=dict)
    example: bool = False
    provisional: str | None = None
    origin: Origin = Origin("", 0)

    @property
    def chapter(self) -> str:
        """The chapter of the rulebook, which begins the id."""
        return self.id.split(".")[0]

    def counts_in(self, version: str) -> bool:
        """Whether a failure counts in this version of the suite: not in its first minor version."""
        return self.provisional is None or not f"{version}.".startswith(f"{self.provisional}.")


@dataclass(frozen=True, slots=True)
class PositionCase:
    """A trick situation: `legal` cards of `seat`, or the `winner` of a complete trick."""

    chapter: str
    topic: str
    rules: tuple[str, ...]
    contract: str
    trump: str
    declarer: str
    trick: tuple[Pair, ...]
    seat: str | None = None
    hand: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    winner: str | None = None
    under: Json = field(default_factory=dict)
    origin: Origin = Origin("", 0)

    @property
    def id(self) -> str:
        """The content of the case, which is its key."""
        trick = " ".join(f"{seat} {card}" for seat, card in self.trick)
        question = f"{self.seat} holds {' '.join(self.hand)}" if self.seat else "winner"
        start = f"{self.contract} by {self.declarer} trump {self.trump}"
        variant = "" if not self.under else " under " + _flat(self.under)
        return f"{self.chapter}.position: {start}: {trick}: {question}{variant}"

    @property
    def seats(self) -> frozenset[str]:
        """The seats that are named; others may sit at the table."""
        named = {self.declarer, *(seat for seat, _ in self.trick)}
        return frozenset(named if self.seat is None else {*named, self.seat})

    @property
    def title(self) -> str:
        """One line for reports."""
        return self.id.split(": ", 1)[1]


Item = Scenario | PositionCase


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={_flat(inner)}" for key, inner in value.items())
    return str(value)
