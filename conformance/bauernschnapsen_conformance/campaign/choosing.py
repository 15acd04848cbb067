"""Choosing what to play next: by what has been covered, not blindly.

A recipe has parts (start, hands, manner, scores, number of deals). Each part is drawn in proportion
to what its cases have brought so far: situations that were new or rare. One case in four is drawn
evenly, so that nothing is ever given up. Within a case, of a few attempts the one is made whose
refusal has been met least (`generators`).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from bauernschnapsen.ruleset import Rules

from .coverage import Coverage
from .generators import ALL, Abilities, Made, Recipe, all_recipes, any_recipe, make_case

_EVENLY = 0.25
_SHARPNESS = 2
"""What brings twice as much a view is drawn two to that power times as often."""
_HOPE = 400
"""What is expected of a part that was never tried, for one view."""
_TRIES = 20

Yields = Mapping[str, tuple[int, int]]


class Chooser:
    """Makes the cases of one chunk of a campaign; all follows from its arguments."""

    def __init__(
        self,
        rules: Rules,
        seed: str,
        *,
        able: Abilities = ALL,
        done_with: Collection[int] = (),
        yields: Yields | None = None,
        blind: bool = False,
    ) -> None:
        """`done_with` and `yields` are from parts of the campaign that ended before.

        `blind`: draw every recipe evenly, to see what choosing is worth.
        """
        self._rules, self._seed, self._able = rules, seed, able
        self._done_with = frozenset(done_with)
        self._before = dict(yields or {})
        self._blind = blind
        self._recipes = all_recipes(rules, able)
        self.coverage = Coverage()

    def cases(self, count: int) -> Iterator[tuple[int, Made]]:
        """Yield that many cases, each with its number, from 0."""
        for number in range(count):
            source = random.Random(f"{self._seed} {number}")
            made = self._case(source)
            if made is not None:
                yield number, made

    def _case(self, source: random.Random) -> Made | None:
        seen = {} if self._blind else self.coverage.counts
        for _ in range(_TRIES):
            recipe = self._recipe(source)
            made = make_case(self._rules, source, recipe, self._able, seen)
            worth = views = 0
            if made is not None:
                worth = self.coverage.note(made.situations, self._done_with)
                views = sum(map(len, made.expected))
            self.coverage.credit(_parts(recipe), worth, views)
            if made is not None:
                return made
        return None

    def _recipe(self, source: random.Random) -> Recipe:
        recipes = self._recipes
        if self._blind or source.random() < _EVENLY:
            return any_recipe(recipes, source)
        return Recipe(
            self._part("start", recipes.starts, source),
            self._part("shape", recipes.shapes, source),
            self._part("manner", recipes.manners, source),
            self._part("stake", recipes.stakes, source),
            self._part("deals", recipes.deals, source),
        )

    def _part(self, name: str, values: Sequence[Any], source: random.Random) -> Any:
        weights = [self._weight(f"{name}={value}") for value in values]
        return source.choices(values, weights)[0]

    def _weight(self, part: str) -> float:
        worth, views = self.coverage.yields.get(part, (0, 0))
        before, seen = self._before.get(part, (0, 0))
        return ((_HOPE + worth + before) / (1 + views + seen)) ** _SHARPNESS


def _parts(recipe: Recipe) -> list[str]:
    return [f"{name}={value}" for name, value in recipe._asdict().items()]
