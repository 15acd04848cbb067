"""Each broken adapter in a whole run: the verdict of every scenario, not only of the broken one."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest
from certifying import BROKEN, corpus

from bauernschnapsen.ruleset import load_ruleset, rules_of
from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    AdapterError,
    Breaker,
    Limits,
    Session,
)
from bauernschnapsen_conformance.adapter.pool import open_sessions
from bauernschnapsen_conformance.corpus import Corpus, Scenario, prepare
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.plan import turning_of
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.verdicts import Verdict

pytestmark = pytest.mark.slow
ITS_PLACE = 9
"""Place of the scenario that each adapter spoils; it is asked in this order."""
WINDOW = 4
# A gigabyte, or the start of an engine, takes its time on a busy machine.
CALM = Limits(start_up=100.0, request=300.0, shut_down=20.0)
HASTY = replace(CALM, request=1.5)


@lru_cache
def part() -> Corpus:
    """Scenarios from the whole corpus, and positions, which are asked in lists."""
    return corpus(12)


@lru_cache
def scenarios_alone() -> Corpus:
    """Scenarios that are asked one after the other, where the order of asking decides."""
    return Corpus(part().scenarios, (), part().digest)


def trapped() -> Scenario:
    return part().scenarios[ITS_PLACE]


@lru_cache
def trap() -> str:
    """What the line of that one scenario contains, and no other line of the run."""
    rules = rules_of("pagat")
    turning = turning_of(trapped(), rules, seed=1, blind=False)
    deal = turning.deals(prepare(trapped(), rules).deals)[0]
    return '"actions":' + json.dumps(deal["actions"], separators=(",", ":"))


def drill(
    name: str,
    *,
    how: str = "",
    window: int = WINDOW,
    jobs: int = 1,
    limits: Limits = CALM,
    asked: Corpus | None = None,
) -> Report:
    """Certify a broken adapter that has the reference engine behind it."""
    options = ["--trap", trap(), "--how", how, "--window", str(window)]
    # -E: Python's own variables could make an adapter flush that must not.
    adapter = [sys.executable, "-E", str(BROKEN / name), *options, "--engine", "reference:answer"]
    ruleset = load_ruleset("pagat")

    def make(breaker: Breaker) -> Session:
        return Session(
            AdapterCommand(tuple(adapter)), limits=limits, rules=ruleset, breaker=breaker
        )

    with open_sessions(make, jobs) as session:
        session.start()
        return certify(asked or part(), ruleset, session)


def verdicts(report: Report) -> list[Verdict]:
    return [judgement.verdict for judgement in report.judgements]


def expected(**at: Verdict) -> list[Verdict]:
    """All pass, except where the place of the spoilt scenario and what follows it say otherwise."""
    here, after = at.get("here", Verdict.PASS), at.get("after", Verdict.PASS)
    places = len(scenarios_alone().scenarios)
    return [
        Verdict.PASS if place < ITS_PLACE else here if place == ITS_PLACE else after
        for place in range(places)
    ]


# One scenario ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    name: str
    how: str = ""
    kind: str = "malformed"
    jobs: int = 1

    def __str__(self) -> str:
        return f"{self.name}-{self.how or 'plain'}-{self.jobs}"


ONE_SCENARIO = [
    Case("crash.py", kind="crash"),
    Case("crash.py", "signal", kind="crash"),
    Case("crash_after_reply.py", kind="crash"),
    Case("crash_after_reply.py", "later", kind="crash", jobs=2),
    Case("crash_after_others.py", kind="crash"),
    Case("crash_with_pending.py", kind="crash"),
    Case("grandchildren.py", kind="crash"),
    Case("duplicate_id.py", kind="duplicate-id"),
    Case("duplicate_id.py", "later", kind="duplicate-id"),
    Case("wrong_id.py", kind="stale-id", jobs=2),
    Case("wrong_id.py", "missing"),
    Case("garbage_line.py"),
    Case("garbage_line.py", "pretty"),
    Case("deep_json.py"),
    Case("odd_numbers.py", "NaN"),
    Case("odd_numbers.py", "1.5"),
    Case("odd_numbers.py", "endless"),
    Case("invalid_utf8.py"),
    Case("wrong_shape.py", kind="protocol"),
    Case("huge_line.py", kind="oversize"),
    Case("closes_stdout.py", kind="missing-reply"),
    Case("hang.py", kind="timeout"),
    Case("hang_after_reply.py", kind="timeout"),
    Case("hang_ignoring_sigterm.py", kind="timeout"),
    Case("half_line.py", kind="timeout"),
    Case("silent.py", kind="timeout"),
    Case("late_reply.py", kind="timeout"),
    Case("does_not_read.py", kind="timeout"),
    Case("noise_before_reply.py", kind="timeout", jobs=2),
]


@pytest.mark.parametrize("case", ONE_SCENARIO, ids=str)
def test_it_costs_one_scenario_and_no_other(case: Case) -> None:
    limits = HASTY if case.kind == "timeout" else CALM
    report = drill(case.name, how=case.how, jobs=case.jobs, limits=limits)
    spoilt = [one for one in report.judgements if one.verdict is not Verdict.PASS]
    assert [(one.item, one.verdict) for one in spoilt] == [(trapped(), Verdict.ERROR)]
    (judgement,) = spoilt
    assert judgement.fault is not None
    assert judgement.fault.kind.value == case.kind
    assert [str(fault.kind.value) for fault in report.faults] == [case.kind]
    assert report.stopped is None
    assert report.exit_code == 1


# Nothing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "how", "note"),
    [
        ("correct.py", "", ""),
        ("out_of_order.py", "", ""),
        ("slow_start.py", "0.3", ""),
        ("stderr_flood.py", "", ""),
        ("noise.py", "", "4 lines that are no messages"),
        ("huge_line.py", "noise", "1 line that is no message"),
    ],
)
def test_it_costs_nothing(name: str, how: str, note: str) -> None:
    report = drill(name, how=how)
    assert set(verdicts(report)) == {Verdict.PASS}
    assert report.faults == ()
    assert report.exit_code == 0
    assert note in " ".join(report.notes)


# Several, or the rest of the run -----------------------------------------------------------


@pytest.mark.parametrize(("how", "limits"), [("", HASTY), ("crash", CALM)], ids=["", "crash"])
def test_who_cannot_pipeline_is_flaky_until_asked_one_at_a_time(how: str, limits: Limits) -> None:
    report = drill("not_pipelined.py", how=how, limits=limits, asked=scenarios_alone())
    # Three groups of four are spoilt; from the third on the session asks one at a time.
    rest = len(scenarios_alone().scenarios) - 3 * WINDOW
    assert verdicts(report) == [Verdict.FLAKY] * 3 * WINDOW + [Verdict.PASS] * rest
    assert '"window": 1' in report.judgements[0].reason
    assert report.exit_code == 1


def test_who_mixes_up_what_is_under_way_is_flaky_not_wrong() -> None:
    report = drill("not_pipelined.py", how="mixed", asked=scenarios_alone())
    found = verdicts(report)
    # How many are under way together, and so mixed up, is for the two processes to settle.
    assert set(found) <= {Verdict.FLAKY, Verdict.PASS}
    assert found.count(Verdict.FLAKY) > len(found) // 2
    assert '"window": 1' in report.judgements[0].reason
    assert report.exit_code == 1
    assert set(verdicts(drill("not_pipelined.py", how="mixed", window=1))) == {Verdict.PASS}


def test_another_identity_after_a_restart_ends_the_run_there() -> None:
    report = drill("changes_identity.py", window=1, asked=scenarios_alone())
    assert verdicts(report) == expected(here=Verdict.ERROR, after=Verdict.NOT_RUN)
    stopped = report.stopped or ""
    assert stopped.startswith(
        'the adapter is another one after a restart: adapter.version is "1.0-'
    )
    assert report.exit_code == 4


def test_who_starts_only_once_ends_the_run_there(tmp_path: Path) -> None:
    lock = str(tmp_path / "lock")
    report = drill("starts_only_once.py", how=lock, window=1, asked=scenarios_alone())
    assert verdicts(report) == expected(here=Verdict.ERROR, after=Verdict.NOT_RUN)
    assert report.stopped == "the adapter did not start again"
    assert report.exit_code == 4


@pytest.mark.parametrize("window", [1, WINDOW])
def test_who_ends_after_hello_is_given_up_after_five_faults(window: int) -> None:
    report = drill("exits_after_hello.py", window=window, asked=scenarios_alone())
    rest = len(scenarios_alone().scenarios) - 5
    assert verdicts(report) == [Verdict.ERROR] * 5 + [Verdict.NOT_RUN] * rest
    assert report.stopped == "5 faults in a row"
    assert report.exit_code == 4


# What does not start -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["exits_at_start.py", "other_protocol.py", "no_flush.py"])
def test_who_does_not_start_gets_no_verdict_at_all(name: str) -> None:
    with pytest.raises(AdapterError) as caught:
        drill(name, limits=Limits(start_up=1.0))
    assert caught.value.exit_code == 3


def test_every_broken_adapter_is_drilled() -> None:
    """No fixture lies about that no run has met."""
    met = {case.name for case in ONE_SCENARIO}
    here = Path(__file__).read_text(encoding="utf-8")
    fixtures = {path.name for path in BROKEN.glob("*.py")}
    fixtures -= {"base.py", "kinds.py", "reference.py", "stubs.py"}  # no adapters, or not broken
    assert {name for name in fixtures if name not in met and f'"{name}"' not in here} == set()
