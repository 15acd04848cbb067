"""The search: one ruleset is believed, and everything that could be otherwise is tested.

For every field and every other value of it a line is looked for that would show the difference, and
the engine is asked. What it shows against the ruleset leads to another one (`explaining`), but a
new value is believed only when lines made for it and the old one speak for it. What is left
unexplained by all house rules is a bug.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bauernschnapsen.notation import SUITS, parse_action, parse_seat, seat_letters
from bauernschnapsen.ruleset import Resolved, Rules

from .alike import differing, same_form, without_effect
from .asking import Miss, Observer, Seen
from .explaining import Change, Explainer, Judged
from .fields import (
    AUCTION_FIELDS,
    AUCTION_OPTIONS,
    MATCH_OPTIONS,
    PLAY_FIELDS,
    PLAY_OPTIONS,
    Path,
    alternatives,
    changed,
    played,
    value_at,
)
from .houses import AUCTION
from .lines import Line, Move, Start, whole_lines
from .pools import LARGE, SMALL, Drawn, Pools, find_tell
from .telling import Tell

_VOTES, _ROUNDS, _ENOUGH = 8, 40, 4
_RECOUNT, _UNAIMED = 24, 24
_TRUSTED = 4
"""A value is believed if this many times more lines speak for it than against it."""


@dataclass(slots=True)
class Witness:
    """What speaks against one other value of a field: a question the engine answered otherwise."""

    path: Path
    value: Any
    seen: Seen


@dataclass(slots=True)
class Result:
    """What was found out about an engine."""

    ruleset: Resolved
    witnesses: dict[tuple[Path, Any], Witness]
    unseen: dict[Path, str]
    """Fields that cannot be observed in this profile, and why."""
    unsure: list[tuple[Path, Any]]
    """Values that could not be ruled out."""
    bugs: list[tuple[Seen, Miss]]
    asked: int
    seconds: float
    finished: bool
    votes: dict[Path, tuple[int, int]] = field(default_factory=dict)
    """For every value that is not that of the base: lines that spoke for and against it."""


class Search:
    """Finds the ruleset that an engine plays."""

    def __init__(
        self,
        observer: Observer,
        base: Resolved,
        *,
        seconds: float = 18.0,
        progress: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seconds` by `clock` is when the search is cut short."""
        self._observer = observer
        self._houses = observer.houses
        self._drawn: dict[tuple[str, int], Drawn] = {}
        self._clock = clock
        self._began = self._clock()
        self._seconds = seconds
        self._progress = progress
        self._seen: list[Seen] = []
        self._known: set[int] = set()
        self._bugs: set[int] = set()
        self._tabu: set[Change] = set()
        self._witnesses: dict[tuple[Path, Any], Witness] = {}
        self._votes: dict[Path, tuple[int, int]] = {}
        self._hopeless: set[tuple[Path, Any]] = set()
        self._believe(base)

    def _believe(self, ruleset: Resolved) -> None:
        self.ruleset = ruleset
        self.rules = self._houses.rules(ruleset)
        starts = self._observer.starts
        self.pools = Pools(
            ruleset,
            houses=self._houses,
            drawn=self._drawn,
            to_contract=None if "contract" in starts else _by_auction,
            auctions="deal" in starts,
            plays=bool(starts),
        )
        self._idle = without_effect(ruleset)
        self._bugs.clear()
        self._tabu.clear()
        self._hopeless.clear()

    @property
    def _time_left(self) -> bool:
        return self._clock() - self._began < self._seconds

    # ------------------------------------------------------------------ the whole

    def run(self, broad: Iterable[Seen] = ()) -> Result:
        """Search until nothing is left to ask, or the time is over."""
        base = self.ruleset
        self._progress("trump and auction")
        self._settle(self._auction_fields)
        for name in list(played(self.ruleset)):
            self._progress(name)
            self._settle(lambda name=name: self._play_fields(name))  # type: ignore[misc]
        self._progress("scores")
        self._settle(lambda: [("options", option) for option in MATCH_OPTIONS])
        self._progress("everything again")
        self._settle(self._all_fields)
        self._progress("looking for what no house rule explains")
        self._settle(self._all_fields, more=broad, large=LARGE)
        self._take_back(base)
        return self._result()

    def _take_back(self, base: Resolved) -> None:
        """Where bugs are about, return to the base in fields that more speaks against than for.

        A bug can look like a house rule in the few lines that led to one.
        """
        for path in differing(self.ruleset, base):
            if not self._missed_any or not self._time_left:
                return
            if path[-1] in ("above", "played"):
                continue
            ruleset = changed(self.ruleset, path, value_at(base, path))
            rules = self._houses.rules(ruleset)
            groups = self._ballot([path], rules, most=_RECOUNT)
            seen = self._observer.lines(tell.line for group in groups for tell in group)
            self._look(seen)
            now = then = 0
            for question in self._seen:
                if question.fault is None:
                    ours, theirs = self._miss(question), self._observer.miss(question, rules)
                    now += _further(ours, theirs)
                    then += _further(theirs, ours)
            self._votes[path] = (now, then)
            if then >= now:
                self._believe(ruleset)

    @property
    def _missed_any(self) -> bool:
        return any(self._miss(seen) is not None for seen in self._seen)

    def _settle(
        self,
        fields: Callable[[], list[Path]],
        *,
        more: Iterable[Seen] = (),
        large: int = SMALL,
    ) -> None:
        extra = list(more)
        self._look(extra)
        self._look(self._observer.lines(self._some_lines(large)))
        for _ in range(_ROUNDS):
            asked = self._test(fields(), large)
            missed = self._missed()
            if not missed and not asked:
                return
            if missed and not self._improve(missed, deep=large > SMALL):
                self._bugs |= {id(seen) for seen, _ in missed}
            if not self._time_left:
                return

    def _some_lines(self, large: int) -> Iterator[Line]:
        """Yield lines that were made to show nothing in particular."""
        if large == SMALL:
            return
        for purpose in (AUCTION, *played(self.ruleset)):
            for made in self.pools.lines(purpose, _UNAIMED):
                yield made.line
        if "deal" in self._observer.starts:
            for made in whole_lines(self.rules, _UNAIMED):
                yield made.line

    def _look(self, seen: Iterable[Seen]) -> None:
        for one in seen:
            if id(one) not in self._known:
                self._known.add(id(one))
                self._seen.append(one)

    def _miss(self, seen: Seen) -> Miss | None:
        return self._observer.miss(seen, self.rules)

    def _missed(self) -> list[tuple[Seen, Miss]]:
        """Return what the ruleset does not explain and nobody has given up."""
        return [
            (seen, miss)
            for seen in self._seen
            if id(seen) not in self._bugs and (miss := self._miss(seen)) is not None
        ]

    # ------------------------------------------------------------------ what to test

    def _auction_fields(self) -> list[Path]:
        if "deal" not in self._observer.starts:
            return []
        names = played(self.ruleset)
        fields: list[Path] = [("options", option) for option in AUCTION_OPTIONS]
        for name in self.ruleset["contracts"]:
            wanted = AUCTION_FIELDS[:-1] if name in names else ("played",)
            fields += [("contracts", name, one) for one in wanted]
        return fields

    def _play_fields(self, name: str) -> list[Path]:
        fields: list[Path] = [("options", option) for option in PLAY_OPTIONS]
        if name not in played(self.ruleset):
            return fields
        return [*fields, *(("contracts", name, one) for one in PLAY_FIELDS)]

    def _all_fields(self) -> list[Path]:
        fields = self._auction_fields()
        for name in played(self.ruleset):
            fields += self._play_fields(name)
        return list(dict.fromkeys([*fields, *(("options", one) for one in MATCH_OPTIONS)]))

    def _test(self, fields: list[Path], large: int) -> int:
        """Ask for every value that is not ruled out; return how many questions were new."""
        before = self._observer.asked
        wanted: list[tuple[Path, Any, Line]] = []
        for path in fields:
            if path in self._idle:
                continue
            for value in alternatives(self.ruleset, path):
                if (path, value) in self._hopeless:
                    continue
                line = self._question(path, value, large)
                if line is not None:
                    wanted.append((path, value, line))
        seen = self._observer.lines(line for _, _, line in wanted)
        self._look(seen)
        by_line = {one.line: one for one in seen}
        for path, value, line in wanted:
            self._witnesses[path, value] = Witness(path, value, by_line[line])
        return self._observer.asked - before

    def _question(self, path: Path, value: Any, large: int) -> Line | None:
        other = changed(self.ruleset, path, value)
        rules = self._houses.rules(other)
        witness = self._witnesses.get((path, value))
        if witness is not None and self._rules_out(witness.seen, rules):
            return None
        if same_form(other, self.ruleset):
            self._hopeless.add((path, value))
            return None
        tried = 0
        for tell in self.pools.tells(path, rules):
            known = self._observer.known(tell.line)
            if known is None:
                return tell.line
            if self._rules_out(known, rules):
                self._witnesses[path, value] = Witness(path, value, known)
                return None
            tried += 1
            if tried >= _ENOUGH:
                break
        if large > SMALL and not tried:
            late = find_tell(self.pools, path, rules, large=large)
            if late is not None and self._observer.known(late.line) is None:
                return late.line
            self._hopeless.add((path, value))
        return None

    def _with(self, path: Path, value: Any) -> Rules:
        return self._houses.rules(changed(self.ruleset, path, value))

    def _rules_out(self, seen: Seen, other: Rules) -> bool:
        """Whether the engine was seen to follow the ruleset where another one differs."""
        if seen.fault is not None or self._miss(seen) is not None:
            return False
        return self._observer.miss(seen, other) is not None

    # ------------------------------------------------------------------ another ruleset

    def _improve(self, missed: list[tuple[Seen, Miss]], *, deep: bool) -> bool:
        """Believe another ruleset that explains more, if dedicated lines speak for it."""
        kept = [seen for seen in self._seen if self._miss(seen) is None]
        explainer = Explainer(self._observer, self.ruleset)
        if self._first_trusted(explainer.best(missed, kept, self._tabu)):
            return True
        return deep and self._first_trusted(explainer.deeper(missed, kept, self._tabu))

    def _first_trusted(self, found: list[Judged]) -> bool:
        for one in found:
            if not self._time_left:
                return False
            for_it, against = self._vote(one)
            if for_it and against * _TRUSTED <= for_it:
                for path, _ in one.change:
                    self._votes[path] = (for_it, against)
                self._progress(f"  {one.change} {for_it}:{against}")
                self._believe(one.ruleset)
                return True
            self._tabu.add(one.change)
        return False

    def _vote(self, one: Judged) -> tuple[int, int]:
        """Ask lines on which the old and the new ruleset differ; return what speaks for which.

        What holds for one contract only is no rule of all: where nothing in a contract speaks for
        a change and more than one line against it, that decides.
        """
        everywhere = any(path[0] == "options" for path, _ in one.change)
        total_for = total_against = 0
        for tells_here in self._ballot([path for path, _ in one.change], one.rules):
            for_it = against = 0
            for question in self._observer.lines(tell.line for tell in tells_here):
                self._look([question])
                if question.fault is not None:
                    continue
                old, new = self._miss(question), self._observer.miss(question, one.rules)
                if _further(new, old):
                    for_it += 1
                elif _further(old, new):
                    against += 1
            if not for_it and against > 1 and everywhere:
                return 0, against
            total_for += for_it
            total_against += against
        return total_for, total_against

    def _ballot(self, paths: list[Path], other: Rules, *, most: int = _VOTES) -> list[list[Tell]]:
        """Return lines from everywhere these fields show."""
        purposes = dict.fromkeys(one for path in paths for one in self.pools.purposes(path))
        found = [
            list(islice(self.pools.tells_of(purpose, other), most))
            for purpose in purposes
        ]
        found = [group for group in found if group]
        if not found:
            late = (find_tell(self.pools, path, other) for path in paths)
            return [[tell] for tell in late if tell is not None]
        each = max(4, most // len(found))
        return [group[:: max(1, len(group) // each)][:each] for group in found]

    # ------------------------------------------------------------------ the end

    def _result(self) -> Result:
        unsure: list[tuple[Path, Any]] = []
        unseen = dict(self._idle)
        for path in self._all_fields():
            if path in self._idle:
                continue
            values = alternatives(self.ruleset, path)
            ruled_out = [
                value
                for value in values
                if (witness := self._witnesses.get((path, value))) is not None
                and self._rules_out(witness.seen, self._with(path, value))
            ]
            left = [value for value in values if value not in ruled_out]
            if values and not ruled_out:
                unseen[path] = "no deal of this profile shows it"
            else:
                unsure += [
                    (path, value)
                    for value in left
                    if not same_form(changed(self.ruleset, path, value), self.ruleset)
                ]
        bugs = [(seen, miss) for seen in self._seen if (miss := self._miss(seen)) is not None]
        bugs.sort(key=lambda pair: pair[0].moves)
        return Result(
            self.ruleset,
            self._witnesses,
            unseen,
            unsure,
            bugs,
            self._observer.asked,
            self._clock() - self._began,
            self._time_left,
            self._votes,
        )


def _further(one: Miss | None, other: Miss | None) -> bool:
    """Whether one ruleset explains more of a question than another."""
    if one is None or other is None:
        return one is None and other is not None
    return one.share > other.share


def _by_auction(rules: Rules, start: Start) -> list[Move] | None:
    """Return the moves of an auction that leads to a contract."""
    from ..fitting import shortest_auction

    assert start.contract is not None
    name, declarer, suit = start.contract
    record = Line(start, ()).record()
    letters = seat_letters(rules.seats)
    record["contract"] = {"name": name, "declarer": letters[declarer], "trump": SUITS[suit]}
    moves = shortest_auction(record, rules)
    if moves is None:
        return None
    return [(parse_seat(seat, rules.seats), parse_action(action)) for seat, action in moves]
