"""Rulesets: house rules read from data, resolved, checked for sense and made ready for play.

A ruleset file says only what differs from the one it extends. `load_ruleset` returns the
*resolved* form: a plain mapping in which every contract (lowest first) has every field and every
option has a value; that is what travels on the wire and what a certificate calls the profile.
`compile_rules` turns it into the `Rules` the engine plays by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from .data.schemas import check
from .data.yaml_loader import Document, load_yaml
from .errors import SpecError, did_you_mean, field_path, quoted
from .ruleset_checks import bidders_of, check_sense, fault
from .ruleset_names import (
    find_extended,
    find_ruleset,
    is_shipped,
    shipped_file,
    shipped_rulesets,
)

__all__ = [
    "LOWEST",
    "Contract",
    "Options",
    "Resolved",
    "Rules",
    "compile_rules",
    "is_shipped",
    "load_ruleset",
    "resolve",
    "rules_of",
    "shipped_rulesets",
    "vary",
]

Resolved = dict[str, Any]
LOWEST = "none"
_SINGLE = ("name", "like", "above")
_LONGEST_CHAIN = 8
_VARIABLE = ("all_contracts", "contracts", "options")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a ruleset that do not belong to a single contract; see the ruleset schema."""

    seats: int
    sides: str
    packets: tuple[int, ...]
    talon_cards: int
    phases: tuple[str, ...]
    first_dealer: str
    knock: str
    trump_choice: str
    turn_up: str
    redeal_three_unters: str
    opening: str
    auction_rounds: str
    equal_bids: str
    equal_values: str
    overbid_partner: str
    bid_too_low: str
    kontra_levels: int
    kontra_by: str
    kontra_cap: str
    sitting_out_doubles: str
    marriage_needs: str
    claim_mode: str
    claim_by: str
    claim_window: str
    false_claims: str
    loser_33: str
    last_trick_award: str
    laydown_end: str
    view_tricks: str
    target: int
    schneider: int
    retourschneider: int
    bummerl_to: str
    losers: str
    score_direction: str
    after_game: str
    match_bummerl: int
    talon_raise: str
    no_talon_bonus: int
    no_talon_precedence: str


@dataclass(frozen=True, slots=True, eq=False)
class Contract:
    """One contract as the engine plays it; the fields are those of the ruleset schema.

    Compared by identity, which is quick; contracts that are alike in every field are one object.
    """

    name: str
    rank: int
    """Place in the order of bids, 0 the lowest."""
    value: int
    """Game points."""
    bidders: frozenset[int]
    """Seats that may bid it, counted clockwise from forehand (forehand is 0)."""
    hold: str
    held_at: str
    trump: str
    ranks: str
    lead: str
    partner: str
    won_by: str
    goal: str
    tricks: int
    """Tricks played at most."""
    ends_early: str
    marriages: str
    marriages_as_tricks: str
    kontra: str
    follow: str
    head: str
    head_target: str
    head_after_ruff: str
    ruff: str
    overtrump: str
    undertrump: str
    cancelled_by: str
    exposed: str
    talon: str


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """A ruleset ready for play. Compared by identity; `compile_rules` returns one per ruleset."""

    name: str
    options: Options
    contracts: tuple[Contract, ...]
    """Played contracts, lowest first."""
    by_name: Mapping[str, Contract]
    seats: int
    hand_size: int
    side_of: tuple[int, ...]
    """Side number of each seat."""
    sides: int


# --------------------------------------------------------------------------- loading


def load_ruleset(name_or_file: str | Path) -> Resolved:
    """Read a shipped ruleset by name, or a user's own file, and resolve what it extends.

    Raises SpecError with file, line and field for anything that is not a sensible ruleset, and for
    a user's own that has the name of a shipped one: reports and certificates say only the name.
    """
    return _load_chain(find_ruleset(str(name_or_file)), ())


