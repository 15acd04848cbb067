"""Counting verdicts: levels reached, and tables by verdict, over judgements or report entries.

An entry is what a JSON report says about one scenario. Everything that a report says as a whole is
computed from its entries here, so that joined shards say what one run would have said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .levels import Level
from .verdicts import MAY_BE_EXCUSED, Verdict
from .verdicts import NOT_OBSERVED_REASON as NOT_OBSERVED

Json = dict[str, Any]
Entry = Mapping[str, Any]


def reached(judged: Iterable[tuple[str, bool]]) -> bool:
    """Whether a level is reached, given the verdict of each scenario and whether it withholds.

    At least one scenario of the level must have passed, and none may withhold it. What fails
    withholds, and so does what is unsupported, unless only for something this kind of engine
    cannot show: a start that no auction leads to, a key of the view that is welcome but not needed.
    """
    any_passed = False
    for verdict, withholds in judged:
        if withholds:
            return False
        any_passed = any_passed or verdict == Verdict.PASS
    return any_passed


def withholds(entry: Entry) -> bool:
    """Whether an entry's verdict withholds its level."""
    verdict = entry["verdict"]
    if verdict in MAY_BE_EXCUSED:
        return not entry.get("excused", False)
    return verdict not in (Verdict.PASS, Verdict.NOT_APPLICABLE)


def counts(entries: Iterable[Entry]) -> dict[str, int]:
    """Return how many scenarios got each verdict; verdicts nobody got are left out."""
    found = dict.fromkeys((verdict.value for verdict in Verdict), 0)
    for entry in entries:
        found[entry["verdict"]] += 1
    return {verdict: number for verdict, number in found.items() if number}


def level_table(entries: Sequence[Entry], *, withheld: Sequence[str] = ()) -> dict[str, Json]:
    """Return for each level whether it is reached, and its counts.

    `withheld` names levels that are not reached whatever the entries say.
    """
    table = {}
    for level in Level:
        here = [entry for entry in entries if entry["level"] == level]
        table[level.title] = {
            "level": level.value,
            "reached": level.title not in withheld
            and reached((entry["verdict"], withholds(entry)) for entry in here),
            "counts": counts(here),
        }
    return table


def unsupported_lines(entries: Iterable[Entry]) -> list[str]:
    """Return what `unsupported` means for the levels, in sentences; none where nothing is.

    It is neither right nor wrong: part of it withholds its level, the rest is beyond this kind of
    engine and costs nothing.
    """
    costly: dict[int, int] = {}
    free: dict[int, int] = {}
    for entry in entries:
        if entry["verdict"] == Verdict.UNSUPPORTED:
            where = costly if withholds(entry) else free
            where[entry["level"]] = where.get(entry["level"], 0) + 1
    lines = []
    if costly:
        lines.append(
            f"Unsupported, so that the level is not reached: {_by_level(costly)}. "
            "Nothing is wrong there, but the engine does not do or show what the level is about."
        )
    if free:
        lines.append(
            f"Unsupported, whether or not the level is reached: {_by_level(free)}. "
            "No such engine could show that; it is neither asked for nor certified."
        )
    return lines


def _by_level(numbers: Mapping[int, int]) -> str:
    return ", ".join(f"{Level(level).title} {numbers[level]:,}" for level in sorted(numbers))


def not_observed(entries: Iterable[Entry]) -> dict[str, int]:
    """Return how many scenarios were unsupported, by reason, most frequent first.

    A scenario that needed several places of a view counts for each. Which seat or side alone
    was missing (`legal.E`) stands with each scenario; here all of them are one reason.
    """
    found: dict[str, int] = {}
    for entry in entries:
        if entry["verdict"] != Verdict.UNSUPPORTED:
            continue
        reason = entry.get("reason", "").removeprefix("adapter: ")
        places = reason.removeprefix(NOT_OBSERVED)
        reasons = [reason]
        if places != reason:
            reasons = [NOT_OBSERVED + _whichever_seat(place) for place in places.split(", ")]
        for one in dict.fromkeys(reasons):
            found[one] = found.get(one, 0) + 1
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _whichever_seat(place: str) -> str:
    """A place, as `legal.E`, without saying which seat or side in it is missing."""
    parts = place.split(".")
    if not parts[-1].isupper():
        return place
    kind = "seat" if len(parts[-1]) == 1 else "side"
    return f"{'.'.join(part for part in parts if not part.isupper())} (of a single {kind})"


def conforms(entries: Iterable[Entry]) -> bool:
    """Whether no scenario has a verdict that an engine must not have."""
    return all(Verdict(entry["verdict"]).conforms or not withholds(entry) for entry in entries)


def by_chapter(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the entries of each chapter."""
    chapters: dict[str, list[Entry]] = {}
    for entry in entries:
        chapters.setdefault(entry["chapter"], []).append(entry)
    return chapters
