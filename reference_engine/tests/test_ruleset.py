"""Rulesets: what they resolve to, and how every mistake in one is told."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
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


def write(folder: Path, text: str, name: str = "mine") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def mistake(path: Path) -> SpecError:
    """Load a file whose mistake is marked by a comment, and return the error if it points there."""
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [number for number, line in enumerate(lines, 1) if line.endswith("# here")]
    with pytest.raises(SpecError) as caught:
        load_ruleset(path)
    error = caught.value
    assert error.file == str(path)
    assert error.line == marked[0], str(error)
    assert str(error).startswith(f"{path}:{marked[0]}: {error.field}: ")
    assert "\n" not in str(error)
    return error


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


# --------------------------------------------------------------------------- mistakes


def test_rulesets_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path, "ruleset: theirs\nextends: mine # here\n", "theirs")
    path = write(tmp_path, "ruleset: mine\nextends: theirs # here\n")
    error = mistake(path)
    assert error.field == "extends"
    assert "mine -> theirs -> mine" in error.message


def test_a_ruleset_that_extends_itself(tmp_path: Path) -> None:
    error = mistake(write(tmp_path, "ruleset: mine\nextends: mine # here\n"))
    assert (error.field, "circle" in error.message) == ("extends", True)


def test_a_chain_that_is_too_long_is_not_called_a_circle(tmp_path: Path) -> None:
    for number in range(12):
        write(tmp_path, f"ruleset: r{number}\nextends: r{number + 1}\n", f"r{number}")
    write(tmp_path, "ruleset: r12\nextends: pagat\n", "r12")
    assert load_ruleset(tmp_path / "r6.yaml")["ruleset"] == "r6"
    with pytest.raises(SpecError, match="too many rulesets") as caught:
        load_ruleset(tmp_path / "r0.yaml")
    assert (caught.value.field, caught.value.line) == ("extends", 2)


def test_a_mistake_in_an_extended_file_is_told_there(tmp_path: Path) -> None:
    other = write(tmp_path, "ruleset: theirs\nextends: pagat\noptions: {tarjet: 3}\n", "theirs")
    path = write(tmp_path, "ruleset: mine\nextends: theirs\n")
    with pytest.raises(SpecError) as caught:
        load_ruleset(path)
    assert (caught.value.file, caught.value.line) == (str(other), 3)


MISTAKES = {
    "extends an unknown ruleset": (
        "ruleset: mine\nextends: pagatt # here\n",
        "extends",
        "there is no ruleset 'pagatt'",
    ),
    "two contracts on one rank": (
        """
ruleset: mine
extends: pagat
contracts:
  one: {like: gang, above: gang}
  two: {like: gang, above: gang} # here
""",
        "contracts.two.above",
        "two and one are both directly above gang",
    ),
    "two lowest contracts": (
        """
ruleset: mine
extends: pagat
contracts:
  one: {like: gang, above: none}
  two: {like: gang, above: none} # here
""",
        "contracts.two.above",
        "two and one are both directly above none",
    ),
    "above an unknown contract": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  gang: {above: nothing-at-all} # here\n",
        "contracts.gang.above",
        "there is no other contract 'nothing-at-all'",
    ),
    "above itself": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  gang: {above: gang} # here\n",
        "contracts.gang.above",
        "there is no other contract 'gang'",
    ),
    "above each other": (
        """
ruleset: mine
extends: pagat
contracts:
  gang: {above: bettler} # here
  bettler: {above: gang}
""",
        "contracts.gang.above",
        "contracts are above each other in a circle",
    ),
    "a new contract without a place": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  ring: {like: gang} # here\n",
        "contracts.ring",
        "a new contract must say which one it is above",
    ),
    "like an unknown contract": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  ring: {like: gangg, above: gang} # here\n",
        "contracts.ring.like",
        "there is no contract 'gangg'",
    ),
    "like itself": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  ring: {like: ring, above: gang} # here\n",
        "contracts.ring.like",
        "contracts are like each other in a circle",
    ),
    "like each other": (
        """
ruleset: mine
extends: pagat
contracts:
  one: {like: two, above: gang} # here
  two: {like: one, above: one}
""",
        "contracts.one.like",
        "contracts are like each other in a circle",
    ),
    "a contract that lacks fields": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  ring: {above: gang, value: 3} # here\n",
        "contracts.ring",
        "fields are missing: played, bidders, hold",
    ),
    "a contract that nobody can bid": (
        """
ruleset: mine
extends: pagat
options: {sides: single}
contracts:
  schnapser-mit-mann: {played: true}
  freundschaftsschnapser:
    played: true
    bidders: partner # here
""",
        "contracts.freundschaftsschnapser.bidders",
        "nobody can bid freundschaftsschnapser",
    ),
    "no contract to open with": (
        """
ruleset: mine
extends: pagat
contracts: # here
  normal: {played: false}
  bettler: {played: false}
  schnapser: {played: false}
  gang: {bidders: not_forehand}
  zehner-gang: {bidders: opponents}
  bauern-schnapser: {bidders: partner}
""",
        "contracts",
        "forehand has no contract to open with",
    ),
    "an opening pass that can stand for nothing": (
        """
ruleset: mine
extends: pagat
contracts: {normal: {played: false}, bettler: {bidders: opponents}}
options:
  opening: pass_means_normal # here
