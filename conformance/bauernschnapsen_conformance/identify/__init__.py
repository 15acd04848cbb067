"""Which house rules an engine plays, found out by experiment; and how two rulesets differ.

`lines` plays deals under a ruleset, `telling` and `pools` find lines that two rulesets answer
differently, `search` asks an engine such lines until one ruleset is left: `testing` what could be
otherwise, `explaining` by `changes` what contradicts it, `holding` answers against rulesets.
`findings` and `printing` say what came of it, `ruleset_file` writes the profile.
"""

from __future__ import annotations
