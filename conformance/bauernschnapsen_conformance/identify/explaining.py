"""Looking for the house rule that explains what an engine showed.

A single field is changed at a time, or a few that only occur together. A change counts by how many
of the unexplained questions it explains and how many of the explained ones it spoils.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules

from .alike import without_effect
from .asking import Observer
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
Kind = tuple[str | None, str | None]
Group = Sequence[tuple[Seen, Miss]]
_FACTORS = (1, 2, 3, 4, 6, 8, 12, 16, 24)
_MOST_JUDGED, _MOST_OTHERS, _MOST_KEPT, _MOST_PAIRS = 8, 4, 150, 24
_MOST_TRIED = 1600
"""Pairs of changes that are tried where no single one helps."""
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


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with what speaks for it: questions explained less spoilt, and progress."""

    change: Change
    ruleset: Resolved
    rules: Rules
    net: int
    progress: float


def apply_change(ruleset: Resolved, change: Change) -> Resolved:
    """Return the ruleset with all of a change."""
    for path, value in change:
        ruleset = changed(ruleset, path, value)
    return ruleset


class Explainer:
    """Judges changes of one ruleset by what an engine has shown so far."""

    def __init__(self, observer: Observer, ruleset: Resolved) -> None:
        self._observer = observer
        self._houses = observer.houses
        self._ruleset = ruleset
        self._rules = self._houses.rules(ruleset)
        self._idle = without_effect(ruleset)

    def best(
        self, missed: Group, others: Group, kept: Sequence[Seen], tabu: set[Change]
    ) -> list[Judged]:
        """Return the changes that explain most of what is missed, the best first.

        `others` is missed too, but of other kinds: a change that explains that as well is better.
        """
        judged = [*missed[:_MOST_JUDGED], *others[:_MOST_OTHERS]]
        found: list[Judged] = []
        looked = dict.fromkeys(tabu)
        for seeds in (missed[:1], missed[1:_MOST_JUDGED]):
            changes = [
                change for change in dict.fromkeys(self._changes(seeds)) if change not in looked
            ]
            looked |= dict.fromkeys(changes)
            hopeful = [change for change in changes if self._judge(change, seeds) is not None]
            found += [one for change in hopeful if (one := self._judge(change, judged)) is not None]
            found.sort(key=_best_first)
            if found and found[0].net > 0:
                break
        if not found or found[0].net <= 0:
            found += self._pairs(found, [one for one in looked if one not in tabu], judged, tabu)
            found.sort(key=_best_first)
        found = [self._spoils(one, kept) for one in found[:12]]
        found = [one for one in found if one.net > 0 or (one.net == 0 and one.progress > 0)]
        return _with_middle_first(sorted(found, key=lambda one: (-one.net, -one.progress)))

    def _pairs(
        self,
        found: list[Judged],
        changes: list[Change],
        missed: Group,
        tabu: set[Change],
    ) -> list[Judged]:
        """Two changes at once, one of which at least leads further."""
        pairs = []
        for first in found[:4]:
            for second in changes:
                both = first.change + second
                if both in tabu or not _go_together(first.change, second):
                    continue
                one = self._judge(both, missed[:3])
                if one is not None and one.net > first.net and one.progress > first.progress:
                    pairs.append(one)
        return pairs

    def deeper(self, missed: Group, kept: Sequence[Seen], tabu: set[Change]) -> list[Judged]:
        """Return pairs of changes that together explain what no single one does.

        One of the two at least must change what is shown of a question, if not for the better.
        """
        judged, seed = missed[:_MOST_JUDGED], missed[0]
        singles = list(dict.fromkeys(self._changes([seed])))
        moving = [change for change in singles if self._moves(change, *seed)]
        still = [change for change in singles if change not in moving]
        pairs = (
            first + second
            for first, second in chain(combinations(moving, 2), product(moving, still))
            if _go_together(first, second)
        )
        found: list[Judged] = []
        for both in islice(pairs, _MOST_TRIED):
            if both not in tabu and self._judge(both, [seed], fully=True) is not None:
                one = self._judge(both, judged)
                if one is not None:
                    found.append(one)
        found.sort(key=_best_first)
        found = [self._spoils(one, kept) for one in found[:_MOST_PAIRS]]
        return sorted((one for one in found if one.net > 0), key=_best_first)

    def _moves(self, change: Change, seen: Seen, before: Miss) -> bool:
        try:
            rules = self._houses.rules(apply_change(self._ruleset, change))
        except (KeyError, ValueError):
            return False
        after = self._observer.miss(seen, rules)
        return after is None or (after.share, after.differences) != (
            before.share, before.differences,
        )  # fmt: skip

    def _judge(self, change: Change, missed: Group, *, fully: bool = False) -> Judged | None:
        try:
            ruleset = apply_change(self._ruleset, change)
            rules = self._houses.rules(ruleset)
        except (KeyError, ValueError):
            return None
        if not rules.contracts:
            return None
        net, progress = 0, 0.0
        for seen, before in missed:
            after = self._observer.miss(seen, rules)
            if after is None:
                net += 1
                progress += 1.0
            else:
                progress += after.share - before.share
        if net == 0 and (fully or progress <= 0):
            return None
        return Judged(change, ruleset, rules, net, progress)

    def _spoils(self, one: Judged, kept: Sequence[Seen]) -> Judged:
        names = {path[1] for path, _ in one.change if path[0] == "contracts"}
        net = one.net
        for seen in list(_concerned(kept, names))[-_MOST_KEPT:]:
            net -= self._observer.miss(seen, one.rules) is not None
            if net < 0:
                break  # it is bad enough
        return Judged(one.change, one.ruleset, one.rules, net, one.progress)

    # ------------------------------------------------------------------ which changes

    def _changes(self, missed: Group) -> Iterator[Change]:
        for seen, miss in missed:
            for path in self._paths(seen, miss):
                if path in self._idle:
                    continue
                for value in self._values(path, seen, miss):
                    yield ((path, value),)
                    if path[-1] == "value":
                        yield from self._worth_the_same(path, value)
            yield from self._alike(seen, miss)
        yield from self._only_the_lowest_doubled()
        for change in _TOGETHER:
            if all(path[0] == "options" or path[1] in self._played() for path, _ in change):
                yield change

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
        contract = _contract_at(seen, miss)
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
        contract = _contract_at(seen, miss)
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


