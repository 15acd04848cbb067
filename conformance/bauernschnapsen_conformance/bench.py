"""Measure what can be measured in one run, and print it as ratios.

    python -m bauernschnapsen_conformance.bench [--quick]

Absolute figures drift with the machine, so each row also names the yardstick it is divided by: for
the engine the number of iterations of a small integer loop that one play costs, for the pipe the
share of a bare loop that only encodes, sends and decodes the same lines.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from bauernschnapsen import table
from bauernschnapsen.notation import DEALS, deal_of_number
from bauernschnapsen.position import OVER
from bauernschnapsen.ruleset import load_ruleset, rules_of

Row = tuple[str, str, str]
T = TypeVar("T")
_YARD = 400_000


def yardstick() -> float:
    """Return iterations per CPU second of a small integer loop."""
    begun = time.process_time()
    x = 1
    for i in range(_YARD):
        x = (x * 31 + i) & 0xFFFF
    return _YARD / (time.process_time() - begun)


def measure_engine(deals: int) -> list[Row]:
    """Random whole deals through the public, validating interface: deals and actions per second."""
    rules = rules_of("pagat")
    chooser = random.Random(1)
    numbers = [chooser.randrange(DEALS) for _ in range(deals)]
    unranked, _ = _timed(lambda: [deal_of_number(number) for number in numbers])
    actions = 0

    def play_all() -> None:
        nonlocal actions
        for place, number in enumerate(numbers):
            position = table.new_deal(rules, place % 4, deal_of_number(number))
            while position.phase != OVER:
                legal = table.legal_actions(position)
                seat = chooser.choice(list(legal))
                position = table.apply(position, seat, chooser.choice(legal[seat]))
                actions += 1

    before = yardstick()
    seconds, _ = _timed(play_all)
    yard = (before + yardstick()) / 2
    kernel_seconds, plays = _timed(lambda: _play_cards(numbers))
    return [
        (
            "deal numbers to hands",
            f"{deals / unranked:,.0f}/s",
            f"{yard * unranked / deals:.0f} yards each",
        ),
        (
            "random deals, auction to score",
            f"{deals / seconds:,.0f}/s",
            f"{actions / deals:.1f} actions each",
        ),
        (
            "  actions, legal sets included",
            f"{actions / seconds:,.0f}/s",
            f"{yard * seconds / actions:.0f} yards each",
        ),
        (
            "  plays of played-out deals",
            f"{plays / kernel_seconds:,.0f}/s",
            f"{yard * kernel_seconds / plays:.0f} yards each",
        ),
    ]


def _play_cards(numbers: list[int]) -> int:
    """Play deals out card by card, the first legal card each time; return the number of plays."""
    from bauernschnapsen.notation import Action
    from bauernschnapsen.play import legal_cards

    rules = rules_of("pagat")
    cards = [Action("play", card) for card in range(20)]
    plays = 0
    for number in numbers:
        position = table.start_contract(rules, 3, deal_of_number(number), "normal", 0, 0)
        while position.phase != OVER:
            legal = legal_cards(position)
            assert position.turn is not None
            position = table.apply(position, position.turn, cards[legal.bit_length() - 1])
            plays += 1
    return plays


def measure_pipe(count: int) -> list[Row]:
    """Requests per second against a bare loop over the same lines, and through `serve`."""
    from .adapter import AdapterCommand, Request, Session
    from .adapter.bench import measure

    rows = []
    for window in (1, 16):
        measured = measure(window, count)
        share = f"{measured.share:.0%} of the bare loop, {measured.overhead:.0f} us beyond it"
        rows.append((f"requests, window {window}", f"{measured.session:,.0f}/s", share))
    command = AdapterCommand((sys.executable, "-m", "bauernschnapsen_conformance", "serve"))
    chooser = random.Random(2)
    bodies = []
    for _ in range(count // 4):
        hands = deal_of_number(chooser.randrange(DEALS))
        deal = {
            "dealer": "W",
            "hands": {seat: _texts(hands[place]) for place, seat in enumerate("NESW")},
            "scores": {"NS": 0, "EW": 0},
            "actions": [],
        }
        bodies.append({"op": "replay", "deals": [deal]})
    with Session(command) as session:
        session.start()
        begun = time.perf_counter()
        answered = sum(1 for _ in session.ask(Request(n, body) for n, body in enumerate(bodies)))
        seconds = time.perf_counter() - begun
    rows.append(("replays through serve", f"{answered / seconds:,.0f}/s", "one view each"))
    return rows


def measure_suite() -> list[Row]:
    """The suite itself: loading the corpus, certifying the reference engine in process and out."""
    from .adapter import AdapterCommand, Session
    from .corpus.corpus import load_corpus
    from .runner import certify

    load_seconds, corpus = _timed(load_corpus)
    resolved = load_ruleset("pagat")
    command = AdapterCommand((sys.executable, "-m", "bauernschnapsen_conformance", "serve"))
    with Session(command, rules=resolved) as session:
        session.start()
        cpu, report = _timed(lambda: certify(corpus, resolved, session))
    number = len(corpus.items)
    return [
        ("corpus load", f"{load_seconds * 1000:,.0f} ms", f"{number} scenarios and positions"),
        ("suite run, CPU of the runner", f"{cpu:.2f} s", f"{number / cpu:,.0f} verdicts/s"),
        ("suite run, wall", f"{report.seconds:.2f} s", f"{len(report.levels)} levels reached"),
    ]


def _texts(hand: tuple[int, ...]) -> list[str]:
    from bauernschnapsen.notation import format_card

    return [format_card(card) for card in hand]


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description="Measure engine, pipe and suite in one run.")
    parser.add_argument("--quick", action="store_true", help="A tenth of the work.")
    scale = 0.1 if parser.parse_args().quick else 1.0
    from .bench_deals import measure_comparing

    rows = [
        *measure_engine(int(4000 * scale)),
        *measure_pipe(int(20000 * scale)),
        *measure_comparing(int(10000 * scale)),
        *measure_suite(),
        ("memory of this process", f"{_peak_memory():,.0f} MB", "peak"),
    ]
    width = max(len(name) for name, _, _ in rows)
    for name, figure, ratio in rows:
        print(f"{name:<{width}}  {figure:>14}  {ratio}")  # noqa: T201


def _peak_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
