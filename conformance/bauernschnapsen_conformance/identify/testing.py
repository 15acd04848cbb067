"""Testing a belief: for every other value of every field a question that would show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bauernschnapsen.ruleset import Rules

from .asking import Observer
from .belief import Belief
from .fields import Path, alternatives
from .lines import Line
from .pools import SMALL, find_tell
from .seen import Seen

_ENOUGH = 4


class Tester:
    """Keeps, for every value that is not believed, what rules it out."""

    def __init__(self, observer: Observer, time_left: Callable[[], bool]) -> None:
        """`time_left` says whether to go on."""
        self._observer = observer
        self._time_left = time_left
        self._witnesses: dict[tuple[Path, Any], Seen] = {}
        """What speaks against other values: questions that the engine answered otherwise."""
        self._hopeless: set[tuple[Path, Any]] = set()

    def forget(self) -> None:
        """Begin anew with values that could not be shown: another ruleset is believed."""
        self._hopeless.clear()

    def ask(self, belief: Belief, fields: list[Path], large: int) -> list[Seen]:
        """Ask for every value that is not ruled out; return what is new."""
        wanted: list[tuple[Path, Any, Line]] = []
        for path in fields:
            if path in belief.idle or not self._time_left():
                continue
            for value in alternatives(belief.ruleset, path):
                if (path, value) in self._hopeless:
                    continue
                line = self._question(belief, path, value, large)
                if line is not None:
                    wanted.append((path, value, line))
        new = {line for _, _, line in wanted if self._observer.known(line) is None}
        seen = self._observer.lines(line for _, _, line in wanted)
        by_line = {one.line: one for one in seen}
        for path, value, line in wanted:
            self._witnesses[path, value] = by_line[line]
        return [one for one in seen if one.line in new]

    def _question(self, belief: Belief, path: Path, value: Any, large: int) -> Line | None:
        rules = belief.rules_with(path, value)
        witness = self._witnesses.get((path, value))
        if witness is not None and self.rules_out(belief, witness, rules):
            return None
        if belief.same_with(path, value):
            self._hopeless.add((path, value))
            return None
        tried = 0
        for tell in belief.pools.tells(path, rules):
            known = self._observer.known(tell.line)
            if known is None:
                return tell.line
            if self.rules_out(belief, known, rules):
                self._witnesses[path, value] = known
                return None
            tried += 1
            if tried >= _ENOUGH:
                break
        if large > SMALL and not tried:
            late = find_tell(belief.pools, path, rules, large=large)
            if late is not None and self._observer.known(late.line) is None:
                return late.line
            self._hopeless.add((path, value))
        return None

    def rules_out(self, belief: Belief, seen: Seen, other: Rules) -> bool:
        """Whether the engine was seen to follow the belief where another ruleset differs."""
        if seen.fault or self._observer.miss(seen, belief.rules) is not None:
            return False
        return self._observer.miss(seen, other) is not None

    def witness(self, belief: Belief, path: Path, value: Any) -> Seen | None:
        """Return what speaks against a value, or None."""
        seen = self._witnesses.get((path, value))
        if seen is None or not self.rules_out(belief, seen, belief.rules_with(path, value)):
            return None
        return seen
