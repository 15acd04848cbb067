"""Findings: what a campaign has found, by cause, each with its smallest witness.

They merge in any order: counts add up, and of two witnesses the shorter stays, of two of one length
that of the earlier case. There are no more causes than rules times fields, so they need no bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..views import Difference
from .generators import Case
from .judging import Cause, Discrepancy

Json = dict[str, Any]
Place = tuple[int, int]
"""A chunk of a campaign and a case in it; both from 0."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A case in which an engine is wrong, cut off where it first is, and how it is wrong there."""

    deals: Case
    discrepancy: Discrepancy
    place: Place

    @property
    def size(self) -> tuple[int, int, Place]:
        """What decides which of two witnesses is kept: the fewest deals, actions, the first."""
        return len(self.deals), actions_in(self.deals), self.place

    def as_json(self) -> Json:
        """Return it as JSON; `from_json` reads it back."""
        return {"deals": self.deals, "place": list(self.place), **_told(self.discrepancy)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Witness:
        """Read what `as_json` has written (checked by the schema before)."""
        place = (data["place"][0], data["place"][1])
        return cls(data["deals"], _discrepancy(data), place)


@dataclass(slots=True)
class Found:
    """All that was found of one cause."""

    count: int
    first: Place
    witness: Witness

    def add(self, other: Found) -> None:
        """Take in what another part of the campaign found of the same cause."""
        self.count += other.count
        self.first = min(self.first, other.first)
        self.witness = min(self.witness, other.witness, key=lambda one: one.size)


@dataclass(slots=True)
class Findings:
    """Findings by cause."""

    by_cause: dict[Cause, Found] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.by_cause)

    def __iter__(self) -> Iterator[tuple[Cause, Found]]:
        """Causes in the order in which they turn up first."""
        return iter(sorted(self.by_cause.items(), key=lambda pair: (pair[1].first, pair[0])))

    def note(self, witness: Witness) -> None:
        """Note one case in which the engine is wrong."""
        self._take(witness.discrepancy.cause, Found(1, witness.place, witness))

    def add(self, other: Findings) -> None:
        """Take in the findings of another part of the campaign."""
        for cause, found in other.by_cause.items():
            self._take(cause, found)

    def _take(self, cause: Cause, found: Found) -> None:
        known = self.by_cause.get(cause)
        if known is None:
            self.by_cause[cause] = Found(found.count, found.first, found.witness)
        else:
            known.add(found)

    def first(self, number: int) -> Findings:
        """Return the causes that turned up first, at most so many."""
        return Findings(dict(list(self)[:number]))

    def as_json(self) -> list[Json]:
        """Return them as JSON, in the order in which they turn up; `from_json` reads them back."""
        return [
            {
                "count": found.count,
                "first": list(found.first),
                "witness": found.witness.as_json(),
            }
            for _, found in self
        ]

    @classmethod
    def from_json(cls, data: list[Json]) -> Findings:
        """Read what `as_json` has written (checked by the schema before)."""
        findings = cls()
        for one in data:
            witness = Witness.from_json(one["witness"])
            first = (one["first"][0], one["first"][1])
            findings.by_cause[witness.discrepancy.cause] = Found(one["count"], first, witness)
        return findings


def actions_in(deals: Case) -> int:
    """Return how many actions a case has."""
    return sum(len(deal["actions"]) for deal in deals)


def cut_off(deals: Case, discrepancy: Discrepancy) -> Case:
    """Return a case up to the action after which the engine is first wrong."""
    if discrepancy.difference is None:
        return deals
    deal, view = discrepancy.place
    last = {**deals[deal], "actions": deals[deal]["actions"][:view]}
    return [*deals[:deal], last]


def _told(discrepancy: Discrepancy) -> Json:
    first = discrepancy.difference
    return {
        "rule": discrepancy.cause.rule,
        "field": discrepancy.cause.field,
        "rules": list(discrepancy.rules),
        "said": discrepancy.said,
        "difference": None
        if first is None
        else {
            "deal": first.deal,
            "view": first.view,
            "path": list(first.path),
            "expected": first.expected,
            "got": first.got,
            "stated": first.stated,
        },
    }


def _discrepancy(data: Mapping[str, Any]) -> Discrepancy:
    first = data["difference"]
    difference = None
    if first is not None:
        difference = Difference(
            first["deal"],
            first["view"],
            tuple(first["path"]),
            first["expected"],
            first["got"],
            first["stated"],
        )
    cause = Cause(data["rule"], data["field"])
    return Discrepancy(cause, tuple(data["rules"]), difference, data["said"])
