"""What a search has found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bauernschnapsen.ruleset import Resolved

from .belief import Belief
from .fields import Path, alternatives
from .seen import Miss, Seen
from .testing import Tester

NOT_SHOWN = "no deal of this profile shows it"
NO_AUCTION = "the engine takes no whole deals, and so shows no auction"


@dataclass(slots=True)
class Result:
    """What was found out about an engine."""

    ruleset: Resolved
    witnesses: dict[Path, Seen]
    """For every field that is not that of the base, a short deal that rules out the base's."""
    observed: list[Path]
    """Fields of which something rules out another value."""
    unseen: dict[Path, str]
    """Fields that cannot be observed in this profile, and why."""
    unsure: list[tuple[Path, Any]]
    """Values that could not be ruled out."""
    bugs: list[tuple[Seen, Miss]]
    """What the ruleset does not explain, the shortest first."""
    asked: int
    seconds: float
    finished: bool
    votes: dict[Path, tuple[int, int]]
    """For every value that is not that of the base: lines that spoke for and against it."""
    left_aside: dict[str, list[tuple[Seen, Miss]]]
    """Parts of the views that are wrong all over, so that the rest was judged without them."""


def not_ruled_out(
    belief: Belief, tester: Tester
) -> tuple[list[Path], dict[Path, str], list[tuple[Path, Any]]]:
    """Return fields that are observed, those that cannot be, and values not ruled out."""
    observed: list[Path] = []
    unseen = {**dict.fromkeys(belief.hidden_fields(), NO_AUCTION), **belief.idle}
    unsure: list[tuple[Path, Any]] = []
    for path in belief.all_fields():
        if path in belief.idle:
            continue
        values = alternatives(belief.ruleset, path)
        if not values:
            continue
        left = [value for value in values if tester.witness(belief, path, value) is None]
        if len(left) == len(values):
            unseen[path] = NOT_SHOWN
        else:
            observed.append(path)
            unsure += [(path, value) for value in left if not belief.same_with(path, value)]
    return observed, unseen, unsure
