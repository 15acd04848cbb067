"""Every kind of engine is certified by what it can show, and by nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from certifying import BROKEN, by_verdict, certified, corpus, kind

from bauernschnapsen_conformance.corpus import PositionCase
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.verdicts import Verdict

pytestmark = pytest.mark.slow

ALL = tuple(Level)
FAILING = (Verdict.FAIL, Verdict.ERROR, Verdict.FLAKY, Verdict.NOT_RUN)


def show(report: Report) -> str:
    return "\n".join(
        f"{j.verdict} {j.item.id}: {j.reason} {[str(d) for d in j.differences[:2]]}"
        for j in report.judgements
        if not j.verdict.conforms
    )[:4000]


def run(step: int = 2, **hidden: Any) -> Report:
    report = certified(kind(**hidden), step=step, seed=7, blind=True)
    assert not set(by_verdict(report)) & set(FAILING), show(report)
    assert report.exit_code == 0
    return report


def reasons(report: Report) -> set[str]:
    return set(json_report(report)["not_observed"])


def test_an_engine_that_can_do_everything() -> None:
    report = run(1)
    assert report.levels == ALL
    assert set(by_verdict(report)) == {Verdict.PASS}
    assert report.shown.missing == ()
    assert report.notes == ()


def test_an_engine_without_queries_is_asked_positions_as_deals() -> None:
    engine = kind(queries=False)
    report = certified(engine, step=2, seed=3)
    assert report.levels == ALL
    assert set(by_verdict(report)) == {Verdict.PASS}


def test_an_engine_that_is_not_configurable_gets_no_ruleset() -> None:
    report = run(3, configurable=False)
    assert report.levels == ALL


def test_an_engine_without_reasons_passes_on_the_refusal_alone() -> None:
    assert run(3, reasons=False).levels == ALL


def test_queries_only() -> None:
    report = run(starts=())
    assert report.levels == (Level.TRICKS,)
    passed = by_verdict(report)[Verdict.PASS]
    assert {type(judgement.item) for judgement in passed} == {PositionCase}
    assert len(passed) == len(corpus().positions)
    assert reasons(report) == {"no replay"}
    assert any("queries only" in note for note in report.notes)


def test_one_query_only_certifies_no_level() -> None:
    engine = kind(starts=())
    engine.capabilities["trick_winner"] = False
    report = certified(engine, step=3)
    assert report.levels == ()
    assert report.exit_code == 1


def test_start_from_the_contract() -> None:
    report = run(starts=("contract",))
    assert report.levels == (Level.TRICKS, Level.DEAL, Level.CLAIMS, Level.MATCH)
    assert not report.reached(Level.AUCTION)
    assert reasons(report) == {"no auction"}
    left = [j for j in report.judgements if j.verdict is Verdict.UNSUPPORTED]
    for judgement in left:
        assert judgement.excused == (judgement.level is not Level.AUCTION)
    # Scenarios that begin with an auction are cut to the contract it led to where they can be.
    cut = [
        judgement
        for judgement in by_verdict(report)[Verdict.PASS]
        if judgement.prepared is not None
        and not isinstance(judgement.item, PositionCase)
        and any(deal.contract is None for deal in judgement.item.deals)
    ]
    assert len(cut) >= 2
    assert all("contract" in deal for j in cut if j.prepared for deal in j.prepared.deals)


def test_start_from_the_deal() -> None:
    report = run(starts=("deal",), queries=False)
    assert report.levels == ALL
    for judgement in report.judgements:
        if judgement.prepared is not None:
            assert all("contract" not in deal for deal in judgement.prepared.deals)
        if judgement.verdict is Verdict.UNSUPPORTED:
            assert judgement.excused
            assert judgement.reason.startswith("no auction leads to")
    # Most contract starts can be reached by an auction.
    assert len(by_verdict(report)[Verdict.PASS]) > 0.8 * len(report.judgements)


def test_an_auction_in_front_counts_only_as_far_as_it_is_refused() -> None:
    class OtherAuction:
        """Lists other bids than it should, but takes the right ones."""

        def __init__(self) -> None:
            self.inner = kind(starts=("deal",), queries=False)

        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            reply: dict[str, Any] = self.inner.handle(message)
            if message["op"] == "replay":
                for view in (view for deal in reply.get("ok", ()) for view in deal):
                    if view["phase"] == "auction":
                        view["legal"] = {seat: ["pass"] for seat in view["legal"]}
            return reply

    report = certified(OtherAuction(), step=3, seed=2)
    assert not report.reached(Level.AUCTION)
    assert {Level.TRICKS, Level.DEAL} <= set(report.levels)


def test_an_auction_in_front_that_is_refused_is_told() -> None:
    class NoBids:
        """Refuses every contract but the lowest."""

        def __init__(self) -> None:
            self.inner = kind(starts=("deal",), queries=False)

        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            reply: dict[str, Any] = self.inner.handle(message)
            if message["op"] == "replay" and "ok" in reply:
                for views, deal in zip(reply["ok"], message["deals"], strict=True):
                    for view, (_, action) in zip(views[1:], deal["actions"], strict=True):
                        if action.startswith("bid ") and action != "bid normal":
                            view["refused"] = True
            return reply

    report = certified(NoBids(), step=3, seed=2)
    gang = [j for j in by_verdict(report)[Verdict.FAIL] if j.level is Level.TRICKS]
    assert gang
    assert all(j.differences[0].path == ("refused",) for j in gang)


def test_claims_are_not_there() -> None:
    report = run(claims="none")
    assert report.levels == (Level.TRICKS, Level.DEAL, Level.AUCTION, Level.MATCH)
    assert reasons(report) == {"no claims"}
    assert not any(
        action == "enough"
        for judgement in report.judgements
        if judgement.prepared is not None
        for deal in judgement.prepared.deals
        for _, action in deal["actions"]
    )
    assert not any(
        judgement.level is Level.CLAIMS for judgement in by_verdict(report)[Verdict.PASS]
    )


@pytest.mark.parametrize("claims", ["none", "automatic"])
@pytest.mark.parametrize("start", ["deal", "contract"])
def test_without_claims_nobody_is_held_to_saying_enough(start: str, claims: str) -> None:
    # The other start is played again in the reference, which knows of claims.
    report = run(3, starts=(start,), claims=claims, queries=False)
    expected = [j.prepared.expected for j in report.judgements if j.prepared is not None]
    assert expected
    assert not any(
        "enough" in actions
        for deals in expected
        for views in deals
        for view in views
        for actions in view["legal"].values()
    )


@pytest.mark.parametrize("configurable", [True, False])
def test_claims_are_made_by_the_cards(configurable: bool) -> None:
    report = run(3, claims="automatic", configurable=configurable)
    assert report.levels == ALL
    assert any("claim_mode automatic" in note for note in report.notes)
    claims = [j for j in report.judgements if j.level is Level.CLAIMS]
    verdicts = {j.verdict for j in claims}
    assert Verdict.PASS in verdicts
    assert Verdict.NOT_APPLICABLE in verdicts
    certificate = json_report(report)
    assert certificate["profile"]["options"]["claim_mode"] == "called"


def test_an_engine_that_ignores_its_own_claims_is_found_out() -> None:
    # It says that deals end by themselves, but they go on.
    class GoesOn:
        def __init__(self) -> None:
            self.inner, self.told = kind(claims="none"), kind(claims="automatic")

        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            who = self.told if message["op"] == "hello" else self.inner
            if message["op"] == "rules":
                message["rules"]["options"]["claim_mode"] = "called"
            reply: dict[str, Any] = who.handle(message)
            return reply

    report = certified(GoesOn(), step=3)
    assert not report.reached(Level.CLAIMS)
    assert report.exit_code == 1


def test_one_deal_at_a_time() -> None:
    report = run(match=False)
    assert report.levels == (Level.TRICKS, Level.DEAL, Level.AUCTION, Level.CLAIMS)
    assert reasons(report) == {"no match: one deal at a time"}


def test_an_engine_that_enforces_nothing_is_held_to_what_it_offers() -> None:
    report = run(enforces=False)
    assert report.levels == ALL
    assert any("enforces nothing" in note for note in report.notes)

    class OffersTooMuch:
        def __init__(self) -> None:
            self.inner = kind(enforces=False)

        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            reply: dict[str, Any] = self.inner.handle(message)
            if message["op"] == "replay" and "ok" in reply:
                for views, deal in zip(reply["ok"], message["deals"], strict=True):
                    for view in views:
                        seat = view["to_act"]
                        if view["phase"] == "play" and seat in deal["hands"]:
                            hand = deal["hands"][seat]
                            view["legal"][seat] = [f"play {card}" for card in hand]
            return reply

    assert certified(OffersTooMuch(), step=3).levels == ()


def test_a_table_of_another_size() -> None:
    report = certified(kind(players=(3,)), step=3)
    assert report.levels == ()
    assert reasons(report) == {"no deals for 4 players"}


def test_a_ruleset_that_is_not_taken_leaves_nothing_to_judge() -> None:
    engine = kind(takes_rules=False)
    report = certified(engine, step=3)
    assert set(by_verdict(report)) == {Verdict.UNSUPPORTED}
    assert report.levels == ()
    assert report.exit_code == 1
    assert reasons(report) == {"the ruleset is not taken: equal bids by priority"}


# Views with keys left out ------------------------------------------------------------------


def test_welcome_keys_that_are_left_out_cost_no_level() -> None:
    hidden = ("phase", "trump", "bid", "trick", "sees", "last_trick.points", "contract.factor")
    report = run(leave_out=hidden)
    assert report.levels == ALL
    certificate = json_report(report)
    assert set(certificate["not_shown"]) == {*hidden, "bid.contract", "bid.seat"} - {"bid"}
    assert "not observed: phase" in certificate["not_observed"]
    unsupported = by_verdict(report)[Verdict.UNSUPPORTED]
    assert unsupported
    assert all(judgement.excused for judgement in unsupported)


def test_what_is_shown_is_compared_whatever_is_not() -> None:
    class WrongAwards:
        def __init__(self) -> None:
            self.inner = kind(leave_out=("outcome.reason",))

        def handle(self, message: dict[str, Any]) -> dict[str, Any]:
            reply: dict[str, Any] = self.inner.handle(message)
            if message["op"] == "replay":
                for view in (view for deal in reply["ok"] for view in deal):
                    if view["outcome"]:
                        view["outcome"]["awards"]["NS"] += 1
            return reply

    wrong = certified(WrongAwards(), step=3)
    right = certified(kind(leave_out=("outcome.reason",)), step=3)
    unsupported = {j.item.id for j in by_verdict(right)[Verdict.UNSUPPORTED]}
    assert unsupported
    assert unsupported <= {j.item.id for j in by_verdict(wrong)[Verdict.FAIL]}


@pytest.mark.parametrize(
    ("key", "lost"),
    [
        ("points", {Level.DEAL, Level.CLAIMS}),
        ("outcome.awards", {Level.DEAL, Level.CLAIMS, Level.AUCTION}),
        ("scores", {Level.MATCH}),
        ("next_dealer", {Level.MATCH}),
        ("game.bummerl", {Level.MATCH}),
        ("legal", {Level.TRICKS, Level.AUCTION}),
    ],
)
def test_core_keys_that_are_left_out_cost_their_levels(key: str, lost: set[Level]) -> None:
    report = certified(kind(leave_out=(key,), queries=False), step=3)
    assert not set(by_verdict(report)) & set(FAILING), show(report)
    assert not lost & set(report.levels)
    assert key in report.shown.missing
    assert any(f"not observed: {key}" in reason for reason in reasons(report))


def test_awards_of_one_side_only_are_not_observed() -> None:
    report = certified(kind(leave_out=("outcome.awards.EW",)), step=3)
    assert not set(by_verdict(report)) & set(FAILING), show(report)
    assert not report.reached(Level.DEAL)
    told = "not observed: outcome.awards.EW"
    unsupported = [judgement.reason for judgement in by_verdict(report)[Verdict.UNSUPPORTED]]
    # Seats are turned, so the engine leaves out either side as it is written.
    assert {reason for reason in unsupported if "awards" in reason} == {told, told[:-2] + "NS"}
    assert "not observed: outcome.awards (of a single side)" in reasons(report)
    assert "not observed: outcome.awards" not in reasons(report)


def test_it_is_the_same_over_the_pipe() -> None:
    hidden = ["--starts", "contract", "--claims", "none", "--leave-out", "sees", "--no-reasons"]
    command = [sys.executable, "-m", "bauernschnapsen_conformance", "certify", "--seed", "4"]
    done = subprocess.run(
        [*command, "--", sys.executable, str(BROKEN / "kinds.py"), *hidden],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Levels reached: 1 tricks, 2 deal, 5 match" in done.stdout
    assert "Never shown in a view: sees" in done.stdout
    assert "no auction" in done.stdout
