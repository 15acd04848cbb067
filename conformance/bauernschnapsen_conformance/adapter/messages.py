"""What goes into a session and what comes out of it."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .faults import Fault
from .wire import encode


class EncodedBody(Mapping[str, Any]):
    """A body of which the JSON is known already: it is read only where somebody looks into it."""

    __slots__ = ("text",)

    def __init__(self, text: bytes) -> None:
        """Take one compact JSON object, without "rules"."""
        self.text = text

    def __getitem__(self, key: str) -> Any:
        return json.loads(self.text)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(json.loads(self.text))

    def __len__(self) -> int:
        return len(json.loads(self.text))


def encode_body(body: Mapping[str, Any]) -> bytes:
    """Return a body as JSON."""
    return body.text if type(body) is EncodedBody else encode(body)


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
