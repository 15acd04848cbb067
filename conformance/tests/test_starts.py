"""Starts from a contract: a scenario of the suite begins where a table can have come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.lint import lint_items
from bauernschnapsen_conformance.corpus.read import read_scenario_file
from bauernschnapsen_conformance.corpus.rules import load_rules

HEAD = """\
topic: Starts
deals:
  four: {dealer: W, N: KS QS TS TD JD, E: AC TC KC QC JC, S: AS AH TH KH QH, W: JS JH AD KD QD}
  three: {dealer: S, N: KH KC AH AD AC TC, E: QH TD KS JH QC JS, S: JD QD QS JC TH KD, talon: AS TS}
scenarios:
  - id: play.starts.example
    title: A start
    why: {en: It is one.}
    rules: [play.forehand-leads]
"""
FOUR = """\
    deal: four
    contract: {name: NAME, by: SEAT, trump: SUIT}
    steps: [expect: {bid: null}]
"""
THREE = "    under: {ruleset: talon}\n" + FOUR.replace("four", "three")


def faults(tmp_path: Path, text: str, *, starts: bool = True) -> list[str]:
    folder = tmp_path / "play"
    folder.mkdir(exist_ok=True)
    file = folder / "starts.yaml"
    file.write_text(HEAD + text, encoding="utf-8")
    items, errors = read_scenario_file(file, file.as_posix())
    assert errors == []
    return [str(error) for error in lint_items(items, load_rules(), starts=starts)]


def start(text: str, name: str, seat: str, suit: str) -> str:
    return text.replace("NAME", name).replace("SEAT", seat).replace("SUIT", suit)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (start(FOUR, "normal", "N", "H"), "N cannot have made H trump with KS QS TS TD JD"),
        (start(THREE, "normal", "N", "S"), "N cannot have made S trump with KH KC AH AD AC TC"),
        (start(FOUR, "gang", "E", "C"), "N cannot have made C trump"),
        (start(FOUR, "kontra-schnapser", "N", "S"), "kontra-schnapser is not open to N when W"),
        (start(THREE, "bauern-schnapser", "E", "H"), "bauern-schnapser is not open to E when S"),
        (start(FOUR, "farben-gang", "W", "D"), "W cannot have bid farben-gang without the cards"),
        (start(FOUR, "herren-schnapser", "N", "S"), "N cannot have bid herren-schnapser without"),
    ],
)
def test_a_start_to_which_nothing_leads_is_refused(text: str, wanted: str, tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, text)
    assert wanted in fault
    assert "starts.yaml:1" in fault
    assert faults(tmp_path, text, starts=False) == []


@pytest.mark.parametrize(
    "text",
    [
        start(FOUR, "normal", "N", "D"),  # a diamond may be turned up
        start(FOUR, "gang", "W", "S"),
        start(FOUR, "farben-gang", "E", "S"),
        start(THREE, "kontra-schnapser", "E", "H"),
        start(THREE, "normal", "N", "D"),
        "    under: {options: {trump_choice: any_suit}}\n" + start(FOUR, "normal", "N", "H"),
    ],
)
def test_a_start_that_can_be_is_in_order(text: str, tmp_path: Path) -> None:
    assert faults(tmp_path, text) == []


def test_what_the_table_has_agreed_on_counts(tmp_path: Path) -> None:
    text = "    under: {options: {turn_up: refused}}\n" + start(FOUR, "normal", "N", "D")
    (fault,) = faults(tmp_path, text)
    assert "N cannot have made D trump" in fault


def test_the_dealer_of_a_later_deal_follows_from_the_one_before(tmp_path: Path) -> None:
    deal = FOUR.replace("    deal: four\n", "      - deal: four\n").replace("\n    ", "\n        ")
    first = start(deal, "farben-gang", "E", "S").replace("expect:", "E show, expect:")
    second = start(deal, "normal", "E", "C").replace("- deal: four", "- hands: four")
    text = "    play_on:\n" + first + second
    # North deals now, so that East names the trump, and he has nothing but clubs.
    assert faults(tmp_path, text) == []
    (fault,) = faults(tmp_path, text.replace("by: E, trump: C", "by: E, trump: H"))
    assert "E cannot have made H trump" in fault


SCORED = FOUR.replace("    steps", "    scores: {NS: 3, EW: POINTS}\n    steps")


@pytest.mark.parametrize(("target", "points"), [(24, 24), (24, 30), (12, 12)])
@pytest.mark.parametrize("ours", [True, False])
def test_no_deal_begins_when_the_game_has_ended(
    target: int, points: int, ours: bool, tmp_path: Path
) -> None:
    text = f"    under: {{options: {{target: {target}}}}}\n" + start(SCORED, "gang", "W", "S")
    assert faults(tmp_path, text.replace("POINTS", str(target - 1)), starts=ours) == []
    (fault,) = faults(tmp_path, text.replace("POINTS", str(points)), starts=ours)
    assert "scenarios[0].scores.EW" in fault
    assert f"EW begins with {points} game points, but at {target} the game has ended" in fault
    assert f"let the deal begin with {target - 1} at most" in fault


def test_where_no_game_ends_every_score_can_be(tmp_path: Path) -> None:
    text = "    under: {options: {after_game: runs_on}}\n" + start(SCORED, "gang", "W", "S")
    assert faults(tmp_path, text.replace("POINTS", "31")) == []


@pytest.mark.slow
def test_every_scenario_of_the_suite_begins_where_a_table_can_come_to() -> None:
    corpus = load_corpus()
    started = [item for item in corpus.scenarios if any(deal.contract for deal in item.deals)]
    assert len(started) > 500
    assert [str(error) for error in lint_items(started, load_rules())] == []
