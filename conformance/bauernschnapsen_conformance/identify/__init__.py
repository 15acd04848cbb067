"""Which house rules an engine plays, found out by experiment; and how two rulesets differ.

`lines` plays deals under a ruleset, `telling` finds the shortest line that two rulesets answer
differently, `search` asks an engine such lines until one ruleset is left, `report` prints it.
"""

from __future__ import annotations
