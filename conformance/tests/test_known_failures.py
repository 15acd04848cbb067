"""Known failures are strict both ways, and only a complete run may rewrite them."""

from __future__ import annotations

import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.run.known_failures import NEW_REASON, Entry, KnownFailures
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.verdicts import Judgement, Verdict

TODAY = datetime.date(2026, 5, 1)
FAIL, PASS, ERROR, FLAKY = Verdict.FAIL, Verdict.PASS, Verdict.ERROR, Verdict.FLAKY
XFAIL, XPASS = Verdict.XFAIL, Verdict.XPASS


def judgement(item_id: str, verdict: Verdict) -> Judgement:
    return Judgement(cast("Any", SimpleNamespace(id=item_id)), verdict, Level.DEAL)


def known(*entries: tuple[str, Verdict] | Entry) -> KnownFailures:
    return KnownFailures(
        tuple(
            entry if isinstance(entry, Entry) else Entry(entry[0], entry[1], "we know")
            for entry in entries
        ),
        "known.toml",
    )


def settled(
    entries: KnownFailures, *judged: tuple[str, Verdict], complete: bool = True
) -> tuple[list[Verdict], tuple[str, ...]]:
    found = entries.settle([judgement(*one) for one in judged], complete=complete, today=TODAY)
    return [one.verdict for one in found.judgements], found.problems


def test_what_is_known_and_fails_so_is_expected() -> None:
    entries = known(("a.b", FAIL), ("c.*", ERROR))
    judged = [("a.b", FAIL), ("c.d", ERROR), ("c.e", ERROR), ("f", PASS)]
    verdicts, problems = settled(entries, *judged)
    assert verdicts == [XFAIL, XFAIL, XFAIL, PASS]
    assert problems == ()


def test_what_is_known_and_passes_fails_the_run() -> None:
    found = known(Entry("a.b", FAIL, "because", "#7")).settle(
        [judgement("a.b", PASS)], complete=True, today=TODAY
    )
    assert found.judgements[0].verdict is XPASS
    assert not XPASS.conforms
    assert found.judgements[0].reason == (
        "passes, but is listed as a known failure (fail): because (#7)"
        "; take it out, or let a complete run with --fix do it"
    )


def test_another_verdict_than_the_known_one_is_no_excuse() -> None:
    verdicts, problems = settled(known(("a.b", FAIL)), ("a.b", ERROR))
    assert verdicts == [ERROR]
    assert problems == (
        "known.toml: known[0] a.b: no scenario gets the verdict fail any more"
        "; take it out, or let a complete run with --fix do it",
    )


def test_an_entry_that_fits_nothing_is_stale_in_a_complete_run_only() -> None:
    entries = known(("gone.*", FAIL), ("a.b", FAIL))
    assert settled(entries, ("a.b", FAIL))[1] == (
        "known.toml: known[0] gone.*: no scenario gets the verdict fail any more"
        "; take it out, or let a complete run with --fix do it",
    )
    assert settled(entries, ("a.b", FAIL), complete=False)[1] == ()


def test_an_expired_entry_does_not_count_and_is_told() -> None:
    entries = known(Entry("a.b", FAIL, "soon", expires=TODAY))
    verdicts, problems = settled(entries, ("a.b", FAIL), complete=False)
    assert verdicts == [FAIL]
    assert problems == ("known.toml: known[0] a.b: expired on 2026-05-01; look again",)
    tomorrow = TODAY + datetime.timedelta(days=1)
    later = known(Entry("a.b", FAIL, "soon", expires=tomorrow))
    assert settled(later, ("a.b", FAIL)) == ([XFAIL], ())


def test_star_stands_for_any_text_and_nothing_else_is_special() -> None:
    entries = known(("play.*.third", FAIL))
    judged = [("play.x.third", FAIL), ("play.third", FAIL), ("play.x.thirds", FAIL)]
    assert settled(entries, *judged)[0] == [XFAIL, FAIL, FAIL]
    plain = "play.position: gang by N trump H: N KH: winner"
    assert settled(known((plain, FAIL)), (plain, FAIL))[0] == [XFAIL]


def test_fixing_says_what_the_run_has_shown() -> None:
    entries = known(
        Entry("gone", FAIL, "old"),
        Entry("some.*", FAIL, "half mended", "#1"),
        Entry("all.*", ERROR, "still broken", "#2", datetime.date(2030, 1, 1)),
        Entry("late", FAIL, "too late", expires=datetime.date(2020, 1, 1)),
    )
    judged = [
        ("some.a", FAIL), ("some.b", PASS), ("some.c", FAIL), ("all.a", ERROR), ("all.b", ERROR),
        ("new", FLAKY), ("late", FAIL), ("fine", PASS),
    ]  # fmt: skip
    after = entries.settle([judgement(*one) for one in judged], complete=True, today=TODAY)
    fixed = entries.fixed(after.judgements, today=TODAY)
    until = datetime.date(2026, 7, 30)
    assert fixed.entries == (
        Entry("some.a", FAIL, "half mended", "#1"),
        Entry("some.c", FAIL, "half mended", "#1"),
        Entry("all.*", ERROR, "still broken", "#2", datetime.date(2030, 1, 1)),
        Entry("new", FLAKY, NEW_REASON, "", until),
        Entry("late", FAIL, NEW_REASON, "", until),
    )
    # The same run under the fixed list is as expected, and fixing again changes nothing.
    again = fixed.settle([judgement(*one) for one in judged], complete=True, today=TODAY)
    assert again.problems == ()
    assert all(one.verdict.conforms for one in again.judgements)
    assert fixed.fixed(again.judgements, today=TODAY) == fixed


