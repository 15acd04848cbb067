"""What the runner can observe of an adapter that misbehaves, and how it says so to people.

Three things are kept apart. A *fault* is an observation about the adapter's process or its lines
(it crashed, it answered twice); it belongs to one request, or to the session when no request can
be named. An *exception* is raised only where nothing can go on: the adapter does not start, or no
protocol version is common to both. What the engine answers inside a reply is neither.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum

DEFAULT_HINTS = {
    "startup": "Run the command by hand: it must wait for lines on its standard input.",
    "crash": "See the lines on stderr; send the request line to the adapter by hand to repeat it.",
    "timeout": "Does every reply end with a line end, and is it flushed? Slow machines can use "
    "--timeout-scale.",
    "malformed": "Write one JSON object per line on stdout and everything else on stderr.",
    "stale-id": "Copy the id of the request into its reply, and reply once.",
    "duplicate-id": "Send exactly one reply per request.",
    "oversize": "Keep every line within limits.max_line bytes; is a line end missing?",
    "missing-reply": "Keep reading and answering until standard input ends; only then exit.",
    "protocol": 'A reply holds its id and exactly one of "ok", "unsupported" and "error".',
    "identity": "Names, versions and capabilities must not change from one start to the next; "
    "is there a time stamp or a process number in a version?",
    "not-run": "",
}


class FaultKind(StrEnum):
    """The observations of the runner; the values appear in reports."""

    STARTUP = "startup"
    PROTOCOL = "protocol"
    CRASH = "crash"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    STALE_ID = "stale-id"
    DUPLICATE_ID = "duplicate-id"
    OVERSIZE = "oversize"
    MISSING_REPLY = "missing-reply"
    IDENTITY = "identity"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class Fault:
    """One observation. Texts are printable and bounded; `key` is None for the whole session.

    `exit_code` and `signal` are set when the adapter ended by itself, `seconds` is the time from
    the last sign of progress to the observation, `excerpt` the offending bytes as text.
    """

    kind: FaultKind
    detail: str
    hint: str = ""
    key: Hashable = None
    exit_code: int | None = None
    signal: int | None = None
    stderr_tail: str = ""
    excerpt: str = ""
    request_line: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.detail}"


class AdapterError(Exception):
    """Nothing can be asked of this adapter. One line for people, a hint, exit code 3."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "", stderr_tail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.stderr_tail = stderr_tail

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class AdapterDidNotStart(AdapterError):
    """The command cannot be run, ended, kept silent or answered `hello` with nonsense."""


class NoCommonProtocol(AdapterError):
    """The adapter answered, but speaks no protocol version of this runner."""


class Stopped(Exception):
    """The run is over before its end; the breaker knows why."""


class Breaker:
    """Stops a run that has become pointless: 5 faults in a row, or 20 in all.

    One breaker may be shared by several sessions; `reason` is None while the run may go on.
    `interrupted` is true once nobody wants to wait for an adapter any more.
    """

    __slots__ = ("in_a_row", "in_all", "interrupted", "reason", "row", "total")

    def __init__(self, *, in_a_row: int = 5, in_all: int = 20) -> None:
        self.in_a_row = in_a_row
        self.in_all = in_all
        self.row = 0
        self.total = 0
        self.interrupted = False
        self.reason: str | None = None

    def fault(self, *, counts_in_row: bool = True) -> None:
        """Count a fault; one that names no request does not count towards a row."""
        self.total += 1
        self.row += counts_in_row
        if self.row >= self.in_a_row:
            self.open(f"{self.row} faults in a row")
        elif self.total >= self.in_all:
            self.open(f"{self.total} faults in all")

    def open(self, reason: str) -> None:
        """Stop the run for a reason; the first one is kept."""
        self.reason = self.reason or reason

    def interrupt(self) -> None:
        """Stop the run, and every wait for an adapter in whatever thread, within a moment."""
        self.open("interrupted")
        self.interrupted = True


def printable(data: bytes | str, limit: int = 200) -> str:
    """Text that cannot move a cursor or break a report: control characters become escapes."""
    text = data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else data
    cut = text[:limit]
    shown = "".join(c if c.isprintable() else _escaped(c) for c in cut)
    return shown + (" ..." if len(text) > limit else "")


def printable_lines(data: bytes, *, lines: int = 20) -> str:
    """The last lines of a stream as printable text, line ends kept; of each 500 characters."""
    last = data.splitlines()[-lines:]
    return "\n".join(printable(line, 500) for line in last)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")
