"""Rows of the benches, the yardstick they are divided by, and the table they become."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

T = TypeVar("T")
_YARD = 400_000
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was measured, how much, in relation to what, and what it should be."""

    name: str
    figure: str
    ratio: str
    target: str = ""
    met: bool | None = None
    """None where there is no target."""

    @property
    def verdict(self) -> str:
        """Whether the target is reached."""
        return "" if self.met is None else ("reached" if self.met else "missed")

    def cells(self) -> tuple[str, str, str, str]:
        """The row in words."""
        target = f"{self.target}: {self.verdict}" if self.target else ""
        return self.name, self.figure, self.ratio, target


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that belong together."""

    title: str
    rows: tuple[Row, ...]


def yardstick() -> float:
    """Return iterations per CPU second of a small integer loop."""
    begun = time.process_time()
    x = 1
    for i in range(_YARD):
        x = (x * 31 + i) & 0xFFFF
    return _YARD / (time.process_time() - begun)


@dataclass(frozen=True, slots=True)
class Timed:
    """CPU seconds of one piece of work, and yards that would have fitted into them."""

    seconds: float
    yards: float

    def each(self, number: float) -> tuple[float, float]:
        """Return how many per second that is, and yards for one, for so many pieces."""
        return number / self.seconds, self.yards / number


def timed(work: Callable[[], object], *, rounds: int = ROUNDS) -> Timed:
    """Do some work several times; the median in yards, and the seconds of that round.

    The yardstick is measured before and after each round: the clock of a machine drifts.
    """
    found = []
    before = yardstick()
    for _ in range(rounds):
        begun = time.process_time()
        work()
        seconds = time.process_time() - begun
        after = yardstick()
        found.append((seconds * (before + after) / 2, seconds))
        before = after
    yards = median(yards for yards, _ in found)
    yards, seconds = min(found, key=lambda one: abs(one[0] - yards))
    return Timed(seconds, yards)


def as_text(sections: Sequence[Section]) -> str:
    """Return the rows for a terminal."""
    lines = []
    cells = [row.cells() for section in sections for row in section.rows]
    widths = [max(len(row[column]) for row in cells) for column in range(3)]
    for section in sections:
        lines += ["", section.title]
        for row in section.rows:
            name, figure, ratio, target = row.cells()
            text = f"  {name:<{widths[0]}}  {figure:>{widths[1]}}  {ratio:<{widths[2]}}  {target}"
            lines.append(text.rstrip())
    return "\n".join(lines[1:])


def as_table(sections: Sequence[Section]) -> str:
    """Return the rows as tables of the manual."""
    lines = []
    for section in sections:
        lines += ["", f"| {section.title} | | | Target |", "| --- | ---: | --- | --- |"]
        lines += [f"| {' | '.join(row.cells())} |" for row in section.rows]
    return "\n".join(lines[1:])
