"""Get at the end of a deal: what is paid, the score, the next dealer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bauernschnapsen import match, scoring
from bauernschnapsen.position import Position
from bauernschnapsen_conformance.teeth import Patch

Paid = tuple[list[int], int, str]


def on_finish(patch: Patch, change: Callable[[Position, list[int], int, str], Paid]) -> None:
    """Change how a deal is scored: sides paid, game points before doubling, reason."""

    def make(right: Any) -> Any:
        return lambda position, paid, value, reason: right(
            position, *change(position, paid, value, reason)
        )

    patch.wrap(scoring, "_finish", make)


def on_awards(
    patch: Patch, change: Callable[[Position, tuple[int, ...], str], tuple[int, ...]]
) -> None:
    """Change the game points of a finished deal, doubling included, before they are entered."""

    def make(right: Any) -> Any:
        def enter_score(position: Position) -> None:
            outcome = position.outcome
            assert outcome is not None
            awards = change(position, outcome.awards, outcome.reason)
            position.outcome = outcome._replace(awards=awards)
            right(position)

        return enter_score

    patch.wrap(match, "enter_score", make)


def pays_single(patch: Patch, when: Callable[[Position, tuple[int, ...], str], bool]) -> None:
    """At times forget the factor: position, awards, reason."""

    def change(position: Position, awards: tuple[int, ...], reason: str) -> tuple[int, ...]:
        outcome = position.outcome
        assert outcome is not None
        if not when(position, awards, reason):
            return awards
        return tuple(award // outcome.factor for award in awards)

    on_awards(patch, change)


def after_score(patch: Patch, change: Callable[[Position], None]) -> None:
    """Change score, next dealer or game after a deal was entered."""

    def make(right: Any) -> Any:
        def enter_score(position: Position) -> None:
            right(position)
            change(position)

        return enter_score

    patch.wrap(match, "enter_score", make)
