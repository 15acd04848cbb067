"""Notation: the one parser and printer of cards, seats, sides, actions and deal numbers.

Inside the engine a card is a number 0..19 (suit * 5 + rank, suits ``H D S C``, ranks
``A T K Q J``), a set of cards is a bit mask, a seat is its place clockwise from ``N``.
This module alone knows their letters. Rule id: notation.action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from operator import itemgetter
from typing import NamedTuple

from .errors import Refusal, quoted

RANKS = "ATKQJ"
SUITS = "HDSC"
SEATS = "NESW"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Card texts by card number: ``AH TH KH QH JH AD ... JC``."""
CARD_NUMBER = {text: number for number, text in enumerate(CARDS)}
DEALS = 11_732_745_024
"""Number of ways to give five of twenty cards to each of four seats: 20! / (5!)^4."""

_CONTRACT = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_LONGEST_ACTION = 80
_HAND_SIZE = 5


class Action(NamedTuple):
    """One thing a seat does: a verb and, where the verb takes one, its argument.

    ``value`` is a card number (play, marry), a suit number (trump), a place from 0 (turn-up), a
    contract name (bid, bid-without-talon, raise), a card mask (discard), or None.
    """

    verb: str
    value: int | str | None = None

    def __str__(self) -> str:
        return format_action(self)


def parse_card(text: object) -> int:
    """Return the card number of a two-letter card such as ``AH``; ValueError if it is none."""
    card = CARD_NUMBER.get(text) if isinstance(text, str) else None
    if card is None:
        raise ValueError(
            f"{quoted(text)} is no card: a rank ({' '.join(RANKS)}), a suit ({' '.join(SUITS)}), "
            "such as AH or TS"
        )
    return card


def parse_cards(text: object) -> list[int]:
    """Return the card numbers of cards separated by blanks, in their order; else ValueError."""
    if not isinstance(text, str):
        raise ValueError(f"{quoted(text)} is no list of cards: expected text such as 'AH TS'")
    return [parse_card(card) for card in text.split()]


def format_card(card: int) -> str:
    """Print a card number as rank and suit."""
    return CARDS[card]


def mask_of(cards: list[int] | tuple[int, ...]) -> int:
    """Return the bit mask of a list of card numbers."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


@lru_cache(maxsize=1 << 16)
def cards_in(mask: int) -> tuple[int, ...]:
    """Return the card numbers of a bit mask, lowest number first."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)


def format_mask(mask: int) -> list[str]:
    """Print a card mask as a list of cards."""
    return [CARDS[card] for card in cards_in(mask)]


def parse_suit(text: object) -> int:
    """Return the suit number of a suit letter; ValueError if it is none."""
    suit = SUITS.find(text) if isinstance(text, str) and len(text) == 1 else -1
    if suit < 0:
        raise ValueError(f"{quoted(text)} is not a suit: expected one of {' '.join(SUITS)}")
    return suit


def format_suit(suit: int | None) -> str | None:
    """Print a suit number, or None where there is none."""
    return None if suit is None else SUITS[suit]


def seat_letters(seats: int) -> str:
    """Return the letters of all seats clockwise, at a table of three or four."""
    return SEATS[:seats]


def parse_seat(text: object, seats: int = 4) -> int:
    """Return the place of a seat letter at a table of `seats`; ValueError if there is none."""
    place = SEATS[:seats].find(text) if isinstance(text, str) and len(text) == 1 else -1
    if place < 0:
        raise ValueError(f"{quoted(text)} is not a seat: expected one of {' '.join(SEATS[:seats])}")
    return place


