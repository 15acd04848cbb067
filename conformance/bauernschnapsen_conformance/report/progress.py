"""Progress of a run: a bar on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from ..plan import Plan
    from ..verdicts import Judgement


class Progress:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._bar: Any = None
        self._task: Any = None
        self._sections: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich import progress
            from rich.console import Console

            columns = (
                progress.TextColumn("{task.description}"),
                progress.BarColumn(),
                progress.MofNCompleteColumn(),
            )
            self._bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def planned(self, plan: Plan) -> None:
        """The number of scenarios is known."""
        if self._bar is not None:
            asked = sum(task.done is None for task in plan.tasks)
            self._task = self._bar.add_task("asking", total=asked)

    def judged(self, _: Judgement) -> None:
        """One scenario has been judged."""
        if self._bar is not None:
            self._bar.advance(self._task)

    def swept(self, section: str, number: int) -> None:
        """So many more situations of a section have been judged, of a number that is not known."""
        if self._bar is None:
            return
        if section not in self._sections:
            self._sections[section] = self._bar.add_task(f"all {section}", total=None)
        self._bar.advance(self._sections[section], number)
