"""Engines in process and several processes of one engine."""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, certified, corpus, kind

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import (
    AdapterError,
    FaultKind,
    Limits,
    Request,
)
from bauernschnapsen_conformance.adapter.pool import Pool
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.run.engine import Engine, started
from bauernschnapsen_conformance.run.in_process import PythonEngine, load_engine
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.selection import Selection
from bauernschnapsen_conformance.run.verdicts import Verdict

Json = dict[str, Any]
REFERENCE = "bauernschnapsen_conformance.reference_adapter"


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


@pytest.mark.slow
def test_a_pool_asks_each_request_once() -> None:
    engine = _pipe(str(BROKEN / "kinds.py"), "--window", "4")
    before = set(threading.enumerate())  # other tests may have left some, as for showing progress
    with started(engine, load_ruleset("pagat"), suite_digest="", jobs=3) as pool:
        assert isinstance(pool, Pool)
        bodies = ({"op": "nonsense", "n": number} for number in range(500))
        answers = list(pool.ask(Request(n, body) for n, body in enumerate(bodies)))
        assert sorted(answer.key for answer in answers if isinstance(answer.key, int)) == list(
            range(500)
        )
        assert all(answer.reply for answer in answers)
        # Whoever stops early stops all, at once.
        waiting = set(threading.enumerate())
        asked = pool.ask(Request(n, {"op": "nonsense"}) for n in range(10_000))
        assert next(asked).reply is not None
        asked.close()  # type: ignore[attr-defined]
        assert set(threading.enumerate()) <= waiting
        assert pool.stopped == "interrupted"
    assert set(threading.enumerate()) <= before


@pytest.mark.slow
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


CHANGING = """\
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    reply = {"unsupported": "unknown op"}
    if request["op"] == "hello":
        ok = {"protocol": 1, "window": 8, "capabilities": {"legal_plays": True},
              "adapter": {"name": "x", "version": "1"}, "engine": {"name": "y", "version": "1"}}
        CHANGE
        reply = {"ok": ok}
    if request["op"] == "legal_plays":
        reply = {"ok": [case["hand"] for case in request["cases"]]}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
"""


def changing(folder: Path, change: str, **how: Any) -> Report:
    """A run over a handful of positions against an adapter that never has to be restarted."""
    script = folder / "adapter.py"
    script.write_text(CHANGING.replace("CHANGE", change), encoding="utf-8")
    rules = load_ruleset("pagat")
    with started(_pipe(str(script)), rules, suite_digest="") as session:
        return certify(corpus(8), rules, session, **how)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ok['engine']['version'] = str(os.getpid())", "engine.version is "),
        ("ok['engine']['built'] = os.getpid()", "engine.built is "),
        ("ok['adapter']['version'] = 'x' * 300 + str(os.getpid())", "adapter.version is "),
        ("ok['window'] = 1 + os.getpid() % 60", "window is "),
        ("ok['engine'].update({str(os.getpid()): 1})", " is missing, and was 1"),
    ],
)
def test_who_is_another_at_every_start_is_found_out_without_a_restart(
    change: str, told: str, tmp_path: Path
) -> None:
    report = changing(tmp_path, change)
    assert report.stopped is not None
    assert "is another one after a restart: " in report.stopped
    assert told in report.stopped
    assert report.exit_code == 4
    assert [fault.kind for fault in report.faults] == [FaultKind.IDENTITY]
    assert not json_report(report)["conforming"]
    # Everything had been asked before that.
    assert Verdict.NOT_RUN not in report.counts()


@pytest.mark.parametrize("change", ["pass", "ok['why'] = os.getpid()"])
def test_who_stays_the_same_is_believed(change: str, tmp_path: Path) -> None:
    report = changing(tmp_path, change)
    assert (report.stopped, report.faults) == (None, ())


def test_a_selection_certifies_nothing_and_is_not_held_against_another_start(
    tmp_path: Path,
) -> None:
    change = "ok['engine']['version'] = str(os.getpid())"
    report = changing(tmp_path, change, selection=Selection(("play.*",)))
    assert report.stopped is None


def test_an_engine_in_process_is_asked_again_who_it_is() -> None:
    class Changing:
        version = 0

        def handle(self, message: Any) -> Any:
            if message["op"] != "hello":
                return {"unsupported": "unknown op"}
            self.version += 1
            who = {"name": "x", "version": str(self.version)}
            return {"ok": {"protocol": 1, "adapter": who, "engine": who, "capabilities": {}}}

    report = certify(corpus(8), load_ruleset("pagat"), PythonEngine(Changing()))
    assert report.stopped is not None
    assert 'adapter.version is "2", and was "1"' in report.stopped
