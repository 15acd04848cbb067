"""Progress of a run: a bar on a terminal, nothing in a pipe."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Never, Self

if TYPE_CHECKING:
    from tqdm import tqdm

    from ..run.verdicts import Judgement

_PARTS = "{desc} {bar:40} {n:,}/{total:,}"
_COUNT = "{desc} {n:,}"
_WORDS = "{desc}"


def on_terminal() -> bool:
    """Return whether a line on stderr can be written over."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _line(form: str, *, label: str, total: int | None = None, place: int = 0) -> tqdm[Never]:
    from tqdm import tqdm

    # One process and one thread draw here: no lock between processes is needed. Nor is a thread
    # that wakes a bar whose run has slowed down, as the clock is looked at for each step.
    tqdm.monitor_interval = 0
    tqdm.set_lock(threading.RLock())
    line: tqdm[Never] = tqdm(
        desc=label,
        total=total,
        position=place,
        file=sys.stderr,
        bar_format=form,
        leave=False,
        miniters=1,
        dynamic_ncols=True,
    )
    return line


def told() -> tqdm[Never]:
    """Return a line of words on the terminal, which is gone when it is closed."""
    return _line(_WORDS, label="starting")


class Progress:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._shown = False
        self._bar: tqdm[Never] | None = None
        self._sections: dict[str, tqdm[Never]] = {}

    def __enter__(self) -> Self:
        self._shown = on_terminal()
        return self

    def __exit__(self, *_: object) -> None:
        # From the lowest upwards, so that none moves into the place of another.
        for line in (*reversed(self._sections.values()), self._bar):
            if line is not None:
                line.close()

    def planned(self, number: int) -> None:
        """The number of scenarios is known, those that need not be asked among them."""
        if self._shown:
            self._bar = _line(_PARTS, label="asking", total=number)

    def judged(self, _: Judgement) -> None:
        """One scenario has been judged."""
        if self._bar is not None:
            self._bar.update()

    def swept(self, section: str, number: int) -> None:
        """So many more situations of a section have been judged, of a number that is not known."""
        if not self._shown:
            return
        if section not in self._sections:
            place = len(self._sections) + (self._bar is not None)
            self._sections[section] = _line(_COUNT, label=f"all {section}", place=place)
        self._sections[section].update(number)
