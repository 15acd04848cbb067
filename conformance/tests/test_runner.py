"""The runner: faults that come late, lists that fault, stops, interrupts, engines in process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM, certified, corpus, kind

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import (
    AdapterError,
    Answer,
    Fault,
    FaultKind,
    Hello,
    Limits,
    Request,
)
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.engine import Engine, started
from bauernschnapsen_conformance.in_process import PythonEngine, load_engine
from bauernschnapsen_conformance.pool import Pool
from bauernschnapsen_conformance.runner import Report, certify
from bauernschnapsen_conformance.verdicts import Judgement, Verdict

pytestmark = pytest.mark.slow
Json = dict[str, Any]
REFERENCE = "bauernschnapsen_conformance.reference_adapter"


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
        (["XX"], Verdict.FAIL, ""),
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


# Engines in process ------------------------------------------------------------------------


class Odd:
    """Answers one operation in an odd way."""

    def __init__(self, reply: Any) -> None:
        self.inner, self.reply = kind(queries=False), reply

    def handle(self, message: Json) -> Any:
        if message["op"] != "replay":
            return self.inner.handle(message)
        if callable(self.reply):
            return self.reply()
        return self.reply


def _raise() -> Any:
    raise ZeroDivisionError("by \x1b[1m zero")


def _exit() -> Any:
    raise SystemExit(3)


def _deep() -> Any:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    return {"ok": deep}


@pytest.mark.parametrize(
    ("reply", "kind_", "detail"),
    [
        (_raise, "crash", "raised ZeroDivisionError: by \\x1b[1m zero"),
        (_exit, "crash", "raised SystemExit: 3"),
        (None, "malformed", "returned NoneType instead of a dict"),
        ("x", "malformed", "returned str instead of a dict"),
        ({}, "protocol", 'a reply must hold one of "ok", "unsupported" and "error"'),
        ({"ok": 1, "error": 2}, "protocol", "a reply must hold one of"),
        ({"ok": object()}, "malformed", "the reply is no message"),
        ({"ok": 1.5}, "malformed", "the reply is no message"),
        ({"ok": 1 << 60}, "malformed", "the reply is no message"),
        ({"ok": "\ud800"}, "malformed", "the reply is no message"),
        (_deep, "malformed", "the reply is no message"),
        ({"ok": "x" * (1 << 20)}, "oversize", "a reply of more than 1048576 bytes"),
    ],
)
def test_what_an_engine_in_process_does_wrong_costs_the_scenario(
    reply: Any, kind_: str, detail: str
) -> None:
    report = certified(Odd(reply), step=50)
    assert report.stopped is None
    assert report.exit_code == 1
    for judgement in report.judgements:
        assert judgement.verdict is Verdict.ERROR
        assert judgement.fault is not None
        assert judgement.fault.kind.value == kind_
        assert judgement.fault.detail.startswith(detail)
        assert judgement.fault.detail.isprintable()


def test_an_engine_in_process_that_hangs_is_stopped() -> None:
    def sleep() -> Any:
        time.sleep(60)

    engine = PythonEngine(Odd(sleep), limits=Limits(request=0.05))
    before = time.monotonic()
    report = certify(corpus(30), load_ruleset("pagat"), engine)
    assert time.monotonic() - before < 20
    assert report.stopped == "5 faults in a row"
    assert report.counts()[Verdict.ERROR] == 5
    assert report.exit_code == 4
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_an_engine_may_change_what_it_is_given() -> None:
    class Careless:
        def __init__(self) -> None:
            self.inner = kind()

        def handle(self, message: Json) -> Json:
            reply: Json = self.inner.handle(message)
            message.clear()
            return reply

    assert certified(Careless(), step=20).exit_code == 0


def test_a_factory_is_imported_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"engine_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(
        f"from {REFERENCE} import ReferenceAdapter\n"
        "class Box:\n    @staticmethod\n    def make():\n        return ReferenceAdapter()\n"
        "number = 7\ndef needs(one):\n    return one\ndef nothing():\n    return None\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert main(["certify", "--only", "play.heart-trick", "--python", f"{name}:Box.make"]) == 0
    assert "1 pass" in capsys.readouterr().out
    for wrong, told in {
        "": "is no factory",
        "x": "is no factory",
        ":x": "is no factory",
        "no_such_module_at_all:x": "cannot be imported: ModuleNotFoundError",
        f"{name}:nobody": "has no 'nobody' to call",
        f"{name}:number": "has no 'number' to call",
        f"{name}:needs": "cannot be called without arguments",
        f"{name}:nothing": "has no method handle",
    }.items():
        with pytest.raises(SpecError, match=told):
            load_engine(wrong)
        assert main(["certify", "--python", wrong]) == 2
        line = capsys.readouterr().err
        assert told in line
        assert line.count("\n") == 1


def test_either_a_command_or_a_factory(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["certify"], ["certify", "--python", f"{REFERENCE}:X", "--", "true"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1


# Several processes -------------------------------------------------------------------------


def _pipe(*arguments: str) -> Engine:
    return Engine((sys.executable, *arguments))


def test_a_pool_asks_each_request_once() -> None:
    engine = _pipe(str(BROKEN / "kinds.py"), "--window", "4")
    with started(engine, load_ruleset("pagat"), suite_digest="", jobs=3) as pool:
        assert isinstance(pool, Pool)
        bodies = ({"op": "nonsense", "n": number} for number in range(500))
        answers = list(pool.ask(Request(n, body) for n, body in enumerate(bodies)))
        assert sorted(answer.key for answer in answers if isinstance(answer.key, int)) == list(
            range(500)
        )
        assert all(answer.reply for answer in answers)
        # Whoever stops early stops all.
        for answer in pool.ask(Request(n, {"op": "nonsense"}) for n in range(10_000)):
            assert answer.reply is not None
            break
    assert threading.active_count() == 1


def test_a_pool_shares_its_breaker() -> None:
    adapter = [sys.executable, str(BROKEN / "crash.py"), "--trap", '"replay"', "--engine"]
    engine = Engine((*adapter, "reference:answer"))
    with started(engine, load_ruleset("pagat"), suite_digest="", jobs=2) as pool:
        report = certify(corpus(8), load_ruleset("pagat"), pool)
    assert report.exit_code == 4
    counts = report.counts()
    assert 5 <= counts[Verdict.ERROR] <= 8
    assert counts[Verdict.ERROR] + counts[Verdict.NOT_RUN] == len(report.judgements)


def test_processes_that_say_different_things_are_refused(tmp_path: Path) -> None:
    script = tmp_path / "adapter.py"
    script.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    i = json.loads(line)['id']\n"
        "    who = {'name': 'x', 'version': str(os.getpid())}\n"
        "    ok = {'protocol': 1, 'adapter': who, 'engine': who, 'capabilities': {}}\n"
        "    print(json.dumps({'id': i, 'ok': ok}), flush=True)\n",
        encoding="utf-8",
    )
    with (
        pytest.raises(AdapterError, match="say different things"),
        started(_pipe(str(script)), load_ruleset("pagat"), suite_digest="", jobs=2),
    ):
        pass


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
