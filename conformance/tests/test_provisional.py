"""A scenario is provisional for its first minor version: it is reported, and costs nothing yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from certifying import corpus, kind

import bauernschnapsen
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.corpus import Corpus, Scenario
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.verdicts import Verdict

THIS_MINOR = ".".join(bauernschnapsen.__version__.split(".")[:2])


class CountsOneTooMany:
    """The reference engine, except that forehand's side is shown one card point too many."""

    def __init__(self) -> None:
        self.inner = kind()

    def handle(self, message: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = self.inner.handle(message)
        if message["op"] == "replay" and "ok" in reply:
            for views in reply["ok"]:
                for view in views:
                    if view.get("points", {}).get("NS"):
                        view["points"]["NS"] += 1
        return reply


def run(provisional: str | None) -> Report:
    """Certify the faulty engine with scenarios that entered in a version."""
    chosen = tuple(
        replace(scenario, provisional=provisional)
        for scenario in corpus().scenarios
        if scenario.chapter in ("marriages", "cards")
    )
    ruleset = load_ruleset("pagat")
    asked = PythonEngine(CountsOneTooMany(), rules=ruleset)
    asked.start()
    return certify(Corpus(chosen, (), "sha256:0"), ruleset, asked)


@pytest.mark.slow
@pytest.mark.parametrize("provisional", [None, "0.0", "9.9"])
def test_a_failure_counts_once_the_scenario_is_older(provisional: str | None) -> None:
    report = run(provisional)

    assert report.counts()[Verdict.FAIL] > 5
    assert Level.DEAL not in report.levels
    assert report.exit_code == 1


@pytest.mark.slow
def test_a_new_scenario_is_reported_and_withholds_nothing() -> None:
    report = run(THIS_MINOR)
    whole = json_report(report)

    assert report.counts()[Verdict.FAIL] == run(None).counts()[Verdict.FAIL]
    assert Level.DEAL in report.levels
    assert report.exit_code == 0
    assert whole["conforming"]
    assert whole["levels"]["deal"]["reached"]
    failed = [entry for entry in whole["results"] if entry["verdict"] == "fail"]
    assert all(entry["excused"] for entry in failed)
    assert all("provisional" in entry["reason"] for entry in failed)


def test_a_version_is_compared_by_its_parts() -> None:
    scenario = next(item for item in corpus().items if isinstance(item, Scenario))

    assert not replace(scenario, provisional="0.1").counts_in("0.1.7")
    assert replace(scenario, provisional="0.1").counts_in("0.10.0")
    assert replace(scenario, provisional="0.1").counts_in("0.2.0")
    assert scenario.counts_in("0.1.0")
