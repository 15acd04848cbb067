"""Chapter "Talon": the cards laid aside, and what the declarer may do with them.

Only tables that lay cards aside have this phase. It stands between the auction and the play, and
belongs to the declarer alone: he takes the talon and discards as many cards, or leaves it.

Rule ids: talon.when, talon.declarer, talon.take-first, talon.discard-due, talon.own-cards,
talon.raise, talon.raise-higher; the right to bid without the talon is talon.without.
"""

from __future__ import annotations

from itertools import combinations

from . import contracts, scoring
from .auction import holds_required_cards, open_to
from .errors import Refusal
from .notation import Action, cards_in, mask_of
from .position import OVER, PLAY, SHOW, TALON, Position, Talon
from .ruleset import Contract

_CHOICE = (Action("talon"), Action("keep"))


def begin(position: Position) -> None:
    """Offer the talon to the winner of the auction; where he has no right to it, go on."""
    talon, contract = position.talon, position.contract
    if talon is None:
        contracts.begin_play(position)
        return
    assert contract is not None
    if contract.talon == "offered" and not talon.bid_without:
        position.phase = TALON
        position.turn = position.declarer
        return
    position.talon = talon._replace(declined=talon.bid_without)
    _go_on(position)


def talon_actions(position: Position) -> dict[int, list[Action]]:
    """Return what the declarer may do in the phase of the talon, raising apart."""
    if not _of(position).taken:
        return {position.declarer: list(_CHOICE)}
    held = cards_in(position.hands[position.declarer])
    size = position.rules.options.talon_cards
    return {
        position.declarer: [Action("discard", mask_of(pair)) for pair in combinations(held, size)]
    }


def raise_actions(position: Position) -> dict[int, list[Action]]:
    """Return the contracts to which the declarer may go up now."""
    if not _raise_open(position):
        return {}
    seat = position.declarer
    higher = [
        Action("raise", contract.name)
        for contract in position.rules.contracts
        if _objection(position, seat, contract) is None
    ]
    return {seat: higher} if higher else {}


def take(position: Position, seat: int) -> None:
    """Take the talon into the hand, unseen by the others."""
    _check_turn(position, seat)
    talon = _of(position)
    if talon.taken:
        raise Refusal("talon.discard-due", "the talon has been taken, discards are due")
    position.hands[seat] |= talon.cards
    position.talon = talon._replace(cards=0, taken=True)


def keep(position: Position, seat: int) -> None:
    """Keep the hand as it is; nobody looks at the talon."""
    _check_turn(position, seat)
    talon = _of(position)
    if talon.taken:
        raise Refusal("talon.discard-due", "the talon has been taken, discards are due")
    position.talon = talon._replace(declined=True)
    _go_on(position)


def discard(position: Position, seat: int, cards: int) -> None:
    """Lay as many cards aside as the talon had; they count for nobody (talon.no-points)."""
    _check_turn(position, seat)
    talon = _of(position)
    if not talon.taken:
        raise Refusal("talon.take-first", "the talon has not been taken")
    if cards & ~position.hands[seat]:
        raise Refusal("talon.own-cards", "a card is not in this seat's hand")
    position.hands[seat] ^= cards
    # talon.turned-card: nobody else can tell any longer whether a card turned up is still there.
    position.shown[seat] = 0
    position.talon = talon._replace(cards=cards)
    _go_on(position)


def raise_contract(position: Position, seat: int, name: str) -> None:
    """Go up to a higher contract after seeing the talon; what was doubled stays doubled."""
    if not _raise_open(position):
        raise Refusal("talon.when", "a contract is raised between the talon and the first lead")
    contract = position.rules.by_name.get(name)
    objection = _objection(position, seat, contract)
    if objection is not None:
        raise objection
    position.contract = contract
    if position.phase != TALON:
        _go_on(position)


def known_to(position: Position, seat: int) -> int:
    """Return the mask of the cards lying in the talon that a seat knows.

    The declarer knows his discards; at the end everybody looks (talon.shown-at-the-end).
    """
    talon = position.talon
    if talon is None:
        return 0
    discarded = talon.taken and seat == position.declarer
    return talon.cards if discarded or position.phase == OVER else 0


def _of(position: Position) -> Talon:
    assert position.talon is not None
    return position.talon


def _check_turn(position: Position, seat: int) -> None:
    if position.phase != TALON:
        raise Refusal("talon.when", "this is not the time for the talon")
    if seat != position.declarer:
        raise Refusal("talon.declarer", "the talon is the declarer's")


def _raise_open(position: Position) -> bool:
    if position.phase in (TALON, SHOW):
        return True
    return position.phase == PLAY and not position.trick and not position.tricks_done


def _objection(position: Position, seat: int, contract: Contract | None) -> Refusal | None:
    """Return why a seat may not go up to a contract, or None if it may."""
    assert position.contract is not None
    if seat != position.declarer:
        return Refusal("talon.declarer", "only the declarer raises")
    if position.rules.options.talon_raise == "refused":
        return Refusal("talon.raise", "contracts are not raised at this table")
    if not _of(position).taken:
        return Refusal("talon.raise", "only who has taken the talon may go higher")
    if contract is None:
        return Refusal("auction.bidders", "the contract is not played at this table")
    if not open_to(position, seat, contract):
        return Refusal("auction.bidders", f"{contract.name} is not open to this seat")
    if not holds_required_cards(position, seat, contract):
        return Refusal("auction.cards-required", f"{contract.name} needs cards that are not held")
    if contract.rank <= position.contract.rank:
        return Refusal("talon.raise-higher", f"{contract.name} is no higher contract")
    return None


def _go_on(position: Position) -> None:
    """Begin the play, unless cards that the talon could have brought are missing.

    talon.completed: the contract is then lost at once, as an uncovered lay-down is.
    """
    contract = position.contract
    assert contract is not None
    late = contract.held_at == "after_talon"
    if late and not holds_required_cards(position, position.declarer, contract):
        scoring.award_contract(position, made=False, reason="failed")
        return
    contracts.begin_play(position)
