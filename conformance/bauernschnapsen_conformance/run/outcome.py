"""What a run has found out: one judgement per scenario, and all that the reports are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bauernschnapsen.ruleset import Resolved

from ..adapter.faults import Fault
from ..adapter.handshake import Hello
from ..corpus import Item
from ..corpus.reference import HOME_RULESET
from .levels import Level
from .observed import NOTHING, Shown
from .selection import EVERYTHING, Selection
from .tally import reached
from .verdicts import Judgement, Verdict

if TYPE_CHECKING:
    from ..exhaustive.sweeping import Swept

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a run has found out; the reports of `report/` are views of this."""

    suite_version: str
    suite_digest: str
    hello: Hello
    ruleset: Resolved
    seed: int
    judgements: tuple[Judgement, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    seconds: float
    blind: bool = False
    selection: Selection = EVERYTHING
    stopped: str | None = None
    """Why the run ended before its end: the breaker, or an interrupt."""
    stale: tuple[str, ...] = ()
    """What is wrong with the file of known failures, one line each."""
    shown: Shown = NOTHING
    """Places in views that the engine showed, and never showed."""
    exhaustive: Swept | None = None
    """What became of all situations, where they were asked."""
    house_rules: HouseRules | None = None
    """What became of the scenarios of other tables, where they were asked."""

    @property
    def complete(self) -> bool:
        """Whether the whole corpus was asked, not a selection."""
        return self.selection.complete

    def counts(self) -> dict[Verdict, int]:
        """Return how many scenarios got each verdict."""
        counts = dict.fromkeys(Verdict, 0)
        for judgement in self.judgements:
            counts[judgement.verdict] += 1
        return {verdict: number for verdict, number in counts.items() if number}

    def reached(self, level: Level) -> bool:
        """Whether a level is reached; see `tally.reached`."""
        if self.exhaustive is not None and level in self.exhaustive.withheld:
            return False
        return reached(
            (judgement.verdict, judgement.withholds)
            for judgement in self.judgements
            if judgement.level == level
        )

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels reached."""
        return tuple(level for level in Level if self.reached(level))

    @property
    def exit_code(self) -> int:
        """0 as expected, 1 not conforming, 4 stopped by the breaker or an interrupt.

        Known failures may withhold every level; whoever lists them expects that.
        """
        if self.stopped is not None:
            return 4
        conforms = all(judgement.conforms for judgement in self.judgements)
        conforms = conforms and (self.exhaustive is None or self.exhaustive.conforms)
        conforms = conforms and (self.house_rules is None or self.house_rules.conforms)
        something = self.levels or any(one.verdict == Verdict.XFAIL for one in self.judgements)
        return 0 if conforms and not self.stale and something else 1


# --------------------------------------------------------------------------- other tables


@dataclass(frozen=True, slots=True)
class Table:
    """A table with rules of its own, and what became of the scenarios that belong to it."""

    ruleset: Resolved
    judgements: tuple[Judgement, ...]
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What became of all scenarios under other rules than the certified ones."""

    tables: tuple[Table, ...] = ()
    reason: str = ""
    """Why nothing was asked."""
    stopped: str | None = None
    """Why the run ended before its end."""

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All verdicts, table after table."""
        return tuple(judgement for table in self.tables for judgement in table.judgements)

    @property
    def conforms(self) -> bool:
        """Whether no scenario has a verdict that an engine must not have."""
        return all(judgement.conforms for judgement in self.judgements)


def under_of(item: Item) -> Json:
    """Return the rules an item belongs to: always with the ruleset, and what is changed in it."""
    return {"ruleset": HOME_RULESET, **item.under}
