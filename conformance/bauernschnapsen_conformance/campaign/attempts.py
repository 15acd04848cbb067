"""Attempts: what the rules forbid, or nobody says, tried on purpose.

A refused action leaves everything as it was, so a line of play can hold many attempts. Most are
near misses: a card of the hand that the trick does not allow, a marriage without its other half, a
double by the wrong side.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from bauernschnapsen.notation import CARDS, SUITS, format_card
from bauernschnapsen.position import AUCTION, OVER, PLAY, SHOW, TALON, TRUMP, Position

Attempt = tuple[int, str]
"""A seat and the text it tries."""
_DOUBLES = ("kontra", "rekontra", "subkontra")
_WEIRD = (
    "wait", "play", "play now", "play KH QH", "Play KH", "marry", "bid", "bid nothing", "bid Gang",
    "pass pass", "kontra 2", "trump", "trump X", "turn-up 3", "turn-up 0", "talon", "keep",
    "discard AH TH", "raise gang", "enough 66", "show hand", "redeal now",
)  # fmt: skip


def attempt(position: Position, source: random.Random) -> Attempt:
    """Return something to try; now and then it happens to be legal."""
    if position.phase == PLAY and not position.trick and not position.tricks_done:
        kind = source.choice(_BEFORE_LEAD)
    else:
        kind = source.choice(_KINDS.get(position.phase, _ANYTHING))
    seat = source.randrange(position.rules.seats)
    if position.turn is not None and source.random() < 0.6:
        seat = position.turn
    return kind(position, source, seat)


def _own_card(position: Position, source: random.Random, seat: int) -> Attempt:
    """A card of the hand, most likely one that the trick does not allow."""
    if position.turn is not None and source.random() < 0.7:
        seat = position.turn
    return seat, f"play {_held(position, source, seat)}"


def _other_card(_: Position, source: random.Random, seat: int) -> Attempt:
    """A card that this seat does not hold: played already, or another's."""
    verb = "marry" if source.random() < 0.2 else "play"
    return seat, f"{verb} {source.choice(CARDS)}"


def _out_of_turn(position: Position, source: random.Random, seat: int) -> Attempt:
    seat = (seat + source.randrange(1, position.rules.seats)) % position.rules.seats
    return seat, f"play {_held(position, source, seat)}"


def _marriage(position: Position, source: random.Random, seat: int) -> Attempt:
    """A king or queen of the hand, with its other half or without."""
    hand = position.hands[seat]
    court = [card for card in range(len(CARDS)) if hand >> card & 1 and card % 5 in (2, 3)]
    if not court or source.random() < 0.1:
        return seat, f"marry {_held(position, source, seat)}"
    return seat, f"marry {format_card(source.choice(court))}"


def _claim(position: Position, source: random.Random, seat: int) -> Attempt:
    if source.random() < 0.5:
        seat = source.randrange(position.rules.seats)
    return seat, "enough"


def _double(position: Position, source: random.Random, seat: int) -> Attempt:
    seat = source.randrange(position.rules.seats)
    step = _DOUBLES[min(position.steps, 2)] if source.random() < 0.5 else source.choice(_DOUBLES)
    return seat, step


def _bid(position: Position, source: random.Random, seat: int) -> Attempt:
    verb = "bid"
    if position.rules.options.talon_cards and source.random() < 0.2:
        verb = source.choice(("bid-without-talon", "raise"))
    return seat, f"{verb} {source.choice(position.rules.contracts).name}"


def _raise(position: Position, source: random.Random, seat: int) -> Attempt:
    if not position.rules.options.talon_cards:
        return _bid(position, source, seat)
    return seat, f"raise {source.choice(position.rules.contracts).name}"


def _trump(_: Position, source: random.Random, seat: int) -> Attempt:
    texts = (f"trump {source.choice(SUITS)}", f"turn-up {source.choice('123')}", "redeal")
    return seat, source.choice(texts[:2]) if source.random() < 0.8 else texts[2]


def _talon(position: Position, source: random.Random, seat: int) -> Attempt:
    if source.random() < 0.4:
        return seat, source.choice(("talon", "keep"))
    hand = [card for card in range(len(CARDS)) if position.hands[seat] >> card & 1]
    cards = source.sample(hand, 2) if len(hand) > 1 else [0, 1]
    if source.random() < 0.3:
        cards = source.sample(range(len(CARDS)), 2)
    elif source.random() < 0.3:  # another number of cards than two
        cards = source.choice((cards[:1], cards[:1] * 2, [*cards, source.choice(hand or [2])]))
    return seat, "discard " + " ".join(format_card(card) for card in cards)


def _held(position: Position, source: random.Random, seat: int) -> str:
    hand = [card for card in range(len(CARDS)) if position.hands[seat] >> card & 1]
    return format_card(source.choice(hand or range(len(CARDS))))


Kind = Callable[[Position, random.Random, int], Attempt]


def _saying(*texts: str) -> Kind:
    return lambda _, source, seat: (seat, source.choice(texts))


_pass, _show, _weird = _saying("pass"), _saying("show"), _saying(*_WEIRD)
_ANYTHING: tuple[Kind, ...] = (
    _own_card, _other_card, _marriage, _claim, _double, _bid, _pass, _trump, _show, _talon, _weird,
)  # fmt: skip
_KINDS: dict[str, tuple[Kind, ...]] = {
    TRUMP: (_trump,) * 8 + (_bid, _pass, _own_card, _double, _weird, _show, _claim),
    AUCTION: (_bid,) * 8
    + (_pass,) * 4
    + (_double, _double, _show, _trump, _own_card, _weird, _claim),
    TALON: (_talon,) * 8 + (_raise,) * 3 + (_bid, _double, _own_card, _weird, _claim, _pass, _show),
    PLAY: (_own_card,) * 8
    + (_marriage,) * 5
    + (_claim,) * 4
    + (_double,) * 3
    + (_other_card, _out_of_turn, _out_of_turn, _bid, _pass, _trump, _show, _talon, _weird),
    SHOW: (_double,) * 4 + (_show, _show, _own_card, _claim, _bid, _pass, _trump, _talon, _weird),
    OVER: _ANYTHING,
}
_BEFORE_LEAD = (*_KINDS[PLAY], *(_double,) * 20, *(_raise,) * 4)
"""While doubling is open."""
