"""Strategies: random deals, random starts and random lines of play, all drawn through hypothesis.

A line is driven by a string of bytes, one for each decision: that is one draw instead of dozens, so
that thousands of whole deals stay affordable, and it shrinks towards the first legal action.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from bauernschnapsen import notation, table
from bauernschnapsen.errors import Refusal
from bauernschnapsen.match import new_score
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, OVER, Position
from bauernschnapsen.ruleset import Rules, rules_of

PAGAT = rules_of("pagat")


def examples(number: int) -> settings:
    """Return settings for so many examples: the same ones in every run, few in a quick one."""
    few = max(5, round(number * float(os.environ.get("SHARE_OF_EXAMPLES", "1"))))
    return settings(max_examples=few, deadline=None, database=None, derandomize=True)


SEATS = range(4)
LONGEST_DEAL = 72
"""More actions than any deal has: the trump, four bids of each of ten contracts, three passes,
three steps of doubling, twenty cards and a claim make 68."""

FINITE = [
    *(Action("trump", suit) for suit in range(4)),
    *(Action("turn-up", place) for place in range(2)),
    *(Action(word) for word in ("redeal", "pass", "kontra", "rekontra", "subkontra")),
    *(Action(verb, card) for verb in ("play", "marry") for card in range(20)),
    *(Action(word) for word in ("enough", "show", "talon", "keep")),
    Action("discard", 0b11),
    Action("discard", 1 << 19 | 1),
]
"""The finite actions; of the 190 discards, which a table of four never has, two stand for all."""


def every_action(rules: Rules) -> list[Action]:
    """Every action there is, contracts that are not played or do not exist included."""
    names = [*rules.by_name, "plauderer", "there-is-no-such-contract"]
    return FINITE + [Action(verb, name) for verb in ("bid", "raise") for name in names]


class Deal(NamedTuple):
    """Where a deal starts: `start` is None for a deal from the trump choice on."""

    dealer: int
    hands: tuple[tuple[int, ...], ...]
    scores: tuple[int, int]
    start: tuple[str, int, int] | None
    """Contract, declarer, trump."""

    def begin(self, rules: Rules = PAGAT) -> Position:
        """Return the position before the first action."""
        score = new_score(rules, self.scores)
        if self.start is None:
            return table.new_deal(rules, self.dealer, self.hands, score)
        name, declarer, trump = self.start
        return table.start_contract(rules, self.dealer, self.hands, name, declarer, trump, score)

    def record(self, actions: list[tuple[int, Action]]) -> dict[str, object]:
        """Return the deal and some actions as a record of the adapter protocol."""
        record: dict[str, object] = {
            "dealer": notation.SEATS[self.dealer],
            "hands": {
                notation.SEATS[seat]: [notation.CARDS[card] for card in self.hands[seat]]
                for seat in SEATS
            },
            "scores": dict(zip(("NS", "EW"), self.scores, strict=True)),
            "actions": [[notation.SEATS[seat], str(action)] for seat, action in actions],
        }
        if self.start is not None:
            name, declarer, trump = self.start
            record["contract"] = {
                "name": name,
                "declarer": notation.SEATS[declarer],
                "trump": notation.SUITS[trump],
            }
        return record


def _hands(pack: list[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(pack[5 * seat : 5 * seat + 5]) for seat in SEATS)


def _gather(pack: list[int], seat: int, wanted: list[int]) -> list[int]:
    """Move up to five wanted cards to a seat, so that what needs them does not become too rare."""
    own = wanted[:5]
    others = [card for card in pack if card not in own]
    return others[: 5 * seat] + own + others[5 * seat :]


def _strong(pack: list[int], seat: int, suit: int) -> list[int]:
    """Give a seat ace, ten, king and queen of a suit and another ace, in the order of the pack."""
    wanted = {5 * suit, 5 * suit + 1, 5 * suit + 2, 5 * suit + 3, (5 * suit + 5) % 20}
    return _gather(pack, seat, [card for card in pack if card in wanted])


def _whole_suit(pack: list[int], seat: int, suit: int) -> list[int]:
    return _gather(pack, seat, [card for card in pack if card // 5 == suit])


def whole_suit_for(pack: list[int], seat: int, suit: int) -> tuple[tuple[int, ...], ...]:
    """Return four hands in which a seat holds all cards of a suit, in the order of the pack."""
    return _hands(_whole_suit(pack, seat, suit))


def _aces_and_tens(pack: list[int], seat: int, _: int) -> list[int]:
    return _gather(pack, seat, [card for card in pack if card % 5 < 2])


packs = st.permutations(range(20))
hands = st.builds(
    lambda pack, shape, seat, suit: _hands(shape(pack, seat, suit)),
    packs,
    st.sampled_from([lambda pack, *_: pack] * 3 + [_strong, _whole_suit, _aces_and_tens]),
    st.sampled_from(SEATS),
    st.integers(0, 3),
)
scores = st.tuples(st.integers(0, 23), st.integers(0, 23))
choices = st.binary(min_size=LONGEST_DEAL, max_size=LONGEST_DEAL)

deals_from_trump = st.builds(
    Deal,
    dealer=st.sampled_from(SEATS),
    hands=hands,
    scores=scores,
    start=st.none(),
)


def _started(deal: Deal, name: str, declarer: int, trump: int, strong: bool) -> Deal:
    pack = [card for hand in deal.hands for card in hand]
    if PAGAT.by_name[name].goal == "shown":  # only with the cards: who bids it holds them
        deal = deal._replace(hands=whole_suit_for(pack, declarer, trump))
    elif strong:
        deal = deal._replace(hands=_hands(_strong(pack, declarer, trump)))
    return deal._replace(start=(name, declarer, trump))


deals_from_contract = st.builds(
    _started,
    deals_from_trump,
    st.sampled_from([*PAGAT.by_name, *["normal"] * 5]),
    st.sampled_from(SEATS),
    st.integers(0, 3),
    st.booleans(),
)
deals = deals_from_trump | deals_from_contract


def choose(position: Position, choice: int) -> tuple[int, Action]:
    """Return the legal action that a byte stands for.

    In the auction three of four are the lowest bid at first and passes later; few claims are false.
    """
    legal = table.legal_actions(position)
    pairs = [(seat, action) for seat, actions in legal.items() for action in actions]
    if position.phase == AUCTION:
        usual = -1 if position.bid else 0
        return pairs[usual if choice & 3 else (choice >> 2) % len(pairs)]
    if pairs[-1][1].verb == "enough" and choice & 7:
        true = position.points[position.side(pairs[-1][0])] >= 66
        if true and choice & 1:
            return pairs[-1]
        pairs.pop()
    return pairs[choice % len(pairs)]


def line(deal: Deal, choice: bytes, rules: Rules = PAGAT) -> Iterator[tuple[Position, int, Action]]:
    """Play a deal to its end; yield each position with the action chosen in it."""
    position = deal.begin(rules)
    for byte in choice:
        if position.phase == OVER:
            return
        seat, action = choose(position, byte)
        yield position, seat, action
        position = table.apply(position, seat, action)
    if position.phase != OVER:
        raise AssertionError("the deal does not end")


def positions(deal: Deal, choice: bytes, rules: Rules = PAGAT) -> list[Position]:
    """Return all positions of a line, the last one included."""
    steps = list(line(deal, choice, rules))
    last, seat, action = steps[-1]
    return [*(position for position, _, _ in steps), table.apply(last, seat, action)]


def attempts(
    deal: Deal, choice: bytes, wrong: bytes, rules: Rules = PAGAT
) -> list[tuple[int, Action]]:
    """Return the actions of a line with refused ones strewn in between."""
    tried = []
    every = every_action(rules)
    for (position, seat, action), start in zip(line(deal, choice, rules), wrong, strict=False):
        for number in range(start & 3):
            byte = (start * 37 + number * 101) & 0xFF
            elsewhere, other = byte & 3, every[(byte >> 2) * 7 % len(every)]
            if number == 0 and position.turn is not None and position.hands[position.turn]:
                # Nearly right: a card of the seat on turn, which another rule may forbid.
                elsewhere = position.turn
                cards = notation.cards_in(position.hands[elsewhere])
                other = Action("marry" if byte & 4 else "play", cards[byte % len(cards)])
            if refusal(position, elsewhere, other) is not None:
                tried.append((elsewhere, other))
        tried.append((seat, action))
    return tried


def refusal(position: Position, seat: int, action: Action) -> Refusal | None:
    """Return the refusal of an action, or None if it is accepted."""
    try:
        table.apply(position, seat, action)
    except Refusal as refused:
        return refused
    return None
