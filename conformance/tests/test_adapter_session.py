"""The session's other promises: wire, handshake, windows, deadlines, rules, early ends."""

from __future__ import annotations

import itertools
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    AdapterDidNotStart,
    Breaker,
    FaultKind,
    Limits,
    Request,
    Session,
)

BROKEN = Path(__file__).resolve().parent.parent / "broken_adapters"

GREETING = """
import json, os, sys, time
def reply(request, **outcome):
    os.write(1, json.dumps({"id": request["id"], **outcome}).encode() + b"\\n")
def greet(request, window=1, **capabilities):
    reply(request, ok={"protocol": 1, "adapter": {"name": "a", "version": "1"},
          "engine": {"name": "e", "version": "2"}, "capabilities": capabilities, "window": window})
requests = map(json.loads, sys.stdin)
"""


def adapter(code: str) -> AdapterCommand:
    """An adapter of a few lines, in which `requests`, `greet` and `reply` are at hand."""
    return AdapterCommand((sys.executable, "-S", "-E", "-c", GREETING + code))


def ping(key: object, **fields: Any) -> Request:
    return Request(key, {"op": "ping", **fields})


ECHO = """
greet(next(requests), window=8)
for request in requests:
    reply(request, ok=request.get("say"))
"""


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
        Session(adapter(code)).start()


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


SLEEPY = """
greet(next(requests), window=8)
for request in requests:
    time.sleep(0.3)
    reply(request, ok=request.get("say"))
"""


@pytest.mark.slow
def test_the_deadline_runs_from_the_previous_reply_not_from_sending() -> None:
    """Eight requests of 0.3 s each are sent at once; the last reply comes after 2.4 s."""
    with Session(adapter(SLEEPY), limits=Limits(request=1.2)) as session:
        answers = list(session.ask(ping(number) for number in range(8)))
    assert all(answer.reply is not None for answer in answers)


@pytest.mark.slow
def test_time_the_caller_takes_is_not_the_adapters() -> None:
    with Session(adapter(SLEEPY), limits=Limits(request=1.0)) as session:
        for answer in session.ask(ping(number) for number in range(10)):
            assert answer.reply is not None
            if answer.key == 0:
                time.sleep(1.5)


@pytest.mark.slow
def test_a_request_may_not_wait_for_ever_while_others_are_answered() -> None:
    code = """
greet(next(requests), window=2)
for request in requests:
    if request.get("say") != "drop":
        time.sleep(0.05)
        reply(request, ok=1)
"""
    before = time.monotonic()
    with Session(adapter(code), limits=Limits(request=0.3)) as session:
        asked = itertools.chain([ping("drop", say="drop")], map(ping, range(60)))
        fault_after = None
        for answer in session.ask(asked):
            if answer.key == "drop":
                fault_after = time.monotonic() - before
                assert answer.fault is not None
    # 60 replies take 3 s; the missing one is given up after (window + 1) times 0.3 s, and again.
    assert fault_after is not None
    assert fault_after < 2.5


def test_times_are_scaled() -> None:
    with Session(adapter(SLEEPY), limits=Limits(request=0.1, timeout_scale=12)) as session:
        (answer,) = session.ask([ping(1, say="slow")])
    assert answer.reply == {"ok": "slow"}


# Rules -------------------------------------------------------------------------------------

TELLS_RULES = """
greet(next(requests), configurable=True)
request = next(requests)
rules = request["rules"]
reply(request, ok=True)
for request in requests:
    if request["op"] == "crash":
        os._exit(1)
    reply(request, ok=[request.get("rules"), rules])
"""


def test_rules_are_sent_once_per_process_and_named_in_every_request() -> None:
    rules = {"extends": "pagat"}
    with Session(adapter(TELLS_RULES), rules=rules) as session:
        asked = [ping(1), Request("crash", {"op": "crash"}), ping(2), ping(3, rules="r1")]
        answers = {answer.key: answer.reply for answer in session.ask(asked)}
    expected = {"ok": ["r1", rules]}
    assert answers == {1: expected, "crash": None, 2: expected, 3: expected}
    assert session.starts > 1


def test_rules_that_are_refused_are_reported_and_not_named() -> None:
    code = """
greet(next(requests), configurable=True)
reply(next(requests), unsupported="talon")
for request in requests:
    reply(request, ok=request.get("rules"))
"""
    with Session(adapter(code), rules={}) as session:
        session.start()
        assert session.rules_refused == "talon"
        (answer,) = session.ask([ping(1)])
    assert answer.reply == {"ok": None}


def test_rules_are_not_sent_to_an_engine_that_does_not_take_them() -> None:
    with Session(adapter(ECHO), rules={"extends": "pagat"}) as session:
        (answer,) = session.ask([ping(1, say="x")])
    assert answer.reply == {"ok": "x"}
    assert session.rules_refused is None


# Several calls, early ends -----------------------------------------------------------------


def test_all_three_outcomes_are_handed_out_as_they_are() -> None:
    code = """
greet(next(requests))
reply(next(requests), ok=[], extra="ignored")
reply(next(requests), unsupported="no auction")
reply(next(requests), error={"message": "index out of range"})
for request in requests: pass
"""
    with Session(adapter(code)) as session:
        answers = {answer.key: answer.reply for answer in session.ask(map(ping, range(3)))}
    assert answers == {
        0: {"ok": [], "extra": "ignored"},
        1: {"unsupported": "no auction"},
        2: {"error": {"message": "index out of range"}},
    }


