"""Texts of rules follow the ruleset; `explain` says what options, fields and contracts mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from house_rules import run_command

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import (
    Resolved,
    compile_rules,
    load_ruleset,
    shipped_rulesets,
    vary,
)
from bauernschnapsen.sheet import written
from bauernschnapsen_conformance.corpus.options import (
    allowed_values,
)
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.wording import fill_in, rule_note, rule_text

PAGAT = load_ruleset("pagat")
SCHEMA = json.loads((schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8"))["$defs"]


# ----------------------------------------------------------------------------- rule texts


def variants() -> Iterator[tuple[str, Resolved]]:
    """Pagat with every option, and every field of all contracts, changed alone."""
    for part, group in (("options", "options"), ("contract", "all_contracts")):
        for name, schema in SCHEMA[part]["properties"].items():
            for key in allowed_values(schema)[0]:
                value: Any = key
                if schema.get("type") == "array" or name == "phases":
                    value = key.split(" ")
                elif key.isdigit():
                    value = int(key)
                elif schema.get("type") == "boolean":
                    value = key == "true"
                try:
                    yield f"{name}={key}", vary(PAGAT, {group: {name: value}})
                except SpecError:
                    continue
    for name in shipped_rulesets():
        yield name, load_ruleset(name)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_ruleset_leaves_a_gap_in_a_rule(language: str) -> None:
    count = 0
    for name, ruleset in variants():
        for rule in load_rules().values():
            for said in (rule_text(rule, ruleset, language), rule_note(rule, ruleset, language)):
                assert not re.search(r"[{}]|  | [,.;]|^[a-zäöü]", said), (name, rule.id, said)
                count += bool(said)
    assert count > 10_000


def test_every_rule_of_the_main_ruleset_says_something() -> None:
    silent = [rule for rule in load_rules().values() if not rule_text(rule, PAGAT)]
    assert {rule.chapter for rule in silent} == {"talon"}
    # Some say nothing unless a table of three has agreed on it, such as raising the contract.
    agreed = {"talon_raise": "allowed", "no_talon_precedence": "present"}
    completed = {"farben-gang": {"held_at": "after_talon"}}
    three = load_ruleset("talon")
    tables = (three, vary(three, {"options": agreed, "contracts": completed}))
    assert all(any(rule_text(rule, table) for table in tables) for rule in silent)


def test_texts_by_an_option_name_its_values() -> None:
    """A text for a value that the schema does not know would never be read."""
    for rule in load_rules().values():
        for path, texts in rule.data.get("text_by", {}).items():
            part = "options" if path.startswith("options.") else "contract"
            schema = SCHEMA[part]["properties"][path.rpartition(".")[2]]
            keys, is_open = allowed_values(schema)
            mixed = {"mixed"} if "[" in path else set()
            assert is_open or set(texts) <= {*keys, *mixed}, rule.id
            assert not mixed or "mixed" in texts, rule.id


def test_rules_follow_the_ruleset() -> None:
    rules = load_rules()
    ukrainian, conservative = load_ruleset("ukrainian"), load_ruleset("conservative")
    assert "need not" not in rule_text(rules["play.beat"], PAGAT)
    assert rule_text(rules["play.beat"], ukrainian).endswith("whether or not it beats.")
    assert rule_text(rules["claims.enough"], ukrainian) == ""
    assert rule_note(rules["claims.enough"], ukrainian) == ""
    order = rule_text(rules["auction.order"], conservative)
    assert "Bettler" not in order
    assert order.endswith("Kontra-Schnapser, Bauern-Schnapser and Kontra-Bauern-Schnapser.")
    assert rule_text(rules["contracts.not-played"], conservative) == ""
    mixed = vary(PAGAT, {"contracts": {"schnapser": {"lead": "declarer"}}})
    said = rule_text(rules["play.forehand-leads"], mixed)
    assert said.endswith("but the declarer does in Schnapser.")
    own = {"like": "gang", "above": "gang", "trump": "named", "name": {"en": "House Gang"}}
    house = vary(PAGAT, {"contracts": {"haus": own}})
    assert "House Gang" in rule_text(rules["contracts.trump-suit"], house)
    short = vary(PAGAT, {"options": {"target": 12, "retourschneider": 4}})
    for table, target in ((PAGAT, "24"), (short, "12")):
        assert f"short of {target} while" in rule_text(rules["match.retourschneider"], table)
    assert fill_in("{contracts[goal=shown]|or}", PAGAT) == "Farben-Gang or Herren-Schnapser"
    assert (
        fill_in("{contracts[value=24]}", PAGAT, "de") == "Kontrabauernschnapser und Herrenschnapser"
    )
    assert fill_in("{contracts[value=99]}", PAGAT) == ""


# ----------------------------------------------------------------------------- explain


@pytest.mark.slow
def test_explain_options_fields_and_contracts() -> None:
    code, out = run_command("explain", "options.claim_by")
    assert code == 0
    assert "* leader: Only whoever has just won the trick" in out
    assert "claims.options.by-the-partner" in out
    code, out = run_command("explain", "contracts.bettler.value")
    assert (code, "  5: It is worth 5 game points." in out) == (0, True)
    assert "U7" in out
    code, out = run_command("explain", "plauderer", "--language", "de")
    assert (code, "Der Ansager darf keinen Stich machen." in out) == (0, True)
    code, out = run_command("explain", "play.beat", "--ruleset", "ukrainian")
    assert (code, "whether or not it beats." in out) == (0, True)
    code, out = run_command("explain", "claim_bye")
    assert (code, "did you mean 'claim_by'" in out) == (2, True)
    assert run_command("explain", "play.beat", "--language", "xx")[0] == 2


def test_a_score_that_counts_down_is_written_down() -> None:
    rules = compile_rules(load_ruleset("luschentreff"))
    assert [written(rules, points) for points in (0, 1, 23, 24, 40)] == [24, 23, 1, 0, 0]
    up = compile_rules(PAGAT)
    assert [written(up, points) for points in (0, 23, 40)] == [0, 23, 40]
    scenario = "match.options.shorter-game"
    assert "score NS 2, EW 7" in run_command("show", scenario)[1]
    code, out = run_command("show", "match.target.exactly", "--ruleset", "luschentreff")
    assert code == 0
    assert "counting down" in out
