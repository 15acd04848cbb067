"""What a report says about all situations: how many there were, and what was wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..counting import counted

Json = dict[str, Any]
_MOST_CAUSES = 12
_MOST_REASONS = 3
_WHAT = {
    "legal_plays": ("trick situations", "trick situation"),
    "trick_winner": ("complete tricks", "complete trick"),
    "auctions": ("ways through the auction", "way through the auction"),
}


def exhaustive_lines(swept: Mapping[str, Any] | None) -> list[str]:
    """Return the lines about a sweep as it stands in a JSON report; none if there was none."""
    if swept is None:
        return []
    lines = []
    for name, (many, one) in _WHAT.items():
        part = swept.get(name)
        if part is not None:
            lines += _part(part, many, one)
    return [*lines, ""]


def _part(part: Mapping[str, Any], many: str, one: str) -> list[str]:
    if not part["asked"]:
        return [f"Not asked: {many}, since {part['reason']}."]
    cases = part["cases"]
    within = _within(part)
    if part["complete"]:
        return [f"All {cases:,} {many}{within} are answered rightly."]
    wrong = part["wrong"]
    lines = [
        f"Of {cases:,} {many}{within} {part['right']:,} are answered rightly, {wrong:,} wrongly."
    ]
    for key, said in (
        ("unsupported", "not supported or not shown"),
        ("errors", "without a proper answer"),
        ("not_asked", "not asked any more"),
    ):
        if part[key]:
            lines.append(f"  {part[key]:,} {said}")
    for reason, count in list(part.get("reasons", {}).items())[:_MOST_REASONS]:
        lines.append(f"    {count:>7,}  {reason}")
    causes = part.get("causes", [])
    for cause in causes[:_MOST_CAUSES]:
        often = counted(cause["count"], "time")
        lines.append(f"  {cause['rule']}: {often} the engine {cause['what']}.")
        lines.append(f"    The shortest {one}: {cause['example']}")
    if len(causes) > _MOST_CAUSES:
        others = counted(len(causes) - _MOST_CAUSES, "other cause")
        lines.append(f"  and {others}; --json FILE has them all")
    return lines


def _within(part: Mapping[str, Any]) -> str:
    if "keys" in part:
        return f" ({counted(part['keys'], 'key')})"
    if "classes" in part:
        return f" ({part['classes']:,} classes of situations, {part['calls']:,} calls)"
    return ""
