"""Replay: several deals in a row, and records from outside that are not what they should be."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PAGAT, examples

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay

HANDS = {
    "N": ["AH", "TH", "KH", "QD", "JD"],
    "E": ["AC", "TC", "KC", "QC", "JC"],
    "S": ["AS", "TS", "KS", "QS", "JS"],
    "W": ["QH", "JH", "AD", "TD", "KD"],
}
FARBEN_GANG = {"name": "farben-gang", "declarer": "S", "trump": "H"}


def deal(**changes: Any) -> dict[str, Any]:
    record = {"dealer": "W", "hands": HANDS, "scores": {"NS": 0, "EW": 0}, "actions": []}
    return {**record, **changes}


def follow_up(**changes: Any) -> dict[str, Any]:
    return {"hands": HANDS, "actions": [], **changes}


# --------------------------------------------------------------------------- several deals


def test_dealer_and_score_go_on_from_deal_to_deal() -> None:
    first = deal(scores={"NS": 2, "EW": 5}, contract=FARBEN_GANG, actions=[["S", "show"]])
    views = replay(PAGAT, [first, follow_up()])
    assert views[0][-1]["scores"] == {"NS": 20, "EW": 5}
    assert views[0][-1]["next_dealer"] == "N"
    assert views[1][0]["scores"] == {"NS": 20, "EW": 5}
    assert views[1][0]["to_act"] == "E"


def test_a_new_game_begins_at_nothing_and_the_deal_goes_round() -> None:
    # match.restart: the view that ends a game shows the score before the reset
    first = deal(scores={"NS": 6, "EW": 5}, contract=FARBEN_GANG, actions=[["S", "show"]])
    second = follow_up(contract={**FARBEN_GANG, "declarer": "E"}, actions=[["E", "show"]])
    views = replay(PAGAT, [first, second, follow_up()])
    assert views[0][-1]["scores"] == {"NS": 24, "EW": 5}
    assert views[0][-1]["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 1}}
    assert views[1][0]["scores"] == {"NS": 0, "EW": 0}
    assert views[1][0]["game"] is None
    assert views[1][-1]["scores"] == {"NS": 0, "EW": 18}
    assert [views[1][-1]["next_dealer"], views[2][0]["to_act"]] == ["E", "S"]


def test_refused_actions_are_answered_and_the_play_goes_on() -> None:
    record = deal(actions=[["E", "trump H"], ["N", "no such thing"], ["N", "trump H"]])
    views = replay(PAGAT, [record])[0]
    assert [view.get("refused") for view in views] == [
        *(None, "deal.forehand-names", "notation.action", None)
    ]
    assert views[-1]["trump"] == "H"


@pytest.mark.parametrize("missing", ["dealer", "scores"])
def test_after_an_unfinished_deal_dealer_and_scores_must_be_given(missing: str) -> None:
    second = deal()
    del second[missing]
    with pytest.raises(SpecError, match="no deal before this one has ended") as caught:
        replay(PAGAT, [deal(), second])
    assert caught.value.field == f"deals[1].{missing}"


# --------------------------------------------------------------------------- bad records

WITHOUT = object()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"dealer": WITHOUT}, "dealer"),
        ({"dealer": "X"}, "dealer"),
        ({"dealer": None}, "dealer"),
        ({"dealer": ["W"]}, "dealer"),
        ({"dealer": "NORTH"}, "dealer"),
        ({"scores": WITHOUT}, "scores"),
        ({"scores": None}, "scores"),
        ({"scores": [0, 0]}, "scores"),
        ({"scores": {"NS": 0}}, "scores"),
        ({"scores": {"NS": 0, "EW": -1}}, "scores"),
        ({"scores": {"NS": 0, "EW": 1.5}}, "scores"),
        ({"scores": {"NS": 0, "EW": True}}, "scores"),
        ({"scores": {"NS": 0, "EW": "7"}}, "scores"),
        ({"hands": WITHOUT}, "hands"),
        ({"hands": "AH"}, "hands"),
        ({"hands": list(HANDS.values())}, "hands"),
        ({"hands": {**HANDS, "X": []}}, "hands"),
        ({"hands": {**HANDS, "N": "AH TH KH QD JD"}}, "hands.N"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD"]}}, "hands"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD", "JD", "QH"]}}, "hands"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD", "QD"]}}, "hands"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD", "AC"]}}, "hands"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD", "1D"]}}, "hands.N"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD", None]}}, "hands.N"),
        ({"hands": {**HANDS, "N": ["AH", "TH", "KH", "QD", ["JD"]]}}, "hands.N"),
        ({"hands": {**HANDS, "N": None}}, "hands.N"),
        ({"actions": None}, "actions"),
        ({"actions": "N pass"}, "actions"),
        ({"actions": {"N": "pass"}}, "actions"),
        ({"actions": 5}, "actions"),
        ({"actions": ["N pass"]}, "actions[0]"),
        ({"actions": [["N", "trump H"], ["N"]]}, "actions[1]"),
        ({"actions": [["N", "trump H", "pass"]]}, "actions[0]"),
        ({"actions": [None]}, "actions[0]"),
        ({"actions": [["X", "pass"]]}, "actions[0]"),
        ({"actions": [[0, "pass"]]}, "actions[0]"),
        ({"actions": [[["N"], "pass"]]}, "actions[0]"),
        ({"contract": "gang"}, "contract"),
        ({"contract": []}, "contract"),
        ({"contract": {}}, "contract.name"),
        ({"contract": {**FARBEN_GANG, "name": "plauderer"}}, "contract.name"),
        ({"contract": {**FARBEN_GANG, "name": ["gang"]}}, "contract.name"),
        ({"contract": {**FARBEN_GANG, "declarer": None}}, "contract.declarer"),
        ({"contract": {**FARBEN_GANG, "trump": "N"}}, "contract.trump"),
        ({"contract": {**FARBEN_GANG, "trump": 1}}, "contract.trump"),
        ({"contract": {"name": "normal", "declarer": "N"}}, "contract.trump"),
        ({"contract": {"name": "normal", "declarer": "N", "trump": None}}, "contract.trump"),
    ],
)
def test_bad_records_are_told_with_the_field(changes: dict[str, Any], field: str) -> None:
    record = {key: value for key, value in deal(**changes).items() if value is not WITHOUT}
    before = copy.deepcopy(record)
    with pytest.raises(SpecError) as caught:
        replay(PAGAT, [record])
    assert caught.value.field == f"deals[0].{field}"
    assert "\n" not in str(caught.value)
    assert record == before


@pytest.mark.parametrize("deals", [None, "deals", 3, {"dealer": "N"}])
def test_deals_are_a_list(deals: Any) -> None:
    with pytest.raises(SpecError, match="list"):
        replay(PAGAT, deals)


@pytest.mark.parametrize("record", [None, "deal", 3, [], True])
def test_a_deal_is_a_mapping(record: Any) -> None:
    with pytest.raises(SpecError, match="mapping") as caught:
        replay(PAGAT, [deal(), record])
    assert caught.value.field == "deals[1]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["N", "AH", "pass"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.sampled_from(["dealer", "hands", "scores", "actions", "contract"]), JSON)
@examples(200)
def test_nothing_but_a_spec_error_comes_of_any_json(key: str, value: Any) -> None:
    try:
        views = replay(PAGAT, [deal(**{key: value})])
    except SpecError as error:
        assert error.field is not None  # noqa: PT017 - either outcome is right
        return
    assert len(views) == 1