def test_the_file_is_written_as_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    entries = KnownFailures(
        (
            Entry('odd "id" \\ ♥', FAIL, "line\nbreak\ttab\x7f\x01", "https://x/y?z", TODAY),
            Entry("plain", FLAKY, "why"),
        ),
        str(file),
    )
    file.write_text(entries.text(), encoding="utf-8")
    assert KnownFailures.load(file) == entries


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[[known]\n", "is no TOML"),
        ("[[known]]\npattern = 7\n", "known[0]"),
        ('[[known]]\npattern = "x"\nverdict = "pass"\nreason = "y"\n', "verdict"),
        ('[[known]]\npattern = "x"\nverdict = "fail"\nreason = ""\n', "reason"),
        ('[[known]]\npattern = "x"\nverdict = "fail"\n', "reason"),
        ('[[known]]\npattern = "x"\nverdict = "fail"\nreason = "y"\nuntil = 1\n', "until"),
        ('[[known]]\npattern = "x"\nverdict = "fail"\nreason = "y"\nexpires = "soon"\n', "expires"),
        (
            '[[known]]\npattern = "x"\nverdict = "fail"\nreason = "y"\nexpires = "2026-02-30"\n',
            "there is no such day",
        ),
        (
            '[[known]]\npattern = "x"\nverdict = "fail"\nreason = "y"\n'
            "expires = 2026-02-03T10:00:00\n",
            "expires",
        ),
        ('[[known]]\npattern = "x"\nverdict = "fail"\nreason = "y"\n' * 2, "is listed twice"),
        ("known = 3\n", "known"),
        ("other = 3\n", "other"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_one_line(
    content: str, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "known.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        KnownFailures.load(file)
    assert told in str(caught.value)
    assert "known.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (1 << 20) + b"#")
    for path in (tmp_path / "none.toml", tmp_path, binary, large):
        with pytest.raises(SpecError, match=path.name):
            KnownFailures.load(path)


# The command -------------------------------------------------------------------------------

CODE = """
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
class Wrong(ReferenceAdapter):
    def handle(self, message):
        reply = super().handle(message)
        if message["op"] == "replay":
            for view in (view for deal in reply["ok"] for view in deal):
                if view["phase"] == "over" and view["outcome"]:
                    if view["outcome"]["reason"] == "false_claim":
                        view["outcome"]["awards"] = {"NS": 0, "EW": 0}
        return reply
"""


@pytest.fixture
def wrong_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    name = f"wrong_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return ["certify", "--seed", "1", "--failures", "0", "--python", f"{name}:Wrong"]


@pytest.mark.slow
@pytest.mark.usefixtures("small_suite")
def test_the_command_fixes_and_is_then_as_expected(
    wrong_engine: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "known.toml"
    assert main(wrong_engine) == 1
    listed = ["--known-failures", str(file)]
    assert main([*wrong_engine, *listed]) == 2, "the file is not there"
    assert main([*wrong_engine, *listed, "--fix", "--only", "claims.*"]) == 1
    assert not file.exists()
    assert "only a complete run can fix it" in capsys.readouterr().err
    assert main([*wrong_engine, *listed, "--fix"]) == 1, "this run was not as expected yet"
    entries = KnownFailures.load(file).entries
    assert entries
    assert {entry.verdict for entry in entries} == {FAIL}
    assert main([*wrong_engine, *listed]) == 0
    capsys.readouterr()
    mended = [*wrong_engine[:-1], "bauernschnapsen_conformance.reference_adapter:ReferenceAdapter"]
    assert main([*mended, *listed]) == 1
    shown = capsys.readouterr().out
    assert f"{len(entries)} xpass" in shown
    assert main([*mended, *listed, "--fix"]) == 1
    assert KnownFailures.load(file).entries == ()
    assert main([*mended, *listed]) == 0


def test_fixing_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "--fix", "--", "true"]) == 2
    assert "--fix needs --known-failures FILE" in capsys.readouterr().err


EVERYWHERE = """
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
class Wrong(ReferenceAdapter):
    def handle(self, message):
        reply = super().handle(message)
        if message["op"] == "replay":
            for view in (view for deal in reply["ok"] for view in deal):
                view["card_points"] = dict.fromkeys(view["card_points"] or {}, 1)
        return reply
"""


@pytest.mark.slow
@pytest.mark.usefixtures("small_suite")
def test_known_failures_at_every_level_are_expected_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wrong_everywhere.py").write_text(EVERYWHERE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = ["certify", "--seed", "1", "--failures", "0", "--python", "wrong_everywhere:Wrong"]
    listed = ["--known-failures", "known.toml"]
    assert main([*command, *listed, "--fix"]) == 1
    capsys.readouterr()
    assert main([*command, *listed, "--json", "report.json"]) == 0
    assert "No level is reached" in capsys.readouterr().out
    assert main(["merge", "report.json"]) == 0
