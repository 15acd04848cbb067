"""Every auction there is: all situations, all calls that are allowed in them, and all that are not.

What may be said depends on who is to speak, on what the hands allow, on the bid that stands and
who made it, and on who has passed. From one deal for each combination of what hands allow
(`holdings`), every call is followed to every situation it can lead to. The result is a graph; walks
through it from the trump choice to the contract take every call once, and where a walk first comes
to a situation everything is tried that is refused there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bauernschnapsen import table
from bauernschnapsen.cards import PACK_SIZE
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import (
    Action,
    format_action,
    format_card,
    seat_letters,
    side_names,
)
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import Contract, Rules

from .holdings import Holds, Start, holds, starts

Json = dict[str, Any]
State = tuple[Any, ...]
_NOT_THE_AUCTION = frozenset({"rules", "dealt", "hands", "score", "dealer"})
"""Slots of a position that never change while the auction goes on."""


class AuctionClass(NamedTuple):
    """A situation apart from the hands of the others: what decides on what may be said."""

    seat: int
    """Counted clockwise from forehand."""
    holds: tuple[str, ...]
    """Contracts open to the seat that ask for cards which it holds."""
    standing: tuple[Any, ...]
    """What the auction has come to: bid, who made it, what became of it."""
    passed: tuple[int, ...]


@dataclass(slots=True)
class Walk:
    """One way through an auction, as actions of a deal."""

    deal: Position
    """The deal before its first action."""
    steps: list[tuple[int, Action, Position | None]] = field(default_factory=list)
    """Seat, action and the position after it; None where the action is refused."""


@dataclass(slots=True)
class Auctions:
    """All auctions of a ruleset, and how many there are of everything."""

    combinations: int = 0
    """Of what the hands allow."""
    classes: set[AuctionClass] = field(default_factory=set)
    situations: int = 0
    """Classes with every combination of what the hands of the others allow."""
    calls: int = 0
    refused: int = 0
    walks: list[Walk] = field(default_factory=list)


def all_auctions(rules: Rules) -> Auctions:
    """Return every auction; see the module."""
    found = Auctions()
    for combination, start in starts(rules).items():
        graph = _Graph(start, combination)
        found.combinations += 1
        found.classes |= graph.classes
        found.situations += len(graph.positions)
        found.calls += sum(map(len, graph.calls.values()))
        for walk in graph.walks():
            found.refused += sum(after is None for *_, after in walk.steps)
            found.walks.append(walk)
    return found


class _Graph:
    """The situations that an auction can come to, and the calls that lead from one to another."""

    def __init__(self, start: Start, combination: Holds) -> None:
        self._start = start
        self._holds = combination
        self.classes: set[AuctionClass] = set()
        self.positions: dict[State, Position] = {}
        self.calls: dict[State, dict[Action, tuple[State, Position]]] = {}
        self._ways: dict[State, tuple[State, Action] | None] = {_state(start.begun): None}
        self._explore(start.begun)

    def _explore(self, begun: Position) -> None:
        waiting = [begun]
        for position in waiting:
            state = _state(position)
            self.positions[state] = position
            self.classes.add(class_of(position, self._holds))
            seat = position.turn
            assert seat is not None
            leads = self.calls[state] = {}
            for call in table.legal_actions(position)[seat]:
                after = table.apply(position, seat, call)
                reached = _state(after)
                leads[call] = (reached, after)
                if after.phase == AUCTION and reached not in self._ways:
                    self._ways[reached] = (state, call)
                    waiting.append(after)

    def walks(self) -> Iterator[Walk]:
        """Yield walks that take every call at least once, each as far as there is a new one."""
        left = {state: dict(calls) for state, calls in self.calls.items()}
        tried: set[State] = set()
        for origin in self.positions:
            while left[origin]:
                walk = self._begin(tried)
                for state, call in self._way_to(origin):
                    self._take(walk, state, call, tried)
                    left[state].pop(call, None)
                state = origin
                while left.get(state):
                    call = next(iter(left[state]))
                    del left[state][call]
                    state = self._take(walk, state, call, tried)
                yield walk

    def _begin(self, tried: set[State]) -> Walk:
        deal, named, begun = self._start
        walk = Walk(deal)
        if named is not None:
            _try_all(walk, deal, tried)
            walk.steps.append((deal.forehand, named, begun))
        _try_all(walk, begun, tried)
        return walk

    def _way_to(self, state: State) -> list[tuple[State, Action]]:
        way = []
        while (before := self._ways[state]) is not None:
            way.append(before)
            state = before[0]
        return way[::-1]

    def _take(self, walk: Walk, state: State, call: Action, tried: set[State]) -> State:
        seat = self.positions[state].turn
        assert seat is not None
        reached, after = self.calls[state][call]
        walk.steps.append((seat, call, after))
        _try_all(walk, after, tried)
        return reached


def _try_all(walk: Walk, position: Position, tried: set[State]) -> None:
    """Try what is refused in a situation, where that has not been done."""
    state = _state(position)
    if state not in tried:
        tried.add(state)
        walk.steps += [(seat, call, None) for seat, call in _refused(position)]


def _refused(position: Position) -> Iterator[tuple[int, Action]]:
    """Yield calls that are refused.

    In the auction all others of the seat on turn, and of every other seat a pass and the lowest bid
    it could make if it were its turn; before and after the auction all of everybody.
    """
    rules = position.rules
    bids = [Action("bid", contract.name) for contract in rules.contracts]
    everything = [*bids, Action("pass"), Action("kontra")]
    for seat in range(rules.seats):
        waits = position.phase == AUCTION and seat != position.turn
        for call in [_lowest_bid(position, seat), Action("pass")] if waits else everything:
            try:
                table.apply(position, seat, call)
            except Refusal:
                yield seat, call


def _lowest_bid(position: Position, seat: int) -> Action:
    """Return what a seat could bid if it were its turn; the lowest of all bids if nothing."""
    turned = position.copy()
    turned.turn = seat
    calls = table.legal_actions(turned)[seat]
    lowest = Action("bid", position.rules.contracts[0].name)
    return next((call for call in calls if call.verb == lowest.verb), lowest)


def class_of(position: Position, combination: Holds | None = None) -> AuctionClass:
    """Return the class of a situation in an auction."""
    rules, forehand = position.rules, position.forehand
    assert position.turn is not None
    place = (position.turn - forehand) % rules.seats
    combination = combination or holds(position)
    bid = table.view(position)["bid"]
    letters = seat_letters(rules.seats)
    standing = (
        ()
        if bid is None
        else tuple(
            (letters.index(value) - forehand) % rules.seats if key == "seat" else value
            for key, value in bid.items()
        )
    )
    if position.cancelled:
        standing += ("kontra", position.bid.name if position.bid is not None else "")
    passed = tuple(
        seat
        for seat in range(rules.seats)
        if position.passed >> (forehand + seat) % rules.seats & 1
    )
    return AuctionClass(place, combination[place], standing, passed)


def _state(position: Position) -> State:
    """Return all that tells one situation of a deal's auction from another."""
    values = []
    for slot in Position.__slots__:
        if slot not in _NOT_THE_AUCTION:
            value = getattr(position, slot)
            if isinstance(value, list):
                value = tuple(value)
            values.append(value.name if isinstance(value, Contract) else value)
    return tuple(values)


# --------------------------------------------------------------------------- as deals


def deal_of(walk: Walk) -> Json:
    """Return a walk as a deal of a replay request."""
    start = walk.deal
    rules = start.rules
    letters = seat_letters(rules.seats)
    sides = side_names(rules.seats, partners=rules.options.sides == "partners")
    deal: Json = {
        "dealer": letters[start.dealer],
        "hands": {
            letters[seat]: [format_card(card) for card in hand]
            for seat, hand in enumerate(start.dealt)
        },
        "scores": dict.fromkeys(sides, 0),
        "actions": [[letters[seat], format_action(call)] for seat, call, _ in walk.steps],
    }
    if start.talon is not None:
        dealt = {card for hand in start.dealt for card in hand}
        deal["talon"] = [format_card(card) for card in range(PACK_SIZE) if card not in dealt]
    return deal
