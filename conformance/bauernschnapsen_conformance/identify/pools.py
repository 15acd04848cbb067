"""Pools of lines made under one ruleset, drawn from when a difference has to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from .fields import AUCTION_FIELDS, AUCTION_OPTIONS, Path, played
from .lines import Move, Played, Start, auction_lines, play_lines
from .telling import Tell, tells

SMALL, LARGE = 42, 300
"""Lines of a purpose: at first, and where a difference is hard to find."""
_AUCTION = ""


class Pools:
    """Lines for the auction and for each contract under one ruleset; made when first needed."""

    def __init__(
        self,
        ruleset: Resolved,
        *,
        to_contract: Callable[[Rules, Start], Sequence[Move] | None] | None = None,
        auctions: bool = True,
        plays: bool = True,
    ) -> None:
        """`to_contract`: how an engine gets to a contract that cannot start with one."""
        self.ruleset = ruleset
        self.rules = compile_rules(ruleset)
        self._to_contract = to_contract
        self._auctions, self._plays = auctions, plays
        self._lines: dict[str, list[Played]] = {}
        self._sources: dict[str, Iterator[Played]] = {}

    @property
    def lines_made(self) -> int:
        """How many lines have been made so far."""
        return sum(map(len, self._lines.values()))

    @property
    def views_made(self) -> int:
        """How many views these lines have."""
        return sum(len(one.sketches) for lines in self._lines.values() for one in lines)

    def lines(self, purpose: str, count: int) -> Iterator[Played]:
        """Yield up to `count` lines of the auction ('') or of a contract."""
        made = self._lines.setdefault(purpose, [])
        if purpose not in self._sources:
            self._sources[purpose] = self._source(purpose)
        for number in range(count):
            if number >= len(made):
                more = next(self._sources[purpose], None)
                if more is None:
                    return
                made.append(more)
            yield made[number]

    def _source(self, purpose: str) -> Iterator[Played]:
        if purpose == _AUCTION:
            return auction_lines(self.rules, LARGE) if self._auctions else iter(())
        if not self._plays:
            return iter(())
        reach = self._to_contract
        to_contract = None if reach is None else (lambda start: reach(self.rules, start))
        return play_lines(self.rules, purpose, LARGE, to_contract=to_contract)

    def purposes(self, path: Path) -> list[str]:
        """Return where a field can show, the likeliest place first."""
        names = played(self.ruleset)
        if path[0] == "contracts":
            own = [path[1]] if path[1] in names else []
            in_auction = path[2] in AUCTION_FIELDS and path[2] != "value"
            return [_AUCTION, *own] if in_auction else [*own, _AUCTION]
        if path[1] in AUCTION_OPTIONS:
            return [_AUCTION, *names]
        return [*names, _AUCTION]

    def tells(self, path: Path, other: Rules, count: int = SMALL) -> Iterator[Tell]:
        """Yield lines that this ruleset and one with another value of a field answer otherwise."""
        for number, purpose in enumerate(self.purposes(path)):
            # Where else a field shows, it shows soon.
            most = count if number == 0 else min(count, 2 * SMALL)
            yield from tells(self.lines(purpose, most), other)

    def any_tells(self, other: Rules, count: int = SMALL) -> Iterator[Tell]:
        """Yield lines of all purposes that another ruleset answers otherwise."""
        for purpose in (_AUCTION, *played(self.ruleset)):
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
