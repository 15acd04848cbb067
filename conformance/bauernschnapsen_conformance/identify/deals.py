"""Deals that bring rare situations about: whole suits, long suits, pairs, strong and weak hands.

Random deals hardly ever hold five of a suit, or a marriage where it is needed. All deals follow
from the random source given, so that a search can be repeated.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from bauernschnapsen.cards import PACK_SIZE, RANK_OF
from bauernschnapsen.ruleset import Rules

Hands = tuple[tuple[int, ...], ...]
_OF_A_SUIT, _SUITS = 5, 4
_JACKS = (4, 9, 14, 19)
_QUEEN = 3
KINDS = (
    "random", "long", "strong", "weak", "pairs", "suit", "side", "jacks", "spread", "other",
    "suits", "royal", "outplayed",
)  # fmt: skip


class Sizes(NamedTuple):
    """How many seats there are, the cards each is dealt, and how many of them come first."""

    seats: int = 4
    hand: int = 5
    packet: int = 3

    @classmethod
    def of(cls, rules: Rules) -> Sizes:
        """The sizes of a ruleset."""
        return cls(rules.seats, rules.hand_size, rules.options.packets[0])


FOUR = Sizes()


def deal(
    source: random.Random, kind: str, seat: int, suit: int, first: int, sizes: Sizes = FOUR
) -> Hands:
    """Return the hands in the order received, and after them what is left of the pack, if any.

    `seat` is whose hand `kind` is about and `suit` its suit; `first` is forehand, who gets a card
    of `suit` into the first packet if there is one in the hand.
    """
    order = list(range(PACK_SIZE))
    source.shuffle(order)
    hands = _SHAPES[kind](source, order, seat, suit, sizes)
    for hand in hands:
        source.shuffle(hand)
    mine = hands[first]
    mine.sort(key=lambda card: card // _OF_A_SUIT != suit)
    packet = mine[: sizes.packet]
    source.shuffle(packet)
    return tuple(tuple(packet + hand[sizes.packet :] if hand is mine else hand) for hand in hands)


def _in_blocks(order: list[int], sizes: Sizes) -> list[list[int]]:
    """Cut the pack into hands, and a last heap where cards are left."""
    dealt = sizes.seats * sizes.hand
    hands = [order[start : start + sizes.hand] for start in range(0, dealt, sizes.hand)]
    return hands if dealt == len(order) else [*hands, order[dealt:]]


def _first_to(seat: int, order: list[int], sizes: Sizes) -> list[list[int]]:
    """Give the first cards to a seat and the rest to the others."""
    hands = _in_blocks(order, sizes)
    hands[0], hands[seat] = hands[seat], hands[0]
    return hands


def _filled(hands: list[list[int]], rest: list[int], sizes: Sizes) -> list[list[int]]:
    """Fill all hands from the end of the rest; what is left over comes last."""
    for hand in hands:
        while len(hand) < sizes.hand:
            hand.append(rest.pop())
    return [*hands, rest] if rest else hands


def _long(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    """Suits in few hands, so that there are voids."""
    order.sort(key=lambda card: (card // _OF_A_SUIT - suit) % _SUITS + source.random() * 1.6)
    return _first_to(seat, order, sizes)


def _ranked(source: random.Random, order: list[int], suit: int, sign: int) -> None:
    order.sort(
        key=lambda card: (
            sign * RANK_OF[card] - sign * 1.2 * (card // _OF_A_SUIT == suit) + source.random() * 2
        )
    )


def _strong(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    _ranked(source, order, suit, 1)
    return _first_to(seat, _rest_shuffled(source, order, sizes), sizes)


def _weak(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    _ranked(source, order, suit, -1)
    return _first_to(seat, _rest_shuffled(source, order, sizes), sizes)


def _rest_shuffled(source: random.Random, order: list[int], sizes: Sizes) -> list[int]:
    rest = order[sizes.hand :]
    source.shuffle(rest)
    return order[: sizes.hand] + rest


def _side(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    """Good cards for a seat and its partner."""
    if sizes.seats != FOUR.seats:
        return _strong(source, order, seat, suit, sizes)
    _ranked(source, order, suit, 1)
    best, rest = order[: 2 * sizes.hand], order[2 * sizes.hand :]
    source.shuffle(best)
    source.shuffle(rest)
    size = sizes.hand
    hands = [best[:size], rest[:size], best[size:], rest[size:]]
    return hands[-seat % sizes.seats :] + hands[: -seat % sizes.seats]


def _pairs(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    """King and queen of two suits with a good card for a seat, of a third for its neighbour."""
    suits = [suit, *source.sample([other for other in range(_SUITS) if other != suit], 3)]
    pairs = [[one * _OF_A_SUIT + 2, one * _OF_A_SUIT + 3] for one in suits]
    aces = [suit * _OF_A_SUIT, suits[1] * _OF_A_SUIT, suits[2] * _OF_A_SUIT + 1]
    mine = pairs[0] + pairs[1] + [source.choice(aces)]
    next_one = pairs[2]
    rest = [card for card in order if card not in mine and card not in next_one]
    other = (seat + source.choice((1, 1, 2, 3)[: sizes.seats])) % sizes.seats
    hands: list[list[int]] = [[] for _ in range(sizes.seats)]
    hands[seat], hands[other] = mine, next_one + [rest.pop() for _ in range(3)]
    return _filled(hands, rest, sizes)


def _suit(
    source: random.Random,  # noqa: ARG001 - as its like
    order: list[int],
    seat: int,
    suit: int,
    sizes: Sizes,
) -> list[list[int]]:
    """The whole of a suit in one hand."""
    return _first_to(seat, sorted(order, key=lambda card: card // _OF_A_SUIT != suit), sizes)


def _other(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    """The whole of another suit in one hand."""
    return _suit(source, order, seat, (suit + source.randrange(1, _SUITS)) % _SUITS, sizes)


def _suits(
    source: random.Random,
    order: list[int],
    seat: int,
    suit: int,
    sizes: Sizes,
) -> list[list[int]]:
    """The whole of a suit in two hands each."""
    other = (suit + source.randrange(1, _SUITS)) % _SUITS
    hands: list[list[int]] = [[] for _ in range(sizes.seats)]
    next_one = (seat + source.randrange(1, sizes.seats)) % sizes.seats
    hands[seat] = [card for card in order if card // _OF_A_SUIT == suit]
    hands[next_one] = [card for card in order if card // _OF_A_SUIT == other]
    rest = [card for card in order if card not in hands[seat] and card not in hands[next_one]]
    return _filled(hands, rest, sizes)


def _royal(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    """Ace and pair of king and queen in one suit, most of another's high cards."""
    other = (suit + source.randrange(1, _SUITS)) % _SUITS
    if source.random() < 0.5:
        suit, other = other, suit
    high = [other * _OF_A_SUIT + rank for rank in range(_OF_A_SUIT - 1)]
    own = [suit * _OF_A_SUIT + rank for rank in (0, 2, 3)]
    ten = suit * _OF_A_SUIT + 1
    mine = own + ([ten, high[0]] if source.random() < 0.4 else source.sample([*high, ten], 2))
    hands: list[list[int]] = [[] for _ in range(sizes.seats)]
    hands[seat] = mine
    return _filled(hands, [card for card in order if card not in mine], sizes)


