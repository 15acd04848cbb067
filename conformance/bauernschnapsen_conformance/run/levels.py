"""Levels: what part of the game a scenario needs, and which parts an engine has shown to master.

1 tricks, 2 deal, 3 auction, 4 claims, 5 match. The level of a scenario is computed from what it
uses, so that nobody has to keep a label in step with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from ..corpus.reference import Prepared
from ..corpus.scenario import PositionCase

_LEVEL_1_KEYS = frozenset({"legal", "trick", "last_trick", "to_act", "refused", "trump"})
_MATCH_KEYS = frozenset({"scores", "next_dealer", "game"})
# What an engine must show of itself to be certified: a scenario that states one of these and does
# not see it withholds its level. The rest of a view is welcome; what is missing there is listed.
_CORE_KEYS = frozenset({"to_act", "legal", "points", "tricks", "refused"})
_CORE_PLACES = frozenset(
    {"contract", "contract.name", "contract.declarer", "outcome", "outcome.awards"}
)


class Level(IntEnum):
    """Parts of the game, each needing more of an engine than the one before."""

    TRICKS = 1
    DEAL = 2
    AUCTION = 3
    CLAIMS = 4
    MATCH = 5

    @property
    def title(self) -> str:
        """The level's name for people."""
        return self.name.lower()


def level_of(prepared: Prepared) -> Level:
    """Return the level of a scenario or position."""
    if isinstance(prepared.item, PositionCase):
        return Level.TRICKS
    stated = {s.path[0] for s in prepared.statements if s.kind == "value"}
    actions = {action for deal in prepared.deals for _, action in deal["actions"]}
    verbs = {action.partition(" ")[0] for action in actions}
    named = " ".join(
        str(s.value) for s in prepared.statements if s.kind in ("legal", "can", "cannot")
    )
    if len(prepared.deals) > 1 or stated & _MATCH_KEYS:
        return Level.MATCH
    if "enough" in actions or "enough" in named:
        return Level.CLAIMS
    if any("contract" not in deal for deal in prepared.deals) or "kontra" in named:
        return Level.AUCTION
    if verbs & {"kontra", "rekontra", "subkontra"}:
        return Level.AUCTION
    if stated <= _LEVEL_1_KEYS and verbs <= {"play"} and "marry" not in named:
        return Level.TRICKS
    return Level.DEAL


def is_core(place: str) -> bool:
    """Whether a place in a view (`outcome.awards.NS`) must be shown by whoever is certified.

    Scores, next dealer and game are core too: stated, they make a scenario one of the match.
    """
    first, _, rest = place.partition(".")
    if first in _CORE_KEYS or first in _MATCH_KEYS:
        return True
    return f"{first}.{rest.partition('.')[0]}".rstrip(".") in _CORE_PLACES


def any_core(places: Iterable[str]) -> bool:
    """Whether something that must be shown is among these places."""
    return any(is_core(place) for place in places)
