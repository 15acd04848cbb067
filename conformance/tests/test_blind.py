"""Blind runs: learnt answers and hidden state are found out, and every run can be repeated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM, by_verdict, certified, corpus, fixture_module, kind

from bauernschnapsen.notation import SUITS
from bauernschnapsen.ruleset import load_ruleset, rules_of
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.exporting import export
from bauernschnapsen_conformance.report.repeat import Repeat
from bauernschnapsen_conformance.run.engine import Engine
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.plan import (
    REPEATED_SHARE,
    Plan,
    body_of,
    plan_run,
    turning_of,
)
from bauernschnapsen_conformance.run.turning import turn
from bauernschnapsen_conformance.run.verdicts import Verdict

pytestmark = pytest.mark.slow
REFERENCE = "bauernschnapsen_conformance.reference_adapter:ReferenceAdapter"


def forgetful(how: str) -> Any:
    return fixture_module("kinds").Forgetful(how)


class Listening:
    """Keeps what it is asked."""

    def __init__(self, **hidden: Any) -> None:
        self.inner = kind(**hidden)
        self.asked: list[dict[str, Any]] = []

    def handle(self, message: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(message)
        reply: dict[str, Any] = self.inner.handle(message)
        return reply

    def of(self, op: str) -> list[str]:
        return [json.dumps(message) for message in self.asked if message["op"] == op]


def _plan(*, seed: int, blind: bool) -> Plan:
    hello = PythonEngine(kind(queries=False)).hello
    return plan_run(corpus(2).items, load_ruleset("pagat"), hello, seed=seed, blind=blind)


# What an engine is asked -------------------------------------------------------------------


def test_blind_changes_order_seats_and_suits_and_repeats_a_sample() -> None:
    plain, blind = Listening(queries=False), Listening(queries=False)
    certified(plain, seed=1, step=2)
    report = certified(blind, seed=1, step=2, blind=True)
    assert report.exit_code == 0
    asked = plain.of("replay")
    assert len(asked) == len(report.judgements)
    again = blind.of("replay")[len(asked) :]
    assert len(again) == round(len(asked) * REPEATED_SHARE)
    assert len(set(again)) == len(again)
    assert set(again) <= set(blind.of("replay")[: len(asked)])
    # One renaming of 24 leaves the suits as they are.
    assert len(set(asked) & set(blind.of("replay"))) < 0.1 * len(asked)
    order = [judgement.item.id for judgement in report.judgements]
    shuffled = [task.item.id for task in _plan(seed=1, blind=True).asked]
    assert sorted(shuffled) == sorted(order)
    assert sum(map(str.__eq__, shuffled, order)) < 0.05 * len(order)
    turned = [judgement.turned for judgement in report.judgements]
    for places in range(4):
        assert 0.15 < turned.count(places) / len(turned) < 0.35
    suits = {judgement.suits for judgement in report.judgements}
    assert len(suits) == 24


def test_the_seed_decides_everything() -> None:
    runs = [Listening() for _ in range(3)]
    for engine, seed in zip(runs, (5, 5, 6), strict=True):
        certified(engine, seed=seed, step=4, blind=True)
    first, same, other = ([json.dumps(m) for m in engine.asked] for engine in runs)
    assert first == same
    assert sorted(first) != sorted(other)


def test_each_scenario_is_turned_by_seed_and_id_alone() -> None:
    rules = rules_of("pagat")
    item = corpus().scenarios[3]
    turning = turning_of(item, rules, seed=9, blind=True)
    asked = PythonEngine(kind())
    for items in ([item], (*corpus(3).items[:40], item)):
        plan = plan_run(items, load_ruleset("pagat"), asked.hello, seed=9, blind=True)
        found = next(task for task in plan.tasks if task.item is item)
        assert found.turning == turning
    assert turning_of(item, rules, seed=9, blind=False).suits == SUITS


def test_turning_there_and_back() -> None:
    engine = PythonEngine(kind())
    plan = plan_run(corpus(3).items, load_ruleset("pagat"), engine.hello, seed=2, blind=True)
    for task in plan.tasks:
        turning = task.turning
        assert turning is not None
        if task.prepared is None:
            continue
        deals = task.prepared.deals
        assert turning.back().deals(turning.deals(deals)) == deals
        for view in task.prepared.expected[0]:
            assert turning.back().view(turning.view(view)) == view


def test_suits_must_be_the_four() -> None:
    for suits in ("HDS", "HDSS", "hdsc", "HDSCC", ""):
        with pytest.raises(ValueError, match="the suits are the letters HDSC"):
            turn(0, suits=suits)


# Who is found out --------------------------------------------------------------------------


def test_answers_learnt_by_heart_are_found_out() -> None:
    learnt = fixture_module("kinds").ByHeart(export(corpus(3), load_ruleset("pagat")))
    blind = certified(learnt, seed=8, step=3, blind=True)
    assert blind.levels == ()
    assert blind.exit_code == 1
    passed = len(by_verdict(blind).get(Verdict.PASS, []))
    assert passed < 0.05 * len(blind.judgements)
    # Even without it the turned tables are too much for it.
    plain = certified(learnt, seed=8, step=3)
    assert plain.levels == ()
    assert passed < len(by_verdict(plain)[Verdict.PASS]) < 0.4 * len(plain.judgements)


def test_an_engine_that_remembers_what_it_was_asked_is_found_out() -> None:
    report = certified(forgetful("twice"), seed=3, blind=True, step=2)
    flaky = by_verdict(report)[Verdict.FLAKY]
    assert set(by_verdict(report)) == {Verdict.PASS, Verdict.FLAKY}
    assert len(flaky) >= 0.8 * round(len(report.judgements) * REPEATED_SHARE)
    assert all("keeps something from one request to the next" in j.reason for j in flaky)
    assert report.exit_code == 1
    # It is the sample asked again that finds it out, and nothing else does.
    assert certified(forgetful("twice"), seed=3, step=2).exit_code == 0


@pytest.mark.parametrize("how", ["late", "factor"])
def test_an_engine_that_leaks_state_is_found_out(how: str) -> None:
    report = certified(forgetful(how), seed=3, blind=True, step=1 if how == "late" else 2)
    assert report.exit_code == 1
    failing = [j for j in report.judgements if not j.verdict.conforms]
    assert failing
    if how == "late":
        # Where the fault has come late, all that was asked early is asked again too late.
        assert {Verdict.FAIL, Verdict.FLAKY} <= {judgement.verdict for judgement in failing}


def test_a_leak_seen_only_alone_says_so() -> None:
    class FirstIsWrong:
        """Wrong once at the beginning, right for ever after."""

        def __init__(self) -> None:
            self.inner, self.wrong = kind(queries=False), True

        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            reply: dict[str, Any] = self.inner.handle(message)
            if message["op"] == "replay" and self.wrong:
                for view in (view for deal in reply["ok"] for view in deal):
                    view["to_act"] = "N" if view["to_act"] != "N" else "S"
                self.wrong = False
            return reply

    # With twenty scenarios and one repeated, some seed repeats the first one.
    small = corpus(40)
    for seed in range(200):
        asked = PythonEngine(FirstIsWrong())
        plan = plan_run(small.items, load_ruleset("pagat"), asked.hello, seed=seed, blind=True)
        if plan.asked[0] in plan.repeated:
            break
    report = certified(FirstIsWrong(), seed=seed, step=40, blind=True)
    (failing,) = [judgement for judgement in report.judgements if not judgement.verdict.conforms]
    assert failing.verdict is Verdict.FAIL
    assert failing.reason.startswith("right when asked again")


# Repeating ---------------------------------------------------------------------------------


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def command(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        captured = capsys.readouterr()
        assert captured.err == ""
        return code, captured.out

    return command


Run = Callable[..., tuple[int, str]]


def test_the_lines_that_show_prints_are_those_that_were_sent(run: Run) -> None:
    for hidden in ({}, {"starts": ("deal",), "queries": False}, {"claims": "automatic"}):
        engine = Listening(**hidden)
        report = certified(engine, seed=6, step=25, blind=True)
        repeat = Repeat(Engine(("x",)), "pagat", 6, True, report.hello.capabilities)
        sent = engine.of("replay")
        asked = [j for j in report.judgements if j.prepared is not None and j.turning is not None]
        assert len(asked) > 8
        # Without queries positions, which come last, are asked as deals, too.
        positions = [] if hidden.get("queries", True) else asked[-2:]
        for judgement in (*asked[:3], *positions):
            words = shlex.split(repeat.show(judgement))[1:]
            assert ("--replay" in words) == (judgement in positions)
            lines = run(*words)[1].splitlines()
            assert len(lines) == 3, words
            body = json.loads(lines[2])
            assert json.loads(lines[1])["op"] == "rules"
            body = {key: value for key, value in body.items() if key not in ("id", "rules")}
            assert json.dumps({"rules": "r1", **body}) in sent


def test_a_query_is_shown_as_it_was_sent(run: Run) -> None:
    engine = Listening()
    item = corpus().positions[11]
    plan = plan_run([item], load_ruleset("pagat"), PythonEngine(engine).hello, seed=4, blind=True)
    (task,) = plan.tasks
    assert task.turning is not None
    turned = ["--turned", str(task.turning.places), "--suits", task.turning.suits]
    code, shown = run("show", item.id, "--wire", *turned)
    assert code == 0
    body = json.loads(shown.splitlines()[2])
    assert body["cases"] == body_of(task)["cases"]


def test_the_repeat_command_reproduces_the_failure(run: Run) -> None:
    engine = ["--", PROGRAM[0], str(BROKEN / "kinds.py"), "--forgetful", "factor"]
    code, first = run("certify", "--failures", "3", "--only", "doubling.*", *engine)
    assert code == 1
    repeat = next(line for line in first.splitlines() if line.startswith("  repeat:"))
    command = shlex.split(repeat.removeprefix("  repeat:"))
    assert command[0] == "bauernschnapsen"
    seed = command[command.index("--seed") + 1]
    assert f"blind, seed {seed}" in run(*command[1:])[1]
    by_hand = next(line for line in first.splitlines() if line.startswith("  by hand:"))
    shown = by_hand.removeprefix("  by hand:").split(" | ")[0]
    assert run(*shlex.split(shown)[1:])[0] == 0


def test_each_blind_run_has_its_own_seed(run: Run) -> None:
    one = ["--only", "play.heart-trick", "--python", REFERENCE]
    seeds = set()
    for _ in range(4):
        code, out = run("certify", *one)
        assert code == 0
        seeds.add(out.partition("blind, seed ")[2].split("\n")[0])
    assert len(seeds) > 1
    assert "ruleset pagat, seed 1\n" in run("certify", "--no-blind", *one)[1]
