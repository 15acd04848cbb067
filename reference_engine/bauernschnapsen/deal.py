"""Chapter "Deal and trump": forehand names the trump on the first packet, or has a card turned up.

Rule ids: deal.trump-once, deal.forehand-names, deal.trump-from-three, deal.turn-up,
deal.no-redeal.
"""

from __future__ import annotations

from .cards import SUIT_OF, UNTERS
from .errors import Refusal
from .notation import SUITS, Action, mask_of
from .position import OVER, TRUMP, Position


def deal_actions(position: Position) -> dict[int, list[Action]]:
    """Return what the seat that names the trump may do."""
    if position.phase != TRUMP or position.turn is None:
        return {}
    seat = position.turn
    allowed = [Action("trump", suit) for suit in range(len(SUITS)) if suit in _suits(position)]
    allowed += [Action("turn-up", place) for place in _turnable(position)]
    if _may_redeal(position):
        allowed.append(Action("redeal"))
    return {seat: allowed}


def name_trump(position: Position, seat: int, suit: int) -> None:
    """Name a suit among the first packet as trump, for the whole deal."""
    _check_turn(position, seat)
    if suit not in _suits(position):
        raise Refusal("deal.trump-from-three", "the suit is not among the first cards")
    position.trump = suit
    _trump_is_fixed(position)


def turn_up(position: Position, seat: int, place: int) -> None:
    """Have one of the unseen cards turned up (Aufschlagen): its suit is trump, all have seen it."""
    check_place(position, place)
    _check_turn(position, seat)
    if place not in _turnable(position):
        raise Refusal("deal.turn-up", "this card may not be turned up for trump")
    card = position.dealt[seat][position.rules.options.packets[0] + place]
    position.trump = SUIT_OF[card]
    position.shown[seat] |= 1 << card
    _trump_is_fixed(position)


def redeal(position: Position, seat: int) -> None:
    """Throw the cards in before naming a trump; the same dealer deals again, nothing is scored."""
    _check_turn(position, seat)
    if not _may_redeal(position):
        raise Refusal("deal.no-redeal", "these cards have to be played")
    position.phase = OVER
    position.turn = None
    position.next_dealer = position.dealer


def check_place(position: Position, place: object) -> None:
    """Raise Refusal if no card can ever lie unseen at this place (from 0) at this table."""
    if place not in range(_unseen(position)):
        raise Refusal("notation.action", "no hand has so many unseen cards at this table")


def _unseen(position: Position) -> int:
    return position.rules.hand_size - position.rules.options.packets[0]


def _check_turn(position: Position, seat: int) -> None:
    if position.phase != TRUMP:
        raise Refusal("deal.trump-once", "the trump is named once, at the beginning")
    if seat != position.turn:
        raise Refusal("deal.forehand-names", "another seat names the trump")


def _first_packet(position: Position) -> tuple[int, ...]:
    assert position.turn is not None
    return position.dealt[position.turn][: position.rules.options.packets[0]]


def _suits(position: Position) -> set[int]:
    if position.rules.options.trump_choice == "any_suit":
        return set(range(len(SUITS)))
    return {SUIT_OF[card] for card in _first_packet(position)}


def _turnable(position: Position) -> range:
    if position.contract is not None:
        return range(0)  # the auction came first: every card has been seen
    words = {"either": _unseen(position), "first": 1, "refused": 0}
    return range(words[position.rules.options.turn_up])


def _may_redeal(position: Position) -> bool:
    if position.rules.options.redeal_three_unters == "never" or position.contract is not None:
        return False
    return not mask_of(_first_packet(position)) & ~UNTERS


def _trump_is_fixed(position: Position) -> None:
    phases = position.rules.options.phases
    position.phase = phases[phases.index(TRUMP) + 1]
