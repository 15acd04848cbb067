"""A badge for a README: the JSON of a shields endpoint, or a drawing of its own as SVG."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from bauernschnapsen.errors import SpecError

from ..run.levels import Level

Json = dict[str, Any]
LABEL = "bauernschnapsen"
# Names that shields knows, and the colours drawn here; white text on each is easy to read.
_COLOURS = {"brightgreen": "#2a7d1f", "blue": "#1f5f99", "red": "#b3261e", "lightgrey": "#5f6368"}
_NARROW = frozenset("fijlrt.,:;-()[]'! |1")
_WIDE = frozenset("mwMW")
_HEIGHT = 20


def badge_file(report: Json, path: Path) -> bytes:
    """Return the badge of a report or certificate in the form the file's name asks for."""
    check_badge_name(path)
    if path.suffix == ".svg":
        return svg_badge(report).encode()
    return (json.dumps(shields_badge(report), indent=2) + "\n").encode()


def check_badge_name(path: Path) -> None:
    """SpecError unless the file's name says which form of badge is wanted."""
    if path.suffix not in (".svg", ".json"):
        raise SpecError("a badge is written to a file called .svg or .json", str(path))


def shields_badge(report: Json) -> Json:
    """Return the badge as the JSON that a shields endpoint reads."""
    message, colour = _message(report)
    return {"schemaVersion": 1, "label": LABEL, "message": message, "color": colour}


def _message(report: Json) -> tuple[str, str]:
    """What is certified: never more than a complete, conforming run has shown."""
    reached = [level for level in Level if report["levels"][level.title]["reached"]]
    if not report["complete"] or report["stopped"] is not None:
        return "not certified", "lightgrey"
    if not report["conforming"] or not reached:
        return "not conforming", "red"
    numbers = [level.value for level in reached]
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        shown = f"level {first}"
    elif numbers == list(range(first, last + 1)):
        shown = f"levels {first}-{last}"
    else:
        shown = "levels " + ", ".join(map(str, numbers))
    colour = "brightgreen" if len(numbers) == len(Level) else "blue"
    return f"{shown} ({report['profile']['ruleset']})", colour


def svg_badge(report: Json) -> str:
    """Return the badge as an SVG that needs nothing else."""
    message, colour = _message(report)
    left, right = _width(LABEL), _width(message)
    width = left + right
    title, shown = f"{LABEL}: {message}", escape(message, quote=False)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">'
        f"<title>{escape(title, quote=False)}</title>"
        f'<rect width="{width}" height="{_HEIGHT}" rx="3" fill="#444"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v{_HEIGHT - 6}a3 3 0 0 1-3 3H{left}z" '
        f'fill="{_COLOURS[colour]}"/>'
        '<g fill="#fff" text-anchor="middle" font-size="11" '
        'font-family="Verdana,DejaVu Sans,Geneva,sans-serif">'
        f'<text x="{left / 2:g}" y="14" textLength="{left - 12}">{LABEL}</text>'
        f'<text x="{left + right / 2:g}" y="14" textLength="{right - 12}">{shown}</text>'
        "</g></svg>\n"
    )


def _width(text: str) -> int:
    """The width of a half in pixels, with 6 on either side; close to that of the font at 11."""
    inner = sum(4.2 if c in _NARROW else 10.2 if c in _WIDE else 7.0 for c in text)
    return round(inner) + 12
