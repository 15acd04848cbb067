"""Translations are held to their originals: what is missing, stale or fits nothing is told."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from built_site import site as site  # noqa: PLC0414 - a fixture

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml_text
from bauernschnapsen_conformance.corpus import load_corpus, table_texts
from bauernschnapsen_conformance.corpus.interface import load_interface, load_interface_with_errors
from bauernschnapsen_conformance.corpus.rules import Rule, load_rules
from bauernschnapsen_conformance.corpus.skeleton import skeleton
from bauernschnapsen_conformance.corpus.translations import (
    Lag,
    check_translations,
    load_chapters,
    load_languages,
    scenario_checksum,
    source_checksum,
)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A copy of the rules with no translation but of a language that nobody publishes yet."""
    root = tmp_path / "spec"
    shutil.copytree(spec_root() / "rules", root / "rules")
    (root / "translations" / "pl").mkdir(parents=True)
    (root / "translations" / "languages.yaml").write_text(
        "published: [en, pl]\nrequired: [en]\nprevails: en\n"
    )
    return root


def write_translation(spec: Path, body: str) -> None:
    (spec / "translations" / "pl" / "play.yaml").write_text(
        f"language: pl\nchapter: play\n{body}", encoding="utf-8"
    )


def lags_of(spec: Path, name: str) -> list[str]:
    state = check_translations(load_rules(), load_corpus().scenarios, spec)
    assert state.errors == ()
    return [lag.what for lag in state.lags if lag.id == name]


def test_a_translation_is_missing_then_there_then_stale(spec: Path) -> None:
    rule = load_rules()["play.own-cards"]
    assert lags_of(spec, rule.id) == ["missing"]
    entry = "rules:\n  play.own-cards:\n    source: '{}'\n    text: Gra się tylko karty z ręki.\n"
    write_translation(spec, entry.format(source_checksum(rule)))
    assert lags_of(spec, rule.id) == []
    write_translation(spec, entry.format("0123456789ab"))
    assert lags_of(spec, rule.id) == ["stale"]


def test_what_lags_in_a_required_language_is_a_fault(spec: Path) -> None:
    languages = spec / "translations" / "languages.yaml"
    languages.write_text("published: [en, pl]\nrequired: [en, pl]\nprevails: en\n")
    load_languages.cache_clear()
    state = check_translations(load_rules(), load_corpus().scenarios, spec)
    load_languages.cache_clear()
    assert len(state.errors) == len([lag for lag in state.lags if lag.language == "pl"]) > 100
    assert "the translation is missing" in str(state.errors[0])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("rules:\n  play.baet: {source: 'SUM', text: Trzeba przebić.}\n", "play.beat"),
        ("rules:\n  play.own-cards: {source: 'OWN', text: Przebij AH.}\n", "text"),
        ("rules:\n  play.beat: {source: x, text: Trzeba przebić.}\n", "source"),
        (
            "rules:\n  play.own-cards:\n    source: 'OWN'\n"
            "    text: Gra za {contracts.gang.value}.\n",
            "placeholders",
        ),
        ("rules:\n  play.own-cards: {source: 'OWN', note: Dodatek do reguły.}\n", "no note"),
        ("scenarios:\n  play.nothing: {source: '0123456789ab', title: Nic}\n", "no such example"),
    ],
)
def test_a_translation_that_fits_nothing_is_refused(spec: Path, body: str, said: str) -> None:
    for blank, rule in (("SUM", "play.beat"), ("OWN", "play.own-cards")):
        body = body.replace(blank, source_checksum(load_rules()[rule]))
    write_translation(spec, body)
    errors = check_translations(load_rules(), load_corpus().scenarios, spec).errors
    assert errors
    assert said in str(errors[0])
    assert errors[0].line is not None


def test_the_checksum_follows_the_english_text_alone() -> None:
    rule = load_rules()["claims.claimer"]
    assert re.fullmatch("[0-9a-f]{12}", source_checksum(rule))

    def changed(**texts: object) -> Rule:
        return replace(rule, data={**rule.data, **texts})

    assert source_checksum(changed(sources=["R1"], terms=["side"])) == source_checksum(rule)
    german = {**rule.data["rationale"], "de": "Anders."}
    assert source_checksum(changed(rationale=german)) == source_checksum(rule)
    english = {**rule.data["rationale"], "en": "Otherwise."}
    assert source_checksum(changed(rationale=english)) != source_checksum(rule)


