"""Chapter "Doubling": Kontra, Rekontra and Subkontra between the auction and the first lead.

Any seat that may double does so at any time while the window is open; not doubling is never an
action (A37). Rule ids: doubling.window, doubling.kontra, doubling.rekontra, doubling.subkontra,
doubling.steps, doubling.sitting-out, doubling.every-contract.
"""

from __future__ import annotations

from .errors import Refusal
from .notation import Action
from .position import PLAY, SHOW, TALON, Position

STEPS = ("kontra", "rekontra", "subkontra")


def factor(position: Position) -> int:
    """Return the factor that has been announced: 1, 2, 4 or 8 (doubling.factor)."""
    return 1 << position.steps


def doubling_actions(position: Position) -> dict[int, list[Action]]:
    """Return, for every seat that may double now, the one step it may take."""
    if not _window_open(position) or position.steps >= len(STEPS):
        return {}
    step = STEPS[position.steps]
    return {
        seat: [Action(step)]
        for seat in range(position.rules.seats)
        if _objection(position, seat, step) is None
    }


def double(position: Position, seat: int, step: str) -> None:
    """Take a step of doubling."""
    if not _window_open(position):
        raise Refusal("doubling.window", "doubling is over, or has not begun")
    objection = _objection(position, seat, step)
    if objection is not None:
        raise objection
    position.steps += 1
    position.doubled_by += (seat,)


def _window_open(position: Position) -> bool:
    if position.phase in (SHOW, TALON):  # talon.doubling: whether or not the talon has been seen
        return True
    return position.phase == PLAY and not position.trick and not position.tricks_done


def _objection(position: Position, seat: int, step: str) -> Refusal | None:
    options = position.rules.options
    assert position.contract is not None
    place = STEPS.index(step)
    if seat == position.out and options.sitting_out_doubles == "refused":
        return Refusal("doubling.sitting-out", "whoever sits out does not double")
    # The opponents begin, the declarer's side answers, the opponents have the last word.
    if position.against_declarer(seat) != (place % 2 == 0):
        return Refusal(f"doubling.{step}", f"{step} is not for this seat")
    if position.contract.kontra == "refused":
        return Refusal("doubling.every-contract", "this contract is not doubled")
    if place != position.steps:
        return Refusal("doubling.steps", f"{step} is not the next step")
    if place >= options.kontra_levels:
        return Refusal("doubling.steps", f"{step} is not played at this table")
    if options.kontra_by == "each_once" and seat in position.doubled_by:
        return Refusal(f"doubling.{step}", "this seat has doubled already")
    if options.kontra_cap == "when_decisive" and _decisive(position):
        return Refusal("doubling.beyond-need", "the deal decides the game already")
    return None


def _decisive(position: Position) -> bool:
    """Whether the deal, as doubled so far, brings whoever wins it to the target."""
    assert position.contract is not None
    stake = (position.contract.value + position.talon_bonus) * factor(position)
    return min(position.score.points) + stake >= position.rules.options.target
