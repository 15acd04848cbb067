"""Shards and jobs say what one run says; a certificate is verified by running again; export."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM, certified, corpus, kind
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus
from bauernschnapsen_conformance.report.machine import certificate, json_report
from bauernschnapsen_conformance.report.merging import merge
from bauernschnapsen_conformance.report.verifying import differences
from bauernschnapsen_conformance.run.engine import Engine
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.selection import Selection, matcher, parse_shard, shard_of

pytestmark = pytest.mark.slow
SERVE = ["--", *PROGRAM, "serve"]
Json = dict[str, Any]


@pytest.fixture(scope="module")
def right() -> Report:
    return certified(kind(starts=("contract",), leave_out=("sees",)), seed=5, step=4, blind=True)


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
    playback = [PROGRAM[0], "-m", "bauernschnapsen_conformance.adapter.playback", str(script)]
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
