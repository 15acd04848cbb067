"""Scenarios of other house rules, put to engines that play whatever they are told."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree as ET

import click.testing
import pytest
from certifying import kind
from html_pages import Outline

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.ruleset import Resolved, load_ruleset, vary
from bauernschnapsen_conformance.adapter.faults import AdapterDidNotStart
from bauernschnapsen_conformance.commands.certify import command
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.corpus.reference import home_of
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
from bauernschnapsen_conformance.report.house_rules import what_is_said
from bauernschnapsen_conformance.report.html import html_report
from bauernschnapsen_conformance.report.junit import junit_xml
from bauernschnapsen_conformance.report.machine import certificate, json_report
from bauernschnapsen_conformance.report.repeat import Repeat
from bauernschnapsen_conformance.report.terminal import render_failures, summary_lines
from bauernschnapsen_conformance.report.verifying import differences
from bauernschnapsen_conformance.run.engine import Engine
from bauernschnapsen_conformance.run.house_rules import tables_beside, with_house_rules
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.selection import Selection
from bauernschnapsen_conformance.run.verdicts import Verdict
from bauernschnapsen_conformance.teeth import Bench, Mutant, load_mutants
from bauernschnapsen_conformance.teeth.serving import BesideReference

SAMPLE = 24
TALON = [one for one in load_mutants().values() if one.chapter == "talon"]


def certified(make: Any, ruleset: str = "talon", *only: str, blind: bool = False) -> Report:
    """The report on an engine in process, other house rules included. `make()` gives an engine."""

    @contextmanager
    def opened(rules: Resolved) -> Iterator[PythonEngine]:
        engine = PythonEngine(make(), rules=rules)
        engine.start()
        yield engine

    whole = load_corpus()
    with opened(load_ruleset(ruleset)) as session:
        report = certify(
            whole, load_ruleset(ruleset), session, blind=blind, selection=Selection(only)
        )
    return with_house_rules(report, whole.items, opened)


@lru_cache(maxsize=1)
def of_a_faulty_engine() -> Report:
    """The report on an engine that has only one fault, which the plain table does not show."""
    fault = load_mutants()["talon.without.told-as-any-other"]
    return certified(lambda: BesideReference(fault), "talon", "talon.*", blind=True)


def whole_report(report: Report) -> dict[str, Any]:
    return json_report(report)


# ------------------------------------------------------------------------------ what is asked


@pytest.mark.slow
def test_every_scenario_of_the_table_size_is_asked_once_and_under_its_own_rules() -> None:
    items = load_corpus().items
    for name, seats in (("talon_wikipedia", 3), ("pagat", 4)):
        ruleset = load_ruleset(name)
        tables = tables_beside(ruleset, items)
        asked = [item.id for _, inside in tables for item in inside]
        assert len(asked) == len(set(asked)) > 50
        for home, inside in tables:
            assert home["options"]["seats"] == seats
            assert {json.dumps(home_of(item), sort_keys=True) for item in inside} == {
                json.dumps(home, sort_keys=True)
            }
        own = {item.id for item in items if item.id not in asked}
        rest = [home_of(item) for item in items if item.id in own]
        assert all(
            home["options"]["seats"] != seats
            or (home["options"], home["contracts"]) == (ruleset["options"], ruleset["contracts"])
            for home in rest
        )


def test_a_ruleset_that_is_varied_to_what_it_is_has_no_other_table() -> None:
    items = [item for item in load_corpus().scenarios if item.under == {"ruleset": "talon"}]
    renamed = {**vary(load_ruleset("talon"), {"options": {"seats": 3}}), "ruleset": "ours"}
    assert tables_beside(renamed, items) == []


@pytest.mark.slow
def test_the_reference_plays_every_other_table() -> None:
    report = certified(ReferenceAdapter, "talon", "talon.*")
    found = whole_report(report)["house_rules"]
    assert found["asked"]
    assert found["conforms"]
    assert found["tables"] > 15
    assert found["counts"] == {"pass": found["scenarios"]}
    assert report.exit_code == 0


def test_an_engine_that_takes_no_ruleset_is_not_asked() -> None:
    report = certified(lambda: kind(configurable=False), "talon", "talon.hidden.*")
    whole = whole_report(report)
    assert whole["house_rules"] == {
        "asked": False,
        "reason": "the engine takes no ruleset (capabilities.configurable)",
        "conforms": True,
    }
    assert validate(whole, "report") == []
    assert validate(certificate(whole), "certificate") == []
    assert any("takes no ruleset" in line for line in summary_lines(whole))


# ------------------------------------------------------------------------------ what is said


@pytest.mark.slow
def test_what_fails_elsewhere_is_not_conforming_and_costs_no_level() -> None:
    report = of_a_faulty_engine()
    whole = whole_report(report)
    assert all(judgement.conforms for judgement in report.judgements)
    assert all(whole["levels"][level]["reached"] for level in ("deal", "auction", "claims"))
    found = whole["house_rules"]
    failing = {entry["id"] for entry in found["results"] if entry["verdict"] == "fail"}
    assert {"talon.bids-without.told", "talon.bids-without.told-of-a-cancelled-one"} <= failing
    assert found["counts"]["fail"] == len(failing)
    assert not found["conforms"]
    assert not whole["conforming"]
    assert report.exit_code == 1
    assert replace(report, house_rules=None).exit_code == 0


@pytest.mark.slow
def test_reports_and_certificate_tell_it() -> None:
    report = of_a_faulty_engine()
    whole = whole_report(report)
    assert validate(whole, "report") == []
    kept = certificate(whole)
    assert validate(kept, "certificate") == []
    assert kept["house_rules"]["counts"] == whole["house_rules"]["counts"]
    assert "results" not in kept["house_rules"]
    right = json.loads(json.dumps(kept))
    right["house_rules"]["counts"]["fail"] -= 1
    assert differences(kept, whole) == []
    assert any(line.startswith("house rules, counts: ") for line in differences(right, whole))
    assert any("house rules" in line for line in differences(kept, {**whole, "house_rules": {}}))
    repeat = Repeat(Engine(("./engine",)), "talon", 7, blind=True)
    told = render_failures(report, repeat)
    assert "Under {ruleset: talon, options: {no_talon_precedence: present}}" in told
    assert "--only talon.bids-without.told --ruleset talon --house-rules --seed 7" in told
    assert "show talon.bids-without.told --wire" in told
    assert any(line.startswith("House rules: ") for line in summary_lines(whole))
    suites = ET.fromstring(junit_xml(report, repeat))
    (elsewhere,) = suites.findall("testsuite[@name='house-rules.talon']")[:1]
    assert elsewhere.get("name") == "house-rules.talon"
    failures = sum(int(suite.get("failures", "0")) for suite in suites)
    assert failures == whole["house_rules"]["counts"]["fail"]


@pytest.mark.slow
def test_the_html_report_tells_them_as_any_other_failure() -> None:
    report = of_a_faulty_engine()
    whole = whole_report(report)
    repeat = Repeat(Engine(("./engine",)), "talon", 7, blind=True)
    page = html_report(report, whole, load_rules(), repeat).decode()
    outline = Outline(page)
    assert outline.faults == []
    assert len(outline.ids) == len(set(outline.ids))
    number = whole["house_rules"]["counts"]["fail"]
    assert f">House rules ({number})</a>" in page
    assert page.count('id="all-failures"') == 1
    section = page.split('<section id="house-rules"')[1].split("</section>")[0]
    assert f"Failures under other house rules ({number})</h2>" in section
    failures = section.split('<details class="failure"')[1:]
    assert len(failures) == number > 1
    told = next(one for one in failures if "<code>talon.bids-without.told</code>" in one)
    for part in (
        "House rule: <code>{ruleset: talon, options: {no_talon_precedence: present}}</code> ",
        "A contract bid without the talon goes before the same contract with it.",
        '<span class="verdict fail">fail</span>',
        '<table class="deal"><caption>The cards as dealt',
        '<li class="differs">',
        "First difference after step",
        "--only talon.bids-without.told --ruleset talon --house-rules --seed 7",
    ):
        assert part in told, (part, told[:3000])
    again = page.split('<section id="repeat"')[1]
    assert "bauernschnapsen certify --ruleset talon --house-rules --seed 7" in again
    few = html_report(report, whole, load_rules(), repeat, most_failures=1).decode()
    assert f"<h3>{number - 1} more, in short</h3>" in few


def test_the_html_report_says_that_nothing_failed_elsewhere_or_that_nothing_was_asked() -> None:
    for make, told in (
        (ReferenceAdapter, "Nothing that was asked under other house rules has failed."),
        (lambda: kind(configurable=False), "the engine takes no ruleset"),
    ):
        report = certified(make, "talon", "talon.hidden.*")
        repeat = Repeat(Engine(("./engine",)), "talon")
        page = html_report(report, whole_report(report), load_rules(), repeat).decode()
        outline = Outline(page)
        assert outline.faults == []
        assert told in page
        assert ("house-rules" in outline.ids) == (make is ReferenceAdapter)
        assert {link.removeprefix("#") for link in outline.links} <= set(outline.ids)


def test_the_rules_of_a_table_are_told_in_sentences() -> None:
    ruleset = load_ruleset("pagat")
    under = {
        "ruleset": "pagat",
        "options": {"claim_by": "side"},
        "contracts": {"bettler": {"value": 5}},
        "all_contracts": {"head": "free"},
    }
    told = what_is_said(under, ruleset)
    assert len(told) == 3
    assert told[1].startswith("Bettler: ")
    assert "5" in told[1]
    assert all(sentence.endswith(".") for sentence in told)


def test_an_engine_that_does_not_start_under_some_rules_is_charged_with_them() -> None:
    @contextmanager
    def opened(rules: Resolved) -> Iterator[PythonEngine]:
        if rules["options"]["no_talon_bonus"]:
            raise AdapterDidNotStart("no engine for these rules")
        engine = PythonEngine(ReferenceAdapter(), rules=rules)
        engine.start()
        yield engine

    whole = load_corpus()
    only = Selection(("talon.options.bonus*", "talon.bids-without.*", "talon.hidden.*"))
    with opened(load_ruleset("talon")) as session:
        report = certify(whole, load_ruleset("talon"), session, selection=only)
    house = with_house_rules(report, whole.items, opened).house_rules
    assert house is not None
    verdicts = {one.item.id: one.verdict for one in house.judgements}
    assert verdicts["talon.options.bonus-last-trick"] is Verdict.ERROR
    assert verdicts["talon.bids-without.told"] is Verdict.PASS
    assert not house.conforms


def test_an_engine_that_is_another_one_under_other_rules_ends_the_run() -> None:
    made = iter([ReferenceAdapter(), kind(claims="none")])
    report = certified(lambda: next(made), "talon", "talon.bids-without.*", "talon.hidden.*")
    assert report.stopped is not None
    assert "another one under other rules" in report.stopped
    assert report.exit_code == 4


@pytest.mark.parametrize("more", [["--shard", "1/2"], ["--transcript", "lines.ndjson"]])
def test_what_goes_with_no_house_rules(more: list[str]) -> None:
    words = ["--house-rules", *more, "--", "./engine"]
    result = click.testing.CliRunner().invoke(command, words)
    assert result.exit_code == 2
    assert "--house-rules" in result.output


# ------------------------------------------------------------------------------ what it finds


def assert_found(mutant: Mutant, bench: Bench) -> None:
    """A run with --house-rules fails for a mutant, at the scenario that tells it apart."""
    kill = bench.first_own_kill(mutant)
    assert kill is not None, mutant.name
    report = certified(lambda: BesideReference(mutant), "talon", kill.item)
    assert report.house_rules is not None
    judged = [*report.judgements, *report.house_rules.judgements]
    assert any(one.verdict in (Verdict.FAIL, Verdict.ERROR) for one in judged), mutant.name
    assert not whole_report(report)["conforming"]


def observable() -> list[Mutant]:
    return [mutant for mutant in TALON if mutant.equivalent is None]


@pytest.mark.slow
def test_a_faulty_engine_fails_under_the_options_that_show_its_fault() -> None:
    bench = Bench(load_corpus().items)
    for mutant in random.Random("house rules").sample(observable(), SAMPLE):
        assert_found(mutant, bench)


@pytest.mark.gates
def test_every_faulty_engine_of_the_talon_fails() -> None:
    found = observable()
    assert len(found) > 330
    bench = Bench(load_corpus().items)
    for mutant in found:
        assert_found(mutant, bench)
