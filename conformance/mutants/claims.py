"""Faulty engines of the chapter "Claiming enough": what is claimed, by whom and when."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, play, scoring
from bauernschnapsen.notation import Action
from bauernschnapsen.position import PLAY, Position, Trick
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import NORMAL, allow_claim, camp, forbid_claim

# --------------------------------------------------------------------------- what is claimed


def counts(rule: str, slug: str, sentence: str, counted: Any) -> None:
    """Judge a claim by other points: counted(position, seat) instead of the side's points."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        patch.swap(scoring, "camp_points", counted)


counts("claims.enough", "sixty-five", "With 65 card points a claim is correct.",
        lambda p, seat: camp(p, seat) + 1)  # fmt: skip
counts("claims.enough", "sixty-seven", "A claim needs more than 66 card points.",
        lambda p, seat: camp(p, seat) - 1)  # fmt: skip
counts("claims.enough", "sixty", "With 60 card points a claim is correct.",
        lambda p, seat: camp(p, seat) + 6)  # fmt: skip
counts("claims.enough", "more-than-they", "A claim is correct if the others have fewer points.",
        lambda p, seat: 66 if camp(p, seat) > max(p.points[s] for s in hooks.others(
            p, p.side(seat))) else 0)  # fmt: skip
counts("claims.enough", "always-correct", "Every claim is correct.", lambda p, seat: 66)
counts("claims.enough", "never-correct", "No claim is correct.", lambda p, seat: 0)
counts("claims.enough", "declarers-points", "Every claim is judged by the declarer's points.",
        lambda p, seat: camp(p, p.declarer))  # fmt: skip


class Own:
    """Card points that each seat has won itself, marriages included."""

    def __init__(self, patch: Patch, *, tricks: bool = True, marriages: bool = True) -> None:
        self.points = [0, 0, 0, 0]
        hooks.on_start(patch, self._start)
        if tricks:
            hooks.after_trick(patch, self._trick)
        if marriages:
            from bauernschnapsen import marriages as chapter

            self.right = chapter.declare
            patch.swap(chapter, "declare", self._declare)

    def _start(self, position: Position, last: Position | None) -> None:
        self.points = [0, 0, 0, 0]

    def _trick(self, position: Position, trick: Trick) -> None:
        self.points[trick.winner] += trick.points

    def _declare(self, position: Position, seat: int, card: int) -> None:
        before = sum(position.points)
        self.right(position, seat, card)
        self.points[seat] += sum(position.points) - before


@mutant("claims.enough", "own-tricks-only", "A player claims by what he himself has won.")
def _(patch: Patch) -> None:
    own = Own(patch)
    patch.swap(scoring, "camp_points", lambda p, seat: own.points[seat])


for _name in ("schnapser", "kontra-schnapser", "bauern-schnapser", "gang", "bettler"):
    # A claim in a contract of its own goal is judged like one in Normal.
    @mutant("claims.contract", f"in-{_name}", f"In {_name} a player may say enough as well.")
    def _(patch: Patch, name: str = _name) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            if not hooks.contract_is(name)(position) or position.trick or position.turn != seat:
                return False
            if not position.tricks_done:
                return False
            made = (camp(position, seat) >= 66) != position.against_declarer(seat)
            scoring.award_contract(position, made=made, reason="claim")
            return True

        def offer(position: Position) -> hooks.Legal:
            seat = position.turn
            playing = position.phase == PLAY and not position.trick and position.tricks_done
            if seat is None or not playing or not hooks.contract_is(name)(position):
                return {}
            return {seat: [Action("enough")]}

        hooks.accept(patch, "claims.contract", do, offer)


