"""Starts from a contract about which the rules say nothing: no engine is right or wrong there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bauernschnapsen.auction import holds_required_cards
from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import _start as start_of
from bauernschnapsen.ruleset import Contract, Rules


def demands_cards(contract: Contract | None) -> bool:
    """Whether a hand is only shown in this contract, and nobody bids it without the cards.

    Such a contract cannot be lost (contracts.show-wins); what showing other cards would bring is
    therefore said nowhere.
    """
    if contract is None or contract.goal != "shown":
        return False
    return contract.hold != "none" and contract.held_at == "bid"


def is_undecided(deals: Sequence[dict[str, Any]], rules: Rules) -> bool:
    """Whether a deal of a case starts with a hand to show that is not the one demanded."""
    return any(_lacks_cards(deal, rules) for deal in deals)


def _lacks_cards(deal: dict[str, Any], rules: Rules) -> bool:
    start = deal.get("contract")
    contract = rules.by_name.get(start["name"]) if start else None
    if contract is None or not demands_cards(contract):
        return False
    # What a later deal of a case leaves out does not matter here.
    sides = {"NS": 0, "EW": 0} if rules.sides == 2 else dict.fromkeys(deal["hands"], 0)
    first = {"dealer": next(iter(deal["hands"])), "scores": sides, **deal}
    try:
        position = start_of(rules, first, None)
    except SpecError:  # no deal at all
        return False
    return not holds_required_cards(position, position.declarer, contract)
