"""The catalogue of options: every value is described, has a source and is shown by a scenario."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from house_rules import differing

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.ruleset import (
    load_ruleset,
    shipped_rulesets,
)
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.check import check_variants
from bauernschnapsen_conformance.corpus.options import (
    Catalogue,
    load_options,
    load_options_with_errors,
)
from bauernschnapsen_conformance.corpus.variants import (
    Counts,
    compare_counts,
    count_applicable,
    freeze_counts,
    not_shown,
    shown_by,
)

PAGAT = load_ruleset("pagat")


@cache
def catalogue() -> Catalogue:
    return load_options()


# ----------------------------------------------------------------------------- the catalogue


def test_the_catalogue_is_in_order() -> None:
    assert load_options_with_errors()[1] == []


def test_the_catalogue_tells_what_it_lacks(tmp_path: Path) -> None:
    text = (spec_root() / "options.yaml").read_text(encoding="utf-8")
    text = text.replace("      side: {en: His partner", "      sides: {en: His partner")
    text = text.replace("  loser_33:\n", "  loser_32:\n")
    text = text.replace("    value: {'5': [U7, A28, PAGAT, AP]}", "    value: {'4': [PAGAT]}")
    (tmp_path / "options.yaml").write_text(text, encoding="utf-8")
    _, errors = load_options_with_errors(tmp_path)
    messages = [error.message for error in errors]
    assert messages == [
        "loser_33 is missing",
        "the value side is missing",
        "the ruleset schema does not allow this value",
        "the ruleset schema has no such field",
        "is what the main ruleset plays; only what differs stands here",
    ]
    assert all(error.line for error in errors)


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_value_of_a_shipped_ruleset_has_a_source(name: str) -> None:
    for path, value in differing(name).items():
        assert catalogue().sources(path, value), path


def test_values_in_no_source_are_known_as_such() -> None:
    for path, value in (
        ("contracts.gang.follow", "free"),
        ("contracts.normal.ruff", "free"),
        ("contracts.normal.head_target", "led_card"),
        ("contracts.gang.value", 8),
        ("contracts.zehner-gang.ranks", "KQJAT"),
        ("contracts.bettler.goal", "all_tricks"),
    ):
        assert catalogue().sources(path, value) == ()
    for path, value in (
        ("contracts.bettler.value", 5),
        ("contracts.bettler.ranks", "AKQJT"),
        ("contracts.gang.head", "free"),
        ("options.claim_mode", "automatic"),
        ("contracts.kontra-schnapser.lead", "declarer"),
    ):
        assert catalogue().sources(path, value)


def test_every_contract_is_described_in_sentences() -> None:
    for language in ("en", "de"):
        for name in PAGAT["contracts"]:
            said = catalogue().about_contract(PAGAT, name, language)
            assert len(said) >= 3
            assert all(one.endswith(".") and "{" not in one for one in said)
    assert catalogue().about_contract(PAGAT, "assenbettler") == [
        "The declarer must win no trick.",
        "It is worth 5 game points.",
        "Everybody may bid it.",
        "There are no trumps.",
        "The cards rank ten, king, queen, jack, ace.",
        "The declarer leads to the first trick.",
        "The declarer’s partner sits out.",
    ]


# ----------------------------------------------------------------------------- scenarios


@pytest.mark.slow
@pytest.mark.parametrize(
    "positions", [False, pytest.param(True, marks=pytest.mark.gates)], ids=["scenarios", "all"]
)
def test_scenarios_show_every_value_and_none_is_lost(positions: bool) -> None:
    found = check_variants(positions=positions)
    assert [str(error) for error in found.errors] == []


@pytest.mark.slow
def test_a_value_that_nothing_shows_is_told() -> None:
    items = [item for item in load_corpus().items if "claim_by" not in json.dumps(item.under)]
    missing = not_shown(catalogue(), shown_by(items))
    assert "options.claim_by: side" in missing
    assert "options.claim_mode: at_end" not in missing
    assert "contracts.bauernloch.played: true" in not_shown(catalogue(), [])


def test_scenarios_that_apply_no_longer_are_told(tmp_path: Path) -> None:
    counts: Counts = {"pagat": {"play": {"scenarios": 3, "positions": 9}, "deal": {"scenarios": 2}}}
    freeze_counts(counts, tmp_path)
    assert compare_counts(counts, tmp_path) == ([], [])
    errors, notes = compare_counts(
        {"pagat": {"play": {"scenarios": 2}, "deal": {"scenarios": 5}}}, tmp_path
    )
    assert [error.message for error in errors] == [
        "under pagat only 2 scenarios of play apply, 3 did before"
    ]
    assert notes == [
        "3 more scenarios apply to rulesets than are frozen (bauernschnapsen check --freeze)"
    ]
    errors, _ = compare_counts({}, tmp_path)
    assert len(errors) == 3
    errors, _ = compare_counts(counts, tmp_path / "nothing")
    assert "cannot be read" in errors[0].message


@pytest.mark.slow
def test_every_scenario_of_pagat_applies_to_pagat() -> None:
    corpus = load_corpus()
    counts = count_applicable(corpus, positions=False)
    at_home = sum(not scenario.under for scenario in corpus.scenarios)
    assert sum(kinds["scenarios"] for kinds in counts["pagat"].values()) >= at_home
