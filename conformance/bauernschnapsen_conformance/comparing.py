"""How two rulesets differ: field by field, each with a smallest deal that shows it.

A field is shown by changing it alone, in the first ruleset or, where others hide it, in the second.
That two rulesets play the same is never proved, so the number of lines tried is part of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from .identify.alike import fewest_moves, same_form, without_effect
from .identify.fields import (
    Path,
    changed,
    fields_of,
    name_of,
    played,
    value_at,
)
from .identify.lines import Line
from .identify.pools import LARGE, Pools, as_view_pair, find_tell
from .identify.telling import Tell, held_against

LOOKED = 84
"""Lines of a purpose that are compared although nothing can differ."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field that is not the same; a witness if it makes a difference, else why it does not."""

    path: Path
    one: Any
    other: Any
    witness: Tell | None = None
    shown_in: int = 0
    """0: the witness tells the two rulesets apart; 1: only where this field alone is changed."""
    reason: str = ""
    rules: tuple[Rules, Rules] | None = None

    @property
    def name(self) -> str:
        """The field as people write it."""
        return name_of(self.path)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that differs between two rulesets, and how hard it was looked for."""

    fields: list[FieldDifference]
    witness: Tell | None
    """A smallest line that tells them apart, whatever it is due to."""
    lines: int
    views: int
    same_form: bool
    only_one: list[str] = field(default_factory=list)
    """Scenarios that hold under the first ruleset only."""
    only_other: list[str] = field(default_factory=list)
    both: int = 0

    @property
    def same(self) -> bool:
        """Whether no line was found that they answer differently."""
        return self.witness is None


def compare_rulesets(one: Resolved, other: Resolved, *, large: int = LARGE) -> Comparison:
    """Compare two rulesets for the same number of players."""
    ours, theirs = Pools(one), Pools(other)
    found = [_show(path, one, other, ours, theirs, large) for path in differing_fields(one, other)]
    shown = [each.witness for each in found if each.witness is not None and not each.shown_in]
    witness = min(shown, key=lambda tell: len(tell.line.moves), default=None)
    same = same_form(one, other)
    if witness is None:
        witness = any_difference(ours, theirs, min(large, LOOKED) if same else large)
    lines = ours.lines_made + theirs.lines_made
    return Comparison(found, witness, lines, ours.views_made + theirs.views_made, same)


def differing_fields(one: Resolved, other: Resolved) -> list[Path]:
    """Return the fields that are not the same, of contracts that at least one of them plays."""
    paths: list[Path] = [("options", key) for key in one["options"]]
    found = [path for path in paths if value_at(one, path) != value_at(other, path)]
    names = dict.fromkeys([*one["contracts"], *other["contracts"]])
    both = [name for name in names if name in played(one) and name in played(other)]
    ours, theirs = played(one), played(other)
    found += [("contracts", name, "played") for name in names if (name in ours) != (name in theirs)]
    fields = [path for path in fields_of(one) if path[0] == "contracts" and path[1] in both]
    found += [
        path
        for path in dict.fromkeys(fields)
        if path[2] not in ("above", "played") and value_at(one, path) != value_at(other, path)
    ]
    return found + [("contracts", name, "above") for name in _moved(one, other, both)]


def _moved(one: Resolved, other: Resolved, both: list[str]) -> list[str]:
    """Return the fewest contracts whose moving makes the first order the second."""
    ours = [name for name in played(one) if name in both]
    theirs = [name for name in played(other) if name in both]
    return fewest_moves(ours, theirs)


def _below(ruleset: Resolved, name: str, both: set[str]) -> Any:
    order = [each for each in played(ruleset) if each in both]
    place = order.index(name)
    return order[place - 1] if place else "none"


def _show(
    path: Path, one: Resolved, other: Resolved, ours: Pools, theirs: Pools, large: int
) -> FieldDifference:
    first, second = _values(path, one, other)
    base = FieldDifference(path, first, second)
    idle, idle_there = without_effect(one).get(path), without_effect(other).get(path)
    if path[-1] != "played" and idle and idle_there:
        return replace(base, reason=idle)
    for pools, target, value, flip in ((ours, other, second, False), (theirs, one, first, True)):
        alone = _changed_alone(pools.ruleset, target, path, value)
        if alone is None:
            continue
        rules, varied = pools.rules, compile_rules(alone)
        end = theirs.rules if pools is ours else ours.rules
        best = _best(pools, path, varied, end, large)
        if best is None:
            continue
        tell, direct = best
        pair = (rules, end if direct else varied)
        tell = shrink(tell, *pair)
        return replace(
            base,
            witness=tell,
            shown_in=0 if direct else 1,
            rules=pair[::-1] if flip else pair,
        )
    return replace(base, reason=idle or idle_there or "no line of play shows it")


def _values(path: Path, one: Resolved, other: Resolved) -> tuple[Any, Any]:
    if path[-1] == "played":
        return path[1] in played(one), path[1] in played(other)
    if path[-1] == "above":
        both = set(played(one)) & set(played(other))
        return _below(one, path[1], both), _below(other, path[1], both)
    return value_at(one, path), value_at(other, path)


def _changed_alone(base: Resolved, target: Resolved, path: Path, value: Any) -> Resolved | None:
    if path[-1] == "played" and path[1] not in base["contracts"]:
        contracts = {**base["contracts"], path[1]: target["contracts"][path[1]]}
        return {**base, "contracts": contracts}
    if path[-1] == "played" and value:
        # With the fields it has where it is played.
        contracts = {**base["contracts"], path[1]: dict(target["contracts"][path[1]])}
        return {**base, "contracts": contracts}
    if path[-1] == "played" and len(played(base)) == 1:
        return None
    return changed(base, path, value)


def _best(
    pools: Pools, path: Path, varied: Rules, end: Rules, large: int
) -> tuple[Tell, bool] | None:
    """Return the shortest of some lines; best one that tells both rulesets apart."""
    found: list[tuple[Tell, bool]] = []
    for number, tell in enumerate(pools.tells(path, varied)):
        split = _split(tell.line, pools.rules, end)
        found.append((tell, split == tell.view))
        if number >= 12:
            break
    if not found:
        tell_later = find_tell(pools, path, varied, large=large)
        if tell_later is None:
            return None
        found.append((tell_later, _split(tell_later.line, pools.rules, end) == tell_later.view))
    return min(found, key=lambda each: (not each[1], len(each[0].line.moves)))


def _split(line: Line, one: Rules, other: Rules) -> int | None:
    ours, theirs = held_against(line, one), held_against(line, other)
    if ours is None or theirs is None:
        return None if ours is theirs else 0
    for number, pair in enumerate(zip(ours, theirs, strict=True)):
        if pair[0] != pair[1]:
            return number
    return None


def any_difference(ours: Pools, theirs: Pools, count: int) -> Tell | None:
    """Return a line that tells two rulesets apart, or None after all lines of both."""
    for pools, end in ((ours, theirs.rules), (theirs, ours.rules)):
        tell = next(pools.any_tells(end, count), None)
        if tell is not None:
            return shrink(tell, ours.rules, theirs.rules)
    return None


def shrink(tell: Tell, one: Rules, other: Rules) -> Tell:
    """Leave out every move without which the line still ends in a difference."""
    best = tell
    place = 0
    while place < len(best.line.moves):
        moves = best.line.moves[:place] + best.line.moves[place + 1 :]
        line = Line(best.line.start, moves)
        view = _split(line, one, other)
        if view is not None and (view <= best.view) and len(line.moves) <= len(best.line.moves):
            best = Tell(Line(line.start, moves[: max(view + 1, 0)]), view)
        else:
            place += 1
    return best


def witness_views(difference: FieldDifference) -> tuple[Any, Any]:
    """Return the views of both sides of a shown difference."""
    assert difference.witness is not None and difference.rules is not None
    return as_view_pair(difference.witness, *difference.rules)


def hold_scenarios(one: Resolved, other: Resolved) -> Iterator[tuple[str, bool, bool]]:
    """Yield each scenario of the suite, and whether it holds under either ruleset."""
    from .corpus import load_corpus
    from .corpus.reference import applies

    ours, theirs = compile_rules(one), compile_rules(other)
    for item in load_corpus().scenarios:
        yield item.id, applies(item, ours) is not None, applies(item, theirs) is not None
