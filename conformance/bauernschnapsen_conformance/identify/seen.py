"""What an engine showed of a question, and where it leaves a ruleset."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..views import Difference, View
from .caution import needs
from .houses import AUCTION, WHOLE
from .lines import Line

Json = dict[str, Any]
_IN_PLAY = ("play", "marry", "enough", "show")


@dataclass(frozen=True, slots=True)
class Miss:
    """Where an engine leaves a ruleset: deal, view, how, and how much of the question agreed."""

    deal: int
    view: int
    share: float
    differences: list[Difference] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Seen:
    """What an engine showed of one question."""

    deals: list[Json]
    line: Line | None
    """The deal as a line; several deals are none."""
    title: str = ""
    """The scenario, if it is one, and the rules it witnesses."""
    rules: tuple[str, ...] = ()
    views: list[list[View]] | None = None
    """None where it gave no views."""
    said: str = ""
    """Why not: its words for unsupported."""
    fault: str = ""
    """What went wrong instead of an answer."""
    held: dict[int, Miss | None] = field(default_factory=dict)
    """By scope of a ruleset, where it leaves that."""
    right: dict[int, tuple[bool, Any]] = field(default_factory=dict)
    """By number of a view, a position that it was found to agree with, as a sketch."""
    needs: frozenset[str] = frozenset()
    """What it takes to answer; see `caution`."""

    def __post_init__(self) -> None:
        self.needs = needs(self.deals)

    @property
    def scope(self) -> str:
        """What of a ruleset the answer depends on; see `houses`."""
        if len(self.deals) > 1:
            return WHOLE
        start = self.deals[0].get("contract")
        if start is not None:
            name: str = start["name"]
            return name
        return AUCTION if self.needs.isdisjoint(_IN_PLAY) else WHOLE

    @property
    def moves(self) -> int:
        """How long the question is."""
        return sum(len(deal["actions"]) for deal in self.deals)
