"""The session over several calls: rules told once, outcomes, late replies, early ends."""

from __future__ import annotations

import os

import pytest
from small_adapters import ECHO, adapter, ping

from bauernschnapsen_conformance.adapter import (
    Breaker,
    FaultKind,
    Limits,
    Request,
    Session,
)

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
    # Only the next request brings the second reply: by then the first was handed out.
    code = """
greet(next(requests))
again = None
for request in requests:
    if again:
        reply(again, ok=1)
    reply(request, ok=1)
    again = request if request.get("say") == "twice" else None
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


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="this system cannot wait for a process so")
def test_a_crash_between_two_calls_is_charged_to_the_request_that_causes_it() -> None:
    code = """
greet(next(requests))
for request in requests:
    reply(request, ok=os.getpid())
    if request.get("say") == "poison":
        os._exit(4)
"""
    with Session(adapter(code)) as session:
        (first,) = session.ask([ping("a", say="poison")])
        assert first.reply is not None
        os.waitid(os.P_PID, first.reply["ok"], os.WEXITED | os.WNOWAIT)
        (second,) = session.ask([ping("b")])
    assert second.reply is not None
    assert second.reply["ok"] != first.reply["ok"]
    assert not second.flaky
    assert {key: fault.kind for key, fault in session.late_faults.items()} == {"a": FaultKind.CRASH}


def test_state_kept_between_requests_makes_an_answer_flaky() -> None:
    code = """
greet(next(requests))
for number, request in enumerate(requests):
    if number == 5:
        os._exit(1)
    reply(request, ok=number)
"""
    with Session(adapter(code)) as session:
        answers = {answer.key: answer for answer in session.ask(map(ping, range(7)))}
    assert [key for key, answer in answers.items() if answer.flaky] == [5]
    assert "keep state" in answers[5].hint
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