def _load_chain(path: Path, seen: tuple[Path, ...]) -> Resolved:
    document = load_yaml(path)
    check(document.value, "ruleset", document=document)
    data: dict[str, Any] = document.value
    here = path.resolve()
    name = data["ruleset"]
    if is_shipped(name) and here != shipped_file(name).resolve():
        raise fault(
            document,
            ("ruleset",),
            f"{name} is the name of a ruleset of the suite, and this is another file",
            f"call it something of your own, such as my-{name}; 'extends: {name}' builds upon it",
        )
    chain = " -> ".join(one.stem for one in (*seen, here))
    if here in seen:
        raise fault(document, ("extends",), f"rulesets extend each other in a circle: {chain}")
    if len(seen) >= _LONGEST_CHAIN:
        raise fault(document, ("extends",), f"too many rulesets extend each other: {chain}")
    parent: Resolved | None = None
    if "extends" in data:
        try:
            parent = _load_chain(find_extended(data["extends"], path.parent), (*seen, here))
        except SpecError as error:
            raise (
                error if error.file else fault(document, ("extends",), error.message, error.hint)
            ) from None
    return resolve(data, parent, document)


# --------------------------------------------------------------------------- resolving


def resolve(
    data: Mapping[str, Any], parent: Resolved | None, document: Document | None = None
) -> Resolved:
    """Lay a ruleset's own sentences over its parent's and return the complete ruleset.

    A contract keeps its place unless it says `above`; without a parent the written order counts.
    Raises SpecError where the result makes no sense.
    """
    own: Mapping[str, Any] = data.get("contracts", {})
    common: Mapping[str, Any] = data.get("all_contracts", {})
    for key in _SINGLE:
        if key in common:
            raise fault(document, ("all_contracts", key), "cannot be the same for every contract")
    inherited: dict[str, dict[str, Any]] = dict(parent["contracts"]) if parent else {}
    contracts: dict[str, dict[str, Any]] = {}
    for name in [*inherited, *(name for name in own if name not in inherited)]:
        contracts[name] = _contract_fields(name, own, common, inherited, document, ())
    order = _order(list(inherited), own, document)
    complete = {
        name: {**contracts[name], "above": order[place - 1] if place else LOWEST}
        for place, name in enumerate(order)
    }
    options = {**(parent["options"] if parent else {}), **data.get("options", {})}
    resolved: Resolved = {"ruleset": data["ruleset"], "contracts": complete, "options": options}
    for key in ("title", "about", "sources"):
        if key in data:
            resolved[key] = data[key]
    check_sense(
        resolved,
        options=[field.name for field in fields(Options)],
        contract_fields=[f.name for f in fields(Contract) if f.name not in ("name", "rank")],
        document=document,
    )
    return resolved


def vary(base: Resolved, changes: Mapping[str, Any]) -> Resolved:
    """Return `base` with a few fields changed: a mapping with contracts, all_contracts, options.

    Raises SpecError for anything else, and where the result makes no sense.
    """
    if not changes:
        return base
    for key in changes:
        if key not in _VARIABLE:
            raise SpecError(
                f"cannot be varied; what can is {', '.join(_VARIABLE)}", field=field_path([key])
            )
    data = {**changes, "ruleset": base["ruleset"]}
    check(data, "ruleset")
    varied = resolve(data, base)
    return {**{key: base[key] for key in ("title", "about", "sources") if key in base}, **varied}


def _contract_fields(
    name: str,
    own: Mapping[str, Any],
    common: Mapping[str, Any],
    inherited: Mapping[str, Any],
    document: Document | None,
    seen: tuple[str, ...],
) -> dict[str, Any]:
    said = {k: v for k, v in own.get(name, {}).items() if k not in ("like", "above")}
    model = own.get(name, {}).get("like")
    if model is None:
        return {**inherited.get(name, {}), **common, **said}
    if name in seen:
        raise fault(
            document, ("contracts", name, "like"), "contracts are like each other in a circle"
        )
    if model not in own and model not in inherited:
        hint = did_you_mean(model, [*own, *inherited])
        raise fault(
            document, ("contracts", name, "like"), f"there is no contract {quoted(model)}", hint
        )
    copied = _contract_fields(model, own, common, inherited, document, (*seen, name))
    copied.pop("name", None)
    return {**copied, **said}


