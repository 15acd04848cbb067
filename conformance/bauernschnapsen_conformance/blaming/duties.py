"""Which duties bind the seat on turn towards the trick."""

from __future__ import annotations

from bauernschnapsen import play
from bauernschnapsen.position import Position


def binding(position: Position) -> list[str]:
    """Return the rules that bind the seat on turn towards the trick; `lead` if there is none."""
    if position.winning is None or position.turn is None:
        return ["lead"]
    hand = position.hands[position.turn]
    for group in play.trick_duties(
        position.contract,  # type: ignore[arg-type]  # a card is on the table
        position.trump_in_force,
        [card for _, card in position.trick],
        position.winning[1],
    ):
        if group and hand & group[-1].if_held:
            bound = [duty.rule for duty in group if hand & duty.if_held]
            missed = [duty.rule for duty in group if not hand & duty.if_held]
            return bound + [f"cannot {rule}" for rule in missed]
    return ["play.discard"]
