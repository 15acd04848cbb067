"""The pipe: requests per second beside what the pipe itself and a loop without checks can do."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable
from itertools import islice

from bauernschnapsen.notation import DEALS, deal_of_number, format_card
from bauernschnapsen.ruleset import rules_of

from ..adapter import AdapterCommand, Request, Session
from ..exhaustive.asking import LEGAL, Batch, Tally, batches, sweep
from ..exhaustive.situations import kinds
from ..run.collector import rare_collections
from .canned import canned_adapter
from .deals import measure_comparing
from .rows import Row, Section
from .session import measure_session

SITUATIONS = 2_666_020
"""Hands, suits led, winning cards and trumps: every concrete trick situation of four players."""
_SERVE = (sys.executable, "-m", "bauernschnapsen_conformance", "serve")


def measure_pipe(scale: float = 1.0) -> Section:
    """Return requests, whole deals and situations per second through a pipe, wall clock."""
    count = max(400, int(10_000 * scale))
    rows = []
    for window, target in ((1, 8000), (16, 15_000)):
        found = measure_session(window, count // 2)
        shares = (
            f"{found.share_of_raw:.0%} of the bare pipe; CPU of the runner "
            f"{1 / found.share:.1f} times that of a loop without checks"
        )
        rate = found.session
        name = f"Requests of one case, window {window}"
        rows.append(Row(name, f"{rate:,.0f}", shares, f"{target:,}", rate >= target))
        if window == 1:
            over = Row(
                "What the runner adds to a loop without checks",
                f"{max(found.overhead, 0):.0f} us",
                "of CPU time each, window 1",
                "60 us",
                found.overhead <= 60,
            )
    rows += [over, *measure_comparing(count), _replays(count // 4), *_situations(scale)]
    return Section("Through the pipe, per second of wall clock", tuple(rows))


def _replays(count: int) -> Row:
    chooser = random.Random(2)
    bodies = []
    for _ in range(count):
        hands = deal_of_number(chooser.randrange(DEALS))
        deal = {
            "dealer": "W",
            "hands": {seat: [*map(format_card, hands[place])] for place, seat in enumerate("NESW")},
            "scores": {"NS": 0, "EW": 0},
            "actions": [],
        }
        bodies.append({"op": "replay", "deals": [deal]})
    with Session(AdapterCommand(_SERVE)) as session:
        session.start()
        begun = time.perf_counter()
        answered = sum(1 for _ in session.ask(Request(n, body) for n, body in enumerate(bodies)))
        seconds = time.perf_counter() - begun
    return Row("Replays through `serve`", f"{answered / seconds:,.0f}", "one view each")


def _situations(scale: float) -> list[Row]:
    """Return how fast all trick situations go to an engine that has its answers ready, and to ours.

    A part of them is asked; what all take is worked out from it.
    """
    rules = rules_of("pagat")
    some = list(islice(batches(rules, kinds(rules), LEGAL), 100, 100 + max(20, int(400 * scale))))
    cases = sum(len(batch.cases) for batch in some)
    runner = _runner_alone(some)
    spent, wall = _asked(some)
    making = _making(len(some), cases)
    each = making + runner
    return [
        Row(
            "Trick situations, asked and compared",
            f"{1 / each:,.0f}",
            f"per CPU second of the runner: all {SITUATIONS:,} in {SITUATIONS * each:.1f} s",
            "10 s",
            SITUATIONS * each <= 10,
        ),
        Row(
            "Trick situations through `serve`",
            f"{cases / wall:,.0f}",
            f"{spent / cases * 1e6:.1f} us of the runner each; the engine is the slower of the two",
        ),
    ]


def _making(lists: int, cases: int) -> float:
    """Return CPU seconds of making one case."""
    rules = rules_of("pagat")
    with rare_collections():
        begun = time.process_time()
        made = sum(
            len(batch.cases) for batch in islice(batches(rules, kinds(rules), LEGAL), 100 + lists)
        )
        return (time.process_time() - begun) / max(made, cases)


def _runner_alone(some: list[Batch]) -> float:
    """Return CPU seconds of asking and comparing one case, the answers being ready."""
    replies: list[dict[str, object]] = [{"ok": list(batch.answers)} for batch in some]
    with canned_adapter(replies) as command:
        spent, _ = _asked(some, command.argv)
    return spent / sum(len(batch.cases) for batch in some)


def _asked(some: Iterable[Batch], argv: tuple[str, ...] = _SERVE) -> tuple[float, float]:
    """Return CPU seconds of the runner and wall seconds; RuntimeError if an answer is wrong."""
    rules = rules_of("pagat")
    tally = Tally()
    with rare_collections(), Session(AdapterCommand(argv)) as session:
        session.start()
        begun, spent = time.perf_counter(), time.process_time()
        sweep(session, some, rules, tally)
        spent, wall = time.process_time() - spent, time.perf_counter() - begun
    if not tally.complete:
        raise RuntimeError(f"not all situations were answered rightly: {tally}")
    return spent, wall
