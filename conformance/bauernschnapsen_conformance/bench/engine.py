"""The reference engine alone: deal numbers, whole deals, plays, lines counted, situations."""

from __future__ import annotations

import random

from bauernschnapsen import table
from bauernschnapsen.notation import DEALS, Action, deal_of_number
from bauernschnapsen.perft import count_lines
from bauernschnapsen.play import legal_cards
from bauernschnapsen.position import OVER
from bauernschnapsen.ruleset import Rules, rules_of

from ..exhaustive.situations import kinds, situations
from .rows import Row, Section, timed

_CARDS = tuple(Action("play", card) for card in range(20))


def measure_engine(scale: float = 1.0) -> Section:
    """Return what the engine does in a CPU second; `scale` 1 is some ten seconds of work."""
    rules = rules_of("pagat")
    numbers = numbers_of(int(2000 * scale))
    deal_of_number(0)  # makes its tables
    many = [*numbers] * 4
    ids, id_yards = timed(lambda: [deal_of_number(n) for n in many]).each(len(many))
    actions = play_at_random(rules, numbers)
    whole = timed(lambda: play_at_random(rules, numbers))
    deals, _ = whole.each(len(numbers))
    acts, act_yards = whole.each(actions)
    plays_made = play_cards(rules, numbers)
    plays, play_yards = timed(lambda: play_cards(rules, numbers)).each(plays_made)
    return Section(
        "Reference engine, one thread, per CPU second",
        (
            Row("Deal numbers to hands", f"{ids:,.0f}", _yards(id_yards), "200,000, 42 yards",
                ids >= 200_000 and id_yards <= 42),
            Row("Random whole deals, trump choice to score", f"{deals:,.0f}",
                f"{actions / len(numbers):.1f} actions each", "6,000", deals >= 6000),
            Row("Their actions, legal sets included", f"{acts:,.0f}", _yards(act_yards)),
            Row("Plays of deals played out", f"{plays:,.0f}", _yards(play_yards),
                "180,000, 47 yards", plays >= 180_000 and play_yards <= 47),
            _perft(scale),
            _situations(),
        ),
    )  # fmt: skip


def numbers_of(count: int) -> list[int]:
    """Return deal numbers, the same ones every time."""
    chooser = random.Random(1)
    return [chooser.randrange(DEALS) for _ in range(count)]


def play_at_random(rules: Rules, numbers: list[int]) -> int:
    """Play whole deals from the trump choice to the score; return the number of actions."""
    chooser = random.Random(2)
    actions = 0
    for place, number in enumerate(numbers):
        position = table.new_deal(rules, place % 4, deal_of_number(number))
        while position.phase != OVER:
            legal = table.legal_actions(position)
            seat = chooser.choice(list(legal))
            position = table.apply(position, seat, chooser.choice(legal[seat]))
            actions += 1
    return actions


def play_cards(rules: Rules, numbers: list[int]) -> int:
    """Play deals out card by card, the highest legal number each time; return the plays."""
    plays = 0
    for number in numbers:
        position = table.start_contract(rules, 3, deal_of_number(number), "normal", 0, 0)
        while position.phase != OVER:
            legal = legal_cards(position)
            assert position.turn is not None
            position = table.apply(position, position.turn, _CARDS[legal.bit_length() - 1])
            plays += 1
    return plays


def _perft(scale: float) -> Row:
    rules = rules_of("pagat")
    starts = [
        table.start_contract(rules, 3, deal_of_number(number), "normal", 0, 0)
        for number in numbers_of(max(2, int(12 * scale)))
    ]
    lines = sum(count_lines(start, 20)[-1] for start in starts)
    counted, _ = timed(lambda: [count_lines(start, 20) for start in starts], rounds=3).each(lines)
    return Row("Lines of play counted (perft)", f"{counted:,.0f}", "alike positions counted once")


def _situations() -> Row:
    rules = rules_of("pagat")
    kind = kinds(rules)[1]
    number = 0

    def enumerate_all() -> None:
        nonlocal number
        number = sum(1 for _ in situations(rules, kind))

    rate, yards = timed(enumerate_all, rounds=1).each(number)
    return Row("Trick situations with their answers", f"{rate:,.0f}", _yards(yards))


def _yards(yards: float) -> str:
    return f"{yards:.0f} yards each"
