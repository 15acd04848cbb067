"""Each broken adapter costs exactly the requests its fault touches, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    AdapterDidNotStart,
    Answer,
    Fault,
    FaultKind,
    Limits,
    NoCommonProtocol,
    Request,
    Session,
)

pytestmark = pytest.mark.slow

BROKEN = Path(__file__).resolve().parent.parent / "broken_adapters"
TOKEN = "BAUERNSCHNAPSEN_DRILL"
COUNT = 24
TRAPS = (7, 16)
CALM = Limits(request=20.0)
HASTY = Limits(request=0.5)

DECK = [rank + suit for suit in "HDSC" for rank in "ATKQ"]


def ask_for(number: int, traps: tuple[int, ...] = TRAPS) -> Request:
    """A query whose right answer is its own hand; the trap is the hand JS alone."""
    hand = (
        ["JS"] if number in traps else [DECK[number % 16], DECK[(number + 1 + number // 16) % 16]]
    )
    table = {"contract": "normal", "trump": "H", "declarer": "N", "seats": ["N", "E", "S", "W"]}
    # The lead makes two requests with the same hand different.
    case = {**table, "trick": [["N", DECK[number % 16]]], "seat": "E", "hand": hand}
    return Request(number, {"op": "legal_plays", "cases": [case]})


def right(number: int, traps: tuple[int, ...] = TRAPS) -> dict[str, Any]:
    return {"ok": [ask_for(number, traps).body["cases"][0]["hand"]]}


def survivors(token: str) -> list[int]:
    """Living processes started by a run with this token, found without the code under test."""
    if not sys.platform.startswith("linux"):
        listed = subprocess.check_output(["ps", "-E", "-axo", "pid=,command="], text=True)
        return [int(line.split()[0]) for line in listed.splitlines() if token in line]
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and entry.name != str(os.getpid()):
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if token.encode() in environment:
                found.append(int(entry.name))
    return found


@dataclass
class Drill:
    answers: dict[Any, Answer]
    session: Session

    @property
    def faults(self) -> dict[Any, FaultKind]:
        late = {key: fault.kind for key, fault in self.session.late_faults.items()}
        return late | {
            key: answer.fault.kind for key, answer in self.answers.items() if answer.fault
        }

    def fault(self, number: int) -> Fault:
        fault = self.answers[number].fault
        assert fault is not None
        return fault

    def wrong(self, traps: tuple[int, ...] = TRAPS) -> list[Any]:
        """Requests that have a reply, but not the right one."""
        return [
            key
            for key, answer in self.answers.items()
            if answer.reply is not None and answer.reply != right(key, traps)
        ]

    @property
    def flaky(self) -> list[Any]:
        return [key for key, answer in self.answers.items() if answer.flaky]


Run = Callable[..., Drill]


@pytest.fixture
def token() -> Iterator[str]:
    value = uuid.uuid4().hex
    yield value
    assert survivors(value) == []


def command(name: str, token: str, *, window: int = 1, how: str = "") -> AdapterCommand:
    argv = (sys.executable, "-S", "-E", str(BROKEN / name), f"--window={window}", f"--how={how}")
    return AdapterCommand(argv, env={TOKEN: token})


@pytest.fixture
def run(token: str) -> Run:
    def run_drill(
        name: str,
        *,
        window: int = 1,
        how: str = "",
        limits: Limits = CALM,
        traps: tuple[int, ...] = TRAPS,
        count: int = COUNT,
    ) -> Drill:
        answers: dict[Any, Answer] = {}
        with Session(command(name, token, window=window, how=how), limits=limits) as session:
            for answer in session.ask(ask_for(number, traps) for number in range(count)):
                assert answer.key not in answers, "two answers to one request"
                assert (answer.reply is None) == (answer.fault is not None)
                answers[answer.key] = answer
        assert sorted(answers) == list(range(count))
        return Drill(answers, session)

    return run_drill


BOTH_WINDOWS = pytest.mark.parametrize("window", [1, 8])


# Faults that cost one request each ---------------------------------------------------------

COSTLY = [
    ("crash.py", "", FaultKind.CRASH),
    ("crash.py", "signal", FaultKind.CRASH),
    ("crash_with_pending.py", "", FaultKind.CRASH),
    ("crash_after_reply.py", "", FaultKind.CRASH),
    ("crash_after_reply.py", "later", FaultKind.CRASH),
    ("garbage_line.py", "", FaultKind.MALFORMED),
    ("garbage_line.py", "after", FaultKind.MALFORMED),
    ("garbage_line.py", "pretty", FaultKind.MALFORMED),
    ("garbage_line.py", "log", FaultKind.MALFORMED),
    ("wrong_id.py", "", FaultKind.STALE_ID),
    # Alone in a new process, the id before it is one that nobody has.
    ("wrong_id.py", "earlier", FaultKind.STALE_ID),
    ("wrong_id.py", "next", FaultKind.STALE_ID),
    ("wrong_id.py", "text", FaultKind.MALFORMED),
    ("wrong_id.py", "missing", FaultKind.MALFORMED),
    ("duplicate_id.py", "", FaultKind.DUPLICATE_ID),
    ("duplicate_id.py", "later", FaultKind.DUPLICATE_ID),
    ("wrong_shape.py", "", FaultKind.PROTOCOL),
    ("wrong_shape.py", "both", FaultKind.PROTOCOL),
    ("closes_stdout.py", "", FaultKind.MISSING_REPLY),
    ("grandchildren.py", "", FaultKind.CRASH),
    ("deep_json.py", "", FaultKind.MALFORMED),
    ("deep_json.py", "shallow", FaultKind.MALFORMED),
    ("deep_json.py", "hidden", FaultKind.MALFORMED),
    ("odd_numbers.py", "NaN", FaultKind.MALFORMED),
    ("odd_numbers.py", "-Infinity", FaultKind.MALFORMED),
    ("odd_numbers.py", "1.5", FaultKind.MALFORMED),
    ("odd_numbers.py", "1e5", FaultKind.MALFORMED),
    ("odd_numbers.py", "1E400", FaultKind.MALFORMED),
    ("odd_numbers.py", "9007199254740993", FaultKind.MALFORMED),
    ("odd_numbers.py", "12345678901234567890", FaultKind.MALFORMED),
    ("odd_numbers.py", "endless", FaultKind.MALFORMED),
    ("invalid_utf8.py", "", FaultKind.MALFORMED),
    ("invalid_utf8.py", "surrogate", FaultKind.MALFORMED),
]


@pytest.mark.parametrize(("name", "how", "kind"), COSTLY)
def test_a_fault_costs_its_request_and_no_other(
    run: Run, name: str, how: str, kind: FaultKind
) -> None:
    drill = run(name, how=how, window=8, traps=(7,), count=16)
    assert drill.faults == {7: kind}
    assert drill.wrong((7,)) == []
    assert drill.flaky == []
    assert [fault.key for fault in drill.session.faults] == [7]
    assert drill.session.stopped is None


@pytest.mark.parametrize("traps", [(7, 16), (7, 8), (0, 1, 2), (23,)])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("crash_with_pending.py", FaultKind.CRASH),
        ("garbage_line.py", FaultKind.MALFORMED),
        ("duplicate_id.py", FaultKind.DUPLICATE_ID),
        ("crash_after_reply.py", FaultKind.CRASH),
    ],
)
def test_several_faults_close_together_or_at_the_ends(
    run: Run, name: str, kind: FaultKind, traps: tuple[int, ...]
) -> None:
    drill = run(name, window=8, traps=traps)
    assert drill.faults == dict.fromkeys(traps, kind)
    assert drill.wrong(traps) == []
    assert drill.flaky == []
    assert {fault.key for fault in drill.session.faults} == set(traps)


@pytest.mark.parametrize(("name", "how", "kind"), COSTLY[:18])
def test_likewise_one_at_a_time(run: Run, name: str, how: str, kind: FaultKind) -> None:
    drill = run(name, how=how, window=1, traps=(3,), count=6)
    assert drill.faults == {3: kind}
    assert drill.wrong((3,)) == []
    assert drill.flaky == []


TIMED = [
    ("hang.py", ""),
    ("hang_ignoring_sigterm.py", ""),
    ("silent.py", ""),
    ("half_line.py", ""),
    ("noise_before_reply.py", ""),
    ("late_reply.py", ""),
    ("does_not_read.py", ""),
]


@pytest.mark.parametrize(("name", "how"), TIMED)
def test_silence_costs_its_request_and_no_other(run: Run, name: str, how: str) -> None:
    drill = run(name, how=how, window=8, limits=HASTY, traps=(7,), count=12)
    assert drill.faults == {7: FaultKind.TIMEOUT}
    assert drill.wrong((7,)) == []
    assert drill.flaky == []
    fault = drill.fault(7)
    if name == "noise_before_reply.py":
        assert "behind other text" in fault.hint
    if name == "half_line.py":
        assert "only the beginning of a line" in fault.detail
        assert fault.excerpt.startswith('{"id"')


def test_a_hang_without_pipelining_costs_its_request_and_no_other(run: Run) -> None:
    drill = run("hang.py", window=1, limits=HASTY, traps=(7,), count=12)
    assert drill.faults == {7: FaultKind.TIMEOUT}
    assert drill.wrong((7,)) == []
    assert drill.fault(7).exit_code is None, "the runner ended it, it did not end by itself"


@pytest.mark.parametrize("how", ["", "noise"])
def test_a_line_of_100_megabytes(run: Run, how: str) -> None:
    drill = run("huge_line.py", how=how, window=8, traps=(7,))
    assert drill.faults == ({} if how == "noise" else {7: FaultKind.OVERSIZE})
    assert drill.wrong((7,)) == []
    assert drill.session.noise_lines == (1 if how == "noise" else 0)


# What costs nothing ------------------------------------------------------------------------


@BOTH_WINDOWS
@pytest.mark.parametrize("name", ["correct.py", "out_of_order.py", "slow_start.py"])
def test_what_is_allowed_costs_nothing(run: Run, name: str, window: int) -> None:
    drill = run(name, window=window)
    assert drill.faults == {}
    assert drill.wrong() == []
    assert drill.session.starts == 1
    assert drill.session.warnings == ()


@BOTH_WINDOWS
def test_noise_is_counted_and_shown_but_costs_nothing(run: Run, window: int) -> None:
    drill = run("noise.py", window=window)
    assert drill.faults == {}
    assert drill.wrong() == []
    assert drill.session.noise_lines == 2 + 2 * len(TRAPS)
    assert drill.session.warnings == (
        "stdout had 6 line(s) that are no messages, such as: *** Engine 3.1 ***",
    )


def test_a_flood_on_stderr_costs_nothing(run: Run) -> None:
    drill = run("stderr_flood.py", window=8, traps=(7,))
    assert drill.faults == {}
    assert drill.wrong((7,)) == []
    assert drill.session.stderr_tail.endswith("warning: something is odd")


# Where several requests are touched --------------------------------------------------------


@pytest.mark.parametrize("how", ["", "crash"])
def test_an_adapter_that_cannot_pipeline_is_flaky_not_faulty(run: Run, how: str) -> None:
    limits = HASTY if how == "" else CALM
    drill = run("not_pipelined.py", how=how, window=4, limits=limits, traps=(), count=24)
    assert drill.faults == {}
    assert drill.wrong(()) == []
    # Three groups fail; after the third the session asks one at a time.
    assert sorted(drill.flaky) == list(range(12))
    assert '"window": 1' in drill.answers[0].hint
    assert any("one at a time" in warning for warning in drill.session.warnings)
    assert [fault.key for fault in drill.session.faults] == [None, None, None]


def test_answers_mixed_up_by_pipelining_are_right_when_asked_again_alone(token: str) -> None:
    """A wrong answer is no fault, so the session cannot see it; the runner asks again alone."""
    traps = (7,)
    with Session(command("not_pipelined.py", token, window=4, how="mixed")) as session:
        first = list(session.ask(ask_for(number, traps) for number in range(8)))
        assert any(answer.reply != right(cast(int, answer.key), traps) for answer in first)
        for number in range(8):
            (again,) = session.ask([ask_for(number, traps)])
            assert again.reply == right(number, traps)


@BOTH_WINDOWS
def test_another_identity_after_a_restart_stops_the_run(run: Run, window: int) -> None:
    drill = run("changes_identity.py", window=window, traps=(7,))
    assert drill.session.stopped == "the adapter is another one after a restart"
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
    start_up = 10.0 if name in ("exits_at_start.py", "other_protocol.py") else 0.5
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
import test_fault_drill as drill
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
import test_fault_drill as drill
from bauernschnapsen_conformance.adapter import Session

def begin(name):
    session = Session(drill.command(name, sys.argv[3], window=8), limits=drill.CALM)
    session.start()
    print("ready", flush=True)
    return session

def left_open():
    global kept
    kept = begin("grandchildren.py")

def asking():
    with begin("hang_ignoring_sigterm.py") as session:
        list(session.ask(map(drill.ask_for, range(24))))

def starting():
    print("ready", flush=True)
    Session(drill.command("slow_start.py", sys.argv[3], how="60")).start()

globals()[sys.argv[2]]()
"""


@pytest.mark.parametrize("moment", ["asking", "starting", "left_open"])
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
            time.sleep(0.3)
            assert survivors(token) != []
            runner.send_signal(signal.SIGINT)
        _, complaint = runner.communicate(timeout=20)
    if moment != "left_open":
        assert b"KeyboardInterrupt" in complaint
    # The fixture looks for survivors.
