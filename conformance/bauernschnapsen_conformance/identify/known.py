"""Which values of a field somebody plays; all others are probably a bug.

The option catalogue spec/options.yaml says so where there is one; until then what stands here, from
the sources named in the rulesets and from the profiles of real engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.ruleset import Resolved

from .fields import Path, value_at

_DUTY_HINT = "no source frees players from following suit or from ruffing"
_UNKNOWN: Mapping[tuple[str, Any], str] = {
    ("follow", "free"): _DUTY_HINT,
    ("ruff", "free"): _DUTY_HINT,
    ("head_target", "led_card"): "no source compares with the card led only",
    ("marriages_as_tricks", "twenty_one_forty_two"): "",
}
_RANKS: Mapping[str, frozenset[str]] = {
    "bettler": frozenset({"ATKQJ", "AKQJT"}),
    "as-bettler": frozenset({"ATKQJ", "AKQJT"}),
    "assenbettler": frozenset({"TKQJA"}),
    "plauderer": frozenset({"ATKQJ", "AKQJT"}),
    "zehner-gang": frozenset({"TKQJA"}),
    "koenigsgang": frozenset({"KQJAT"}),
    "damengang": frozenset({"QJATK"}),
    "bauernloch": frozenset({"TKQJA"}),
}
_USUAL_RANKS = frozenset({"ATKQJ"})
_GOALS_FIXED = ("goal", "trump", "tricks")


def suspicion(ruleset: Resolved, base: Resolved, path: Path) -> str:
    """Return why a value that differs from the base is probably a bug, or ''."""
    value = value_at(ruleset, path)
    if path[0] != "contracts":
        return ""
    key = path[2]
    if key == "ranks" and value not in _RANKS.get(path[1], _USUAL_RANKS):
        return "no source ranks the cards so in this contract"
    if key in _GOALS_FIXED and path[1] in base["contracts"] and value != value_at(base, path):
        return "no source plays this contract so"
    return _UNKNOWN.get((key, value), "")
