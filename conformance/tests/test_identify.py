"""`identify` finds random house rules again, and neither bugs nor silence lead it astray."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.comparing import compare_rulesets
from bauernschnapsen_conformance.identify.alike import canonical, same_form
from bauernschnapsen_conformance.identify.profiles import random_profile
from bauernschnapsen_conformance.identify.running import Findings, identify_started
from bauernschnapsen_conformance.identify.served import fixed_engine
from bauernschnapsen_conformance.in_process import PythonEngine

PAGAT = load_ruleset("pagat")
HOUSE: dict[str, Any] = {
    "contracts": {"bettler": {"value": 5, "partner": "plays"}, "zehner-gang": {"played": False}},
    "options": {"claim_by": "side", "loser_33": "tricks_only", "equal_bids": "never"},
}


def identified(engine: Any, *, suite: bool = False) -> Findings:
    asked = PythonEngine(engine)
    asked.start()
    return identify_started(asked, PAGAT, seconds=60, suite=suite, clock=time.process_time)


def plays_the_same(found: Findings, profile: Any) -> bool:
    return same_form(found.ruleset, profile) or compare_rulesets(profile, found.ruleset).same


def check_profile(seed: int) -> None:
    profile = random_profile(seed)
    began = time.process_time()
    found = identified(fixed_engine(profile))
    took = time.process_time() - began
    assert plays_the_same(found, profile)
    assert not found.bugs
    assert took < 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 107))
def test_random_house_rules_are_found_again(seed: int) -> None:
    check_profile(seed)


@pytest.mark.gates
@pytest.mark.parametrize("first", range(0, 200, 10))
def test_two_hundred_random_house_rules_are_found_again(first: int) -> None:
    """Ten at a time: the gates start a process for each of these."""
    missed = []
    for seed in range(first, first + 10):
        try:
            check_profile(seed)
        except AssertionError as error:
            missed.append(f"{seed}: {str(error).splitlines()[:1]}")
    assert not missed, "; ".join(missed)


@pytest.mark.slow
def test_the_command_writes_a_ruleset_that_plays_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over a pipe, as people use it; the file extends pagat and says only what differs."""
    house = tmp_path / "house.yaml"
    house.write_text(
        "ruleset: house\nextends: pagat\n"
        "contracts: {bettler: {value: 5, partner: plays}, zehner-gang: {played: false}}\n"
        "options: {claim_by: side, loser_33: tricks_only, equal_bids: never}\n"
    )
    out = tmp_path / "found.yaml"
    serve = [sys.executable, "-m", "bauernschnapsen_conformance", "serve", "--fixed"]
    wanted = ["identify", "--json", "-o", str(out), "--name", "found", "--"]
    code = main([*wanted, *serve, "--ruleset", str(house)])
    data = json.loads(capsys.readouterr().out)
    assert code == 0
    assert data["bugs"] == []
    assert same_form(load_ruleset(out), load_ruleset(house))
    text = out.read_text()
    assert "extends: pagat" in text
    assert "value: 5" in text
    assert "schnapser" not in text
    fields = {each["field"]: each for each in data["values"]}
    assert set(fields) == {
        "contracts.bettler.value",
        "contracts.bettler.partner",
        "contracts.zehner-gang.played",
        "options.claim_by",
        "options.loser_33",
        "options.equal_bids",
    }
    assert all(each["witness"] for each in fields.values())
    assert any("options.score_direction" in some for some in data["not_observed"].values())


@pytest.mark.slow
def test_a_fault_is_a_bug_and_no_house_rule() -> None:
    """Three of four players beat as they must: no ruleset says that the third need not."""
    faulty = pytest.importorskip("bauernschnapsen_conformance.identify.faulty")
    from bauernschnapsen_conformance.teeth.registry import load_mutants

    try:
        mutant = load_mutants()["play.beat.third-hand"]
    except SpecError as error:
        pytest.skip(str(error))
    profile = vary(PAGAT, HOUSE)
    found = identified(faulty.MutantHouse(mutant, profile), suite=True)
    assert same_form(found.ruleset, profile)
    assert "play.beat" in {bug.rule for bug in found.bugs}


class Silent:
    """An engine that shows neither what is legal nor what was bid, and crashes now and then."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._asked = 0

    def handle(self, message: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = self._engine.handle(message)
        if message["op"] != "replay":
            return reply
        self._asked += 1
        if self._asked % 97 == 0:
            raise RuntimeError("out of order")
        for deal in reply.get("ok", []):
            for view in deal:
                for key in ("legal", "bid", "sees", "trick", "last_trick", "phase"):
                    del view[key]
        return reply


@pytest.mark.slow
def test_little_to_see_and_crashes_do_not_lead_astray() -> None:
    profile = vary(PAGAT, HOUSE)
    found = identified(Silent(fixed_engine(profile)))
    assert same_form(found.ruleset, profile)
    assert found.troubles


def test_fields_without_effect_do_not_count() -> None:
    ruffing = vary(PAGAT, {"contracts": {"gang": {"undertrump": "free"}}})
    assert same_form(ruffing, PAGAT)
    assert not same_form(vary(PAGAT, HOUSE), PAGAT)
    assert canonical(ruffing) == canonical(PAGAT)


def test_random_profiles_are_sensible_and_repeatable() -> None:
    for seed in range(12):
        profile = random_profile(seed)
        assert profile == random_profile(seed)
        assert not same_form(profile, PAGAT)
        assert profile["options"]["seats"] == 4
