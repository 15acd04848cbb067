"""Get at the table: what is shown, offered, accepted, refused, and how a deal starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bauernschnapsen import replay, table
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action, seat_letters
from bauernschnapsen.position import Position
from bauernschnapsen.table import View
from bauernschnapsen_conformance.teeth import Patch, mutant

from .questions import Legal


def on_view(patch: Patch, change: Callable[[Position, View], None]) -> None:
    """Change what is shown; the view is a fresh mapping."""

    def make(right: Any) -> Any:
        def view(position: Position) -> View:
            shown: View = right(position)
            change(position, shown)
            return shown

        return view

    patch.wrap(table, "view", make)


def sees_everything(patch: Patch) -> None:
    """Say of every seat what it knows of every other, also where that is nothing.

    What is left out of `sees` counts as not observed, and no mutant should get away with that.
    """

    def change(position: Position, shown: View) -> None:
        letters = seat_letters(position.rules.seats)
        for viewer in letters:
            known = shown["sees"].setdefault(viewer, {})
            for owner in letters.replace(viewer, ""):
                known.setdefault(owner, [])

    on_view(patch, change)


def on_legal(patch: Patch, change: Callable[[Position, Legal], None]) -> None:
    """Change what is offered, not what is accepted; the mapping is fresh."""

    def make(right: Any) -> Any:
        def legal_actions(position: Position) -> Legal:
            legal: Legal = right(position)
            change(position, legal)
            return legal

        return legal_actions

    patch.wrap(table, "legal_actions", make)


def on_accepted(patch: Patch, change: Callable[[Position, Position, int, Action], None]) -> None:
    """Change the position after an accepted action: before, after, seat, action."""

    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            after: Position = right(position, seat, action)
            change(position, after, seat, action)
            return after

        return apply

    patch.wrap(table, "apply", make)


def on_refused(patch: Patch, change: Callable[[Position, int, Action, Refusal], None]) -> None:
    """Change the position although an action was refused."""

    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            try:
                after: Position = right(position, seat, action)
            except Refusal as refusal:
                change(position, seat, action, refusal)
                raise
            return after

        return apply

    patch.wrap(table, "apply", make)


def accept(
    patch: Patch,
    rule: str,
    do: Callable[[Position, int, Action], bool],
    offer: Callable[[Position], Legal] | None = None,
) -> None:
    """Accept some actions that are refused because of a rule.

    `do` gets a copy to change and returns whether the action is accepted after all; `offer` says
    what is offered in addition.
    """

    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            try:
                after: Position = right(position, seat, action)
            except Refusal as refusal:
                after = position.copy()
                if refusal.rule != rule or not do(after, seat, action):
                    raise
            return after

        return apply

    patch.wrap(table, "apply", make)
    if offer is not None:
        wanted = offer

        def add(position: Position, legal: Legal) -> None:
            for seat, actions in wanted(position).items():
                mine = legal.setdefault(seat, [])
                mine += [action for action in actions if action not in mine]

        on_legal(patch, add)


def refuse(patch: Patch, rule: str, when: Callable[[Position, int, Action], bool]) -> None:
    """Refuse, and do not offer, some actions that are right."""

    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            after: Position = right(position, seat, action)
            if when(position, seat, action):
                raise Refusal(rule, "a rule that does not exist")
            return after

        return apply

    def take(position: Position, legal: Legal) -> None:
        for seat in list(legal):
            legal[seat] = [a for a in legal[seat] if not when(position, seat, a)]
            if not legal[seat]:
                del legal[seat]

    patch.wrap(table, "apply", make)
    on_legal(patch, take)


def rename_reason(
    patch: Patch,
    rule: str,
    other: str,
    when: Callable[[Position, int, Action], bool] = lambda *_: True,
) -> None:
    """Give another reason for right refusals."""

    def make(right: Any) -> Any:
        def apply(position: Position, seat: int, action: Action) -> Position:
            try:
                after: Position = right(position, seat, action)
            except Refusal as refusal:
                if refusal.rule == rule and when(position, seat, action):
                    raise Refusal(other, refusal.message) from None
                raise
            return after

        return apply

    patch.wrap(table, "apply", make)


def on_start(patch: Patch, change: Callable[[Position, Position | None], None]) -> None:
    """Change a position at the start of a deal; the last position of the deal before, or None."""

    def make(right: Any) -> Any:
        def start(rules: Any, record: Any, last: Position | None) -> Position:
            position: Position = right(rules, record, last)
            change(position, last)
            return position

        return start

    patch.wrap(replay, "start_of_deal", make)


def leak(patch: Patch, *fields: str) -> None:
    """Start each further deal with some fields as the deal before left them."""

    def change(position: Position, last: Position | None) -> None:
        if last is not None:
            for field in fields:
                value = getattr(last, field)
                setattr(position, field, value[:] if isinstance(value, list) else value)

    on_start(patch, change)


def wrong_reason(rule: str, other: str, what: str) -> None:
    """Register a mutant that refuses rightly, but for another reason."""

    @mutant(rule, "reason", f"{what} is refused as {other}.", by_reason=True)
    def _(patch: Patch) -> None:
        rename_reason(patch, rule, other)
