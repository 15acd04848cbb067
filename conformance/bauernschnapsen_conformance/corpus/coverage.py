"""Coverage: what scenarios and positions say about each rule, and whether that can be trusted.

For a rule of kind `play` are counted

- positive: items that name the rule and state something that must be so: an accepted action, a
  value, legal actions, a winner;
- negative: items that exclude the opposite. An item is negative if it has a `refused` step because
  of the rule; or if it names the rule and states a `cannot`, or legal cards that leave a card of
  the hand out; or if it names the rule and a mutant of the rule contradicts what it states, for
  then a false result is excluded;
- mutants: faulty engines that break the rule, and how many of them are killed by a stated
  expectation of an item that names the rule.

A rule has a hole if one of the first two is missing without a written reason (`positive` or
`negative` in its file), if it has no mutant, or if one survives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bauernschnapsen.errors import SpecError

from .reference import home_rules, prepare
from .rules import Rule
from .scenario import Item, PositionCase, Scenario

if TYPE_CHECKING:
    from ..teeth.matrix import Matrix

_POSITIVE = frozenset({"accepted", "value", "legal", "can", "cards", "winner"})


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """What is said about one rule of kind `play`, by ids."""

    rule: Rule
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    killed: int
    mutants: int
    survivors: tuple[str, ...]

    @property
    def holes(self) -> list[str]:
        """What is missing, one phrase each."""
        found = []
        for kind, items in (("positive", self.positive), ("negative", self.negative)):
            if not items and kind not in self.rule.data:
                found.append(f"no {kind} scenario and no written reason why")
        if not self.mutants:
            found.append("no mutant")
        if self.survivors:
            listed = ", ".join(self.survivors[:3])
            more = f" and {len(self.survivors) - 3} more" if len(self.survivors) > 3 else ""
            found.append(f"mutants survive: {listed}{more}")
        return found


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of all rules, and faults that belong to no rule."""

    rules: tuple[RuleCoverage, ...]
    orphans: tuple[SpecError, ...]
    unconfirmed: tuple[tuple[str, str], ...]
    """(scenario, rule): the scenario kills no mutant of a rule that it names. Not a hole."""

    @property
    def errors(self) -> list[SpecError]:
        """All holes and orphans."""
        found = [
            SpecError(f"{one.rule.id}: {hole}", one.rule.origin.file, one.rule.origin.line)
            for one in self.rules
            for hole in one.holes
        ]
        return [*found, *self.orphans]


def compute_coverage(rules: Mapping[str, Rule], items: Iterable[Item], matrix: Matrix) -> Coverage:
    """Count what all items say about the rules; takes the items of a suite that is in order."""
    items = list(items)
    positive: dict[str, list[str]] = {rule: [] for rule in rules}
    negative: dict[str, dict[str, None]] = {rule: {} for rule in rules}
    confirmed = matrix.confirmed()
    for item in items:
        for cited in _shown(item):
            positive.setdefault(cited, []).append(item.id)
        for cited in (*_excluded(item), *sorted(confirmed.get(item.id, ()))):
            negative.setdefault(cited, {})[item.id] = None
    covered = []
    for rule in rules.values():
        if rule.kind != "play":
            continue
        mutants = [m for m in matrix.mutants.values() if m.rule == rule.id and not m.equivalent]
        survivors = [m.name for m in mutants if not matrix.killers[m.name]]
        covered.append(
            RuleCoverage(
                rule,
                tuple(positive[rule.id]),
                tuple(negative[rule.id]),
                len(mutants) - len(survivors),
                len(mutants),
                tuple(survivors),
            )
        )
    scenarios = [item for item in items if isinstance(item, Scenario)]
    return Coverage(
        tuple(covered),
        tuple(_orphans(rules, items, matrix)),
        tuple(matrix.unconfirmed(scenarios)),
    )


def _shown(item: Item) -> tuple[str, ...]:
    """Return the rules that an item shows to hold: those it names, if it states something."""
    prepared = prepare(item, home_rules(item))
    return item.rules if any(s.kind in _POSITIVE for s in prepared.statements) else ()


def _excluded(item: Item) -> list[str]:
    """Return the rules of which an item excludes the opposite by what it says, mutants aside."""
    statements = prepare(item, home_rules(item)).statements
    found = [s.value for s in statements if s.kind == "refused"]
    leaves_out = any(
        s.kind == "cannot" or (s.kind == "cards" and set(s.value[0]) != set(s.value[1]))
        for s in statements
    )
    return [*found, *item.rules] if leaves_out else found


def _orphans(rules: Mapping[str, Rule], items: Iterable[Item], matrix: Matrix) -> list[SpecError]:
    errors = []
    for item in items:
        where = (item.origin.file, item.origin.line)
        what = "position" if isinstance(item, PositionCase) else "scenario"
        played = [rule for rule in item.rules if rule in rules and rules[rule].kind == "play"]
        if not played:
            errors.append(
                SpecError(f"{item.id}: the {what} names no rule that can be observed", *where)
            )
        for rule in item.rules:
            if rule in rules and rules[rule].kind != "play":
                message = f"{item.id}: {rule} is a {rules[rule].kind} rule and cannot be observed"
                errors.append(SpecError(message, *where))
    for mutant in matrix.mutants.values():
        if mutant.rule not in rules:
            message = f"the mutant {mutant.name} breaks a rule that does not exist"
            errors.append(SpecError(message, "conformance/mutants"))
        elif rules[mutant.rule].kind != "play":
            message = f"the mutant {mutant.name} breaks a rule that cannot be observed"
            errors.append(SpecError(message, "conformance/mutants"))
    for mutant in matrix.wrongly_equivalent:
        message = f"the mutant {mutant.name} is said to be equivalent, but is killed"
        errors.append(SpecError(message, "conformance/mutants"))
    return errors
