"""Chapter "Scoring": what a deal is worth and to whom.

Rule ids: scoring.success, scoring.failure, scoring.one-side, scoring.deal-over, doubling.factor,
claims.last-trick-wins; the tiers are claims.one-point, claims.two-points, claims.three-points.
"""

from __future__ import annotations

from . import match
from .doubling import factor
from .position import OVER, Outcome, Position

SIXTY_SIX = 66
"""Card points that a side needs; doubling never changes them (doubling.factor)."""
OTHERS_SAFE = 33
"""Card points with which the losing camp concedes only one game point."""


def camp(position: Position, seat: int) -> list[int]:
    """Return the sides that play together with a seat in this deal: for or against the declarer."""
    against = position.against_declarer(seat)
    return sorted(
        {
            position.side(other)
            for other in range(position.rules.seats)
            if position.against_declarer(other) == against
        }
    )


def camp_points(position: Position, seat: int) -> int:
    """Return the card points of a seat's camp: completed tricks and declared marriages."""
    return sum(position.points[side] for side in camp(position, seat))


def tier(position: Position, winner: int) -> int:
    """Return 1, 2 or 3 for a win of the winner's camp over the other camp.

    3 if that has no trick, 2 if it has less than 33 card points, else 1; judged by tricks for
    the three and by card points for the two (A59, A70).
    """
    own = camp(position, winner)
    others = [side for side in range(position.rules.sides) if side not in own]
    if not sum(position.tricks[side] for side in others):
        return 3
    if position.rules.options.loser_33 == "tricks_only":
        points = sum(position.points[side] - position.declared[side] for side in others)
    else:
        points = sum(position.points[side] for side in others)
    return 2 if points < OTHERS_SAFE else 1


def award_claim(position: Position, seat: int, *, holds: bool) -> None:
    """Score a claim; a false one gives the others what a true one would have brought."""
    assert position.contract is not None
    value = position.contract.value * tier(position, seat)
    own = camp(position, seat)
    paid = own if holds else [side for side in range(position.rules.sides) if side not in own]
    _finish(position, paid, value, "claim" if holds else "false_claim")


def award_last_trick(position: Position) -> None:
    """Score a deal that nobody claimed: by default one point to the camp of the last trick."""
    assert position.contract is not None
    assert position.last_trick is not None
    options = position.rules.options
    winner = position.last_trick.winner
    if options.claim_mode == "at_end":
        # Of two camps with 66 the one with more card points wins; level, the last trick decides.
        best = max(
            [winner, *range(position.rules.seats)], key=lambda seat: camp_points(position, seat)
        )
        if camp_points(position, best) >= SIXTY_SIX:
            value = position.contract.value * tier(position, best)
            _finish(position, camp(position, best), value, "counted")
            return
    has_66 = camp_points(position, winner) >= SIXTY_SIX
    graded = options.last_trick_award == "graded" or (
        options.last_trick_award == "graded_if_66" and has_66
    )
    value = position.contract.value * (tier(position, winner) if graded else 1)
    _finish(position, camp(position, winner), value, "last_trick")


def award_contract(position: Position, *, made: bool, reason: str) -> None:
    """Score a contract: its value to the declarer's side, or to every side against it."""
    assert position.contract is not None
    own = position.side(position.declarer)
    paid = [own] if made else [side for side in range(position.rules.sides) if side != own]
    _finish(position, paid, position.contract.value, reason)


def _finish(position: Position, paid: list[int], value: int, reason: str) -> None:
    paid_factor = factor(position)
    value += position.talon_bonus
    awards = tuple(
        value * paid_factor if side in paid else 0 for side in range(position.rules.sides)
    )
    position.outcome = Outcome(awards, paid_factor, reason)
    position.phase = OVER
    position.turn = None
    position.may_claim = None
    match.enter_score(position)
