"""What `identify` has to say: the values that are not those of the base, and the bugs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules

from ..corpus.options import load_options
from .alike import differing, value_in_file
from .fields import Path, name_of
from .known import suspicion
from .result import Result
from .ruleids import broken_rule, rule_of, rule_of_place
from .seen import Miss, Seen

_MANY = 4


@dataclass(frozen=True, slots=True)
class Value:
    """A house rule that is not that of the base."""

    path: Path
    value: Any
    instead_of: Any
    """What the base has; None for a contract that it does not know."""
    rule: str
    """The rule it is about."""
    sources: tuple[str, ...]
    """Who plays it so."""
    suspicion: str
    """Why it is probably a bug, or ''."""
    votes: tuple[int, int] | None
    """Deals that spoke for it and against it; None where it follows from other fields."""
    witness: Seen | None
    """The shortest deal that rules out what the base has."""

    @property
    def name(self) -> str:
        """The field as people write it."""
        return name_of(self.path)

    @property
    def sureness(self) -> str:
        """How sure it is, in a word."""
        if self.votes is None:
            return "follows from the others"
        for_it, against = self.votes
        if for_it >= _MANY and not against:
            return "sure"
        return "likely" if for_it > _MANY * against and for_it > 1 else "a guess"


@dataclass(slots=True)
class Bug:
    """What fits no house rule: the rule it seems to break, a shortest witness, how often."""

    rule: str
    seen: Seen
    miss: Miss
    count: int = 1


def values_of_profile(result: Result, base: Resolved) -> Iterator[Value]:
    """Yield each field that is not that of the base."""
    catalogue = load_options()
    for path in differing(result.ruleset, base):
        value = value_in_file(result.ruleset, path)
        known = path[0] == "options" or path[1] in base["contracts"]
        yield Value(
            path=path,
            value=value,
            instead_of=value_in_file(base, path) if known else None,
            rule=rule_of(path, result.ruleset),
            sources=catalogue.sources(name_of(path), value),
            suspicion=suspicion(result.ruleset, base, path),
            votes=result.votes.get(path),
            witness=result.witnesses.get(path),
        )


def bugs_of(result: Result, rules: Rules) -> list[Bug]:
    """Return the bugs, most frequent first, each with its shortest witness."""
    bugs = [
        Bug(rule_of_place(place, *wrong[0], rules), *min(wrong, key=_length), len(wrong))
        for place, wrong in result.left_aside.items()
    ]
    by_rule = {bug.rule: bug for bug in bugs}
    for seen, miss in sorted(result.bugs, key=_length):
        rule = broken_rule(seen, miss, rules)
        if rule in by_rule:
            by_rule[rule].count += 1
        else:
            by_rule[rule] = Bug(rule, seen, miss)
    return sorted(by_rule.values(), key=lambda bug: (-bug.count, bug.rule))


def _length(pair: tuple[Seen, Miss]) -> int:
    return pair[0].moves
