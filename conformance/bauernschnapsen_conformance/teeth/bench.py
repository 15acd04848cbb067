"""The bench: play scenarios with a broken engine and look whether a stated expectation says so.

A scenario is asked as the runner asks it, with the table turned by the runner's default seed, so
that an engine with fixed seats is noticed here as it is in a certificate. What counts as a kill is
only a difference from what the author stated, never one from what the reference filled in; and it
must be a scenario of the main ruleset, since those of other house rules are not put to everybody.
A rule that says nothing under the main ruleset, as those of the talon, has others of its own.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bauernschnapsen import replay as engine
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Rules, load_ruleset

from ..corpus import Item, PositionCase, Prepared, home_rules, prepare
from ..corpus.reference import HOME_RULESET
from ..corpus.rules import load_rules
from ..corpus.wording import rule_text
from ..run.plan import DEFAULT_SEED
from ..run.turning import Turning, turn
from ..views import NOT_OBSERVED, Difference, Statement, View, check_statement
from .patch import Patch
from .registry import Mutant

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kill:
    """A scenario that tells a mutant from a right engine, and the first difference it states."""

    mutant: str
    item: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class Asked:
    """An item under its own rules, ready to be played by a broken engine."""

    item: Item
    rules: Rules
    prepared: Prepared
    deals: list[Json]
    """The deals as asked: with the table turned."""
    back: Turning | None


class Bench:
    """Scenarios and positions, prepared once with the clean engine when they are first needed."""

    def __init__(self, items: Iterable[Item], *, seed: int = DEFAULT_SEED) -> None:
        self.items = tuple(items)
        self._seed = seed
        self._asked: dict[str, Asked] = {}
        self._contracts: dict[str, frozenset[str]] = {}
        self._citing: dict[str, list[Item]] = {}
        self.at_home = tuple(item for item in self.items if not item.under)
        """Items of the main ruleset: those that every engine is asked."""
        for item in self.items:
            for rule in item.rules:
                self._citing.setdefault(rule, []).append(item)

    def without(self, item_id: str) -> Bench:
        """Return the bench without one item; what has been prepared is kept."""
        rest = Bench((item for item in self.items if item.id != item_id), seed=self._seed)
        rest._asked = self._asked
        return rest

    def citing(self, rule: str) -> list[Item]:
        """Return the items that name a rule as theirs and count: those of the main ruleset.

        Where the rule says nothing there, all that name it.
        """
        items = self._citing.get(rule, [])
        return items if rule in silent_rules() else [item for item in items if not item.under]

    def home_of(self, ruleset: str) -> tuple[Item, ...]:
        """Return the items that belong to a shipped ruleset as it is."""
        if ruleset == HOME_RULESET:
            return self.at_home
        return tuple(item for item in self.items if item.under == {"ruleset": ruleset})

    def contracts_of(self, item: Item) -> frozenset[str]:
        """Return the names of the contracts that are played in an item."""
        known = self._contracts.get(item.id)
        if known is None:
            seen = {
                view["contract"]["name"]
                for deal in self.asked(item).prepared.expected
                for view in deal
                if view["contract"] is not None
            }
            known = self._contracts[item.id] = frozenset(seen)
        return known

    def asked(self, item: Item) -> Asked:
        """Return an item as it is asked. Call it with the clean engine only."""
        known = self._asked.get(item.id)
        if known is None:
            known = self._asked[item.id] = _ask(item, self._seed)
        return known

    def kills(self, mutant: Mutant, items: Iterable[Item]) -> Iterator[Kill]:
        """Yield the items that kill a mutant, in their order."""
        asked = [self.asked(item) for item in items]
        with mutant.installed() as patch:
            for one in asked:
                difference = first_difference(one, patch, reasons=mutant.by_reason)
                if difference is not None:
                    yield Kill(mutant.name, one.item.id, difference)

    def own_kills(self, mutant: Mutant) -> list[Kill]:
        """Return the kills by items that name the mutant's rule: those that count."""
        return list(self.kills(mutant, self.citing(mutant.rule)))

    def first_own_kill(self, mutant: Mutant) -> Kill | None:
        """Return the first kill that counts, or None if the mutant survives."""
        return _first(self.kills(mutant, self.citing(mutant.rule)))

    def first_foreign_kill(self, mutant: Mutant) -> Kill | None:
        """Return a kill by an item that does not name the mutant's rule, or None."""
        known = self.items if mutant.rule in silent_rules() else self.at_home
        others = [item for item in known if mutant.rule not in item.rules]
        return _first(self.kills(mutant, others))


@lru_cache(maxsize=1)
def silent_rules() -> frozenset[str]:
    """Return the ids of the rules that say nothing under the main ruleset."""
    main = load_ruleset(HOME_RULESET)
    return frozenset(name for name, rule in load_rules().items() if not rule_text(rule, main))


def _first(kills: Iterator[Kill]) -> Kill | None:
    kill = next(kills, None)
    if kill is not None:
        kills.close()  # type: ignore[attr-defined]  # a generator: leaves the patch at once
    return kill


def _ask(item: Item, seed: int) -> Asked:
    rules = home_rules(item)
    prepared = prepare(item, rules)
    if isinstance(item, PositionCase):
        return Asked(item, rules, prepared, prepared.deals, None)
    places = random.Random(f"{seed} {item.id}").randrange(rules.seats)
    partners = rules.options.sides == "partners"
    turning = turn(places, seats=rules.seats, partners=partners)
    if turning.is_plain:
        return Asked(item, rules, prepared, prepared.deals, None)
    return Asked(item, rules, prepared, turning.deals(prepared.deals), turning.back())


def first_difference(asked: Asked, patch: Patch, *, reasons: bool) -> Difference | None:
    """Play an item with the broken engine; return the first stated difference, if there is one.

    `reasons`: whether a wrong reason for a right refusal is a difference.
    """
    views = played(asked.deals, patch.rules(asked.rules))
    turned: dict[tuple[int, int], View] = {}
    for statement in asked.prepared.statements:
        place = (statement.deal, statement.view)
        if place not in turned:
            view = _view_at(views, place)
            if view is None:
                continue
            turned[place] = view if asked.back is None else asked.back.view(view)
        result = check(statement, turned[place], reasons=reasons)
        if result is not None:
            return result
    return None


def check(statement: Statement, view: View, *, reasons: bool) -> Difference | None:
    """Hold a statement against a view; what is not observed is no difference."""
    result = check_statement(statement, view, reasons=reasons)
    return None if result is NOT_OBSERVED else result


def _view_at(views: list[list[View]], place: tuple[int, int]) -> View | None:
    deal, number = place
    return views[deal][number] if deal < len(views) and number < len(views[deal]) else None


def played(deals: list[Json], rules: Rules) -> list[list[View]]:
    """Return the views of a broken engine; where it falls over, those up to there.

    A broken engine may be unable to start the second deal, or stumble over a state that no right
    engine reaches. As with an engine in another process, what it showed before still counts.
    """
    deals = [dict(deal) for deal in deals]
    while deals:
        try:
            return engine.replay(rules, deals)
        except SpecError:
            deals.pop()
        except Exception:  # any way of falling over is one
            if deals[-1]["actions"]:
                deals[-1]["actions"] = deals[-1]["actions"][:-1]
            else:
                deals.pop()
    return []
