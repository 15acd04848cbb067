"""Faulty engines of the chapter "Scoring": what a deal is worth, and when it is over."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import match
from bauernschnapsen.notation import Action
from bauernschnapsen.position import OVER, PLAY, Position, Score
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks


def _awards(rule: str, slug: str, sentence: str, change: Any) -> None:
    """Pay otherwise: change(position, awards, reason) -> awards by side."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        hooks.on_awards(patch, change)


def _announced(position: Position) -> bool:
    return not hooks.goal_is("claim_66")(position)


def _swapped(awards: tuple[int, ...]) -> tuple[int, ...]:
    return awards[::-1]


def _times(awards: tuple[int, ...], number: float) -> tuple[int, ...]:
    return tuple(int(award * number) for award in awards)


_awards("scoring.success", "for-the-others", "A contract that is made pays the opponents.",
        lambda p, a, reason: _swapped(a) if reason == "made" else a)  # fmt: skip
_awards("scoring.success", "one", "A contract that is made pays one game point.",
        lambda p, a, reason: tuple(min(x, 1) for x in a) if reason == "made" else a)  # fmt: skip
_awards("scoring.success", "double", "A contract that is made pays double.",
        lambda p, a, reason: _times(a, 2) if reason == "made" else a)  # fmt: skip
_awards("scoring.success", "forehands-side", "What is won goes to forehand's side.",
        lambda p, a, reason: tuple(max(a) if s == p.side(p.forehand) else 0 for s in range(2))
        if reason in ("made", "shown") else a)  # fmt: skip
_awards("scoring.success", "nothing-for-partner", "If the declarer's partner sat out it pays half.",
        lambda p, a, reason: _times(a, 0.5) if reason == "made" and p.out >= 0 else a)  # fmt: skip
_awards("scoring.success", "shown-for-the-others", "A hand that is shown pays the opponents.",
        lambda p, a, reason: _swapped(a) if reason == "shown" else a)  # fmt: skip
_awards("scoring.success", "tier-added", "A contract made by all five tricks pays three more.",
        lambda p, a, reason: tuple(x + 3 if x else 0 for x in a)
        if reason == "made" and p.tricks_done == 5 and max(p.tricks) == 5 else a)  # fmt: skip
_awards("scoring.failure", "for-the-declarer", "A lost contract pays the declarer's side.",
        lambda p, a, reason: _swapped(a) if reason == "failed" else a)  # fmt: skip
_awards("scoring.failure", "double", "A lost contract costs double.",
        lambda p, a, reason: _times(a, 2) if reason == "failed" else a)  # fmt: skip
_awards("scoring.failure", "half", "A lost contract costs half.",
        lambda p, a, reason: _times(a, 0.5) if reason == "failed" else a)  # fmt: skip
_awards("scoring.failure", "one", "A lost contract costs one game point.",
        lambda p, a, reason: tuple(min(x, 1) for x in a) if reason == "failed" else a)  # fmt: skip
_awards("scoring.failure", "nothing", "A lost contract scores nothing.",
        lambda p, a, reason: (0, 0) if reason == "failed" else a)  # fmt: skip
_awards("scoring.failure", "minus", "A lost contract is taken off the declarer's side.",
        lambda p, a, reason: _times(_swapped(a), -1) if reason == "failed" else a)  # fmt: skip
_awards("scoring.failure", "by-partner-free", "If the partner has broken it, nobody scores.",
        lambda p, a, reason: (0, 0) if reason == "failed" and p.last_trick is not None
        and p.last_trick.winner == hooks.partner_of(p, p.declarer) else a)  # fmt: skip
_awards("scoring.failure", "dealers-side", "What is lost goes to the dealer's side.",
        lambda p, a, reason: tuple(max(a) if s == p.side(p.dealer) else 0 for s in range(2))
        if reason == "failed" else a)  # fmt: skip
_awards("scoring.one-side", "both-for-cards", "The losers of a Normal score one for 33.",
        lambda p, a, reason: a if _announced(p) else tuple(
            x or int(p.points[s] >= 33) for s, x in enumerate(a)))  # fmt: skip
_awards("scoring.one-side", "loser-pays", "What one side scores the other side loses.",
        lambda p, a, reason: tuple(x - y for x, y in zip(a, _swapped(a), strict=True)))  # fmt: skip
_awards("scoring.one-side", "both", "Both sides are given the game points of the deal.",
        lambda p, a, reason: (max(a), max(a)))  # fmt: skip
_awards("scoring.one-side", "both-when-false", "After a false claim nobody scores.",
        lambda p, a, reason: (0, 0) if reason == "false_claim" else a)  # fmt: skip


