"""Faulty engines are noticed, and what is found shrinks until nothing can be dropped any more."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.notation import CARD_NUMBER
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary
from bauernschnapsen_conformance.blaming import blame
from bauernschnapsen_conformance.campaign.chunks import Chunk, Result, run_with
from bauernschnapsen_conformance.campaign.findings import Witness, cut_off
from bauernschnapsen_conformance.campaign.generators import Case
from bauernschnapsen_conformance.campaign.judging import Cause
from bauernschnapsen_conformance.campaign.shrinking import (
    Shrunk,
    ask_all,
    measure,
    reductions,
    shrink,
)
from bauernschnapsen_conformance.campaign.workers import Opened, ready
from bauernschnapsen_conformance.campaign.writing import scenario_file, under_of
from bauernschnapsen_conformance.corpus.check import check_files
from bauernschnapsen_conformance.corpus.read import read_scenario_file
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.teeth import Bench, Mutant, load_mutants
from bauernschnapsen_conformance.teeth.noticing import A_MINUTE, notice
from bauernschnapsen_conformance.teeth.serving import BesideReference
from bauernschnapsen_conformance.views import Difference

PAGAT = load_ruleset("pagat")
RULES = compile_rules(PAGAT)
MUTANTS = load_mutants()
CHUNKS = 12


def ten() -> list[str]:
    """One mutant each of ten chapters, the same in every run."""
    source = random.Random("fuzz")
    told_apart = [one for one in MUTANTS.values() if one.equivalent is None]
    chapters = [one for one in dict.fromkeys(m.chapter for m in told_apart) if one != "talon"]
    return [
        source.choice([one.name for one in told_apart if one.chapter == chapter])
        for chapter in sorted(source.sample(sorted(chapters), 10))
    ]


def served(mutant: Mutant) -> Opened:
    engine = PythonEngine(BesideReference(mutant), rules=PAGAT)
    return ready(engine, PAGAT)


def found_by(engine: Opened) -> Result:
    """What the first chunk brings in which the engine is wrong."""
    for number in range(CHUNKS):
        result = run_with(engine, 1, Chunk(number, 100))
        if result.findings:
            return result
    pytest.fail("nothing was found")


def smallest(engine: Opened, result: Result) -> Shrunk:
    _, found = next(iter(result.findings))
    return shrink(engine, found.witness.deals, found.witness.discrepancy)


# --------------------------------------------------------------------------- what can be dropped


def dropped(case: Case) -> Iterator[tuple[str, Case]]:
    """Everything that can be left out of a case, one thing at a time; written for this test."""
    for number, deal in enumerate(case):
        others = (case[:number], case[number + 1 :])
        if len(case) > 1 and "dealer" in (case[1] if not number else case[0]):
            yield f"deal {number}", [*others[0], *others[1]]
        for place in range(len(deal["actions"])):
            rest = deal["actions"][:place] + deal["actions"][place + 1 :]
            action = " ".join(deal["actions"][place])
            yield f"{action} ({place})", [*others[0], {**deal, "actions": rest}, *others[1]]
        for side, points in deal.get("scores", {}).items():
            if points:
                scores = {**deal["scores"], side: 0}
                yield f"score of {side}", [*others[0], {**deal, "scores": scores}, *others[1]]
        for one, other, exchanged in plainer(deal):
            yield f"{one} for {other}", [*others[0], exchanged, *others[1]]


def plainer(deal: Any) -> Iterator[tuple[str, str, Any]]:
    """The deal with two cards exchanged that stand against the order of the pack."""
    cards = [card for hand in deal["hands"].values() for card in hand]
    for one, other in itertools.combinations(cards, 2):
        if CARD_NUMBER[one] > CARD_NUMBER[other]:
            names = {one: other, other: one}
            hands = {
                seat: [names.get(card, card) for card in hand]
                for seat, hand in deal["hands"].items()
            }
            yield one, other, {**deal, "hands": hands}


def still_needed(engine: Opened, shrunk: Shrunk) -> list[str]:
    """What could be dropped although shrinking has ended; must be empty."""
    names, cases = zip(*dropped(shrunk.deals), strict=True)
    cause = shrunk.discrepancy.cause
    answers = ask_all(engine, list(cases))
    return [
        name
        for name, wrong in zip(names, answers, strict=True)
        if wrong is not None and wrong.cause == cause
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ten())
def test_ten_faulty_engines_are_found_and_nothing_can_be_dropped(name: str, tmp_path: Path) -> None:
    engine = served(MUTANTS[name])
    shrunk = smallest(engine, found_by(engine))
    assert shrunk.finished
    assert still_needed(engine, shrunk) == []
    size = measure(shrunk.deals)
    assert all(measure(case) < size for case in reductions(shrunk.deals, RULES, ("contract",)))
    file = tmp_path / "found.yaml"
    file.write_text(scenario_file(shrunk, PAGAT, "an engine"), encoding="utf-8")
    assert check_files([file]).errors == ()
    (scenario,), _ = read_scenario_file(file, "found.yaml")
    # What is stated in it, and not only what the reference fills in, tells the mutant.
    assert list(Bench([scenario]).kills(MUTANTS[name], [scenario]))


@pytest.mark.slow
def test_a_second_deal_that_tells_nothing_is_dropped() -> None:
    engine = served(MUTANTS["play.beat.nobody"])
    one = smallest(engine, found_by(engine))
    before: Case = [
        {
            "dealer": "S",
            "hands": {"N": ["AH", "TH", "KH", "QH", "JH"], "E": ["AD", "TD", "KD", "QD", "JD"],
                      "S": ["AS", "TS", "KS", "QS", "JS"], "W": ["AC", "TC", "KC", "QC", "JC"]},
            "scores": {"NS": 3, "EW": 4},
            "contract": {"name": "herren-schnapser", "declarer": "N", "trump": "H"},
            "actions": [["N", "show"]],
        }
    ]  # fmt: skip
    assert one.deals[0]["dealer"] == "W"
    later = {key: one.deals[0][key] for key in ("hands", "contract", "actions")}
    both = [*before, later]
    (wrong,) = ask_all(engine, [both])
    assert wrong is not None
    assert wrong.cause == one.discrepancy.cause
    shrunk = shrink(engine, cut_off(both, wrong), wrong)
    assert shrunk.deals == one.deals


@pytest.mark.slow
def test_the_auction_stays_where_an_engine_starts_from_the_deal_only() -> None:
    adapter = BesideReference(MUTANTS["play.beat.nobody"])
    engine = PythonEngine(OnlyDeals(adapter), rules=PAGAT)
    opened = ready(engine, PAGAT)
    shrunk = smallest(opened, found_by(opened))
    (deal,) = shrunk.deals
    assert "contract" not in deal
    assert still_needed(opened, shrunk) == []
    assert "passes" not in scenario_file(shrunk, PAGAT, "an engine")


class OnlyDeals:
    """An engine that does not start from a contract."""

    def __init__(self, adapter: Any) -> None:
        self.adapter = adapter

    def handle(self, message: Any) -> Any:
        reply = self.adapter.handle(message)
        if message["op"] == "hello":
            reply["ok"]["capabilities"]["starts"] = ["deal"]
        return reply


# --------------------------------------------------------------------------- which rule it is


def test_what_the_reference_refuses_is_blamed_on_its_reason() -> None:
    engine = served(MUTANTS["play.beat.nobody"])
    causes = [cause for cause, _ in found_by(engine).findings]
    assert Cause("play.beat", "legal") in causes


def test_rules_are_guessed_from_the_value_that_differs() -> None:
    deal = {
        "dealer": "W",
        "hands": {"N": ["KH", "QH", "AD", "KD", "TS"], "E": ["AH", "TD", "AS", "QS", "JC"],
                  "S": ["TH", "QD", "JD", "KC", "QC"], "W": ["JH", "KS", "JS", "AC", "TC"]},
        "scores": {"NS": 0, "EW": 0},
        "contract": {"name": "normal", "declarer": "N", "trump": "H"},
        "actions": [["N", "marry KH"], ["E", "play AH"]],
    }  # fmt: skip
    views = replay(RULES, [deal])

    def guessed(view: int, *path: str) -> tuple[str, ...]:
        return blame(RULES, [deal], views, Difference(0, view, path, 40, 20, stated=False))

    assert guessed(1, "points", "NS")[0] == "marriages.forty"
    assert guessed(1, "sees", "E", "N")[0] == "marriages.shown"
    assert guessed(2, "to_act")[0] == "play.turn"
    known = load_rules()
    assert all(rule in known for view in (1, 2) for rule in guessed(view, "outcome"))


# --------------------------------------------------------------------------- the rules of a file


def test_a_scenario_says_which_house_rules_it_belongs_to(tmp_path: Path) -> None:
    assert under_of(PAGAT) == {}
    assert under_of(load_ruleset("ukrainian")) == {"ruleset": "ukrainian"}
    changes = {"options": {"claim_by": "side"}, "contracts": {"bettler": {"value": 5}}}
    assert under_of(vary(PAGAT, changes)) == changes
    file = tmp_path / "house.yaml"
    file.write_text(
        "ruleset: house\nextends: ukrainian\ntitle: {en: House rules of a test}\n"
        "options: {target: 21}\n"
    )
    assert under_of(load_ruleset(file)) == {"ruleset": "ukrainian", "options": {"target": 21}}
    moved = vary(PAGAT, {"contracts": {"gang": {"above": "normal"}}})
    base = vary(PAGAT, under_of(moved))
    assert list(base["contracts"]) == list(moved["contracts"])


@pytest.mark.slow
def test_texts_from_an_engine_do_not_break_the_file(tmp_path: Path) -> None:
    engine = served(MUTANTS["play.beat.nobody"])
    shrunk = smallest(engine, found_by(engine))
    file = tmp_path / "found.yaml"
    name = 'Ein "böser"\n  name: {x}\x1b[31m' + "z" * 900
    file.write_text(scenario_file(shrunk, PAGAT, name), encoding="utf-8")
    assert check_files([file]).errors == ()


# --------------------------------------------------------------------------- all of them


def test_a_mutant_that_nothing_tells_apart_is_not_noticed() -> None:
    found = notice([one for one in MUTANTS.values() if one.name == "match.schneider.one"], most=200)
    assert found.share == 1
    assert found.within(1) == found.cases["match.schneider.one"] <= 200
    assert A_MINUTE > 1000


def test_a_witness_is_the_same_after_json() -> None:
    engine = served(MUTANTS["play.beat.nobody"])
    result = found_by(engine)
    again = Result.from_json(result.as_json())
    assert again == result
    for _, found in again.findings:
        assert Witness.from_json(found.witness.as_json()) == found.witness
