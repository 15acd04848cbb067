"""Faulty engines of the chapter "Claiming enough": claims that have to be called."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import claims, contracts, scoring
from bauernschnapsen.notation import Action
from bauernschnapsen.position import PLAY, Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import camp, forbid_claim

# --------------------------------------------------------------------------- claims are called

for _mode in ("automatic", "at_end"):
    rules_mutant(
        "claims.called",
        _mode.replace("_", "-"),
        "The deal ends by itself at 66 card points."
        if _mode == "automatic"
        else "Nobody claims; the card points are counted after the last trick.",
        options={"claim_mode": _mode},
    )


@mutant("claims.called", "must-claim", "Whoever may claim and has 66 card points may not play on.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, action: Action) -> bool:
        entitled = position.may_claim == seat and not position.trick
        return entitled and action.verb in ("play", "marry") and camp(position, seat) >= 66

    hooks.refuse(patch, "claims.called", when)


@mutant(
    "claims.called", "automatic-for-opponents", "A deal ends if the declarer's opponents have 66."
)
def _(patch: Patch) -> None:
    right = claims.open_moment

    def open_moment(position: Position, seat: int) -> None:
        right(position, seat)
        may = position.may_claim == seat and position.against_declarer(seat)
        if may and scoring.camp_points(position, seat) >= 66:
            scoring.award_claim(position, seat, holds=True)

    patch.swap(claims, "open_moment", open_moment)


@mutant("claims.called", "automatic-after-marriage", "A marriage that makes 66 ends the deal.")
def _(patch: Patch) -> None:
    right = claims.open_moment

    def open_moment(position: Position, seat: int) -> None:
        right(position, seat)
        may = position.may_claim == seat and position.trick
        if may and scoring.camp_points(position, seat) >= 66:
            scoring.award_claim(position, seat, holds=True)

    patch.swap(claims, "open_moment", open_moment)


rules_mutant(
    "claims.may-be-false",
    "blocked",
    "A claim below 66 card points is refused.",
    options={"false_claims": "blocked"},
)


def _blocked(slug: str, sentence: str, when: Any) -> None:
    @mutant("claims.may-be-false", slug, sentence)
    def _(patch: Patch) -> None:
        forbid_claim(patch, "claims.may-be-false", when)


_blocked("hopeless", "A claim without a trick of one's own side is refused.",
         lambda p, seat: not p.tricks[p.side(seat)])  # fmt: skip
_blocked("below-fifty", "A claim with fewer than 50 card points is refused.",
         lambda p, seat: camp(p, seat) < 50)  # fmt: skip
_blocked("others-lead", "A claim is refused if the others have more card points.",
         lambda p, seat: camp(p, seat) < max(p.points))  # fmt: skip


@mutant("claims.may-be-false", "offered-when-true", "A claim is offered only if it is correct.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        for seat in list(legal):
            if camp(position, seat) < 66:
                legal[seat] = [action for action in legal[seat] if action.verb != "enough"]
                if not legal[seat]:
                    del legal[seat]

    hooks.on_legal(patch, change)


def _goes_on(rule: str, slug: str, sentence: str, goes_on: Any) -> None:
    """Let the deal go on after some claims: goes_on(holds); nothing is scored."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.award_claim

        def award_claim(position: Position, seat: int, *, holds: bool) -> None:
            if not goes_on(holds):
                right(position, seat, holds=holds)

        patch.swap(scoring, "award_claim", award_claim)


_goes_on("claims.ends-deal", "false-goes-on", "After a false claim the deal goes on.",
         lambda holds: not holds)  # fmt: skip
_goes_on("claims.ends-deal", "true-goes-on", "After a correct claim the deal is played out.",
         lambda holds: holds)  # fmt: skip


@mutant("claims.ends-deal", "after-the-trick", "A claim ends the deal when the trick is complete.")
def _(patch: Patch) -> None:
    right = scoring.award_claim
    waiting: list[tuple[int, bool]] = []

    def start(position: Position, _: Position | None) -> None:
        waiting.clear()

    def award_claim(position: Position, seat: int, *, holds: bool) -> None:
        if position.trick:
            waiting[:] = [(seat, holds)]
        else:
            right(position, seat, holds=holds)

    def make(after_trick: Any) -> Any:
        def ended(position: Position) -> None:
            after_trick(position)
            if waiting and position.phase == PLAY:
                seat, holds = waiting.pop()
                right(position, seat, holds=holds)

        return ended

    hooks.on_start(patch, start)
    patch.swap(scoring, "award_claim", award_claim)
    patch.wrap(contracts, "after_trick", make)
