"""Line and column of every value of a YAML text, found by parsing it a second time.

Only messages need positions, so the loader does not keep them. The text has passed the loader: it
is one document without aliases and with text keys only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from . import yaml_parser


@dataclass(slots=True)
class _Place:
    """Where a value begins, where its key does, and the same for what it holds. Counted from 1."""

    value: tuple[int, int]
    key: tuple[int, int]
    is_mapping: bool = False
    parts: dict[str | int, _Place] = field(default_factory=dict)


def position_of(text: str, pointer: tuple[str | int, ...], *, key: bool) -> tuple[int, int]:
    """Line and column of the value (or key) at `pointer`, else of its nearest known ancestor."""
    place = _places(text)
    for depth, part in enumerate(pointer):
        inner = place.parts.get(part)
        if inner is None:
            return place.value
        place = inner
        if key and depth == len(pointer) - 1:
            return place.key
    return place.value


@lru_cache(maxsize=8)
def _places(text: str) -> _Place:
    next_event = yaml_parser.new_parser(text).get_event
    start = (1, 1)
    top = _Place(start, start)
    opened = [top]
    key: Any = None
    key_at = start
    while True:
        event = next_event()
        kind = type(event)
        if kind is StreamEndEvent:
            # The first "container" is the document, its only part the document's value.
            return top.parts.get(0, top)
        if kind is MappingEndEvent or kind is SequenceEndEvent:
            opened.pop()
        elif kind is ScalarEvent or kind is MappingStartEvent or kind is SequenceStartEvent:
            at = (event.start_mark.line + 1, event.start_mark.column + 1)
            parent = opened[-1]
            if parent.is_mapping and key is None:
                key, key_at = event.value, at
                continue
            place = _Place(at, key_at if parent.is_mapping else at, kind is MappingStartEvent)
            parent.parts[key if parent.is_mapping else len(parent.parts)] = place
            key = None
            if kind is not ScalarEvent:
                opened.append(place)
