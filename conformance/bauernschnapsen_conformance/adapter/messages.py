"""What goes into a session and what comes out of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from .faults import Fault


@dataclass(frozen=True, slots=True)
class Request:
    """One request: `body` holds "op" and its fields, without "id"; `key` is the caller's name."""

    key: Hashable
    body: Mapping[str, Any]


@dataclass(slots=True)
class Answer:
    """The one answer to a request: a reply, or a fault in its place.

    `reply` is the adapter's object without its id and holds exactly one of "ok", "unsupported"
    and "error"; nothing below that is validated here. `flaky` marks a reply that was given only
    when the request was repeated alone; `hint` then says what happened before.
    """

    key: Hashable
    reply: dict[str, Any] | None = None
    fault: Fault | None = None
    flaky: bool = False
    hint: str = ""
