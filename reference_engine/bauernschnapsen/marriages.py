"""Chapter "Marriages": king and queen of a suit, shown when one of them is led.

Rule ids: marriages.contracts, marriages.declarer-only, marriages.on-lead, marriages.first-lead,
marriages.pair, marriages.value, marriages.shown.
"""

from __future__ import annotations

from .cards import KING, QUEEN, RANK_OF, SUIT_OF
from .errors import Refusal
from .notation import SUITS
from .position import Position

PAIRS = tuple((1 << 5 * suit + KING) | (1 << 5 * suit + QUEEN) for suit in range(len(SUITS)))


def marriage_cards(position: Position) -> int:
    """Return the mask of the cards with which the seat to act may lead and declare a marriage."""
    seat = position.turn
    if seat is None or position.trick or _forbidden(position, seat) is not None:
        return 0
    hand = position.hands[seat]
    return sum(pair for pair in PAIRS if hand & pair == pair)


def check_marriage(position: Position, seat: int, card: int) -> None:
    """Raise Refusal unless the seat on turn may declare a marriage with this card of its hand."""
    forbidden = _forbidden(position, seat)
    if forbidden is not None:
        raise forbidden
    if position.trick:
        raise Refusal("marriages.on-lead", "a marriage is declared only when leading")
    pair = PAIRS[SUIT_OF[card]]
    if RANK_OF[card] not in (KING, QUEEN) or position.hands[seat] & pair != pair:
        raise Refusal("marriages.pair", "king and queen of the suit must both be in hand")


def _forbidden(position: Position, seat: int) -> Refusal | None:
    """Return why this seat can declare no marriage in this contract now, whatever it holds."""
    contract = position.contract
    assert contract is not None
    if contract.marriages == "none":
        return Refusal("marriages.contracts", "there are no marriages in this contract")
    if contract.marriages == "declarer" and seat != position.declarer:
        return Refusal("marriages.declarer-only", "only the declarer's marriages count")
    if contract.marriages == "side" and position.against_declarer(seat):
        return Refusal("marriages.declarer-only", "only the declarer's side has marriages")
    needs = position.rules.options.marriage_needs
    if needs == "side_trick" and not position.tricks[position.side(seat)]:
        return Refusal("marriages.first-lead", "the side must have won a trick before")
    if needs == "own_trick" and not position.tricks_by_seat[seat]:
        return Refusal("marriages.first-lead", "the player must have won a trick before")
    return None


def declare(position: Position, seat: int, card: int) -> None:
    """Count a checked marriage: 20 card points, 40 in trumps; the kept half is public."""
    suit = SUIT_OF[card]
    worth = 40 if suit == position.trump_in_force else 20  # marriages.value
    position.points[position.side(seat)] += worth
    position.declared[position.side(seat)] += worth
    position.shown[seat] |= PAIRS[suit]  # marriages.shown; the led half leaves when it is put
