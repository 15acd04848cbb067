"""Sense of rulesets: what no schema can say, such as that the packets deal the whole pack.

All functions take the document a ruleset was read from, if it was, so that a fault names its line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import PACK_SIZE
from .data.yaml_loader import Document
from .errors import SpecError

_NOTHING = "none"
_TALON = "talon"
_TURNABLE = 2
_LISTED = 6


def fault(
    document: Document | None, field: tuple[str, ...], message: str, hint: str | None = None
) -> SpecError:
    """Return an error about a field of a ruleset, with file and line if it has any."""
    line, column = document.where_key(field) if document else (None, None)
    file = document.file if document else None
    return SpecError(message, file, line, column, ".".join(field), hint)


def bidders_of(who: str, options: Mapping[str, Any]) -> frozenset[int]:
    """Return the seats that may bid, counted clockwise from forehand, of a word of the schema."""
    seats = range(options["seats"])
    partners = options["sides"] == "partners"
    side = {0, options["seats"] // 2} if partners else {0}
    return frozenset(
        {
            "forehand": {0},
            "forehand_side": side,
            "partner": side - {0},
            "opponents": set(seats) - side,
            "not_forehand": set(seats) - {0},
            "anyone": set(seats),
        }[who]
    )


def check_sense(
    resolved: Mapping[str, Any],
    *,
    options: Sequence[str],
    contract_fields: Sequence[str],
    document: Document | None,
) -> None:
    """Raise SpecError unless a game can be played by a resolved ruleset.

    `options` and `contract_fields` name what has to be there.
    """
    missing = [name for name in options if name not in resolved["options"]]
    if missing:
        hint = "to change only some, say which ruleset it extends"
        raise fault(document, ("options",), f"options are missing: {_some(missing)}", hint)
    _check_options(resolved["options"], document)
    for name, contract in resolved["contracts"].items():
        lacking = [field for field in ("played", *contract_fields) if field not in contract]
        if lacking:
            hint = "take them from another contract by saying which one it is like"
            where = ("contracts", name)
            raise fault(document, where, f"fields are missing: {_some(lacking)}", hint)
        _check_contract(name, contract, resolved["options"], document)
    _check_opening(resolved, document)


def _some(names: Sequence[str]) -> str:
    """Return names as a list, without those that would make it too long."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def _check_options(options: Mapping[str, Any], document: Document | None) -> None:
    _check_whole_numbers(options, ("options",), document)
    if options["sides"] == "partners" and options["seats"] % 2:
        raise fault(
            document,
            ("options", "sides"),
            "partners need an even number of seats",
            "a game for three extends the ruleset talon",
        )
    hand_size = sum(options["packets"])
    cards = options["seats"] * hand_size + options["talon_cards"]
    if cards != PACK_SIZE:
        raise fault(
            document, ("options", "packets"), f"the packets and the talon deal {cards} of 20 cards"
        )
    if (_TALON in options["phases"]) != bool(options["talon_cards"]):
        raise fault(
            document,
            ("options", "phases"),
            "a phase talon is needed where cards are laid aside, and only there",
        )
    if options["turn_up"] != "refused" and hand_size - options["packets"][0] < _TURNABLE:
        raise fault(
            document, ("options", "turn_up"), "after the first packet too few cards are unseen"
        )


def _check_contract(
    name: str, contract: Mapping[str, Any], options: Mapping[str, Any], document: Document | None
) -> None:
    where = ("contracts", name)
    _check_whole_numbers(contract, where, document)
    if contract["played"] and not bidders_of(contract["bidders"], options):
        raise fault(document, (*where, "bidders"), f"nobody can bid {name}")
    hand_size = sum(options["packets"])
    if contract["tricks"] != "all" and contract["tricks"] > hand_size:
        raise fault(document, (*where, "tricks"), f"a hand has only {hand_size} cards")


def _check_opening(resolved: Mapping[str, Any], document: Document | None) -> None:
    options = resolved["options"]
    opens = [
        contract["hold"] == _NOTHING and 0 in bidders_of(contract["bidders"], options)
        for contract in resolved["contracts"].values()
        if contract["played"]
    ]
    if not any(opens):
        raise fault(document, ("contracts",), "forehand has no contract to open with")
    if options["opening"] == "pass_means_normal" and not opens[0]:
        raise fault(
            document,
            ("options", "opening"),
            "forehand's pass cannot stand for the lowest contract: it is not open to forehand",
        )


def _check_whole_numbers(
    values: Mapping[str, Any], field: tuple[str, ...], document: Document | None
) -> None:
    """Refuse 5.0, which JSON Schema takes for a whole number, and Python does not everywhere."""
    for key, value in values.items():
        numbers = value if isinstance(value, list) else [value]
        if any(isinstance(number, float) for number in numbers):
            raise fault(document, (*field, key), "is not written as a whole number")
