"""Coverage: how often each situation was met, in a form that merges in any order and stays small.

Counts stop at `ENOUGH`: what has been met so often needs no more looking for. Merging adds counts
up to that bound and adds whole numbers, so it is associative and commutative: the parts of a
campaign may be put together in any order and by anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

Json = dict[str, Any]
ENOUGH = 6
"""Where counting stops."""
MOST = 200_000
"""Most situations that are kept; beyond that new ones are only counted as `left_out`."""
_WORTH = 1000
"""What a situation is worth that was never met before; whole numbers add up the same anywhere."""


@dataclass(slots=True)
class Coverage:
    """Situations with their counts, and what each part of a recipe has brought."""

    counts: dict[str, int] = field(default_factory=dict)
    yields: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Part of a recipe, as `shape=long` -> what its cases were worth, and their views."""
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.counts)

    def note(self, situations: Iterable[str], done_with: Collection[int] = ()) -> int:
        """Count situations and return what they are worth: rare ones more than common ones.

        `done_with`: marks of situations that were met often enough elsewhere; they are left alone.
        """
        worth = 0
        counts = self.counts
        for situation in situations:
            count = counts.get(situation)
            if count is None:
                if done_with and mark(situation) in done_with:
                    continue
                if len(counts) >= MOST:
                    self.left_out += 1
                    continue
                count = 0
            if count < ENOUGH:
                counts[situation] = count + 1
                worth += _WORTH >> count
        return worth

    def credit(self, parts: Iterable[str], worth: int, views: int) -> None:
        """Note what a case was worth, and its length, whose recipe had these parts."""
        for part in parts:
            total, length = self.yields.get(part, (0, 0))
            self.yields[part] = (total + worth, length + views)

    def add(self, other: Coverage) -> None:
        """Take in another part of the same campaign."""
        for situation, count in other.counts.items():
            have = self.counts.get(situation)
            if have is None and len(self.counts) >= MOST:
                self.left_out += 1
            else:
                self.counts[situation] = min((have or 0) + count, ENOUGH)
        for part, (worth, views) in other.yields.items():
            total, length = self.yields.get(part, (0, 0))
            self.yields[part] = (total + worth, length + views)
        self.left_out += other.left_out

    def done_with(self) -> tuple[int, ...]:
        """Return the marks of situations met often enough, ascending."""
        return tuple(sorted({mark(one) for one, count in self.counts.items() if count >= ENOUGH}))

    def by_kind(self) -> dict[str, int]:
        """Return how many situations there are of each first word: contracts, auction, ..."""
        kinds: dict[str, int] = {}
        for situation in self.counts:
            kind = situation.partition("|")[0]
            kinds[kind] = kinds.get(kind, 0) + 1
        return dict(sorted(kinds.items()))

    def as_json(self) -> Json:
        """Return it as JSON; `from_json` reads it back."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "yields": {part: list(pair) for part, pair in sorted(self.yields.items())},
            "left_out": self.left_out,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Coverage:
        """Read what `as_json` has written (checked by the schema before)."""
        yields = {part: (pair[0], pair[1]) for part, pair in data["yields"].items()}
        return cls(dict(data["counts"]), yields, data["left_out"])


def mark(situation: str) -> int:
    """Return a small number for a situation, the same everywhere; two may share one."""
    return crc32(situation.encode())
