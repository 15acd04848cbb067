"""How much the session costs: requests per second against a bare loop over the same lines.

    python -m bauernschnapsen_conformance.adapter.bench [--count N] [--window N ...]

The bare loop encodes, sends, receives and decodes at the same window, with no check and no clock.
The adapter is a Python program that answers legal_plays with the hand. Both figures come from one
run on one machine and are compared as a ratio; absolute figures mean little.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .command import AdapterCommand
from .messages import Request
from .session import Session
from .wire import encode

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
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """Requests per second of both, at one window."""

    window: int
    bare: float
    session: float

    @property
    def share(self) -> float:
        """The session's speed as a share of the bare loop's."""
        return self.session / self.bare

    @property
    def overhead(self) -> float:
        """Microseconds per request beyond the bare loop."""
        return (1 / self.session - 1 / self.bare) * 1e6


def measure(window: int, count: int, cases: int = 1) -> Measured:
    """Run both several times in turn and take the best of each."""
    bodies = [_body(number, cases) for number in range(count)]
    bare = min(_bare(bodies, window) for _ in range(ROUNDS))
    session = min(_session(bodies, window) for _ in range(ROUNDS))
    return Measured(window, count / bare, count / session)


def _argv(window: int) -> tuple[str, ...]:
    return (sys.executable, "-S", "-E", "-c", ECHO.replace("WINDOW", str(window)))


def _body(number: int, cases: int) -> dict[str, Any]:
    hand = [rank + "HDSC"[number % 4] for rank in "ATKQJ"]
    case = {"contract": "normal", "trump": "H", "declarer": "N", "seats": ["N", "E", "S", "W"]}
    return {
        "op": "legal_plays",
        "cases": [{**case, "trick": [], "seat": "N", "hand": hand}] * cases,
    }


def _bare(bodies: list[dict[str, Any]], window: int) -> float:
    decode: Callable[[bytes], Mapping[str, Any]] = json.loads
    if "orjson" in sys.modules:
        decode = sys.modules["orjson"].loads
    with subprocess.Popen(_argv(window), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(encode({"id": 1, "op": "hello"}) + b"\n")
        child.stdin.flush()
        child.stdout.readline()
        start = time.perf_counter()
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
        seconds = time.perf_counter() - start
        child.stdin.close()
    return seconds


def _session(bodies: list[dict[str, Any]], window: int) -> float:
    requests = [Request(number, body) for number, body in enumerate(bodies)]
    with Session(AdapterCommand(_argv(window))) as session:
        session.start()
        start = time.perf_counter()
        answered = sum(answer.reply is not None for answer in session.ask(requests))
        seconds = time.perf_counter() - start
    if answered != len(bodies):
        raise RuntimeError(f"{len(bodies) - answered} of {len(bodies)} requests have no reply")
    return seconds


def main() -> None:
    """Print one line per window."""
    parser = argparse.ArgumentParser(description="What the adapter session costs.")
    parser.add_argument("--count", type=int, default=5000, help="requests per run")
    parser.add_argument("--cases", type=int, default=1, help="cases per request")
    parser.add_argument("--window", type=int, nargs="+", default=[1, 8, 16])
    options = parser.parse_args()
    for window in options.window:
        result = measure(window, options.count, options.cases)
        sys.stdout.write(
            f"window {window:2}: bare {result.bare:7.0f}/s, session {result.session:7.0f}/s, "
            f"share {result.share:4.0%}, overhead {result.overhead:5.1f} us\n"
        )


if __name__ == "__main__":
    main()
