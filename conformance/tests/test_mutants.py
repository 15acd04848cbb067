"""The suite notices faulty engines: by chapter, for the right reason, and only where it says so."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bauernschnapsen import replay as engine
from bauernschnapsen import table
from bauernschnapsen.position import Position
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Scenario, load_corpus
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.teeth import Bench, Mutant, load_mutants
from bauernschnapsen_conformance.teeth.bench import first_difference
from bauernschnapsen_conformance.teeth.flips import all_flips, notices, witnessed_variants
from bauernschnapsen_conformance.teeth.matrix import compute
from bauernschnapsen_conformance.teeth.patch import _engine_modules

MUTANTS = load_mutants()
CHAPTERS = sorted({mutant.chapter for mutant in MUTANTS.values()})
# Chapters with most mutants take longest.
MANY = ("cards", "contracts", "play", "talon")
SAMPLED_FLIPS = 40


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(load_corpus().items)


def of_chapter(chapter: str) -> dict[str, Mutant]:
    return {name: one for name, one in MUTANTS.items() if one.chapter == chapter}


# --------------------------------------------------------------------------- the mutants themselves


def test_every_observable_rule_has_a_mutant() -> None:
    broken = {mutant.rule for mutant in MUTANTS.values() if mutant.equivalent is None}
    observable = {rule.id for rule in load_rules().values() if rule.kind == "play"}
    assert observable <= broken
    assert len(MUTANTS) >= 250


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_mutants_say_what_they_are(chapter: str) -> None:
    rules = load_rules()
    for mutant in of_chapter(chapter).values():
        assert mutant.name.startswith(f"{mutant.rule}.")
        assert rules[mutant.rule].kind == "play"
        for sentence in (mutant.sentence, mutant.equivalent or "A sentence."):
            assert sentence.endswith("."), mutant.name
            assert len(sentence) > 10


def engine_state() -> dict[str, Any]:
    state: dict[str, Any] = {
        f"{module.__name__}.{name}": value
        for module in _engine_modules()
        for name, value in vars(module).items()
    }
    state |= {f"Position.{name}": value for name, value in vars(Position).items()}
    return state | {f"handler {verb}": value for verb, value in table._HANDLERS.items()}


@pytest.mark.slow
def test_mutants_leave_the_engine_as_it_was() -> None:
    before = engine_state()
    for mutant in MUTANTS.values():
        with mutant.installed():
            pass
        after = engine_state()
        assert after.keys() == before.keys(), mutant.name
        assert all(after[name] is value for name, value in before.items()), mutant.name


def test_a_mutant_breaks_the_engine_only_while_it_is_installed(bench: Bench) -> None:
    mutant = MUTANTS["play.beat.nobody"]
    kill = bench.first_own_kill(mutant)
    assert kill is not None
    asked = bench.asked(load_corpus().find(kill.item))
    right = engine.replay(asked.rules, asked.deals)
    with mutant.installed() as patch:
        wrong = engine.replay(patch.rules(asked.rules), asked.deals)
    assert wrong != right
    assert engine.replay(asked.rules, asked.deals) == right


# --------------------------------------------------------------------------- the gate


@pytest.mark.parametrize(
    "chapter",
    [pytest.param(one, marks=[pytest.mark.slow] if one in MANY else []) for one in CHAPTERS],
)
def test_every_mutant_is_killed_by_a_scenario_of_its_rule(chapter: str, bench: Bench) -> None:
    survivors = [
        mutant.name
        for mutant in of_chapter(chapter).values()
        if mutant.equivalent is None and bench.first_own_kill(mutant) is None
    ]
    assert survivors == []


@pytest.mark.slow
def test_equivalent_mutants_are_told_apart_by_nothing(bench: Bench) -> None:
    equivalent = [mutant for mutant in MUTANTS.values() if mutant.equivalent is not None]
    assert equivalent
    for mutant in equivalent:
        assert next(bench.kills(mutant, bench.at_home), None) is None, mutant.name


def test_a_wrong_reason_counts_only_where_it_is_the_fault(bench: Bench) -> None:
    wrong = [mutant for mutant in MUTANTS.values() if mutant.by_reason]
    assert len(wrong) >= 30
    for mutant in wrong:
        kill = bench.first_own_kill(mutant)
        assert kill is not None, mutant.name
        assert kill.difference.path == ("refused",)
        asked = bench.asked(load_corpus().find(kill.item))
        with mutant.installed() as patch:
            assert first_difference(asked, patch, reasons=False) is None, mutant.name


def test_only_scenarios_that_name_the_rule_count(bench: Bench) -> None:
    mutant = MUTANTS["play.beat.third-hand"]
    assert bench.own_kills(mutant)
    items = [replace(item, rules=("cards.rank",)) for item in bench.citing(mutant.rule)]
    elsewhere = Bench(items)
    assert elsewhere.first_own_kill(mutant) is None
    assert elsewhere.first_foreign_kill(mutant) is not None


def test_only_what_is_stated_counts() -> None:
    corpus = load_corpus()
    mutant = MUTANTS["play.beat.nobody"]
    item = corpus.find("play.heart-trick")
    assert isinstance(item, Scenario)
    (deal,) = item.deals
    silent = replace(deal, steps=tuple(step for step in deal.steps if hasattr(step, "seat")))
    silent = replace(silent, steps=tuple(s for s in silent.steps if not hasattr(s, "because")))
    bench = Bench([replace(item, deals=(silent,))])
    assert bench.first_own_kill(mutant) is None
    assert Bench([item]).first_own_kill(mutant) is not None


def test_without_its_only_killer_the_gate_is_red(bench: Bench) -> None:
    shown = 0
    for chapter in ("match", "deal", "auction", "doubling"):
        matrix = compute(bench, of_chapter(chapter))
        for item, names in matrix.sole_killers().items():
            alone = {name: MUTANTS[name] for name in names}
            assert compute(bench, alone).gate_holds
            again = compute(bench.without(item), alone)
            assert not again.gate_holds
            assert [mutant.name for mutant in again.survivors] == names
            shown += 1
            if shown == 3:
                return
    pytest.fail("there are not three scenarios that alone kill a mutant in these chapters")


# --------------------------------------------------------------------------- option flips


def sampled_flips() -> Iterator[Any]:
    flips = [flip for flip in all_flips() if flip.reason is None]
    return iter(random.Random("flips").sample(flips, SAMPLED_FLIPS))


@pytest.mark.slow
def test_a_sample_of_option_flips_is_noticed(bench: Bench) -> None:
    assert [flip.name for flip in sampled_flips() if notices(bench, flip) is None] == []


@pytest.mark.slow
def test_flips_cover_the_vocabulary() -> None:
    fields = {flip.field.split(".")[-1] for flip in all_flips()}
    assert {"value", "bidders", "above", "ranks", "claim_by", "turn_up", "target"} <= fields


def test_a_house_rule_that_no_scenario_depends_on_is_found() -> None:
    item = load_corpus().find("play.heart-trick")
    assert isinstance(item, Scenario)
    moved = replace(item, id="play.one", under={"options": {"target": 21, "schneider": 1}})
    assert witnessed_variants(Bench([moved])) == {
        "options.target=21": [],
        "options.schneider=1": [],
    }


def test_a_house_rule_that_a_scenario_depends_on_is_witnessed() -> None:
    items = [item for item in load_corpus().items if item.under.get("options")][:20]
    found = witnessed_variants(Bench(items))
    assert any(found.values())
    assert {one for ids in found.values() for one in ids} <= {item.id for item in items}


# --------------------------------------------------------------------------- the command, the pipe


def test_the_command_prints_who_kills_whom(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutants", "match.schneider.one", "--killers"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("match.schneider\n  one ")
    assert out.endswith("1 mutant, none survives\n")


@pytest.mark.slow
def test_the_command_shows_a_witness(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutants", "cards.rank.ten-lowest", "--witness"]) == 0
    assert " with the fault" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["mutants", "no.such"], ["serve", "--mutant", "play.beat.thrid"]]
)
def test_a_wrong_name_costs_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "there is no mutant" in error


@pytest.mark.slow
def test_a_mutant_fails_over_the_pipe() -> None:
    program = [sys.executable, "-m", "bauernschnapsen_conformance"]
    for mutant, code in ((), 0), (("--mutant", "play.beat.nobody"), 1):
        command = [*program, "certify", "--only", "play.heart-trick", "--", *program, "serve"]
        ended = subprocess.run([*command, *mutant], capture_output=True, text=True, check=False)
        assert ended.returncode == code, ended.stdout + ended.stderr
