"""Looking for the house rule that explains what an engine showed.

A change (`changes`) counts by how many of the unexplained questions it explains and how many of the
explained ones it spoils.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, islice, product

from bauernschnapsen.ruleset import Resolved, Rules

from .asking import Observer
from .changes import Change, Changes, Group, apply_change, contract_at
from .seen import Miss, Seen

Kind = tuple[str | None, str | None, str]
_MOST_JUDGED, _MOST_OTHERS, _MOST_KEPT, _MOST_PAIRS, _MOST_BEST = 8, 4, 150, 24, 12
_MOST_TRIED = 2000
"""Pairs of changes that are tried where no single one helps."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with what speaks for it: questions explained less spoilt, and progress."""

    change: Change
    ruleset: Resolved
    rules: Rules
    net: int
    progress: float


class Explainer:
    """Judges changes of one ruleset by what an engine has shown so far."""

    def __init__(
        self, observer: Observer, ruleset: Resolved, time_left: Callable[[], bool]
    ) -> None:
        """`time_left` says whether to go on."""
        self._observer = observer
        self._time_left = time_left
        self._houses = observer.houses
        self._ruleset = ruleset
        self._rules = self._houses.rules(ruleset)
        self._changes = Changes(ruleset)

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
                change for change in dict.fromkeys(self._changes.of(seeds)) if change not in looked
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
        found = list(islice(self._harmless(found, kept), _MOST_BEST))
        return _with_middle_first(sorted(found, key=lambda one: (-one.net, -one.progress)))

    def _harmless(self, found: Iterable[Judged], kept: Sequence[Seen]) -> Iterator[Judged]:
        """Yield the changes that explain no less than they spoil."""
        for one in map(partial(self._spoils, kept=kept), found):
            if one.net > 0 or (one.net == 0 and one.progress > 0):
                yield one

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

        Two fields of the contract that was played, whatever they show alone; else one of the two
        at least must change what is shown of a question, if not for the better.
        """
        judged, seed = missed[:_MOST_JUDGED], missed[0]
        singles = list(dict.fromkeys(self._changes.of([seed])))
        moving = [change for change in singles if self._moves(change, *seed)]
        contract = contract_at(*seed)
        all_singles = dict.fromkeys(self._changes.of([seed], idle=True))
        own = [change for change in all_singles if _is_about(change, contract)]
        pairs = chain(combinations(own, 2), combinations(moving, 2), product(moving, singles))
        together = (first + second for first, second in pairs if _go_together(first, second))
        found: list[Judged] = []
        for both in islice(dict.fromkeys(together), _MOST_TRIED):
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
        if not self._time_left():
            return None
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


def _is_about(change: Change, contract: str | None) -> bool:
    """Whether a change is about one contract only."""
    return all(path[:2] == ("contracts", contract) for path, _ in change)


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
    """Return questions by the contract and by what is shown otherwise, the shortest first.

    Where that is what seats may do, or what is refused, each bid and each kind of action is looked
    into by itself, so that a fault in one does not hide house rules about the others.
    """
    kinds: dict[Kind, list[tuple[Seen, Miss]]] = {}
    for seen, miss in sorted(missed, key=lambda pair: pair[0].moves):
        where = miss.differences[0].path[0] if miss.differences else None
        kind = contract_at(seen, miss), where, _what_is_done(seen, miss)
        kinds.setdefault(kind, []).append((seen, miss))
    return dict(kinds)


def _what_is_done(seen: Seen, miss: Miss) -> str:
    """Return the one bid or kind of action that is offered or refused otherwise, if it is one."""
    first = miss.differences[0] if miss.differences else None
    if first is not None and first.path[0] == "refused" and miss.view:
        return _kind_of_action(seen.deals[miss.deal]["actions"][miss.view - 1][1])
    if first is None or first.path[0] != "legal":
        return ""
    kinds: set[str] = set()
    for one in miss.differences:
        if one.path[0] == "legal" and isinstance(one.got, list):
            changed = set(map(str, one.expected or ())) ^ set(map(str, one.got))
            kinds |= set(map(_kind_of_action, changed))
    return kinds.pop() if len(kinds) == 1 else ""


def _kind_of_action(action: str) -> str:
    verb = action.split(" ", maxsplit=1)[0]
    return action if verb == "bid" else verb


def _concerned(kept: Sequence[Seen], names: set[str]) -> Iterator[Seen]:
    for seen in kept:
        start = seen.deals[0].get("contract")
        if not names or start is None or start["name"] in names:
            yield seen


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
