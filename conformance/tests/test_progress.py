"""Progress: seen on a terminal while a run lasts, gone after it, and never in a pipe."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, suppress
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from bauernschnapsen_conformance.campaign import telling
from bauernschnapsen_conformance.report.progress import Progress


class Terminal(io.StringIO):
    """What a terminal shows of what is written to it."""

    def isatty(self) -> bool:
        return True

    @property
    def screen(self) -> list[str]:
        rows, row, column = [""], 0, 0
        for sign in re.findall(r"\x1b\[A|[^\x1b]", self.getvalue()):
            if sign == "\r":
                column = 0
            elif sign == "\n":
                row, column = row + 1, 0
                rows += [""] * (row + 1 - len(rows))
            elif sign == "\x1b[A":
                row -= 1
            else:
                rows[row] = rows[row][:column].ljust(column) + sign + rows[row][column + 1 :]
                column += 1
        return [text.rstrip() for text in rows]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    # A second passes between any two looks at the clock, so that each step is drawn.
    monkeypatch.setattr("tqdm.std.time", count().__next__)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def run(progress: Progress) -> None:
    judgement: Any = None
    progress.planned(3_000)
    progress.judged(judgement)
    progress.judged(judgement)
    progress.swept("legal_plays", 1_200)
    progress.swept("auctions", 7)
    progress.swept("auctions", 8)


def state() -> Any:
    parts = [SimpleNamespace(cases=1_500, findings=[("play.follow", 1)])]
    return SimpleNamespace(parts=parts, total=SimpleNamespace(coverage=range(4_017)))


def test_a_run_shows_how_many_of_all_and_how_much_of_each_section(terminal: Terminal) -> None:
    with redirect_stderr(terminal), Progress() as progress:
        run(progress)
        first, second, third = terminal.screen
        assert re.fullmatch(r"asking .* 2/3,000", first)
        assert (second, third) == ("all legal_plays 1,200", "all auctions 15")
    assert not any(terminal.screen)


def test_nothing_is_left_of_a_run_that_is_interrupted(terminal: Terminal) -> None:
    with suppress(KeyboardInterrupt), redirect_stderr(terminal), Progress() as progress:
        run(progress)
        assert all(terminal.screen)
        raise KeyboardInterrupt
    assert not any(terminal.screen)


def test_a_campaign_says_where_it_is(terminal: Terminal) -> None:
    with redirect_stderr(terminal), telling.Progress() as progress:
        assert terminal.screen == ["starting"]
        progress.tell(state())
        assert re.fullmatch(r"1,500 cases, [\d,]+/s, 4,017 situations, 1 cause", terminal.screen[0])
    assert not any(terminal.screen)


def test_a_quiet_campaign_says_nothing(terminal: Terminal) -> None:
    with redirect_stderr(terminal), telling.Progress(quiet=True) as progress:
        progress.tell(state())
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_where_lines_cannot_be_written_over_there_is_nothing(
    monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    pipe = io.StringIO() if term == "xterm" else Terminal()
    monkeypatch.setenv("TERM", term)
    with redirect_stderr(pipe), Progress() as progress, telling.Progress() as told:
        run(progress)
        told.tell(state())
    assert pipe.getvalue() == ""
