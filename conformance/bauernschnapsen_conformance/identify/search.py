"""The search: one ruleset is believed, and everything that could be otherwise is tested.

For every field and every other value of it a line is looked for that would show the difference, and
the engine is asked (`testing`). What it shows against the ruleset leads to another one
(`explaining`), but a new value is believed only when lines made for it and the old one speak for
it. What is left unexplained by all house rules is a bug.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from bauernschnapsen.ruleset import Resolved

from ..run.undecided import is_undecided
from .alike import differing, simplest, value_in_file
from .asking import Observer
from .belief import Belief
from .changes import Change
from .explaining import Explainer, Judged, Kind, by_kind
from .fields import Path, changed, played, value_at
from .holding import mutable_place
from .houses import AUCTION
from .lines import Line, whole_lines
from .pools import LARGE, SMALL, Drawn
from .result import Result, not_ruled_out
from .ruleset_file import is_sensible
from .seen import Miss, Seen
from .testing import Tester

_ROUNDS, _RECOUNT = 40, 24
_PROBES, _UNAIMED = 2, 24
_TRIES, _DEEP_TRIES = 3, 1
"""How often a kind of question is tried in vain to be explained, the belief being the same."""
_MANY, _LARGE_SHARE = 40, 0.1
_TRUSTED = 4
"""A value is believed if this many times more lines speak for it than against it."""


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
        self._drawn: dict[tuple[str, int], Drawn] = {}
        self._clock = clock
        self._began = self._clock()
        self._seconds = seconds
        self._progress = progress
        self._seen: dict[int, Seen] = {}
        self._given_up: set[tuple[int, int]] = set()
        self._tabu: set[Change] = set()
        self._left_aside: dict[str, list[tuple[Seen, Miss]]] = {}
        self._tries: Counter[tuple[bool, Kind, int]] = Counter()
        self._tester = Tester(observer, self._has_time)
        self._votes: dict[Path, tuple[int, int]] = {}
        self._believe(base)

    def _believe(self, ruleset: Resolved) -> None:
        self.belief = Belief(ruleset, self._observer, self._drawn)
        self._tabu.clear()
        self._tester.forget()

    def _has_time(self) -> bool:
        return self._clock() - self._began < self._seconds and not self._observer.stopped

    # ------------------------------------------------------------------ the whole

    def run(self, broad: Callable[[], Iterable[Seen]] | None = None) -> Result:
        """Search until nothing is left to ask, or the time is over.

        `broad` asks what else is to be explained, near the end.
        """
        base = self.belief.ruleset
        self._look(self._observer.lines(self._unaimed(_PROBES)))
        self._leave_out()
        if self._observer.is_blind:
            return self._result(base)
        self._progress("trump and auction")
        self._settle(Belief.auction_fields)
        for name in list(played(base)):
            self._progress(name)
            self._settle(partial(Belief.play_fields, name=name))
        self._progress("scores")
        self._settle(Belief.match_fields)
        self._progress("everything again")
        self._settle(Belief.all_fields)
        self._progress("looking for what no house rule explains")
        if broad is not None and self._has_time():
            self._look(broad())
        self._look(self._observer.lines(self._unaimed(_UNAIMED)))
        self._settle(Belief.all_fields)
        while self._mute():
            self._settle(Belief.all_fields)
        self._settle(Belief.all_fields, large=LARGE)
        while self._mute():
            self._settle(Belief.all_fields, large=LARGE)
        if self._take_back(base):
            # What a wrong value explained may be house rules that no longer hide behind it.
            self._settle(Belief.all_fields, large=LARGE)
            self._take_back(base)
        self._simplify(base)
        return self._result(base)

    def _settle(self, fields: Callable[[Belief], list[Path]], *, large: int = SMALL) -> None:
        """Test fields, and believe what explains the answers, until nothing new comes of it.

        With `large` pools what was given up is looked into once more, and deeper.
        """
        if large > SMALL:
            self._given_up.clear()
        for _ in range(_ROUNDS):
            new = self._tester.ask(self.belief, fields(self.belief), large)
            self._look(new)
            missed = self._missed()
            if not missed and not new:
                return
            if missed:
                self._improve(missed, deep=large > SMALL)
            if not self._has_time():
                return

    def _mute(self) -> bool:
        """Leave aside a part of the views that is wrong all over, and hides the rest."""
        if not self._has_time():
            return False
        if self._leave_out():
            return True
        wrong: dict[str, list[tuple[Seen, Miss]]] = {}
        for seen in self._seen.values():
            miss = self._miss(seen)
            place = None if miss is None else mutable_place(miss)
            if miss is not None and place is not None:
                wrong.setdefault(place, []).append((seen, miss))
        place = max(wrong, key=lambda one: len(wrong[one]), default=None)
        if place is None or len(wrong[place]) < max(_MANY, _LARGE_SHARE * len(self._seen)):
            return False
        self._progress(f"leaving aside {place}")
        self._left_aside[place] = wrong[place]
        self._observer.scales.muted.add(place)
        self._judge_anew()
        return True

    def _leave_out(self) -> bool:
        """Leave out what the views never show in its form; whether there is something new."""
        if not self._observer.forms.look(self._seen.values()):
            return False
        for seen in self._seen.values():
            self._observer.forms.clean(seen)
        self._judge_anew()
        return True

    def _judge_anew(self) -> None:
        for seen in self._seen.values():
            seen.held.clear()
        self._given_up.clear()
        self._tries.clear()
        self._tester.forget()

    def _unaimed(self, count: int) -> Iterator[Line]:
        """Yield lines that were made to show nothing in particular."""
        for purpose in (AUCTION, *played(self.belief.ruleset)):
            for made in self.belief.pools.lines(purpose, count):
                yield made.line
        if "deal" in self._observer.starts:
            for made in whole_lines(self.belief.rules, count):
                yield made.line

    def _look(self, seen: Iterable[Seen]) -> None:
        for one in seen:
            self._seen[id(one)] = one

    def _miss(self, seen: Seen) -> Miss | None:
        miss = self._observer.miss(seen, self.belief.rules)
        if miss is None or "deal" in self._observer.starts:
            return miss
        # Who may bid without the cards is told by the auction; without one nothing tells it.
        return None if is_undecided(seen.deals, self.belief.rules) else miss

    def _missed(self) -> list[tuple[Seen, Miss]]:
        """Return what the ruleset does not explain and nobody has given up."""
        return [
            (seen, miss)
            for seen in self._seen.values()
            if (miss := self._miss(seen)) is not None and self._state_of(seen) not in self._given_up
        ]

    # ------------------------------------------------------------------ another ruleset

    def _improve(self, missed: list[tuple[Seen, Miss]], *, deep: bool) -> None:
        """Believe another ruleset that explains more, if dedicated lines speak for it.

        What nothing explains is given up, until something is believed that bears on it.
        """
        kept = [seen for seen in self._seen.values() if self._miss(seen) is None]
        explainer = Explainer(self._observer, self.belief.ruleset, self._has_time)
        kinds = by_kind(missed)
        for kind, group in kinds.items():
            if not self._has_time():
                return
            others = [each[0] for other, each in kinds.items() if other != kind]
            state = deep, kind, self._state_of(group[0][0])[1]
            self._tries[state] += 1
            if self._tries[state] <= _TRIES and self._first_trusted(
                explainer.best(group, others, kept, self._tabu)
            ):
                return
            if (
                deep
                and self._tries[state] <= _DEEP_TRIES
                and self._first_trusted(explainer.deeper(group, kept, self._tabu))
            ):
                return
            self._given_up |= {self._state_of(seen) for seen, _ in group}

    def _state_of(self, seen: Seen) -> tuple[int, int]:
        """Return a question with everything in the belief that its answer depends on."""
        return id(seen), self._observer.houses.scope(self.belief.rules, seen.scope)

    def _first_trusted(self, found: list[Judged]) -> bool:
        for one in found:
            if not self._has_time():
                return False
            for_it, against = self._vote(one)
            if not for_it and not against and one.net > 0:
                # No line can be made to show it, as what takes a whole game: what was seen counts.
                for_it = one.net
            if for_it and against * _TRUSTED <= for_it and is_sensible(one.ruleset):
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
        for tells_here in self.belief.ballot([path for path, _ in one.change], one.rules):
            for_it = against = 0
            for question in self._observer.lines(tell.line for tell in tells_here):
                self._look([question])
                if question.fault:
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

    # ------------------------------------------------------------------ the end

    def _take_back(self, base: Resolved) -> bool:
        """Where bugs are about, return to the base in fields that could not be trusted any more.

        A bug can look like a house rule in the few lines that led to one. Returns whether there
        was such a field.
        """
        before = self.belief.ruleset
        for path in differing(self.belief.ruleset, base):
            if not self._has_time() or all(self._miss(one) is None for one in self._seen.values()):
                break
            if path[-1] in ("above", "played"):
                continue
            ruleset = changed(self.belief.ruleset, path, value_at(base, path))
            rules = self._observer.houses.rules(ruleset)
            groups = self.belief.ballot([path], rules, most=_RECOUNT)
            self._look(self._observer.lines(tell.line for group in groups for tell in group))
            now = then = 0
            for question in self._seen.values():
                if not question.fault:
                    ours, theirs = self._miss(question), self._observer.miss(question, rules)
                    now += _further(ours, theirs)
                    then += _further(theirs, ours)
            self._votes[path] = (now, then)
            if then * _TRUSTED > now:
                self._believe(ruleset)
        return self.belief.ruleset is not before

    def _simplify(self, base: Resolved) -> None:
        """Believe what plays alike and is nearer to the base, unless what was seen denies it.

        Deals that no auction leads to, as a contract in the hands of a seat that cannot bid it,
        may tell two rulesets apart that otherwise play alike.
        """
        simpler = simplest(self.belief.ruleset, base)
        rules = self._observer.houses.rules(simpler)
        if simpler is not self.belief.ruleset and not any(
            self._observer.miss(seen, rules) is not None
            for seen in self._seen.values()
            if self._miss(seen) is None
        ):
            self._believe(simpler)

    def _witnesses(self, base: Resolved) -> dict[Path, Seen]:
        """Return for every field that is not that of the base a deal that rules the base's out."""
        explained = [one for one in self._seen.values() if not one.fault and not self._miss(one)]
        explained.sort(key=lambda one: one.moves)
        found = {}
        for path in differing(self.belief.ruleset, base):
            if path[0] == "contracts" and path[1] not in base["contracts"]:
                continue
            value = value_in_file(base, path)
            known = self._tester.witness(self.belief, path, value)
            if known is None:
                other = self.belief.rules_with(path, value)
                known = next((one for one in explained if self._observer.miss(one, other)), None)
            if known is not None:
                found[path] = known
        return found

    def _result(self, base: Resolved) -> Result:
        seen_fields, unseen, unsure = not_ruled_out(self.belief, self._tester)
        seen = self._seen.values()
        rules = self.belief.rules
        bugs = [
            (one, miss)
            for one in seen
            if (miss := self._miss(one)) is not None and not is_undecided(one.deals, rules)
        ]
        bugs.sort(key=lambda pair: pair[0].moves)
        return Result(
            ruleset=self.belief.ruleset,
            witnesses=self._witnesses(base),
            observed=seen_fields,
            unseen=unseen,
            unsure=unsure,
            bugs=bugs,
            asked=self._observer.asked,
            seconds=self._clock() - self._began,
            finished=self._has_time(),
            votes=self._votes,
            left_aside=self._left_aside,
        )


def _further(one: Miss | None, other: Miss | None) -> bool:
    """Whether one ruleset explains more of a question than another."""
    if one is None or other is None:
        return one is None and other is not None
    return one.share > other.share
