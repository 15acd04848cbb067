"""Which changes of a ruleset may explain what an engine showed.

A single field, with the values that fit; or a few fields that only occur together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bauernschnapsen.ruleset import Resolved

from .alike import without_effect
from .fields import (
    AUCTION_FIELDS,
    AUCTION_OPTIONS,
    MATCH_OPTIONS,
    PLAY_FIELDS,
    PLAY_OPTIONS,
    Path,
    candidates,
    changed,
    played,
    value_at,
)
from .seen import Miss, Seen

Change = tuple[tuple[Path, Any], ...]
Group = Sequence[tuple[Seen, Miss]]
_FACTORS = (1, 2, 3, 4, 6, 8, 12, 16, 24)
_HIGHEST = 1000
_TOGETHER: tuple[Change, ...] = (
    *(
        (
            (("options", "claim_mode"), "called"),
            (("options", "false_claims"), blocked),
            (("options", "claim_by"), by),
            (("options", "claim_window"), window),
        )
        for blocked in ("blocked", "allowed")
        for by in ("leader", "side")
        for window in ("own_trick", "between_tricks")
    ),
    (
        (("options", "phases"), ("auction", "trump", "play")),
        (("options", "trump_choice"), "any_suit"),
    ),
    (
        (("options", "phases"), ("auction", "trump", "play")),
        (("options", "opening"), "may_pass"),
    ),
    (
        (("options", "phases"), ("auction", "trump", "play")),
        (("options", "trump_choice"), "any_suit"),
        (("options", "opening"), "may_pass"),
    ),
    (
        (("options", "phases"), ("auction", "trump", "play")),
        (("options", "trump_choice"), "any_suit"),
        (("options", "opening"), "may_pass"),
        (("contracts", "normal", "played"), False),
    ),
)
"""Moves of several fields that only occur together."""


_OFTEN_ALIKE = ("kontra", "head", "overtrump", "undertrump", "head_after_ruff", "head_target")


def apply_change(ruleset: Resolved, change: Change) -> Resolved:
    """Return the ruleset with all of a change."""
    for path, value in change:
        ruleset = changed(ruleset, path, value)
    return ruleset


class Changes:
    """The changes of one ruleset that are worth a try."""

    def __init__(self, ruleset: Resolved) -> None:
        self._ruleset = ruleset
        self._idle = without_effect(ruleset)

    def of(self, missed: Group, *, idle: bool = False) -> Iterator[Change]:
        """Yield what may explain some questions that are answered otherwise.

        With `idle` also fields that have no effect as long as another one is not changed, too.
        """
        for seen, miss in missed:
            for path in self._paths(seen, miss):
                if path in self._idle and not idle:
                    continue
                for value in self._values(path, seen, miss):
                    yield ((path, value),)
                    if path[-1] == "value":
                        yield from self._worth_the_same(path, value)
                    if path[-1] == "played" and value and _is_offered(path[1], miss):
                        yield from self._otherwise_than_usual(path)
            yield from self._alike(seen, miss)
        yield from self._only_the_lowest_doubled()
        for change in _TOGETHER:
            if all(path[0] == "options" or path[1] in self._played() for path, _ in change):
                yield change

    def _otherwise_than_usual(self, path: Path) -> Iterator[Change]:
        """A contract that is new may stand anywhere, be open to others, or take other cards."""
        new: Change = ((path, True),)
        others: list[Change] = [
            (((*path[:2], "bidders"), value),)
            for value in candidates(self._ruleset, (*path[:2], "bidders"))
        ]
        for below in ("none", *self._played()):
            place: Change = (((*path[:2], "above"), below),)
            yield new + place
            yield from (new + place + other for other in others)
        for field in ("hold", "held_at"):
            others += [
                (((*path[:2], field), value),)
                for value in candidates(self._ruleset, (*path[:2], field))
            ]
        yield from (new + other for other in others)

    def _worth_the_same(self, path: Path, value: Any) -> Iterator[Change]:
        """Contracts of one value may have to stay so, where that decides who may bid them."""
        now = value_at(self._ruleset, path)
        contracts = self._ruleset["contracts"]
        mates = [name for name in self._played() if contracts[name]["value"] == now]
        if len(mates) > 1:
            yield tuple((("contracts", name, "value"), value) for name in mates)

    def _only_the_lowest_doubled(self) -> Iterator[Change]:
        """Kontra in Normal only looks at first like no Kontra at all."""
        refused = tuple((("contracts", name, "kontra"), "refused") for name in self._played()[1:])
        for levels in (3, 2, 1):
            for cap in ("unlimited", "when_decisive"):
                yield (
                    (("options", "kontra_levels"), levels),
                    (("options", "kontra_cap"), cap),
                    *refused,
                )

    def _alike(self, seen: Seen, miss: Miss) -> Iterator[Change]:
        """The same change in all contracts, or in all but the lowest."""
        contract = contract_at(seen, miss)
        names = self._played()
        if contract not in names:
            return
        for field in _OFTEN_ALIKE:
            for value in candidates(self._ruleset, ("contracts", contract, field)):
                for some in (names, names[1:]):
                    if contract in some:
                        yield tuple((("contracts", name, field), value) for name in some)

    def _played(self) -> list[str]:
        return played(self._ruleset)

    def _paths(self, seen: Seen, miss: Miss) -> Iterator[Path]:
        contract = contract_at(seen, miss)
        names = self._played()
        if contract is None or _new_contract(seen, miss):
            yield from (("options", option) for option in AUCTION_OPTIONS)
            for name in self._ruleset["contracts"]:
                for field in AUCTION_FIELDS if name in names else ("played",):
                    yield ("contracts", name, field)
        if contract is not None:
            yield from (("options", option) for option in (*PLAY_OPTIONS, "laydown_end"))
            if contract in names:
                yield from (("contracts", contract, field) for field in PLAY_FIELDS)
                yield from (("contracts", contract, field) for field in ("hold", "held_at"))
            elif contract in self._ruleset["contracts"]:
                yield ("contracts", contract, "played")
            yield from (("options", option) for option in MATCH_OPTIONS)
        if miss.view == 0 and contract is not None:
            yield ("contracts", contract, "played")

    def _values(self, path: Path, seen: Seen, miss: Miss) -> list[Any]:
        if path[-1] == "value":
            now = value_at(self._ruleset, path)
            return [value for value in _worth(seen) if value != now]
        if path[-1] == "target":
            keys = {difference.path[0] for difference in miss.differences}
            decisive = self._ruleset["options"]["kontra_cap"] == "when_decisive"
            if "game" in keys or ("legal" in keys and decisive):
                low, high = _target_between(seen)
                return [one for one in candidates(self._ruleset, path) if low < one <= high]
            return []
        if path[-1] == "played" and path[1] in self._played() and len(self._played()) == 1:
            return []
        return candidates(self._ruleset, path)


def contract_at(seen: Seen, miss: Miss) -> str | None:
    """Return the contract that was being played where the engine left the ruleset."""
    start = seen.deals[miss.deal].get("contract")
    if start is not None:
        return str(start["name"])
    if seen.views is None or miss.deal >= len(seen.views):
        return None
    views = seen.views[miss.deal]
    shown = views[miss.view].get("contract") if miss.view < len(views) else None
    name = shown.get("name") if isinstance(shown, dict) else None
    return name if isinstance(name, str) else None


def _new_contract(seen: Seen, miss: Miss) -> bool:
    """Whether the auction has only just ended there."""
    if "contract" in seen.deals[miss.deal] or seen.views is None or not miss.view:
        return False
    return not seen.views[miss.deal][miss.view - 1].get("contract")


def _is_offered(name: str, miss: Miss) -> bool:
    """Whether the engine lets somebody bid a contract there, which the ruleset does not."""
    bid = f"bid {name}"
    return any(
        one.path[0] == "legal"
        and isinstance(one.got, list)
        and bid in one.got
        and bid not in (one.expected or ())
        for one in miss.differences
    )


def _worth(seen: Seen) -> list[int]:
    """Return the contract values that could have led to what was awarded."""
    found = set()
    for view in (view for deal in seen.views or () for view in deal):
        outcome = view.get("outcome")
        awards = outcome.get("awards") if isinstance(outcome, dict) else None
        for points in awards.values() if isinstance(awards, dict) else ():
            if type(points) is int and points > 0:
                found |= {points // by for by in _FACTORS if points % by == 0}
    return sorted(value for value in found if value <= _HIGHEST)


def _target_between(seen: Seen) -> tuple[int, int]:
    """Return scores that a target is above, and not above: without and with the end of a game."""
    low, high = 0, _HIGHEST
    for view in (view for deal in seen.views or () for view in deal):
        scores, game = view.get("scores"), view.get("game", False)
        if view.get("outcome") and isinstance(scores, dict):
            points = [one for one in scores.values() if type(one) is int]
            if game is None:
                low = max([low, *points])
            elif game:
                high = min(high, max(points, default=high))
    return low, high
