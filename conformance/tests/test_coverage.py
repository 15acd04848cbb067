"""Coverage counts what it says it counts, and every kind of hole is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bauernschnapsen_conformance.corpus import Item, Scenario, load_corpus
from bauernschnapsen_conformance.corpus.coverage import Coverage, RuleCoverage, compute_coverage
from bauernschnapsen_conformance.corpus.rules import Rule, load_rules
from bauernschnapsen_conformance.teeth import Bench, Mutant, load_mutants
from bauernschnapsen_conformance.teeth.matrix import Matrix, compute

CHAPTER = "scoring"
ITEMS = [item for item in load_corpus().items if any(r.startswith(CHAPTER) for r in item.rules)]
RULES = {name: rule for name, rule in load_rules().items() if rule.chapter == CHAPTER}
MUTANTS = {name: one for name, one in load_mutants().items() if one.chapter == CHAPTER}


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return compute(Bench(ITEMS), MUTANTS)


def covered(
    matrix: Matrix, items: list[Item] | None = None, rules: dict[str, Rule] | None = None
) -> Coverage:
    return compute_coverage(rules or RULES, ITEMS if items is None else items, matrix)


def of(coverage: Coverage, rule: str) -> RuleCoverage:
    return next(one for one in coverage.rules if one.rule.id == rule)


def test_the_chapter_is_covered(matrix: Matrix) -> None:
    coverage = covered(matrix)
    assert [str(error) for error in coverage.errors] == []
    assert {one.rule.id for one in coverage.rules} == {
        name for name, rule in RULES.items() if rule.kind == "play"
    }
    add = of(coverage, "scoring.add")
    assert add.positive
    assert add.negative
    assert add.killed == add.mutants > 3


def test_without_scenarios_there_is_a_hole_both_ways(matrix: Matrix) -> None:
    left = [item for item in ITEMS if "scoring.add" not in item.rules]
    nothing = Matrix(matrix.mutants, {**matrix.killers, **_without("scoring.add", matrix)})
    add = of(covered(nothing, left), "scoring.add")
    assert add.positive == add.negative == ()
    assert add.holes[0] == "no positive scenario and no written reason why"
    assert add.holes[1] == "no negative scenario and no written reason why"
    assert add.holes[2].startswith("mutants survive: scoring.add.")


def _without(rule: str, matrix: Matrix) -> dict[str, tuple[str, ...]]:
    return {name: () for name, mutant in matrix.mutants.items() if mutant.rule == rule}


def test_a_written_reason_excuses(matrix: Matrix) -> None:
    left = [item for item in ITEMS if "scoring.add" not in item.rules]
    reason = {"none": {"en": "A reason.", "de": "Ein Grund."}}
    rule = RULES["scoring.add"]
    rule = replace(rule, data={**rule.data, "positive": reason, "negative": reason})
    others = {name: one for name, one in matrix.mutants.items() if one.rule != rule.id}
    nothing = Matrix(others, {name: matrix.killers[name] for name in others})
    add = of(covered(nothing, left, {**RULES, rule.id: rule}), rule.id)
    assert add.holes == ["no mutant"]


def test_a_refused_step_counts_for_the_rule_it_is_because_of(matrix: Matrix) -> None:
    silent = Matrix(matrix.mutants, dict.fromkeys(matrix.killers, ()))
    over = of(covered(silent), "scoring.deal-over")
    assert over.negative, "deal-over has refused steps"
    assert len(of(covered(matrix), "scoring.deal-over").negative) >= len(over.negative)


def test_a_value_counts_as_negative_only_if_it_kills_a_mutant(matrix: Matrix) -> None:
    silent = Matrix(matrix.mutants, dict.fromkeys(matrix.killers, ()))
    assert of(covered(silent), "scoring.add").negative == ()
    assert of(covered(matrix), "scoring.add").negative


def test_orphans_are_faults(matrix: Matrix) -> None:
    item = next(item for item in ITEMS if isinstance(item, Scenario))
    stray = replace(item, id="scoring.stray", rules=("scoring.upwards",))
    found = [str(error) for error in covered(matrix, [*ITEMS, stray]).orphans]
    assert any("scoring.stray: the scenario names no rule that can be observed" in f for f in found)
    assert any("scoring.upwards is a table rule and cannot be observed" in f for f in found)
    mutants: dict[str, Mutant] = {}
    for rule in ("scoring.upwards", "scoring.nonsense"):
        mutant = replace(MUTANTS["scoring.add.replaced"], rule=rule, name=f"{rule}.slug")
        mutants[mutant.name] = mutant
    strange = Matrix(
        {**matrix.mutants, **mutants}, {**matrix.killers, **dict.fromkeys(mutants, ())}
    )
    found = [str(error) for error in covered(strange).orphans]
    assert any("scoring.upwards.slug breaks a rule that cannot be observed" in f for f in found)
    assert any("scoring.nonsense.slug breaks a rule that does not exist" in f for f in found)


def test_a_mutant_that_is_not_equivalent_after_all_is_a_fault(matrix: Matrix) -> None:
    name = "scoring.add.replaced"
    claimed = {**matrix.mutants, name: replace(matrix.mutants[name], equivalent="It is not.")}
    found = covered(Matrix(claimed, matrix.killers)).orphans
    assert [name in str(error) for error in found] == [True]


def test_citations_that_no_mutant_confirms_are_listed(matrix: Matrix) -> None:
    item = next(one for one in ITEMS if isinstance(one, Scenario) and not one.under)
    killers = {
        name: tuple(one for one in items if one != item.id)
        for name, items in matrix.killers.items()
    }
    wanted = [(item.id, rule) for rule in item.rules if rule.startswith(CHAPTER)]
    assert wanted
    assert Matrix(matrix.mutants, killers).unconfirmed([item]) == wanted
    elsewhere = replace(item, under={"options": {"target": 21}})
    assert Matrix(matrix.mutants, killers).unconfirmed([elsewhere]) == []
