"""What a keeper of house rules and an author of scenarios run into while they write their files."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset, shipped_rulesets, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.scaffold import scaffold_ruleset, scaffold_scenario
from bauernschnapsen_conformance.verifying import refuse_borrowed_name


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process: its exit code, and the lines of stderr."""

    def run(*arguments: str) -> tuple[int, list[str]]:
        code = main(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return code, captured.err.splitlines()

    return run


# ------------------------------------------------------------------- names of shipped rulesets


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["new", "ruleset", "pagat"], "new ruleset my-pagat --extends pagat"),
        pytest.param(
            ["identify", "--name", "talon", "--", "true"],
            "call yours my-talon",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_name_of_the_suite_is_not_given_twice(
    arguments: list[str], words: str, told: Any
) -> None:
    code, lines = told(*arguments)
    assert (code, len(lines)) == (2, 1)
    assert words in lines[0]


@pytest.mark.parametrize("command", [["check"], ["rulebook"], ["certify", "--ruleset"]])
def test_a_file_called_as_a_shipped_ruleset(command: list[str], told: Any, tmp_path: Path) -> None:
    file = tmp_path / "my-house.yaml"
    file.write_text("ruleset: pagat\nextends: pagat\noptions: {target: 12}\n", encoding="utf-8")
    rest = ["--", "true"] if "--ruleset" in command else []
    code, lines = told(*command, str(file), *rest)
    assert code == 2
    assert f"{file}:1: ruleset: pagat is the name of a ruleset of the suite" in lines[0]


def test_a_certificate_of_other_rules_under_a_shipped_name() -> None:
    pagat = load_ruleset("pagat")
    refuse_borrowed_name(pagat, "certificate.json")
    other_title = copy.deepcopy(pagat) | {"title": {"en": "Rules"}}
    refuse_borrowed_name(other_title, "certificate.json")
    house = vary(pagat, {"options": {"target": 12}})
    refuse_borrowed_name(house | {"ruleset": "my-house"}, "certificate.json")
    with pytest.raises(
        SpecError, match=r"certificate\.json: profile\.ruleset: .* not those of pagat"
    ):
        refuse_borrowed_name(house, "certificate.json")


# ------------------------------------------------------------------- templates


@pytest.mark.slow
def test_a_template_says_what_its_rules_say() -> None:
    by_an_option = [rule for rule in load_rules().values() if rule.data.get("text_by")]
    assert len(by_an_option) > 20
    for rule in by_an_option:
        three = rule.chapter == "talon"
        text = scaffold_scenario(
            "play.no-such", [rule.id], None, "N", None, "talon" if three else "pagat"
        )
        said = re.search(rf"(?m)^# {re.escape(rule.id)}: (.+)$", text)
        assert said, rule.id
        assert len(said[1]) > 20, rule.id


def test_an_untouched_template_is_not_in_order(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "play" / "new.yaml"
    file.parent.mkdir()
    words = ["new", "scenario", "play.no-such", "--rule", "play.beat", "--contract", "normal"]
    assert told(*words, "--file", str(file)) == (0, [])
    code, lines = told("check", str(file))
    assert (code, lines[-1]) == (2, "3 faults found")
    for line, words_told in zip(lines, ("the topic", "the title", "the reason"), strict=False):
        assert f"is still {words_told} of the template" in line
        assert re.match(rf"{re.escape(str(file))}:\d+: ", line)
    text = file.read_text(encoding="utf-8")
    text = re.sub("(?m)^topic: .*$", "topic: Holding trumps", text)
    text = re.sub("(?m)title: .*$", "title: Forehand leads a trump", text)
    file.write_text(re.sub("(?m)en: .*$", "en: Forehand leads.", text), encoding="utf-8")
    assert told("check", str(file)) == (0, [])


@pytest.mark.parametrize("name", shipped_rulesets())
def test_what_a_new_ruleset_proposes_can_be_played(name: str, tmp_path: Path) -> None:
    text = scaffold_ruleset("our-table", name)
    file = tmp_path / "our-table.yaml"
    file.write_text(re.sub("(?m)^# (contracts:|options:|  )", r"\1", text), encoding="utf-8")
    changed, base = load_ruleset(file), load_ruleset(name)
    assert changed["contracts"] != base["contracts"]
    assert changed["options"] != base["options"]
    assert base["options"]["seats"] == 4 or "partner" not in text


def test_a_new_ruleset_extends_a_file_beside_it(told: Any, tmp_path: Path) -> None:
    club = tmp_path / "club.yaml"
    mine = tmp_path / "mine.yaml"
    assert told("new", "ruleset", "club", "--file", str(club)) == (0, [])
    assert told("new", "ruleset", "mine", "--extends", str(club), "--file", str(mine)) == (0, [])
    assert told("check", str(mine)) == (0, [])
    (tmp_path / "else").mkdir()
    elsewhere = str(tmp_path / "else" / "x.yaml")
    for arguments, words in (
        (["x", "--extends", str(club), "--file", elsewhere], "files in its own folder"),
        (["club", "--extends", str(club)], "a ruleset cannot extend itself"),
    ):
        code, lines = told("new", "ruleset", *arguments)
        assert (code, len(lines)) == (2, 1)
        assert words in lines[0]


# ------------------------------------------------------------------- options without effect

POSITION = load_corpus().positions[0].id
SCENARIO = "play.heart-trick"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", SCENARIO, "--turned", "1"], "--turned has no effect here: add --wire"),
        (["show", SCENARIO, "--suits", "DHSC", "--claims", "none"], "--suits and --claims have no"),
        (["show", SCENARIO, "--not-enforced"], "--not-enforced has no effect"),
        (["show", SCENARIO, "--starts", "deal"], "--starts has no effect"),
        (["show", SCENARIO, "--wire", "--replay"], "a scenario is always asked as a deal"),
        (["show", POSITION, "--wire", "--starts", "deal"], "asked as a query; add --replay"),
        (["show", POSITION, "--replay"], "--replay has no effect here: add --wire"),
        (["new", "scenario", "play.no-such", "--rule", "play.beat", "--by", "E"], "--by has no"),
        (["new", "scenario", "play.no-such", *["--rule", "play.beat"] * 2], "is given twice"),
        (["rulebook", "--deck", "german"], "--deck has no effect here"),
        (["rulebook", "--output", "book.pdf"], "the file that is written is .html unless --pdf"),
        (["rulebook", "--pdf", "--output", "book.html"], "the file that is written is .pdf"),
        (["check", "--lock", "my.yaml"], "--lock has no effect here"),
        (["check", "--freeze", "--release", "my.yaml"], "--freeze and --release have no effect"),
    ],
)
def test_an_option_without_effect_is_not_swallowed(
    arguments: list[str], words: str, told: Any
) -> None:
    code, lines = told(*arguments)
    assert (code, len(lines)) == (2, 1)
    assert words in lines[0]


# ------------------------------------------------------------------- files that are not checked


def test_a_baseline_is_known_as_one(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.baseline.yaml"
    file.write_text("baseline: mine\nform: 1\ndeals: []\n", encoding="utf-8")
    code, lines = told("check", str(file))
    assert code == 2
    assert f"{file}:1: this is a baseline" in lines[0]
    assert f"bauernschnapsen baseline --check {tmp_path / 'mine.yaml'}" in lines[0]


@pytest.mark.parametrize("name", ["glossary.yaml", "options.yaml", "baselines/pagat.yaml"])
def test_a_file_of_the_suite_that_means_nothing_alone(name: str, told: Any) -> None:
    code, lines = told("check", str(spec_root() / name))
    assert (code, len(lines)) == (2, 2)
    assert ("without names of files" in lines[0]) or "this is a baseline" in lines[0]