@mutant("claims.moment", "before-the-play", "In the auction enough gives the deal up.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        return action.verb == "enough" and position.contract is None

    hooks.accept(patch, "claims.moment", do)


@mutant("claims.contract", "shown-contracts", "A hand that wins is laid down by saying enough.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != "show" or seat != position.declarer:
            return False
        contracts.show(position, seat)
        return True

    hooks.accept(patch, "claims.contract", do)


@mutant("claims.either-side", "declarers-side-only", "Only the declarer's side may claim.")
def _(patch: Patch) -> None:
    forbid_claim(patch, "claims.claimer", lambda p, seat: p.against_declarer(seat))


def _opponents_claim(slug: str, sentence: str, change: Any) -> None:
    """Pay claims of the opponents otherwise: change(paid, value, reason, declarer's side)."""

    @mutant("claims.either-side", slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.award_claim

        def award_claim(position: Position, seat: int, *, holds: bool) -> None:
            if not position.against_declarer(seat):
                right(position, seat, holds=holds)
                return
            change(position, seat, holds, right)

        patch.swap(scoring, "award_claim", award_claim)


_opponents_claim("false-for-opponents", "A claim of the declarer's opponents is always false.",
                 lambda p, seat, holds, right: right(p, seat, holds=False))  # fmt: skip
_opponents_claim("always-one", "Opponents win one game point, whatever the declarer's side has.",
                 lambda p, seat, holds, right: scoring._finish(
                     p, [p.side(seat)] if holds else [p.side(p.declarer)], 1, "claim"
                     if holds else "false_claim"))  # fmt: skip
_opponents_claim("opponents-tier", "What opponents win is judged by their own tricks.",
                 lambda p, seat, holds, right: scoring._finish(
                     p, [p.side(seat)] if holds else [p.side(p.declarer)],
                     scoring.tier(p, p.declarer), "claim" if holds else "false_claim"))  # fmt: skip
_opponents_claim("lost-to-declarer", "A claim ends the deal in the declarer's favour.",
                 lambda p, seat, holds, right: scoring._finish(
                     p, [p.side(p.declarer)], scoring.tier(p, p.declarer), "claim"))  # fmt: skip

# --------------------------------------------------------------------------- who and when

rules_mutant(
    "claims.claimer",
    "side",
    "The partner of the player who may claim may claim for him.",
    options={"claim_by": "side"},
)


@mutant(
    "claims.claimer", "partner-after-marriage", "After a marriage the partner may claim as well."
)
def _(patch: Patch) -> None:
    allow_claim(patch, "claims.claimer", lambda p, seat: bool(p.trick))


@mutant("claims.claimer", "partner-after-trick", "After a trick the winner's partner may claim.")
def _(patch: Patch) -> None:
    allow_claim(patch, "claims.claimer", lambda p, seat: not p.trick)


@mutant(
    "claims.claimer", "declarer-for-partner", "The declarer may claim after his partner's trick."
)
def _(patch: Patch) -> None:
    allow_claim(patch, "claims.claimer", lambda p, seat: seat == p.declarer)


@mutant(
    "claims.claimer", "partner-with-tricks", "Whoever has won a trick may claim for his partner."
)
def _(patch: Patch) -> None:
    allow_claim(patch, "claims.claimer", lambda p, seat: p.tricks_by_seat[seat] > 0)


rules_mutant(
    "claims.moment",
    "between-tricks",
    "Between tricks anybody may claim.",
    options={"claim_window": "between_tricks"},
)


def _moment(slug: str, sentence: str, when: Any) -> None:
    """Let claims be made at other moments: when(position, seat)."""

    @mutant("claims.moment", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            if position.phase != PLAY or not NORMAL(position) or not when(position, seat):
                return False
            holds = scoring.camp_points(position, seat) >= 66
            scoring.award_claim(position, seat, holds=holds)
            return True

        def offer(position: Position) -> hooks.Legal:
            if position.phase != PLAY or not NORMAL(position) or position.may_claim is not None:
                return {}
            late = position.tricks_done == 4 and position.trick
            seats = [s for s in range(4) if not late and when(position, s)]
            return {seat: [Action("enough")] for seat in seats}

        hooks.accept(patch, "claims.moment", do, offer)


_moment("any-time", "A claim may be made at any time.", lambda p, seat: True)
_moment("in-a-trick", "A claim may be made while a trick is in progress.",
        lambda p, seat: bool(p.trick))  # fmt: skip
_moment("on-turn", "Whoever is on turn may claim.", lambda p, seat: seat == p.turn)
_moment("before-first-lead", "Forehand may claim before the first lead.",
        lambda p, seat: not p.tricks_done and not p.trick and seat == p.turn)  # fmt: skip
_moment("leader-after-lead", "Whoever led may claim until the trick is over.",
        lambda p, seat: bool(p.trick) and p.trick[0][0] == seat and p.tricks_done)  # fmt: skip
_moment("losers-of-the-trick", "The side that has lost the last trick may claim.",
        lambda p, seat: not p.trick and p.last_trick is not None
        and not hooks.partners(p, seat, p.last_trick.winner))  # fmt: skip
_moment("second-hand", "The second player may claim before he plays.",
        lambda p, seat: len(p.trick) == 1 and seat == p.turn)  # fmt: skip


@mutant("claims.moment", "lead-does-not-close", "The winner of a trick may claim after his lead.")
def _(patch: Patch) -> None:
    put = play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        may = position.may_claim
        trick: Trick | None = put(position, seat, card)
        if len(position.trick) == 1 and may == seat:
            position.may_claim = may
        return trick

    patch.swap(play, "put_card", put_card)


@mutant(
    "claims.moment", "leaks", "Whoever could have claimed at the end may do so in the next deal."
)
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is not None and last.last_trick is not None:
            position.may_claim = last.last_trick.winner

    hooks.on_start(patch, change)


def _no_moment(rule: str, slug: str, sentence: str, when: Any) -> None:
    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        forbid_claim(patch, rule, when)


_no_moment("claims.moment", "not-after-first-trick", "After the first trick nobody claims.",
           lambda p, seat: p.tricks_done == 1 and not p.trick)  # fmt: skip
_no_moment("claims.moment", "only-after-marriage", "A claim is made after a marriage only.",
           lambda p, seat: not p.trick)  # fmt: skip
_no_moment("claims.after-marriage", "never", "After a marriage nobody claims in its trick.",
           lambda p, seat: bool(p.trick))  # fmt: skip
_no_moment("claims.after-marriage", "not-at-first-lead", "At the first lead nobody claims.",
           lambda p, seat: bool(p.trick) and not p.tricks_done)  # fmt: skip
_no_moment("claims.after-marriage", "forty-only", "Only after a 40 may a player claim at once.",
           lambda p, seat: bool(p.trick)
           and p.trick[0][1] // 5 != p.trump_in_force)  # fmt: skip
_no_moment("claims.after-marriage", "declarers-side", "Only the declarer's side claims after one.",
           lambda p, seat: bool(p.trick) and p.against_declarer(seat))  # fmt: skip


def _claim_open(patch: Patch, rule: str, cards: int) -> None:
    put = play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        may = position.may_claim
        trick: Trick | None = put(position, seat, card)
        on_table = len(position.trick)
        if trick is None and 2 <= on_table <= cards and may == position.trick[0][0]:
            position.may_claim = may
        return trick

    patch.swap(play, "put_card", put_card)


@mutant(
    "claims.after-marriage", "next-card", "After a marriage one may claim until the third card."
)
def _(patch: Patch) -> None:
    _claim_open(patch, "claims.after-marriage", 2)


@mutant("claims.after-marriage", "whole-trick", "After a marriage one may claim during its trick.")
def _(patch: Patch) -> None:
    _claim_open(patch, "claims.after-marriage", 3)


@mutant(
    "claims.after-marriage", "before-the-card", "A pair may be claimed upon without leading it."
)
def _(patch: Patch) -> None:
    from bauernschnapsen import marriages

    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != PLAY or seat != position.turn or not NORMAL(position):
            return False
        pairs = marriages.marriage_cards(position)
        if not pairs or position.tricks_done:
            return False
        marriages.declare(position, seat, pairs.bit_length() - 1)
        scoring.award_claim(position, seat, holds=scoring.camp_points(position, seat) >= 66)
        return True

    hooks.accept(patch, "claims.moment", do)


def _last_trick(slug: str, sentence: str, when: Any) -> None:
    """Let claims be made after the lead to the last trick."""

    @mutant("claims.last-trick", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            if not NORMAL(position) or not when(position, seat):
                return False
            holds = scoring.camp_points(position, seat) >= 66
            scoring.award_claim(position, seat, holds=holds)
            return True

        hooks.accept(patch, "claims.last-trick", do)


_last_trick("leader", "Whoever led to the last trick may still claim.",
            lambda p, seat: p.trick[0][0] == seat)  # fmt: skip
_last_trick("anybody", "During the last trick anybody may claim.", lambda p, seat: True)
_last_trick("on-turn", "During the last trick whoever is on turn may claim.",
            lambda p, seat: seat == p.turn)  # fmt: skip
_no_moment("claims.last-trick", "not-before-it", "After the fourth trick nobody claims any more.",
           lambda p, seat: p.tricks_done == 4)  # fmt: skip
_no_moment("claims.last-trick", "not-after-three", "After the third trick nobody claims any more.",
           lambda p, seat: p.tricks_done >= 3 and not p.trick)  # fmt: skip


@mutant("claims.last-trick", "winner-claims", "Whoever wins the last trick claims, and is graded.")
def _(patch: Patch) -> None:
    def change(position: Position, paid: list[int], value: int, reason: str) -> hooks.Paid:
        winner = position.last_trick
        if reason == "last_trick" and winner and camp(position, winner.winner) >= 66:
            return paid, scoring.tier(position, winner.winner), "claim"
        return paid, value, reason

    hooks.on_finish(patch, change)


@mutant("claims.last-trick", "after-the-end", "After the last trick its winner has to claim first.")
def _(patch: Patch) -> None:
    def award_last_trick(position: Position) -> None:
        assert position.last_trick is not None
        position.may_claim = position.last_trick.winner

    patch.swap(scoring, "award_last_trick", award_last_trick)
