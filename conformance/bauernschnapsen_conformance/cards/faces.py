"""The faces as data: `faces.json`, read once."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Json = dict[str, Any]
Deck = Literal["french", "german"]
DECKS: tuple[Deck, ...] = ("french", "german")
FOLDER = Path(__file__).resolve().parent


@lru_cache(maxsize=1)
def load_faces() -> Json:
    """Return what `faces.json` says: its first field explains the rest. Not to be changed."""
    faces: Json = json.loads((FOLDER / "faces.json").read_bytes())
    return faces


def default_deck(language: str) -> Deck:
    """Return the cards a page shows until its reader chooses others: German ones in German."""
    return "german" if language == "de" else "french"
