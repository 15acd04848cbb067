"""Ids are forever, and a text does not change behind the back of its scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.locks import (
    check_locks,
    checksum,
    locks_folder,
    read_locks,
    write_locks,
)
from bauernschnapsen_conformance.corpus.rules import Rule, load_rules
from bauernschnapsen_conformance.corpus.scenario import Origin, Scenario


def rule(name: str, english: str = "Whoever can beat must.", **more: Any) -> Rule:
    text = {"en": english, "de": "Wer stechen kann, muss."}
    data = {"id": name, "text": text, **more}
    return Rule(
        name, name.partition(".")[0], "play", text, (), "sourced", data, Origin("r.yaml", 7)
    )


def scenario(name: str, *rules: str) -> Scenario:
    return Scenario(name, "Topic", "Title", {"en": "Why"}, rules, ())


def state(*rules: Rule) -> dict[str, Rule]:
    return {one.id: one for one in rules}


RULES = state(rule("play.beat"), rule("play.follow"), rule("match.target"))
SCENARIOS = [scenario("play.heart-trick", "play.beat"), scenario("match.long", "match.target")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_locks(RULES, SCENARIOS, tmp_path)
    return tmp_path


def messages(root: Path, rules: dict[str, Rule], scenarios: list[Scenario]) -> list[str]:
    return [str(error) for error in check_locks(rules, scenarios, root).errors]


def test_the_files_are_one_sorted_line_each(root: Path) -> None:
    text = (locks_folder(root) / "play.lock").read_text()
    digest = checksum(RULES["play.beat"])
    assert text.splitlines()[0] == f"rule play.beat {digest}"
    assert text.splitlines()[2] == "scenario play.heart-trick"
    assert text.splitlines() == sorted(text.splitlines())
    assert len(digest) == len("sha256:") + 12


def test_what_is_locked_is_in_order_and_writing_again_changes_nothing(root: Path) -> None:
    found = check_locks(RULES, SCENARIOS, root)
    assert (found.errors, found.unlocked) == ((), ())
    assert write_locks(RULES, SCENARIOS, root) == []


def test_a_new_id_is_no_fault_but_noted(root: Path) -> None:
    more = [*SCENARIOS, scenario("play.new", "play.beat")]
    found = check_locks({**RULES, "play.ruff": rule("play.ruff")}, more, root)
    assert found.errors == ()
    assert found.unlocked == ("rule play.ruff", "scenario play.new")
    assert write_locks(RULES, more, root) == ["scenario play.new: locked"]


def test_a_lost_or_renamed_id_is_a_fault_and_is_not_locked_away(root: Path) -> None:
    renamed = state(rule("play.beating"), RULES["play.follow"], RULES["match.target"])
    (fault,) = messages(root, renamed, SCENARIOS)
    assert fault.startswith("spec/ids/play.lock:1: the rule play.beat is gone")
    (fault,) = messages(root, RULES, SCENARIOS[1:])
    assert "the scenario play.heart-trick is gone" in fault
    before = (locks_folder(root) / "play.lock").read_text()
    with pytest.raises(SpecError, match=r"play\.heart-trick is gone"):
        write_locks(RULES, SCENARIOS[1:], root)
    assert (locks_folder(root) / "play.lock").read_text() == before


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_changed_text_wants_its_scenarios_looked_at(root: Path, language: str) -> None:
    changed = rule("play.beat")
    changed.data["text"] = {**changed.data["text"], language: "Another sentence."}
    rules = {**RULES, "play.beat": changed}
    (fault,) = messages(root, rules, SCENARIOS)
    assert fault.startswith("r.yaml:7: play.beat: the text of play.beat is not the one its 1")
    assert "check --lock" in fault
    assert write_locks(rules, SCENARIOS, root) == ["rule play.beat: text changed"]
    assert messages(root, rules, SCENARIOS) == []


def test_notes_sources_and_order_of_keys_are_no_text(root: Path) -> None:
    again = rule("play.beat", note={"en": "A note."}, sources=["R1"])
    again.data["text"] = dict(reversed(again.data["text"].items()))
    assert messages(root, {**RULES, "play.beat": again}, SCENARIOS) == []


def test_texts_by_option_have_a_checksum_too() -> None:
    def by_option(text: str) -> Rule:
        texts = {"options.hold": {"never": {"en": text, "de": "Nie."}}}
        return rule("play.beat", text_by=texts)

    assert checksum(by_option("Never.")) != checksum(by_option("Always."))
    assert checksum(by_option("Never.")) == checksum(by_option("Never."))


def test_a_retired_id_may_be_absent_and_not_come_back(root: Path) -> None:
    path = locks_folder(root) / "play.lock"
    path.write_text(path.read_text().replace("play.heart-trick", "play.heart-trick retired"))
    assert messages(root, RULES, SCENARIOS[1:]) == []
    (fault,) = messages(root, RULES, SCENARIOS)
    assert "play.heart-trick is retired" in fault
    write_locks(RULES, SCENARIOS[1:], root)
    assert "scenario play.heart-trick retired" in path.read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rule play.beat sha256:xyz", "locks nothing"),
        ("position play.beat", "locks nothing"),
        ("", "locks nothing"),
        ("rule match.target sha256:0123456789ab", "belongs to another file"),
        ("scenario play.aaa", "not sorted"),
        ("scenario play.heart-trick", "not sorted, or one is there twice"),
    ],
)
def test_a_damaged_lock_file_is_a_fault_with_its_line(root: Path, line: str, message: str) -> None:
    path = locks_folder(root) / "play.lock"
    path.write_text(path.read_text() + line + "\n")
    _, errors = read_locks(root)
    assert any(message in str(error) for error in errors)
    assert all(error.file == "spec/ids/play.lock" and error.line == 4 for error in errors)


def test_a_lock_file_that_is_no_text_costs_one_line(root: Path) -> None:
    (locks_folder(root) / "play.lock").write_bytes(b"\xff\xfe rule")
    locks, errors = read_locks(root)
    assert [lock.chapter for lock in locks] == ["match", "match"]
    assert len(errors) == 1
    assert "cannot be read" in str(errors[0])


def test_the_released_ids_are_all_there() -> None:
    found = check_locks(load_rules(), load_corpus().scenarios)
    assert [str(error) for error in found.errors] == []
    assert read_locks()[0], "spec/ids is empty: run 'bauernschnapsen check --lock'"
