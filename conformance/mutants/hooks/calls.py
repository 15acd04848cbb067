"""Get at the objections to bids, doubling and claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bauernschnapsen import auction, claims, doubling
from bauernschnapsen.errors import Refusal
from bauernschnapsen.position import Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch


def on_bid(
    patch: Patch, change: Callable[[Position, int, Contract, Refusal | None], Refusal | None]
) -> None:
    """Change the objection to the bid of the seat on turn, None being no objection."""

    def make(right: Any) -> Any:
        return lambda position, seat, contract: change(
            position, seat, contract, right(position, seat, contract)
        )

    patch.swap(auction, "_objection", make(auction._objection))


def allow_bid(
    patch: Patch, rule: str, when: Callable[[Position, int, Contract], bool] = lambda *_: True
) -> None:
    """Do not object to bids for one reason, at times."""
    _without_reason(patch, auction, rule, when)


def forbid_bid(patch: Patch, rule: str, when: Callable[[Position, int, Contract], bool]) -> None:
    """Object to some bids that are right."""
    _with_reason(patch, auction, rule, when)


def allow_double(
    patch: Patch, rule: str, when: Callable[[Position, int, str], bool] = lambda *_: True
) -> None:
    """Do not object to doubling for one reason, at times."""
    _without_reason(patch, doubling, rule, when)


def forbid_double(patch: Patch, rule: str, when: Callable[[Position, int, str], bool]) -> None:
    """Object to doubling that is right, at times."""
    _with_reason(patch, doubling, rule, when)


def allow_claim(
    patch: Patch, rule: str, when: Callable[[Position, int], bool] = lambda *_: True
) -> None:
    """Do not object to claims for one reason, at times."""
    _without_reason(patch, claims, rule, when)


def forbid_claim(patch: Patch, rule: str, when: Callable[[Position, int], bool]) -> None:
    """Object to claims that are right, at times."""
    _with_reason(patch, claims, rule, when)


def _without_reason(patch: Patch, module: Any, rule: str, when: Callable[..., bool]) -> None:
    right = module._objection

    def objection(*arguments: Any) -> Refusal | None:
        refusal: Refusal | None = right(*arguments)
        if refusal is not None and refusal.rule == rule and when(*arguments):
            return None
        return refusal

    patch.attribute(module, "_objection", objection)


def _with_reason(patch: Patch, module: Any, rule: str, when: Callable[..., bool]) -> None:
    right = module._objection

    def objection(*arguments: Any) -> Refusal | None:
        refusal: Refusal | None = right(*arguments)
        if refusal is None and when(*arguments):
            return Refusal(rule, "a rule that does not exist")
        return refusal

    patch.attribute(module, "_objection", objection)
