"""What stops a run, how it is told, and that nothing is left behind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fault_drill import BOTH_WINDOWS, COUNT, Run, ask_for, command, survivors
from fault_drill import run as run  # noqa: PLC0414 - a fixture
from fault_drill import token as token  # noqa: PLC0414 - a fixture

from bauernschnapsen_conformance.adapter import (
    AdapterDidNotStart,
    FaultKind,
    Limits,
    NoCommonProtocol,
    Session,
)

pytestmark = pytest.mark.slow


@BOTH_WINDOWS
def test_another_identity_after_a_restart_stops_the_run(run: Run, window: int) -> None:
    drill = run("changes_identity.py", window=window, traps=(7,))
    stopped = drill.session.stopped or ""
    assert stopped.startswith(
        'the adapter is another one after a restart: adapter.version is "1.0-'
    )
    kinds = [fault.kind for fault in drill.session.faults]
    assert sorted(kinds) == [FaultKind.CRASH, FaultKind.IDENTITY]
    answered = {key for key, answer in drill.answers.items() if answer.reply is not None}
    assert answered == set(range(7))
    assert drill.wrong((7,)) == []
    rest = {key: kind for key, kind in drill.faults.items() if key > 7}
    assert rest == dict.fromkeys(range(8, COUNT), FaultKind.NOT_RUN)
    assert drill.faults[7] is (FaultKind.CRASH if window == 1 else FaultKind.NOT_RUN)


def test_an_adapter_that_does_not_start_again_stops_the_run(run: Run, tmp_path: Path) -> None:
    drill = run("starts_only_once.py", how=str(tmp_path / "lock"), traps=(7,))
    assert drill.session.stopped == "the adapter did not start again"
    assert drill.faults[7] is FaultKind.CRASH
    assert {key for key in drill.faults if key != 7} == set(range(8, COUNT))
    assert drill.wrong((7,)) == []


@BOTH_WINDOWS
def test_five_faults_in_a_row_stop_the_run(run: Run, window: int) -> None:
    drill = run("exits_after_hello.py", window=window)
    assert drill.session.stopped == "5 faults in a row"
    expected = dict.fromkeys(range(5), FaultKind.MISSING_REPLY)
    expected |= dict.fromkeys(range(5, COUNT), FaultKind.NOT_RUN)
    assert drill.faults == expected


@BOTH_WINDOWS
def test_twenty_faults_in_all_stop_the_run(run: Run, window: int) -> None:
    traps = tuple(range(0, 60, 2))
    drill = run("crash.py", window=window, traps=traps, count=60)
    assert drill.session.stopped == "20 faults in all"
    costly = [key for key, kind in drill.faults.items() if kind is FaultKind.CRASH]
    assert len(costly) == 20
    assert set(costly) <= set(traps)
    assert drill.wrong(traps) == []


@BOTH_WINDOWS
def test_replies_of_the_wrong_form_stop_no_run(run: Run, window: int) -> None:
    drill = run("wrong_shape.py", window=window, traps=tuple(range(60)), count=60)
    assert drill.session.stopped is None
    assert list(drill.faults.values()) == [FaultKind.PROTOCOL] * 60


# What does not start -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "how", "error", "message"),
    [
        ("exits_at_start.py", "", AdapterDidNotStart, "ended with exit code 7 before it answered"),
        ("slow_start.py", "60", AdapterDidNotStart, "did not answer hello within 0.5 s"),
        ("no_flush.py", "", AdapterDidNotStart, "flush standard output after every line"),
        ("other_protocol.py", "", NoCommonProtocol, "chose protocol version 7"),
        ("other_protocol.py", "error", NoCommonProtocol, "I speak versions 7 to 9"),
    ],
)
def test_what_does_not_start(
    token: str, name: str, how: str, error: type[AdapterDidNotStart], message: str
) -> None:
    # Who hangs is not waited for long; who sits on the reply must have written it by then.
    start_up = {"slow_start.py": 0.5, "no_flush.py": 3.0}.get(name, 10.0)
    session = Session(command(name, token, how=how), limits=Limits(start_up=start_up))
    with pytest.raises(error) as caught:
        session.start()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3
    if name == "exits_at_start.py":
        assert caught.value.stderr_tail == "cannot find rules.dat"


# What a fault says -------------------------------------------------------------------------


def test_a_crash_is_told_with_code_stderr_and_the_line_that_repeats_it(run: Run) -> None:
    fault = run("crash.py", window=8).fault(7)
    assert (fault.exit_code, fault.signal) == (11, None)
    assert fault.stderr_tail == "index out of range: 13"
    assert json.loads(fault.request_line) == {"id": 1, **ask_for(7).body}
    assert fault.hint


def test_a_signal_is_told_by_its_name(run: Run) -> None:
    fault = run("crash.py", how="signal").fault(7)
    assert (fault.exit_code, fault.signal) == (None, signal.SIGKILL)
    assert "SIGKILL" in fault.detail


def test_processes_left_behind_are_ended_and_mentioned(run: Run) -> None:
    drill = run("grandchildren.py", window=8)
    assert "the adapter left processes behind; they were ended" in drill.session.warnings


# Memory, and interrupts --------------------------------------------------------------------

MEASURE = """
import resource, sys
sys.path[:0] = [sys.argv[1]]
import fault_drill as drill
from bauernschnapsen_conformance.adapter import Session

peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
    1 if sys.platform == "darwin" else 1024)
with Session(drill.command("correct.py", sys.argv[3], window=8), limits=drill.CALM) as session:
    list(session.ask(map(drill.ask_for, range(50))))
before = peak()
name, _, how = sys.argv[2].partition(" ")
with Session(drill.command(name, sys.argv[3], window=8, how=how), limits=drill.CALM) as session:
    answers = list(session.ask(map(drill.ask_for, range(24))))
assert len(answers) == 24
print(peak() - before)
"""


@pytest.mark.parametrize("adapter", ["stderr_flood.py", "huge_line.py", "huge_line.py noise"])
def test_memory_is_bounded(adapter: str, token: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(Path(__file__).parent), adapter, token],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # A line is read up to 1 MiB, in a few copies.
    assert int(done.stdout) < 16 * 2**20


INTERRUPTED = """
import sys
sys.path[:0] = [sys.argv[1]]
import fault_drill as drill
from bauernschnapsen_conformance.adapter import Breaker, Limits, Session
from bauernschnapsen_conformance.adapter.pool import Pool

LONG = Limits(request=600.0, start_up=600.0, shut_down=600.0)

def make(name, breaker=None, how=""):
    command = drill.command(name, sys.argv[3], window=8, how=how)
    return Session(command, limits=LONG, breaker=breaker)

def pool(name, how=""):
    breaker = Breaker()
    return Pool([make(name, breaker, how) for _ in range(2)], breaker)

def begin(session):
    session.start()
    print("ready", flush=True)
    return session

def left_open():
    global kept
    kept = begin(make("grandchildren.py"))

def asking():
    with begin(make("hang_ignoring_sigterm.py")) as session:
        list(session.ask(map(drill.ask_for, range(24))))

def asking_two():
    # Each of the two gets a request that it never answers: all of them are alike.
    with begin(pool("hang_ignoring_sigterm.py")) as sessions:
        list(sessions.ask(map(drill.ask_for, [7] * 24)))

def starting():
    print("ready", flush=True)
    make("slow_start.py", how="600").start()

def starting_two():
    print("ready", flush=True)
    pool("slow_start.py", how="600").start()

globals()[sys.argv[2]]()
"""


@pytest.mark.parametrize(
    "moment", ["asking", "asking_two", "starting", "starting_two", "left_open"]
)
def test_nothing_is_left_after_an_interrupt_or_a_forgotten_close(moment: str, token: str) -> None:
    runner = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(Path(__file__).parent), moment, token],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What runs in the background ignores Ctrl-C, and so would this. No other thread runs yet.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    with runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"ready\n"
        if moment != "left_open":
            while not survivors(token):
                assert runner.poll() is None
                time.sleep(0.01)
            time.sleep(0.3)
            runner.send_signal(signal.SIGINT)
        _, complaint = runner.communicate(timeout=100)
    if moment != "left_open":
        assert b"KeyboardInterrupt" in complaint
    # The fixture looks for survivors.
