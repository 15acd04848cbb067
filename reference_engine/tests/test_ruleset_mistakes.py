"""Every mistake in a ruleset is told with file, line and field."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from ruleset_files import mistake, write

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset, resolve, shipped_rulesets

PAGAT = load_ruleset("pagat")


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


@pytest.mark.parametrize("name", shipped_rulesets())
def test_no_other_file_is_called_as_a_shipped_ruleset(tmp_path: Path, name: str) -> None:
    shipped = spec_root() / "rulesets" / f"{name}.yaml"
    assert load_ruleset(shipped) == load_ruleset(name)
    error = mistake(write(tmp_path, f"extends: {name}\nruleset: {name} # here\n"))
    assert error.field == "ruleset"
    assert str(error.hint).startswith(f"call it something of your own, such as my-{name};")


def test_no_file_that_is_extended_is_called_so_either(tmp_path: Path) -> None:
    other = write(tmp_path, "ruleset: pagat\nextends: wikipedia\n", "theirs")
    path = write(tmp_path, "ruleset: mine\nextends: theirs\n")
    with pytest.raises(SpecError, match="pagat is the name of a ruleset of the suite") as caught:
        load_ruleset(path)
    assert (caught.value.file, caught.value.line) == (str(other), 1)


def test_a_file_beside_may_not_stand_in_for_a_shipped_ruleset(tmp_path: Path) -> None:
    write(tmp_path, "ruleset: mine\nextends: wikipedia\n", "pagat")
    error = mistake(write(tmp_path, "ruleset: ours\nextends: pagat # here\n", "ours"))
    assert error.field == "extends"
    assert "there is a file pagat.yaml here, too" in error.message
    assert "my-pagat.yaml" in str(error.hint)


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
        "'ring' is a new contract, and must say which one it is above",
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
