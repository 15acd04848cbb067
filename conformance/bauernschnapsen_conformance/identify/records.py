"""A deal as a request has it, read back as a line: that is held against a ruleset more quickly."""

from __future__ import annotations

from typing import Any

from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import (
    parse_action,
    parse_card,
    parse_seat,
    parse_suit,
    seat_letters,
    side_names,
)

from .lines import Line, Start

Json = dict[str, Any]
_SEATS = 4


def line_of(deal: Json) -> Line | None:
    """Return a deal for four players as a line.

    None where dealer and score follow from the deal before, or an action is none.
    """
    letters, sides = seat_letters(_SEATS), side_names(_SEATS, partners=True)
    contract = deal.get("contract")
    try:
        start = Start(
            parse_seat(deal["dealer"]),
            tuple(tuple(map(parse_card, deal["hands"][seat])) for seat in letters),
            tuple(deal["scores"][side] for side in sides),
            None if contract is None else _contract(contract),
        )
        return Line(start, tuple((parse_seat(s), parse_action(act)) for s, act in deal["actions"]))
    except (Refusal, ValueError, KeyError, TypeError):
        return None


def _contract(start: Json) -> tuple[str, int, int]:
    return start["name"], parse_seat(start["declarer"]), parse_suit(start["trump"])
