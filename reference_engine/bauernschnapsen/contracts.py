"""Chapter "Contracts": who leads, who sits out, and when a contract is made or lost.

Rule ids: contracts.show, contracts.show-declarer, contracts.show-wins, contracts.bettler.lost,
contracts.three-tricks.own, contracts.three-tricks.points, contracts.three-tricks.end,
contracts.three-tricks.no-early-win, contracts.all-tricks.lost, contracts.not-played.
"""

from __future__ import annotations

from . import scoring
from .auction import holds_required_cards
from .errors import Refusal
from .position import OVER, PLAY, SHOW, Position
from .ruleset import Contract
from .scoring import SIXTY_SIX


def begin_play(position: Position) -> None:
    """Open the play, or the showing of the hand, of the contract that won the auction."""
    contract = position.contract
    assert contract is not None
    declarer = position.declarer
    if contract.goal == "shown":
        position.phase = SHOW
        position.turn = declarer
        if position.rules.options.laydown_end != "show":
            show(position, declarer)
        return
    position.phase = PLAY
    if contract.partner == "out":
        partners = [
            seat
            for seat in range(position.rules.seats)
            if seat != declarer and not position.against_declarer(seat)
        ]
        position.out = partners[0] if partners else -1
    first = declarer if contract.lead == "declarer" else position.forehand
    position.turn = first if first != position.out else position.after(first)


def show(position: Position, seat: int) -> None:
    """Lay the hand down in a contract that is not played."""
    if position.phase != SHOW:
        raise Refusal("contracts.show", "there is nothing to lay down in this contract")
    if seat != position.declarer:
        raise Refusal("contracts.show-declarer", "the declarer lays down")
    contract = position.contract
    assert contract is not None
    position.shown[seat] |= position.hands[seat]
    if holds_required_cards(position, seat, contract):
        scoring.award_contract(position, made=True, reason="shown")
    else:
        scoring.award_contract(position, made=False, reason="failed")


def after_trick(position: Position) -> None:
    """End the deal if the trick just completed has made or lost the contract."""
    contract = position.contract
    assert contract is not None
    last = position.tricks_done + _marriages_as_tricks(position) >= contract.tricks
    won = _tricks_that_count(position, contract)
    if contract.goal == "claim_66":
        if last:
            scoring.award_last_trick(position)
        return
    broken = won > 0 if contract.goal == "no_trick" else won < position.tricks_done
    if broken and (last or contract.ends_early != "never"):
        scoring.award_contract(position, made=False, reason="failed")
    elif contract.goal == "tricks_66":
        enough = position.points[position.side(position.declarer)] >= SIXTY_SIX
        if last or (enough and not broken and contract.ends_early == "when_lost_or_66"):
            made = enough and not broken
            scoring.award_contract(position, made=made, reason="made" if made else "failed")
    elif last:
        scoring.award_contract(position, made=True, reason="made")


def after_marriage(position: Position) -> None:
    """End the deal if a marriage of the declarer's side has made the contract."""
    contract = position.contract
    assert contract is not None
    if contract.goal != "tricks_66":
        return
    enough = position.points[position.side(position.declarer)] >= SIXTY_SIX
    early = contract.ends_early in ("when_lost_or_marriage", "when_lost_or_66")
    if enough and early and _tricks_that_count(position, contract) == position.tricks_done:
        scoring.award_contract(position, made=True, reason="made")
    elif position.tricks_done + _marriages_as_tricks(position) >= contract.tricks:
        scoring.award_contract(position, made=enough, reason="made" if enough else "failed")


def _marriages_as_tricks(position: Position) -> int:
    """Return how many tricks the declarer's marriages stand for: a 20 for one, a 40 for two."""
    contract = position.contract
    assert contract is not None
    if contract.marriages_as_tricks == "never" or contract.goal != "tricks_66":
        return 0
    return position.declared[position.side(position.declarer)] // 20


def _tricks_that_count(position: Position, contract: Contract) -> int:
    """Return how many tricks so far count as the declarer's."""
    if contract.won_by == "declarer":
        return position.tricks_by_seat[position.declarer]
    if contract.won_by == "side":
        return position.tricks[position.side(position.declarer)]
    return position.tricks_done


def hands_opened(position: Position) -> dict[int, int]:
    """Return viewer -> mask of seats whose hands lie open to it by the contract (W39).

    What has been seen stays known to the end of the deal and after it.
    """
    contract = position.contract
    if contract is None or contract.exposed == "nothing" or contract.goal == "shown":
        return {}
    if position.phase not in (PLAY, OVER):
        return {}
    seats = range(position.rules.seats)
    opponents = [seat for seat in seats if position.against_declarer(seat)]
    if contract.exposed == "opponents_before_first_trick":
        return {seat: sum(1 << other for other in opponents if other != seat) for seat in opponents}
    if not position.tricks_done:
        return {}
    if contract.exposed == "opponents_after_first_trick":
        return {seat: sum(1 << o for o in opponents if o != seat) for seat in seats}
    return {seat: 1 << position.declarer for seat in seats if seat != position.declarer}
