"""JSON report, certificate, badge, JUnit and the text for people."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from certifying import BROKEN, PROGRAM, certified, corpus, fixture_module, kind

from bauernschnapsen.data.schemas import validate
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.report.badge import shields_badge, svg_badge
from bauernschnapsen_conformance.report.failure import describe_failure, rule_texts
from bauernschnapsen_conformance.report.html import html_report
from bauernschnapsen_conformance.report.junit import junit_xml
from bauernschnapsen_conformance.report.machine import certificate, exit_code, json_report
from bauernschnapsen_conformance.report.repeat import Repeat
from bauernschnapsen_conformance.report.terminal import render_failures, summary_lines
from bauernschnapsen_conformance.run import tally
from bauernschnapsen_conformance.run.engine import Engine
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.verdicts import Verdict

Json = dict[str, Any]


class Wrong:
    """Wrong in many ways, some of them hostile to reports."""

    def __init__(self) -> None:
        self.inner = kind(queries=False)

    def handle(self, message: Json) -> Json:
        reply: Json = self.inner.handle(message)
        if message["op"] != "replay":
            return reply
        number = sum(map(ord, repr(message["deals"]))) % 5
        for view in (view for deal in reply["ok"] for view in deal):
            if number == 1:
                view["points"] = {"NS": "\x1b[31m]]>\x00", "EW": None}
            elif number == 2:
                view["legal"] = {"N": ["play AH", "<script>"]}
        if number == 3:
            return {"error": {"message": "boom \x07\n]]>", "traceback": "..."}}
        if number == 4:
            raise RuntimeError("out of luck \x1b[2J")
        return reply


@pytest.fixture(scope="module")
def wrong() -> Report:
    report = certified(Wrong(), seed=5, step=6, blind=True)
    assert {Verdict.PASS, Verdict.FAIL, Verdict.ERROR} <= {j.verdict for j in report.judgements}
    return report


@pytest.fixture(scope="module")
def right() -> Report:
    return certified(kind(starts=("contract",), leave_out=("sees",)), seed=5, step=4, blind=True)


REPEAT = Repeat(Engine(("./my adapter", "--x")), "my house.yaml", 5, True)


# JSON --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["wrong", "right"])
def test_report_and_certificate_are_as_their_schemas_say(
    name: str, request: pytest.FixtureRequest
) -> None:
    report = request.getfixturevalue(name)
    whole = json.loads(json.dumps(json_report(report, Engine((*PROGRAM, "serve")))))
    assert validate(whole, "report") == []
    assert validate(certificate(whole), "certificate") == []
    assert len(whole["results"]) == len(report.judgements)
    assert whole["counts"] == {v.value: n for v, n in report.counts().items()}
    assert [title for title, level in whole["levels"].items() if level["reached"]] == [
        level.title for level in report.levels
    ]
    assert exit_code(whole) == report.exit_code
    assert whole["conforming"] == (report.exit_code == 0)


def test_a_certificate_says_what_it_rests_on(right: Report) -> None:
    found = certificate(json_report(right, Engine(("python", str(BROKEN / "kinds.py"), "--x"))))
    assert found["suite"]["digest"] == corpus().digest
    assert found["capabilities"]["starts"] == ["contract"]
    assert found["profile"]["ruleset"] == "pagat"
    assert found["not_observed"]["no auction"] > 0
    assert found["not_shown"] == ["sees"]
    assert "legal" in found["shown"]
    (file,) = [file for file in found["files"] if file["name"].endswith("kinds.py")]
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", file["digest"])
    assert found["seed"] == 5
    assert found["blind"] is True
    assert any("starts from a contract" in note for note in found["notes"])


def test_a_level_needs_a_pass_and_nothing_that_withholds() -> None:
    entry = {"level": 1, "chapter": "play", "id": "x", "rules": []}
    cases: dict[tuple[str, ...], bool] = {
        (): False,
        ("pass",): True,
        ("pass", "not-applicable"): True,
        ("not-applicable",): False,
        ("pass", "unsupported"): False,
        ("pass", "excused"): True,
        ("excused",): False,
        **{("pass", bad): False for bad in ("fail", "error", "xfail", "xpass", "flaky", "not-run")},
    }
    for verdicts, expected in cases.items():
        entries = [
            {**entry, "verdict": "unsupported", "excused": True}
            if verdict == "excused"
            else {**entry, "verdict": verdict}
            for verdict in verdicts
        ]
        assert tally.level_table(entries)["tricks"]["reached"] is expected, verdicts


# For people --------------------------------------------------------------------------------


def test_a_failure_says_all_that_is_needed(wrong: Report) -> None:
    rules = rule_texts(wrong.ruleset)
    failing = [judgement for judgement in wrong.judgements if not judgement.verdict.conforms]
    assert any(judgement.differences for judgement in failing)
    assert any(judgement.fault is not None for judgement in failing)
    assert any(judgement.turned for judgement in failing)
    for judgement in failing:
        text = "\n".join(describe_failure(judgement, rules, REPEAT))
        assert text.startswith(f"{judgement.verdict.upper()} {judgement.item.id}\n")
        assert all(f"Rule {rule}: " in text for rule in judgement.item.rules)
        assert "{" not in text.partition("First difference")[0]
        assert "'./my adapter' --x" in text
        assert "--ruleset 'my house.yaml' --seed 5 -- " in text
        assert all(c == "\n" or c.isprintable() for c in text), repr(text)
        if judgement.differences:
            assert "First difference" in text
            assert "expected" in text
            assert "got" in text
        if judgement.fault is not None:
            assert "raised RuntimeError: out of luck" in text
            assert "the adapter's stderr says:" in text
        if judgement.turned:
            assert "On the wire: seats N E S W as " in text


@pytest.mark.slow
def test_what_an_author_states_is_told_before_what_only_the_reference_says(wrong: Report) -> None:
    told = [j for j in wrong.judgements if not j.verdict.conforms]
    assert {j.incidental for j in told} == {True, False}
    text = render_failures(wrong, REPEAT, most_failures=len(told))
    heads = re.findall(r"^(?:FAIL|ERROR|FLAKY) (.+)$", text, re.MULTILINE)
    incidental = {j.item.id: j.incidental for j in told}
    kinds = [incidental[head] for head in heads]
    assert len(kinds) == len(told)
    assert kinds == sorted(kinds)


@pytest.mark.slow
def test_lists_say_what_is_missing_and_what_is_too_much() -> None:
    report = certified(fixture_module("kinds").Forgetful("late"), step=4)
    assert report.exit_code in (0, 1)

    class NoMarriages:
        def __init__(self) -> None:
            self.inner = kind()

        def handle(self, message: Json) -> Json:
            reply: Json = self.inner.handle(message)
            if message["op"] == "replay":
                for view in (view for deal in reply["ok"] for view in deal):
                    for seat, actions in view["legal"].items():
                        kept = [action for action in actions if "marry" not in action]
                        view["legal"][seat] = [*kept, "bid gang"]
                    if view["phase"] == "play":
                        view["bid"] = {"contract": "gang", "seat": None}
            return reply

    report = certified(NoMarriages(), step=4)
    texts = [
        "\n".join(describe_failure(judgement, rule_texts(report.ruleset), REPEAT))
        for judgement in report.judgements
        if judgement.verdict is Verdict.FAIL
    ]
    assert any("      missing   marry " in text for text in texts)
    assert any("      extra     bid gang" in text for text in texts)
    # Values stand as the engine's author wrote them, whatever the runner is written in.
    assert any('{"contract": "gang", "seat": null}' in text for text in texts)


def test_the_summary_is_printable_and_complete(wrong: Report, right: Report) -> None:
    for report in (wrong, right):
        lines = summary_lines(json_report(report))
        assert all(line.isprintable() for line in lines)
        assert lines[-1].startswith(("Levels reached: ", "No level is reached."))
        assert any(line.startswith("Engine    ") for line in lines)


def test_junit_is_well_formed_and_counts_right(wrong: Report) -> None:
    root = ET.fromstring(junit_xml(wrong, REPEAT))
    assert root.tag == "testsuites"
    cases = root.findall("./testsuite/testcase")
    assert len(cases) == len(wrong.judgements)
    for suite in root:
        inside = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(inside)
        for attribute in ("failures", "errors", "skipped"):
            tag = attribute.removesuffix("s")
            found = sum(case.find(tag) is not None for case in inside)
            assert int(suite.attrib[attribute]) == found
    counts = wrong.counts()
    assert len(root.findall(".//failure")) == counts[Verdict.FAIL]
    assert len(root.findall(".//error")) == counts[Verdict.ERROR]
    assert any("First difference" in (node.text or "") for node in root.iter("failure"))


# Badge -------------------------------------------------------------------------------------


def _whole(reached: tuple[int, ...], **changes: Any) -> Json:
    levels = {level.title: {"reached": level.value in reached} for level in Level}
    facts: Json = {"levels": levels, "complete": True, "conforming": bool(reached)}
    return {**facts, "stopped": None, "profile": {"ruleset": "pagat"}, **changes}


@pytest.mark.parametrize(
    ("report", "message", "colour"),
    [
        (_whole((1, 2, 3, 4, 5)), "levels 1-5 (pagat)", "brightgreen"),
        (_whole((1, 2)), "levels 1-2 (pagat)", "blue"),
        (_whole((1, 2, 4)), "levels 1, 2, 4 (pagat)", "blue"),
        (_whole((1,)), "level 1 (pagat)", "blue"),
        (_whole(()), "not conforming", "red"),
        (_whole((1, 2), conforming=False), "not conforming", "red"),
        (_whole((1, 2), complete=False), "not certified", "lightgrey"),
        (_whole((1, 2), stopped="interrupted"), "not certified", "lightgrey"),
    ],
)
def test_a_badge_claims_no_more_than_was_shown(report: Json, message: str, colour: str) -> None:
    badge = shields_badge(report)
    assert badge == {
        "schemaVersion": 1, "label": "bauernschnapsen", "message": message, "color": colour,
    }  # fmt: skip
    root = ET.fromstring(svg_badge(report))
    assert root.attrib["aria-label"] == f"bauernschnapsen: {message}"
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["bauernschnapsen", message]


def test_a_badge_of_a_ruleset_with_an_odd_name_is_well_formed() -> None:
    report = _whole((1,), profile={"ruleset": "a<b>&\"'"})
    assert ET.fromstring(svg_badge(report)).attrib["aria-label"].endswith("(a<b>&\"')")


def test_what_unsupported_means_for_the_levels() -> None:
    def entry(level: int, *, excused: bool = False, verdict: str = "unsupported") -> dict[str, Any]:
        return {"level": level, "verdict": verdict, **({"excused": True} if excused else {})}

    assert tally.unsupported_lines([entry(1, verdict="pass"), entry(2, verdict="fail")]) == []
    entries = [entry(4), entry(4), entry(5, excused=True), entry(2, excused=True), entry(1)]
    costly, free = tally.unsupported_lines(entries)
    assert costly.startswith("Unsupported, so that the level is not reached: tricks 1, claims 2. ")
    assert free.startswith("Unsupported, whether or not the level is reached: deal 1, match 1. ")
    table = tally.level_table([*entries, entry(5, verdict="pass"), entry(4, verdict="pass")])
    assert table["match"]["reached"]
    assert not table["claims"]["reached"]


def test_the_summary_and_the_page_say_what_unsupported_means() -> None:
    report = certified(kind(starts=("contract",)), step=4, seed=7)
    whole = json_report(report)
    told = "\n".join(summary_lines(whole))
    assert "Unsupported, so that the level is not reached: auction " in told
    assert "3 auction  -" in told
    repeat = Repeat(Engine(("./x",)), "pagat", 7, False, report.hello.capabilities)
    page = html_report(report, whole, load_rules(), repeat).decode()
    assert "Unsupported, so that the level is not reached: auction " in page
