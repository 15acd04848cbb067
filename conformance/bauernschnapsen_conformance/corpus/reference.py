"""Hold scenarios against the reference engine: expected views, truth of what is stated.

The author states what he vouches for; the reference fills in the rest of every view. Under the
rules a scenario belongs to, its statements must be true (else the suite is broken); under any
other ruleset it applies exactly if they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, load_ruleset, vary

from ..views import NOT_OBSERVED, Difference, Statement, View, check_statement
from .embed import NotEmbeddable, embed_position
from .scenario import DealRecord, Do, Expect, Item, Json, PositionCase, Refuse, Scenario

HOME_RULESET = "pagat"
"""The ruleset a scenario belongs to if it says nothing."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A scenario or position under one ruleset: what to ask and what to expect."""

    item: Item
    deals: list[Json]
    """The deals of a replay request, seats and suits as written."""
    expected: list[list[View]]
    statements: list[Statement]


class Unplayable(Exception):
    """The scenario cannot even be set up under this ruleset; the message says why.

    `deal` counts from 0, and `field` is what is wrong with it, as in `contract.name`, where that
    is known.
    """

    def __init__(self, reason: str, deal: int = 0, field: str = "") -> None:
        """Keep the reason and its place."""
        super().__init__(reason)
        self.deal = deal
        self.field = field


def prepare(item: Item, rules: Rules) -> Prepared:
    """Play an item in the reference engine; Unplayable where the rules do not know its start."""
    if isinstance(item, PositionCase):
        try:
            deals, statements = embed_position(item, rules)
        except NotEmbeddable as reason:
            raise Unplayable(str(reason)) from None
    else:
        deals, statements = _record(item)
    for number, deal in enumerate(deals):
        if len(deal["hands"]) != rules.seats:
            raise Unplayable("another number of seats", number, "hands")
        if "contract" in deal and deal["contract"]["name"] not in rules.by_name:
            name = deal["contract"]["name"]
            raise Unplayable(f"{name} is not played", number, "contract.name")
    try:
        expected = replay(rules, deals)
    except SpecError as error:
        raise Unplayable(str(error), *_place_of(error)) from None
    return Prepared(item, deals, expected, statements)


def _place_of(error: SpecError) -> tuple[int, str]:
    """Return the deal and the field of it that an error of a replay is about."""
    found = re.fullmatch(r"deals\[(\d+)\]\.?(.*)", error.field or "")
    return (int(found[1]), found[2]) if found else (0, "")


def untrue(prepared: Prepared) -> list[Difference]:
    """Return the statements that the reference engine contradicts."""
    found = []
    for statement in prepared.statements:
        view = prepared.expected[statement.deal][statement.view]
        result = check_statement(statement, view)
        if result is NOT_OBSERVED:
            found.append(
                Difference(
                    statement.deal, statement.view, statement.path, statement.value, None, True
                )
            )
        elif result is not None:
            found.append(result)
    return found


def applies(item: Item, rules: Rules) -> Prepared | None:
    """Return the item prepared for a ruleset if its statements hold under it, else None."""
    try:
        prepared = prepare(item, rules)
    except Unplayable:
        return None
    return None if untrue(prepared) else prepared


def home_rules(item: Item) -> Rules:
    """Return the compiled rules an item belongs to (`under`)."""
    under = item.under
    key = _freeze({k: v for k, v in under.items() if k != "ruleset"})
    return _variant(under.get("ruleset", HOME_RULESET), key)


def home_of(item: Item) -> Resolved:
    """Return the resolved ruleset an item belongs to (`under`)."""
    base = item.under.get("ruleset", HOME_RULESET)
    changes = {key: value for key, value in item.under.items() if key != "ruleset"}
    return home_ruleset(base, changes) if changes else _loaded(base)


@lru_cache(maxsize=256)
def _variant(base: str, changes: Any) -> Rules:
    return compile_rules(home_ruleset(base, _thaw(changes)))


def home_ruleset(base: str, changes: Json) -> Resolved:
    """Return a shipped ruleset with some fields changed."""
    return vary(_loaded(base), changes)


@lru_cache(maxsize=32)
def _loaded(name: str) -> Resolved:
    return load_ruleset(name)


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return ("d", tuple((key, _freeze(inner)) for key, inner in value.items()))
    if isinstance(value, list):
        return ("l", tuple(_freeze(inner) for inner in value))
    return value


def _thaw(value: Any) -> Any:
    if isinstance(value, tuple) and value:
        kind, inner = value
        if kind == "d":
            return {key: _thaw(one) for key, one in inner}
        return [_thaw(one) for one in inner]
    return value


# --------------------------------------------------------------------------- scenario -> record


def _record(scenario: Scenario) -> tuple[list[Json], list[Statement]]:
    deals: list[Json] = []
    statements: list[Statement] = []
    for number, deal in enumerate(scenario.deals):
        record, stated = record_of(deal, number)
        deals.append(record)
        statements.extend(stated)
    return deals, statements


def record_of(deal: DealRecord, number: int) -> tuple[Json, list[Statement]]:
    """Return the deal as a replay request has it, and what is stated about its views."""
    record: Json = {"hands": {seat: list(cards) for seat, cards in deal.hands.items()}}
    if deal.talon:
        record["talon"] = list(deal.talon)
    if deal.dealer is not None:
        record["dealer"] = deal.dealer
    if deal.scores is not None:
        record["scores"] = dict(deal.scores)
    if deal.contract is not None:
        record["contract"] = dict(deal.contract)
    actions: list[list[str]] = []
    statements: list[Statement] = []

    def state(kind: Any, path: tuple[str, ...], value: Any) -> None:
        statements.append(Statement(number, len(actions), kind, path, value))

    for step in deal.steps:
        if isinstance(step, Expect):
            _state_expectation(step, state)
            continue
        actions.append([step.seat, step.action])
        if isinstance(step, Do):
            state("accepted", (step.seat, step.action), True)
        elif isinstance(step, Refuse):
            state("refused", (step.seat, step.action), step.because)
    record["actions"] = actions
    return record, statements


def _state_expectation(step: Expect, state: Callable[[Any, tuple[str, ...], Any], None]) -> None:
    for key, value in step.view.items():
        if key == "legal":
            for seat, actions in value.items():
                state("legal", (seat,), tuple(actions))
        else:
            state("value", (key,), value)
    for kind, pairs in (("can", step.can), ("cannot", step.cannot)):
        for seat, action in pairs:
            state(kind, (seat,), action)
