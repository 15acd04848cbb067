"""Reports and certificates that were changed by hand, cut off, mixed up, or are none at all."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM, certified, corpus, kind

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.bounded import read_bounded
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus
from bauernschnapsen_conformance.report.files import check_targets, read_json
from bauernschnapsen_conformance.report.machine import certificate, json_report
from bauernschnapsen_conformance.report.merging import merge
from bauernschnapsen_conformance.report.verifying import differences, read_certificate

pytestmark = pytest.mark.slow
Json = dict[str, Any]
Change = Callable[[Json], object]


@pytest.fixture(scope="module")
def whole() -> Json:
    return json_report(certified(kind(), step=16, seed=7))


@pytest.fixture(scope="module")
def suite() -> Corpus:
    return corpus(16)


def changed(data: Json, change: Change) -> Json:
    copied: Json = copy.deepcopy(data)
    change(copied)
    return copied


# Reports -----------------------------------------------------------------------------------


def test_a_report_as_it_was_written_is_merged(whole: Json, suite: Corpus) -> None:
    assert merge([("whole.json", whole)], suite)["conforming"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda r: r["results"].append(r["results"][0]), "twice"),
        (lambda r: r["results"].pop(), "in no report"),
        (lambda r: r["results"][0].update(rules=["play.beat"] * 2), "belongs to other rules"),
        (lambda r: r["results"][0].update(chapter="x"), "belongs to other rules"),
        (lambda r: r["results"][0].update(verdict="fail", excused=True), "nothing excuses that"),
        (lambda r: r["results"][0].update(id="no.such.scenario"), "no scenario of this suite"),
        (lambda r: r.update(shard="3/2"), "whole.json: shard: '3/2' is no shard"),
        (lambda r: r.update(format="bauernschnapsen-report/0"), "format: expected"),
    ],
)
def test_a_report_that_contradicts_the_suite_is_refused(
    change: Change, told: str, whole: Json, suite: Corpus
) -> None:
    with pytest.raises(SpecError) as caught:
        merge([("whole.json", changed(whole, change))], suite)
    assert told in str(caught.value)
    assert "whole.json" in str(caught.value) or told == "in no report"


# Certificates ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda c: c["counts"].update({"pass": 9999}), "verdicts: certified"),
        (lambda c: c.update(faults=3), "faults of the adapter: certified 3, now 0"),
        (lambda c: c.update(known_failures=["x"]), "list of known failures"),
        (lambda c: c["shown"].pop(), "what was shown in a view"),
        (lambda c: c["levels"]["claims"].update(reached=False), "level claims"),
        (lambda c: c["engine"].update(version="2"), "engine: certified"),
    ],
)
def test_what_was_changed_in_a_certificate_is_found(change: Change, told: str, whole: Json) -> None:
    (line,) = differences(changed(certificate(whole), change), whole)
    assert told in line


def test_the_order_of_what_an_engine_declares_means_nothing(whole: Json) -> None:
    other = changed(certificate(whole), lambda c: c["capabilities"]["starts"].reverse())
    assert other["capabilities"] != whole["capabilities"]
    assert differences(other, whole) == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda c: c.update(only=["play.*"]), "only"),
        (lambda c: c.update(shard="1/2"), "shard"),
        (lambda c: c.update(complete=False), "complete"),
        (lambda c: c.update(issued="2026-99-99"), "issued"),
        (lambda c: c["suite"].update(digest="sha256:" + "0" * 64), "suite.digest"),
    ],
)
def test_a_certificate_of_a_part_certifies_nothing(
    change: Change, field: str, whole: Json, suite: Corpus
) -> None:
    plain = certificate(whole)
    assert read_certificate(plain, "c.json", suite) == plain
    with pytest.raises(SpecError) as caught:
        read_certificate(changed(plain, change), "c.json", suite)
    assert caught.value.field == field
    assert caught.value.file == "c.json"


# Files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b"9" * 5000,
        b'{"a": NaN}',
        b"[1e999]",
        b"[-Infinity]",
    ],
    ids=["empty", "half", "bytes", "deep", "digits", "nan", "huge", "infinity"],
)
def test_what_is_no_json_is_told_in_one_line(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_bytes(content)
    with pytest.raises(SpecError, match="is no JSON"):
        read_json(file)


def test_a_file_without_an_end_is_not_read_for_ever() -> None:
    with pytest.raises(SpecError, match="is larger than 1000 bytes"):
        read_bounded(Path("/dev/zero"), 1000)


def test_no_file_is_written_over_what_is_read_or_twice(tmp_path: Path) -> None:
    report, link, new = tmp_path / "report.json", tmp_path / "link.json", tmp_path / "new.json"
    report.write_text("{}", encoding="utf-8")
    link.symlink_to(report)
    check_targets(new, Path("/dev/null"), Path("/dev/null"), inputs=[report, Path("x" * 5000)])
    with pytest.raises(SpecError, match="is read by this command"):
        check_targets(new, link, inputs=[report])
    with pytest.raises(SpecError, match="is written already by this command"):
        check_targets(new, tmp_path / "." / "new.json")
    with pytest.raises(SpecError, match="cannot be written: File name too long"):
        check_targets(tmp_path / ("x" * 300))


def test_an_adapter_and_a_report_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter, report = tmp_path / "adapter.py", tmp_path / "report.json"
    for file in (adapter, report):
        file.write_text(json.dumps({}), encoding="utf-8")
    assert main(["certify", "--json", str(adapter), "--", "python3", str(adapter)]) == 2
    assert "adapter.py: is read by this command" in capsys.readouterr().err
    assert main(["merge", str(report), "--certificate", str(report)]) == 2
    assert "report.json: is read by this command" in capsys.readouterr().err
    assert adapter.read_text(encoding="utf-8") == report.read_text(encoding="utf-8") == "{}"


# Disks that are full, and outputs that are closed -------------------------------------------

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
RUN = ["certify", "--only", "play.beat.*", "--seed", "1", "--failures", "0"]
ADAPTER = ["--", sys.executable, str(BROKEN / "kinds.py")]


@needs_full
@pytest.mark.parametrize("option", ["--json", "--transcript", "--certificate", "--html", "--junit"])
def test_a_full_disk_costs_the_file_and_not_the_result(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, option, str(FULL), *ADAPTER]) == 2
    shown = capsys.readouterr()
    assert " pass in " in shown.out
    assert shown.err == "bauernschnapsen: /dev/full: cannot be written: No space left on device\n"


@needs_full
def test_a_full_standard_output_is_one_line() -> None:
    with FULL.open("wb") as full:
        ended = subprocess.run(
            [*PROGRAM, *RUN, *ADAPTER], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    told = "bauernschnapsen: the output cannot be written: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (2, told)


def test_a_closed_standard_output_is_no_accident(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    closed = ["/bin/sh", "-c", 'exec "$@" >&-', "sh"]
    words = [*closed, *PROGRAM, *RUN, "--json", str(report), *ADAPTER]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "Traceback" not in ended.stderr
    assert ended.stderr == ""
    assert ended.returncode == 0
    assert read_json(report)["counts"].keys() == {"pass"}
