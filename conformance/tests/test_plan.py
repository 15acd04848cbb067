"""The plan of a run: made while it is asked, in an order that the seed alone decides."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from certifying import PROGRAM, corpus, kind

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter.messages import Answer, Request
from bauernschnapsen_conformance.corpus import Corpus, PositionCase, load_corpus
from bauernschnapsen_conformance.corpus.scenario import Expect, Scenario
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.plan import BrokenSuite, Plan, plan_run
from bauernschnapsen_conformance.run.runner import certify, run_plan
from bauernschnapsen_conformance.run.verdicts import Judgement, Verdict

BLIND = pytest.mark.parametrize("blind", [False, True])


def planned(items: Any, *, blind: bool, **hidden: Any) -> Plan:
    hello = PythonEngine(kind(**hidden)).hello
    return plan_run(items, load_ruleset("pagat"), hello, seed=3, blind=blind)


def scenarios(plan: Plan) -> list[int]:
    """The numbers of the scenarios that have been played in the reference engine so far."""
    made = [task for task in plan._made if task is not None]
    return [task.number for task in made if isinstance(task.item, Scenario)]


class Watching(PythonEngine):
    """Keeps how much of the plan had been made when the first question came."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(kind())
        self.start()
        self._plan = plan
        self.made: list[int] = []
        self.keys: list[Any] = []

    def ask(self, requests: Any) -> Iterator[Answer]:
        def watched() -> Iterator[Request]:
            for request in requests:
                self.made = self.made or scenarios(self._plan)
                self.keys.append(request.key)
                yield request

        return super().ask(watched())


@BLIND
def test_the_first_question_does_not_wait_for_the_last_scenario(blind: bool) -> None:
    items = corpus(40).items
    plan = planned(items, blind=blind)
    assert scenarios(plan) == []
    engine = Watching(plan)
    judged: list[Judgement] = []
    judgements = run_plan(plan, engine, progress=judged.append)
    assert len(engine.made) == 1
    assert [one.item for one in judgements] == list(items)
    assert {one.verdict for one in judgements} == {Verdict.PASS}
    assert len(judged) == len(items)


def test_what_need_not_be_asked_is_told_too_but_never_first() -> None:
    other = [one for one in load_corpus().scenarios if "options" in one.under][:5]
    items = [*other, *corpus(200).scenarios]
    plan = planned(items, blind=False)
    judged: list[Judgement] = []
    run_plan(plan, Watching(plan), progress=judged.append)
    assert judged[0].verdict is Verdict.PASS
    assert sorted(one.item.id for one in judged) == sorted(item.id for item in items)
    assert {one.verdict for one in judged[1:6]} >= {Verdict.NOT_APPLICABLE}


@BLIND
def test_positions_are_asked_in_lists_without_playing_a_scenario(blind: bool) -> None:
    plan = planned(corpus(40).items, blind=blind)
    queries = plan.queries
    assert scenarios(plan) == []
    assert queries == [task for task in plan.asked if task.query is not None]
    assert all(isinstance(task.item, PositionCase) for task in queries)
    engine = Watching(plan)
    run_plan(plan, engine)
    lists = [key for key in engine.keys if isinstance(key, tuple) and key[0] == "list"]
    assert 0 < len(lists) < len(queries)
    assert len(set(lists)) == len(lists)


def test_the_order_depends_on_the_seed_and_nothing_that_an_engine_says() -> None:
    items = corpus(40).items
    order = [task.item.id for task in planned(items, blind=True).in_order()]
    less = planned(items, blind=True, starts=("contract",), claims="none", queries=False)
    assert [task.item.id for task in less.in_order()] == order
    assert [task.item.id for task in less.asked] == [
        task.item.id for task in less.in_order() if task.done is None
    ]
    assert order != [item.id for item in items]
    assert sorted(order) == sorted(item.id for item in items)


def test_each_task_is_made_once() -> None:
    plan = planned(corpus(40).items, blind=True)
    first = plan.tasks
    assert all(one is again for one, again in zip(first, plan.tasks, strict=True))
    assert {id(task) for task in plan.in_order()} == {id(task) for task in first}


def broken(item: Scenario) -> Scenario:
    """A scenario that states what is not so."""
    deal = item.deals[0]
    wrong = Expect({"points": {"NS": 119, "EW": 119}}, (), ())
    return replace(item, deals=(replace(deal, steps=(wrong, *deal.steps)), *item.deals[1:]))


@BLIND
def test_a_broken_scenario_ends_the_run_wherever_it_stands(blind: bool) -> None:
    whole = corpus(40)
    for place in (0, len(whole.scenarios) - 1):
        some = list(whole.scenarios)
        some[place] = broken(some[place])
        faulty = Corpus(tuple(some), whole.positions, whole.digest)
        engine = PythonEngine(kind())
        engine.start()
        with pytest.raises(BrokenSuite, match=some[place].id):
            certify(faulty, load_ruleset("pagat"), engine, seed=3, blind=blind)


CERTIFY_WITH_A_BROKEN_SCENARIO = """
import sys
from dataclasses import replace
from bauernschnapsen_conformance import corpus
from bauernschnapsen_conformance.commands import main
from test_plan import broken
whole = corpus.load_corpus()
some = [one for one in whole.scenarios if not one.under][:60]
some = (*some[:-1], broken(some[-1]))
corpus.load_corpus = lambda: corpus.Corpus(some, whole.positions[:9], whole.digest)
sys.exit(main(["certify", *sys.argv[1:], "--", *PROGRAM, "serve"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_broken_suite_is_told_in_one_line_and_leaves_no_adapter(jobs: str) -> None:
    code = f"PROGRAM = {PROGRAM!r}\n{CERTIFY_WITH_A_BROKEN_SCENARIO}"
    ended = subprocess.run(
        [sys.executable, "-c", code, "--no-blind", "--jobs", jobs],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
        env={"PYTHONPATH": str(Path(__file__).parent), "PATH": ""},
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("the suite is broken: ")
    assert ended.stderr.count("\n") == 1


def test_whoever_is_interrupted_has_a_verdict_for_everything() -> None:
    items = corpus(40).items
    plan = planned(items, blind=True)

    def interrupt(_: Judgement) -> None:
        raise KeyboardInterrupt

    judgements = run_plan(plan, Watching(plan), progress=interrupt)
    assert [one.item for one in judgements] == list(items)
    verdicts = {one.verdict for one in judgements}
    assert verdicts == {Verdict.PASS, Verdict.NOT_RUN}
