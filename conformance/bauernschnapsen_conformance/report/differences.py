"""Print how two rulesets differ, and a line of play as a table with what follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..identify.telling import Tell
from ..views import compare
from .deal_table import action_sign, draw_deal

Json = dict[str, Any]
_MOST_LINES = 4


def shown_value(value: Any) -> str:
    """Print the value of a field."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "true" if value is True else "false" if value is False else str(value)


def draw_tell(tell: Tell, names: tuple[str, str], views: tuple[Any, Any]) -> Iterator[str]:
    """Yield the deal, the moves, and what either side shows in the end."""
    record = tell.line.record()
    yield from draw_deal(record)
    moves = record["actions"]
    for number, (seat, action) in enumerate(moves[: max(tell.view, len(moves))], start=1):
        yield f"  {number:>3}  {seat} {action_sign(action)}"
    yield from what_differs(names, views)


def what_differs(names: tuple[str, str], views: tuple[Any, Any]) -> Iterator[str]:
    """Yield where the first view differs, one line for each side."""
    ours, theirs = views
    if ours is None or theirs is None:
        for name, seen in zip(names, views, strict=True):
            yield f"  {name}: {'does not play it' if seen is None else 'plays it'}"
        return
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        found = compare(one, other, 0, number)
        for difference in found[:_MOST_LINES]:
            where = difference.where
            want, have = _without_common(difference.expected, difference.got)
            yield f"  {where}"
            yield f"    {names[0]}: {_text(want)}"
            yield f"    {names[1]}: {_text(have)}"
        if found:
            return


def _without_common(want: Any, have: Any) -> tuple[Any, Any]:
    """Of two sets of actions keep what only one of them has."""
    if not (isinstance(want, list) and isinstance(have, list)):
        return want, have
    if not all(isinstance(one, str) for one in [*want, *have]):
        return want, have
    only = [f"+ {action_sign(one)}" for one in want if one not in have]
    only_other = [f"+ {action_sign(one)}" for one in have if one not in want]
    return ", ".join(only) or "nothing more", ", ".join(only_other) or "nothing more"


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
