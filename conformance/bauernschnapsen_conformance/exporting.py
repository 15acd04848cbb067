"""All scenarios of a ruleset with full expected views as one JSON, for those who want no runner.

What is stated is what an author vouches for; the views are filled in by the reference engine, so
whoever compares whole views compares more than is stated. Seats and suits are as written.
"""

from __future__ import annotations

from typing import Any

import bauernschnapsen
from bauernschnapsen.ruleset import Resolved, compile_rules

from .corpus import Corpus, Item, PositionCase, Prepared, Scenario, prepare, untrue
from .corpus.reference import Unplayable
from .run.levels import level_of
from .run.tasks import Query
from .views import Statement

Json = dict[str, Any]
FORMAT = "bauernschnapsen-export/1"


def export(corpus: Corpus, ruleset: Resolved) -> Json:
    """Return every scenario and position that applies under a ruleset, and the ids of the rest."""
    rules = compile_rules(ruleset)
    scenarios: list[Json] = []
    positions: list[Json] = []
    left_out: list[str] = []
    for item in corpus.items:
        try:
            prepared = prepare(item, rules)
        except Unplayable:
            left_out.append(item.id)
            continue
        if untrue(prepared):
            left_out.append(item.id)
        elif isinstance(item, PositionCase):
            query = Query.of(item, rules)
            entry = _entry(item, prepared)
            entry["query"] = {"op": query.op, "cases": [query.case]}
            entry["answer"] = (
                query.expected if isinstance(query.expected, str) else list(query.expected)
            )
            positions.append(entry)
        else:
            scenarios.append(_entry(item, prepared))
    return {
        "format": FORMAT,
        "suite": {"version": bauernschnapsen.__version__, "digest": corpus.digest},
        "ruleset": ruleset,
        "scenarios": scenarios,
        "positions": positions,
        "not_applicable": left_out,
    }


def _entry(item: Item, prepared: Prepared) -> Json:
    entry: Json = {
        "id": item.id,
        "title": item.title,
        "rules": list(item.rules),
        "level": level_of(prepared).value,
        "replay": {"op": "replay", "deals": prepared.deals},
        "views": prepared.expected,
        "stated": [_statement(statement) for statement in prepared.statements],
    }
    if isinstance(item, Scenario):
        entry["why"] = item.why
    return entry


def _statement(statement: Statement) -> Json:
    """One statement; its kinds are those of `views.Statement`."""
    plain: Json = {"deal": statement.deal, "view": statement.view, "kind": statement.kind}
    value = statement.value
    if statement.kind in ("accepted", "refused"):
        plain |= {"seat": statement.path[0], "action": statement.path[1]}
        if statement.kind == "refused":
            plain["because"] = value
    elif statement.kind == "value":
        plain |= {"path": list(statement.path), "value": value}
    elif statement.kind == "cards":
        hand, legal = value
        plain |= {"seat": statement.path[0], "hand": list(hand), "legal": list(legal)}
    elif statement.kind == "winner":
        plain["seat"] = value
    elif statement.kind == "legal":
        plain |= {"seat": statement.path[0], "actions": list(value)}
    else:
        plain |= {"seat": statement.path[0], "action": value}
    return plain
