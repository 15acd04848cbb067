"""JSON report, certificate, badge, JUnit and the text for people; shards, jobs and verification."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from certifying import BROKEN, PROGRAM, certified, corpus, fixture_module, kind
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance import tally
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus
from bauernschnapsen_conformance.engine import Engine
from bauernschnapsen_conformance.levels import Level
from bauernschnapsen_conformance.merging import merge
from bauernschnapsen_conformance.report.badge import shields_badge, svg_badge
from bauernschnapsen_conformance.report.failure import describe_failure, rule_texts
from bauernschnapsen_conformance.report.junit import junit_xml
from bauernschnapsen_conformance.report.machine import certificate, exit_code, json_report
from bauernschnapsen_conformance.report.repeat import Repeat
from bauernschnapsen_conformance.report.terminal import summary_lines
from bauernschnapsen_conformance.runner import Report
from bauernschnapsen_conformance.selection import Selection, matcher, parse_shard, shard_of
from bauernschnapsen_conformance.verdicts import Verdict
from bauernschnapsen_conformance.verifying import differences

pytestmark = pytest.mark.slow
SERVE = ["--", *PROGRAM, "serve"]
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
    for judgement in wrong.judgements:
        if judgement.verdict.conforms:
            continue
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
            return reply

    report = certified(NoMarriages(), step=4)
    texts = [
        "\n".join(describe_failure(judgement, rule_texts(report.ruleset), REPEAT))
        for judgement in report.judgements
        if judgement.verdict is Verdict.FAIL
    ]
    assert any("      missing   marry " in text for text in texts)
    assert any("      extra     bid gang" in text for text in texts)


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


# Selections and shards ---------------------------------------------------------------------


def test_shards_cut_the_corpus_and_do_not_move() -> None:
    items = corpus().items
    parts = [Selection(shard=(place, 3)).chosen(items) for place in (1, 2, 3)]
    assert sorted(item.id for part in parts for item in part) == sorted(i.id for i in items)
    assert all(0.2 * len(items) < len(part) < 0.47 * len(items) for part in parts)
    assert [shard_of(f"play.x{number}", 5) for number in range(6)] == [1, 5, 3, 5, 4, 4]
    assert Selection(shard=(1, 1)).complete
    assert not Selection(shard=(1, 2)).complete


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/99999"])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(SpecError, match="is no shard"):
        parse_shard(text)


def test_patterns() -> None:
    matches = matcher(["play.*", "a.b", "c.[d]", "x?z"])
    assert [matches(one) for one in ("play.x", "a.b", "c.d", "xyz")] == [True] * 4
    assert [matches(one) for one in ("xplay.x", "a.bc", "c.e", "PLAY.x")] == [False] * 4


def _part(place: int, of: int, **how: Any) -> Json:
    report = certified(kind(), seed=3, step=4, selection=Selection(shard=(place, of)), **how)
    return json.loads(json.dumps(json_report(report)))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def parts() -> list[tuple[str, Json]]:
    return [(f"{place}.json", _part(place, 3, blind=True)) for place in (1, 2, 3)]


def test_merged_shards_say_what_one_run_says(parts: list[tuple[str, Json]]) -> None:
    one = json_report(certified(kind(), seed=3, step=4, blind=True))
    merged = merge([parts[2], parts[0], parts[1]], corpus(4))
    assert validate(merged, "report") == []
    assert merged["complete"] is True
    for report in (one, merged):
        report.pop("seconds")
    assert json.loads(json.dumps(merged)) == json.loads(json.dumps(one))


def test_what_does_not_belong_together_is_not_merged(parts: list[tuple[str, Json]]) -> None:
    def refused(changed: list[tuple[str, Json]], whole: Corpus | None = None) -> str:
        with pytest.raises(SpecError) as caught:
            merge(changed, whole or corpus(4))
        return str(caught.value)

    def with_change(**change: Any) -> list[tuple[str, Json]]:
        return [*parts[:2], ("3.json", {**parts[2][1], **change})]

    assert refused([]) == "there is nothing to merge"
    assert refused(parts[:2]) == "shard 3 of 3 is missing"
    assert refused([*parts, parts[0]]) == "1.json: is shard 1 of 3, and so is 1.json"
    other = copy.deepcopy(parts[2][1])
    other["suite"]["digest"] = "sha256:" + "0" * 64
    assert "suite: is of another suite than 1.json" in refused([*parts[:2], ("3.json", other)])
    other = copy.deepcopy(parts[2][1])
    other["profile"]["options"]["target"] = 20
    assert "profile: is of another ruleset" in refused([*parts[:2], ("3.json", other)])
    engine = {"name": "another", "version": "1"}
    assert "engine: is of another engine" in refused(with_change(engine=engine))
    assert "seed: is of another seed" in refused(with_change(seed=4))
    assert "blind" in refused(with_change(blind=False))
    assert "is one of 4 shards" in refused(with_change(shard="3/4"))
    assert "belongs to another shard" in refused(with_change(results=parts[1][1]["results"]))
    assert "scenarios are in no report" in refused(with_change(results=[]))
    assert "installed here" in refused(parts, Corpus((), (), "sha256:" + "1" * 64))
    assert "3.json" in refused([*parts[:2], ("3.json", {"format": "x"})])


# Jobs, transcripts, verification: over the pipe --------------------------------------------

ONLY = ["--only", "claims.false.*", "--only", "play.heart*", "--only", "match.target*"]


def _results(file: Path) -> Json:
    report: Json = json.loads(file.read_text(encoding="utf-8"))
    for key in ("seconds", "issued"):
        report.pop(key)
    return report


def test_the_report_does_not_depend_on_how_many_work_at_it(tmp_path: Path) -> None:
    files = []
    for jobs in (1, 3):
        files.append(tmp_path / f"{jobs}.json")
        how = ["--seed", "9", "--jobs", str(jobs), "--json", str(files[-1])]
        assert main(["certify", *ONLY, *how, *SERVE]) == 0
    assert _results(files[0]) == _results(files[1])


def test_a_transcript_stands_in_for_the_engine(tmp_path: Path) -> None:
    recorded, played, script = (tmp_path / name for name in ("a.json", "b.json", "run.ndjson"))
    adapter = [PROGRAM[0], str(BROKEN / "kinds.py"), "--forgetful", "factor"]
    how = [*ONLY, "--only", "doubling.step*", "--seed", "9", "--failures", "0"]
    first = main(
        ["certify", *how, "--transcript", str(script), "--json", str(recorded), "--", *adapter]
    )
    assert first == 1
    playback = [PROGRAM[0], "-m", "bauernschnapsen_conformance.adapter.transcript", str(script)]
    assert main(["certify", *how, "--json", str(played), "--", *playback]) == 1
    one, other = _results(recorded), _results(played)
    assert one.pop("files") != other.pop("files")
    assert one == other


@pytest.mark.usefixtures("small_suite")
def test_a_certificate_is_verified_by_running_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, badge = tmp_path / "certificate.json", tmp_path / "badge.svg"
    files = ["--certificate", str(file), "--badge", str(badge)]
    engine = ["--", PROGRAM[0], str(BROKEN / "kinds.py")]
    assert main(["certify", "--jobs", "2", *files, *engine]) == 0
    assert "levels 1-5 (pagat)" in badge.read_text(encoding="utf-8")
    capsys.readouterr()
    verify = ["verify-certificate", "--jobs", "2", str(file)]
    assert main([*verify, *engine]) == 0
    assert "The certificate holds. Levels reached: 1 tricks" in capsys.readouterr().out
    assert main([*verify, *engine, "--claims", "none"]) == 1
    told = capsys.readouterr().out
    assert "capabilities: certified" in told
    assert "level claims: certified as reached, now not reached" in told
    assert "The certificate does not hold:" in told


def test_differences_from_a_certificate() -> None:
    report = json_report(certified(kind(), step=9), Engine((str(BROKEN / "kinds.py"),)))
    claimed = json.loads(json.dumps(certificate(report)))
    assert differences(claimed, report) == []
    changed = copy.deepcopy(claimed)
    changed["files"][0]["digest"] = "sha256:" + "0" * 64
    (told,) = differences(changed, report)
    assert told.endswith("kinds.py: its content is not the one that was certified")
    moved = copy.deepcopy(claimed)
    moved["files"][0]["name"] = "elsewhere/kinds.py"
    assert differences(moved, report) == []
    fewer = copy.deepcopy(claimed)
    fewer["levels"]["tricks"]["counts"] = {"pass": 1}
    (told,) = differences(fewer, report)
    assert told.startswith("level tricks: certified 1 pass, now ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"complete": False}, "certifies nothing"),
        ({"suite": {"version": "0.0.1", "digest": "sha256:" + "0" * 64}}, "is of suite 0.0.1"),
        ({"format": "x"}, "format"),
        ({"profile": {"ruleset": "x"}}, "profile"),
    ],
)
def test_a_certificate_that_cannot_be_verified(
    change: Json, told: str, tmp_path: Path, right: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps({**certificate(json_report(right)), **change}), encoding="utf-8")
    assert main(["verify-certificate", str(file), "--", "true"]) == 2
    line = capsys.readouterr().err
    assert told in line
    assert line.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"7"])
def test_files_that_are_no_report(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    for command in (["merge", str(file)], ["verify-certificate", str(file), "--", "true"]):
        assert main(command) == 2
        line = capsys.readouterr().err
        assert "x.json" in line
        assert line.count("\n") == 1


# Export ------------------------------------------------------------------------------------


def test_export_holds_everything_and_is_as_its_schema_says(
    tmp_path: Path, small_suite: Corpus
) -> None:
    file = tmp_path / "all.json"
    assert main(["export", "--output", str(file)]) == 0
    found = json.loads(file.read_text(encoding="utf-8"))
    assert validate(found, "export") == []
    entries = [*found["scenarios"], *found["positions"]]
    ids = [entry["id"] for entry in entries]
    assert sorted([*ids, *found["not_applicable"]]) == sorted(i.id for i in small_suite.items)
    engine = kind(configurable=False)
    for entry in entries:
        assert engine.handle(entry["replay"]) == {"ok": entry["views"]}
        for statement in entry["stated"]:
            assert statement["view"] < len(entry["views"][statement["deal"]])
    for entry in found["positions"]:
        (answer,) = engine.handle(entry["query"])["ok"]
        assert sorted(answer) == sorted(entry["answer"])


def test_export_of_another_ruleset_leaves_out_what_does_not_hold(
    tmp_path: Path, small_suite: Corpus, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(
        "ruleset: house\nextends: pagat\ntitle: {en: House}\nsources: [HOUSE]\n"
        "contracts: {bettler: {value: 5}}\n",
        encoding="utf-8",
    )
    assert main(["export", "--ruleset", str(house)]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    assert found["ruleset"]["contracts"]["bettler"]["value"] == 5
    assert 0 < len(found["not_applicable"]) < 0.2 * len(small_suite.items)