@lru_cache(maxsize=8)
def side_names(seats: int, *, partners: bool) -> tuple[str, ...]:
    """Return the names of the sides by side number: ``NS EW`` for partners, else the seats."""
    if not partners:
        return tuple(SEATS[:seats])
    return tuple(SEATS[place] + SEATS[place + seats // 2] for place in range(seats // 2))


# --------------------------------------------------------------------------- actions

_FINITE: dict[str, Action] = {
    **{f"trump {suit}": Action("trump", number) for number, suit in enumerate(SUITS)},
    "turn-up 1": Action("turn-up", 0),
    "turn-up 2": Action("turn-up", 1),
    "turn-up 3": Action("turn-up", 2),
    **{word: Action(word) for word in ("redeal", "pass", "kontra", "rekontra", "subkontra")},
    **{f"play {card}": Action("play", number) for number, card in enumerate(CARDS)},
    **{f"marry {card}": Action("marry", number) for number, card in enumerate(CARDS)},
    **{word: Action(word) for word in ("enough", "show", "talon", "keep")},
    **{
        f"discard {CARDS[one]} {CARDS[two]}": Action("discard", 1 << one | 1 << two)
        for one, two in combinations(range(20), 2)
    },
}
_PRINTED = {action: text for text, action in _FINITE.items()}
_OF_CONTRACTS = ("bid", "bid-without-talon", "raise")
VERBS = (*dict.fromkeys(action.verb for action in _FINITE.values()), *_OF_CONTRACTS)


def parse_action(text: object) -> Action:
    """Read an action such as ``bid gang`` or ``play KH``.

    Raises Refusal with rule notation.action for everything that is not an action.
    """
    action = _FINITE.get(text) if isinstance(text, str) else None
    if action is not None:
        return action
    return _parse_other_action(text)


def _parse_other_action(text: object) -> Action:
    if not isinstance(text, str) or len(text) > _LONGEST_ACTION:
        raise Refusal("notation.action", "an action is a short text such as 'play KH'")
    verb, _, argument = text.partition(" ")
    if verb in _OF_CONTRACTS:
        if _CONTRACT.fullmatch(argument):
            return Action(verb, argument)
        told = f"{quoted(text)} names no contract in small letters, as in 'bid gang'"
        raise Refusal("notation.action", told)
    if verb == "discard":
        cards = sorted(argument.split(" "), key=lambda card: CARD_NUMBER.get(card, -1))
        action = _FINITE.get(f"discard {' '.join(cards)}")
        if action is not None:
            return action
        raise Refusal("notation.action", f"{quoted(text)}: {_complaint(verb, argument)}")
    if verb in VERBS:
        raise Refusal("notation.action", f"{quoted(text)}: {_complaint(verb, argument)}")
    verbs = ", ".join(VERBS)
    raise Refusal("notation.action", f"{quoted(text)} is no action: it begins with none of {verbs}")


def _complaint(verb: str, argument: str) -> str:
    """Say what is wrong with the words after a verb that takes a card, a suit, a place or none."""
    try:
        if verb == "trump":
            parse_suit(argument)
        elif verb in ("play", "marry"):
            parse_card(argument)
        elif verb == "discard":
            parse_cards(argument)
            return "expected two different cards, such as 'discard AH TS'"
    except ValueError as error:
        return str(error)
    if verb == "turn-up":
        return f"{quoted(argument)} is no hidden card: expected 1, 2 or 3"
    return f"nothing follows the word {verb!r}"


def format_action(action: Action) -> str:
    """Print an action as `parse_action` reads it."""
    text = _PRINTED.get(action)
    return text if text is not None else f"{action.verb} {action.value}"


# --------------------------------------------------------------------------- deal number


def deal_of_number(number: object) -> tuple[tuple[int, ...], ...]:
    """Return the four hands (N, E, S, W; cards ascending) of a deal number.

    0 <= number < 11,732,745,024. N's hand is the most significant digit: each hand in turn is the
    rank of its combination among the cards not yet given, combinations being counted in
    lexicographic order of the card numbers. ValueError outside the range.
    """
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < DEALS:
        raise ValueError(f"{quoted(number)} is no deal number: a number from 0 to {DEALS - 1}")
    of_twenty, of_fifteen, of_ten = _hand_choices()
    first, number = divmod(number, _arrangements(3))
    second, third = divmod(number, _arrangements(2))
    north, fifteen = of_twenty[first]
    east, all_but_east = of_fifteen[second]
    south, west = of_ten[third]
    ten = all_but_east(fifteen)
    return north, east(fifteen), south(ten), west(ten)


def number_of_deal(hands: tuple[tuple[int, ...], ...] | list[list[int]]) -> int:
    """Return the deal number of four hands of five cards; ValueError if it is not such a deal."""
    cards = {card for hand in hands for card in hand}
    if len(hands) != len(SEATS) or cards != set(range(20)):
        raise ValueError("a deal number needs four hands of all twenty cards")
    left = list(range(20))
    number = 0
    for place, hand in enumerate(hands):
        if len(hand) != _HAND_SIZE:
            raise ValueError(f"seat {SEATS[place]} holds {len(hand)} cards instead of five")
        number += _rank(left, sorted(hand)) * _arrangements(3 - place)
        left = [card for card in left if card not in hand]
    return number


@lru_cache(maxsize=8)
def _arrangements(seats: int) -> int:
    product = 1
    for more in range(1, seats + 1):
        product *= comb(_HAND_SIZE * more, _HAND_SIZE)
    return product


Picker = Callable[[Sequence[int]], tuple[int, ...]]
Choices = list[tuple[tuple[int, ...], tuple[int, ...]]]
Picks = list[tuple[Picker, Picker]]


@lru_cache(maxsize=1)
def _hand_choices() -> tuple[Choices, Picks, Picks]:
    """Return all choices of a hand, each with the rest, from twenty, fifteen and ten cards.

    From twenty as card numbers; from fewer as what picks the cards from those that are left.
    """
    return _choices(20), _picks(15), _picks(10)


def _picks(cards: int) -> Picks:
    return [(itemgetter(*hand), itemgetter(*rest)) for hand, rest in _choices(cards)]


def _choices(cards: int) -> Choices:
    """Return all choices of a hand from the cards 0, 1, 2, ..., each with the rest."""
    hands = combinations(range(cards), _HAND_SIZE)
    # Where hands are counted upwards, what is left of the cards is counted downwards.
    rests = reversed([*combinations(range(cards), cards - _HAND_SIZE)])
    return list(zip(hands, rests, strict=True))


def _rank(cards: list[int], hand: list[int]) -> int:
    rank = 0
    place = 0
    for still, card in zip(range(_HAND_SIZE, 0, -1), hand, strict=True):
        while cards[place] != card:
            rank += comb(len(cards) - place - 1, still - 1)
            place += 1
        place += 1
    return rank
