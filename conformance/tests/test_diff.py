"""How two rulesets differ: every difference has a witness, and the witness is true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.comparing import compare_rulesets, witness_views

PAGAT = load_ruleset("pagat")
CHANGES: dict[str, Any] = {
    "contracts.bettler.value": {"contracts": {"bettler": {"value": 5}}},
    "contracts.bettler.partner": {"contracts": {"bettler": {"partner": "plays"}}},
    "contracts.zehner-gang.played": {"contracts": {"zehner-gang": {"played": False}}},
    "contracts.plauderer.played": {"contracts": {"plauderer": {"played": True}}},
    "contracts.normal.undertrump": {"contracts": {"normal": {"undertrump": "free"}}},
    "contracts.kontra-schnapser.overtrump": {
        "contracts": {"kontra-schnapser": {"overtrump": "free"}}
    },
    "options.claim_by": {"options": {"claim_by": "side"}},
    "options.loser_33": {"options": {"loser_33": "tricks_only"}},
    "options.last_trick_award": {"options": {"last_trick_award": "graded"}},
    "options.retourschneider": {"options": {"retourschneider": 4}},
    "options.bid_too_low": {"options": {"bid_too_low": "counts_as_pass"}},
    "options.sitting_out_doubles": {"options": {"sitting_out_doubles": "refused"}},
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_single_difference_is_named_and_shown(name: str) -> None:
    other = vary(PAGAT, CHANGES[name])
    found = compare_rulesets(PAGAT, other)
    assert [each.name for each in found.fields] == [name]
    (difference,) = found.fields
    assert difference.witness is not None
    assert difference.shown_in == 0
    views = witness_views(difference)
    assert views[0] != views[1]
    if None not in views:
        assert views[0][: difference.witness.view] == views[1][: difference.witness.view]


def test_the_order_of_contracts_is_a_difference() -> None:
    other = vary(PAGAT, {"contracts": {"kontra-schnapser": {"above": "bauern-schnapser"}}})
    found = compare_rulesets(PAGAT, other)
    assert [each.path[-1] for each in found.fields] == ["above"]
    assert found.fields[0].witness is not None


@pytest.mark.slow
def test_a_hidden_difference_is_shown_alone() -> None:
    """Where nobody doubles in one of them, who doubles twice can show in the other only."""
    one = vary(PAGAT, {"options": {"kontra_levels": 1}})
    other = vary(PAGAT, {"options": {"kontra_by": "each_once"}})
    found = {each.name: each for each in compare_rulesets(one, other).fields}
    assert found["options.kontra_levels"].shown_in == 0
    assert found["options.kontra_by"].shown_in == 1
    assert found["options.kontra_by"].witness is not None


@pytest.mark.slow
def test_rulesets_that_play_the_same_say_how_hard_was_looked() -> None:
    other = vary(PAGAT, {"options": {"score_direction": "down"}})
    found = compare_rulesets(PAGAT, other)
    assert found.same
    assert found.same_form
    assert found.lines > 500
    assert [each.reason for each in found.fields] == ["scores on the wire always count up"]


def test_a_witness_is_short() -> None:
    other = vary(PAGAT, CHANGES["options.claim_by"])
    (difference,) = compare_rulesets(PAGAT, other).fields
    assert difference.witness is not None
    assert len(difference.witness.line.moves) <= 6
    rules = compile_rules(PAGAT)
    assert difference.witness.line.start.position(rules) is not None


@pytest.mark.slow
def test_the_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("ruleset: house\nextends: pagat\noptions: {claim_by: side}\n")
    assert main(["diff", "pagat", str(house), "--no-scenarios"]) == 1
    text = capsys.readouterr().out
    assert "options.claim_by: pagat leader, house side" in text
    assert "enough" in text
    assert "forehand" in text
    assert main(["diff", "pagat", "pagat", "--no-scenarios"]) == 0
    assert "play the same" in capsys.readouterr().out
    assert main(["diff", "pagat", str(house), "--no-scenarios", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["fields"][0]["field"] == "options.claim_by"
