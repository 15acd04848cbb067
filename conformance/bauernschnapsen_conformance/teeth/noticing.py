"""How soon a campaign of `fuzz` notices each faulty engine.

The reference and the mutant play the same cases in one process, which is quicker than through a
pipe; the cases are those that `fuzz --seed 1` plays, in that order. A mutant counts as noticed if
that takes no more cases than one core puts to an engine in a minute, the engine's work included.
"""

from __future__ import annotations

import json
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
from ..corpus import home_rules, load_corpus
from ..corpus.reference import HOME_RULESET
from ..verdicts import Verdict, judge_views
from .bench import silent_rules
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


def notice(mutants: Iterable[Mutant], *, most: int = A_MINUTE, seed: int = SEED) -> Noticed:
    """Play the cases of a campaign with each mutant until it shows something else.

    Where its rule says nothing under the main ruleset, it is looked for under the rules to which
    the scenarios of that rule belong, one after the other.
    """
    left = [mutant for mutant in mutants if mutant.equivalent is None]
    silent = [mutant for mutant in left if mutant.rule in silent_rules()]
    usual = [mutant for mutant in left if mutant.rule not in silent_rules()]
    cases = _notice(usual, rules_of(HOME_RULESET), most, seed)
    for rules, about in _homes(silent):
        cases |= _notice([one for one in about if one.name not in cases], rules, most, seed)
    return Noticed(cases, tuple(one.name for one in left if one.name not in cases))


def _homes(mutants: list[Mutant]) -> list[tuple[Rules, list[Mutant]]]:
    """Return the rules under which mutants may be noticed, those of most of them first."""
    about: dict[str, tuple[Rules, dict[str, Mutant]]] = {}
    for item in load_corpus().scenarios if mutants else ():
        here = [mutant for mutant in mutants if mutant.rule in item.rules]
        if here:
            key = json.dumps(item.under, sort_keys=True)
            known = about.setdefault(key, (home_rules(item), {}))
            known[1].update({mutant.name: mutant for mutant in here})
    ordered = sorted(about.items(), key=lambda pair: (-len(pair[1][1]), pair[0]))
    return [(rules, list(here.values())) for _, (rules, here) in ordered]


def _notice(alive: list[Mutant], rules: Rules, most: int, seed: int) -> dict[str, int]:
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
    return cases


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
