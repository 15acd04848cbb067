"""Hints at other house rules: given where they explain a good part of what fails, else withheld."""

from __future__ import annotations

from typing import Any

import pytest
from certifying import certified, kind

from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance import hints
from bauernschnapsen_conformance.hints import FEW, find_hints, helps, hint_lines
from bauernschnapsen_conformance.identify.served import fixed_engine
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.verdicts import Verdict

pytestmark = pytest.mark.slow


AMPLE = 600.0
"""So many seconds are never needed: how fast a machine is must not decide what is found."""


class House:
    """Plays a Bettler for so many points, and errs in a contract as no house rule does."""

    def __init__(self, value: int, errs_in: str = "") -> None:
        changes = {"contracts": {"bettler": {"value": value}}}
        self._inner = fixed_engine(vary(load_ruleset("pagat"), changes))
        self._errs_in = errs_in

    def handle(self, message: dict[str, Any]) -> dict[str, Any]:
        reply = self._inner.handle(message)
        if message["op"] == "replay" and "ok" in reply:
            for view in (view for deal in reply["ok"] for view in deal):
                if (view["contract"] or {}).get("name") == self._errs_in:
                    view["points"]["NS"] += 1
        return reply


def failures(report: Report) -> int:
    return report.counts().get(Verdict.FAIL, 0)


def test_a_house_rule_is_named_and_where_to_find_out_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = certified(House(5), step=6)
    found = find_hints(report, seconds=AMPLE)
    assert [hint.path for hint in found] == ["contracts.bettler.value"]
    assert found[0].vanished == found[0].failures == failures(report) > 0
    monkeypatch.setattr(hints, "find_hints", lambda _: found)
    assert hint_lines(report, "-- ./my-adapter") == [
        str(found[0]),
        "run: bauernschnapsen identify -- ./my-adapter",
    ]


@pytest.mark.parametrize(
    ("value", "errs_in", "told"),
    [
        (5, "gang", True),  # played somewhere, a good part of what fails
        (9, "gang", False),  # as good a part, but nobody plays so
        (5, "normal", False),  # played somewhere, hardly anything of what fails
    ],
)
def test_a_house_rule_is_named_only_where_it_explains_enough(
    monkeypatch: pytest.MonkeyPatch, value: int, errs_in: str, told: bool
) -> None:
    report = certified(House(value, errs_in), step=6)
    asked: set[tuple[int, bool]] = set()

    def watched(vanished: int, of: int, *, known: bool) -> bool:
        assert of == failures(report)
        asked.add((vanished, known))
        return helps(vanished, of, known=known)

    monkeypatch.setattr(hints, "helps", watched)
    found = find_hints(report, seconds=AMPLE)
    assert [(hint.path, hint.value) for hint in found] == (
        [("contracts.bettler.value", value)] if told else []
    )
    # It was found and weighed, whether or not it is told.
    assert failures(report) > 5 * FEW
    assert any(vanished >= FEW and known == (value == 5) for vanished, known in asked)


def test_how_many_are_enough() -> None:
    for vanished, of, known, told in (
        (1, 1, True, True),
        (2, 2, False, True),
        (1, 7, True, False),
        (3, 30, True, True),
        (3, 31, True, False),
        (15, 30, False, True),
        (14, 30, False, False),
    ):
        assert helps(vanished, of, known=known) == told, (vanished, of)


def test_where_nothing_fails_there_is_nothing_to_hint_at() -> None:
    assert hint_lines(certified(kind(), step=8), "-- ./my-adapter") == []


def test_wrong_reasons_are_not_laid_to_house_rules() -> None:
    """Where only the reason of a refusal is wrong, it stays so under whatever other rules."""

    class WrongReasons(House):
        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            reply = super().handle(message)
            if message["op"] == "hello":
                assert reply["ok"]["capabilities"]["reasons"]
            if message["op"] == "replay" and "ok" in reply:
                for view in (view for deal in reply["ok"] for view in deal):
                    if view.get("refused") == "play.turn":
                        view["refused"] = "play.own-cards"
            return reply

    report = certified(WrongReasons(4), step=3)
    assert failures(report) > 0
    assert find_hints(report, seconds=AMPLE) == []
