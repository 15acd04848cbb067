"""The plan of a run: whether a scenario applies, how it is asked, how the table is turned.

Scenario -> prepared under the ruleset -> fitted to the engine -> turned; what need not be asked is
judged already.

A blind plan makes answers that were learnt by heart useless: the order is shuffled, seats and suits
are renamed (the rules know no difference between suits, nor between seats but for the dealer), and
a sample is asked again when everything else has been, since an engine must not remember.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bauernschnapsen.notation import SUITS
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, vary

from ..adapter.handshake import Capabilities, Hello
from ..corpus import Item, PositionCase, prepare, untrue
from ..corpus.lint import describe
from ..corpus.reference import HOME_RULESET, Unplayable
from .fitting import CannotBeAsked, NotApplicable, fit
from .levels import Level, level_of
from .queries import query_body
from .tasks import Query, Task
from .turning import Turning, turn
from .verdicts import Judgement, Verdict

DEFAULT_SEED = 1
REPEATED_SHARE = 0.05


class BrokenSuite(Exception):
    """A scenario does not hold under the rules it belongs to; exit code 2."""


class Plan:
    """All tasks of a run, each made when it is needed first, and the order they are asked in.

    So the first question need not wait until the last scenario has been played in the reference
    engine. The order depends on nothing but the seed and the number of items.
    """

    def __init__(
        self,
        items: Sequence[Item],
        make: Callable[[int, Item], Task],
        rules: Rules,
        *,
        seed: int,
        blind: bool = False,
        notes: Sequence[str] = (),
    ) -> None:
        """Take the items of a run and what makes the task of an item, given its number."""
        self.rules = rules
        self.seed = seed
        self.blind = blind
        self.notes = list(notes)
        self._items = items
        self._make = make
        self._made: list[Task | None] = [None] * len(items)
        self._order = list(range(len(items)))
        if blind:
            random.Random(f"{seed} order").shuffle(self._order)

    def __len__(self) -> int:
        """Return the number of tasks, those that need not be asked among them."""
        return len(self._items)

    def task(self, number: int) -> Task:
        """Return the task of a number; BrokenSuite as in `plan_run`."""
        task = self._made[number]
        if task is None:
            task = self._made[number] = self._make(number, self._items[number])
        return task

    @property
    def tasks(self) -> list[Task]:
        """All tasks in the order of the corpus."""
        return [self.task(number) for number in range(len(self))]

    def in_order(self) -> Iterator[Task]:
        """Yield all tasks in the order of asking, each made only then."""
        return map(self.task, self._order)

    @property
    def asked(self) -> list[Task]:
        """What is to be asked, in that order."""
        return [task for task in self.in_order() if task.done is None]

    @property
    def queries(self) -> list[Task]:
        """What is to be asked as a query, in that order; made without any scenario being played."""
        positions = [n for n in self._order if isinstance(self._items[n], PositionCase)]
        return [task for task in map(self.task, positions) if task.query is not None]

    @property
    def repeated(self) -> list[Task]:
        """What is asked again at the end: a sample of what was asked, if blind."""
        tasks = [task for task in self.tasks if task.done is None]
        if not self.blind or not tasks:
            return []
        number = max(1, round(len(tasks) * REPEATED_SHARE))
        return random.Random(f"{self.seed} sample").sample(tasks, number)


def engine_ruleset(ruleset: Resolved, claims: str) -> Resolved:
    """Return the ruleset as an engine plays it: deals may end by themselves instead of by a claim.

    A configurable engine is sent this one.
    """
    if claims == "automatic" and ruleset["options"]["claim_mode"] == "called":
        return vary(ruleset, {"options": {"claim_mode": "automatic"}})
    return ruleset


def plan_run(
    items: Sequence[Item],
    ruleset: Resolved,
    hello: Hello,
    *,
    seed: int = DEFAULT_SEED,
    blind: bool = False,
    rules_refused: str | None = None,
) -> Plan:
    """Plan, item by item, whether it applies, how it is asked and how the table is turned.

    `rules_refused`: why the engine does not take the ruleset; then there is nothing to ask it.
    Where an item does not hold under its own ruleset, making its task raises BrokenSuite.
    """
    able = hello.capabilities
    rules = compile_rules(ruleset)
    played = engine_ruleset(ruleset, able.claims)
    engine_rules = rules if played is ruleset else compile_rules(played)

    def make(number: int, item: Item) -> Task:
        home = not item.under and ruleset["ruleset"] == HOME_RULESET
        task = plan_item(item, rules, engine_rules, able, number=number, home=home)
        if rules_refused is not None and not (
            task.done is not None and task.done.verdict is Verdict.NOT_APPLICABLE
        ):
            reason = f"the ruleset is not taken: {rules_refused}"
            task = _judged(task, Verdict.UNSUPPORTED, reason)
        if task.done is None:
            task = replace(task, turning=turning_of(item, rules, seed=seed, blind=blind))
        return task

    notes = _notes(able, changed=played is not ruleset, rules_refused=rules_refused)
    if rules.seats not in able.players:
        has = " and ".join(map(str, able.players)) or "nobody"
        notes.insert(
            0,
            f"{rules.name} is for {rules.seats} players, the engine for {has} "
            "(capabilities.players): nothing can be asked",
        )
    return Plan(items, make, rules, seed=seed, blind=blind, notes=notes)


def turning_of(item: Item, rules: Rules, *, seed: int, blind: bool) -> Turning:
    """Return how the table is turned for an item: chosen by the seed and the id, nothing else."""
    chooser = random.Random(f"{seed} {item.id}")
    places = chooser.randrange(rules.seats)
    suits = "".join(chooser.sample(SUITS, len(SUITS))) if blind else SUITS
    partners = rules.options.sides == "partners"
    return turn(places, seats=rules.seats, partners=partners, suits=suits)


def body_of(task: Task, turning: Turning | None = None) -> dict[str, object]:
    """Return the body of the request for a task alone, with its table turned."""
    turning = turning or task.turning
    assert turning is not None
    if task.query is not None:
        return query_body([replace(task, turning=turning)])
    assert task.prepared is not None
    return {"op": "replay", "deals": turning.deals(task.prepared.deals)}


def _notes(able: Capabilities, *, changed: bool, rules_refused: str | None) -> list[str]:
    notes = []
    if rules_refused is not None:
        notes.append(f"the engine is configurable but does not take the ruleset: {rules_refused}")
    if changed:
        notes.append("deals end by themselves: judged with claim_mode automatic")
    elif able.claims == "none":
        notes.append("the engine has no claims: scenarios that need one are unsupported")
    if not able.enforces:
        notes.append("the engine enforces nothing: it is held to what it offers its players")
    if able.starts == ("contract",):
        notes.append("the engine starts from a contract: trump choice and auction are not shown")
    elif able.starts == ("deal",):
        notes.append("the engine starts from the deal: contracts no auction leads to are not shown")
    elif not able.starts:
        notes.append("the engine answers queries only: level 1 is judged by them alone")
    return notes


def plan_item(
    item: Item,
    rules: Rules,
    engine_rules: Rules,
    able: Capabilities,
    *,
    number: int = 0,
    home: bool = False,
) -> Task:
    """Return an item as a task without a turning, or judged already.

    `rules` are those it must hold under, `engine_rules` those the engine plays by. Raises
    BrokenSuite where it does not hold although it is at `home` there.
    """
    if isinstance(item, PositionCase) and _has_query(item, rules, able):
        query = Query.of(item, rules)
        task = Task(number, item, Level.TRICKS, query=query)
        wrong = query.untrue(rules)
        if wrong is None:
            return task
        if home:
            raise BrokenSuite(f"{item.origin.file}:{item.origin.line}: {item.id}: {wrong}")
        return _judged(task, Verdict.NOT_APPLICABLE, wrong)
    task = Task(number, item, Level.TRICKS)
    try:
        prepared = prepare(item, rules)
    except Unplayable as reason:
        if home:
            raise BrokenSuite(f"{item.id}: {reason}") from None
        return _judged(task, Verdict.NOT_APPLICABLE, str(reason))
    task = replace(task, prepared=prepared, level=level_of(prepared))
    faults = untrue(prepared)
    if faults and home:
        where = f"{item.origin.file}:{item.origin.line}"
        raise BrokenSuite(f"{where}: {item.id}: {describe(prepared, faults[0])}")
    if faults:
        return _judged(task, Verdict.NOT_APPLICABLE, "does not hold under these rules")
    try:
        fitted = fit(prepared, engine_rules, able)
    except CannotBeAsked as reason:
        return _judged(task, Verdict.UNSUPPORTED, str(reason), excused=reason.part != task.level)
    except NotApplicable as reason:
        return _judged(task, Verdict.NOT_APPLICABLE, str(reason))
    return replace(task, prepared=fitted.prepared, level=fitted.level, skip=fitted.skip)


def _has_query(item: PositionCase, rules: Rules, able: Capabilities) -> bool:
    asks = able.legal_plays if item.seat else able.trick_winner
    return asks and rules.seats in able.players


def _judged(task: Task, verdict: Verdict, reason: str, *, excused: bool = False) -> Task:
    judgement = Judgement(task.item, verdict, task.level, reason, excused=excused)
    return replace(task, prepared=None, query=None, done=judgement)
