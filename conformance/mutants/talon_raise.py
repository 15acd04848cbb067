"""Faulty engines of the chapter "Talon": doubling, the point for leaving it, raising."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, doubling, table, talon
from bauernschnapsen.auction import open_to
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action
from bauernschnapsen.position import PLAY, TALON, Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks

# --------------------------------------------------------------------------- doubling


def _window(slug: str, sentence: str, when: Any) -> None:
    """Double while when(position) says so as well as the right window."""

    @mutant("talon.doubling", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda p: right(p) and (p.talon is None or when(p))

        patch.wrap(doubling, "_window_open", make)


_window("after-the-talon", "Doubling begins when the talon has been settled.",
        lambda p: p.phase != TALON)  # fmt: skip
_window("before-the-talon", "Doubling ends when the talon is settled.",
        lambda p: p.phase == TALON or not (p.talon.taken or p.talon.declined))  # fmt: skip
_window("until-it-is-seen", "Doubling ends when the talon is taken.",
        lambda p: not p.talon.taken)  # fmt: skip
_window("not-while-eight", "Nobody doubles while the declarer holds eight cards.",
        lambda p: p.phase != TALON or not p.talon.taken)  # fmt: skip
_window("not-before-it-is-taken", "Nobody doubles before the talon has been touched.",
        lambda p: p.phase != TALON or p.talon.taken)  # fmt: skip
_window("not-after-leaving", "Who leaves the talon begins the play at once.",
        lambda p: not p.talon.declined)  # fmt: skip
_window("kontra-first", "In the time for the talon only Kontra may be said.",
        lambda p: p.phase != TALON or not p.steps)  # fmt: skip


@mutant("talon.doubling", "until-the-first-trick", "Doubling ends with the first trick.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        return lambda p: right(p) or (p.phase == PLAY and not p.tricks_done)

    patch.wrap(doubling, "_window_open", make)


@mutant("talon.doubling", "one-answers-for-both", "Only the next player may double the declarer.")
def _(patch: Patch) -> None:
    def when(position: Position, seat: int, step: str) -> bool:
        return step != "rekontra" and seat != (position.declarer + 1) % position.rules.seats

    hooks.forbid_double(patch, "doubling.kontra", when)


# --------------------------------------------------------------------------- the point for leaving

for _points_more in (0, 1):
    rules_mutant(
        "talon.bonus",
        ("never", "always")[_points_more],
        ("Leaving the talon brings nothing.", "Leaving it always brings a point.")[_points_more],
        options={"no_talon_bonus": _points_more},
    )


def _bonus(slug: str, sentence: str, change: Any) -> None:
    """Pay another bonus: change(position, right) -> game points."""

    @mutant("talon.bonus", slug, sentence)
    def _(patch: Patch) -> None:
        right = Position.talon_bonus

        def talon_bonus(position: Position) -> int:
            due = right.__get__(position)
            return int(change(position, due)) if position.talon is not None else 0

        patch.attribute(Position, "talon_bonus", property(talon_bonus))


def _agreed(position: Position) -> int:
    return position.rules.options.no_talon_bonus


_bonus("when-taken", "Taking the talon brings the extra point.",
       lambda p, due: _agreed(p) if p.talon.taken else 0)  # fmt: skip
_bonus("in-any-case", "The extra point is always paid where it is agreed.",
       lambda p, due: _agreed(p))  # fmt: skip
_bonus("two", "Leaving the talon brings two points.", lambda p, due: 2 * due)
_bonus("not-by-bid", "A bid without the talon brings no extra point.",
       lambda p, due: 0 if p.talon.bid_without else due)  # fmt: skip
_bonus("only-by-bid", "Only a bid without the talon brings the extra point.",
       lambda p, due: due if p.talon.bid_without else 0)  # fmt: skip
_bonus("not-offered", "A contract without a talon brings the extra point as well.",
       lambda p, due: 0 if p.talon.taken else _agreed(p))  # fmt: skip
_bonus("not-in-normal", "In Normal leaving the talon brings nothing.",
       lambda p, due: 0 if p.contract.goal == "claim_66" else due)  # fmt: skip
_bonus("only-in-normal", "Only in Normal leaving the talon brings a point.",
       lambda p, due: due if p.contract.goal == "claim_66" else 0)  # fmt: skip


def _paid(slug: str, sentence: str, change: Any) -> None:
    """Add the bonus otherwise: change(position, paid sides, value without it, reason, bonus)."""

    @mutant("talon.bonus", slug, sentence)
    def _(patch: Patch) -> None:
        def finish(position: Position, paid: list[int], value: int, reason: str) -> hooks.Paid:
            due = position.talon_bonus
            return paid, change(position, paid, value, reason, due) - due if due else value, reason

        hooks.on_finish(patch, finish)


_paid("only-won", "The extra point is paid only if the declarer wins.",
      lambda p, paid, value, reason, due: value
      + (due if p.side(p.declarer) in paid else 0))  # fmt: skip
_paid("only-lost", "The extra point is a penalty for failing.",
      lambda p, paid, value, reason, due: value
      + (0 if p.side(p.declarer) in paid else due))  # fmt: skip
_paid("not-for-claims", "A claim brings one, two or three and nothing more.",
      lambda p, paid, value, reason, due: value + (0 if "claim" in reason else due))  # fmt: skip
_paid("not-for-false-claims", "A false claim costs no extra point.",
      lambda p, paid, value, reason, due: value
      + (0 if reason == "false_claim" else due))  # fmt: skip
_paid("not-for-the-last-trick", "The last trick is worth one point and nothing more.",
      lambda p, paid, value, reason, due: value
      + (0 if reason == "last_trick" else due))  # fmt: skip
_paid("times-the-tier", "In Normal the extra point is multiplied by the grade.",
      lambda p, paid, value, reason, due: 2 * value
      if p.contract.goal == "claim_66" else value + due)  # fmt: skip


@mutant("talon.bonus", "after-doubling", "The extra point is not doubled.")
def _(patch: Patch) -> None:
    def change(position: Position, awards: tuple[int, ...], reason: str) -> tuple[int, ...]:
        assert position.outcome is not None
        less = position.talon_bonus * (position.outcome.factor - 1)
        return tuple(award - less if award else 0 for award in awards)

    hooks.on_awards(patch, change)


@mutant("talon.bonus", "to-one-opponent", "Of two who win only the next one gets the extra point.")
def _(patch: Patch) -> None:
    def change(position: Position, awards: tuple[int, ...], reason: str) -> tuple[int, ...]:
        assert position.outcome is not None
        less = position.talon_bonus * position.outcome.factor
        last = (position.declarer + 2) % position.rules.seats
        both = sum(map(bool, awards)) > 1
        return tuple(a - less if both and s == last else a for s, a in enumerate(awards))

    hooks.on_awards(patch, change)


# --------------------------------------------------------------------------- raising

for _word, _sentence in {
    "refused": "Nobody goes higher once he has seen the talon.",
    "allowed": "Whoever has seen the talon may always go higher.",
}.items():
    rules_mutant("talon.raise", _word, _sentence, options={"talon_raise": _word})


def _raise_if(slug: str, sentence: str, when: Any) -> None:
    """Raise only while when(position) says so as well."""

    @mutant("talon.raise", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda position: right(position) and when(position)

        patch.wrap(talon, "_raise_open", make)


_raise_if("before-laying-away", "A contract is raised only before cards are laid away.",
          lambda p: p.phase == TALON)  # fmt: skip
_raise_if("after-laying-away", "A contract is raised only after cards have been laid away.",
          lambda p: p.phase != TALON)  # fmt: skip
_raise_if("on-lead", "Only a declarer who leads may raise.",
          lambda p: p.phase == TALON or p.turn == p.declarer)  # fmt: skip


@mutant("talon.raise", "after-the-lead", "A contract may be raised until the first trick is over.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        return lambda p: right(p) or (p.phase == PLAY and not p.tricks_done)

    patch.wrap(talon, "_raise_open", make)


def _raise_to(rule: str, slug: str, sentence: str, change: Any) -> None:
    """Object otherwise to a raise: change(position, seat, contract, right refusal)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = talon._objection

        def objection(position: Position, seat: int, contract: Any) -> Refusal | None:
            refusal: Refusal | None = right(position, seat, contract)
            if contract is None:
                return refusal
            changed: Refusal | None = change(position, seat, contract, refusal)
            return changed

        patch.attribute(talon, "_objection", objection)


