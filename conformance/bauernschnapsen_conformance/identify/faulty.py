"""House rules and a fault at once, in this process: to test that neither hides the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.ruleset import Resolved, compile_rules

from ..reference_adapter import ReferenceAdapter
from ..teeth.patch import Patch
from ..teeth.registry import Mutant

Json = dict[str, Any]


class MutantHouse(ReferenceAdapter):
    """The reference engine under any ruleset, broken by a mutant while it answers."""

    def __init__(self, mutant: Mutant, ruleset: Resolved) -> None:
        """Between two requests the engine of this process is whole again."""
        super().__init__()
        self._house = compile_rules(ruleset)
        self._mutant = mutant

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Return the reply of the broken engine, without its id."""
        if message.get("op") == "hello":
            return super().handle(message)
        patch: Patch
        with self._mutant.installed() as patch:
            self._default = patch.rules(self._house)
            try:
                return super().handle(message)
            except Exception as error:  # a broken engine may stumble
                return {"error": {"message": f"{type(error).__name__}: {error}"}}
