"""Which part of the corpus a run asks: some ids, or one of several shards."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bauernschnapsen.errors import SpecError, did_you_mean, quoted

from ..corpus import Item

MOST_SHARDS = 10_000
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of the corpus is asked: ids by pattern, and one of several shards."""

    only: tuple[str, ...] = ()
    shard: tuple[int, int] | None = None
    """Which of how many, from 1."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left out."""
        return not self.only and self.shard in (None, (1, 1))

    def chosen(self, items: Iterable[Item]) -> list[Item]:
        """Return the items of this part, in their order. SpecError if there are none."""
        chosen = list(items)
        if self.only:
            matches = matcher(self.only)
            everything, chosen = chosen, [item for item in chosen if matches(item.id)]
            if not chosen:
                shown = ", ".join(quoted(one) for one in self.only[:3])
                known = [f"{chapter}.*" for chapter in {item.chapter for item in everything}]
                known += [item.id for item in everything]
                hint = did_you_mean(self.only[0], known) or "* stands for any text"
                raise SpecError(f"no scenario is called {shown}", hint=hint)
        if self.shard is not None:
            place, shards = self.shard
            chosen = [item for item in chosen if shard_of(item.id, shards) == place]
        return chosen


EVERYTHING = Selection()


def shard_of(item_id: str, shards: int) -> int:
    """Return the shard, from 1, that an id belongs to.

    It depends on the id alone, so that a new scenario moves no other one to another shard.
    """
    digest = hashlib.sha256(item_id.encode()).digest()
    return int.from_bytes(digest[:8], "big") % shards + 1


def parse_shard(text: str) -> tuple[int, int]:
    """Read `2/5`, the second of five shards. SpecError if it is none."""
    match = re.fullmatch(r"(\d{1,5})/(\d{1,5})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]) <= MOST_SHARDS:
        raise SpecError(f"{quoted(text)} is no shard", hint="the second of five is written 2/5")
    return int(match[1]), int(match[2])


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Return whether an id is one of these, or fits one that has a * in it."""
    patterns = tuple(patterns)
    exact = frozenset(patterns)
    wild = [re.compile(fnmatch.translate(one)) for one in patterns if _WILD.search(one)]
    return lambda text: text in exact or any(one.match(text) for one in wild)
