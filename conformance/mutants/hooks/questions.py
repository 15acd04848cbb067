"""What a fault may depend on: seats, partners, the hand in the trick, the contract."""

from __future__ import annotations

from collections.abc import Callable

from bauernschnapsen import auction
from bauernschnapsen.cards import SUIT_MASKS, SUIT_OF, higher_cards
from bauernschnapsen.notation import Action, cards_in
from bauernschnapsen.position import Position

When = Callable[[Position], bool]
Legal = dict[int, list[Action]]
DUTIES = ("play.follow", "play.beat", "play.head-after-ruff", "play.ruff", "play.over-ruff")
ALL_CARDS = (1 << 20) - 1


def place(position: Position, seat: int) -> int:
    """A seat counted clockwise from forehand, who is 0."""
    return (seat - position.forehand) % position.rules.seats


def partner_of(position: Position, seat: int) -> int:
    """The seat opposite."""
    return (seat + 2) % position.rules.seats


def partners(position: Position, one: int | None, other: int | None) -> bool:
    """Whether two seats play together; nobody plays with None."""
    if one is None or other is None:
        return False
    return position.side(one) == position.side(other)


def hand_number(position: Position) -> int:
    """Which hand the seat on turn is in this trick: 1 leads."""
    return len(position.trick) + 1


def partner_wins(position: Position) -> bool:
    """Whether the partner of the seat on turn wins the trick so far."""
    winning = position.winning
    return winning is not None and partners(position, winning[0], position.turn)


def on_declarers_side(position: Position) -> bool:
    """Whether the seat on turn plays with the declarer, or is he."""
    return position.turn is not None and not position.against_declarer(position.turn)


def declarer_on_turn(position: Position) -> bool:
    """Whether it is the declarer's turn."""
    return position.turn == position.declarer


def goal_is(*goals: str) -> When:
    """Whether the contract has one of these goals."""
    return lambda position: position.contract is not None and position.contract.goal in goals


def contract_is(*names: str) -> When:
    """Whether one of these contracts is played."""
    return lambda position: position.contract is not None and position.contract.name in names


def no_trumps(position: Position) -> bool:
    """Whether the contract has no trumps."""
    return position.trump_in_force is None


def others(position: Position, side: int) -> list[int]:
    """The other sides."""
    return [one for one in range(position.rules.sides) if one != side]


def winner_side(position: Position) -> int | None:
    """The side that was awarded something in a finished deal."""
    outcome = position.outcome
    if outcome is None or not any(outcome.awards):
        return None
    return max(range(len(outcome.awards)), key=outcome.awards.__getitem__)


def cards(*texts: str) -> int:
    """The mask of some cards."""
    from bauernschnapsen.notation import mask_of, parse_card

    return mask_of([parse_card(text) for text in texts])


def lowest(mask: int, order: str = "JQKTA") -> int:
    """The card of a mask that comes first in an order of ranks, as a mask."""
    from bauernschnapsen.notation import RANKS

    best = min(cards_in(mask), key=lambda card: order.index(RANKS[card % 5]), default=None)
    return 0 if best is None else 1 << best


def highest(mask: int, order: str = "JQKTA") -> int:
    """The card of a mask that comes last in an order of ranks, as a mask."""
    return lowest(mask, order[::-1])


def trumps(position: Position) -> int:
    """All cards of the trump suit in force, as a mask."""
    trump = position.trump_in_force
    return 0 if trump is None else SUIT_MASKS[trump]


def suit_held(position: Position, hand: int) -> int:
    """Cards of a hand of the suit led."""
    return hand & SUIT_MASKS[SUIT_OF[position.trick[0][1]]]


def ruffed(position: Position) -> bool:
    """Whether the trick is won by another suit than the one led."""
    assert position.winning is not None
    return SUIT_OF[position.winning[1]] != SUIT_OF[position.trick[0][1]]


def over(position: Position, hand: int) -> int:
    """Cards of a hand that beat the winning card in its own suit."""
    assert position.winning is not None
    assert position.contract is not None
    return hand & higher_cards(position.contract.ranks)[position.winning[1]]


def could_bid(position: Position) -> bool:
    """Whether the seat on turn in the auction has a bid to make."""
    seat = position.turn
    assert seat is not None
    return any(auction._objection(position, seat, c) is None for c in position.rules.contracts)


def suits_of(cards: tuple[int, ...]) -> set[int]:
    """The suits of some cards."""
    return {SUIT_OF[card] for card in cards}


def camp(position: Position, seat: int) -> int:
    """Card points of a seat's side."""
    return position.points[position.side(seat)]


def turn_of(position: Position) -> int:
    """The seat on turn, where there is one."""
    assert position.turn is not None
    return position.turn


NORMAL = goal_is("claim_66")
"""Whether Normal, or whatever is claimed like it, is played."""
