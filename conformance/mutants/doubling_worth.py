"""Faulty engines of the chapter "Doubling": what it is worth, and what it leaves alone."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, doubling, scoring
from bauernschnapsen.position import Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import forbid_double

# --------------------------------------------------------------------------- what it is worth


def _factors(slug: str, sentence: str, *values: int) -> None:
    @mutant("doubling.factor", slug, sentence)
    def _(patch: Patch) -> None:
        patch.swap(doubling, "factor", lambda position: values[position.steps])


_factors("linear", "The steps multiply by two, three and four.", 1, 2, 3, 4)
_factors("even", "The steps multiply by two, four and six.", 1, 2, 4, 6)
_factors("kontra-triple", "Kontra multiplies by three.", 1, 3, 6, 12)
_factors("nothing", "Doubling changes nothing.", 1, 1, 1, 1)
_factors("once", "However often it is said, doubling multiplies by two.", 1, 2, 2, 2)
_factors("up-to-four", "More than four times is not paid.", 1, 2, 4, 4)
_factors("squared", "Every step squares the factor.", 1, 2, 4, 16)


@mutant("doubling.factor", "dearest-up-to-four", "Contracts worth 24 are not multiplied by 8.")
def _(patch: Patch) -> None:
    right = doubling.factor

    def factor(position: Position) -> int:
        dearest = position.contract is not None and position.contract.value == 24
        return min(right(position), 4) if dearest else right(position)

    patch.swap(doubling, "factor", factor)


def _paid(slug: str, sentence: str, when: Any) -> None:
    """Forget the factor at times: when(position, awards, reason)."""

    @mutant("doubling.factor", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.pays_single(patch, when)


def _won_by_declarer(position: Position, awards: tuple[int, ...]) -> bool:
    return awards[position.side(position.declarer)] > 0


_paid("not-paid", "The factor is announced but never paid.", lambda p, awards, reason: True)
_paid("opponents-single", "The declarer's opponents are paid without the factor.",
      lambda p, awards, reason: not _won_by_declarer(p, awards))  # fmt: skip
_paid("declarer-single", "The declarer's side is paid without the factor.",
      lambda p, awards, reason: _won_by_declarer(p, awards))  # fmt: skip
_paid("announced-contracts-single", "Contracts other than Normal are paid without the factor.",
      lambda p, awards, reason: p.contract.goal != "claim_66")  # fmt: skip
_paid("bettler-single", "A Bettler is paid without the factor.",
      lambda p, awards, reason: p.contract.goal == "no_trick")  # fmt: skip
_paid("high-contracts-single", "Contracts worth 12 or more are paid without the factor.",
      lambda p, awards, reason: p.contract.value >= 12)  # fmt: skip
_paid("made-single", "A contract that is made is paid without the factor.",
      lambda p, awards, reason: reason == "made")  # fmt: skip
_paid("failed-single", "A contract that is lost is paid without the factor.",
      lambda p, awards, reason: reason == "failed")  # fmt: skip


@mutant("doubling.factor", "shown-single", "The table shows factor 1 until the deal is over.")
def _(patch: Patch) -> None:
    def change(position: Position, view: Any) -> None:
        if view["contract"] is not None and position.outcome is None:
            view["contract"]["factor"] = 1

    hooks.on_view(patch, change)


@mutant("doubling.factor", "outcome-single", "The outcome names factor 1, though it pays rightly.")
def _(patch: Patch) -> None:
    def change(position: Position, view: Any) -> None:
        if view["outcome"] is not None:
            view["outcome"]["factor"] = 1

    hooks.on_view(patch, change)


@mutant("doubling.factor", "paid-twice", "The factor is paid twice over.")
def _(patch: Patch) -> None:
    hooks.on_awards(
        patch,
        lambda p, awards, reason: tuple(award * doubling.factor(p) for award in awards),
    )


# --------------------------------------------------------------------------- what it leaves alone


def _target(slug: str, sentence: str, needed: Any) -> None:
    """Let doubling change the 66: needed(position) is the number asked for."""

    @mutant("doubling.target", slug, sentence)
    def _(patch: Patch) -> None:
        camp_points = scoring.camp_points

        def points(position: Position, seat: int) -> int:
            return camp_points(position, seat) + 66 - int(needed(position))

        def make(right: Any) -> Any:
            def after_trick(position: Position) -> None:
                side, more = position.side(position.declarer), 66 - int(needed(position))
                position.points[side] += more
                right(position)
                position.points[side] -= more

            return after_trick

        patch.swap(scoring, "camp_points", points)
        patch.wrap(contracts, "after_trick", make)


_target("needs-more", "After Kontra 76 card points are needed, and so on.",
        lambda p: 66 + 10 * p.steps)  # fmt: skip
_target("needs-double", "The 66 card points needed are multiplied as well.",
        lambda p: 66 * doubling.factor(p))  # fmt: skip
_target("needs-less", "After Kontra 33 card points suffice.",
        lambda p: 33 if p.steps else 66)  # fmt: skip


@mutant("doubling.target", "doubles-the-33", "Kontra doubles the 33 card points of the losers too.")
def _(patch: Patch) -> None:
    tier = scoring.tier

    def wrong(position: Position, winner: int) -> int:
        before = scoring.OTHERS_SAFE
        scoring.OTHERS_SAFE = before * doubling.factor(position)
        try:
            return tier(position, winner)
        finally:
            scoring.OTHERS_SAFE = before

    patch.swap(scoring, "tier", wrong)


@mutant("doubling.target", "raises-the-tier", "Kontra lifts a claim by one step instead.")
def _(patch: Patch) -> None:
    tier = scoring.tier
    patch.swap(scoring, "tier", lambda p, winner: min(3, tier(p, winner) + (p.steps > 0)))


@mutant("doubling.target", "doubles-card-points", "After Kontra card points count double.")
def _(patch: Patch) -> None:
    def change(position: Position, trick: Any) -> None:
        if position.steps:
            position.points[position.side(trick.winner)] += trick.points

    hooks.after_trick(patch, change)


def _every_award(slug: str, sentence: str, when: Any) -> None:
    @mutant("doubling.every-award", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.pays_single(patch, when)


_every_award("claim-single", "A correct claim is paid without the factor.",
             lambda p, awards, reason: reason == "claim")  # fmt: skip
_every_award("false-claim-single", "A false claim is paid without the factor.",
             lambda p, awards, reason: reason == "false_claim")  # fmt: skip
_every_award("last-trick-single", "The point for the last trick is not multiplied.",
             lambda p, awards, reason: reason == "last_trick")  # fmt: skip
_every_award("normal-single", "Normal is never paid with the factor.",
             lambda p, awards, reason: p.contract.goal == "claim_66")  # fmt: skip
_every_award("opponents-claim-single", "A claim of the declarer's opponents is paid single.",
             lambda p, awards, reason: reason == "claim"
             and not _won_by_declarer(p, awards))  # fmt: skip
_every_award("false-claim-of-opponents-single", "Opponents pay false claims single.",
             lambda p, awards, reason: reason == "false_claim"
             and _won_by_declarer(p, awards))  # fmt: skip
_every_award("last-trick-of-opponents-single", "Opponents get one point for the last trick.",
             lambda p, awards, reason: reason == "last_trick"
             and not _won_by_declarer(p, awards))  # fmt: skip
_every_award("three-at-most-doubled", "A claim without a trick of the others is paid single.",
             lambda p, awards, reason: reason == "claim"
             and max(awards) == 3 * p.outcome.factor)  # fmt: skip

for _name in (
    "bettler", "schnapser", "gang", "zehner-gang", "kontra-schnapser", "bauern-schnapser",
    "farben-gang", "kontra-bauern-schnapser", "herren-schnapser",
):  # fmt: skip
    rules_mutant(
        "doubling.every-contract",
        f"not-{_name}",
        f"The contract {_name} is not doubled.",
        contracts={_name: {"kontra": "refused"}},
    )


@mutant("doubling.every-contract", "shown-paid-single", "A hand that is shown is paid single.")
def _(patch: Patch) -> None:
    hooks.pays_single(patch, lambda p, awards, reason: reason == "shown")


@mutant("doubling.every-contract", "kontra-names-paid-single", "Kontra contracts are paid single.")
def _(patch: Patch) -> None:
    hooks.pays_single(
        patch, lambda p, awards, reason: p.contract is not None and "kontra" in p.contract.name
    )


rules_mutant(
    "doubling.beyond-need",
    "not-when-decisive",
    "Nobody doubles when the deal decides the game anyway.",
    options={"kontra_cap": "when_decisive"},
)


def _beyond(slug: str, sentence: str, when: Any) -> None:
    @mutant("doubling.beyond-need", slug, sentence)
    def _(patch: Patch) -> None:
        forbid_double(patch, "doubling.beyond-need", lambda p, seat, step: when(p, seat))


_beyond("not-at-twenty-four", "A contract worth 24 cannot be doubled.",
        lambda p, seat: p.contract.value >= 24)  # fmt: skip
_beyond("not-beyond-twenty-four", "No step may lift a deal above 24 game points.",
        lambda p, seat: p.contract.value * 2 * doubling.factor(p) > 24)  # fmt: skip
_beyond("not-when-own-side-wins", "Nobody doubles who would win the game without.",
        lambda p, seat: p.score.points[p.side(seat)] + p.contract.value >= 24)  # fmt: skip
_beyond("not-when-they-win", "Nobody doubles if the other side would win the game without.",
        lambda p, seat: max(p.score.points[s] for s in hooks.others(p, p.side(seat)))
        + p.contract.value >= 24)  # fmt: skip


hooks.wrong_reason("doubling.kontra", "doubling.steps", "Kontra by the declarer's side")
hooks.wrong_reason("doubling.rekontra", "doubling.steps", "Rekontra by an opponent")
hooks.wrong_reason("doubling.subkontra", "doubling.steps", "Subkontra by the declarer's side")
hooks.wrong_reason("doubling.steps", "doubling.window", "A step that is not due")
hooks.wrong_reason("doubling.window", "doubling.steps", "Doubling at another time")