def test_many_calls_use_one_process() -> None:
    with Session(adapter(ECHO)) as session:
        for number in range(50):
            (answer,) = session.ask([ping(number, say=number)])
            assert answer.reply == {"ok": number}
        assert list(session.ask([])) == []
    assert session.starts == 1


def test_a_caller_that_stops_early_gets_a_fresh_process_next_time() -> None:
    with Session(adapter(ECHO)) as session:
        for answer in session.ask(ping(number, say=number) for number in range(100)):
            assert answer.reply == {"ok": answer.key}
            break
        answers = list(session.ask(ping(number, say=number) for number in range(100)))
        assert [answer.reply for answer in answers] == [{"ok": answer.key} for answer in answers]
        assert len(answers) == 100
    assert session.faults == []


def test_one_question_at_a_time() -> None:
    with Session(adapter(ECHO)) as session:
        running = session.ask(ping(number) for number in range(100))
        next(running)
        with pytest.raises(RuntimeError, match="asked already"):
            next(session.ask([ping(0)]))
        running.close()  # type: ignore[attr-defined]


def test_a_second_reply_after_the_answer_was_handed_out_is_a_late_fault() -> None:
    code = """
greet(next(requests))
for request in requests:
    reply(request, ok=1)
    if request.get("say") == "twice":
        time.sleep(0.1)
        reply(request, ok=1)
"""
    with Session(adapter(code)) as session:
        (first,) = session.ask([ping("a", say="twice")])
        assert first.fault is None
        (second,) = session.ask([ping("b")])
        assert second.reply == {"ok": 1}
    assert {key: fault.kind for key, fault in session.late_faults.items()} == {
        "a": FaultKind.DUPLICATE_ID
    }
    assert not second.flaky


def test_a_second_reply_at_the_very_end_is_found_when_closing() -> None:
    code = """
greet(next(requests))
for request in requests:
    reply(request, ok=1)
    last = request
reply(last, ok=1)
"""
    with Session(adapter(code)) as session:
        list(session.ask([ping("a"), ping("b")]))
        assert session.late_faults == {}
    assert list(session.late_faults) == ["b"]


def test_a_crash_between_two_calls_is_charged_to_the_request_that_causes_it() -> None:
    code = """
greet(next(requests))
for request in requests:
    reply(request, ok=1)
    if request.get("say") == "poison":
        os._exit(4)
"""
    with Session(adapter(code)) as session:
        (first,) = session.ask([ping("a", say="poison")])
        time.sleep(0.2)
        (second,) = session.ask([ping("b")])
    assert first.reply == {"ok": 1}
    assert second.reply == {"ok": 1}
    assert not second.flaky
    assert {key: fault.kind for key, fault in session.late_faults.items()} == {"a": FaultKind.CRASH}


def test_state_kept_between_requests_makes_an_answer_flaky() -> None:
    code = """
greet(next(requests))
for number, request in enumerate(requests):
    if number == 3:
        os._exit(1)
    reply(request, ok=number)
"""
    with Session(adapter(code)) as session:
        answers = {answer.key: answer for answer in session.ask(map(ping, range(5)))}
    assert [key for key, answer in answers.items() if answer.flaky] == [3]
    assert "keep state" in answers[3].hint
    assert all(answer.reply is not None for answer in answers.values())


def test_odd_ends_are_warned_about() -> None:
    stays = ECHO + "time.sleep(60)"
    with Session(adapter(stays), limits=Limits(shut_down=0.2)) as session:
        list(session.ask([ping(1)]))
    assert any("did not exit when its input ended" in text for text in session.warnings)
    with Session(adapter(ECHO + "sys.exit(3)")) as session:
        list(session.ask([ping(1)]))
    assert any("ended with exit code 3" in text for text in session.warnings)


def test_ids_grow_over_restarts() -> None:
    code = """
greet(next(requests))
for request in requests:
    if request.get("say") == "crash":
        os._exit(1)
    reply(request, ok=request["id"])
"""
    with Session(adapter(code)) as session:
        asked = [ping(n, say="crash" if n in (3, 6) else "") for n in range(10)]
        replies = {answer.key: answer.reply for answer in session.ask(asked)}
    ids = [reply["ok"] for _, reply in sorted(replies.items()) if reply]
    assert ids == sorted(ids)
    assert len(ids) == len(set(ids)) == 8


def test_a_shared_breaker_stops_every_session() -> None:
    breaker = Breaker(in_a_row=2)
    code = "greet(next(requests))\nfor request in requests: os._exit(1)"
    with (
        Session(adapter(code), breaker=breaker) as one,
        Session(adapter(ECHO), breaker=breaker) as other,
    ):
        assert all(answer.fault for answer in one.ask(map(ping, range(5))))
        (answer,) = other.ask([ping(1)])
    assert answer.fault is not None
    assert answer.fault.kind is FaultKind.NOT_RUN
    assert other.stopped == "2 faults in a row"


def test_a_flood_of_replies_nobody_asked_for_is_bounded() -> None:
    code = """
greet(next(requests))
for request in requests:
    reply(request, ok=1)
    while True:
        os.write(1, b'{"id":999999,"ok":1}\\n' * 3000)
"""
    with Session(adapter(code), limits=Limits(shut_down=0.2)) as session:
        (answer,) = session.ask([ping(1)])
    assert answer.reply == {"ok": 1}
    assert len(session.faults) == 20
    assert {fault.kind for fault in session.faults} == {FaultKind.STALE_ID}
    assert session.stopped == "20 faults in all"
