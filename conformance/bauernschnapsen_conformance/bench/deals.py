"""How many whole deals per second the runner compares, view by view, with an engine beside it.

The engine is as fast as one can be: it has its replies ready. What is measured is the runner: it
sends, reads, decodes, and holds every view of a deal against the expected one.
"""

from __future__ import annotations

import random
import time
from typing import Any

from bauernschnapsen import table
from bauernschnapsen.notation import (
    DEALS,
    deal_of_number,
    format_action,
    format_card,
    seat_letters,
)
from bauernschnapsen.position import OVER
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import rules_of

from ..adapter import AdapterCommand, Request, Session
from ..corpus import Prepared, Scenario
from ..run.collector import rare_collections
from ..run.verdicts import Verdict, judge_reply
from .canned import canned_adapter
from .rows import Row

Json = dict[str, Any]
DIFFERENT = 300


def measure_comparing(count: int) -> list[Row]:
    """Return rows for the bench: whole deals compared through a pipe, and comparing alone."""
    prepared = _deals()
    views = sum(len(one.expected[0]) for one in prepared) / len(prepared)
    # An engine lists actions in an order of its own, so no view is equal as it stands.
    replies = [{"ok": _reordered(one.expected)} for one in prepared]
    with canned_adapter(replies) as command:
        wall, cpu = _through_a_pipe(command, prepared, count)
    answers = [{"ok": _reordered(one.expected)} for one in prepared]
    with rare_collections():
        begun = time.process_time()
        for number in range(count):
            place = number % len(prepared)
            judge_reply(prepared[place], answers[place], reasons=True)
        alone = count / (time.process_time() - begun)
    return [
        Row(
            "Whole deals compared, view by view",
            f"{cpu:,.0f}",
            f"per CPU second of the runner, {views:.0f} views each; {wall:,.0f} by the wall clock",
            "5,000",
            cpu >= 5000,
        ),
        Row(
            "Comparing alone, per CPU second",
            f"{alone:,.0f}",
            f"{1e6 / alone / views:.1f} us a view",
        ),
    ]


def _through_a_pipe(
    command: AdapterCommand, prepared: list[Prepared], count: int
) -> tuple[float, float]:
    requests = (
        Request(number, {"op": "replay", "deals": prepared[number % len(prepared)].deals})
        for number in range(count)
    )
    with rare_collections(), Session(command) as session:
        session.start()
        begun, spent = time.perf_counter(), time.process_time()
        passed = 0
        for answer in session.ask(requests):
            assert isinstance(answer.key, int) and answer.reply is not None
            one = prepared[answer.key % len(prepared)]
            passed += judge_reply(one, answer.reply, reasons=True).verdict is Verdict.PASS
        wall, cpu = time.perf_counter() - begun, time.process_time() - spent
    if passed != count:
        raise RuntimeError(f"{count - passed} of {count} deals were not found equal")
    return count / wall, count / cpu


def _deals() -> list[Prepared]:
    """Random deals from the trump choice to the score, with what the reference engine shows."""
    rules = rules_of("pagat")
    letters = seat_letters(rules.seats)
    chooser = random.Random(4)
    item = Scenario("bench.deal", "", "", {}, (), ())
    found = []
    for number in range(DIFFERENT):
        hands = deal_of_number(chooser.randrange(DEALS))
        position = table.new_deal(rules, number % 4, hands)
        actions = []
        while position.phase != OVER:
            legal = table.legal_actions(position)
            seat = chooser.choice(list(legal))
            action = chooser.choice(legal[seat])
            actions.append([letters[seat], format_action(action)])
            position = table.apply(position, seat, action)
        deal: Json = {
            "dealer": letters[number % 4],
            "hands": {
                letter: [format_card(card) for card in hand]
                for letter, hand in zip(letters, hands, strict=True)
            },
            "scores": {"NS": 0, "EW": 0},
            "actions": actions,
        }
        found.append(Prepared(item, [deal], replay(rules, [deal]), []))
    return found


def _reordered(expected: list[list[Json]]) -> list[list[Json]]:
    return [
        [
            {**view, "legal": {seat: actions[::-1] for seat, actions in view["legal"].items()}}
            for view in deal
        ]
        for deal in expected
    ]
