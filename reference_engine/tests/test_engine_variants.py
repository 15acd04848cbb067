"""What must hold under any house rules: checked on random rulesets and random lines of play."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    SEATS,
    Deal,
    choices,
    choose,
    deals_from_trump,
    every_action,
    examples,
    refusal,
)

from bauernschnapsen import table
from bauernschnapsen.cards import POINTS
from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import cards_in
from bauernschnapsen.position import OVER, Position
from bauernschnapsen.ruleset import Rules, compile_rules, load_ruleset, vary

PAGAT = load_ruleset("pagat")
SCHEMA = json.loads((schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8"))["$defs"]
# Three seats and their talon are another game.
FIXED = {"name", "like", "above", "seats", "talon_cards", "talon_raise", "no_talon_bonus"}


def values(field: dict[str, Any]) -> list[Any]:
    """Return the values a field of the schema may have, or some of them."""
    if "$ref" in field:
        return values(SCHEMA[field["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in field:
        return [value for one in field["anyOf"] for value in values(one)]
    if "const" in field:
        return [field["const"]]
    if "enum" in field:
        return list(field["enum"])
    some: dict[str, list[Any]] = {
        "boolean": [True, False],
        "integer": [1, 2, 3, 5],
        "array": [[3, 2], [2, 3], [1, 2, 2]],
    }
    return some[field["type"]]


def changes(part: str, most: int) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a few changed fields of a contract or of the options."""
    choice = [
        (name, value)
        for name, field in SCHEMA[part]["properties"].items()
        if name not in FIXED
        for value in values(field)
    ]
    return st.lists(st.sampled_from(choice), max_size=most).map(dict)


def test_every_field_of_the_vocabulary_is_tried() -> None:
    for part in ("contract", "options"):
        for name, field in SCHEMA[part]["properties"].items():
            assert name in FIXED or len(values(field)) > 1, name


rulesets = st.fixed_dictionaries(
    {
        "all_contracts": changes("contract", 2),
        "contracts": st.dictionaries(
            st.sampled_from(list(PAGAT["contracts"])), changes("contract", 5), max_size=6
        ),
        "options": changes("options", 8),
    }
)


def rules_with(changed: dict[str, Any]) -> Rules:
    """Compile changed rules; examples that make no sense are left out."""
    try:
        return compile_rules(vary(PAGAT, changed))
    except SpecError:
        assume(False)
        raise


def check(position: Position, rules: Rules) -> None:
    """Check what holds in every position."""
    held = sum(POINTS[card] for hand in position.hands for card in cards_in(hand))
    on_table = sum(POINTS[card] for _, card in position.trick)
    assert sum(position.points) - sum(position.declared) + on_table + held == 120
    legal = table.legal_actions(position)
    table.view(position)
    if position.phase == OVER:
        assert legal == {}
        return
    assert position.turn is not None
    assert legal[position.turn]
    accepts_more = rules.options.bid_too_low == "counts_as_pass"
    for seat in SEATS:
        allowed = legal.get(seat, [])
        assert len(set(allowed)) == len(allowed)
        for action in every_action(rules):
            accepted = refusal(position, seat, action) is None
            if action.verb != "bid" or not accepts_more:
                assert accepted == (action in allowed), (seat, action)
            elif action in allowed:
                assert accepted


@pytest.mark.slow
@given(rulesets, deals_from_trump, choices)
@examples(150)
def test_any_house_rules_can_be_played(changed: dict[str, Any], deal: Deal, choice: bytes) -> None:
    rules = rules_with(changed)
    if rules.sides == 4:
        deal = deal._replace(scores=(*deal.scores, 0, 0))  # type: ignore[arg-type]
    position = deal.begin(rules)
    for byte in choice:
        check(position, rules)
        if position.phase == OVER:
            break
        position = table.apply(position, *choose(position, byte))
    assert position.phase == OVER
    if position.outcome is not None:
        assert max(position.outcome.awards) > 0 == min(position.outcome.awards)
