"""The plan of a run: whether a scenario applies, how it is asked, how the table is turned.

Scenario -> prepared under the ruleset -> fitted to the engine -> turned; what need not be asked is
judged already.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, vary

from .adapter.handshake import Hello
from .corpus import Item, PositionCase, Prepared, prepare, untrue
from .corpus.lint import describe
from .corpus.reference import HOME_RULESET, Unplayable
from .fitting import CannotBeAsked, NotApplicable, fit_claims, fit_start
from .levels import Level, level_of
from .queries import Query
from .turning import Turning, turn
from .verdicts import Judgement, Verdict

DEFAULT_SEED = 1


class BrokenSuite(Exception):
    """A scenario does not hold under the rules it belongs to; exit code 2."""


@dataclass(frozen=True, slots=True)
class Task:
    """One scenario ready to be asked, or already judged because it need not be."""

    number: int
    item: Item
    level: Level
    prepared: Prepared | None = None
    turning: Turning | None = None
    query: Query | None = None
    done: Judgement | None = None


@dataclass(slots=True)
class Plan:
    """All tasks of a run, in the order of the corpus."""

    tasks: list[Task]
    rules: Rules
    seed: int
    notes: list[str] = field(default_factory=list)


def plan_run(
    items: Sequence[Item], ruleset: Resolved, hello: Hello, *, seed: int = DEFAULT_SEED
) -> Plan:
    """Decide for every item whether it applies, how it is asked and how the table is turned.

    Raises BrokenSuite where an item does not hold under its own ruleset.
    """
    claims = hello.capabilities.claims
    notes = []
    rules = compile_rules(ruleset)
    engine_rules = rules
    if claims == "automatic" and rules.options.claim_mode == "called":
        engine_rules = compile_rules(vary(ruleset, {"options": {"claim_mode": "automatic"}}))
        notes.append("claims are automatic: judged with claim_mode automatic")
    elif claims == "none":
        notes.append("the engine has no claims: scenarios that need one are unsupported")
    tasks = []
    for number, item in enumerate(items):
        task = _plan_item(number, item, rules, ruleset["ruleset"])
        if task.done is None:
            task = _fit(task, engine_rules, hello)
        if task.done is None and task.query is None:
            chooser = random.Random(f"{seed} {item.id}")
            places = chooser.randrange(rules.seats)
            partners = rules.options.sides == "partners"
            turning = turn(places, seats=rules.seats, partners=partners)
            task = replace(task, turning=turning)
        tasks.append(task)
    return Plan(tasks, rules, seed, notes)


def _plan_item(number: int, item: Item, rules: Rules, name: str) -> Task:
    home = not item.under and name == HOME_RULESET
    try:
        prepared = prepare(item, rules)
    except Unplayable as reason:
        if home:
            raise BrokenSuite(f"{item.id}: {reason}") from None
        return _judged(number, item, Level.TRICKS, Verdict.NOT_APPLICABLE, str(reason))
    level = level_of(prepared)
    wrong = untrue(prepared)
    if wrong and home:
        where = f"{item.origin.file}:{item.origin.line}"
        raise BrokenSuite(f"{where}: {item.id}: {describe(prepared, wrong[0])}")
    if wrong:
        return _judged(
            number, item, level, Verdict.NOT_APPLICABLE, "does not hold under these rules"
        )
    return Task(number, item, level, prepared)


def _judged(number: int, item: Item, level: Level, verdict: Verdict, reason: str) -> Task:
    return Task(number, item, level, done=Judgement(item, verdict, level, reason))


def _fit(task: Task, rules: Rules, hello: Hello) -> Task:
    """Choose between query and replay, and fit the replay to what the engine takes."""
    able = hello.capabilities
    assert task.prepared is not None
    item = task.item
    asks = able.legal_plays if isinstance(item, PositionCase) and item.seat else able.trick_winner
    if isinstance(item, PositionCase) and asks:
        return replace(task, query=Query.of(item, rules))
    try:
        prepared = fit_claims(task.prepared, rules, able.claims)
        prepared = fit_start(prepared, rules, able.starts)
        if len(prepared.deals) > 1 and not able.match:
            raise CannotBeAsked("no match: one deal at a time")
    except CannotBeAsked as reason:
        judged = Judgement(item, Verdict.UNSUPPORTED, task.level, str(reason))
        return replace(task, done=judged)
    except NotApplicable as reason:
        judged = Judgement(item, Verdict.NOT_APPLICABLE, task.level, str(reason))
        return replace(task, done=judged)
    return replace(task, prepared=prepared)
