"""The reference engine with one set of house rules that cannot be changed from outside.

It is what `bauernschnapsen serve --fixed` serves, and what tests of `identify` ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.ruleset import Resolved, compile_rules

from ..reference_adapter import ReferenceAdapter

Json = dict[str, Any]


class Fixed:
    """An adapter that says it takes no rules, and takes none."""

    def __init__(self, adapter: Any, **capabilities: Any) -> None:
        """`capabilities` replace what the adapter says of itself."""
        self._adapter = adapter
        self._said = {"configurable": False, **capabilities}

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Return the reply, without its id, to one request."""
        if message.get("op") == "rules":
            return {"unsupported": "these house rules are fixed"}
        reply: Json = self._adapter.handle(message)
        if message.get("op") == "hello" and "ok" in reply:
            reply["ok"]["capabilities"] |= self._said
        return reply


class HouseAdapter(ReferenceAdapter):
    """The reference engine under any resolved ruleset, not only a shipped one."""

    def __init__(self, ruleset: Resolved) -> None:
        super().__init__()
        self._default = compile_rules(ruleset)


def fixed_engine(ruleset: Resolved, **capabilities: Any) -> Fixed:
    """Return the reference engine with house rules that cannot be changed from outside."""
    return Fixed(HouseAdapter(ruleset), **capabilities)
