"""Option flips: every value of the ruleset vocabulary, changed alone, must be noticed.

A flip is an engine that plays `pagat` with one option or contract field otherwise. It is noticed
if a scenario of pagat states something that does not hold under it. A flip that cannot be noticed
has a written reason here; one that is noticed although it has a reason is reported as well.
The three-hand game is flipped likewise, in what it has of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, load_ruleset, vary

from ..corpus import Item, prepare
from ..corpus.options import load_options
from ..corpus.reference import Unplayable, home_ruleset
from ..corpus.wording import field_value, value_key
from .bench import Bench, first_difference
from .patch import Patch

BASE = "pagat"
OWN_GAMES = ("talon",)
"""Rulesets of games with fields of their own, in which those fields are flipped."""
_MOVED = "above"
_TALON_ONLY = "talon_only"


@dataclass(frozen=True, slots=True)
class Flip:
    """A ruleset that differs from its base in one field."""

    field: str
    """``options.claim_by`` or ``contracts.gang.value``."""
    value: Any
    rules: Rules
    reason: str | None = None
    """Why it cannot be noticed; None if it has to be."""
    base: str = BASE

    @property
    def name(self) -> str:
        """Field and value, and the base where it is not the main ruleset."""
        value = self.value
        text = "-".join(map(str, value)) if isinstance(value, list) else str(value)
        where = "" if self.base == BASE else f"{self.base}: "
        return f"{where}{self.field}={text}"


def all_flips() -> Iterator[Flip]:
    """Yield every flip of the vocabulary that makes a ruleset, in the order of the schema.

    First those of the main ruleset, then those of other games.
    """
    main = load_ruleset(BASE)
    yield from _flips_of(main)
    for name in OWN_GAMES:
        base = load_ruleset(name)
        for flip in _flips_of(base):
            if _is_own(flip, base, main):
                yield flip


def _is_own(flip: Flip, base: Resolved, main: Resolved) -> bool:
    """Whether a flip is of a field that only this game has, or has otherwise."""
    field = load_options().field(flip.field)
    value = None if field is None else field.values.get(value_key(flip.value))
    only_here = field is not None and field.effect == _TALON_ONLY
    only_here = only_here or (value is not None and value.talon_only)
    return only_here or field_value(base, flip.field) != field_value(main, flip.field)


def _flips_of(base: Resolved) -> Iterator[Flip]:
    schema = json.loads((schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8"))
    options = schema["$defs"]["options"]["properties"]
    for option, allowed in options.items():
        for value in _values(schema, allowed, base["options"][option]):
            yield from _flip(base, f"options.{option}", value, {"options": {option: value}})
    fields = schema["$defs"]["contract"]["properties"]
    for name, contract in base["contracts"].items():
        for field, allowed in fields.items():
            if field not in contract or (field != "played" and not contract["played"]):
                continue
            values: Iterable[Any] = _values(schema, allowed, contract[field])
            if field == _MOVED:
                values = [other for other in base["contracts"] if other != name]
            for value in values:
                change = {"contracts": {name: {field: value}}}
                yield from _flip(base, f"contracts.{name}.{field}", value, change)


def _values(schema: Mapping[str, Any], allowed: Mapping[str, Any], now: Any) -> list[Any]:
    """Return the other values that a field may have; of numbers the neighbours."""
    if "$ref" in allowed:
        kind = allowed["$ref"].rsplit("/", 1)[-1]
        return _values(schema, schema["$defs"][kind], now)
    if "anyOf" in allowed:
        return [value for one in allowed["anyOf"] for value in _values(schema, one, now)]
    if "const" in allowed:
        return [value for value in (allowed["const"],) if value != now]
    if "enum" in allowed:
        return [value for value in allowed["enum"] if value != now]
    if allowed.get("type") == "boolean":
        return [not now]
    if allowed.get("type") == "integer":
        low, high = allowed["minimum"], allowed["maximum"]
        near = (now - 1, now + 1, now * 2) if isinstance(now, int) else range(low, high + 1)
        return [value for value in dict.fromkeys(near) if low <= value <= high]
    return []


def _flip(base: Resolved, field: str, value: Any, change: Mapping[str, Any]) -> Iterator[Flip]:
    try:
        changed = vary(base, change)
    except SpecError:
        return  # the field alone makes no ruleset: three seats with the cards of four
    rules, right = compile_rules(changed), compile_rules(base)
    if (rules.options, rules.contracts) != (right.options, right.contracts):
        yield Flip(field, value, rules, why_unnoticed(base, field, value), base["ruleset"])


def notices(bench: Bench, flip: Flip) -> str | None:
    """Return the first item of its base that states what does not hold under a flip, or None."""
    with Patch() as patch:
        patch.change_rules(lambda _: flip.rules)
        for item in bench.home_of(flip.base):
            if not _concerns(flip, bench, item):
                continue
            if first_difference(bench.asked(item), patch, reasons=False) is not None:
                return item.id
    return None


def _concerns(flip: Flip, bench: Bench, item: Item) -> bool:
    """Whether a flip can make a difference to an item; spares hours of play without one."""
    group, name, *field = flip.field.split(".")
    if group == "options" or field[0] in _FIELDS_OF_THE_AUCTION:
        return True
    return name in bench.contracts_of(item)


# --------------------------------------------------------------------------- reasons

_FIELDS_OF_THE_AUCTION = frozenset({"played", "value", "above", "bidders", "hold", "held_at"})
_OPTIONS: Mapping[str, str] = {
    "sides": "With four players everybody for himself is another game with other sides.",
    "first_dealer": "Who deals first is settled at the table; the wire is told.",
    "knock": "Whether somebody knocks changes nothing that is dealt.",
    "view_tricks": "Looking at tricks shows cards that have been on the table.",
    "score_direction": "Only the display counts down; on the wire scores count up.",
    "losers": "With two sides there is one loser.",
    "match_bummerl": "A match of several games is counted by the players.",
    "talon_raise": "There is no talon with four players.",
    "no_talon_bonus": "There is no talon with four players.",
    "no_talon_precedence": "There is no talon with four players.",
}
_OF_TALON = frozenset({"losers", "talon_raise", "no_talon_bonus", "no_talon_precedence"})
_NOT_PLAYED = frozenset(
    {
        "trump", "ranks", "lead", "partner", "won_by", "tricks", "ends_early", "marriages",
        "marriages_as_tricks", "follow", "head", "head_target", "head_after_ruff", "ruff",
        "overtrump", "undertrump", "exposed",
    }
)  # fmt: skip
_NEEDS_TRUMP = frozenset({"head_after_ruff", "ruff", "overtrump", "undertrump"})
_SINGLE: Mapping[tuple[str, str, str], str] = {
    ("bettler", "won_by", "side"): "The partner sits out, so the side's tricks are the declarer's.",
    ("farben-gang", "hold", "five_of_plain_suit"): "Nobody but forehand can hold five trumps.",
    ("herren-schnapser", "hold", "five_of_a_suit"): "Forehand's five of a suit are always trumps.",
    ("kontra-schnapser", "marriages", "side"): "The declarer's partner never comes to lead.",
    **{
        ("herren-schnapser", "bidders", who): "Nobody but forehand can hold five trumps."
        for who in ("forehand_side", "anyone")
    },
    **{
        ("normal", "bidders", who): "Nobody but forehand opens, and Normal outbids nothing."
        for who in ("forehand_side", "anyone")
    },
}


def why_unnoticed(base: Resolved, field: str, value: Any) -> str | None:
    """Return why no scenario can notice a flip, or None if one has to."""
    group, name, *rest = field.split(".")
    talon = bool(base["options"]["talon_cards"])
    if group == "options":
        if talon and name in _OF_TALON:
            return None
        if name == "phases" and "talon" in value:
            return "There is no talon with four players."
        return _OPTIONS.get(name)
    if base["options"]["sides"] == "single" and rest[0] == "partner":
        return "Nobody has a partner."
    return _why_of_contract(base["contracts"][name], name, rest[0], value, talon=talon)


def _why_of_contract(
    contract: Mapping[str, Any], name: str, field: str, value: Any, *, talon: bool
) -> str | None:
    goal = contract["goal"]
    no_marriages = goal != "tricks_66" or contract["marriages"] == "none"
    no_points = field == "ends_early" and value != "never" and goal != "tricks_66"
    moot = (
        (field == "talon" and not talon, "There is no talon with four players."),
        (goal == "shown" and field in _NOT_PLAYED, "The contract is not played."),
        (
            field == "held_at" and contract["hold"] == "none",
            "The contract demands no cards.",
        ),
        (
            contract["trump"] == "none" and field in _NEEDS_TRUMP,
            "Without trumps no trick is ruffed.",
        ),
        (
            goal == "claim_66" and field == "ends_early",
            "A claim ends the contract, and nothing else does.",
        ),
        (no_points, "The goal asks for no card points, so none can make it early."),
        (
            field == "marriages_as_tricks" and no_marriages,
            "No marriage can stand for a trick here.",
        ),
        (
            field == "goal" and (goal, value) == ("all_tricks", "tricks_66"),
            "All tricks together bring far more than 66 card points.",
        ),
        (
            goal == "claim_66" and field == "won_by",
            "Tricks make no claim; card points do.",
        ),
        (
            goal == "claim_66" and field == "lead",
            "The declarer of Normal is forehand.",
        ),
    )
    given = _SINGLE.get((name, field, str(value)))
    return given or next((reason for holds, reason in moot if holds), None)


# --------------------------------------------------------------------------- variants


_ABOUT_A_NEW_CONTRACT = frozenset({"name", "like", "above"})


def witnessed_variants(bench: Bench) -> dict[str, list[str]]:
    """Return, for every house rule that items are written under, the items that depend on it.

    An item depends on a changed field if it states something that does not hold without that
    change alone. A house rule nobody depends on could be left out by an engine unnoticed.
    """
    found: dict[str, list[str]] = {}
    for item in bench.items:
        changes = {key: value for key, value in item.under.items() if key != "ruleset"}
        for variant, rest in _less(changes):
            depending = found.setdefault(variant, [])
            try:
                base = home_ruleset(item.under.get("ruleset", BASE), rest)
            except SpecError:
                continue  # the other changes make no sense without this one
            if _depends(bench, item, compile_rules(base)):
                depending.append(item.id)
    return found


def _depends(bench: Bench, item: Item, without: Rules) -> bool:
    try:
        prepare(item, without)
    except Unplayable:
        return True  # its contract is not even played
    with Patch() as patch:
        patch.change_rules(lambda _: without)
        return first_difference(bench.asked(item), patch, reasons=False) is not None


def _less(changes: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every changed field with its value, and the changes without it."""
    for group, fields in changes.items():
        for name, value in fields.items():
            if group != "contracts":
                yield f"{group}.{name}={value}", _set(changes, group, _omit(fields, name))
                continue
            for field, inner in value.items():
                if field in _ABOUT_A_NEW_CONTRACT:
                    continue
                rest = _set(fields, name, _omit(value, field))
                yield f"{group}.{name}.{field}={inner}", _set(changes, group, rest)


def _omit(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != key}


def _set(mapping: Mapping[str, Any], key: str, value: Mapping[str, Any]) -> dict[str, Any]:
    changed = {**mapping, key: dict(value)}
    return {name: inner for name, inner in changed.items() if inner}
