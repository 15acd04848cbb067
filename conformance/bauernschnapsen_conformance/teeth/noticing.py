"""How soon a campaign of `fuzz` notices each faulty engine.

The reference and the mutant play the same cases in one process, which is quicker than through a
pipe; the cases are those that `fuzz --seed 1` plays, in that order. A mutant counts as noticed if
that takes no more cases than one core puts to an engine in a minute, the engine's work included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen import replay as engine
from bauernschnapsen.ruleset import Rules, rules_of

from ..adapter import Capabilities
from ..campaign.generators import Made
from ..campaign.judging import Question, question
from ..campaign.running import planned_chunks
from ..collector import rare_collections
from ..verdicts import Verdict, judge_views
from .registry import Mutant

Json = dict[str, Any]
SEED = 1
A_MINUTE = 12_000
"""Cases that one core puts to the mutant in a process of its own in 60 s, with a margin."""
_ABLE = Capabilities(starts=("deal", "contract"), match=True, claims="called", players=(3, 4))


@dataclass(frozen=True, slots=True)
class Noticed:
    """Which mutants were noticed, and after how many cases."""

    cases: dict[str, int]
    """Mutant -> the number of the first case, from 1, in which it shows something else."""
    missed: tuple[str, ...]
    """Mutants of which no case tells."""

    @property
    def share(self) -> float:
        """The share of mutants that were noticed."""
        total = len(self.cases) + len(self.missed)
        return len(self.cases) / total if total else 1.0

    def within(self, share: float) -> int:
        """Return after how many cases this share of those noticed had been noticed."""
        ordered = sorted(self.cases.values())
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0


def notice(
    mutants: Iterable[Mutant], *, most: int = A_MINUTE, seed: int = SEED, ruleset: str = "pagat"
) -> Noticed:
    """Play the cases of a campaign with each mutant until it shows something else."""
    rules = rules_of(ruleset)
    alive = [mutant for mutant in mutants if mutant.equivalent is None]
    cases: dict[str, int] = {}
    begun = 0
    with rare_collections():
        for chunk in planned_chunks(rules, seed):
            asked = [_question(made, rules) for made in chunk[: most - begun]]
            for mutant in alive:
                place = first_noticed(mutant, asked, rules)
                if place is not None:
                    cases[mutant.name] = begun + place + 1
            alive = [mutant for mutant in alive if mutant.name not in cases]
            begun += len(chunk)
            if not alive or begun >= most:
                break
    return Noticed(cases, tuple(mutant.name for mutant in alive))


def _question(made: Made, rules: Rules) -> Question:
    asked = question(made.deals, rules, _ABLE, made.expected)
    assert asked is not None
    return asked


def first_noticed(mutant: Mutant, asked: Sequence[Question], rules: Rules) -> int | None:
    """Return the number of the first question that a mutant answers otherwise, or None."""
    with mutant.installed() as patch:
        broken = patch.rules(rules)
        for place, one in enumerate(asked):
            try:
                views = engine.replay(broken, one.deals)
            except Exception:  # whichever way it falls over, that is noticed
                return place
            if views == one.prepared.expected:
                continue
            opinion = judge_views(one.prepared, views, reasons=mutant.by_reason)
            if opinion.verdict in (Verdict.FAIL, Verdict.ERROR):
                return place
    return None
