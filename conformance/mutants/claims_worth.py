"""Faulty engines of the chapter "Claiming enough": what counts, false claims, and no claim."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import scoring
from bauernschnapsen.cards import POINTS
from bauernschnapsen.notation import Action
from bauernschnapsen.position import Position, Trick
from bauernschnapsen_conformance.teeth import Patch, equivalent, mutant, rules_mutant

from . import hooks
from .claims import Own, counts
from .hooks import NORMAL, camp

# --------------------------------------------------------------------------- what is counted


def _on_table(position: Position) -> int:
    return sum(POINTS[card] for _, card in position.trick)


def _hand(position: Position, seat: int) -> int:
    return sum(POINTS[card] for card in range(20) if position.hands[seat] >> card & 1)


counts("claims.counted", "led-card-too", "The card on the table counts for the claimer.",
        lambda p, seat: camp(p, seat) + _on_table(p))  # fmt: skip
counts("claims.counted", "hand-too", "The claimer's cards in hand count as well.",
        lambda p, seat: camp(p, seat) + _hand(p, seat))  # fmt: skip
counts("claims.counted", "tricks-only", "Marriages do not count for a claim.",
        lambda p, seat: camp(p, seat) - p.declared[p.side(seat)])  # fmt: skip
counts("claims.counted", "pairs-in-hand", "Pairs in the claimer's hand count as declared.",
        lambda p, seat: camp(p, seat) + sum(
            40 if s == p.trump_in_force else 20 for s in range(4)
            if p.hands[seat] >> 5 * s & 0b01100 == 0b01100))  # fmt: skip
counts("claims.counted", "without-last-trick", "The trick just won does not count yet.",
        lambda p, seat: camp(p, seat) - (p.last_trick.points if p.last_trick is not None
                                          and not p.trick else 0))  # fmt: skip
counts("claims.counted", "everything-left", "All cards not yet played count for the claimer.",
        lambda p, seat: 120 + sum(p.declared) - max(p.points[s] for s in hooks.others(
            p, p.side(seat))))  # fmt: skip


@mutant("claims.counted", "partners-marriage", "A marriage counts only for whoever declared it.")
def _(patch: Patch) -> None:
    tricks = Own(patch, marriages=False)
    marriages = Own(patch, tricks=False)

    def counted(position: Position, seat: int) -> int:
        side = position.side(seat)
        won = sum(tricks.points[s] for s in range(4) if position.side(s) == side)
        return won + marriages.points[seat]

    patch.swap(scoring, "camp_points", counted)


def _unfinished(slug: str, sentence: str, change: Any) -> None:
    """Count a trick that a claim breaks off: change(position, claimer)."""

    @mutant("claims.unfinished-trick", slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.award_claim

        def award_claim(position: Position, seat: int, *, holds: bool) -> None:
            if position.trick:
                change(position, seat)
                holds = scoring.camp_points(position, seat) >= 66
            right(position, seat, holds=holds)

        patch.swap(scoring, "award_claim", award_claim)


def _gain(position: Position, side: int, points: int, tricks: int = 0) -> None:
    position.points[side] += points
    position.tricks[side] += tricks


_unfinished("for-the-claimer", "The card on the table counts for the claimer.",
            lambda p, seat: _gain(p, p.side(seat), _on_table(p)))  # fmt: skip
_unfinished("for-the-others", "The trick broken off belongs to the others.",
            lambda p, seat: _gain(p, 1 - p.side(seat), _on_table(p), 1))  # fmt: skip
_unfinished("trick-for-the-others", "The trick broken off counts as one of the others'.",
            lambda p, seat: _gain(p, 1 - p.side(seat), 0, 1))  # fmt: skip
_unfinished("trick-for-the-claimer", "The trick broken off counts as one of the claimer's.",
            lambda p, seat: _gain(p, p.side(seat), _on_table(p), 1))  # fmt: skip
_unfinished("marriage-lost", "With the trick the marriage is broken off as well.",
            lambda p, seat: _gain(p, p.side(seat),
                                  -(40 if p.trick[0][1] // 5 == p.trump_in_force
                                    else 20)))  # fmt: skip

# --------------------------------------------------------------------------- one, two, three


def _tier(rule: str, slug: str, sentence: str, value: Any) -> None:
    """Grade wins otherwise: value(tricks, points, marriage points, right) of the losing side."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.tier

        def tier(position: Position, winner: int) -> int:
            other = 1 - position.side(winner)
            graded: int = value(
                position.tricks[other], position.points[other], position.declared[other],
                right(position, winner),
            )  # fmt: skip
            return graded

        patch.swap(scoring, "tier", tier)


