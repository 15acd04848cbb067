"""Each broken adapter costs exactly the requests its fault touches."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from fault_drill import BOTH_WINDOWS, CALM, COUNT, TRAPS, Run, ask_for, command, right
from fault_drill import run as run  # noqa: PLC0414 - a fixture
from fault_drill import token as token  # noqa: PLC0414 - a fixture

from bauernschnapsen_conformance.adapter import (
    FaultKind,
    Session,
)

pytestmark = pytest.mark.slow
HASTY = replace(CALM, request=1.5)


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
    # Nothing is asked after the last request that would bring its second reply or its end to light.
    limits = replace(CALM, moment=1.0) if COUNT - 1 in traps else CALM
    drill = run(name, window=8, traps=traps, limits=limits)
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
    ("hang_after_reply.py", ""),
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


def test_who_crashes_after_others_were_answered_is_found(run: Run) -> None:
    """The first eight requests are read together, so the crash comes after the eighth reply."""
    drill = run("crash_after_others.py", window=8, traps=(3,))
    assert drill.faults == {3: FaultKind.CRASH}
    assert list(drill.session.late_faults) == [3]
    assert drill.wrong((3,)) == []
    assert drill.flaky == []
    assert [fault.key for fault in drill.session.faults] == [3]


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
        "stdout had 6 lines that are no messages, such as: *** Engine 3.1 ***",
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
