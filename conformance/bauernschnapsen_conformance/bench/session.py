"""How much the session costs: requests per second against a bare loop over the same lines.

The bare loop encodes, sends, receives and decodes at the same window, with no check and no clock.
The adapter is a Python program that answers legal_plays with the hand. Both figures come from one
run on one machine and are compared as a ratio; absolute figures mean little.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..adapter import AdapterCommand, Request, Session
from ..adapter.wire import encode

ECHO = """
import json, sys
for line in sys.stdin.buffer:
    request = json.loads(line)
    if request["op"] == "hello":
        ok = {"protocol": 1, "adapter": {"name": "echo", "version": "1"},
              "engine": {"name": "echo", "version": "1"},
              "capabilities": {"legal_plays": True}, "window": WINDOW}
    else:
        ok = [case["hand"] for case in request["cases"]]
    sys.stdout.write(json.dumps({"id": request["id"], "ok": ok}) + "\\n")
    sys.stdout.flush()
"""
RAW = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Round:
    """Requests per second of wall clock in one round, and CPU seconds of the asker for each."""

    raw: float
    """Lines that nobody makes or reads: the pipe itself."""
    bare: float
    session: float
    bare_cpu: float
    session_cpu: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured at one window. On a busy machine only what lies side by side compares."""

    window: int
    rounds: tuple[Round, ...]

    @property
    def session(self) -> float:
        """Requests per second through the session, at best."""
        return max(one.session for one in self.rounds)

    @property
    def bare(self) -> float:
        """Requests per second of the bare loop, at best."""
        return max(one.bare for one in self.rounds)

    @property
    def share(self) -> float:
        """The session's speed as a share of the bare loop's, in CPU time of the asker; median."""
        return median(one.bare_cpu / one.session_cpu for one in self.rounds)

    @property
    def share_of_raw(self) -> float:
        """The session's speed as a share of the pipe's; the median of all rounds."""
        return median(one.session / one.raw for one in self.rounds)

    @property
    def overhead(self) -> float:
        """Microseconds of CPU time per request beyond the bare loop; the median of all rounds."""
        return median(one.session_cpu - one.bare_cpu for one in self.rounds) * 1e6


def measure_session(window: int, count: int) -> Measured:
    """Run pipe, bare loop and session in turn, several times."""
    bodies = [_body(number) for number in range(count)]
    rounds = []
    for _ in range(ROUNDS):
        raw = _raw(bodies, window)
        bare, bare_cpu = _bare(bodies, window)
        session, session_cpu = _session(bodies, window)
        rates = (count / raw, count / bare, count / session)
        rounds.append(Round(*rates, bare_cpu / count, session_cpu / count))
    return Measured(window, tuple(rounds))


def _raw(bodies: list[dict[str, Any]], window: int) -> float:
    """Return the seconds in which the same bytes go to and fro."""
    argv = (sys.executable, "-S", "-E", "-c", RAW)
    lines = [encode({"id": 1, **body}) + b"\n" for body in bodies]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(lines[0])
        child.stdin.flush()
        child.stdout.readline()
        start = time.perf_counter()
        under_way = 0
        for line in lines:
            child.stdin.write(line)
            child.stdin.flush()
            under_way += 1
            if under_way == window:
                child.stdout.readline()
                under_way -= 1
        for _ in range(under_way):
            child.stdout.readline()
        seconds = time.perf_counter() - start
        child.stdin.close()
    return seconds


def _argv(window: int) -> tuple[str, ...]:
    return (sys.executable, "-S", "-E", "-c", ECHO.replace("WINDOW", str(window)))


def _body(number: int) -> dict[str, Any]:
    hand = [rank + "HDSC"[number % 4] for rank in "ATKQJ"]
    case = {"contract": "normal", "trump": "H", "declarer": "N", "seats": ["N", "E", "S", "W"]}
    return {"op": "legal_plays", "cases": [{**case, "trick": [], "seat": "N", "hand": hand}]}


def _bare(bodies: list[dict[str, Any]], window: int) -> tuple[float, float]:
    decode: Callable[[bytes], Mapping[str, Any]] = json.loads
    if "orjson" in sys.modules:
        decode = sys.modules["orjson"].loads
    with subprocess.Popen(_argv(window), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(encode({"id": 1, "op": "hello"}) + b"\n")
        child.stdin.flush()
        child.stdout.readline()
        start, spent = time.perf_counter(), time.process_time()
        under_way = 0
        for number, body in enumerate(bodies):
            child.stdin.write(encode({"id": number, **body}) + b"\n")
            child.stdin.flush()
            under_way += 1
            if under_way == window:
                decode(child.stdout.readline())
                under_way -= 1
        for _ in range(under_way):
            decode(child.stdout.readline())
        seconds, spent = time.perf_counter() - start, time.process_time() - spent
        child.stdin.close()
    return seconds, spent


def _session(bodies: list[dict[str, Any]], window: int) -> tuple[float, float]:
    requests = [Request(number, body) for number, body in enumerate(bodies)]
    with Session(AdapterCommand(_argv(window))) as session:
        session.start()
        start, spent = time.perf_counter(), time.process_time()
        answered = sum(answer.reply is not None for answer in session.ask(requests))
        seconds, spent = time.perf_counter() - start, time.process_time() - spent
    if answered != len(bodies):
        raise RuntimeError(f"{len(bodies) - answered} of {len(bodies)} requests have no reply")
    return seconds, spent