_tier("claims.three-points", "by-points", "Three are scored if the others have no card point.",
      lambda tricks, points, pairs, right: 2 + (not points) if points < 33 else 1)  # fmt: skip
_tier("claims.three-points", "not-with-marriage", "A marriage of the others makes it two at most.",
      lambda tricks, points, pairs, right: 2 if right == 3 and pairs else right)  # fmt: skip
_tier("claims.three-points", "one-with-forty", "A 40 of the others makes it one game point.",
      lambda tricks, points, pairs, right: 1 if right == 3 and pairs >= 33 else right)  # fmt: skip
_tier("claims.three-points", "never", "A claim scores two at most.",
      lambda tricks, points, pairs, right: min(right, 2))  # fmt: skip
_tier("claims.two-points", "three-for-one-trick", "Three are scored if the others have one trick.",
      lambda tricks, points, pairs, right: 3 if tricks <= 1 else right)  # fmt: skip
_tier("claims.two-points", "always-three", "A claim scores three.",
      lambda tricks, points, pairs, right: 3)  # fmt: skip
_tier("claims.two-points", "three-for-few-points", "Three are scored if the others have under 11.",
      lambda tricks, points, pairs, right: 3 if points < 11 else right)  # fmt: skip


def _three_for(slug: str, sentence: str, when: Any) -> None:
    @mutant("claims.three-points", slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.tier
        patch.swap(
            scoring,
            "tier",
            lambda p, winner: min(2, right(p, winner)) if not when(p, winner) else right(p, winner),
        )


_three_for("declarers-side-only", "Only the declarer's side can score three.",
           lambda p, winner: not p.against_declarer(winner))  # fmt: skip
_three_for("by-declarer-only", "Three are scored only by a claim of the declarer himself.",
           lambda p, winner: winner == p.declarer)  # fmt: skip


@mutant("claims.three-points", "leaks", "Tricks of the deal before count as tricks.")
def _(patch: Patch) -> None:
    hooks.leak(patch, "tricks")


@mutant(
    "claims.two-points", "three-for-left-opponent", "Three are scored if one opponent has no trick."
)
def _(patch: Patch) -> None:
    right = scoring.tier

    def tier(position: Position, winner: int) -> int:
        left = position.tricks_by_seat[(winner + 1) % 4]
        graded: int = right(position, winner)
        return graded if left else 3

    patch.swap(scoring, "tier", tier)


_tier("claims.one-point", "thirty-three", "With 33 card points the losers still concede two.",
      lambda tricks, points, pairs, right: 2 if right == 1 and points <= 33 else right)  # fmt: skip
_tier("claims.two-points", "thirty-two", "With 32 card points the losers concede one only.",
      lambda tricks, points, pairs, right: 1 if right == 2 and points >= 32 else right)  # fmt: skip
_tier("claims.two-points", "thirty", "With 30 card points the losers concede one only.",
      lambda tricks, points, pairs, right: 1 if right == 2 and points >= 30 else right)  # fmt: skip
_tier("claims.two-points", "by-tricks", "Two are scored if the others have one trick only.",
      lambda tricks, points, pairs, right: 3 if right == 3 else 1 + (tricks == 1))  # fmt: skip
_tier("claims.two-points", "never", "A claim scores three or one.",
      lambda tricks, points, pairs, right: 1 if right == 2 else right)  # fmt: skip
_tier("claims.one-point", "never", "A claim scores two at least.",
      lambda tricks, points, pairs, right: max(right, 2))  # fmt: skip
_tier("claims.two-points", "always-one", "A claim scores one.",
      lambda tricks, points, pairs, right: 1)  # fmt: skip
_tier("claims.one-point", "thirty-four", "The losers need more than 33 to concede one only.",
      lambda tricks, points, pairs, right: 2 if right == 1 and points < 34 else right)  # fmt: skip
_tier("claims.one-point", "forty", "The losers need 40 card points to concede one only.",
      lambda tricks, points, pairs, right: 2 if right == 1 and points < 40 else right)  # fmt: skip
_tier("claims.one-point", "by-tricks", "One is scored if the others have two tricks or more.",
      lambda tricks, points, pairs, right: right if right != 1 or tricks > 1 else 2)  # fmt: skip


@mutant("claims.two-points", "claimers-points", "The grade is judged by the claimer's card points.")
def _(patch: Patch) -> None:
    def tier(position: Position, winner: int) -> int:
        own = position.points[position.side(winner)]
        return 3 if own >= 120 else 2 if own >= 87 else 1

    patch.swap(scoring, "tier", tier)


@mutant("claims.two-points", "hands-too", "Cards in the losers' hands count towards their 33.")
def _(patch: Patch) -> None:
    right = scoring.tier

    def tier(position: Position, winner: int) -> int:
        graded: int = right(position, winner)
        if graded != 2:
            return graded
        other = 1 - position.side(winner)
        held = sum(_hand(position, seat) for seat in range(4) if position.side(seat) == other)
        return 2 if position.points[other] + held < 33 else 1

    patch.swap(scoring, "tier", tier)


rules_mutant(
    "claims.loser-marriages",
    "tricks-only",
    "The losers' marriages do not count towards their 33.",
    options={"loser_33": "tricks_only"},
)
_tier("claims.loser-marriages", "twenty-only", "Of the losers' marriages only 20 count each.",
      lambda tricks, points, pairs, right: right if right == 3
      else 2 if points - pairs // 2 < 33 else 1)  # fmt: skip
_tier("claims.loser-marriages", "suffice", "A marriage of the losers alone makes one game point.",
      lambda tricks, points, pairs, right: 1 if pairs and right == 2 else right)  # fmt: skip


# --------------------------------------------------------------------------- false claims


def _false(slug: str, sentence: str, pay: Any, rule: str = "claims.false") -> None:
    """Pay false claims otherwise: pay(position, claimer) -> (sides, value)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.award_claim

        def award_claim(position: Position, seat: int, *, holds: bool) -> None:
            if holds:
                right(position, seat, holds=True)
                return
            paid, value = pay(position, seat)
            scoring._finish(position, paid, value, "false_claim")

        patch.swap(scoring, "award_claim", award_claim)


def _them(position: Position, seat: int) -> list[int]:
    return [1 - position.side(seat)]


_false("always-one", "A false claim costs one game point.", lambda p, seat: (_them(p, seat), 1))
_false("always-two", "A false claim costs two game points.", lambda p, seat: (_them(p, seat), 2))
_false(
    "always-three", "A false claim costs three game points.", lambda p, seat: (_them(p, seat), 3)
)
_false("claimers-tricks", "A false claim is graded by the claimer's own tricks and points.",
       lambda p, seat: (_them(p, seat), scoring.tier(p, (seat + 1) % 4)))  # fmt: skip
_false("for-the-claimer", "A false claim is paid to the claimer all the same.",
       lambda p, seat: ([p.side(seat)], scoring.tier(p, seat)))  # fmt: skip
_false("nothing", "A false claim scores nothing.", lambda p, seat: (_them(p, seat), 0))
_false("by-66", "A false claim costs more if the others could have claimed.",
       lambda p, seat: (_them(p, seat), 1 if p.points[1 - p.side(seat)] < 66
                        else scoring.tier(p, seat)))  # fmt: skip
_false("no-three", "A false claim never costs three.",
       lambda p, seat: (_them(p, seat), min(2, scoring.tier(p, seat))))  # fmt: skip
_false("by-opponents-one", "A false claim of the declarer's opponents costs one game point.",
       lambda p, seat: (_them(p, seat), 1 if p.against_declarer(seat)
                        else scoring.tier(p, seat)))  # fmt: skip
_false("unfinished-trick-counts", "For the grade of a false claim the others win the trick begun.",
       lambda p, seat: (_them(p, seat), min(2, scoring.tier(p, seat)) if p.trick
                        else scoring.tier(p, seat)))  # fmt: skip


# --------------------------------------------------------------------------- nobody claims


def _unclaimed(rule: str, slug: str, sentence: str, change: Any) -> None:
    """Score an unclaimed deal otherwise: change(position, winner) -> (sides, value, reason)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = scoring.award_last_trick

        def award_last_trick(position: Position) -> None:
            assert position.last_trick is not None
            changed = change(position, position.last_trick.winner)
            if changed is None:
                right(position)
            else:
                scoring._finish(position, *changed)

        patch.swap(scoring, "award_last_trick", award_last_trick)


class _First:
    """The side that was first to have 66 card points in this deal."""

    def __init__(self, patch: Patch) -> None:
        self.side: int | None = None
        hooks.on_start(patch, self.start)
        hooks.on_accepted(patch, self.look)

    def start(self, position: Position, last: Position | None) -> None:
        self.side = None

    def look(self, before: Position, after: Position, seat: int, action: Action) -> None:
        if self.side is None and after.contract is not None and after.outcome is None:
            self.side = next((s for s in range(2) if after.points[s] >= 66), None)


@mutant("claims.unclaimed", "first-to-66", "Unclaimed, the side that had 66 first wins the deal.")
def _(patch: Patch) -> None:
    first = _First(patch)

    def change(position: Position, paid: list[int], value: int, reason: str) -> hooks.Paid:
        if reason == "last_trick" and first.side is not None:
            return [first.side], value, reason
        return paid, value, reason

    hooks.on_finish(patch, change)


@mutant(
    "claims.unclaimed", "second-claim-false", "Once one side has had 66 the others claim falsely."
)
def _(patch: Patch) -> None:
    first = _First(patch)
    right = scoring.award_claim

    def award_claim(position: Position, seat: int, *, holds: bool) -> None:
        beaten = first.side is not None and first.side != position.side(seat)
        right(position, seat, holds=holds and not beaten)

    patch.swap(scoring, "award_claim", award_claim)


_unclaimed("claims.unclaimed", "more-points", "Unclaimed, the side with more card points wins.",
           lambda p, winner: ([int(p.points[1] > p.points[0])], 1, "last_trick"))  # fmt: skip
_unclaimed("claims.unclaimed", "sixty-six-loses-not", "A side with 66 cannot lose the deal.",
           lambda p, winner: ([1 - p.side(winner)], 1, "last_trick")
           if p.points[1 - p.side(winner)] >= 66 else None)  # fmt: skip
_unclaimed("claims.last-trick-wins", "declarer-wins", "Unclaimed, the declarer's side scores one.",
           lambda p, winner: ([p.side(p.declarer)], 1, "last_trick"))  # fmt: skip
_unclaimed("claims.last-trick-wins", "opponents-win", "Unclaimed, the declarer has failed.",
           lambda p, winner: ([1 - p.side(p.declarer)], 1, "last_trick"))  # fmt: skip
_unclaimed("claims.last-trick-wins", "two", "The last trick scores two game points.",
           lambda p, winner: ([p.side(winner)], 2, "last_trick"))  # fmt: skip
_unclaimed("claims.last-trick-wins", "nothing", "Without a claim nobody scores.",
           lambda p, winner: ([p.side(winner)], 0, "last_trick"))  # fmt: skip
_unclaimed("claims.last-trick-wins", "all-five-three", "All five tricks score three unclaimed.",
           lambda p, winner: ([p.side(winner)], 3, "last_trick")
           if p.tricks[p.side(winner)] == 5 else None)  # fmt: skip
_unclaimed("claims.last-trick-wins", "leader-of-it", "Whoever leads to the last trick scores.",
           lambda p, winner: ([p.side(p.last_trick.cards[0][0])], 1, "last_trick"))  # fmt: skip
_unclaimed("claims.last-trick-wins", "more-tricks", "Unclaimed, the side with more tricks scores.",
           lambda p, winner: ([int(p.tricks[1] > p.tricks[0])], 1, "last_trick"))  # fmt: skip
for _award in ("graded_if_66", "graded"):
    rules_mutant(
        "claims.last-trick-wins",
        _award.replace("_", "-"),
        "The last trick scores like a claim"
        + (" if its side has 66." if _award.endswith("66") else "."),
        options={"last_trick_award": _award},
    )


def _bonus(slug: str, sentence: str, when: Any) -> None:
    @mutant("claims.no-bonus", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, trick: Trick) -> None:
            if position.tricks_done == position.rules.hand_size and when(position):
                position.points[position.side(trick.winner)] += 10

        hooks.after_trick(patch, change)


_bonus("ten", "The last trick brings ten card points.", lambda p: True)
_bonus("ten-in-normal", "In Normal the last trick brings ten card points.", NORMAL)


hooks.wrong_reason("claims.contract", "claims.moment", "A claim in another contract")
hooks.wrong_reason("claims.claimer", "claims.moment", "A claim of the partner")
hooks.wrong_reason("claims.moment", "claims.claimer", "A claim at another moment")
hooks.wrong_reason("claims.last-trick", "claims.moment", "A claim after the lead to the last trick")


@equivalent(
    "claims.three-points",
    "claimer-without-trick",
    "A correct claim needs a trick of the claimer's side.",
    why="Without a trick a side can have 40 at most, so no such claim is correct.",
)
def _(patch: Patch) -> None:
    right = scoring.award_claim

    def award_claim(position: Position, seat: int, *, holds: bool) -> None:
        right(position, seat, holds=holds and position.tricks[position.side(seat)] > 0)

    patch.swap(scoring, "award_claim", award_claim)
