"""The reference engine with one set of house rules that cannot be changed from outside.

It is what `bauernschnapsen serve --fixed` serves, and what tests of `identify` ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

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
        if "error" in reply and (name := self._not_played(message)):
            return {"unsupported": f"{name} is not played at this table"}
        if message.get("op") == "hello" and "ok" in reply:
            reply["ok"]["capabilities"] |= self._players() | self._said
        return reply

    def _players(self) -> Json:
        """Return for how many players these house rules are, if that is known."""
        rules: Rules | None = getattr(self._adapter, "default_rules", None)
        return {} if rules is None else {"players": [rules.seats]}

    def _not_played(self, message: Mapping[str, Any]) -> str:
        """Return the contract that a replay begins with and this table has not, or ''."""
        rules: Rules | None = getattr(self._adapter, "default_rules", None)
        deals = message.get("deals")
        if rules is None or not isinstance(deals, list):
            return ""
        for deal in deals:
            start = deal.get("contract") if isinstance(deal, dict) else None
            name = start.get("name") if isinstance(start, dict) else None
            if isinstance(name, str) and name not in rules.by_name:
                return name
        return ""


class HouseAdapter(ReferenceAdapter):
    """The reference engine under any resolved ruleset, not only a shipped one."""

    def __init__(self, ruleset: Resolved) -> None:
        super().__init__()
        self._default = compile_rules(ruleset)


def fixed_engine(ruleset: Resolved, **capabilities: Any) -> Fixed:
    """Return the reference engine with house rules that cannot be changed from outside."""
    return Fixed(HouseAdapter(ruleset), **capabilities)
