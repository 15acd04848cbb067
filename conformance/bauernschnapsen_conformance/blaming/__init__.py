"""Which rules a first difference between an engine and the reference engine speaks of.

`guessing` names them, `deciding` knows what decides which value of a view, `duties` what binds a
seat towards a trick. Campaigns and `identify` ask here.
"""

from __future__ import annotations

from .duties import binding
from .guessing import FALLBACK, MOST, blame, position_at

__all__ = ["FALLBACK", "MOST", "binding", "blame", "position_at"]
