"""Identify an engine from start to end: start it, search, and gather what is to be said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import bauernschnapsen
from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from ..adapter import AdapterCommand, Breaker, Limits, Session, Suite
from ..run.engine import Engine
from .asking import SEATS, Asked, Observer
from .broad import suite_questions
from .fields import Path, changed
from .findings import Bug, Value, bugs_of, values_of_profile
from .forms import Misshapen
from .result import Result
from .ruleset_file import as_file, base_of_file
from .search import Search
from .seen import Seen

_CORE = ("to_act", "legal", "contract", "points", "tricks", "outcome", "scores", "game")
_MOST_SAID = 3


@dataclass(slots=True)
class Trouble:
    """What went wrong instead of answers, how often, and the shortest deal."""

    what: str
    count: int
    seen: Seen
    needs: frozenset[str]
    """What any of these deals needs; see `caution`."""


@dataclass(slots=True)
class Findings:
    """All that `identify` reports about an engine."""

    engine: str
    base: Resolved
    result: Result
    values: list[Value]
    bugs: list[Bug]
    troubles: list[Trouble]
    misshapen: list[Misshapen]
    """Parts of the views that are never of the form of the protocol: judged without them."""
    left_alone: list[str]
    """What the engine was not asked any more, since it breaks down over it."""
    never_shown: list[str]
    """Core keys of views that the engine leaves out."""
    nothing: str
    """Why nothing could be determined; '' if something could."""
    stopped: str | None

    @property
    def ruleset(self) -> Resolved:
        """The profile, resolved."""
        return self.result.ruleset

    @property
    def rules(self) -> Rules:
        """The profile, ready for play."""
        return compile_rules(self.result.ruleset)

    @property
    def exit_code(self) -> int:
        """0: house rules explain everything; 1: bugs, or nothing found out; 4: stopped."""
        if self.stopped:
            return 4
        return 1 if self.bugs or self.troubles or self.misshapen or self.nothing else 0

    def file(self, name: str) -> str:
        """Return the profile as a ruleset file."""
        return as_file(self.result.ruleset, base_of_file(self.base), name, self.engine)


def identify(
    engine: Engine,
    base: Resolved,
    *,
    seconds: float,
    timeout_scale: float = 1.0,
    suite: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Findings:
    """Start an engine and find its house rules. AdapterError if it does not start."""
    limits = Limits(timeout_scale=timeout_scale)
    about = Suite(bauernschnapsen.__version__, "")
    if engine.python is not None:
        from ..run.in_process import PythonEngine, load_engine

        breaker = Breaker(in_a_row=limits.faults_in_a_row, in_all=limits.faults_in_all)
        asked = PythonEngine(
            load_engine(engine.python), suite=about, limits=limits, breaker=breaker, rules=base
        )
        asked.start()
        return identify_started(asked, base, seconds=seconds, suite=suite, progress=progress)
    with Session(AdapterCommand(engine.argv), limits=limits, suite=about, rules=base) as session:
        session.start()
        return identify_started(session, base, seconds=seconds, suite=suite, progress=progress)


def identify_started(
    asked: Asked,
    base: Resolved,
    *,
    seconds: float,
    suite: bool = True,
    progress: Callable[[str], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Findings:
    """Find the house rules of an engine that has shaken hands."""
    observer = Observer(asked)
    first = _first_belief(base, observer)
    search = Search(
        observer, first, seconds=seconds, progress=progress or (lambda _: None), clock=clock
    )
    result = search.run((lambda: suite_questions(observer)) if suite else None)
    hello = asked.hello
    nothing = _why_nothing(observer, result)
    rules = observer.houses.rules(result.ruleset)
    troubles = list(_troubles(observer, rules))
    return Findings(
        engine=f"{hello.engine.name} {hello.engine.version}",
        base=base,
        result=result,
        values=[] if nothing else list(values_of_profile(result, base)),
        bugs=[] if nothing else bugs_of(result, rules),
        troubles=troubles,
        misshapen=list(observer.forms.misshapen.values()),
        left_alone=[
            one
            for one in observer.caution.left_alone
            if not nothing and any(one in trouble.needs for trouble in troubles)
        ],
        never_shown=[key for key in _CORE if not observer.shown[key]],
        nothing=nothing,
        stopped=observer.stopped,
    )


def _first_belief(base: Resolved, observer: Observer) -> Resolved:
    """Begin with what the engine says of itself."""
    if observer.claims == "automatic":
        return changed(base, ("options", "claim_mode"), "automatic")
    return base


def _troubles(observer: Observer, rules: Rules) -> Iterator[Trouble]:
    """Yield what went wrong; an error is no trouble where the profile cannot play the deal."""
    for what, questions in observer.faults.items():
        is_error = what.startswith("error")
        seen = [one for one in questions if not is_error or _can_play(rules, one)]
        if seen:
            shortest = min(seen, key=lambda one: one.moves)
            needs = frozenset[str]().union(*(one.needs for one in seen))
            yield Trouble(what, len(seen), shortest, needs)


def _can_play(rules: Rules, seen: Seen) -> bool:
    try:
        replay(rules, seen.deals)
    except SpecError:
        return False
    return True


def _why_nothing(observer: Observer, result: Result) -> str:
    """Return why nothing could be determined; '' if something could."""
    if result.observed:
        return ""
    if SEATS not in observer.players:
        players = " or ".join(map(str, sorted(observer.players))) or "no"
        return (
            f"the engine is for {players} players (capability players), and identify knows the "
            "house rules of tables of four only"
        )
    if not observer.starts:
        return "the adapter takes no deals at all (capability starts); queries show no house rules"
    if not observer.shown:
        said = [f"{text!r} ({count} times)" for text, count in observer.said.most_common()]
        said += [f"{text} ({len(seen)} times)" for text, seen in observer.faults.items()]
        if said:
            return "the engine gave no views: " + "; ".join(said[:_MOST_SAID])
        return "the views that the engine gave show nothing"
    if observer.is_blind:
        return "nothing in the views that the engine gave has the form that the protocol says"
    return "nothing that the engine shows rules anything out"


def paths_by_reason(result: Result) -> dict[str, list[Path]]:
    """Return the fields that cannot be observed, by the reason."""
    found: dict[str, list[Path]] = {}
    for path, reason in result.unseen.items():
        found.setdefault(reason, []).append(path)
    return found


def as_json(found: Findings, text: str) -> dict[str, Any]:
    """Return the findings for a program; `text` is the profile as a file."""
    from .fields import name_of

    return {
        "profile": None if found.nothing else text,
        "ruleset": None if found.nothing else found.ruleset,
        "nothing_determined": found.nothing or None,
        "values": [
            {
                "field": one.name,
                "value": one.value,
                "instead_of": one.instead_of,
                "sureness": one.sureness,
                "deals_for": one.votes and one.votes[0],
                "deals_against": one.votes and one.votes[1],
                "rule": one.rule,
                "sources": list(one.sources),
                "suspicion": one.suspicion or None,
                "witness": None if one.witness is None else one.witness.deals,
            }
            for one in found.values
        ],
        "observed": [name_of(path) for path in found.result.observed],
        "not_observed": {
            reason: [name_of(path) for path in paths]
            for reason, paths in paths_by_reason(found.result).items()
        },
        "not_ruled_out": [[name_of(path), value] for path, value in found.result.unsure],
        "never_shown": found.never_shown,
        "bugs": [
            {
                "rule": bug.rule,
                "deals": bug.count,
                "scenario": bug.seen.title or None,
                "witness": bug.seen.deals,
                "view": [bug.miss.deal, bug.miss.view],
                "differences": [
                    {"where": one.where, "expected": one.expected, "got": one.got}
                    for one in bug.miss.differences
                ],
            }
            for bug in found.bugs
        ],
        "misshapen": {one.key: one.why for one in found.misshapen},
        "left_aside": list(found.result.left_aside),
        "troubles": [
            {"what": one.what, "deals": one.count, "witness": one.seen.deals}
            for one in found.troubles
        ],
        "left_alone": found.left_alone,
        "asked": found.result.asked,
        "seconds": round(found.result.seconds, 1),
        "finished": found.result.finished,
        "stopped": found.stopped,
    }
