"""Deals that bring rare situations about: whole suits, long suits, pairs, strong and weak hands.

Random deals hardly ever hold five of a suit, or a marriage where it is needed. All deals follow
from the random source given, so that a search can be repeated.
"""

from __future__ import annotations

import random

from bauernschnapsen.cards import PACK_SIZE, RANK_OF

Hands = tuple[tuple[int, ...], ...]
_SEATS, _HAND, _PACKET = 4, 5, 3
_JACKS = (4, 9, 14, 19)
KINDS = ("random", "long", "strong", "weak", "pairs", "suit", "side", "jacks", "spread", "other")


def deal(source: random.Random, kind: str, seat: int, suit: int, first: int) -> Hands:
    """Return four hands in the order received.

    `seat` is whose hand `kind` is about and `suit` its suit; `first` is forehand, who gets a card
    of `suit` into the first packet if there is one in the hand.
    """
    order = list(range(PACK_SIZE))
    source.shuffle(order)
    hands = _SHAPES[kind](source, order, seat, suit)
    for hand in hands:
        source.shuffle(hand)
    mine = hands[first]
    mine.sort(key=lambda card: card // _HAND != suit)
    packet = mine[:_PACKET]
    source.shuffle(packet)
    return tuple(tuple(packet + hand[_PACKET:] if hand is mine else hand) for hand in hands)


def _in_blocks(order: list[int]) -> list[list[int]]:
    return [order[start : start + _HAND] for start in range(0, PACK_SIZE, _HAND)]


def _first_to(seat: int, order: list[int]) -> list[list[int]]:
    """Give the first five cards to a seat and the rest to the others."""
    hands = _in_blocks(order)
    hands[0], hands[seat] = hands[seat], hands[0]
    return hands


def _long(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:
    """Suits in few hands, so that there are voids."""
    order.sort(key=lambda card: (card // _HAND - suit) % _SEATS + source.random() * 1.6)
    return _first_to(seat, order)


def _ranked(source: random.Random, order: list[int], suit: int, sign: int) -> None:
    order.sort(
        key=lambda card: (
            sign * RANK_OF[card] - sign * 1.2 * (card // _HAND == suit) + source.random() * 2
        )
    )


def _strong(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:
    _ranked(source, order, suit, 1)
    return _first_to(seat, _rest_shuffled(source, order))


def _weak(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:
    _ranked(source, order, suit, -1)
    return _first_to(seat, _rest_shuffled(source, order))


def _rest_shuffled(source: random.Random, order: list[int]) -> list[int]:
    rest = order[_HAND:]
    source.shuffle(rest)
    return order[:_HAND] + rest


def _side(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:
    """Good cards for a seat and its partner."""
    _ranked(source, order, suit, 1)
    best, rest = order[: 2 * _HAND], order[2 * _HAND :]
    source.shuffle(best)
    source.shuffle(rest)
    hands = [best[:_HAND], rest[:_HAND], best[_HAND:], rest[_HAND:]]
    return hands[-seat % _SEATS :] + hands[: -seat % _SEATS]


def _pairs(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:
    """King and queen of two suits with a good card for a seat, of a third for its neighbour."""
    suits = [suit, *source.sample([other for other in range(_SEATS) if other != suit], 3)]
    pairs = [[one * _HAND + 2, one * _HAND + 3] for one in suits]
    aces = [suit * _HAND, suits[1] * _HAND, suits[2] * _HAND + 1]
    mine = pairs[0] + pairs[1] + [source.choice(aces)]
    next_one = pairs[2]
    rest = [card for card in order if card not in mine and card not in next_one]
    other = (seat + source.choice((1, 1, 2, 3))) % _SEATS
    hands: list[list[int]] = [[] for _ in range(_SEATS)]
    hands[seat], hands[other] = mine, next_one + [rest.pop() for _ in range(3)]
    for place in range(_SEATS):
        while len(hands[place]) < _HAND:
            hands[place].append(rest.pop())
    return hands


def _suit(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:  # noqa: ARG001 - as its like
    """The whole of a suit in one hand."""
    return _first_to(seat, sorted(order, key=lambda card: card // _HAND != suit))


def _other(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:
    """The whole of another suit in one hand."""
    return _suit(source, order, seat, (suit + source.randrange(1, _SEATS)) % _SEATS)


def _jacks(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:  # noqa: ARG001 - as its like
    """Three or four jacks."""
    return _first_to(seat, sorted(order, key=lambda card: card not in _JACKS))


def _random(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:  # noqa: ARG001 - as its like
    return _in_blocks(order)


def _spread(source: random.Random, order: list[int], seat: int, suit: int) -> list[list[int]]:  # noqa: ARG001 - as its like
    """Every seat has trumps and a void."""
    hands: list[list[int]] = [[] for _ in range(_SEATS)]
    for place, card in enumerate(card for card in order if card // _HAND == suit):
        hands[place % _SEATS].append(card)
    rest = sorted(
        (card for card in order if card // _HAND != suit),
        key=lambda card: card // _HAND + source.random() * 0.9,
    )
    turn = source.randrange(_SEATS)
    for place in range(turn, turn + _SEATS):
        hand = hands[place % _SEATS]
        while len(hand) < _HAND:
            hand.append(rest.pop())
    return hands


_SHAPES = {
    "random": _random,
    "long": _long,
    "strong": _strong,
    "weak": _weak,
    "pairs": _pairs,
    "suit": _suit,
    "other": _other,
    "side": _side,
    "jacks": _jacks,
    "spread": _spread,
}