def _no(rule: str) -> Refusal:
    return Refusal(rule, "a rule that does not exist")


def _lets(rule: str) -> Any:
    """Do not object for one reason."""
    return lambda p, seat, c, right: None if right is not None and right.rule == rule else right


_raise_to("talon.raise", "unseen", "Who has left the talon may raise as well.",
          lambda p, seat, c, right: None if right is not None and right.rule == "talon.raise"
          and p.talon.declined and p.rules.options.talon_raise == "allowed"
          and c.rank > p.contract.rank and seat == p.declarer else right)  # fmt: skip
_raise_to("talon.raise", "before-seeing", "A contract may be raised before the talon is taken.",
          lambda p, seat, c, right: None if right is not None and right.rule == "talon.raise"
          and p.phase == TALON and p.rules.options.talon_raise == "allowed"
          and c.rank > p.contract.rank and seat == p.declarer else right)  # fmt: skip
_raise_to("talon.raise", "once", "A contract is raised once, by one place in the order.",
          lambda p, seat, c, right: right if right is not None or c.rank == p.contract.rank + 1
          else _no("talon.raise"))  # fmt: skip
_raise_to("talon.raise-higher", "lower-too", "The declarer may go down as well.",
          _lets("talon.raise-higher"))  # fmt: skip
_raise_to("talon.raise-higher", "the-same", "The same contract may be said again.",
          lambda p, seat, c, right: None if right is not None
          and right.rule == "talon.raise-higher" and c is p.contract else right)  # fmt: skip
