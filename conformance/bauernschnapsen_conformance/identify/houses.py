"""Rulesets by the hundred: ready for play without compiling what they share, and what they share.

A search holds what an engine showed against hundreds of rulesets that differ in a single field. Two
rulesets that agree in everything a line can depend on answer it alike; `scope` gives that a number,
so that nothing has to be worked out twice.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, replace
from typing import Any

from bauernschnapsen.ruleset import Contract, Options, Resolved, Rules, compile_rules

from .fields import AUCTION_OPTIONS

AUCTION = ""
"""The scope of lines that end with the auction."""
WHOLE = "*"
"""The scope of lines that go on from the auction into the play."""

_CLAIMS = (
    "claim_mode", "claim_by", "claim_window", "false_claims", "loser_33", "last_trick_award",
)  # fmt: skip
_DOUBLING = ("kontra_levels", "kontra_by", "kontra_cap", "sitting_out_doubles")
_FIRST_VIEW_FIELDS = (
    "name", "rank", "value", "bidders", "hold", "held_at", "trump", "lead", "partner", "goal",
    "marriages", "kontra", "cancelled_by", "exposed",
)  # fmt: skip
"""What of a contract shows before a card has been played."""
_ALWAYS_FIELDS = tuple(field.name for field in fields(Contract) if field.name != "rank")
_ALL_OPTIONS = tuple(field.name for field in fields(Options))
_IN_AUCTION = tuple(option for option in _ALL_OPTIONS if option not in _CLAIMS)
_IN_PLAY = tuple(
    option
    for option in _ALL_OPTIONS
    if option not in {*AUCTION_OPTIONS, *_CLAIMS, *_DOUBLING, "marriage_needs"}
)


def options_of_play(contract: Contract) -> tuple[str, ...]:
    """Return the options that the play of a contract can depend on."""
    found = _IN_PLAY
    if contract.goal == "claim_66":
        found += _CLAIMS
    if contract.kontra == "allowed":
        found += _DOUBLING
    if contract.marriages != "none":
        found += ("marriage_needs",)
    if contract.goal == "shown":
        found += ("laydown_end",)
    return found


_MOST_KEYS = 20_000


class Houses:
    """Compiles rulesets that share most of their contracts, and numbers what lines depend on."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[Mapping[str, Any], Hashable]] = {}
        self._contracts: dict[Hashable, Contract] = {}
        self._options: dict[Hashable, Options] = {}
        self._rules: dict[Hashable, Rules] = {}
        self._numbers: dict[Hashable, int] = {}
        self._scopes: dict[int, tuple[Rules, dict[str, int]]] = {}

    def rules(self, resolved: Resolved) -> Rules:
        """Return a ruleset ready for play; the same object for the same ruleset."""
        options = self._key(resolved["options"])
        contracts = tuple(
            [(name, self._key(one)) for name, one in resolved["contracts"].items() if one["played"]]
        )
        known = self._rules.get((options, contracts))
        if known is None:
            if options not in self._options:
                self._options[options] = compile_rules({**resolved, "contracts": {}}).options
            ordered = tuple(
                self._contract(resolved, name, rank, (name, rank, key))
                for rank, (name, key) in enumerate(contracts)
            )
            known = replace(
                compile_rules({**resolved, "contracts": {}}),
                options=self._options[options],
                contracts=ordered,
                by_name={contract.name: contract for contract in ordered},
            )
            self._rules[options, contracts] = known
            self._scopes[id(known)] = (known, {})
        return known

    def _key(self, data: Mapping[str, Any]) -> Hashable:
        """Return what is the same for equal contracts or options; none is ever changed in place."""
        known = self._keys.get(id(data))
        if known is None:
            if len(self._keys) >= _MOST_KEYS:
                self._keys.clear()
            known = self._keys[id(data)] = (data, self._same_key(_key(data)))
        return known[1]

    def _same_key(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _contract(self, resolved: Resolved, name: str, rank: int, key: Hashable) -> Contract:
        known = self._contracts.get(key)
        if known is None:
            alone = {**resolved, "contracts": {name: resolved["contracts"][name]}}
            known = self._contracts[key] = replace(compile_rules(alone).contracts[0], rank=rank)
        return known

    def scope(self, rules: Rules, name: str) -> int:
        """Return a number that two rulesets share if they answer all lines of a scope alike.

        `name`: a contract, for lines that start with it, or AUCTION, or WHOLE.
        """
        entry = self._scopes.get(id(rules))
        if entry is None:
            entry = self._scopes[id(rules)] = (rules, {})
        known = entry[1].get(name)
        if known is None:
            key = (name, *_depends_on(rules, name))
            known = entry[1][name] = self._numbers.setdefault(key, len(self._numbers))
        return known


def _key(data: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        [(key, tuple(value) if type(value) is list else value) for key, value in data.items()]
    )


def _depends_on(rules: Rules, name: str) -> tuple[Hashable, ...]:
    if name == WHOLE or rules.options.talon_cards:  # with a talon a contract may yet be raised
        return (rules.options, rules.contracts)
    if name == AUCTION:
        contracts = tuple(_some(contract, _FIRST_VIEW_FIELDS) for contract in rules.contracts)
        return (_some(rules.options, _IN_AUCTION), contracts)
    contract = rules.by_name.get(name)
    if contract is None:
        return ()
    return (_some(contract, _ALWAYS_FIELDS), _some(rules.options, options_of_play(contract)))


def _some(owner: Any, names: tuple[str, ...]) -> tuple[Hashable, ...]:
    return tuple([getattr(owner, name) for name in names])
