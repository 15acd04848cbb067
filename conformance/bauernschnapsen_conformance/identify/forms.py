"""Parts of views that are of no use: never once of the form that the protocol has for them.

An engine may write every number as a text, or every list as an object. No house rule explains
that, and asking more deals would not help; the rest of its views may tell a good deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.data.schemas import is_valid, validate

from ..adapter.faults import printable
from ..views import COMPARED
from .seen import Seen

_FEWEST, _LONGEST = 4, 160
_SCHEMA = "wire-view"
_PARTS: Mapping[str, frozenset[str]] = {
    "bid": frozenset(("seat", "contract")),
    "contract": frozenset(("name", "declarer", "trump", "factor")),
    "last_trick": frozenset(("cards", "winner", "points")),
    "outcome": frozenset(("awards", "factor", "reason")),
    "game": frozenset(("winners", "bummerl")),
}
"""What an object must have at least one of: unknown keys alone say nothing."""


@dataclass(frozen=True, slots=True)
class Misshapen:
    """A part of the views, what is wrong with its form, and a deal that shows it."""

    key: str
    why: str
    seen: Seen


class Forms:
    """Which parts of the views are left out, since their form is always wrong."""

    def __init__(self) -> None:
        self.misshapen: dict[str, Misshapen] = {}
        self.right: set[str] = set()
        """What was seen in its form once."""

    def look(self, questions: Iterable[Seen]) -> bool:
        """Look for parts that have a wrong form wherever they are shown; whether one is new.

        What says nothing (null, or empty) has no form, and a few views are not enough.
        """
        wrong: dict[str, list[tuple[Seen, Any]]] = {}
        for seen in questions:
            for view in (view for deal in seen.views or () for view in deal):
                for key in COMPARED:
                    value = view.get(key)
                    if key in self.right or value is None or value in ([], {}):
                        continue
                    if _is_in_form(key, value):
                        self.right.add(key)
                    elif len(wrong.setdefault(key, [])) < _FEWEST:
                        wrong[key].append((seen, value))
        new = {
            key: Misshapen(key, _why(key, found[0][1]), found[0][0])
            for key, found in wrong.items()
            if key not in self.right and len(found) >= _FEWEST
        }
        self.misshapen |= new
        return bool(new)

    def clean(self, seen: Seen) -> None:
        """Take from an answer what is left out."""
        for view in (view for deal in seen.views or () for view in deal):
            for key in self.misshapen:
                view.pop(key, None)


def _is_in_form(key: str, value: Any) -> bool:
    if key in _PARTS and isinstance(value, dict) and _PARTS[key].isdisjoint(value):
        return False
    return is_valid({key: value}, _SCHEMA)


def _why(key: str, value: Any) -> str:
    errors = validate({key: value}, _SCHEMA)
    if not errors:
        return f"it has none of {', '.join(sorted(_PARTS[key]))}"
    where = f"{errors[0].field}: " if errors[0].field and errors[0].field != key else ""
    return printable(f"{where}{errors[0].message}", _LONGEST)
