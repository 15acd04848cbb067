"""Holding what an engine showed against what a ruleset says.

An engine may show little: what is absent from its views is never a difference. A fault that shows
in every deal hides what comes after it; `mute` then leaves that part of all views aside.
"""

from __future__ import annotations

from typing import Any

from bauernschnapsen import table
from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules

from ..views import Difference, View, compare
from .lines import Line, sketch, step
from .seen import Miss, Seen

Json = dict[str, Any]
_AT_START = 0
_MAY_BE_MUTED = (
    "legal kontra", "legal rekontra", "legal subkontra", "legal enough", "contract.trump",
    "contract.factor", "trump", "bid", "phase", "trick", "last_trick", "points", "tricks", "sees",
    "refused",
)  # fmt: skip
"""Parts of views without which the rest can still be told."""


class Scales:
    """Compares answers with rulesets, as far as an engine can be held to them."""

    def __init__(self, *, claims: str, enforces: bool) -> None:
        """`claims`, `enforces`: the capabilities of the engine."""
        self._claims = claims
        self._enforces = enforces
        self.muted: set[str] = set()
        """Parts of views that are left aside."""

    def miss(self, seen: Seen, rules: Rules) -> Miss | None:
        """Return where the engine leaves a ruleset first, or None if it follows it throughout."""
        if seen.line is None:
            return self._miss_in_deals(seen, rules)
        return self._miss_in_line(seen, seen.line, rules)

    def _miss_in_line(self, seen: Seen, line: Line, rules: Rules) -> Miss | None:
        position = line.start.position(rules)
        if seen.title and (position is None or seen.views is None):
            return None  # a scenario of other rules
        if (position is None) != (seen.views is None):
            return Miss(0, _AT_START, 0.0)
        if position is None or not seen.views:
            return None
        got = seen.views[0]
        refused = False
        for number in range(min(len(got), len(line.moves) + 1)):
            if number:
                position, fine = step(position, line.moves[number - 1])
                refused = not fine
            mark = (refused, sketch(position))
            if seen.right.get(number) == mark:
                continue
            expected = table.view(position)
            if refused:
                expected["refused"] = True
            found = self._compare(expected, got[number], 0, number)
            if found is None:
                return None
            if found:
                share = (number + _closeness(found)) / (len(line.moves) + 1)
                return Miss(0, number, share, found)
            seen.right.setdefault(number, mark)
        return None

    def _miss_in_deals(self, seen: Seen, rules: Rules) -> Miss | None:
        try:
            expected = replay(rules, seen.deals)
        except SpecError:
            return None
        for deal, (right, got) in enumerate(zip(expected, seen.views or (), strict=False)):
            for number, (view, shown) in enumerate(zip(right, got, strict=False)):
                found = self._compare(view, shown, deal, number)
                if found is None:
                    return None
                if found:
                    share = (deal + (number + _closeness(found)) / len(right)) / len(expected)
                    return Miss(deal, number, share, found)
        return None

    def _compare(
        self, expected: View, got: View, deal: int, number: int
    ) -> list[Difference] | None:
        """Return the differences of a view; None where nothing more can be told."""
        if "error" in got:
            return None
        if self._claims != "called":
            expected = {**expected, "legal": _without_claims(expected["legal"])}
        if not self._enforces and expected.get("refused"):
            return None  # it takes what it does not offer; what follows is another deal
        try:
            found = compare(expected, got, deal, number)
        except (AttributeError, TypeError, KeyError):
            return [Difference(deal, number, ("view",), "a view", "something else", stated=False)]
        if self.muted:
            return [one for one in found if not places_of(one) <= self.muted]
        return found


def places_of(difference: Difference) -> frozenset[str]:
    """Return which parts of a view differ: `legal kontra`, `contract.trump`, `points`."""
    path = difference.path
    if path[0] == "legal" and isinstance(difference.got, list):
        actions = set(map(str, difference.expected or ())) ^ set(map(str, difference.got))
        return frozenset(f"legal {action.split(' ')[0]}" for action in actions)
    if path[0] == "contract":
        return frozenset((".".join(path),))
    return frozenset((path[0],))


def mutable_place(miss: Miss) -> str | None:
    """Return the one part of a view that differs, if the rest can be told without it."""
    places = frozenset[str]().union(*map(places_of, miss.differences))
    place = next(iter(places)) if len(places) == 1 else None
    return place if place in _MAY_BE_MUTED else None


def _closeness(differences: list[Difference]) -> float:
    """Return how little of a view differs, below 1."""
    count = 0
    for difference in differences:
        one, other = difference.expected, difference.got
        lists = isinstance(one, list) and isinstance(other, list)
        if difference.path[0] == "legal" and lists:
            count += len(set(map(str, one)) ^ set(map(str, other)))
        else:
            count += 1
    return 1 / (1 + count)


def _without_claims(legal: Json) -> Json:
    return {
        seat: kept
        for seat, actions in legal.items()
        if (kept := [action for action in actions if action != "enough"])
    }
