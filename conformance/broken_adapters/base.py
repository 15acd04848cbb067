"""The part of a broken adapter that works: handshake, loop, replies, and the place for a fault."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import select
import sys
from collections.abc import Callable, Iterator
from typing import Any

Message = dict[str, Any]
Fault = Callable[[Message, Message], None]


def write(message: Message) -> None:
    """One reply line on stdout, flushed."""
    write_raw(json.dumps(message).encode() + b"\n")


def write_raw(data: bytes) -> None:
    """Bytes on stdout, all of them, without a buffer in between."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


class Lines:
    """The lines of stdin, read without hiding whether more of them are waiting."""

    def __init__(self) -> None:
        self._buffer = b""

    def __iter__(self) -> Iterator[bytes]:
        while (line := self.next()) is not None:
            yield line

    def next(self) -> bytes | None:
        """The next line, or None at the end of input."""
        while b"\n" not in self._buffer:
            chunk = os.read(0, 65536)
            if not chunk:
                return None
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def waiting(self, seconds: float = 0.0) -> bool:
        """True if another line has been sent already, or is within that time."""
        if b"\n" not in self._buffer and select.select([0], [], [], seconds)[0]:
            self._buffer += os.read(0, 65536)
        return b"\n" in self._buffer


def read(line: bytes) -> Message | None:
    """The request on a line, or None where it has no readable id."""
    try:
        request = json.loads(line)
    except ValueError:
        return None
    number = request.get("id") if isinstance(request, dict) else None
    return request if type(number) is int and number > 0 else None


STAND_IN: Message = {
    "engine": {"name": "stand-in", "version": "1.0", "language": "python"},
    "capabilities": {"legal_plays": True, "trick_winner": True},
}


def stand_in(request: Message) -> Message:
    """The stand-in for an engine: all cards are legal, and the leader wins."""
    if request["op"] == "legal_plays":
        return {"ok": [case["hand"] for case in request["cases"]]}
    if request["op"] == "trick_winner":
        return {"ok": [case["trick"][0][0] for case in request["cases"]]}
    return {"unsupported": f"no {request['op']}"}


def hello(window: int, version: str = "1.0", engine: Message | None = None) -> Message:
    """What the adapter says of itself, and of the engine behind it if that is a real one."""
    return {
        **(engine or STAND_IN),
        "protocol": 1,
        "adapter": {"name": "broken", "version": version},
        "window": window,
    }


def arguments() -> argparse.Namespace:
    """The options all broken adapters share."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--window", type=int, default=1)
    parser.add_argument("--trap", default='"hand":["JS"]')
    parser.add_argument("--engine", default="")
    parser.add_argument("--how", default="", help="which of several forms of the fault")
    return parser.parse_args()


def greeting(request: Message, options: argparse.Namespace, version: str = "1.0") -> Message:
    """The reply to hello."""
    engine = answering(options)(request)["ok"] if options.engine else None
    return {"id": request["id"], "ok": hello(options.window, version, engine)}


def answering(options: argparse.Namespace) -> Callable[[Message], Message]:
    """What answers: the engine named by `--engine module:function`, or the stand-in."""
    if not options.engine:
        return stand_in
    module, _, name = options.engine.partition(":")
    answer: Callable[[Message], Message] = getattr(importlib.import_module(module), name)
    return answer


def serve(
    on_trap: Fault | None = None,
    *,
    greet: Callable[[Message], None] = write,
    version: str = "1.0",
    lines: Lines | None = None,
) -> None:
    """Answer every request, but hand a request with the trap in it to `on_trap`.

    `on_trap` gets the request and the right reply, and does with them what it likes.
    """
    options = arguments()
    answer = answering(options)
    trap = options.trap.encode()
    for line in lines or Lines():
        request = read(line)
        if request is None:
            continue
        if request["op"] == "hello":
            if not request["protocol"]["min"] <= 1 <= request["protocol"]["max"]:
                write({"id": request["id"], "error": {"message": "version 1 is spoken here"}})
                continue
            greet(greeting(request, options, version))
            continue
        reply = {"id": request["id"], **answer(request)}
        if on_trap is not None and trap in line:
            on_trap(request, reply)
        else:
            write(reply)


def complain(text: str) -> None:
    """A line on stderr."""
    print(text, file=sys.stderr, flush=True)
