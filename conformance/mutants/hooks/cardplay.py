"""Get at the play of cards: what may be played, what a trick asks, who takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bauernschnapsen import play
from bauernschnapsen.errors import Refusal
from bauernschnapsen.play import Duties, Duty
from bauernschnapsen.position import Position, Trick
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch

from .questions import DUTIES, When, turn_of


def on_allowed(patch: Patch, change: Callable[[Position, int], int]) -> None:
    """Change which cards the seat on turn may play: `change` gets and returns a mask."""
    legal, check = play.legal_cards, play.check_card

    def legal_cards(position: Position) -> int:
        return change(position, legal(position)) & position.hands[turn_of(position)]

    def check_card(position: Position, seat: int, card: int) -> None:
        try:
            check(position, seat, card)
        except Refusal as refusal:
            if refusal.rule in DUTIES and legal_cards(position) >> card & 1:
                return
            raise
        if not legal_cards(position) >> card & 1:
            raise Refusal("play.discard", "a rule that does not exist")

    patch.swap(play, "legal_cards", legal_cards)
    patch.swap(play, "check_card", check_card)


def on_duties(patch: Patch, change: Callable[[Position, Duties], Duties]) -> None:
    """Change what the trick asks of the seat on turn."""
    legal, check, asked = play.legal_cards, play.check_card, play.duties
    now: list[Position] = []

    def legal_cards(position: Position) -> int:
        now[:] = [position]
        return legal(position)

    def check_card(position: Position, seat: int, card: int) -> None:
        now[:] = [position]
        check(position, seat, card)

    def duties(contract: Contract, trump: int | None, led: int, winning: int) -> Duties:
        return change(now[0], asked(contract, trump, led, winning))

    patch.swap(play, "legal_cards", legal_cards)
    patch.swap(play, "check_card", check_card)
    patch.swap(play, "duties", duties)


def without(asked: Duties, *rules: str) -> Duties:
    """The duties of a trick without those of some rules."""
    return Duties(
        tuple(duty for duty in asked.suit if duty.rule not in rules),
        tuple(duty for duty in asked.trumps if duty.rule not in rules),
    )


def drop_duty(patch: Patch, rule: str, when: When) -> None:
    """Forget a duty at times: play.beat, play.follow, play.ruff or play.over-ruff."""
    on_duties(patch, lambda p, asked: without(asked, rule) if when(p) else asked)


def asks_like(patch: Patch, when: When, **fields: Any) -> None:
    """At times ask what a contract with other fields would ask."""
    from dataclasses import replace

    def change(position: Position, asked: Duties) -> Duties:
        contract, winning = position.contract, position.winning
        if contract is None or winning is None or not when(position):
            return asked
        other = replace(contract, **fields)
        return clean(other, position.trump_in_force, position.trick[0][1], winning[1])

    clean = play.duties
    on_duties(patch, change)


def duty(cards: int, rule: str) -> Duty:
    """The duty to play one of some cards if one is held."""
    return Duty(cards, cards, rule)


def on_beats(patch: Patch, change: Callable[[Position, int, int, bool], bool]) -> None:
    """Change whether a card takes the trick: position before it, card, winning card, right."""
    put, right = play.put_card, play.beats
    now: list[Position] = []

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        now[:] = [position]
        trick: Trick | None = put(position, seat, card)
        return trick

    def beats(card: int, winning: int, contract: Contract, trump: int | None) -> bool:
        return change(now[0], card, winning, right(card, winning, contract, trump))

    patch.swap(play, "put_card", put_card)
    patch.swap(play, "beats", beats)


def on_winner(patch: Patch, change: Callable[[Position, int], int]) -> None:
    """Change who wins a complete trick, which still lies on the table."""

    def make(complete: Any) -> Any:
        return lambda position, winner: complete(position, change(position, winner))

    patch.wrap(play, "_complete_trick", make)


def after_trick(patch: Patch, change: Callable[[Position, Trick], None]) -> None:
    """Change the position after a trick was completed, before the deal may end with it."""

    def make(complete: Any) -> Any:
        def complete_trick(position: Position, winner: int) -> Trick:
            trick: Trick = complete(position, winner)
            change(position, trick)
            return trick

        return complete_trick

    patch.wrap(play, "_complete_trick", make)
