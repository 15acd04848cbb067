"""The matrix: which scenarios and positions kill which mutants, by what their authors stated.

Only items that name a mutant's rule are asked, for only they count. From the matrix follow the
survivors, the items without which a mutant would survive, and the citations no mutant confirms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..corpus import Scenario
from .bench import Bench
from .registry import Mutant


@dataclass(frozen=True, slots=True)
class Matrix:
    """Ids of the killing items by mutant, in the order of the corpus."""

    mutants: Mapping[str, Mutant]
    killers: Mapping[str, tuple[str, ...]]

    @property
    def survivors(self) -> list[Mutant]:
        """Mutants that nothing kills although something should."""
        return [
            mutant
            for mutant in self.mutants.values()
            if mutant.equivalent is None and not self.killers[mutant.name]
        ]

    @property
    def wrongly_equivalent(self) -> list[Mutant]:
        """Mutants said to be equivalent that something kills all the same."""
        return [
            mutant
            for mutant in self.mutants.values()
            if mutant.equivalent is not None and self.killers[mutant.name]
        ]

    @property
    def gate_holds(self) -> bool:
        """Whether every mutant that can be noticed is killed, and no other."""
        return not self.survivors and not self.wrongly_equivalent

    def sole_killers(self) -> dict[str, list[str]]:
        """Return the items without which mutants would survive, with those mutants."""
        found: dict[str, list[str]] = {}
        for name, items in self.killers.items():
            if len(items) == 1:
                found.setdefault(items[0], []).append(name)
        return found

    def confirmed(self) -> dict[str, set[str]]:
        """Return the rules by item of which the item kills a mutant."""
        found: dict[str, set[str]] = {}
        for name, items in self.killers.items():
            for item in items:
                found.setdefault(item, set()).add(self.mutants[name].rule)
        return found

    def unconfirmed(self, scenarios: Iterable[Scenario]) -> list[tuple[str, str]]:
        """Return (scenario, rule) where a scenario kills no mutant of a rule it names.

        Only rules with mutants can be confirmed, and only by scenarios of the main ruleset.
        """
        confirmed = self.confirmed()
        testable = {mutant.rule for mutant in self.mutants.values() if mutant.equivalent is None}
        return [
            (scenario.id, rule)
            for scenario in scenarios
            for rule in scenario.rules
            if not scenario.under
            and rule in testable
            and rule not in confirmed.get(scenario.id, ())
        ]


def compute(bench: Bench, mutants: Mapping[str, Mutant]) -> Matrix:
    """Ask every item that names a mutant's rule, for every mutant."""
    killers = {
        name: tuple(kill.item for kill in bench.own_kills(mutant))
        for name, mutant in mutants.items()
    }
    return Matrix(mutants, killers)