_raise_to("talon.raise-higher", "by-value", "A raise goes to a contract that is worth more.",
          lambda p, seat, c, right: right if right is not None or c.value > p.contract.value
          else _no("talon.raise-higher"))  # fmt: skip
_raise_to("talon.raise-higher", "next-only", "A raise goes to the next contract that is open.",
          lambda p, seat, c, right: right if right is not None or not any(
              p.contract.rank < o.rank < c.rank and open_to(p, seat, o)
              for o in p.rules.contracts) else _no("talon.raise-higher"))  # fmt: skip
_raise_to("talon.raise-higher", "any-seat", "A raise may go to any higher contract.",
          _lets("auction.bidders"))  # fmt: skip
_raise_to("talon.raise-higher", "no-cards", "A raise needs none of the cards demanded.",
          _lets("auction.cards-required"))  # fmt: skip
_raise_to("talon.raise-higher", "with-trumps-only", "A raise goes to a contract with trumps.",
          lambda p, seat, c, right: right if right is not None or c.trump == "named"
          else _no("talon.raise-higher"))  # fmt: skip


def _keeps(rule: str, slug: str, sentence: str, fields: str) -> None:
    """Leave some fields of the contract as they were before a raise."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        from dataclasses import replace

        def make(right: Any) -> Any:
            def raise_contract(position: Position, seat: int, name: str) -> None:
                before = position.contract
                right(position, seat, name)
                if before is None or position.contract is None or position.outcome is not None:
                    return
                old = {field: getattr(before, field) for field in fields.split()}
                position.contract = replace(position.contract, **old)
                if position.phase == PLAY:
                    contracts.begin_play(position)

            return raise_contract

        patch.item(table._TALON_HANDLERS, "raise", make(talon.raise_contract))


for _fields, _what in {
    "value": "value",
    "trump": "trump",
    "lead": "first lead",
    "goal tricks ends_early": "goal",
    "ranks": "ranks of the cards",
    "marriages": "marriages",
}.items():
    _keeps("talon.raised", f"old-{_fields.partition(' ')[0]}",
           f"After a raise the {_what} stays as it was.", _fields)  # fmt: skip


@mutant("talon.raised", "name-only", "A raise is announced, and the contract bid is played.")
def _(patch: Patch) -> None:
    def look(before: Position, after: Position, seat: int, action: Action) -> None:
        if action.verb == "raise":
            after.contract, after.turn, after.phase = before.contract, before.turn, before.phase

    hooks.on_accepted(patch, look)


@mutant("talon.raised", "lead-already-fixed", "After laying away a raise does not change the lead.")
def _(patch: Patch) -> None:
    def look(before: Position, after: Position, seat: int, action: Action) -> None:
        if action.verb == "raise" and before.phase == PLAY:
            after.turn = before.turn

    hooks.on_accepted(patch, look)


def _steps_after(slug: str, sentence: str, steps: Any) -> None:
    """Change what has been doubled by a raise: steps(steps before) -> steps."""

    @mutant("talon.double-stays", slug, sentence)
    def _(patch: Patch) -> None:
        def look(before: Position, after: Position, seat: int, action: Action) -> None:
            if action.verb == "raise":
                after.steps = steps(before.steps)
                after.doubled_by = before.doubled_by[: after.steps]

        hooks.on_accepted(patch, look)


_steps_after("undone", "A raise undoes what was doubled.", lambda steps: 0)
_steps_after("one-step-back", "A raise takes back the last step of doubling.",
             lambda steps: max(0, steps - 1))  # fmt: skip


@mutant("talon.double-stays", "counts-as-rekontra", "A raise answers Kontra like Rekontra.")
def _(patch: Patch) -> None:
    def look(before: Position, after: Position, seat: int, action: Action) -> None:
        if action.verb == "raise" and before.steps == 1:
            after.steps = 2
            after.doubled_by = (*before.doubled_by, seat)

    hooks.on_accepted(patch, look)


@mutant("talon.double-stays", "no-raise", "A contract that has been doubled is not raised.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        return lambda position: right(position) and not position.steps

    patch.wrap(talon, "_raise_open", make)
