"""The faulty engines of the three-hand game: noticed at the plain table, and over the pipe."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.wording import rule_text
from bauernschnapsen_conformance.teeth import Bench, load_mutants

MUTANTS = {name: one for name, one in load_mutants().items() if one.chapter == "talon"}
FOUR_HAND = 1_000


def test_there_are_mutants_enough() -> None:
    by_rule: dict[str, int] = {}
    for mutant in MUTANTS.values():
        by_rule[mutant.rule] = by_rule.get(mutant.rule, 0) + 1
    observable = {rule.id for rule in load_rules().values() if rule.kind == "play"}
    assert {rule for rule in observable if rule.startswith("talon.")} == set(by_rule)
    assert len(MUTANTS) >= 300
    assert len(load_mutants()) - len(MUTANTS) >= FOUR_HAND


@pytest.mark.slow
def test_every_rule_of_the_plain_table_has_a_mutant_that_is_noticed_there() -> None:
    """House rules may be needed to see a fault in them, not to see one in the game itself."""
    bench = Bench(load_corpus().items)
    plain = load_ruleset("talon")
    home = bench.home_of("talon")
    unseen = {
        rule.id
        for rule in load_rules().values()
        if rule.chapter == "talon" and rule.kind == "play" and rule_text(rule, plain)
    }
    for mutant in MUTANTS.values():
        if mutant.rule in unseen:
            own = [item for item in home if mutant.rule in item.rules]
            if next(bench.kills(mutant, own), None) is not None:
                unseen.remove(mutant.rule)
    assert unseen == set()


@pytest.mark.slow
@pytest.mark.parametrize("mutant", ["talon.failure.next-only", "talon.unseen.everybody", None])
def test_a_mutant_fails_over_the_pipe(mutant: str | None) -> None:
    program = [sys.executable, "-m", "bauernschnapsen_conformance"]
    only = ["--only", "talon.hidden.discards", "--only", "talon.game.failure-to-two"]
    faulty = ["--mutant", mutant] if mutant else []
    command = [*program, "certify", "--ruleset", "talon", *only, "--", *program, "serve", *faulty]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == (1 if mutant else 0), ended.stdout + ended.stderr
