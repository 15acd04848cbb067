"""Not to ask an engine again and again for what it breaks down over.

A run stops after a few faults, so a single step that an engine cannot take - Kontra, say - must not
be tried in every deal. What a question needs of an engine are its contracts and kinds of actions;
one that is new to it is tried in one question before others follow, and one over which it has
broken down twice, and which it has never managed, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Json = dict[str, Any]
_TWICE = 1.99


def needs(deals: Sequence[Json]) -> frozenset[str]:
    """Return the contracts and the kinds of actions in some deals."""
    found = set()
    for deal in deals:
        if "contract" in deal:
            found.add(f"a start with {deal['contract']['name']}")
        for _, action in deal["actions"]:
            verb, _, value = action.partition(" ")
            found.add(action if verb == "bid" and value else verb)
    return frozenset(found)


class Caution:
    """Remembers what an engine can do, and over what it breaks down."""

    def __init__(self) -> None:
        self._managed: set[str] = set()
        self._blame: dict[str, float] = {}

    def note(self, wanted: Iterable[str], *, managed: bool) -> None:
        """Take note of how a question went."""
        if managed:
            self._managed.update(wanted)
            return
        new = [one for one in wanted if one not in self._managed]
        for one in new:  # any of them may be to blame
            self._blame[one] = self._blame.get(one, 0.0) + 1 / len(new)

    def avoided(self, wanted: Iterable[str]) -> str | None:
        """Return why something is better not asked, or None."""
        for one in sorted(wanted):
            if self._is_hopeless(one):
                return one
        return None

    def _is_hopeless(self, one: str) -> bool:
        return one not in self._managed and self._blame.get(one, 0.0) >= _TWICE

    @property
    def left_alone(self) -> list[str]:
        """What is not asked for any more."""
        return sorted(one for one in self._blame if self._is_hopeless(one))

    def first_ones(self, questions: Sequence[frozenset[str]]) -> list[int]:
        """Return the numbers of the questions that can be asked now, one for each new thing."""
        tried: set[str] = set()
        chosen = []
        for number, wanted in enumerate(questions):
            new = wanted - self._managed
            if new & tried:
                continue
            tried |= new
            chosen.append(number)
        return chosen
