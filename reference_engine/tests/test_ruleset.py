"""Rulesets: what they resolve to, and how every mistake in one is told."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruleset_files import write
from strategies import examples

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import (
    Resolved,
    compile_rules,
    load_ruleset,
    resolve,
    rules_of,
    shipped_rulesets,
    vary,
)

PAGAT = load_ruleset("pagat")


# --------------------------------------------------------------------------- pagat


@pytest.mark.parametrize(
    ("name", "value", "bidders", "leads", "tricks"),
    [
        # F is 0, P 1, M 2, D 3 (rules.md, section 2).
        ("normal", 1, {0}, "forehand", 5),
        ("bettler", 4, {0, 1, 2, 3}, "declarer", 5),
        ("schnapser", 6, {0, 2}, "forehand", 3),
        ("gang", 9, {0, 1, 2, 3}, "declarer", 5),
        ("zehner-gang", 10, {0, 1, 2, 3}, "declarer", 5),
        ("kontra-schnapser", 12, {1, 3}, "forehand", 3),
        ("bauern-schnapser", 12, {0, 2}, "forehand", 5),
        ("farben-gang", 18, {1, 2, 3}, None, None),
        ("kontra-bauern-schnapser", 24, {1, 3}, "forehand", 5),
        ("herren-schnapser", 24, {0}, None, None),
    ],
)
def test_the_ten_contracts_of_the_main_ruleset(
    name: str, value: int, bidders: set[int], leads: str | None, tricks: int | None
) -> None:
    contract = rules_of("pagat").by_name[name]
    assert contract.value == value
    assert contract.bidders == bidders
    assert (contract.goal == "shown") == (leads is None)
    if leads is not None:
        assert contract.lead == leads
        assert contract.tricks == tricks


def test_the_contracts_rank_in_the_listed_order() -> None:
    rules = rules_of("pagat")
    assert [contract.name for contract in rules.contracts] == [
        *("normal", "bettler", "schnapser", "gang", "zehner-gang", "kontra-schnapser"),
        *("bauern-schnapser", "farben-gang", "kontra-bauern-schnapser", "herren-schnapser"),
    ]
    assert [contract.rank for contract in rules.contracts] == list(range(10))


def test_partners_sit_opposite() -> None:
    rules = rules_of("pagat")
    assert rules.side_of == (0, 1, 0, 1)
    assert (rules.seats, rules.sides, rules.hand_size) == (4, 2, 5)


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_shipped_ruleset_is_complete_and_stays_as_it_is(name: str) -> None:
    resolved = load_ruleset(name)
    assert resolved["ruleset"] == name
    assert validate(resolved, "ruleset") == []
    assert resolve(resolved, None) == resolved
    assert list(resolve(resolved, None)["contracts"]) == list(resolved["contracts"])
    rules = compile_rules(resolved)
    played = [key for key, contract in resolved["contracts"].items() if contract["played"]]
    assert list(rules.by_name) == played


def test_unknown_names_are_told_with_those_there_are() -> None:
    with pytest.raises(SpecError, match="there is no ruleset 'pagatt'") as caught:
        load_ruleset("pagatt")
    assert "pagat" in str(caught.value.hint)


@pytest.mark.parametrize(
    "name", ["../pagat", "/etc/passwd\x00", "a" * 5000, "", "no/such/file.yaml"]
)
def test_hostile_names_are_one_clear_line(name: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_ruleset(name)
    assert len(str(caught.value)) < 6000
    assert "\n" not in str(caught.value)


# --------------------------------------------------------------------------- resolving


def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
ruleset: mine
extends: pagat
contracts: {bettler: {value: 5, partner: plays}, zehner-gang: {played: false}}
options: {claim_by: side}
""",
    )
    mine = load_ruleset(path)
    expected = copy.deepcopy(PAGAT)
    expected["contracts"]["bettler"] |= {"value": 5, "partner": "plays"}
    expected["contracts"]["zehner-gang"]["played"] = False
    expected["options"]["claim_by"] = "side"
    assert mine["contracts"] == expected["contracts"]
    assert list(mine["contracts"]) == list(PAGAT["contracts"])
    assert mine["options"] == expected["options"]
    assert mine["ruleset"] == "mine"
    assert "title" not in mine
    assert "zehner-gang" not in compile_rules(mine).by_name


def test_files_extend_each_other_step_by_step(tmp_path: Path) -> None:
    write(tmp_path, "ruleset: club\nextends: pagat\noptions: {target: 21, schneider: 1}\n", "club")
    path = write(tmp_path, "ruleset: mine\nextends: club\noptions: {target: 12}\n")
    options = load_ruleset(path)["options"]
    assert (options["target"], options["schneider"], options["kontra_levels"]) == (12, 1, 3)


