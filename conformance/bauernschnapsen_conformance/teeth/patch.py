"""Break the reference engine for a while: replace functions and constants, and put them back.

Engine modules import names from each other, so a function may be known in several places;
`Patch.swap` replaces it wherever it is known. Rulesets are not part of the engine but of what it
is given: `Patch.change_rules` makes a faulty engine misread them.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, MutableMapping
from dataclasses import replace
from types import ModuleType
from typing import Any, Self

import bauernschnapsen.queries
import bauernschnapsen.replay  # noqa: F401 - so that all engine modules are there to be patched
from bauernschnapsen import cards, play
from bauernschnapsen.ruleset import Contract, Rules

_ENGINE = "bauernschnapsen."
# The first functions of the engine that remember results which a patch may change.
_MEMORIES: tuple[Any, ...] = (play.duties, cards.higher_cards)


class Patch:
    """A set of replacements, undone in reverse order at the end of the `with` block."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []
        self._misread: list[Callable[[Rules], Rules]] = []
        self._read: dict[int, tuple[Rules, Rules]] = {}

    def __enter__(self) -> Self:
        _forget()
        return self

    def __exit__(self, *_: object) -> None:
        while self._undo:
            self._undo.pop()()
        _forget()

    def swap(self, module: ModuleType, name: str, replacement: Any) -> None:
        """Replace a name of an engine module, also in the modules that have imported it."""
        original = getattr(module, name)
        for other in _engine_modules():
            if name in vars(other) and vars(other)[name] is original:
                self.attribute(other, name, replacement)

    def wrap(self, module: ModuleType, name: str, make: Callable[[Any], Any]) -> None:
        """Replace a function by what `make` returns for it."""
        self.swap(module, name, make(getattr(module, name)))

    def attribute(self, owner: Any, name: str, value: Any) -> None:
        """Replace a single attribute of a module or class."""
        before = getattr(owner, name)
        setattr(owner, name, value)
        self._undo.append(lambda: setattr(owner, name, before))

    def item(self, mapping: MutableMapping[Any, Any], key: Any, value: Any) -> None:
        """Replace or add an entry of a table."""
        missing = object()
        before = mapping.get(key, missing)
        mapping[key] = value

        def undo() -> None:
            if before is missing:
                del mapping[key]
            else:
                mapping[key] = before

        self._undo.append(undo)

    def change_rules(self, misread: Callable[[Rules], Rules]) -> None:
        """Let the engine read every ruleset as what `misread` makes of it."""
        self._misread.append(misread)

    def change_contracts(self, change: Callable[[Contract], Contract]) -> None:
        """Let the engine read every contract of every ruleset as what `change` makes of it."""
        self.change_rules(lambda rules: with_contracts(rules, map(change, rules.contracts)))

    def rules(self, rules: Rules) -> Rules:
        """Return a ruleset as the patched engine reads it; always the same for the same one."""
        if not self._misread:
            return rules
        known = self._read.get(id(rules))
        if known is None:
            changed = rules
            for misread in self._misread:
                # A fault may be about a contract that is not played by these rules.
                with contextlib.suppress(ValueError, KeyError, IndexError):
                    changed = misread(changed)
            known = self._read[id(rules)] = (rules, changed)
        return known[1]


def with_contracts(rules: Rules, contracts: Any) -> Rules:
    """Return a ruleset with other contracts, lowest first; their ranks follow from their order."""
    ordered = tuple(replace(contract, rank=rank) for rank, contract in enumerate(contracts))
    return replace(rules, contracts=ordered, by_name={c.name: c for c in ordered})


def _engine_modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.startswith(_ENGINE)]


def _forget() -> None:
    for function in _MEMORIES:
        function.cache_clear()