""",
        "options.opening",
        "forehand's pass cannot stand for the lowest contract",
    ),
    "an unknown field of a contract": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  gang: {valu: 3} # here\n",
        "contracts.gang.valu",
        "",
    ),
    "an unknown option": (
        "ruleset: mine\nextends: pagat\noptions:\n  claims_by: side # here\n",
        "options.claims_by",
        "",
    ),
    "an unknown key": ("ruleset: mine\nextends: pagat\noption: {target: 3} # here\n", "option", ""),
    "a contract field among the options": (
        "ruleset: mine\nextends: pagat\noptions:\n  ranks: ATKQJ # here\n",
        "options.ranks",
        "",
    ),
    "an unknown value": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  gang:\n    lead: dealer # here\n",
        "contracts.gang.lead",
        "",
    ),
    "a number in quotes": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  gang:\n    value: '9' # here\n",
        "contracts.gang.value",
        "",
    ),
    "a rank order with a card twice": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  gang:\n    ranks: ATKQQ # here\n",
        "contracts.gang.ranks",
        "",
    ),
    "too few cards dealt": (
        "ruleset: mine\nextends: pagat\noptions:\n  packets: [3, 1] # here\n",
        "options.packets",
        "the packets and the talon deal 16 of 20 cards",
    ),
    "too many cards dealt": (
        "ruleset: mine\nextends: pagat\noptions:\n  packets: [3, 3] # here\n",
        "options.packets",
        "the packets and the talon deal 24 of 20 cards",
    ),
    "a talon where all cards are dealt": (
        "ruleset: mine\nextends: pagat\noptions:\n  packets: [3, 2] # here\n  talon_cards: 2\n",
        "options.packets",
        "the packets and the talon deal 22 of 20 cards",
    ),
    "three seats and all cards": (
        """
ruleset: mine
extends: pagat
options:
  seats: 3
  sides: single
  packets: [3, 2] # here
""",
        "options.packets",
        "the packets and the talon deal 15 of 20 cards",
    ),
    "three partners": (
        "ruleset: mine\nextends: pagat\noptions:\n  seats: 3\n  sides: partners # here\n",
        "options.sides",
        "partners need an even number of seats",
    ),
    "nothing left to turn up": (
        "ruleset: mine\nextends: pagat\noptions:\n  packets: [5]\n  turn_up: either # here\n",
        "options.turn_up",
        "too few cards are unseen",
    ),
    "more tricks than cards": (
        "ruleset: mine\nextends: pagat\ncontracts:\n  schnapser:\n    tricks: 6 # here\n",
        "contracts.schnapser.tricks",
        "a hand has only 5 cards",
    ),
    "one place for every contract": (
        "ruleset: mine\nextends: pagat\nall_contracts:\n  above: gang # here\n",
        "all_contracts.above",
        "cannot be the same for every contract",
    ),
    "one model for every contract": (
        "ruleset: mine\nextends: pagat\nall_contracts:\n  like: gang # here\n",
        "all_contracts.like",
        "cannot be the same for every contract",
    ),
    "one name for every contract": (
        "ruleset: mine\nextends: pagat\nall_contracts:\n  name: {en: Game} # here\n",
        "all_contracts.name",
        "cannot be the same for every contract",
    ),
}


@pytest.mark.parametrize(("text", "field", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_told_with_file_line_and_field(
    tmp_path: Path, text: str, field: str, message: str
) -> None:
    error = mistake(write(tmp_path, text))
    assert error.field == field
    assert message in error.message


def test_a_ruleset_that_stands_alone_needs_every_option(tmp_path: Path) -> None:
    path = write(tmp_path, "ruleset: mine\ncontracts: {}\noptions: {seats: 4} # here\n")
    error = mistake(path)
    assert error.field == "options"
    assert error.message.startswith("options are missing: sides, packets, talon_cards, phases")


def test_a_ruleset_that_stands_alone_needs_every_field(tmp_path: Path) -> None:
    options = json.dumps(PAGAT["options"])
    path = write(
        tmp_path,
        f"ruleset: mine\noptions: {options}\ncontracts:\n  only: {{goal: shown}} # here\n",
    )
    error = mistake(path)
    assert error.field == "contracts.only"
    assert error.message.startswith("fields are missing: played, value, bidders, hold")


def test_a_ruleset_without_contracts_is_none(tmp_path: Path) -> None:
    options = json.dumps(PAGAT["options"])
    with pytest.raises(SpecError, match="forehand has no contract to open with"):
        load_ruleset(write(tmp_path, f"ruleset: mine\noptions: {options}\n"))


def test_every_field_and_option_is_needed() -> None:
    for option in PAGAT["options"]:
        lacking = copy.deepcopy(PAGAT)
        del lacking["options"][option]
        with pytest.raises(SpecError, match=f"options are missing: {option}"):
            resolve(lacking, None)
    for field in PAGAT["contracts"]["gang"]:
        if field != "above":
            lacking = copy.deepcopy(PAGAT)
            del lacking["contracts"]["gang"][field]
            with pytest.raises(SpecError, match=f"fields are missing: {field}") as caught:
                resolve(lacking, None)
            assert caught.value.field == "contracts.gang"


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
