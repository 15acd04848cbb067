"""`fuzz`: finds, shrinks and writes down what engines do wrong, and honours what they cannot do."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM, kind
from javascript_adapter import HERE, NODE

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.campaign.chunks import Chunk, Result, run_with
from bauernschnapsen_conformance.campaign.judging import Cause, common_abilities
from bauernschnapsen_conformance.campaign.reporting import drawn
from bauernschnapsen_conformance.campaign.shrinking import shrink
from bauernschnapsen_conformance.campaign.workers import close_engines, ready
from bauernschnapsen_conformance.campaign.writing import scenario_file, scenario_id
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus.check import check_files
from bauernschnapsen_conformance.identify.served import fixed_engine
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.teeth import load_mutants
from bauernschnapsen_conformance.teeth.serving import BesideReference

PAGAT = load_ruleset("pagat")
SERVE = [*PROGRAM, "serve"]
FAULTY = [*SERVE, "--mutant", "play.beat.nobody"]


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    yield
    close_engines()


def asked(engine: Any, ruleset: Any = PAGAT, *, cases: int = 50, other: Any = None) -> Result:
    """What a chunk with an engine in process brings."""

    def started(one: Any) -> PythonEngine:
        shaken = PythonEngine(one, rules=ruleset)
        shaken.start()
        return shaken

    against = None if other is None else started(other)
    return run_with(ready(started(engine), ruleset, against), 5, Chunk(0, cases))


# --------------------------------------------------------------------------- the command


def fuzz(capsys: pytest.CaptureFixture[str], *words: Any) -> tuple[int, str, str]:
    code = main(["fuzz", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.slow
def test_a_difference_is_told_and_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "found"
    code, out, _ = fuzz(capsys, "--seed", 1, "--cases", 60, "-o", folder, "--", *FAULTY)
    assert code == 1
    assert "1. play.beat: legal" in out
    assert "Probably play.beat: Whoever follows suit" in out
    assert "situations" in out
    scenarios = sorted(folder.glob("*.yaml"))
    assert scenarios
    assert check_files(scenarios).errors == ()
    for file in scenarios:
        lines = [json.loads(one) for one in file.with_suffix(".ndjson").read_text().splitlines()]
        assert [one["dir"] for one in lines][:2] == ["start", "->"]
        # Played back as an adapter it answers as the engine did.
        assert any('"replay"' in one["line"] for one in lines if one["dir"] == "->")


@pytest.mark.slow
def test_without_a_difference_there_are_no_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "found"
    code, out, err = fuzz(capsys, "--seed", 1, "--cases", 25, "-o", folder, "--", *SERVE)
    assert code == 0
    assert "no difference" in out
    assert err == ""
    assert [file.name for file in folder.iterdir()] == ["campaign.json"]
    # It says what that is for, and what it says works: other cases are played.
    assert f"Kept      {folder / 'campaign.json'}: " in out
    (again,) = re.findall(r"^go on: +bauernschnapsen (.*)$", out, re.MULTILINE)
    resumed = fuzz(capsys, *shlex.split(again)[1:], "--cases", 40, "--json")
    words = ["--seed", 1, "--cases", 40, "-o", tmp_path / "other", "--json", "--", *SERVE]
    shown = [json.loads(out) for _, out, _ in (resumed, fuzz(capsys, *words))]
    # What was cut short is run whole, so that it is the same as in one go.
    assert [one["cases"] for one in shown] == [40, 40]
    assert shown[0]["situations"] == shown[1]["situations"]


@pytest.mark.slow
def test_json_is_as_its_schema_says(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--seed", 1, "--cases", 60, "-o", tmp_path / "found", "--json", "--", *FAULTY]
    code, out, _ = fuzz(capsys, *words)
    data = json.loads(out)
    assert code == 1
    assert validate(data, "fuzz") == []
    assert data["cases"] == data["compared"] == 60
    assert {"rule": "play.beat", "field": "legal"} in [one["cause"] for one in data["findings"]]
    state = json.loads((tmp_path / "found" / "campaign.json").read_text())
    assert validate(state, "campaign") == []


@pytest.mark.slow
def test_an_interrupt_is_taken_up_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    limits = ["--cases", "1000000", "--findings", "0"]  # never over before it is interrupted
    words = [*PROGRAM, "fuzz", "--seed", "1", *limits, "-o", str(folder), "--", *FAULTY]
    # A shell that starts tests in the background leaves interrupts ignored, also for children.
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    state = folder / "campaign.json"
    until = time.monotonic() + 60
    while not state.exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 4, err
    assert f"fuzz --resume {folder}" in out
    assert "Traceback" not in err
    done = json.loads(state.read_text())
    assert validate(done, "campaign") == []
    again = [*PROGRAM, "fuzz", "--resume", str(folder), *limits[2:], "--cases", "250", "--json"]
    ended = subprocess.run(again, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 1, ended.stderr
    assert json.loads(ended.stdout)["cases"] >= 250


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--cases", "0", "--", "x"], "--cases lies between"),
        (["--seconds", "-1", "--", "x"], "--seconds is more than 0"),
        (["--findings", "-1", "--", "x"], "--findings is a number"),
        (["--scheduler", "tcp://x:1", "--", "x"], "belongs to --executor dask"),
        (["--against", "'", "--", "x"], "--against is no command"),
        (["--against", " ", "--", "x"], "--against names a command"),
        (["--seed", "-1", "--", "x"], "--seed is a number"),
        (["--jobs", "0", "--", "x"], "--jobs lies between"),
        ([], "name the adapter's command"),
        (["--resume", "/nowhere/at/all"], "there is no campaign"),
        (["--resume", "/nowhere/at/all", "--seed", "4"], "--seed was settled when"),
        (["--ruleset", "paget", "--", "x"], "paget"),
    ],
)
def test_wrong_use_costs_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = fuzz(capsys, *words)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_an_engine_that_does_not_start_ends_with_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = [sys.executable, BROKEN / "exits_at_start.py"]
    code, _, err = fuzz(capsys, "--cases", 5, "-o", tmp_path / "found", "--", *broken)
    assert code == 3
    assert "Traceback" not in err


class Crashing:
    """An engine that falls over Subkontra."""

    def __init__(self) -> None:
        self.right = kind()

    def handle(self, message: Any) -> Any:
        if "subkontra" in str(message.get("deals")):
            raise RuntimeError("nobody ever says that")
        return self.right.handle(message)


def test_a_crash_is_a_finding_of_its_own(tmp_path: Path) -> None:
    opened = ready(PythonEngine(Crashing(), rules=PAGAT), PAGAT)
    ((cause, found),) = run_with(opened, 5, Chunk(0, 40)).findings
    assert cause == Cause("", "crash")
    shrunk = shrink(opened, found.witness.deals, found.witness.discrepancy)
    assert shrunk.finished
    assert "nobody ever says that" in shrunk.discrepancy.said
    ((_, action),) = shrunk.deals[0]["actions"]
    assert action == "subkontra"
    file = tmp_path / "crash.yaml"
    file.write_text(scenario_file(shrunk, PAGAT, "an engine"), encoding="utf-8")
    assert check_files([file]).errors == ()


class Hostile:
    """An engine that makes up seats, sends what breaks a terminal, and says far too much."""

    def __init__(self) -> None:
        self.right = kind()

    def handle(self, message: Any) -> Any:
        reply = self.right.handle(message)
        for number, deal in enumerate(reply["ok"] if message["op"] == "replay" else ()):
            for place, view in enumerate(deal):
                if place == 2:
                    view["legal"][f"../{number}\x1b[2J{len(deal)}"] = ["play \x1b[31mXX"]
                if place == 3:
                    view["points"] = {"NS": "x" * 100_000, "EW": [0] * 10_000}
        return reply


def test_what_a_hostile_engine_shows_is_bounded_and_printable(tmp_path: Path) -> None:
    shaken = PythonEngine(Hostile(), rules=PAGAT)
    opened = ready(shaken, PAGAT)
    found = run_with(opened, 5, Chunk(0, 30)).findings
    assert {cause.field for cause, _ in found} <= {"legal", "points", "engine error"}
    for number, (_, one) in enumerate(found):
        shrunk = shrink(opened, one.witness.deals, one.witness.discrepancy)
        assert len(json.dumps(one.witness.as_json())) < 20_000
        file = tmp_path / f"{number}.yaml"
        file.write_text(scenario_file(shrunk, PAGAT, "an engine"), encoding="utf-8")
        assert check_files([file]).errors == ()
        assert scenario_id(shrunk).replace(".", "").replace("-", "").isalnum()
        assert all(line.isprintable() for line in drawn(shrunk, opened))


# --------------------------------------------------------------------------- kinds of engines

KINDS: dict[str, dict[str, Any]] = {
    "from the contract": {"starts": ("contract",)},
    "from the deal": {"starts": ("deal",)},
    "automatic claims": {"claims": "automatic"},
    "no claims": {"claims": "none"},
    "no claims, from the contract": {"claims": "none", "starts": ("contract",)},
    "enforces nothing": {"enforces": False},
    "no match": {"match": False},
    "no reasons": {"reasons": False},
    "says little": {"leave_out": ("legal", "outcome.factor", "sees", "last_trick", "phase")},
    "fixed rules": {"configurable": False},
}


@pytest.mark.parametrize("name", KINDS)
def test_what_an_engine_cannot_do_is_no_finding(name: str) -> None:
    result = asked(kind(**KINDS[name]))
    assert list(result.findings) == []
    assert result.unsupported == 0
    assert result.not_asked == 0


def test_nothing_can_be_compared_with_an_engine_that_supports_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stub = [sys.executable, BROKEN / "stubs.py", "--how", "unsupported"]
    code, out, _ = fuzz(capsys, "--cases", 20, "-o", tmp_path / "found", "--", *stub)
    assert code == 1
    assert "Nothing could be compared" in out


@pytest.mark.slow
def test_another_house_rule_is_found_under_the_wrong_ruleset_only() -> None:
    house = vary(PAGAT, {"contracts": {"bettler": {"value": 5}}})
    causes = [cause for cause, _ in asked(fixed_engine(house), cases=120).findings]
    assert any(cause.field.startswith("outcome") for cause in causes)
    assert not asked(fixed_engine(house), house, cases=120).findings


@pytest.mark.slow
def test_three_players() -> None:
    talon = load_ruleset("talon")
    faulty = BesideReference(load_mutants()["play.beat.nobody"], "talon")
    assert Cause("play.beat", "legal") in dict(iter(asked(faulty, talon).findings))


# --------------------------------------------------------------------------- one against another


@pytest.mark.slow
def test_two_engines_that_agree_are_not_held_against_the_reference() -> None:
    house = vary(PAGAT, {"options": {"claim_by": "side"}})
    assert asked(fixed_engine(house), other=fixed_engine(house)).findings.by_cause == {}
    assert asked(fixed_engine(house)).findings
    assert asked(fixed_engine(house), other=kind(configurable=False)).findings


@pytest.mark.slow
def test_what_only_one_of_two_engines_shows_is_not_compared() -> None:
    for hidden in ("sees", "legal", "phase", "outcome.reason", "points"):
        shy = kind(leave_out=(hidden,))
        assert not asked(shy, other=kind(), cases=15).findings, hidden
        assert not asked(kind(), other=shy, cases=15).findings, hidden


def test_the_other_engine_can_be_the_faulty_one() -> None:
    faulty = BesideReference(load_mutants()["play.beat.nobody"])
    found = asked(kind(), other=faulty)
    assert Cause("play.beat", "legal") in dict(iter(found.findings))


def test_what_two_engines_have_in_common_is_asked() -> None:
    def able(**hidden: Any) -> Any:
        engine = PythonEngine(kind(**hidden))
        return engine.start().capabilities

    both = common_abilities(able(match=False), able(starts=("contract",), enforces=False))
    assert not isinstance(both, str)
    assert (both.match, both.starts, both.enforces, both.reasons) == (
        False, ("contract",), False, False,
    )  # fmt: skip
    no = common_abilities(able(starts=("deal",)), able(starts=("contract",)))
    assert isinstance(no, str)
    assert isinstance(common_abilities(able(), able(claims="automatic")), str)
    none = common_abilities(able(), able(claims="none"))
    assert not isinstance(none, str)
    assert none.claims == "none"


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.slow
def test_a_faulty_javascript_engine_against_a_right_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    right = ["node", str(HERE / "adapter.mjs")]
    words = ["--seed", 1, "--cases", 40, "--findings", 1, "--against", shlex.join(right)]
    words += ["-o", tmp_path / "found"]
    code, out, _ = fuzz(capsys, *words, "--", *right, "--fault", "beats-first-card")
    assert code == 1
    assert "1. play." in out
