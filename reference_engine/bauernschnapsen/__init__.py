"""Bauernschnapsen: the rules of the game in executable form.

One module per chapter of the rulebook. Importing this package loads nothing else.
"""

from __future__ import annotations

__version__ = "0.1.0"