def test_all_contracts_are_set_before_single_ones(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
ruleset: mine
extends: pagat
all_contracts: {kontra: refused}
contracts: {normal: {kontra: allowed}}
""",
    )
    contracts = load_ruleset(path)["contracts"]
    assert {name for name, contract in contracts.items() if contract["kontra"] == "allowed"} == {
        "normal"
    }


def test_a_contract_of_ones_own_is_like_another_and_above_one(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
ruleset: mine
extends: pagat
contracts:
  klub-gang: {like: gang, above: gang, value: 11, name: {en: Club Gang}}
  klub-ring: {like: klub-gang, above: klub-gang, ranks: TKQJA}
""",
    )
    contracts = load_ruleset(path)["contracts"]
    order = list(contracts)
    start = order.index("gang")
    assert order[start : start + 4] == ["gang", "klub-gang", "klub-ring", "zehner-gang"]
    gang = {**contracts["gang"], "value": 11, "above": "gang", "name": {"en": "Club Gang"}}
    assert contracts["klub-gang"] == gang
    ring = {**gang, "ranks": "TKQJA", "above": "klub-gang"}
    del ring["name"]  # a name is one's own
    assert contracts["klub-ring"] == ring
    assert contracts["zehner-gang"]["above"] == "klub-ring"


def test_contracts_can_change_places(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
ruleset: mine
extends: pagat
contracts:
  bauern-schnapser: {above: zehner-gang}
  bettler: {above: schnapser-mit-mann}
""",
    )
    played = [contract.name for contract in compile_rules(load_ruleset(path)).contracts]
    assert played[:4] == ["normal", "schnapser", "bettler", "gang"]
    assert played[4:7] == ["zehner-gang", "bauern-schnapser", "kontra-schnapser"]


@given(
    st.permutations(list(PAGAT["contracts"])),
    st.permutations(list(PAGAT["contracts"]["gang"])),
    st.permutations(list(PAGAT["options"])),
)
@examples(60)
def test_the_order_of_keys_in_a_resolved_ruleset_means_nothing(
    names: list[str], keys: list[str], options: list[str]
) -> None:
    outside = json.loads(json.dumps(PAGAT))
    contracts = outside["contracts"]
    outside["contracts"] = {name: {key: contracts[name][key] for key in keys} for name in names}
    outside["options"] = {option: outside["options"][option] for option in options}
    assert validate(outside, "ruleset") == []
    again = resolve(outside, None)
    assert again == PAGAT
    assert list(again["contracts"]) == list(PAGAT["contracts"])
    ranked = [contract.name for contract in compile_rules(again).contracts]
    assert ranked == [contract.name for contract in rules_of("pagat").contracts]


# --------------------------------------------------------------------------- varying


def test_varying_nothing_changes_nothing() -> None:
    assert vary(PAGAT, {}) == PAGAT


def test_varying_changes_what_is_said_and_keeps_the_base() -> None:
    before = copy.deepcopy(PAGAT)
    varied = vary(
        PAGAT,
        {
            "all_contracts": {"undertrump": "free"},
            "contracts": {"bettler": {"value": 5}, "ring": {"like": "gang", "above": "gang"}},
            "options": {"kontra_levels": 1},
        },
    )
    assert before == PAGAT
    assert varied["contracts"]["bettler"]["value"] == 5
    assert all(contract["undertrump"] == "free" for contract in varied["contracts"].values())
    assert varied["options"] == {**PAGAT["options"], "kontra_levels": 1}
    assert varied["title"] == PAGAT["title"]
    assert varied["contracts"]["ring"]["value"] == 9
    assert vary(varied, {"options": {"kontra_levels": 3}})["options"] == PAGAT["options"]
    assert resolve(varied, None) == varied


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"option": {}}, "option"),
        ({"extends": "pagat"}, "extends"),
        ({"ruleset": "other"}, "ruleset"),
        ({"options": {"claims_by": "side"}}, "options.claims_by"),
        ({"options": {"packets": [4]}}, "options.packets"),
        ({"options": {"claim_by": "nobody"}}, "options.claim_by"),
        ({"contracts": {"gang": {"value": 0}}}, "contracts.gang.value"),
        ({"contracts": {"ring": {"value": 3}}}, "contracts.ring"),
        ({"contracts": {"gang": {"above": "zehner-gang"}, "zehner-gang": {"above": "gang"}}}, ""),
        ({"contracts": []}, "contracts"),
        ({"options": None}, "options"),
    ],
)
def test_varying_nonsense_is_told_with_the_field(changes: Any, field: str) -> None:
    with pytest.raises(SpecError) as caught:
        vary(PAGAT, changes)
    assert str(caught.value.field).startswith(field)


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("options", "target", 24.0), ("options", "packets", [3.0, 2.0]), ("options", "seats", 4.0)],
)
def test_numbers_with_a_point_are_no_whole_numbers(section: str, key: str, value: object) -> None:
    outside: Resolved = copy.deepcopy(PAGAT)
    outside[section][key] = value
    with pytest.raises(SpecError, match="not written as a whole number") as caught:
        resolve(outside, None)
    assert caught.value.field == f"{section}.{key}"


def test_a_value_with_a_point_is_no_whole_number() -> None:
    with pytest.raises(SpecError, match="not written as a whole number") as caught:
        vary(PAGAT, {"contracts": {"gang": {"value": 9.0}}})
    assert caught.value.field == "contracts.gang.value"
