"""Faulty engines of the chapter "Notation": sides, actions, refusals, the order of actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bauernschnapsen import deal, replay, table
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action, parse_action
from bauernschnapsen.position import AUCTION, OVER, PLAY, SHOW, Position
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks

# --------------------------------------------------------------------------- notation.partners


@mutant("notation.partners", "neighbours", "Partners sit side by side, N with E and S with W.")
def _(patch: Patch) -> None:
    patch.change_rules(lambda rules: replace(rules, side_of=(0, 0, 1, 1)))


@mutant("notation.partners", "forehand-alone", "Forehand plays alone against the other three.")
def _(patch: Patch) -> None:
    def change(position: Position, _: Position | None) -> None:
        # Side 0 is whichever forehand belongs to by his seat; his partner changes sides.
        mate = (position.forehand + 2) % 4
        sides = list(position.rules.side_of)
        sides[mate] = 1 - sides[mate]
        position.rules = replace(position.rules, side_of=tuple(sides))

    hooks.on_start(patch, change)


# --------------------------------------------------------------------------- notation.action


def _parse_instead(patch: Patch, read: Any) -> None:
    def parse(text: object) -> Action:
        try:
            return parse_action(text)
        except Refusal:
            action: Action | None = read(text)
            if action is None:
                raise
            return action

    patch.attribute(replay, "parse_action", parse)


def _nothing(position: Position, seat: int, value: Any) -> None:
    """Do nothing at all."""


@mutant(
    "notation.action", "unknown-ignored", "Whatever is not an action is passed over in silence."
)
def _(patch: Patch) -> None:
    patch.item(table._HANDLERS, "nothing", _nothing)
    _parse_instead(patch, lambda text: Action("nothing"))


@mutant("notation.action", "other-tables", "Actions of other tables, such as talon, are taken too.")
def _(patch: Patch) -> None:
    for verb in ("talon", "keep", "discard", "raise"):
        patch.item(table._HANDLERS, verb, _nothing)


@mutant("notation.action", "unknown-is-pass", "Whatever is not an action stands for a pass.")
def _(patch: Patch) -> None:
    _parse_instead(patch, lambda text: Action("pass"))


@mutant(
    "notation.action", "silence", "Declining to double is an action of its own, said with pass."
)
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        open_ = position.phase in (PLAY, SHOW) and not position.trick and not position.tricks_done
        return action.verb == "pass" and open_

    hooks.accept(patch, "auction.when", do)


@mutant(
    "notation.action",
    "end-before-form",
    "After the end of a deal everything is said to come too late, even what is no action.",
    by_reason=True,
)
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            if position.phase == OVER:
                raise Refusal("scoring.deal-over", "the deal has ended")
            after: Position = right(position, seat, action)
            return after

        return apply

    patch.wrap(table, "apply", make)


@mutant(
    "notation.action",
    "any-hidden-card",
    "Asking for a hidden card that no hand has is an action, only not one that is allowed now.",
    by_reason=True,
)
def _(patch: Patch) -> None:
    def check_place(position: Position, place: int) -> None:
        """Object to no place at all."""

    patch.swap(deal, "check_place", check_place)


# --------------------------------------------------------------------------- notation.refused


@mutant("notation.refused", "turn-passes", "After a refused card the turn passes on all the same.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb == "play" and seat == position.turn and position.phase == PLAY:
            position.turn = position.after(seat)

    hooks.on_refused(patch, change)


@mutant("notation.refused", "bid-turn-passes", "After a refused bid the next seat is to bid.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb in ("bid", "pass") and seat == position.turn and position.phase == AUCTION:
            position.turn = position.after(seat)

    hooks.on_refused(patch, change)


@mutant("notation.refused", "card-lost", "A refused card has left the hand for good.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, refusal: Refusal) -> None:
        if action.verb == "play" and refusal.rule in hooks.DUTIES:
            assert isinstance(action.value, int)
            position.hands[seat] &= ~(1 << action.value)

    hooks.on_refused(patch, change)


@mutant("notation.refused", "card-shown", "Everybody has seen a refused card.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, refusal: Refusal) -> None:
        if action.verb == "play" and refusal.rule in hooks.DUTIES:
            assert isinstance(action.value, int)
            position.shown[seat] |= 1 << action.value

    hooks.on_refused(patch, change)


@mutant("notation.refused", "bid-is-pass", "Whoever makes a bid that is refused has passed.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb == "bid" and position.phase == AUCTION and position.bid is not None:
            position.passed |= 1 << seat

    hooks.on_refused(patch, change)


@mutant("notation.refused", "bid-stands", "A refused bid is the standing bid nevertheless.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        contract = position.rules.by_name.get(str(action.value))
        if action.verb == "bid" and position.phase == AUCTION and contract is not None:
            position.bid, position.bidder = contract, seat

    hooks.on_refused(patch, change)


@mutant("notation.refused", "double-counts", "A refused step of doubling raises the factor.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb.endswith("kontra") and position.phase == PLAY and position.steps < 3:
            position.steps += 1

    hooks.on_refused(patch, change)


@mutant("notation.refused", "claim-used-up", "A refused claim uses up the right to claim.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb == "enough":
            position.may_claim = None

    hooks.on_refused(patch, change)


@mutant("notation.refused", "marriage-counts", "A refused marriage counts its points all the same.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb == "marry" and position.phase == PLAY:
            position.points[position.side(seat)] += 20

    hooks.on_refused(patch, change)


@mutant("notation.refused", "marriage-card-played", "A refused marriage still plays its card.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            try:
                after: Position = right(position, seat, action)
            except Refusal:
                if action.verb != "marry":
                    raise
                after = right(position, seat, Action("play", action.value))
            return after

        return apply

    patch.wrap(table, "apply", make)


@mutant("notation.refused", "trump-changes", "A second naming of trumps is refused, yet it counts.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb == "trump" and position.phase != OVER:
            assert isinstance(action.value, int)
            position.trump = action.value

    hooks.on_refused(patch, change)


@mutant("notation.refused", "revoke-loses", "Whoever plays a forbidden card has lost the deal.")
def _(patch: Patch) -> None:
    from bauernschnapsen import scoring

    def change(position: Position, seat: int, action: Action, refusal: Refusal) -> None:
        if refusal.rule in hooks.DUTIES:
            value = 3 if position.contract is None else position.contract.value
            scoring._finish(position, hooks.others(position, position.side(seat)), value, "failed")

    hooks.on_refused(patch, change)


@mutant(
    "notation.refused", "costs-a-point", "A refused card costs the other side's gain of a point."
)
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, refusal: Refusal) -> None:
        if refusal.rule in hooks.DUTIES:
            other = hooks.others(position, position.side(seat))[0]
            points = list(position.score.points)
            points[other] += 1
            position.score = position.score._replace(points=tuple(points))

    hooks.on_refused(patch, change)


@mutant("notation.refused", "show-ends", "Any attempt to show a hand ends the deal for nothing.")
def _(patch: Patch) -> None:
    def change(position: Position, seat: int, action: Action, _: Refusal) -> None:
        if action.verb == "show" and position.phase != OVER:
            position.phase, position.turn = OVER, None

    hooks.on_refused(patch, change)


# --------------------------------------------------------------------------- order of actions


@mutant(
    "notation.order-of-actions",
    "lead-waits-for-kontra",
    "Nobody can lead while the opponents could still say Kontra.",
)
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, action: Action) -> bool:
        first = position.phase == PLAY and not position.trick and not position.tricks_done
        return first and action.verb in ("play", "marry") and position.steps == 0

    hooks.refuse(patch, "play.when", when)


@mutant(
    "notation.order-of-actions",
    "late-kontra",
    "Kontra said after the lead still counts, as long as the leader alone has played.",
)
def _(patch: Patch) -> None:
    _window_until(patch, 1)


@mutant(
    "notation.order-of-actions",
    "late-claim",
    "A claim after a marriage counts although the next player has already played.",
)
def _(patch: Patch) -> None:
    from bauernschnapsen import play

    put = play.put_card

    def put_card(position: Position, seat: int, card: int) -> Any:
        may = position.may_claim
        trick = put(position, seat, card)
        if len(position.trick) == 2 and may is not None and trick is None:
            position.may_claim = may
        return trick

    patch.swap(play, "put_card", put_card)


def _window_until(patch: Patch, cards_played: int) -> None:
    from bauernschnapsen import doubling

    def window_open(position: Position) -> bool:
        if position.phase == SHOW:
            return True
        on_table = len(position.trick) <= cards_played
        return position.phase == PLAY and on_table and not position.tricks_done

    patch.swap(doubling, "_window_open", window_open)