def _add(rule: str, slug: str, sentence: str, change: Any) -> None:
    """Keep the score otherwise: change(before, awards, right) -> points by side."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def enter_score(position: Position) -> None:
                before = position.score.points
                assert position.outcome is not None
                awards = position.outcome.awards
                right(position)
                points = change(before, awards, position.score.points, position)
                position.score = Score(tuple(points), position.score.led_to_nil)

            return enter_score

        patch.wrap(match, "enter_score", make)


_add("scoring.add", "replaced", "The score of a deal replaces the score before.",
     lambda before, awards, right, p: awards)  # fmt: skip
_add("scoring.add", "not-added", "The score is not carried on.",
     lambda before, awards, right, p: before)  # fmt: skip
_add("scoring.add", "swapped", "The game points are added to the other side.",
     lambda before, awards, right, p: [b + a for b, a in zip(before, awards[::-1],
                                                             strict=True)])  # fmt: skip
_add("scoring.add", "winner-keeps-only", "The side that scores nothing loses what it had.",
     lambda before, awards, right, p: [r if a else 0 for r, a in zip(right, awards,
                                                                    strict=True)])  # fmt: skip
_add("scoring.add", "counts-down", "Game points are taken off.",
     lambda before, awards, right, p: [b - a for b, a in zip(before, awards,
                                                            strict=True)])  # fmt: skip
_add("scoring.add", "without-factor", "The factor is shown but not entered into the score.",
     lambda before, awards, right, p: [b + a // p.outcome.factor
                                       for b, a in zip(before, awards, strict=True)])  # fmt: skip
_add("scoring.add", "twice", "The game points of a deal are added twice.",
     lambda before, awards, right, p: [r + a for r, a in zip(right, awards,
                                                            strict=True)])  # fmt: skip


@mutant("scoring.add", "next-deal-from-nothing", "Every deal starts at 0 again.")
def _(patch: Patch) -> None:
    patch.swap(match, "score_of_next_deal", lambda position: match.new_score(position.rules))


@mutant("scoring.add", "next-deal-old-score", "The next deal starts at the score before this one.")
def _(patch: Patch) -> None:
    starts: dict[int, Score] = {}

    def start(position: Position, last: Position | None) -> None:
        if last is not None and last.game is None and starts:
            position.score = starts[0]
        starts[0] = position.score

    hooks.on_start(patch, start)


# --------------------------------------------------------------------------- when a deal is over


def _after_the_end(slug: str, sentence: str, do: Any, offer: Any = None) -> None:
    """Accept actions after the end: do(position, seat, action) -> accepted."""

    @mutant("scoring.deal-over", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.accept(patch, "scoring.deal-over", do, offer)


_after_the_end("anything", "After the end everything is accepted and changes nothing.",
               lambda p, seat, action: True)  # fmt: skip
_after_the_end("pass", "After the end every player passes once more.",
               lambda p, seat, action: action.verb == "pass")  # fmt: skip
_after_the_end("show", "After the end hands may be shown.",
               lambda p, seat, action: action.verb == "show")  # fmt: skip


def _play_on(position: Position, seat: int, action: Action) -> bool:
    card = action.value
    held = isinstance(card, int) and position.hands[seat] >> card & 1
    if action.verb != "play" or not held or position.last_trick is None:
        return False
    position.hands[seat] ^= 1 << card  # type: ignore[operator]
    return True


_after_the_end("cards", "After the end the cards left are still played.", _play_on)


@mutant("scoring.deal-over", "late-claim", "After the end a claim is still scored.")
def _(patch: Patch) -> None:
    from bauernschnapsen import scoring

    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "enough" or position.outcome is None or _announced(position):
            return False
        if position.outcome.reason != "last_trick":
            return False
        holds = position.points[position.side(seat)] >= 66
        score, position.phase = position.score, PLAY
        scoring.award_claim(position, seat, holds=holds)
        position.score = score
        return True

    hooks.accept(patch, "scoring.deal-over", do)


@mutant("scoring.deal-over", "late-kontra", "After the end doubling still counts.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        outcome = position.outcome
        if action.verb != "kontra" or position.steps or outcome is None:
            return False
        position.steps = 1
        awards = tuple(2 * award for award in outcome.awards)
        position.outcome = outcome._replace(awards=awards, factor=2)
        return True

    hooks.accept(patch, "scoring.deal-over", do)


@mutant("scoring.deal-over", "still-offered", "After the end the winner of the trick may lead.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        if position.phase == OVER and position.last_trick is not None:
            winner = position.last_trick.winner
            hand = [card for card in range(20) if position.hands[winner] >> card & 1]
            if hand:
                legal[winner] = [Action("play", card) for card in hand]

    hooks.on_legal(patch, change)


@mutant("scoring.deal-over", "next-trump", "After the end the next forehand may name trumps.")
def _(patch: Patch) -> None:
    hooks.accept(patch, "scoring.deal-over", lambda p, seat, action: action.verb == "trump")


@mutant("scoring.deal-over", "turn-stays", "After the end somebody is still on turn.")
def _(patch: Patch) -> None:
    def change(position: Position, view: Any) -> None:
        if position.phase == OVER and position.last_trick is not None:
            view["to_act"] = "NESW"[position.last_trick.winner]

    hooks.on_view(patch, change)