def _outplayed(
    source: random.Random, order: list[int], seat: int, suit: int, sizes: Sizes
) -> list[list[int]]:
    """Pairs of king and queen in a hand without anything else; the next seat has what is high."""
    suits = [suit, source.choice([other for other in range(_SUITS) if other != suit])]
    mine = [one * _OF_A_SUIT + rank for one in suits for rank in (2, 3)]
    low = [card for card in order if card not in mine and RANK_OF[card] >= RANK_OF[_QUEEN]]
    mine.append(low[0])
    rest = [card for card in order if card not in mine]
    rest.sort(key=lambda card: RANK_OF[card] + source.random() * 2, reverse=True)
    hands: list[list[int]] = [[] for _ in range(sizes.seats)]
    hands[seat] = mine
    strong = (seat + 1) % sizes.seats
    hands[strong] = [rest.pop() for _ in range(sizes.hand)]
    source.shuffle(rest)
    return _filled(hands, rest, sizes)


def _jacks(
    source: random.Random,  # noqa: ARG001 - as its like
    order: list[int],
    seat: int,
    suit: int,  # noqa: ARG001 - as its like
    sizes: Sizes,
) -> list[list[int]]:
    """Three or four jacks."""
    return _first_to(seat, sorted(order, key=lambda card: card not in _JACKS), sizes)


def _random(
    source: random.Random,  # noqa: ARG001 - as its like
    order: list[int],
    seat: int,  # noqa: ARG001 - as its like
    suit: int,  # noqa: ARG001 - as its like
    sizes: Sizes,
) -> list[list[int]]:
    return _in_blocks(order, sizes)


def _spread(
    source: random.Random,
    order: list[int],
    seat: int,  # noqa: ARG001 - as its like
    suit: int,
    sizes: Sizes,
) -> list[list[int]]:
    """Every seat has trumps and a void."""
    hands: list[list[int]] = [[] for _ in range(sizes.seats)]
    for place, card in enumerate(card for card in order if card // _OF_A_SUIT == suit):
        hands[place % sizes.seats].append(card)
    rest = sorted(
        (card for card in order if card // _OF_A_SUIT != suit),
        key=lambda card: card // _OF_A_SUIT + source.random() * 0.9,
    )
    turn = source.randrange(sizes.seats)
    for place in range(turn, turn + sizes.seats):
        hand = hands[place % sizes.seats]
        while len(hand) < sizes.hand:
            hand.append(rest.pop())
    return [*hands, rest] if rest else hands


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
    "suits": _suits,
    "royal": _royal,
    "outplayed": _outplayed,
}
