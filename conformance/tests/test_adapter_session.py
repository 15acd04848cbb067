"""The session's other promises: wire, handshake, windows, deadlines."""

from __future__ import annotations

import itertools
import sys
import time
from pathlib import Path

import pytest
from small_adapters import ECHO, adapter, ping

from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    AdapterDidNotStart,
    FaultKind,
    Limits,
    Session,
)

BROKEN = Path(__file__).resolve().parent.parent / "broken_adapters"


# The handshake -----------------------------------------------------------------------------


def test_the_hello_request_tells_suite_and_limits() -> None:
    with Session(
        adapter("first = next(requests); greet(first)\nreply(next(requests), ok=first)")
    ) as session:
        (answer,) = session.ask([ping(1)])
    assert answer.reply is not None
    said = answer.reply["ok"]
    assert said["protocol"] == {"min": 1, "max": 1}
    assert said["limits"] == {"max_line": 1 << 20}
    assert set(said["suite"]) == {"version", "digest"}


# Commands that cannot be started -----------------------------------------------------------


def test_commands_that_cannot_be_started(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("not a program")
    no_interpreter = tmp_path / "no-interpreter"
    no_interpreter.write_text("#!/no/such/interpreter\n")
    no_line = tmp_path / "no-line"
    no_line.write_bytes(b"\x00\x01\x02")
    for path in (no_interpreter, no_line):
        path.chmod(0o755)
    cases = {
        (): "no adapter command",
        ("",): "cannot be started",
        ("no-such-command-anywhere",): "Is the path right",
        (str(tmp_path / "missing"),): "Is the path right",
        (str(tmp_path),): "is a directory",
        (str(plain),): "chmod",
        (str(no_interpreter),): "the interpreter named in its first line does not",
        (str(no_line),): "no #! line",
        ("a\0b",): "cannot be used",
    }
    for argv, words in cases.items():
        with pytest.raises(AdapterDidNotStart) as caught:
            Session(AdapterCommand(argv)).start()
        assert words in str(caught.value), argv
        assert "\n" not in str(caught.value)
    with pytest.raises(AdapterDidNotStart, match="does not exist"):
        Session(AdapterCommand((sys.executable,), cwd=tmp_path / "missing")).start()


def test_windows_gets_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bauernschnapsen_conformance.adapter.command._SYSTEM", "nt")
    with pytest.raises(AdapterDidNotStart, match="Windows Subsystem for Linux"):
        Session(adapter(ECHO)).start()


def test_an_answer_to_hello_that_is_nonsense_is_quoted() -> None:
    with pytest.raises(AdapterDidNotStart, match="not usable") as caught:
        Session(adapter('os.write(1, b"{nonsense\\n")')).start()
    assert "{nonsense" in str(caught.value)


def test_an_adapter_may_answer_hello_only_once() -> None:
    code = "request = next(requests); greet(request); greet(request); time.sleep(60)"
    with pytest.raises(AdapterDidNotStart, match="second reply"):
        Session(adapter(code), limits=Limits(moment=1.0)).start()


def test_a_byte_order_mark_is_forgiven() -> None:
    code = 'os.write(1, b"\\xef\\xbb\\xbf")' + ECHO
    with Session(adapter(code)) as session:
        (answer,) = session.ask([ping(1, say="x")])
    assert answer.reply == {"ok": "x"}


# Windows, sizes, deadlines -----------------------------------------------------------------


@pytest.mark.parametrize("window", [1, 3, 8])
def test_never_more_requests_under_way_than_the_window(window: int) -> None:
    code = f"""
import select
greet(next(requests), window={window})
# Counts what is there when nothing more comes, then answers one of them.
buffer, waiting, most = b"", [], 0
while True:
    while select.select([0], [], [], 0.02)[0]:
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit()
        buffer += chunk
        *lines, buffer = buffer.split(b"\\n")
        waiting += map(json.loads, lines)
    most = max(most, len(waiting))
    if waiting:
        reply(waiting.pop(0), ok=most)
"""
    # The greeting must not read ahead.
    code = code.replace("greet(next(requests)", "greet(json.loads(os.read(0, 65536))")
    with Session(adapter(code)) as session:
        answers = list(session.ask(ping(number) for number in range(10)))
    most = max(answer.reply["ok"] for answer in answers if answer.reply)
    assert most == window


def test_long_lines_both_ways_cannot_block_each_other() -> None:
    text = "♠" + "s" * 900_000
    with Session(adapter(ECHO)) as session:
        answers = list(session.ask(ping(number, say=text) for number in range(20)))
    assert [answer.reply == {"ok": text} for answer in answers] == [True] * 20


def test_a_line_of_exactly_the_limit_passes_and_one_byte_more_does_not() -> None:
    code = """
greet(next(requests))
for request in requests:
    start = b'{"id":%d,"ok":"' % request["id"]
    line = start + b"x" * (request["size"] - len(start) - 2) + b'"}'
    sys.stdout.buffer.write(line + b"\\n")
    sys.stdout.flush()
"""
    limits = Limits(max_line=100_000)
    with Session(adapter(code), limits=limits) as session:
        answers = {
            answer.key: answer
            for answer in session.ask([ping("fits", size=100_000), ping("not", size=100_001)])
        }
    assert answers["fits"].reply is not None
    fault = answers["not"].fault
    assert fault is not None
    assert fault.kind is FaultKind.OVERSIZE


def test_a_request_that_is_too_long_is_not_sent_and_nobodys_fault() -> None:
    with Session(adapter(ECHO), limits=Limits(max_line=1000)) as session:
        requests = [ping(1, say="a"), ping(2, say="x" * 2000), ping(3, say="c")]
        answers = {answer.key: answer for answer in session.ask(requests)}
    assert answers[1].reply == {"ok": "a"}
    assert answers[3].reply == {"ok": "c"}
    fault = answers[2].fault
    assert fault is not None
    assert fault.kind is FaultKind.NOT_RUN
    assert session.faults == []


def sleepy(window: int) -> AdapterCommand:
    """An adapter that takes 0.3 s for each request."""
    return adapter(f"""
greet(next(requests), window={window})
for request in requests:
    time.sleep(0.3)
    reply(request, ok=request.get("say"))
""")


@pytest.mark.slow
def test_the_deadline_runs_from_the_previous_reply_not_from_sending() -> None:
    """Twelve requests are sent at once; the last reply comes after 3.6 s."""
    with Session(sleepy(12), limits=Limits(request=3.0)) as session:
        answers = list(session.ask(ping(number) for number in range(12)))
    assert all(answer.reply is not None for answer in answers)


@pytest.mark.slow
def test_time_the_caller_takes_is_not_the_adapters() -> None:
    with Session(sleepy(2), limits=Limits(request=3.0)) as session:
        # Two answers are held back, so the first is handed out while the fourth is under way.
        for answer in session.ask(ping(number) for number in range(4)):
            assert answer.reply is not None
            if answer.key == 0:
                time.sleep(3.5)


@pytest.mark.slow
def test_a_request_may_not_wait_for_ever_while_others_are_answered() -> None:
    code = """
greet(next(requests), window=2)
for request in requests:
    if request.get("say") != "drop":
        time.sleep(0.05)
        reply(request, ok=1)
"""
    # The missing reply is given up after (window + 1) times 0.3 s, and again: long before the
    # others are through, which takes 50 s at least.
    asked = itertools.chain([ping("drop", say="drop")], map(ping, range(1000)))
    with Session(adapter(code), limits=Limits(request=0.3)) as session:
        answers = session.ask(asked)
        dropped = next(answer for answer in answers if answer.key == "drop")
        assert dropped.fault is not None
        assert next(answers).key != "drop"
        answers.close()  # type: ignore[attr-defined]


def test_times_are_scaled() -> None:
    with Session(sleepy(1), limits=Limits(request=0.1, timeout_scale=50)) as session:
        (answer,) = session.ask([ping(1, say="slow")])
    assert answer.reply == {"ok": "slow"}