def _without_place(
    name: str, fields: Mapping[str, Any], inherited: list[str], document: Document | None
) -> SpecError:
    """Return the fault of a contract that is none of the inherited ones and has no place."""
    meant = None if "like" in fields else did_you_mean(name, inherited)
    hint = meant or "as in 'above: CONTRACT', the one that it outbids"
    message = f"{quoted(name)} is a new contract, and must say which one it is above"
    return fault(document, ("contracts", name), message, hint)


def _order(inherited: list[str], own: Mapping[str, Any], document: Document | None) -> list[str]:
    order = list(inherited)
    new = [name for name in own if name not in order]
    moved = [name for name in own if "above" in own[name]]
    places: dict[str, str] = {}
    for name in moved:
        below = own[name]["above"]
        where = ("contracts", name, "above")
        if below == name or (below != LOWEST and below not in order and below not in own):
            hint = did_you_mean(below, {*order, *own, LOWEST} - {name})
            raise fault(document, where, f"there is no other contract {quoted(below)}", hint)
        if below in places:
            raise fault(
                document, where, f"{name} and {places[below]} are both directly above {below}"
            )
        places[below] = name
    for name in new:
        if name in moved:
            continue
        if inherited:
            raise _without_place(name, own[name], inherited, document)
        order.append(name)
    order = [name for name in order if name not in moved]
    waiting = list(moved)
    while waiting:
        ready = [n for n in waiting if own[n]["above"] == LOWEST or own[n]["above"] in order]
        if not ready:
            raise fault(
                document,
                ("contracts", waiting[0], "above"),
                "contracts are above each other in a circle",
            )
        for name in ready:
            below = own[name]["above"]
            order.insert(0 if below == LOWEST else order.index(below) + 1, name)
            waiting.remove(name)
    return order


# --------------------------------------------------------------------------- compiling


def compile_rules(resolved: Resolved) -> Rules:
    """Make a resolved ruleset ready for play."""
    given: dict[str, Any] = {}
    for field in fields(Options):
        value = resolved["options"][field.name]
        given[field.name] = tuple(value) if isinstance(value, list) else value
    options = Options(**given)
    hand_size = sum(options.packets)
    contracts: list[Contract] = []
    for name, data in resolved["contracts"].items():
        if data["played"]:
            contracts.append(_compile_contract(name, len(contracts), data, resolved["options"]))
    partners = options.sides == "partners"
    side_of = tuple(
        place % (options.seats // 2) if partners else place for place in range(options.seats)
    )
    return Rules(
        name=resolved["ruleset"],
        options=options,
        contracts=tuple(contracts),
        by_name={contract.name: contract for contract in contracts},
        seats=options.seats,
        hand_size=hand_size,
        side_of=side_of,
        sides=len(set(side_of)),
    )


def _compile_contract(
    name: str, rank: int, data: Mapping[str, Any], options: Mapping[str, Any]
) -> Contract:
    chosen = {field.name: data[field.name] for field in fields(Contract) if field.name in data}
    chosen["bidders"] = bidders_of(data["bidders"], options)
    if data["tricks"] == "all":
        chosen["tricks"] = sum(options["packets"])
    chosen.update(name=name, rank=rank)
    return _contract_of(tuple(chosen.items()))


@lru_cache(maxsize=4096)
def _contract_of(fields: tuple[tuple[str, Any], ...]) -> Contract:
    return Contract(**dict(fields))


@lru_cache(maxsize=32)
def rules_of(name: str) -> Rules:
    """Return the compiled rules of a shipped ruleset."""
    return compile_rules(load_ruleset(name))
