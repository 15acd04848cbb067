"""Trick situations without a deal: which cards a hand may play, and who has the trick.

What `replay` is for whole deals, `answer_case` is for the queries of the adapter protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import SpecError
from .notation import format_mask, mask_of, parse_card, parse_seat, parse_suit, seat_letters
from .play import allowed_cards, beats, trick_duties
from .ruleset import Rules


def answer_case(op: str, case: Any, rules: Rules) -> Any:
    """Return the answer to one case of a query, `legal_plays` or `trick_winner`.

    Cards of the hand or a seat's letter; `{"error": {"message": ...}}` if the case cannot be read.
    """
    answer = _legal_cards if op == "legal_plays" else _winner
    try:
        return answer(rules, case)
    except (SpecError, ValueError, KeyError, TypeError, IndexError) as error:
        return {"error": {"message": f"this case cannot be read: {error}"}}


def _situation(rules: Rules, case: Mapping[str, Any]) -> Any:
    contract = rules.by_name.get(case["contract"])
    if contract is None:
        raise SpecError(f"there is no contract {case['contract']!r} in this ruleset")
    trump = parse_suit(case["trump"]) if contract.trump == "named" else None
    trick = [(parse_seat(seat, rules.seats), parse_card(card)) for seat, card in case["trick"]]
    winning = trick[0] if trick else None
    for seat, card in trick[1:]:
        assert winning is not None
        if beats(card, winning[1], contract, trump):
            winning = (seat, card)
    return contract, trump, trick, winning


def _legal_cards(rules: Rules, case: Mapping[str, Any]) -> list[str]:
    contract, trump, trick, winning = _situation(rules, case)
    hand = mask_of([parse_card(card) for card in case["hand"]])
    if not trick:
        return format_mask(hand)
    return format_mask(
        allowed_cards(hand, trick_duties(contract, trump, [card for _, card in trick], winning[1]))
    )


def _winner(rules: Rules, case: Mapping[str, Any]) -> str:
    *_, winning = _situation(rules, case)
    return seat_letters(rules.seats)[winning[0]]
