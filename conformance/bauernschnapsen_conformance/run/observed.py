"""What an engine never showed, over a whole run: the places of views that stayed empty.

A scenario that states such a place is unsupported; this list also names what no scenario happens to
state, so that a certificate says how much was compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..views import COMPARED, View
from .verdicts import Judgement

_NESTED = ("bid", "contract", "last_trick", "outcome", "game")


@dataclass(frozen=True, slots=True)
class Shown:
    """Places in views, as `last_trick.points`, sorted.

    `shown` are those an engine showed at least once, `missing` those where there was something to
    show and it never did.
    """

    shown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


NOTHING = Shown()


def what_is_shown(judgements: Iterable[Judgement]) -> Shown:
    """Return what an engine showed in its views; nothing where it was not asked for views."""
    expected: set[str] = set()
    shown: set[str] = set()
    for judgement in judgements:
        if judgement.prepared is None:
            continue
        for right, deal in zip(judgement.prepared.expected, judgement.got, strict=False):
            for want, view in zip(right, deal, strict=False):
                if "error" in view:
                    continue
                places = set(_places(want)) - shown
                expected |= places
                shown.update(place for place in places if view == want or _is_shown(view, place))
    return Shown(tuple(sorted(shown)), tuple(sorted(expected - shown)))


def _places(view: View) -> Iterator[str]:
    """The places where there is something to show."""
    for key in COMPARED:
        value = view.get(key)
        if value is None or value == {}:
            continue
        if key in _NESTED and isinstance(value, Mapping):
            for inner, what in value.items():
                if what is not None:
                    yield f"{key}.{inner}"
        else:
            yield key


def _is_shown(view: Mapping[str, Any], place: str) -> bool:
    key, _, inner = place.partition(".")
    value = view.get(key)
    if inner:
        return isinstance(value, Mapping) and inner in value
    return value is not None and value != {}
