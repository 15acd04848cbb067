"""What an adapter wrote on stderr: kept within bounds, and the lines that tell what went wrong.

The line that matters is not always the last one. Node and Java print where it happened, then the
error, then a dozen calls; Python prints the error last; a compiler prints it first.
"""

from __future__ import annotations

import re

from .faults import printable, printable_lines

_HEAD = 8 * 1024
_MOST_LINES = 24
_HEAD_LINES = 8
_GAP = "..."
# A call on the stack in Node, Java, C# or Go, and what Java leaves out of it.
_CALL = re.compile(rb"\s+at \S|\s+\.\.\. \d+ (?:more|common frames)|\t\S+:\d+ \+0x")
_ERROR = re.compile(
    r"^(?!\s+at )(?:.*\b(?:[A-Z]\w*(?:Error|Exception)|error|panic(?:ked)?|fatal|abort\w*|"
    r"assert\w*|terminate called|segmentation fault|cannot|not found|no such file)\b)",
    re.IGNORECASE,
)
# Says nothing by itself: an arrow under a place in the source, a compiler's count, Node's farewell.
_MARKER = re.compile(r"^[\s^~|{}]*$|^\d+ (?:error|warning)s?$|^Node\.js v\d")


class LastWords:
    """A stream of any length: its beginning and its end."""

    def __init__(self, most: int) -> None:
        """Keep `most` bytes of the end, and a few kilobytes of the beginning."""
        self._most = most
        self._head = b""
        self._tail = b""
        self._lost = False

    def add(self, chunk: bytes) -> None:
        """Take what came next."""
        room = min(_HEAD, self._most) - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        kept = self._tail + chunk
        self._lost = self._lost or len(kept) > self._most
        self._tail = kept[-self._most :]

    def text(self) -> str:
        """The first and the last lines as printable text, of each run of calls only the first."""
        if not self._lost:
            return _bounded(_without_calls(self._head + self._tail))
        head = _without_calls(self._head)[:_HEAD_LINES]
        tail = _without_calls(self._tail)[-(_MOST_LINES - _HEAD_LINES) :]
        return "\n".join([_printable(head), _GAP, _printable(tail)])


def _without_calls(data: bytes) -> list[bytes]:
    """The lines without those that only say through how many calls it came, but for the first."""
    lines: list[bytes] = []
    was_call = False
    for line in data.splitlines():
        is_call = _CALL.match(line) is not None
        if not (is_call and was_call):
            lines.append(line)
        was_call = is_call
    return lines


def _bounded(lines: list[bytes]) -> str:
    if len(lines) <= _MOST_LINES:
        return _printable(lines)
    head, tail = lines[:_HEAD_LINES], lines[-(_MOST_LINES - _HEAD_LINES) :]
    return "\n".join([_printable(head), _GAP, _printable(tail)])


def _printable(lines: list[bytes]) -> str:
    return printable_lines(b"\n".join(line.expandtabs(4) for line in lines), lines=_MOST_LINES)


def telling_lines(text: str, most: int) -> list[str]:
    """The lines of a stderr that say most, in their order; `...` where some are left out.

    The last line that names an error counts most, then the first one (a compiler's), then what is
    around the last one (where it happened, what exactly), and what stands at the end.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) <= most:
        return lines
    chosen: set[int] = set()
    for place in _by_weight(lines):
        chosen.add(place)
        if len(chosen) == most:
            break
    told: list[str] = []
    before = -1
    for place in sorted(chosen):
        if any(not _MARKER.match(line) for line in lines[before + 1 : place]):
            told.append(_GAP)
        told.append(lines[place])
        before = place
    if any(not _MARKER.match(line) for line in lines[before + 1 :]):
        told.append(_GAP)
    return told


def in_a_row(text: str, most: int = 4) -> str:
    """The telling lines in one line, as the end of a sentence; empty where nothing was said."""
    plain = "\n".join(line for line in text.splitlines() if not _MARKER.match(line))
    told = [printable(" ".join(line.split())) for line in telling_lines(plain, most)]
    return f"; on stderr: {' / '.join(told)}" if told else ""


def _by_weight(lines: list[str]) -> list[int]:
    errors = [
        place for place, line in enumerate(lines) if _ERROR.match(line) and not _MARKER.match(line)
    ]
    last = max((p for p, line in enumerate(lines) if not _MARKER.match(line)), default=0)
    if not errors:
        return [last, 0, *range(last - 1, 0, -1)]
    decisive, first = errors[-1], errors[0]
    around = [place for place in range(decisive - 1, -1, -1) if not _MARKER.match(lines[place])]
    after = [decisive + 1] if decisive < last else []
    near = [decisive, first, *around[:1], *after, *around[1:2]]
    return list(dict.fromkeys([*near, last, *errors, *around, *range(last, -1, -1)]))
