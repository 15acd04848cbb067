"""Verdicts: from what an engine answered to one word per scenario, and what to say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .adapter.faults import Fault
from .corpus.reference import Prepared
from .corpus.scenario import Item
from .levels import Level
from .views import NOT_OBSERVED, Difference, View, check_statement, compare


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


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one scenario with everything a report needs to explain it."""

    item: Item
    verdict: Verdict
    level: Level
    reason: str = ""
    """One line: why unsupported, what went wrong, which known failure."""
    differences: tuple[Difference, ...] = ()
    """In the order they occurred; the first is the one to look at."""
    prepared: Prepared | None = None
    """As it was asked (seats turned), with the expected views."""
    got: tuple[tuple[View, ...], ...] = ()
    fault: Fault | None = None
    turned: int = 0
    """By how many places the table was turned clockwise before asking."""

    @property
    def incidental(self) -> bool:
        """Whether nothing that the author stated was wrong, only what the reference filled in."""
        return bool(self.differences) and not any(d.stated for d in self.differences)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reply says about a scenario, before known failures and flakiness are considered."""

    verdict: Verdict
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    got: tuple[tuple[View, ...], ...] = ()


def judge_reply(prepared: Prepared, reply: Mapping[str, Any], *, reasons: bool) -> Opinion:
    """Judge an adapter's reply to a replay request.

    `reasons`: whether the engine says which rule a refused action breaks.
    """
    if "unsupported" in reply:
        return Opinion(Verdict.UNSUPPORTED, f"adapter: {str(reply['unsupported'])[:200]}")
    if "error" in reply:
        return Opinion(Verdict.ERROR, _error_text(reply["error"]))
    views = reply.get("ok")
    shape = _wrong_shape(views, prepared)
    if shape is not None:
        return Opinion(Verdict.ERROR, shape)
    assert isinstance(views, list)
    return judge_views(prepared, views, reasons=reasons)


def judge_views(
    prepared: Prepared, views: Sequence[Sequence[View]], *, reasons: bool = True
) -> Opinion:
    """Compare the views of all deals with what is stated and with the reference."""
    got = tuple(tuple(deal) for deal in views)
    broken = _broken_view(got)
    if broken is not None:
        deal, number, message = broken
        differences, missing = _compare_up_to(prepared, got, reasons, (deal, number))
        if not differences:
            return Opinion(Verdict.ERROR, f"a view is an error: {message}", (), got)
    else:
        differences, missing = _compare_up_to(prepared, got, reasons, None)
    if differences:
        return Opinion(Verdict.FAIL, "", tuple(differences), got)
    if missing:
        return Opinion(Verdict.UNSUPPORTED, f"not observed: {', '.join(missing)}", (), got)
    return Opinion(Verdict.PASS, "", (), got)


def _compare_up_to(
    prepared: Prepared,
    got: tuple[tuple[View, ...], ...],
    reasons: bool,
    end: tuple[int, int] | None,
) -> tuple[list[Difference], list[str]]:
    """Return differences (stated ones first within a view) and the stated keys not observed."""
    stated: dict[tuple[int, int], list[Difference]] = {}
    missing: dict[str, None] = {}
    for statement in prepared.statements:
        place = (statement.deal, statement.view)
        if end is not None and place >= end:
            continue
        result = check_statement(statement, got[place[0]][place[1]], reasons=reasons)
        if result is NOT_OBSERVED:
            missing[_key(statement.kind, statement.path)] = None
        elif result is not None:
            stated.setdefault(place, []).append(result)
    found: list[Difference] = []
    for deal, views in enumerate(prepared.expected):
        for number, expected in enumerate(views):
            if end is not None and (deal, number) >= end:
                break
            here = stated.get((deal, number), [])
            found += here
            known = {difference.path for difference in here}
            found += [
                difference
                for difference in compare(expected, got[deal][number], deal, number)
                if difference.path not in known
            ]
    return found, list(missing)


def _key(kind: str, path: tuple[str, ...]) -> str:
    if kind == "value":
        return ".".join(path)
    if kind == "winner":
        return "last_trick.winner"
    return f"legal.{path[0]}"


def _wrong_shape(views: Any, prepared: Prepared) -> str | None:
    if not isinstance(views, list) or len(views) != len(prepared.expected):
        return (
            f"ok must be a list with one list of views for each of {len(prepared.expected)} deals"
        )
    for number, (deal, expected) in enumerate(zip(views, prepared.expected, strict=True)):
        if not isinstance(deal, list) or not all(isinstance(view, dict) for view in deal):
            return f"deal {number + 1} must be a list of views"
        if len(deal) > len(expected):
            return f"deal {number + 1} has {len(deal)} views, expected {len(expected)}"
        if len(deal) < len(expected) and not (deal and "error" in deal[-1]):
            return f"deal {number + 1} has {len(deal)} views, expected {len(expected)}"
        for view in deal:
            fault = _wrong_view(view)
            if fault is not None:
                return fault
    return None


def _wrong_view(view: View) -> str | None:
    legal = view.get("legal")
    if legal is None:
        return None
    if not isinstance(legal, dict):
        return "legal must map seats to lists of actions"
    for actions in legal.values():
        if actions is not None and not (
            isinstance(actions, list) and all(isinstance(action, str) for action in actions)
        ):
            return "legal must map seats to lists of actions"
    sees = view.get("sees")
    if sees is not None and not (
        isinstance(sees, dict) and all(known is None or _is_known(known) for known in sees.values())
    ):
        return "sees must map viewers to owners to lists of cards"
    return None


def _is_known(known: Any) -> bool:
    return isinstance(known, dict) and all(
        cards is None or (isinstance(cards, list) and all(isinstance(card, str) for card in cards))
        for cards in known.values()
    )


def _broken_view(got: tuple[tuple[View, ...], ...]) -> tuple[int, int, str] | None:
    for deal, views in enumerate(got):
        for number, view in enumerate(views):
            if "error" in view:
                return deal, number, _error_text(view["error"])
    return None


def _error_text(error: Any) -> str:
    message = error.get("message") if isinstance(error, Mapping) else error
    return str(message)[:300]
