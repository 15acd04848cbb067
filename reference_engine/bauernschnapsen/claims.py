"""Chapter "Claims": saying "enough", rightly or wrongly.

Rule ids: claims.contract, claims.claimer, claims.moment, claims.last-trick, claims.true,
claims.false, claims.unfinished-trick, claims.one-point, claims.two-points, claims.three-points.
"""

from __future__ import annotations

from . import scoring
from .errors import Refusal
from .notation import Action
from .position import PLAY, SHOW, Position
from .scoring import SIXTY_SIX, camp_points

ENOUGH = Action("enough")


def claim_actions(position: Position) -> dict[int, list[Action]]:
    """Return the seats that may say "enough" now; a false claim is as legal as a true one."""
    if position.may_claim is None or position.phase != PLAY:
        return {}
    return {
        seat: [ENOUGH] for seat in range(position.rules.seats) if _objection(position, seat) is None
    }


def open_moment(position: Position, seat: int) -> None:
    """Note that a seat has just won a trick or declared a marriage, and may therefore claim.

    Where claims are made by the cards themselves, a claim that is true is carried out at once.
    """
    contract = position.contract
    assert contract is not None
    mode = position.rules.options.claim_mode
    if contract.goal != "claim_66" or mode == "at_end" or position.phase != PLAY:
        return
    if _last_trick_led(position):  # by a marriage, where not all cards are played
        return
    if mode == "called":
        position.may_claim = seat
    elif camp_points(position, seat) >= SIXTY_SIX:
        scoring.award_claim(position, seat, holds=True)


def claim(position: Position, seat: int) -> None:
    """Say "enough": the deal ends.

    claims.unfinished-trick: the cards on the table count for nobody.
    """
    contract = position.contract
    if contract is None or position.phase not in (PLAY, SHOW):
        raise Refusal("claims.moment", "nothing can be claimed before the play")
    if contract.goal != "claim_66":
        raise Refusal("claims.contract", "there is nothing to claim in this contract")
    if _last_trick_led(position):
        raise Refusal("claims.last-trick", "the last trick has been led")
    if position.may_claim is None:
        raise Refusal("claims.moment", "no trick has just been won, no marriage just declared")
    objection = _objection(position, seat)
    if objection is not None:
        raise objection
    scoring.award_claim(position, seat, holds=camp_points(position, seat) >= SIXTY_SIX)


def _last_trick_led(position: Position) -> bool:
    contract = position.contract
    assert contract is not None
    return bool(position.trick) and position.tricks_done == contract.tricks - 1


def _objection(position: Position, seat: int) -> Refusal | None:
    options = position.rules.options
    entitled = position.may_claim
    assert entitled is not None
    between_tricks = not position.trick
    if seat == position.out:
        return Refusal("claims.claimer", "whoever sits out does not claim")
    if seat != entitled:
        partner = position.against_declarer(seat) == position.against_declarer(entitled)
        anybody = options.claim_window == "between_tricks" and between_tricks
        if not anybody and not partner:
            return Refusal("claims.moment", "the others have just won the trick or declared")
        if not anybody and options.claim_by != "side":
            return Refusal("claims.claimer", "another seat has just won the trick or declared")
    if options.false_claims == "blocked" and camp_points(position, seat) < SIXTY_SIX:
        return Refusal("claims.may-be-false", "a claim below 66 is not accepted at this table")
    return None
