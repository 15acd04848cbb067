"""Variants as data: rulesets, the option catalogue, rule texts that follow, hints, the tutorial."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture
from javascript_adapter import HERE, NODE

from bauernschnapsen.data.locate import schemas_root, spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import (
    Resolved,
    compile_rules,
    load_ruleset,
    shipped_rulesets,
    vary,
)
from bauernschnapsen.sheet import written
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.check import check_variants
from bauernschnapsen_conformance.corpus.cites import check_cites
from bauernschnapsen_conformance.corpus.options import (
    Catalogue,
    allowed_values,
    load_options,
    load_options_with_errors,
)
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.variants import (
    Counts,
    compare_counts,
    count_applicable,
    freeze_counts,
    not_shown,
    shown_by,
)
from bauernschnapsen_conformance.corpus.wording import fill_in, rule_note, rule_text

PAGAT = load_ruleset("pagat")
SCHEMA = json.loads((schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8"))["$defs"]
TUTORIAL = spec_root().parent / "docs" / "house-rules.md"
ADAPTER = HERE / "adapter.mjs"
DOCUMENTS = {"000": "pagat", "001": "wikipedia", "002": "pagat", "003": "ukrainian", "004": "pagat"}


def run_command(*arguments: str) -> tuple[int, str]:
    """Run a command in this process; what it wrote to stdout, then to stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue() + err.getvalue()


@cache
def catalogue() -> Catalogue:
    return load_options()


# ----------------------------------------------------------------------------- rulesets


@pytest.mark.parametrize(("document", "name"), DOCUMENTS.items())
def test_every_source_document_can_be_played(document: str, name: str) -> None:
    assert document in load_ruleset(name)["sources"]
    assert f"| `{name}` |" in TUTORIAL.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_difference_cites_who_plays_it_so(name: str) -> None:
    assert check_cites(spec_root() / "rulesets" / f"{name}.yaml") == []


def differing(name: str) -> dict[str, Any]:
    ruleset = load_ruleset(name)
    found = {
        f"options.{key}": value
        for key, value in ruleset["options"].items()
        if value != PAGAT["options"][key]
    }
    for contract, fields in ruleset["contracts"].items():
        for key, value in fields.items():
            if key != "above" and value != PAGAT["contracts"][contract][key] and fields["played"]:
                found[f"contracts.{contract}.{key}"] = value
    return found


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
    for name in re.findall(r"bauernschnapsen explain (\S+)", text):
        code, out = run_command("explain", name)
        assert code == 0, (name, out)


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
