"""The scenarios of other house rules, put to an engine that plays whatever it is told.

A scenario that needs a house rule says so (`under`) and does not apply where the rule is not
played. An engine that takes a ruleset over the wire can be asked all the same: under the rules the
scenario belongs to, in a process of its own for each set of rules. What it gets right there is
counted apart; no level depends on it, for nobody need play more than one table's rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bauernschnapsen.ruleset import Resolved

from ..adapter.faults import AdapterError
from ..corpus import Item
from ..corpus.reference import home_of
from .asked import Asked
from .outcome import HouseRules, Report, Table
from .plan import plan_run
from .runner import run_plan
from .verdicts import Judgement, Verdict

if TYPE_CHECKING:
    from ..adapter.handshake import Hello

Json = dict[str, Any]
Opener = Callable[[Resolved], AbstractContextManager[Asked]]
"""Starts the engine under a ruleset; it is ended on the way out."""
Ticks = Callable[[str, int], None]
SECTION = "house rules"


def tables_beside(ruleset: Resolved, items: Iterable[Item]) -> list[tuple[Resolved, list[Item]]]:
    """Return the other tables for as many players, each with the items that belong to it."""
    seats = ruleset["options"]["seats"]
    own = _played(ruleset)
    tables: dict[str, tuple[Resolved, list[Item]]] = {}
    for item in items:
        home = home_of(item)
        key = _played(home)
        if home["options"]["seats"] == seats and key != own:
            tables.setdefault(key, (home, []))[1].append(item)
    return list(tables.values())


def ask_house_rules(
    items: Iterable[Item],
    ruleset: Resolved,
    hello: Hello,
    opened: Opener,
    *,
    seed: int,
    blind: bool,
    ticks: Ticks | None = None,
) -> HouseRules:
    """Put every item of another table to the engine, under the rules it belongs to.

    `hello`: what the engine said of itself in the run this belongs to; it must stay the same.
    An interrupt (Ctrl-C) ends it. BrokenSuite as in `plan_run`.
    """
    able = hello.capabilities
    if not able.configurable:
        return HouseRules(reason="the engine takes no ruleset (capabilities.configurable)")
    if ruleset["options"]["seats"] not in able.players:
        seats = ruleset["options"]["seats"]
        return HouseRules(reason=f"the engine has no deals for {seats} players")
    done: list[Table] = []
    for home, inside in tables_beside(ruleset, items):
        stopped = None
        try:
            with opened(home) as session:
                unlike = hello.unlike(session.hello)
                if unlike is None:
                    done.append(_ask(home, inside, session, seed=seed, blind=blind))
                    stopped = session.stopped
        except AdapterError as error:
            done.append(_not_started(home, inside, hello, error, seed=seed))
            continue
        except KeyboardInterrupt:
            return HouseRules(tuple(done), stopped="interrupted")
        if unlike is not None:
            stopped = f"the adapter is another one under other rules: {unlike}"
        if stopped is not None:
            return HouseRules(tuple(done), stopped=stopped)
        if ticks is not None:
            ticks(SECTION, len(inside))
    return HouseRules(tuple(done))


def with_house_rules(
    report: Report, items: Iterable[Item], opened: Opener, *, ticks: Ticks | None = None
) -> Report:
    """Return a report with the scenarios of other tables asked too, as the run itself was made.

    A run that has been stopped is left as it is.
    """
    if report.stopped is not None:
        return report
    house = ask_house_rules(
        report.selection.chosen(items),
        report.ruleset,
        report.hello,
        opened,
        seed=report.seed,
        blind=report.blind,
        ticks=ticks,
    )
    faults = tuple(fault for table in house.tables for fault in table.faults)
    return replace(
        report, house_rules=house, stopped=house.stopped, faults=(*report.faults, *faults)
    )


def _ask(home: Resolved, items: list[Item], session: Asked, *, seed: int, blind: bool) -> Table:
    plan = plan_run(
        items,
        home,
        session.hello,
        seed=seed,
        blind=blind,
        rules_refused=session.rules_refused,
    )
    return Table(home, tuple(run_plan(plan, session)), tuple(session.faults))


def _not_started(
    home: Resolved, items: list[Item], hello: Hello, error: AdapterError, *, seed: int
) -> Table:
    """Charge an engine that does not start under some rules with all that is asked there."""
    tasks = plan_run(items, home, hello, seed=seed).tasks
    return Table(
        home,
        tuple(
            task.done or Judgement(task.item, Verdict.ERROR, task.level, str(error))
            for task in tasks
        ),
    )


def _played(ruleset: Mapping[str, Any]) -> str:
    """Return what is played, so that the same rules under another name are the same."""
    return json.dumps([list(ruleset["contracts"].items()), ruleset["options"]], sort_keys=True)