def test_a_skeleton_asks_for_everything_and_nothing_else(spec: Path) -> None:
    text = skeleton("pl", "claims")
    for rule in load_rules().values():
        assert (f"\n  {rule.id}:\n" in text) == (rule.chapter == "claims"), rule.id
    assert "# en: " in text
    assert "# de: " in text
    path = spec / "translations" / "pl" / "claims.yaml"
    path.write_text(text, encoding="utf-8")
    assert set(lags_of(spec, "claims.claimer")) == {"missing"}
    # Fill in every blank with its English, which the comment above it holds.
    filled = re.sub(
        r"# en: (.*)\n((?: *# de: .*\n)?)( *)(\S+):\n",
        lambda found: f"x\n{found[2]}{found[3]}{found[4]}: {json.dumps(found[1])}\n",
        text,
    )
    filled = re.sub(r"^ *x$\n", "", filled, flags=re.MULTILINE)
    path.write_text(filled, encoding="utf-8")
    state = check_translations(load_rules(), load_corpus().scenarios, spec)
    assert state.errors == ()
    assert [lag for lag in state.lags if lag.chapter == "claims"] == []
    german = skeleton("de", "claims")
    assert "rules:" not in german
    assert "scenarios:" in german


def test_shipped_translations_are_in_order() -> None:
    state = check_translations(load_rules(), load_corpus().scenarios)
    assert [str(error) for error in state.errors] == []
    assert all(isinstance(lag, Lag) for lag in state.lags)
    assert set(load_chapters()) == {rule.chapter for rule in load_rules().values()}


def test_the_interface_is_whole_in_german_and_falls_back_elsewhere(tmp_path: Path) -> None:
    assert load_interface("de").lacking == frozenset()
    root = tmp_path / "spec"
    shutil.copytree(spec_root() / "translations" / "en", root / "translations" / "en")
    empty, errors = load_interface_with_errors("pl", root)
    assert errors == []
    assert empty("nav.rules") == load_interface("en")("nav.rules")
    (root / "translations" / "pl").mkdir()
    path = root / "translations" / "pl" / "interface.yaml"
    path.write_text(
        "language: pl\nwords:\n"
        "  nav.rules: {en: The rules, text: Reguły}\n"
        "  nav.home: {en: An older word, text: Dom}\n"
        "  rules.count: {en: '{count} rules', text: reguły}\n"
        "  nav.hom: {en: Home, text: Dom}\n",
        encoding="utf-8",
    )
    load_interface_with_errors.cache_clear()
    polish, errors = load_interface_with_errors("pl", root)
    load_interface_with_errors.cache_clear()
    assert polish("nav.rules") == "Reguły"
    assert polish.stale == {"nav.home"}
    assert polish("nav.home") == "Home"
    assert [error.field for error in errors] == ["rules.count", "nav.hom"]


@pytest.mark.parametrize(("language", "known"), [("uk", True), ("pl", False)])
def test_a_skeleton_of_the_pages_words_has_the_english_and_what_is_translated(
    language: str, known: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert table_texts.main(["skeleton", language, "interface"]) == 0
    begun = load_yaml_text(capsys.readouterr().out, "interface.yaml").value
    english = load_interface("en").words
    assert {key: entry["en"] for key, entry in begun["words"].items()} == english
    own = load_interface(language).words if known else dict.fromkeys(english)
    assert {key: entry["text"] for key, entry in begun["words"].items()} == own


def test_a_scenario_checksum_follows_title_and_reason() -> None:
    scenario = next(one for one in load_corpus().scenarios if one.example)
    assert scenario_checksum(replace(scenario, title="Another")) != scenario_checksum(scenario)
    other = {**scenario.why, "de": "Anders."}
    assert scenario_checksum(replace(scenario, why=other)) == scenario_checksum(scenario)
