"""The fields of a ruleset one by one: their values, how to change one, and what cannot be seen.

A field is a path: ``("options", "claim_by")`` or ``("contracts", "gang", "value")``. Which of them
have an effect is told in `alike`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.ruleset import Resolved

Path = tuple[str, ...]

UNSEEN_OPTIONS: Mapping[str, str] = {
    "seats": "the number of players is part of every request",
    "sides": "with four players everybody for himself is another game",
    "packets": "the first packet is taken to be three cards",
    "talon_cards": "four players have no talon",
    "first_dealer": "the first dealer is told to the engine",
    "knock": "knocking changes nothing that is dealt",
    "view_tricks": "looking at tricks is not part of the protocol",
    "losers": "with two sides there is one loser",
    "score_direction": "scores on the wire always count up",
    "match_bummerl": "a match of several games is counted outside the engine",
    "talon_raise": "four players have no talon",
    "no_talon_bonus": "four players have no talon",
    "no_talon_precedence": "four players have no talon",
}
AUCTION_OPTIONS = (
    "phases", "trump_choice", "turn_up", "redeal_three_unters", "opening", "auction_rounds",
    "equal_bids", "equal_values", "overbid_partner", "bid_too_low", "laydown_end",
)  # fmt: skip
PLAY_OPTIONS = (
    "kontra_levels", "kontra_by", "kontra_cap", "sitting_out_doubles", "marriage_needs",
    "claim_mode", "claim_by", "claim_window", "false_claims", "loser_33", "last_trick_award",
)  # fmt: skip
TALON_OPTIONS = ("talon_raise", "no_talon_bonus", "no_talon_precedence", "losers")
"""What only tables with a talon agree on."""
MATCH_OPTIONS = ("target", "schneider", "retourschneider", "bummerl_to", "after_game")
AUCTION_FIELDS = ("played", "above", "bidders", "hold", "held_at", "cancelled_by", "value")
PLAY_FIELDS = (
    "goal", "trump", "ranks", "lead", "partner", "won_by", "tricks", "value", "ends_early",
    "marriages", "marriages_as_tricks", "kontra", "follow", "head", "head_target",
    "head_after_ruff", "ruff", "overtrump", "undertrump", "exposed",
)  # fmt: skip
_HIGHEST_VALUE, _HIGHEST_TARGET = 40, 101
HAND = 5
"""Cards of a hand at a table of four."""


def name_of(path: Path) -> str:
    """Print a path as people write it: ``contracts.gang.value``."""
    return ".".join(path)


@lru_cache(maxsize=1)
def _vocabulary() -> Any:
    text = (schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8")
    return json.loads(text)["$defs"]


@lru_cache(maxsize=128)
def values_of(group: str, key: str) -> tuple[Any, ...]:
    """Return the values a field can have at a table of four; for numbers all that are tried."""
    if key == "phases":
        return (("trump", "auction", "play"), ("auction", "trump", "play"))
    if key == "value":
        return tuple(range(1, _HIGHEST_VALUE + 1))
    if key == "target":
        return tuple(range(1, _HIGHEST_TARGET + 1))
    if key == "tricks":
        return ("all", *range(1, HAND))
    defs = _vocabulary()
    kind = "contract" if group == "contracts" else "options"
    allowed = defs[kind]["properties"][key]
    if "$ref" in allowed:
        allowed = defs[allowed["$ref"].rsplit("/", 1)[-1]]
    return tuple(allowed["enum"]) if "enum" in allowed else (True, False)


def value_at(ruleset: Resolved, path: Path) -> Any:
    """Return the value of a field; a list as a tuple."""
    value: Any = ruleset
    for key in path:
        value = value[key]
    return tuple(value) if isinstance(value, list) else value


def changed(ruleset: Resolved, path: Path, value: Any) -> Resolved:
    """Return the ruleset with one field changed; `above` moves the contract. Nothing is checked."""
    if path[0] == "options":
        stored = list(value) if isinstance(value, tuple) else value
        return {**ruleset, "options": {**ruleset["options"], path[1]: stored}}
    name, key = path[1], path[2]
    contracts = dict(ruleset["contracts"])
    if key != "above":
        contracts[name] = {**contracts[name], key: value}
        return {**ruleset, "contracts": contracts}
    order = [other for other in contracts if other != name]
    order.insert(0 if value == "none" else order.index(value) + 1, name)
    return {**ruleset, "contracts": in_order(contracts, order)}


def in_order(contracts: Mapping[str, Any], order: list[str]) -> dict[str, Any]:
    """Return the contracts in another order, each above the one before it."""
    below = ["none", *order]
    found: dict[str, Any] = {}
    for place, name in enumerate(order):
        contract = contracts[name]
        if contract.get("above") != below[place]:
            contract = {**contract, "above": below[place]}
        found[name] = contract
    return found


def played(ruleset: Resolved) -> list[str]:
    """Return the names of the contracts that are played, lowest first."""
    return [name for name, contract in ruleset["contracts"].items() if contract["played"]]


def alternatives(ruleset: Resolved, path: Path) -> list[Any]:
    """Return the other values that have to be ruled out; of numbers the neighbours.

    For the place of a contract it is enough that it does not stand one place higher.
    """
    now, key = value_at(ruleset, path), path[-1]
    if key == "above":
        order = played(ruleset)
        place = order.index(path[1])
        return [order[place + 1]] if place + 1 < len(order) else []
    if key == "phases" and has_talon(ruleset):
        return []
    if key in ("value", "target"):
        return [value for value in (now + 1, now - 1) if value > 0]
    return [value for value in values_of(path[0], key) if value != now]


def candidates(ruleset: Resolved, path: Path) -> list[Any]:
    """Return all other values, to look for the one that explains an engine."""
    now, key = value_at(ruleset, path), path[-1]
    if key == "above":
        others = [name for name in played(ruleset) if name != path[1]]
        return [value for value in ("none", *others) if value != now]
    return [value for value in values_of(path[0], key) if value != now]


def fields_of(ruleset: Resolved) -> list[Path]:
    """Return all fields that can matter: the auction's, the play's, the rest."""
    auction: list[Path] = [("options", option) for option in AUCTION_OPTIONS]
    names = played(ruleset)
    auction += [
        ("contracts", name, field)
        for name in ruleset["contracts"]
        for field in (AUCTION_FIELDS if name in names else ("played",))
        if field != "value"
    ]
    fields = (*PLAY_FIELDS, "talon") if has_talon(ruleset) else PLAY_FIELDS
    play = [("contracts", name, field) for name in names for field in fields]
    return [
        *auction,
        *(("options", option) for option in PLAY_OPTIONS),
        *play,
        *(("options", option) for option in MATCH_OPTIONS),
        *(("options", option) for option in (TALON_OPTIONS if has_talon(ruleset) else ())),
    ]


def has_talon(ruleset: Resolved) -> bool:
    """Whether cards are laid aside at this table."""
    return bool(ruleset["options"]["talon_cards"])
