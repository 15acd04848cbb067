"""Variants as data: rulesets, the tutorial, hints after a failing run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture
from house_rules import differing, run_command
from javascript_adapter import HERE, NODE

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.ruleset import (
    load_ruleset,
    shipped_rulesets,
    vary,
)
from bauernschnapsen_conformance.corpus.cites import check_cites

PAGAT = load_ruleset("pagat")
TUTORIAL = spec_root().parent / "docs" / "house-rules.md"
ADAPTER = HERE / "adapter.mjs"
DOCUMENTS = {"000": "pagat", "001": "wikipedia", "002": "pagat", "003": "ukrainian", "004": "pagat"}


# ----------------------------------------------------------------------------- rulesets


@pytest.mark.parametrize(("document", "name"), DOCUMENTS.items())
def test_every_source_document_can_be_played(document: str, name: str) -> None:
    assert document in load_ruleset(name)["sources"]
    assert f"| `{name}` |" in TUTORIAL.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_difference_cites_who_plays_it_so(name: str) -> None:
    assert check_cites(spec_root() / "rulesets" / f"{name}.yaml") == []


def test_what_the_rulesets_say() -> None:
    assert differing("wikipedia") == {
        "contracts.bettler.partner": "plays",
        "contracts.schnapser.bidders": "forehand",
        "contracts.schnapser.ends_early": "when_lost_or_marriage",
        "contracts.kontra-schnapser.ends_early": "when_lost_or_marriage",
        "options.redeal_three_unters": "forehand_may",
        "options.opening": "pass_means_normal",
        "options.equal_bids": "never",
        "options.last_trick_award": "graded",
        "options.view_tricks": "first_open",
        "options.retourschneider": 4,
    }
    ukrainian = differing("ukrainian")
    duties = {
        path: ukrainian.pop(path) for path in list(ukrainian) if path.endswith(("head", "trump"))
    }
    assert set(duties.values()) == {"free"}
    assert ukrainian == {
        "contracts.bettler.value": 5,
        "contracts.bauern-schnapser.bidders": "partner",
        "options.opening": "pass_means_normal",
        "options.equal_bids": "never",
        "options.marriage_needs": "own_trick",
        "options.claim_mode": "at_end",
    }
    assert differing("conservative") == {}
    played = [n for n, one in load_ruleset("conservative")["contracts"].items() if one["played"]]
    assert played == [
        "normal", "schnapser", "gang", "kontra-schnapser", "bauern-schnapser",
        "kontra-bauern-schnapser",
    ]  # fmt: skip
    assert differing("luschentreff") == {
        "contracts.as-bettler.played": True,
        "contracts.kontra-schnapser.ends_early": "when_lost_or_marriage",
        "contracts.bauern-schnapser.bidders": "forehand",
        "options.retourschneider": 4,
        "options.score_direction": "down",
    }


@pytest.mark.parametrize("name", ["wikipedia", "ukrainian"])
def test_the_bauern_schnapser_stands_lower_in_two_sources(name: str) -> None:
    order = [n for n, one in load_ruleset(name)["contracts"].items() if one["played"]]
    assert order[order.index("bauern-schnapser") + 1] == "kontra-schnapser"


NONSENSE = [
    ("extends: nowhere", 2, "there is no ruleset 'nowhere'"),
    ("extends: nonsense", 2, "in a circle"),
    ("extends: pagat\noptions: {claim_bye: side}", 3, "unknown field"),
    ("extends: pagat\noptions: {claim_by: nobody}", 3, "nobody"),
    ("extends: pagat\ncontracts: {own: {like: gang}}", 3, "must say which one it is above"),
    (
        "extends: pagat\ncontracts:\n  gang: {above: normal}\n  bettler: {above: normal}",
        5,
        "both directly above normal",
    ),
    (
        "extends: pagat\noptions: {sides: single}\ncontracts:\n  freundschaftsschnapser:\n"
        "    played: true",
        6,
        "nobody can bid freundschaftsschnapser",
    ),
    ("extends: pagat\noptions: {packets: [3, 3]}", 3, "of 20 cards"),
    ("extends: pagat\nall_contracts: {bidders: opponents}", None, "no contract to open with"),
]


@pytest.mark.parametrize(("text", "line", "reason"), NONSENSE)
@pytest.mark.parametrize("command", ["check", "certify"])
def test_nonsense_is_refused_with_file_line_and_reason(
    tmp_path: Path, command: str, text: str, line: int | None, reason: str
) -> None:
    file = tmp_path / "nonsense.yaml"
    file.write_text(f"ruleset: nonsense\n{text}\n", encoding="utf-8")
    words = [str(file)] if command == "check" else ["--ruleset", str(file), "--", "true"]
    code, out = run_command(command, *words)
    assert code == 2
    assert f"nonsense.yaml:{line}" in out if line else "nonsense.yaml" in out
    assert reason in out
    assert "Traceback" not in out


def test_a_cite_too_many_too_few_or_without_a_source_is_told(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(
        "ruleset: own\nextends: pagat\n"
        "cites: {options.claim_by: [we say so], options.target: ['AP: 11']}\n"
        "contracts: {bettler: {value: 5, partner: out}}\n"
        "options: {claim_by: side}\n",
        encoding="utf-8",
    )
    assert [(error.line, error.message) for error in check_cites(file)] == [
        (4, "say in cites who plays contracts.bettler.value so"),
        (4, "say in cites who plays contracts.bettler.partner so"),
        (4, "is what pagat says anyway"),
        (3, "begin with the tags of the sources and a colon, such as 'W22: '"),
        (3, "this ruleset does not change that"),
    ]


# ----------------------------------------------------------------------------- engines


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
@pytest.mark.parametrize("name", shipped_rulesets())
def test_the_javascript_engine_passes_under_every_shipped_ruleset(name: str) -> None:
    code, out = run_command("certify", "--ruleset", name, "--", str(NODE), str(ADAPTER))
    assert code == 0, out[-3000:]
    assert "Levels reached: 1 tricks, 2 deal, 3 auction, 4 claims, 5 match" in out


# ----------------------------------------------------------------------------- the tutorial


def tutorial_files() -> dict[str, str]:
    text = TUTORIAL.read_text(encoding="utf-8")
    found = re.findall(r'```yaml title="([^"]+)"\n(.*?)```', text, flags=re.DOTALL)
    assert len(found) >= 4
    return dict(found)


@pytest.mark.parametrize("name", tutorial_files())
def test_every_file_of_the_tutorial_is_a_ruleset(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(tutorial_files()[name], encoding="utf-8")
    assert run_command("check", str(file)) == (0, "1 file in order\n")
    assert load_ruleset(file)["ruleset"] == Path(name).stem


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
def test_a_contract_of_ones_own_is_certified(tmp_path: Path) -> None:
    file = tmp_path / "haus-gang.yaml"
    file.write_text(tutorial_files()["haus-gang.yaml"], encoding="utf-8")
    code, out = run_command("certify", "--ruleset", str(file), "--", str(NODE), str(ADAPTER))
    assert code == 0, out[-3000:]
    assert "ruleset haus-gang" in out


@pytest.mark.slow
def test_the_commands_of_the_tutorial_name_what_there_is() -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    names = re.findall(r"bauernschnapsen explain (\S+)", text)
    assert len(names) >= 4
    for name in names:
        code, out = run_command("explain", name)
        assert code == 0, (name, out)


# ----------------------------------------------------------------------------- hints


def failing(tmp_path: Path, changes: dict[str, Any]) -> tuple[int, str]:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(vary(PAGAT, changes)), encoding="utf-8")
    words = ["--failures", "0", "--seed", "1", "--no-blind"]
    engine = [str(NODE), str(ADAPTER), "--not-configurable", str(file)]
    return run_command("certify", *words, "--", *engine)


@pytest.mark.slow
@pytest.mark.usefixtures("small_suite")
@pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"contracts": {"bettler": {"value": 5}}},
            r"(\d+) of \1 failures vanish with contracts\.bettler\.value = 5 \(U7, ",
        ),
        (
            {"options": {"equal_bids": "never"}},
            r"(\d+) of \1 failures vanish with options\.equal_bids = never \(U4, ",
        ),
        (
            {"all_contracts": {"head_target": "led_card"}},
            r"(\d+) of \1 failures vanish with all_contracts\.head_target = led_card \(in no s",
        ),
    ],
)
def test_a_failing_run_ends_with_the_house_rule_that_explains_it(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    code, out = failing(tmp_path, changes)
    assert code == 1
    assert re.search(said, out), out[-1500:]
    assert out.rstrip().splitlines()[-1].startswith("run: bauernschnapsen identify -- ")


@pytest.mark.slow
@pytest.mark.usefixtures("small_suite")
@pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
def test_a_bug_is_not_taken_for_a_house_rule() -> None:
    words = ["--failures", "0", "--seed", "1", "--no-blind"]
    engine = [str(NODE), str(ADAPTER), "--fault", "marriage-off-lead"]
    code, out = run_command("certify", *words, "--", *engine)
    assert code == 1
    assert "vanish" not in out


def test_the_ruleset_files_are_short() -> None:
    for name in set(shipped_rulesets()) - {"pagat"}:
        path = spec_root() / "rulesets" / f"{name}.yaml"
        data = load_yaml(path).value
        assert data["extends"]
        assert len(path.read_text(encoding="utf-8").splitlines()) < 60
