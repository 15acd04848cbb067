"""Pools of lines made under one ruleset, drawn from when a difference has to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules

from .fields import AUCTION_FIELDS, AUCTION_OPTIONS, Path, played
from .houses import AUCTION, WHOLE, Houses
from .lines import Line, Move, Played, Start, auction_lines, play_lines
from .telling import Tell, tells

SMALL, LARGE = 42, 300
"""Lines of a purpose: at first, and where a difference is hard to find."""
_STARTS = 4


class Drawn:
    """Lines of one scope under one ruleset, and which of them other rulesets answer otherwise."""

    def __init__(self, source: Iterator[Played]) -> None:
        self._source = source
        self.made: list[Played] = []
        self._tells: dict[int, _Found] = {}

    def at(self, number: int) -> Played | None:
        """Return a line by its number, or None where there are not so many."""
        while len(self.made) <= number:
            more = next(self._source, None)
            if more is None:
                return None
            self.made.append(more)
        return self.made[number]

    def tells(self, other: Rules, scope: int, count: int) -> Iterator[Tell]:
        """Yield what shows another ruleset among the first `count` lines."""
        found = self._tells.setdefault(scope, _Found())
        place = 0
        while True:
            if place < len(found.tells):
                if found.tells[place][0] >= count:
                    return
                yield found.tells[place][1]
                place += 1
                continue
            line = self.at(found.looked) if found.looked < count else None
            if line is None:
                return
            found.tells += [(found.looked, tell) for tell in tells([line], other)]
            found.looked += 1


@dataclass(slots=True)
class _Found:
    """Tells with the numbers of their lines, among the lines that were looked at."""

    tells: list[tuple[int, Tell]] = field(default_factory=list)
    looked: int = 0


class Pools:
    """Lines for the auction and for each contract under one ruleset; made when first needed."""

    def __init__(
        self,
        ruleset: Resolved,
        *,
        houses: Houses | None = None,
        drawn: dict[tuple[str, int], Drawn] | None = None,
        to_contract: Callable[[Rules, Start], Sequence[Move] | None] | None = None,
        auctions: bool = True,
        plays: bool = True,
        seed: str = "",
    ) -> None:
        """`to_contract`: how an engine gets to a contract that cannot start with one.

        `houses` and `drawn` are shared by pools of many rulesets, so that lines are made once.
        Another `seed` deals other cards.
        """
        self.ruleset = ruleset
        self._houses = houses or Houses()
        self.rules = self._houses.rules(ruleset)
        self._to_contract = to_contract
        self._auctions, self._plays, self._seed = auctions, plays, seed
        self._drawn = {} if drawn is None else drawn

    @property
    def lines_made(self) -> int:
        """How many lines have been made so far."""
        return sum(len(drawn.made) for drawn in self._drawn.values())

    @property
    def views_made(self) -> int:
        """How many views these lines have."""
        return sum(len(one.sketches) for drawn in self._drawn.values() for one in drawn.made)

    def lines(self, purpose: str, count: int) -> Iterator[Played]:
        """Yield up to `count` lines of the auction ('') or of a contract."""
        drawn = self._of(purpose)
        for number in range(count):
            line = drawn.at(number)
            if line is None:
                return
            yield line

    def _of(self, purpose: str) -> Drawn:
        key = purpose, self._scope(purpose, self.rules)
        if key not in self._drawn:
            self._drawn[key] = Drawn(self._source(purpose))
        return self._drawn[key]

    def _scope(self, purpose: str, rules: Rules) -> int:
        by_auction = purpose != AUCTION and self._to_contract is not None
        return self._houses.scope(rules, WHOLE if by_auction else purpose)

    def _source(self, purpose: str) -> Iterator[Played]:
        if purpose == AUCTION:
            return auction_lines(self.rules, LARGE, seed=self._seed) if self._auctions else iter(())
        if not self._plays:
            return iter(())
        reach = self._to_contract
        to_contract = None if reach is None else (lambda start: reach(self.rules, start))
        return play_lines(self.rules, purpose, LARGE, to_contract=to_contract, seed=self._seed)

    def tells_of(self, purpose: str, other: Rules, count: int = SMALL) -> Iterator[Tell]:
        """Yield lines of one purpose that another ruleset answers otherwise."""
        scope = self._scope(purpose, other)
        if scope == self._scope(purpose, self.rules):
            return iter(())
        return self._of(purpose).tells(other, scope, count)

    def purposes(self, path: Path) -> list[str]:
        """Return where a field can show, the likeliest place first."""
        names = played(self.ruleset)
        if path[0] == "contracts":
            own = [path[1]] if path[1] in names else []
            in_auction = path[2] in AUCTION_FIELDS and path[2] != "value"
            return [AUCTION, *own] if in_auction else [*own, AUCTION]
        if path[1] in AUCTION_OPTIONS:
            return [AUCTION, *names]
        return [*names, AUCTION]

    def tells(self, path: Path, other: Rules, count: int = SMALL) -> Iterator[Tell]:
        """Yield lines that this ruleset and one with another value of a field answer otherwise."""
        for number, purpose in enumerate(self.purposes(path)):
            # Where else a field shows, it shows soon.
            most = count if number == 0 else min(count, 2 * SMALL)
            yield from self.tells_of(purpose, other, most)
        if path[-1] == "played" and path[1] not in played(self.ruleset) and not self._auctions:
            # Whether it can be started is all that shows.
            for one in play_lines(other, path[1], _STARTS):
                yield Tell(Line(one.line.start, one.line.moves[:1]), 0)

    def any_tells(self, other: Rules, count: int = SMALL) -> Iterator[Tell]:
        """Yield lines of all purposes that another ruleset answers otherwise."""
        for purpose in (AUCTION, *played(self.ruleset)):
            yield from tells(self.lines(purpose, count), other)


def find_tell(pools: Pools, path: Path, other: Rules, *, large: int = LARGE) -> Tell | None:
    """Return a short line that shows a field, looking harder if it is not found at once."""
    for count in dict.fromkeys((SMALL, large)):
        best: Tell | None = None
        for number, tell in enumerate(pools.tells(path, other, count)):
            if best is None or len(tell.line.moves) < len(best.line.moves):
                best = tell
            if number >= 4:
                break
        if best is not None:
            return best
    return None


def as_view_pair(tell: Tell, one: Rules, other: Rules) -> tuple[Any, Any]:
    """Return the views of both rulesets, or None for one that cannot start the line."""
    from bauernschnapsen.errors import SpecError
    from bauernschnapsen.replay import replay

    pair: list[Any] = []
    for rules in (one, other):
        try:
            pair.append(replay(rules, [tell.line.record()])[0])
        except SpecError:
            pair.append(None)
    return pair[0], pair[1]
