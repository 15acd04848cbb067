"""How soon a campaign of `fuzz` notices each faulty engine.

The reference and the mutant play the same cases in one process, which is quicker than through a
pipe; the cases are those that `fuzz --seed 1` plays, in that order. A mutant counts as noticed if
that takes no more cases than one core puts to an engine in a minute, the engine's work included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen import replay as engine
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, load_ruleset

from ..adapter import Capabilities
from ..campaign.generators import Case, Made
from ..campaign.judging import Question, question
from ..campaign.running import planned_chunks
from ..corpus import load_corpus
from ..corpus.reference import HOME_RULESET, home_of
from ..run.collector import rare_collections
from ..run.verdicts import Verdict, judge_views
from .bench import silent_rules
from .registry import Mutant

Json = dict[str, Any]
SEED = 1
A_MINUTE = 12_000
"""Cases that one core puts to the mutant in a process of its own in 60 s, with a margin."""
_PARTS = (20, 4, 1)
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


def notice(mutants: Iterable[Mutant], *, most: int = A_MINUTE) -> Noticed:
    """Play the cases of a campaign with each mutant until it shows something else.

    Where it may show under several rulesets (`tables_of`), each has a campaign of its own; all of
    them are begun before one is followed to the end.
    """
    left = [mutant for mutant in mutants if mutant.equivalent is None]
    about: dict[str, list[Mutant]] = {}
    for mutant in left:
        for resolved in tables_of(mutant):
            about.setdefault(json.dumps(resolved), []).append(mutant)
    cases: dict[str, int] = {}
    rulesets = sorted(about.items(), key=lambda pair: -len(pair[1]))
    for part in _PARTS:
        for text, here in rulesets:
            alive = [mutant for mutant in here if mutant.name not in cases]
            cases |= _notice(alive, compile_rules(json.loads(text)), max(1, most // part))
    return Noticed(cases, tuple(one.name for one in left if one.name not in cases))


def tables_of(mutant: Mutant) -> list[Resolved]:
    """Return the rulesets under which a mutant may show.

    The main ruleset; where its rule says nothing there, those to which its scenarios belong.
    """
    if mutant.rule not in silent_rules():
        return [load_ruleset(HOME_RULESET)]
    items = [item for item in load_corpus().scenarios if mutant.rule in item.rules]
    by_text = {json.dumps(item.under, sort_keys=True): item for item in items}
    return [home_of(item) for item in by_text.values()]


def _notice(alive: list[Mutant], rules: Rules, most: int) -> dict[str, int]:
    cases: dict[str, int] = {}
    with rare_collections():
        for begun, asked in _questions(rules, most) if alive else ():
            for mutant in alive:
                place = first_noticed(mutant, asked, rules)
                if place is not None:
                    cases[mutant.name] = begun + place + 1
            alive = [mutant for mutant in alive if mutant.name not in cases]
            if not alive:
                break
    return cases


def first_case(mutant: Mutant, resolved: Resolved, *, most: int) -> Case | None:
    """Return the first case of a campaign in which a mutant shows something else, or None."""
    rules = compile_rules(resolved)
    with rare_collections():
        for _, asked in _questions(rules, most):
            place = first_noticed(mutant, asked, rules)
            if place is not None:
                return asked[place].deals
    return None


def _questions(rules: Rules, most: int) -> Iterator[tuple[int, list[Question]]]:
    """Yield the cases of a campaign in lists, each with the number of those before it."""
    begun = 0
    for chunk in planned_chunks(rules, SEED):
        yield begun, [_question(made, rules) for made in chunk[: most - begun]]
        begun += len(chunk)
        if begun >= most:
            return


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
