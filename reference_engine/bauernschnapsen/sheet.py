"""The sheet: how game points are written down at a table. Nothing is played by it.

Rule id: scoring.upwards.
"""

from __future__ import annotations

from .ruleset import Rules


def written(rules: Rules, points: int) -> int:
    """Return what stands on the sheet for a side's game points (scoring.upwards).

    Where the score counts down it is what is left to the target, and never below 0. Everything
    else, the wire included, counts up.
    """
    if rules.options.score_direction == "down":
        return max(0, rules.options.target - points)
    return points
