"""A transcript as an adapter: each request gets what the recorded one got.

    python -m bauernschnapsen_conformance.adapter.playback FILE

is an adapter that answers each request as the recorded one did, its faults included. (A line that
was too long, or of which only half had come, is played back as silence.)
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from .transcript import ASKED_AFTER, KINDS
from .wire import MAX_LINE, WireError, decode

_LONGEST_RECORD = 6 * MAX_LINE + 1024
_FOREVER = 3600.0
_USAGE = "usage: python -m bauernschnapsen_conformance.adapter.playback FILE"
_ABOUT = "Be an adapter that answers each request as the recorded one did."
_FORMAT_HINT = "Transcripts are written with --transcript FILE."
MISSING = "the transcript has no such request; repeat the run with its ruleset, options and --seed"


@dataclass(frozen=True, slots=True)
class Line:
    """A recorded line that is no plain reply.

    If it had an id, it keeps its distance to the right one, so that it is wrong in the same way
    when it is played back.
    """

    data: bytes
    message: dict[str, Any] | None = None
    distance: int = 0

    @classmethod
    def recorded(cls, line: bytes, right_id: int) -> Line:
        """A line as it came when `right_id` was to be answered, or had just been."""
        with contextlib.suppress(WireError):
            message = decode(line)
            if type(number := message.pop("id", None)) is int:
                return cls(line, message, number - right_id)
        return cls(line)

    def played(self, right_id: int) -> bytes:
        """The line for another request."""
        if self.message is None:
            return self.data
        return json.dumps({"id": right_id + self.distance, **self.message}).encode()


@dataclass(slots=True)
class Outcome:
    """What became of one request that was sent with id `number` to the `process`-th process.

    `reply` is the recorded reply without its id, `before` and `after` are other lines it caused,
    `end` how the process ended by itself over it, `stuck` whether it read nothing after the reply.
    `lone` is true unless something happened while others were under way as well, so that nobody
    knows whose doing it was.
    """

    number: int
    process: int
    reply: dict[str, Any] | None = None
    before: list[Line] = field(default_factory=list)
    after: list[Line] = field(default_factory=list)
    end: tuple[int | None, int | None] | None = None
    stuck: bool = False
    lone: bool = True

    @property
    def faulty(self) -> bool:
        """Whether the request did something wrong, and it alone."""
        wrong = self.reply is None or self.before or self.after or self.end is not None
        return self.lone and bool(wrong or self.stuck)


@dataclass(slots=True)
class _Process:
    """One recorded process: the requests under way, the last one answered, whether it may end.

    A request that only shows what the last one did (`probe`) is none of the recorded ones.
    """

    place: int = 0
    under_way: dict[int, Outcome] = field(default_factory=dict)
    last: Outcome | None = None
    probing: bool = False
    probe: int | None = None
    input_ended: bool = False

    def stray(self, line: bytes) -> None:
        """A line that is no reply: it belongs to the only request under way, or to the last."""
        if len(self.under_way) > 1:
            self.nobody_alone()
        elif self.under_way:
            (outcome,) = self.under_way.values()
            outcome.before.append(Line.recorded(line, outcome.number))
        elif self.last is not None:
            self.last.after.append(Line.recorded(line, self.last.number))

    def nobody_alone(self) -> None:
        for outcome in self.under_way.values():
            outcome.lone = False

    def ended(self, code: int | None, number: int | None) -> None:
        if len(self.under_way) > 1:
            self.nobody_alone()
            return
        outcome = next(iter(self.under_way.values()), self.last)
        by_itself = code is not None or number is not None
        if outcome is None:
            return
        if by_itself and not self.input_ended:
            outcome.end = (code, number)
        elif self.probe is not None and not outcome.after:
            outcome.stuck = True


def request_key(request: dict[str, Any]) -> str:
    """What two equal requests have in common: everything but the id.

    Of `hello` only the op counts, since a later suite has another digest.
    """
    if request.get("op") == "hello":
        return "hello"
    body = {name: value for name, value in request.items() if name != "id"}
    return json.dumps(body, sort_keys=True)


class Playback:
    """The outcomes of every recorded request, by what was asked."""

    def __init__(self) -> None:
        self._outcomes: dict[str, list[Outcome]] = {}
        self._served: dict[str, int] = {}

    @classmethod
    def load(cls, path: Path) -> Playback:
        """Read a transcript. Raises WireError naming the line that is wrong, or OSError."""
        playback = cls()
        process = _Process()
        with open(path, "rb") as file:
            for number, record in _records(file):
                kind = record.get("dir")
                if kind == "start":
                    process = _Process(process.place + 1)
                elif kind == "->":
                    playback._sent(process, _line_of(record, number))
                elif kind == "<-":
                    playback._received(process, _line_of(record, number))
                elif kind == "eof":
                    process.input_ended = True
                elif kind == "end":
                    process.ended(_integer(record, "exit_code"), _integer(record, "signal"))
                elif kind == "note":
                    process.probing = record.get("text") == ASKED_AFTER
                else:
                    raise WireError(f'line {number}: "dir" is not one of {", ".join(KINDS)}')
        if "hello" not in playback._outcomes:
            raise WireError("no handshake is recorded")
        return playback

    def _sent(self, process: _Process, line: bytes) -> None:
        request = decode(line)
        number = request.get("id")
        if process.probing and type(number) is int:
            process.probing, process.probe = False, number
        elif type(number) is int:
            outcome = process.under_way[number] = Outcome(number, process.place)
            self._outcomes.setdefault(request_key(request), []).append(outcome)

    def _received(self, process: _Process, line: bytes) -> None:
        if line[:1] != b"{":
            return
        try:
            message = decode(line)
        except WireError:
            process.stray(line)
            return
        number = message.pop("id", None)
        if type(number) is int and number in process.under_way:
            process.last = process.under_way.pop(number)
            process.last.reply = message
        elif number is not None and number == process.probe:
            process.probe = None
        else:
            process.stray(line)

    def answer(self, request: dict[str, Any]) -> Outcome | None:
        """What the recorded adapter did with such a request, in the order it did so."""
        key = request_key(request)
        outcomes = self._outcomes.get(key, [])
        # Whoever was suspect was asked again in a later process, alone. What came before may be
        # the doing of others.
        last = max((one.process for one in outcomes), default=0)
        outcomes = [one for one in outcomes if one.process == last]
        for outcome in outcomes:
            if outcome.faulty:
                return outcome
        answered = [one for one in outcomes if one.reply is not None]
        if not answered:
            return None
        turn = self._served.get(key, 0)
        self._served[key] = turn + 1
        return answered[min(turn, len(answered) - 1)]

    def serve(self, source: IO[bytes], target: IO[bytes]) -> int:
        """Answer every line of `source`; returns the exit code at its end."""
        while text := source.readline(MAX_LINE + 1):
            try:
                request = decode(text.rstrip(b"\n"))
            except WireError:
                continue
            number = request.get("id")
            if type(number) is not int or number < 1:
                continue
            outcome = self.answer(request)
            if outcome is None:
                missing = {"message": MISSING}
                _write(target, json.dumps({"id": number, "error": missing}).encode())
                continue
            for line in outcome.before:
                _write(target, line.played(number))
            if outcome.reply is not None:
                _write(target, json.dumps({"id": number, **outcome.reply}).encode())
            for line in outcome.after:
                _write(target, line.played(number))
            if outcome.end is not None:
                return _end_like(*outcome.end)
            if outcome.stuck or (outcome.reply is None and not outcome.before):
                time.sleep(_FOREVER)
        return 0


def _end_like(code: int | None, number: int | None) -> int:
    if type(number) is int:
        with contextlib.suppress(OSError, ValueError):
            os.kill(os.getpid(), signal.Signals(number))
            # Not every signal ends a process.
            time.sleep(0.1)
    return code if type(code) is int else 1


def _write(target: IO[bytes], line: bytes) -> None:
    target.write(line + b"\n")
    target.flush()


def _records(file: IO[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    while line := file.readline(_LONGEST_RECORD):
        number += 1
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise WireError(f"line {number} is not a JSON object of a transcript") from None
        if not isinstance(record, dict):
            raise WireError(f"line {number} is not a JSON object of a transcript")
        yield number, record


def _integer(record: dict[str, Any], name: str) -> int | None:
    value = record.get(name)
    return value if type(value) is int else None


def _line_of(record: dict[str, Any], number: int) -> bytes:
    text, coded = record.get("line"), record.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "backslashreplace")
    if isinstance(coded, str):
        with contextlib.suppress(binascii.Error, ValueError):
            return base64.b64decode(coded, validate=True)
    raise WireError(f'line {number} has neither "line" nor "base64"')


def main(argv: list[str] | None = None) -> int:
    """Answer requests on standard input from the transcript named as the only argument."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(f"{_USAGE}\n{_ABOUT}\n")
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write(f"{_USAGE}\n")
        return 2
    try:
        playback = Playback.load(Path(arguments[0]))
    except (WireError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        sys.stderr.write(f"{arguments[0]}: {reason} ({_FORMAT_HINT})\n")
        return 2
    return playback.serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    sys.exit(main())
