"""Short ways to say a finding, and to show a reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from ..adapter import Hello
from ..adapter.faults import printable
from .finding import Finding, Status
from .talk import Talk

Json = dict[str, Any]
Findings = Iterator[Finding]
Check = Callable[[Talk, Hello], Findings]
PROBE: Json = {"op": "no-such-operation"}
"""A request that every adapter can answer: it does not know the operation."""
_OUTCOMES = ("ok", "unsupported", "error")


def ok(check: str, text: str) -> Finding:
    """Nothing is wrong."""
    return Finding(check, Status.OK, text)


def note(check: str, text: str, hint: str = "") -> Finding:
    """Odd, but it costs nothing."""
    return Finding(check, Status.NOTE, text, hint)


def wrong(check: str, text: str, hint: str = "") -> Finding:
    """This costs scenarios."""
    return Finding(check, Status.WRONG, text, hint)


def outcome_of(reply: Json) -> str:
    """Which of the three outcomes a reply holds."""
    found = [name for name in _OUTCOMES if name in reply]
    return found[0] if len(found) == 1 else f"{len(found)} of ok, unsupported and error"


def canonical(reply: Any) -> Any:
    """The reply with what is a set in order."""
    if isinstance(reply, dict):
        return {key: canonical(value) for key, value in sorted(reply.items())}
    if isinstance(reply, list):
        inner = [canonical(one) for one in reply]
        texts = bool(inner) and all(isinstance(one, str) for one in inner)
        return sorted(inner) if texts else inner
    return reply


def shown(value: Any) -> str:
    """A value as text, printable and bounded."""
    return printable(json.dumps(value, ensure_ascii=False), 160)
