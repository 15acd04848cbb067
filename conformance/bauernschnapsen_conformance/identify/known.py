"""Which values of a field somebody plays; all others are probably a bug.

The option catalogue, spec/options.yaml, has the sources of every value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bauernschnapsen.ruleset import Resolved

from ..corpus.options import load_options
from .alike import value_in_file
from .fields import Path, name_of

_ABOUT_THREE = re.compile(r"T\d+")
_DUTY_HINT = "no source frees players from following suit or from ruffing"
_HINTS: Mapping[tuple[str, Any], str] = {
    ("follow", "free"): _DUTY_HINT,
    ("ruff", "free"): _DUTY_HINT,
    ("head_target", "led_card"): "no source compares with the card led only",
}


def suspicion(ruleset: Resolved, base: Resolved, path: Path) -> str:
    """Return why a value that differs from the base is probably a bug, or ''."""
    if path[0] == "contracts" and path[1] not in base["contracts"]:
        return ""  # a contract of their own
    value = value_in_file(ruleset, path)
    sources = load_options().sources(name_of(path), value)
    # What is only told of three players (T) excuses no table of four.
    if any(_ABOUT_THREE.fullmatch(tag) is None for tag in sources):
        return ""
    if sources and base["options"]["seats"] == 3:
        return ""
    if path[-1] == "ranks":
        return "no source ranks the cards so in this contract"
    if path[0] == "options" and path[1] == "target":
        return ""  # how long a game is, everybody settles for himself
    return _HINTS.get((path[-1], value), "no source plays it so")
