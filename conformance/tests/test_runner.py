"""The runner: faults that come late, lists that fault, stops, interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM, corpus, kind

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import (
    Answer,
    Fault,
    FaultKind,
    Hello,
    Request,
)
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.verdicts import Judgement, Verdict

Json = dict[str, Any]


class Spoiling:
    """An adapter session, except that something goes wrong around it."""

    def __init__(self) -> None:
        self.inner = PythonEngine(kind())
        self.hello: Hello = self.inner.hello
        self.faults: list[Fault] = []
        self.late_faults: dict[Hashable, Fault] = {}
        self.late_at_end: dict[Hashable, Fault] = {}
        self.warnings: tuple[str, ...] = ()
        self.stopped: str | None = None
        self.rules_refused: str | None = None
        self.pipelined = False
        self.keys: list[Hashable] = []
        self.interrupt_after: int | None = None
        self.closed = 0

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        for number, answer in enumerate(self.inner.ask(requests)):
            if number == self.interrupt_after:
                raise KeyboardInterrupt
            self.keys.append(answer.key)
            yield self.spoil(answer)

    def spoil(self, answer: Answer) -> Answer:
        return answer

    def close(self) -> None:
        self.closed += 1
        self.late_faults |= self.late_at_end

    def confirm(self) -> None:
        self.inner.confirm()


def run(session: Spoiling, **how: Any) -> Report:
    return certify(corpus(8), load_ruleset("pagat"), session, **how)


def failing(report: Report) -> list[Judgement]:
    return [judgement for judgement in report.judgements if not judgement.verdict.conforms]


def fault(kind: FaultKind = FaultKind.DUPLICATE_ID) -> Fault:
    return Fault(kind, "a second reply")


# Late faults, lists ------------------------------------------------------------------------


def test_a_fault_seen_after_the_answer_costs_the_scenario() -> None:
    session = Spoiling()
    session.late_at_end = {3: fault()}
    report = run(session)
    (judgement,) = failing(report)
    assert judgement is report.judgements[3]
    assert judgement.verdict is Verdict.ERROR
    assert judgement.fault == fault()
    assert judgement.reason == "duplicate-id: a second reply"
    assert session.closed
    assert report.exit_code == 1


def test_a_late_fault_hides_no_failure() -> None:
    session = Spoiling()
    session.late_at_end = {3: fault()}

    def wrong(answer: Answer) -> Answer:
        if answer.key == 3 and answer.reply:
            for view in (view for deal in answer.reply["ok"] for view in deal):
                view["points"] = {"NS": 99, "EW": 99}
        return answer

    session.spoil = wrong  # type: ignore[method-assign]
    (judgement,) = failing(run(session))
    assert judgement.verdict is Verdict.FAIL
    assert judgement.differences
    assert judgement.fault == fault()


def test_a_late_fault_of_a_list_is_looked_for_in_its_cases() -> None:
    session = Spoiling()
    key: list[Hashable] = []

    def late(answer: Answer) -> Answer:
        if isinstance(answer.key, tuple) and answer.key[0] == "list" and not key:
            key.append(answer.key)
            session.late_faults[answer.key] = fault()
        return answer

    session.spoil = late  # type: ignore[method-assign]
    report = run(session)
    assert failing(report) == []
    alone = [one for one in session.keys if isinstance(one, tuple) and one[0] == "alone"]
    assert alone


def test_a_late_fault_at_the_very_end_costs_every_case_of_its_list() -> None:
    session = Spoiling()
    run(session)
    lists = [one for one in session.keys if isinstance(one, tuple) and one[0] == "list"]
    session = Spoiling()
    session.late_at_end = {lists[0]: fault()}
    report = run(session)
    judged = failing(report)
    assert judged
    assert {judgement.verdict for judgement in judged} == {Verdict.ERROR}
    assert all(".position: " in judgement.item.id for judgement in judged)


def test_a_list_that_faults_is_asked_again_case_by_case() -> None:
    session = Spoiling()
    spoilt: list[Hashable] = []

    def broken(answer: Answer) -> Answer:
        if not isinstance(answer.key, tuple):
            return answer
        if answer.key[0] == "list":
            spoilt.append(answer.key)
            return Answer(answer.key, None, fault(FaultKind.CRASH))
        if answer.key[0] == "alone" and len(spoilt) < 1000:
            spoilt.extend([None] * 1000)
            return Answer(answer.key, None, fault(FaultKind.CRASH))
        return answer

    session.spoil = broken  # type: ignore[method-assign]
    (judgement,) = failing(run(session))
    assert judgement.verdict is Verdict.ERROR
    assert judgement.fault is not None


@pytest.mark.parametrize("how", ["short", "dict", "error"])
def test_a_list_without_the_right_shape_is_asked_again(how: str) -> None:
    session = Spoiling()

    def broken(answer: Answer) -> Answer:
        if isinstance(answer.key, tuple) and answer.key[0] == "list" and answer.reply:
            replies: dict[str, Json] = {
                "short": {"ok": answer.reply["ok"][:-1]},
                "dict": {"ok": {}},
                "error": {"error": {"message": "too many"}},
            }
            return Answer(answer.key, replies[how])
        return answer

    session.spoil = broken  # type: ignore[method-assign]
    assert failing(run(session)) == []


@pytest.mark.parametrize(
    ("element", "verdict", "reason"),
    [
        (None, Verdict.UNSUPPORTED, "not observed: legal_plays"),
        ({"unsupported": "no gang"}, Verdict.UNSUPPORTED, "adapter: no gang"),
        ({"error": {"message": "x"}}, Verdict.ERROR, "x"),
        ({}, Verdict.ERROR, "{}"),
        (7, Verdict.ERROR, "an answer to legal_plays is a list of cards"),
        ([["AH"]], Verdict.ERROR, "an answer to legal_plays is a list of cards"),
        (["10H"], Verdict.ERROR, "'10H' is no card: rank and suit, such as TH"),
        (["AH", "hT"], Verdict.ERROR, "'hT' is no card: rank and suit, such as TH"),
        ([], Verdict.FAIL, ""),
    ],
)
def test_an_element_of_a_list(element: Any, verdict: Verdict, reason: str) -> None:
    session = Spoiling()
    done: list[Hashable] = []

    def changed(answer: Answer) -> Answer:
        if isinstance(answer.key, tuple) and answer.key[1] == "legal_plays" and not done:
            done.append(answer.key)
            assert answer.reply is not None
            answer.reply["ok"][0] = element
        return answer

    session.spoil = changed  # type: ignore[method-assign]
    report = run(session)
    odd = [judgement for judgement in report.judgements if judgement.verdict is not Verdict.PASS]
    (judgement,) = odd
    assert (judgement.verdict, judgement.reason) == (verdict, reason)
    assert judgement.withholds


# Stops -------------------------------------------------------------------------------------


def test_an_interrupt_leaves_a_report_of_what_was_done() -> None:
    session = Spoiling()
    session.interrupt_after = 10
    report = run(session)
    counts = report.counts()
    assert counts[Verdict.PASS] == 10
    assert counts[Verdict.NOT_RUN] == len(report.judgements) - 10
    assert report.stopped == "interrupted"
    assert report.exit_code == 4
    assert session.closed


def test_a_stop_by_the_breaker_is_exit_code_4() -> None:
    session = Spoiling()

    def stopped(answer: Answer) -> Answer:
        session.stopped = "5 faults in a row"
        return Answer(answer.key, None, Fault(FaultKind.NOT_RUN, "not asked any more"))

    session.spoil = stopped  # type: ignore[method-assign]
    report = run(session, blind=True)
    assert set(report.counts()) == {Verdict.NOT_RUN}
    assert report.exit_code == 4


def test_an_answer_that_got_lost_is_no_pass() -> None:
    session = Spoiling()
    ask = session.ask
    session.ask = lambda requests: (a for a in ask(requests) if a.key != 5)  # type: ignore[method-assign]
    (judgement,) = failing(run(session))
    assert judgement.verdict is Verdict.NOT_RUN
    assert judgement.reason == "no answer was recorded"


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize(("number", "jobs"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_nothing_is_left_behind_by_an_interrupt(number: signal.Signals, jobs: int) -> None:
    mark = f"TEST_MARK_{os.getpid()}_{jobs}"
    adapter = [sys.executable, str(BROKEN / "grandchildren.py"), "--engine", "reference:answer"]
    child = subprocess.Popen(
        [*PROGRAM, "certify", "--jobs", str(jobs), "--", *adapter],
        env={**os.environ, mark: "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        # What runs in the background ignores Ctrl-C, and so would this. No other thread runs yet.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    until = time.monotonic() + 20
    while len(_marked(mark)) < 2 + jobs and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert child.returncode in (1, 4), (child.returncode, out, err)
    if child.returncode == 4:
        assert "interrupted" in out + err
    assert "Traceback" not in err
    assert _marked(mark) == []


def _marked(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if mark.encode() in environment:
                found.append(int(entry.name))
    return found