def _go_together(one: Change, other: Change) -> bool:
    """Whether two changes may have to do with each other: of one contract, or of all."""
    paths = {path for path, _ in one}
    if any(path in paths for path, _ in other):
        return False
    contracts = {path[1] for path in paths if path[0] == "contracts"}
    others = {path[1] for path, _ in other if path[0] == "contracts"}
    return not contracts or not others or bool(contracts & others)


def _best_first(one: Judged) -> tuple[float, float, int]:
    return -one.net, -one.progress, len(one.change)


def by_kind(missed: Iterable[tuple[Seen, Miss]]) -> dict[Kind, Group]:
    """Return questions by the contract and by what is shown otherwise, the shortest first."""
    kinds: dict[Kind, list[tuple[Seen, Miss]]] = {}
    for seen, miss in sorted(missed, key=lambda pair: pair[0].moves):
        where = miss.differences[0].path[0] if miss.differences else None
        kinds.setdefault((_contract_at(seen, miss), where), []).append((seen, miss))
    return dict(kinds)


def _concerned(kept: Sequence[Seen], names: set[str]) -> Iterator[Seen]:
    for seen in kept:
        start = seen.deals[0].get("contract")
        if not names or start is None or start["name"] in names:
            yield seen


def _contract_at(seen: Seen, miss: Miss) -> str | None:
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


def _worth(seen: Seen) -> list[int]:
    """Return the contract values that could have led to what was awarded."""
    found = set()
    for view in (view for deal in seen.views or () for view in deal):
        outcome = view.get("outcome")
        awards = outcome.get("awards") if isinstance(outcome, dict) else None
        for points in (awards or {}).values():
            if isinstance(points, int) and points > 0:
                found |= {points // by for by in _FACTORS if points % by == 0}
    return sorted(value for value in found if value <= 1000)


def _target_between(seen: Seen) -> tuple[int, int]:
    """Return scores that a target is above, and not above: without and with the end of a game."""
    low, high = 0, 1000
    for view in (view for deal in seen.views or () for view in deal):
        scores, game = view.get("scores"), view.get("game", False)
        if view.get("outcome") and isinstance(scores, dict):
            points = [one for one in scores.values() if type(one) is int]
            if game is None:
                low = max([low, *points])
            elif game:
                high = min(high, max(points, default=high))
    return low, high


def _with_middle_first(found: list[Judged]) -> list[Judged]:
    """Where many numbers explain the same, begin in the middle, as in guessing a number."""
    if not found:
        return found
    best = found[0]
    path = best.change[0][0]
    if len(best.change) == 1 and path[-1] == "target":
        equal = [
            one
            for one in found
            if one.change[0][0] == path and (one.net, one.progress) == (best.net, best.progress)
        ]
        equal.sort(key=lambda one: one.change[0][1])
        middle = equal[len(equal) // 2]
        return [middle, *(one for one in found if one is not middle)]
    return found
