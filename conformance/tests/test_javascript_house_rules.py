"""The engine in plain JavaScript at every table that a scenario asks for."""

from __future__ import annotations

from functools import partial

import pytest
from javascript_adapter import HERE, NODE

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.run.engine import Engine, started
from bauernschnapsen_conformance.run.house_rules import ask_house_rules
from bauernschnapsen_conformance.run.outcome import HouseRules
from bauernschnapsen_conformance.run.verdicts import Verdict

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


def asked(ruleset: str, *chapters: str) -> HouseRules:
    """What becomes of the scenarios of other tables for as many players, of some chapters."""
    corpus = load_corpus()
    items = [item for item in corpus.items if not chapters or item.chapter in chapters]
    opened = partial(
        started, Engine((str(NODE), str(HERE / "adapter.mjs"))), suite_digest=corpus.digest
    )
    rules = load_ruleset(ruleset)
    with opened(rules) as session:
        hello = session.hello
    return ask_house_rules(items, rules, hello, opened, seed=1, blind=True)


def assert_right(found: HouseRules, tables: int) -> None:
    assert found.stopped is None
    assert len(found.tables) >= tables
    wrong = [one.item.id for one in found.judgements if one.verdict is not Verdict.PASS]
    assert wrong == []


@pytest.mark.slow
def test_options_of_three_players() -> None:
    """Those of both other rulesets are among them: marked for the winner, Retourschneider."""
    found = asked("talon")
    assert_right(found, 20)
    names = {one.item.id for one in found.judgements}
    assert {"talon.options.marked-for-the-winner", "talon.options.retourschneider"} <= names


@pytest.mark.slow
def test_options_of_marriages() -> None:
    assert_right(asked("pagat", "marriages"), 5)


@pytest.mark.gates
@pytest.mark.parametrize("ruleset", ["pagat", "talon_carinthia", "talon_wikipedia"])
def test_every_house_rule(ruleset: str) -> None:
    assert_right(asked(ruleset), 20)
