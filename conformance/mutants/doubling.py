"""Faulty engines of the chapter "Doubling": who may double, the steps, and until when."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import doubling
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, PLAY, SHOW, Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import allow_double, forbid_double

# --------------------------------------------------------------------------- who may double


def _nobody_but(rule: str, step: str, slug: str, sentence: str, when: Any) -> None:
    """Take a step away from some seats: when(position, seat) says who keeps it."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        forbid_double(patch, rule, lambda p, seat, said: said == step and not when(p, seat))


def _also(rule: str, step: str, slug: str, sentence: str, when: Any) -> None:
    """Give a step to more seats."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = doubling._objection

        def objection(position: Position, seat: int, said: str) -> Refusal | None:
            refusal = right(position, seat, said)
            due = position.steps == doubling.STEPS.index(step)
            if refusal is not None and refusal.rule == rule and due and when(position, seat):
                return None
            return refusal

        patch.attribute(doubling, "_objection", objection)


def _left(position: Position, seat: int) -> bool:
    return seat == (position.declarer + 1) % 4


def _right(position: Position, seat: int) -> bool:
    return seat == (position.declarer - 1) % 4


def _declarer(position: Position, seat: int) -> bool:
    return seat == position.declarer


def _partner(position: Position, seat: int) -> bool:
    return seat != position.declarer and not position.against_declarer(seat)


def _first_doubler(position: Position, seat: int) -> bool:
    return bool(position.doubled_by) and seat == position.doubled_by[0]


_KONTRA = ("doubling.kontra", "kontra")
_nobody_but(*_KONTRA, "left-only", "Only the opponent left of the declarer may say Kontra.", _left)
_nobody_but(*_KONTRA, "right-only", "Only the opponent right of the declarer says Kontra.", _right)
_nobody_but(*_KONTRA, "leader-only", "Only the player on lead may say Kontra.",
            lambda p, seat: seat == p.turn)  # fmt: skip
_nobody_but(*_KONTRA, "not-by-the-leader", "Whoever leads may not say Kontra.",
            lambda p, seat: seat != p.turn)  # fmt: skip
_nobody_but(*_KONTRA, "only-with-a-bid", "Whoever has only passed may not say Kontra.",
            lambda p, seat: not p.passed >> seat & 1 or p.passed == 0)  # fmt: skip
_also(*_KONTRA, "declarers-partner", "The declarer's partner may say Kontra.", _partner)
_also(*_KONTRA, "declarer", "The declarer may say Kontra himself.", _declarer)
_also(*_KONTRA, "anybody", "Anybody may say Kontra.", lambda p, seat: True)


@mutant("doubling.kontra", "against-forehand", "Kontra is for the dealer's side, whoever plays.")
def _(patch: Patch) -> None:
    _judged_from_forehand(patch, "kontra")


@mutant("doubling.rekontra", "forehands-side", "Rekontra is for forehand's side, whoever plays.")
def _(patch: Patch) -> None:
    _judged_from_forehand(patch, "rekontra")


@mutant("doubling.subkontra", "against-forehand", "Subkontra is for the dealer's side always.")
def _(patch: Patch) -> None:
    _judged_from_forehand(patch, "subkontra")


def _judged_from_forehand(patch: Patch, step: str) -> None:
    right = doubling._objection

    def objection(position: Position, seat: int, said: str) -> Refusal | None:
        refusal = right(position, seat, said)
        if said != step or position.steps != doubling.STEPS.index(step):
            return refusal
        opponents = not hooks.partners(position, seat, position.forehand)
        if opponents == (step != "rekontra"):
            return None
        return Refusal(f"doubling.{step}", "not for this seat")

    patch.attribute(doubling, "_objection", objection)


_REKONTRA = ("doubling.rekontra", "rekontra")
_nobody_but(*_REKONTRA, "declarer-only", "Only the declarer himself may say Rekontra.", _declarer)
_nobody_but(*_REKONTRA, "partner-only", "Only the declarer's partner may say Rekontra.", _partner)
_nobody_but(*_REKONTRA, "next-seat-only", "Only the seat after Kontra may say Rekontra.",
            lambda p, seat: seat == (p.doubled_by[0] + 1) % 4)  # fmt: skip
_also(*_REKONTRA, "other-opponent", "The other opponent may answer his partner's Kontra.",
      lambda p, seat: not _first_doubler(p, seat))  # fmt: skip
_also(*_REKONTRA, "anybody", "Anybody may say Rekontra.", lambda p, seat: True)

_SUBKONTRA = ("doubling.subkontra", "subkontra")
_nobody_but(*_SUBKONTRA, "same-opponent", "Only whoever said Kontra may say Subkontra.",
            _first_doubler)  # fmt: skip
_also(*_SUBKONTRA, "declarers-side", "The declarer's side may say Subkontra as well.",
      lambda p, seat: not p.against_declarer(seat))  # fmt: skip
_also(*_SUBKONTRA, "partner-of-rekontra", "The partner of whoever said Rekontra may go on.",
      lambda p, seat: hooks.partners(p, seat, p.doubled_by[-1])
      and seat != p.doubled_by[-1])  # fmt: skip
rules_mutant(
    "doubling.subkontra",
    "other-opponent",
    "Whoever said Kontra may not say Subkontra.",
    options={"kontra_by": "each_once"},
)
rules_mutant(
    "doubling.subkontra",
    "absent",
    "There is no Subkontra.",
    options={"kontra_levels": 2},
)
rules_mutant(
    "doubling.rekontra",
    "absent",
    "Nothing answers a Kontra.",
    options={"kontra_levels": 1},
)
rules_mutant("doubling.kontra", "absent", "Nothing is doubled.", options={"kontra_levels": 0})

rules_mutant(
    "doubling.sitting-out",
    "refused",
    "Whoever sits out may not say Rekontra.",
    options={"sitting_out_doubles": "refused"},
)


@mutant("doubling.sitting-out", "out-alone", "In a Bettler only the partner may say Rekontra.")
def _(patch: Patch) -> None:
    forbid_double(
        patch,
        "doubling.sitting-out",
        lambda p, seat, step: p.out >= 0 and step == "rekontra" and seat != p.out,
    )


@mutant("doubling.sitting-out", "kontra-too", "Whoever sits out may say Kontra like an opponent.")
def _(patch: Patch) -> None:
    allow_double(patch, "doubling.kontra", lambda p, seat, step: seat == p.out and p.steps == 0)


# --------------------------------------------------------------------------- steps


def _steps(slug: str, sentence: str, accepted: Any, counts: int = 1) -> None:
    """Take steps that are not due: accepted(position, seat, step)."""

    @mutant("doubling.steps", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            open_ = doubling._window_open(position)
            if action.verb not in doubling.STEPS or not open_ or position.steps + counts > 4:
                return False
            if not accepted(position, seat, action.verb):
                return False
            position.steps += counts
            position.doubled_by += (seat,)
            return True

        hooks.accept(patch, "doubling.steps", do)


_steps("kontra-twice", "Both opponents may say Kontra, each doubling once more.",
       lambda p, seat, step: step == "kontra" and p.steps == 1
       and not _first_doubler(p, seat))  # fmt: skip
_steps("kontra-repeated", "Kontra may be said again and changes nothing.",
       lambda p, seat, step: step == "kontra" and p.steps == 1, counts=0)  # fmt: skip
_steps("kontra-after-rekontra", "After Rekontra the other opponent may still say Kontra.",
       lambda p, seat, step: step == "kontra" and p.steps == 2
       and seat not in p.doubled_by)  # fmt: skip
_steps("rekontra-without-kontra", "Rekontra needs no Kontra before it.",
       lambda p, seat, step: step == "rekontra" and p.steps == 0)  # fmt: skip
_steps("rekontra-twice", "Rekontra may be said by both of the declarer's side.",
       lambda p, seat, step: step == "rekontra" and p.steps == 2)  # fmt: skip
_steps("subkontra-without-rekontra", "Subkontra may be said at once after Kontra.",
       lambda p, seat, step: step == "subkontra" and p.steps == 1)  # fmt: skip
_steps("subkontra-at-once", "The opponents may begin with Subkontra.",
       lambda p, seat, step: step == "subkontra" and p.steps == 0, counts=3)  # fmt: skip
_steps("subkontra-twice", "Subkontra may be said again.",
       lambda p, seat, step: step == "subkontra" and p.steps == 3)  # fmt: skip


@mutant("doubling.steps", "fourth-step", "After Subkontra the declarer's side may double again.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "rekontra" or position.steps != 3:
            return False
        if not doubling._window_open(position) or position.against_declarer(seat):
            return False
        position.steps = 4
        return True

    hooks.accept(patch, "doubling.steps", do)


@mutant("doubling.steps", "any-word", "Any of the three words stands for the step that is due.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb not in doubling.STEPS or position.steps >= 3:
            return False
        if position.against_declarer(seat) != (position.steps % 2 == 0):
            return False
        position.steps += 1
        return True

    hooks.accept(patch, "doubling.steps", do)


@mutant("doubling.steps", "other-opponent-offered", "Kontra stays open to the other opponent.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        if doubling._window_open(position) and position.steps == 1:
            for seat in range(4):
                if position.against_declarer(seat) and not _first_doubler(position, seat):
                    legal.setdefault(seat, []).append(Action("kontra"))

    hooks.on_legal(patch, change)


# --------------------------------------------------------------------------- the window


def _window(slug: str, sentence: str, is_open: Any) -> None:
    @mutant("doubling.window", slug, sentence)
    def _(patch: Patch) -> None:
        right = doubling._window_open

        def window_open(position: Position) -> bool:
            wrong: bool = is_open(position, right(position))
            return wrong

        patch.swap(doubling, "_window_open", window_open)


_window("first-trick", "Doubling stays open during the first trick.",
        lambda p, right: right or (p.phase == PLAY and not p.tricks_done))  # fmt: skip
_window("second-card", "Doubling stays open until the second card is played.",
        lambda p, right: right
        or (p.phase == PLAY and not p.tricks_done and len(p.trick) == 1))  # fmt: skip
_window("between-tricks", "Between tricks doubling is open again.",
        lambda p, right: right or (p.phase == PLAY and not p.trick))  # fmt: skip
_window("always", "Doubling is open as long as cards are played.",
        lambda p, right: right or p.phase == PLAY)  # fmt: skip
_window("second-lead", "Doubling is open until the second lead.",
        lambda p, right: right or (p.phase == PLAY and p.tricks_done <= 1
        and not (p.tricks_done and p.trick)))  # fmt: skip
_window("not-while-showing", "A contract that is shown leaves no time for doubling.",
        lambda p, right: right and p.phase != SHOW)  # fmt: skip
_window("one-step", "Doubling is over with the first step.",
        lambda p, right: right and p.steps == 0)  # fmt: skip
_window("two-steps", "Doubling is over when Rekontra has been said.",
        lambda p, right: right and p.steps < 2)  # fmt: skip


@mutant("doubling.window", "in-auction", "Kontra may be said to the last bid, in the auction.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "kontra" or position.phase != AUCTION or position.bid is None:
            return False
        if hooks.partners(position, seat, position.bidder) or position.steps:
            return False
        position.steps = 1
        return True

    hooks.accept(patch, "doubling.window", do)


@mutant("doubling.window", "leaks", "The factor of one deal stays for the next.")
def _(patch: Patch) -> None:
    hooks.leak(patch, "steps")


# --------------------------------------------------------------------------- no turn


def _no_order(slug: str, sentence: str, may: Any) -> None:
    @mutant("doubling.no-order", slug, sentence)
    def _(patch: Patch) -> None:
        forbid_double(patch, "doubling.no-order", lambda p, seat, step: not may(p, seat))


_no_order("on-turn-only", "Only the player to act may double.", lambda p, seat: seat == p.turn)
_no_order("not-on-turn", "The player to act can lead but not double.",
          lambda p, seat: seat != p.turn)  # fmt: skip
_no_order("left-first", "The opponent left of the declarer speaks for his side.",
          lambda p, seat: not p.against_declarer(seat) or _left(p, seat))  # fmt: skip
_no_order("clockwise", "Each step comes from the next entitled seat clockwise.",
          lambda p, seat: seat == _next_entitled(p))  # fmt: skip


def _next_entitled(position: Position) -> int:
    last = position.doubled_by[-1] if position.doubled_by else position.declarer
    return (last + 1) % 4


@mutant(
    "doubling.no-order", "leader-gives-time", "Whoever may still double has to be silent first."
)
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, action: Action) -> bool:
        first = position.phase == PLAY and not position.trick and not position.tricks_done
        return first and action.verb == "play" and 0 < position.steps < 3

    hooks.refuse(patch, "play.when", when)


@mutant("doubling.no-order", "silence-is-an-action", "Whoever may double is asked, and may pass.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        for actions in legal.values():
            if any(action.verb in doubling.STEPS for action in actions):
                actions.append(Action("pass"))

    hooks.on_legal(patch, change)
