"""A baseline notices every change of how a variant is played, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.baselines import changes_since, faults_of_baselines
from bauernschnapsen_conformance.commands import main

HOUSE = "ruleset: house\nextends: pagat\noptions: {claim_by: side}\n"


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = tmp_path_factory.mktemp("house") / "house.yaml"
    house.write_text(HOUSE)
    assert main(["baseline", str(house)]) == 0
    return house


@pytest.mark.slow
def test_nothing_has_changed(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "--check", str(frozen)]) == 0
    assert "plays as" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "name", "field", "value"),
    [
        ("contracts", "bettler", "value", 5),
        ("contracts", "gang", "lead", "forehand"),
        ("contracts", "bauern-schnapser", "undertrump", "free"),
        ("contracts", "normal", "head_target", "led_card"),
        ("options", "", "loser_33", "tricks_only"),
        ("options", "", "last_trick_award", "graded"),
        ("options", "", "bid_too_low", "counts_as_pass"),
        ("options", "", "kontra_by", "each_once"),
        ("options", "", "schneider", 1),
        ("options", "", "target", 25),
    ],
)
def test_every_edit_shows(frozen: Path, group: str, name: str, field: str, value: object) -> None:
    change = {field: value} if group == "options" else {name: {field: value}}
    edited = vary(load_ruleset(frozen), {group: change})
    first = next(changes_since(edited, frozen.with_name("house.baseline.yaml")), None)
    assert first is not None
    assert first.what.startswith("deal ")
    assert len(first.witness) > 4


@pytest.mark.slow
def test_an_edit_without_effect_does_not_show(frozen: Path) -> None:
    edited = vary(load_ruleset(frozen), {"options": {"score_direction": "down"}})
    assert list(changes_since(edited, frozen.with_name("house.baseline.yaml"))) == []


@pytest.mark.slow
def test_the_command_shows_the_first_witness(
    frozen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = frozen.with_name("edited.yaml")
    other.write_text(HOUSE + "contracts: {gang: {value: 8}}\n")
    file = frozen.with_name("house.baseline.yaml")
    assert main(["baseline", "--check", "--file", str(file), str(other)]) == 1
    text = capsys.readouterr().out
    assert "is played otherwise" in text
    assert "forehand" in text
    assert "now:" in text


@pytest.mark.slow
def test_check_reports_a_change_of_a_ruleset_of_ones_own(
    frozen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(frozen)]) == 0
    capsys.readouterr()
    frozen.write_text(HOUSE + "contracts: {gang: {value: 8}}\n")
    try:
        # Nothing is wrong with the file, so it is what `baseline --check` says: 1, not 2.
        assert main(["check", str(frozen)]) == main(["baseline", "--check", str(frozen)]) == 1
        told = capsys.readouterr().err
        assert "is played otherwise" in told
        assert "1 ruleset plays otherwise than frozen" in told
        assert "fault" not in told
        faulty = frozen.with_name("faulty.yaml")
        faulty.write_text("ruleset: faulty\nextends: nowhere\n")
        assert main(["check", str(frozen), str(faulty)]) == 2
        told = capsys.readouterr().err
        assert "1 fault found" in told
        assert "1 ruleset plays otherwise than frozen" in told
        frozen.with_name("house.baseline.yaml").rename(frozen.with_name("kept"))
        frozen.with_name("house.baseline.yaml").write_text("baseline: house\nform: 7\n")
        assert main(["check", str(frozen)]) == 2
        assert "1 fault found" in capsys.readouterr().err
    finally:
        frozen.write_text(HOUSE)
        if frozen.with_name("kept").exists():
            frozen.with_name("kept").replace(frozen.with_name("house.baseline.yaml"))


@pytest.mark.parametrize(
    "text",
    [
        "- 1\n",
        "baseline: x\nform: 1\n",
        "baseline: x\nform: 7\ndeals: []\n",
        "baseline: x\nform: 1\ndeals: [{hands: 1}]\n",
        "baseline: x\nform: 1\ndeals: [1]\n",
    ],
)
def test_what_is_no_baseline_costs_one_line(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house, file = tmp_path / "house.yaml", tmp_path / "bad.yaml"
    house.write_text(HOUSE)
    file.write_text(text)
    assert main(["baseline", "--check", "--file", str(file), str(house)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "bad.yaml" in lines[0]


@pytest.mark.slow
def test_shipped_rulesets_play_as_frozen() -> None:
    assert faults_of_baselines() == []
