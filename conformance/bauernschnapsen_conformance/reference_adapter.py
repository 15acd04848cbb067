"""The reference engine as an adapter: one request in, one reply out.

`handle` is a pure function of the message and the rulesets sent so far, so that the same code
serves a pipe (`bauernschnapsen serve`) and tests in process.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bauernschnapsen
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError
from bauernschnapsen.queries import answer_case
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules, compile_rules, resolve, rules_of

Json = dict[str, Any]
PROTOCOL = 1
WINDOW = 64
DEFAULT_RULESET = "pagat"


class ReferenceAdapter:
    """Answers protocol requests with the reference engine."""

    def __init__(self, ruleset: str = DEFAULT_RULESET) -> None:
        """Serve a shipped ruleset until others are sent."""
        self._default = rules_of(ruleset)
        self._rules: dict[str, Rules] = {}

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Return the reply, without its id, to one request."""
        operation = _OPERATIONS.get(message.get("op", ""))
        if operation is None:
            return {"unsupported": f"unknown op {str(message.get('op'))[:60]!r}"}
        try:
            reply: Json = operation(self, message)
        except SpecError as error:
            return {"error": {"message": str(error)}}
        return reply

    def _hello(self, message: Mapping[str, Any]) -> Json:
        wanted = message.get("protocol")
        if not isinstance(wanted, Mapping):
            raise SpecError("hello needs a protocol with min and max", field="protocol")
        low, high = wanted.get("min"), wanted.get("max")
        if not (isinstance(low, int) and isinstance(high, int) and low <= PROTOCOL <= high):
            raise SpecError(f"I speak protocol {PROTOCOL}, not {low} to {high}")
        version = bauernschnapsen.__version__
        return {
            "ok": {
                "protocol": PROTOCOL,
                "adapter": {"name": "bauernschnapsen serve", "version": version},
                "engine": {
                    "name": "bauernschnapsen reference engine",
                    "version": version,
                    "language": "Python",
                },
                "capabilities": {
                    "players": [4, 3],
                    "legal_plays": True,
                    "trick_winner": True,
                    "starts": ["deal", "contract"],
                    "match": True,
                    "claims": "called",
                    "enforces": True,
                    "reasons": True,
                    "configurable": True,
                },
                "window": WINDOW,
            }
        }

    @property
    def default_rules(self) -> Rules:
        """The rules that hold where a request names none."""
        return self._default

    def _set_rules(self, message: Mapping[str, Any]) -> Json:
        key, data = message.get("key"), message.get("rules")
        if not isinstance(key, str):
            raise SpecError("rules need a key", field="key")
        errors = validate(data, "ruleset")
        if errors:
            raise errors[0].within("rules")
        assert isinstance(data, dict)
        self._rules[key] = compile_rules(resolve(data, None))
        return {"ok": True}

    def _replay(self, message: Mapping[str, Any]) -> Json:
        rules = self._rules_for(message)
        deals = message.get("deals")
        if not isinstance(deals, list) or not all(isinstance(deal, dict) for deal in deals):
            raise SpecError("replay needs a list of deals", field="deals")
        return {"ok": replay(rules, deals)}

    def _query(self, message: Mapping[str, Any]) -> Json:
        rules = self._rules_for(message)
        cases = message.get("cases")
        if not isinstance(cases, list):
            raise SpecError("a query needs a list of cases", field="cases")
        return {"ok": [answer_case(message["op"], case, rules) for case in cases]}

    def _rules_for(self, message: Mapping[str, Any]) -> Rules:
        key = message.get("rules")
        if key is None:
            return self._default
        rules = self._rules.get(key) if isinstance(key, str) else None
        if rules is None:
            raise SpecError(f"no rules were sent under {str(key)[:60]!r}", field="rules")
        return rules


_OPERATIONS: dict[str, Any] = {
    "hello": ReferenceAdapter._hello,
    "rules": ReferenceAdapter._set_rules,
    "replay": ReferenceAdapter._replay,
    "legal_plays": ReferenceAdapter._query,
    "trick_winner": ReferenceAdapter._query,
}
