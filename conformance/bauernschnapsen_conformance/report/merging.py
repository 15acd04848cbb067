"""Joining the JSON reports of shards: the same as one run over everything would have said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bauernschnapsen
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError

from ..corpus import Corpus, Item, Scenario
from ..counting import counted
from ..run.selection import parse_shard, shard_of
from ..run.verdicts import Verdict
from .machine import whole

Json = dict[str, Any]
Place = tuple[str, Json, Json]
"""The name of a file, the report in it, and one of its entries."""
# What must be the same in all shards, with the name to complain by.
_COMMON = {
    "suite": "another suite",
    "profile": "another ruleset",
    "engine": "another engine",
    "adapter": "another adapter",
    "capabilities": "other capabilities",
    "files": "other files of the adapter",
    "blind": "blind and not blind",
    "seed": "another seed (give all shards the same --seed)",
    "only": "another selection",
}


def merge(reports: Sequence[tuple[str, Json]], corpus: Corpus) -> Json:
    """Join the reports (each with the name of its file) of all shards of one run.

    SpecError naming the file where one is no report, belongs to another run, comes twice or is
    missing; or where the suite installed here is not the one that was run.
    """
    if not reports:
        raise SpecError("there is nothing to merge")
    for name, report in reports:
        errors = validate(report, "report")
        if errors:
            raise errors[0].located(name)
    first_name, first = reports[0]
    for name, report in reports[1:]:
        for key, complaint in _COMMON.items():
            if report[key] != first[key]:
                raise SpecError(f"is of {complaint} than {first_name}", name, field=key)
    if first["suite"]["digest"] != corpus.digest:
        raise SpecError(
            f"is of another suite ({first['suite']['digest'][:19]}) than the one installed here",
            first_name,
            hint="merge with the version of the suite that was run",
        )
    _check_shards(reports)
    found: dict[str, Place] = {}
    for name, report in reports:
        for entry in report["results"]:
            if entry["id"] in found:
                raise SpecError(f"holds {entry['id']} twice", name, field="results")
            found[entry["id"]] = (name, report, entry)
    results = _in_order(found, corpus, complete=not first["only"])
    shown = {place for _, report in reports for place in report["shown"]}
    missing = {place for _, report in reports for place in report["not_shown"]}
    parts = [report for _, report in reports]
    facts = {
        **{key: first[key] for key in ("format", *_COMMON)},
        "issued": max(report["issued"] for report in parts),
        "shard": None,
        "stopped": next((report["stopped"] for report in parts if report["stopped"]), None),
        "known_failures": _union(parts, "known_failures"),
        "shown": sorted(shown),
        "not_shown": sorted(missing - shown),
        "faults": sum(report["faults"] for report in parts),
        "notes": _union(parts, "notes"),
        "seconds": round(sum(report["seconds"] for report in parts), 3),
    }
    return whole(facts, results)


def _check_shards(reports: Sequence[tuple[str, Json]]) -> None:
    """Every shard once, and in each what belongs there."""
    seen: dict[int, str] = {}
    of: int | None = None
    for name, report in reports:
        try:
            place, shards = parse_shard(report["shard"] or "1/1")
        except SpecError as error:
            raise error.within("shard").located(name) from None
        if of is None:
            of = shards
        if shards != of:
            raise SpecError(f"is one of {shards} shards, the first file one of {of}", name)
        if place in seen:
            raise SpecError(f"is shard {place} of {shards}, and so is {seen[place]}", name)
        seen[place] = name
        for entry in report["results"]:
            if shard_of(entry["id"], shards) != place:
                raise SpecError(f"holds {entry['id']}, which belongs to another shard", name)
    assert of is not None
    missing = [str(place) for place in range(1, of + 1) if place not in seen]
    if missing:
        raise SpecError(f"shard {', '.join(missing)} of {of} is missing")


def _in_order(found: dict[str, Place], corpus: Corpus, *, complete: bool) -> list[Json]:
    """Return the entries in the order of the corpus, which is that of one run."""
    known = {item.id: item for item in corpus.items}
    for item_id, (name, _, entry) in found.items():
        if item_id not in known:
            raise SpecError(f"holds {item_id}, which is no scenario of this suite", name)
        _check_entry(entry, known[item_id], name)
    if complete:
        missing = [item.id for item in corpus.items if item.id not in found]
        if missing:
            are = counted(len(missing), "scenario is", "scenarios are")
            raise SpecError(f"{are} in no report, such as {missing[0]}")
    return [found[item.id][2] for item in corpus.items if item.id in found]


def _check_entry(entry: Json, item: Item, name: str) -> None:
    """What an entry says of its scenario must be what the suite says."""
    hint = "was the report changed by hand?"
    if (entry["chapter"], entry["rules"]) != (item.chapter, list(item.rules)):
        raise SpecError(f"{item.id} belongs to other rules in the suite", name, hint=hint)
    counts = not isinstance(item, Scenario) or item.counts_in(bauernschnapsen.__version__)
    if entry.get("excused") and entry["verdict"] == Verdict.FAIL and counts:
        raise SpecError(f"{item.id} fails, and nothing excuses that", name, hint=hint)


def _union(parts: Sequence[Json], key: str) -> list[str]:
    return list(dict.fromkeys(text for report in parts for text in report[key]))
