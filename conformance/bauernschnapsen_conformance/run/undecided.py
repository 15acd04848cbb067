"""Starts from a contract about which the rules say nothing: no engine is right or wrong there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bauernschnapsen.auction import holds_required_cards
from bauernschnapsen.notation import parse_card, parse_seat, parse_suit, seat_letters
from bauernschnapsen.ruleset import Contract, Rules
from bauernschnapsen.table import start_contract


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
    if not start:
        return False
    contract = rules.by_name.get(start["name"])
    if contract is None or not demands_cards(contract):
        return False
    try:
        hands = [[*map(parse_card, deal["hands"][seat])] for seat in seat_letters(rules.seats)]
        aside = [*map(parse_card, deal.get("talon", ()))]
        declarer = parse_seat(start["declarer"], rules.seats)
        trump = None if start.get("trump") is None else parse_suit(start["trump"])
        # Who deals does not matter to the cards in a hand.
        position = start_contract(
            rules, 0, hands, contract.name, declarer, trump, talon_cards=aside
        )
    except ValueError:  # no deal at all
        return False
    return not holds_required_cards(position, declarer, contract)
