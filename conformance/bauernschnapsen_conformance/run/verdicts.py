"""Verdicts: from what an engine answered to one word per scenario, and what to say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bauernschnapsen.notation import SUITS

from ..adapter.faults import Fault, printable
from ..corpus.reference import Prepared
from ..corpus.scenario import Item
from ..views import NOT_OBSERVED, Difference, View, check_statement, compare, places_of, same
from .levels import Level, any_core
from .turning import Turning

NOT_OBSERVED_REASON = "not observed: "


class Verdict(StrEnum):
    """What is said about one scenario; never a mixture of game, adapter and runner outcomes."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"
    """The adapter or its process did something it must not."""
    UNSUPPORTED = "unsupported"
    """The engine cannot do or does not show what the scenario needs."""
    NOT_APPLICABLE = "not-applicable"
    """The scenario does not hold under these rules."""
    XFAIL = "xfail"
    XPASS = "xpass"
    FLAKY = "flaky"
    NOT_RUN = "not-run"

    @property
    def conforms(self) -> bool:
        """Whether this verdict leaves the engine conforming."""
        return self in (Verdict.PASS, Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE, Verdict.XFAIL)


MAY_BE_EXCUSED = (Verdict.UNSUPPORTED, Verdict.FAIL)
"""Verdicts that cost nothing where the judgement says `excused`."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one scenario with everything a report needs to explain it."""

    item: Item
    verdict: Verdict
    level: Level
    reason: str = ""
    """One line: why unsupported, what went wrong, which known failure."""
    differences: tuple[Difference, ...] = ()
    """In the order they occurred, seats and suits as written; the first is the one to look at."""
    prepared: Prepared | None = None
    """As fitted to the engine, with the expected views; seats and suits as written."""
    got: tuple[tuple[View, ...], ...] = ()
    """The views the engine showed, turned back into the seats and suits as written."""
    fault: Fault | None = None
    turning: Turning | None = None
    """From the written form to the form that was asked; None if nothing was asked."""
    excused: bool = False
    """It withholds no level: unsupported only for what this kind of engine cannot show, or failing
    a scenario that is still provisional."""

    @property
    def turned(self) -> int:
        """By how many places the table was turned clockwise before asking."""
        return self.turning.places if self.turning is not None else 0

    @property
    def suits(self) -> str:
        """The suits that stood for ♥ ♦ ♠ ♣ when it was asked, as letters."""
        return self.turning.suits if self.turning is not None else SUITS

    @property
    def incidental(self) -> bool:
        """Whether nothing that the author stated was wrong, only what the reference filled in."""
        return bool(self.differences) and not any(d.stated for d in self.differences)

    @property
    def withholds(self) -> bool:
        """Whether the scenario's level cannot be reached with this verdict."""
        if self.verdict in MAY_BE_EXCUSED:
            return not self.excused
        return self.verdict not in (Verdict.PASS, Verdict.NOT_APPLICABLE)

    @property
    def conforms(self) -> bool:
        """Whether this judgement leaves the engine conforming."""
        return self.verdict.conforms or (self.verdict in MAY_BE_EXCUSED and self.excused)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reply says about a scenario, before known failures and flakiness are considered."""

    verdict: Verdict
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    got: tuple[tuple[View, ...], ...] = ()
    excused: bool = False


def judge_reply(
    prepared: Prepared, reply: Mapping[str, Any], *, reasons: bool, skip: Sequence[int] = ()
) -> Opinion:
    """Judge an adapter's reply to a replay request, seats and suits as written.

    `reasons`: whether the engine says which rule a refused action breaks. `skip`: how many views
    at the beginning of each deal are there only to lead to its contract; of them only the refusals
    count.
    """
    if "unsupported" in reply:
        return Opinion(Verdict.UNSUPPORTED, f"adapter: {error_text(reply['unsupported'])}")
    if "error" in reply:
        return Opinion(Verdict.ERROR, error_text(reply["error"]))
    return judge_views(prepared, reply.get("ok"), reasons=reasons, skip=skip)


def judge_views(
    prepared: Prepared, views: Any, *, reasons: bool = True, skip: Sequence[int] = ()
) -> Opinion:
    """Compare the views of all deals with what is stated and with the reference.

    What is stated must be true of the expected views: a view that equals the expected one is not
    looked at any further. `views` may be anything; `reasons` and `skip` as in `judge_reply`.
    """
    expected = prepared.expected
    if not isinstance(views, list) or len(views) > len(expected):
        return Opinion(Verdict.ERROR, _not_the_deals(prepared))
    unequal, broken, fault = _look_over(expected, views)
    if fault is not None:
        return Opinion(Verdict.ERROR, fault)
    if broken is not None:
        deal, place = broken[0]
        views = [*views[:deal], views[deal][: place + 1]]
    got = tuple(map(tuple, views))
    if not unequal and broken is None and not prepared.statements:
        return Opinion(Verdict.PASS, "", (), got)
    end = broken[0] if broken is not None else (len(expected), 0)
    differences, missing = _compare_up_to(prepared, got, unequal, reasons, skip, end)
    if differences:
        return Opinion(Verdict.FAIL, "", tuple(differences), got)
    if broken is not None:
        return Opinion(Verdict.ERROR, f"a view is an error: {broken[1]}", (), got)
    if missing:
        excused = not any_core(missing)
        reason = NOT_OBSERVED_REASON + ", ".join(missing)
        return Opinion(Verdict.UNSUPPORTED, reason, (), got, excused)
    return Opinion(Verdict.PASS, "", (), got)


Place = tuple[int, int]
"""A deal and one of its views, both from 0."""


def _look_over(
    expected: Sequence[Sequence[View]], views: Sequence[Any]
) -> tuple[set[Place], tuple[Place, str] | None, str | None]:
    """Return the views that differ in any way, the first that is an error, what has no shape."""
    unequal: set[Place] = set()
    for number, right in enumerate(expected):
        if number >= len(views):
            return unequal, None, f"ok has {len(views)} deals, expected {len(expected)}"
        deal = views[number]
        if deal == right:
            continue
        if not isinstance(deal, list):
            return unequal, None, f"deal {number + 1} must be a list of views"
        for place, view in enumerate(deal):
            if place < len(right) and view == right[place]:
                continue
            if not isinstance(view, dict):
                return unequal, None, f"deal {number + 1} must be a list of views"
            if place < len(right) and same(right[place], view):
                continue
            if "error" in view:
                return unequal, ((number, place), error_text(view["error"])), None
            shape = _wrong_view(view)
            if shape is not None:
                return unequal, None, f"deal {number + 1}, view {place + 1}: {shape}"
            unequal.add((number, place))
        if len(deal) != len(right):
            return unequal, None, f"deal {number + 1} has {len(deal)} views, expected {len(right)}"
    return unequal, None, None


def _compare_up_to(
    prepared: Prepared,
    got: tuple[tuple[View, ...], ...],
    unequal: set[Place],
    reasons: bool,
    skip: Sequence[int],
    end: Place,
) -> tuple[list[Difference], list[str]]:
    """Return differences (stated ones first within a view) and the stated places not observed."""
    stated: dict[Place, list[Difference]] = {}
    missing: dict[str, None] = {}
    for statement in prepared.statements:
        place = (statement.deal, statement.view)
        # True equals 1 and must not pass for it where a value is stated.
        if place >= end or (place not in unequal and statement.kind != "value"):
            continue
        result = check_statement(statement, got[place[0]][place[1]], reasons=reasons)
        if result is NOT_OBSERVED:
            missing.update(dict.fromkeys(places_of(statement, got[place[0]][place[1]])))
        elif result is not None:
            stated.setdefault(place, []).append(result)
    found: list[Difference] = []
    for place in sorted(unequal | stated.keys()):
        deal, number = place
        if place >= end:
            break
        here = stated.get(place, [])
        found += here
        if place not in unequal:
            continue
        rest = compare(prepared.expected[deal][number], got[deal][number], deal, number)
        if deal < len(skip) and number < skip[deal]:
            rest = [difference for difference in rest if difference.path == ("refused",)]
        known = {difference.path for difference in here}
        found += [difference for difference in rest if difference.path not in known]
    return found, list(missing)


def _not_the_deals(prepared: Prepared) -> str:
    deals = len(prepared.expected)
    return f"ok must be a list with one list of views for each of {deals} deals"


def _wrong_view(view: View) -> str | None:
    legal = view.get("legal")
    if legal is not None:
        if not isinstance(legal, dict):
            return "legal must map seats to lists of actions"
        for actions in legal.values():
            if actions is not None and not _is_texts(actions):
                return "legal must map seats to lists of actions"
    sees = view.get("sees")
    if sees is not None and not (
        isinstance(sees, dict) and all(known is None or _is_known(known) for known in sees.values())
    ):
        return "sees must map viewers to owners to lists of cards"
    return None


def _is_known(known: Any) -> bool:
    return isinstance(known, dict) and all(
        cards is None or _is_texts(cards) for cards in known.values()
    )


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def error_text(error: Any) -> str:
    """Return what an adapter says, as printable text of bounded length."""
    message = error.get("message", error) if isinstance(error, Mapping) else error
    return printable(str(message), 300)
