"""A mutant as an adapter, for campaigns with other suites or over the wire.

It is broken for the rest of the process. Queries are not offered: many faults depend on the deal
around a trick, so positions are asked as deals. The reason of a refusal is offered only where that
is the fault, so that no verdict hangs on a rule id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.errors import SpecError, did_you_mean, quoted
from bauernschnapsen.ruleset import Rules

from ..reference_adapter import ReferenceAdapter
from .patch import Patch
from .registry import Mutant, load_mutants

Json = dict[str, Any]


class MutantAdapter(ReferenceAdapter):
    """The reference adapter around a broken engine."""

    def __init__(self, mutant: Mutant, patch: Patch, ruleset: str) -> None:
        """Serve with the engine as `patch` has broken it."""
        super().__init__(ruleset)
        self._mutant = mutant
        self._patch = patch

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Return the reply to a request, as the right adapter but for what is broken."""
        if message.get("op") in ("legal_plays", "trick_winner"):
            return {"unsupported": "a mutant is asked by replay"}
        try:
            reply = super().handle(message)
        except Exception as error:  # a broken engine may stumble; the process goes on
            return {"error": {"message": f"{type(error).__name__}: {error}"}}
        if message.get("op") == "hello" and "ok" in reply:
            about = reply["ok"]
            about["engine"]["name"] = f"mutant {self._mutant.name}"
            about["capabilities"] |= {
                "legal_plays": False,
                "trick_winner": False,
                "reasons": self._mutant.by_reason,
            }
        return reply

    def patched_by(self, patch: Patch) -> None:
        """Answer with the engine as another patch has broken it."""
        self._patch = patch

    def _rules_for(self, message: Mapping[str, Any]) -> Rules:
        return self._patch.rules(super()._rules_for(message))


class BesideReference:
    """A mutant as an engine in process, beside the reference: broken only while it answers."""

    def __init__(self, mutant: Mutant, ruleset: str = "pagat") -> None:
        """Take a mutant; requests name no rules unless they have been sent."""
        self._mutant = mutant
        with Patch() as patch:
            self._adapter = MutantAdapter(mutant, patch, ruleset)

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Return the reply to a request, without its id."""
        with self._mutant.installed() as patch:
            self._adapter.patched_by(patch)
            return self._adapter.handle(message)


def mutant_adapter(name: str, ruleset: str = "pagat") -> MutantAdapter:
    """Break the engine of this process and return an adapter to it; SpecError for no such name."""
    mutants = load_mutants()
    if name not in mutants:
        hint = did_you_mean(name, mutants) or "'bauernschnapsen mutants' lists them"
        raise SpecError(f"there is no mutant {quoted(name)}", hint=hint)
    mutant = mutants[name]
    patch = Patch()
    mutant.fault(patch)
    return MutantAdapter(mutant, patch, ruleset)
