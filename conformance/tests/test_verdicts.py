"""What an answer says about a scenario: stated, incidental, not observed, hostile."""

from __future__ import annotations

import copy
import gc
from typing import Any

import pytest

from bauernschnapsen_conformance.corpus import Prepared, Scenario, home_rules, load_corpus, prepare
from bauernschnapsen_conformance.run.collector import rare_collections
from bauernschnapsen_conformance.run.levels import Level, is_core, level_of
from bauernschnapsen_conformance.run.verdicts import Opinion, Verdict, judge_reply, judge_views
from bauernschnapsen_conformance.views import (
    NOT_OBSERVED,
    Difference,
    Statement,
    check_statement,
    compare,
    places_of,
    same,
)

Views = list[list[dict[str, Any]]]


@pytest.fixture(scope="module")
def heart() -> Prepared:
    item = load_corpus().find("play.heart-trick")
    return prepare(item, home_rules(item))


@pytest.fixture(scope="module")
def match() -> Prepared:
    """A scenario of several deals."""
    for item in load_corpus().scenarios:
        if len(item.deals) > 1 and not item.under:
            return prepare(item, home_rules(item))
    raise AssertionError


@pytest.fixture
def views(heart: Prepared) -> Views:
    return copy.deepcopy(heart.expected)


def judged(prepared: Prepared, views: Any, **how: Any) -> Opinion:
    return judge_reply(prepared, {"ok": views}, reasons=True, **how)


def test_the_expected_views_pass(heart: Prepared, match: Prepared) -> None:
    for prepared in (heart, match):
        opinion = judged(prepared, copy.deepcopy(prepared.expected))
        assert opinion.verdict is Verdict.PASS
        assert opinion.got == tuple(tuple(deal) for deal in prepared.expected)


def test_order_means_nothing_in_sets(heart: Prepared, views: Views) -> None:
    for view in views[0]:
        view["legal"] = {
            seat: list(reversed(actions)) for seat, actions in reversed(view["legal"].items())
        }
        if view["game"]:
            view["game"]["winners"].reverse()
    assert judged(heart, views).verdict is Verdict.PASS


def test_unknown_keys_are_ignored(heart: Prepared, views: Views) -> None:
    for view in views[0]:
        view["colour"] = "green"
        if view["contract"]:
            view["contract"]["likes"] = [1]
    assert judged(heart, views).verdict is Verdict.PASS


def test_what_was_stated_comes_first_and_the_rest_is_incidental(
    heart: Prepared, views: Views
) -> None:
    place = next(s.view for s in heart.statements if s.kind == "refused")
    views[0][place].pop("refused")
    views[0][place]["points"] = {"NS": 9, "EW": 9}
    opinion = judged(heart, views)
    assert opinion.verdict is Verdict.FAIL
    first, second = opinion.differences[:2]
    assert (first.path, first.stated) == (("refused",), True)
    assert (second.path, second.stated) == (("points", "NS"), False)
    assert first.view == second.view == place


def test_a_wrong_reason_counts_only_where_reasons_are_given(heart: Prepared, views: Views) -> None:
    place = next(s.view for s in heart.statements if s.kind == "refused")
    views[0][place]["refused"] = "play.turn"
    assert judged(heart, views).verdict is Verdict.FAIL
    assert judge_reply(heart, {"ok": views}, reasons=False).verdict is Verdict.PASS
    views[0][place]["refused"] = True
    assert judged(heart, views).verdict is Verdict.PASS


@pytest.mark.parametrize("value", [None, False, "", 0])
def test_an_empty_refusal_is_an_acceptance(heart: Prepared, views: Views, value: Any) -> None:
    place = next(s.view for s in heart.statements if s.kind == "refused")
    views[0][place]["refused"] = value
    assert judged(heart, views).verdict is Verdict.FAIL


def test_true_is_not_one_where_a_number_is_stated(heart: Prepared) -> None:
    stated = Statement(0, 0, "value", ("contract", "factor"), 1)
    prepared = Prepared(heart.item, heart.deals, heart.expected, [stated])
    views = copy.deepcopy(heart.expected)
    assert judged(prepared, views).verdict is Verdict.PASS
    views[0][0]["contract"]["factor"] = True
    assert judged(prepared, views).verdict is Verdict.FAIL


def test_null_is_a_statement_and_absence_is_none(heart: Prepared) -> None:
    view = {"phase": "over", "outcome": {"awards": {"NS": 1, "EW": 0}, "reason": "claim"}}
    expected = [[{**heart.expected[0][0], **view}]]
    stated = [Statement(0, 0, "value", ("outcome",), {"awards": {"NS": 1}})]
    prepared = Prepared(heart.item, heart.deals, expected, stated)

    def verdict(outcome: Any) -> Verdict:
        return judged(prepared, [[{"phase": "over", **outcome}]]).verdict

    def reason(outcome: Any) -> str:
        return judged(prepared, [[{"phase": "over", **outcome}]]).reason

    assert verdict({"outcome": {"awards": {"NS": 1}}}) is Verdict.PASS
    assert verdict({"outcome": {"awards": {"EW": 0}}}) is Verdict.UNSUPPORTED
    assert verdict({"outcome": {}}) is Verdict.UNSUPPORTED
    assert verdict({}) is Verdict.UNSUPPORTED
    assert verdict({"outcome": None}) is Verdict.FAIL
    assert verdict({"outcome": {"awards": None}}) is Verdict.FAIL
    assert verdict({"outcome": {"awards": {"NS": 1}, "reason": None}}) is Verdict.FAIL
    assert reason({"outcome": {"awards": {"EW": 0}}}) == "not observed: outcome.awards.NS"
    assert reason({"outcome": {}}) == reason({}) == "not observed: outcome.awards"


def test_a_seat_that_is_null_is_not_observed(heart: Prepared, views: Views) -> None:
    for view in views[0]:
        view["legal"] = dict.fromkeys("NESW")
    opinion = judged(heart, views)
    assert opinion.verdict is Verdict.UNSUPPORTED
    stated = [one.path[0] for one in heart.statements if one.kind == "legal"]
    seats = dict.fromkeys(f"legal.{seat}" for seat in stated)
    assert opinion.reason == f"not observed: {', '.join(seats)}"
    assert not opinion.excused
    for view in views[0]:
        view["legal"] = None
    opinion = judged(heart, views)
    assert (opinion.verdict, opinion.reason) == (Verdict.UNSUPPORTED, "not observed: legal")
    assert not opinion.excused


def test_a_seat_left_out_of_legal_has_no_action(heart: Prepared, views: Views) -> None:
    for view in views[0]:
        view["legal"].pop(view["to_act"], None)
    assert judged(heart, views).verdict is Verdict.FAIL


def test_views_of_a_lead_up_count_only_if_they_are_refused(heart: Prepared, views: Views) -> None:
    views[0][0]["points"] = {"NS": 7, "EW": 0}
    plain = Prepared(heart.item, heart.deals, heart.expected, [])
    assert judged(plain, views).verdict is Verdict.FAIL
    assert judged(plain, views, skip=(1,)).verdict is Verdict.PASS
    views[0][0]["refused"] = True
    assert judged(plain, views, skip=(1,)).verdict is Verdict.FAIL


def test_a_view_that_is_an_error_ends_the_comparison(heart: Prepared, views: Views) -> None:
    views[0][2] = {"error": {"message": "index\x1b[2J out of\nrange"}}
    del views[0][3:]
    opinion = judged(heart, views)
    assert opinion.verdict is Verdict.ERROR
    assert opinion.reason == "a view is an error: index\\x1b[2J out of\\nrange"
    # What was wrong before it is worth more.
    views[0][1]["trick"] = []
    assert judged(heart, views).verdict is Verdict.FAIL


def test_deals_after_an_error_may_be_missing(match: Prepared) -> None:
    views = copy.deepcopy(match.expected)
    broken = [[*views[0][:1], {"error": "stop"}]]
    for rest in ([], [None], ["?", 7]):
        opinion = judged(match, [*broken, *rest][: len(views)])
        assert opinion.verdict is Verdict.ERROR
        assert opinion.reason == "a view is an error: stop"


@pytest.mark.parametrize(
    "views",
    [
        None, 7, "views", {}, [], [[]], [None], [[None]], [["x"]], [[{}]], [[], []],
        [[{"legal": 7}] * 9], [[{"legal": {"N": 7}}] * 9], [[{"legal": {"N": [["AH"]]}}] * 9],
        [[{"sees": 7}] * 9], [[{"sees": {"N": 7}}] * 9], [[{"sees": {"N": {"E": [7]}}}] * 9],
    ],
)  # fmt: skip
def test_what_is_no_list_of_views_is_an_error(heart: Prepared, views: Any) -> None:
    opinion = judged(heart, views)
    assert opinion.verdict is Verdict.ERROR
    assert opinion.reason


HOSTILE: list[Any] = [
    None, True, 0, -1, "", "N", [], {}, [[]], [None], {"N": None}, {"NS": "x"}, {"NS": [1, None]},
    {"name": [], "declarer": {}, "factor": "x"}, {"cards": 7, "winner": []}, [["N"]], [["N", 7]],
    [["N", "KH", "x"]], {"awards": []}, {"winners": 7}, {"winners": [None, 1]}, {"": {"": {}}},
]  # fmt: skip


def test_any_value_in_any_place_gives_a_verdict(heart: Prepared, match: Prepared) -> None:
    from bauernschnapsen_conformance.run.turning import turn

    turning = turn(1, suits="DHCS").back()
    for prepared in (heart, match):
        for key in (*prepared.expected[0][0], "refused"):
            for value in HOSTILE:
                views = copy.deepcopy(prepared.expected)
                for deal in views:
                    for view in deal:
                        view[key] = copy.deepcopy(value)
                assert judged(prepared, views).verdict in Verdict
                assert turning.reply({"ok": views})


def test_replies_that_are_no_views(heart: Prepared) -> None:
    told = judge_reply(heart, {"unsupported": "no\x00 auction"}, reasons=True)
    assert (told.verdict, told.reason) == (Verdict.UNSUPPORTED, "adapter: no\\x00 auction")
    assert not told.excused
    for error in ("bad", {"message": "bad", "traceback": "..."}, {"x": "bad"}, None, 7):
        opinion = judge_reply(heart, {"error": error}, reasons=True)
        assert opinion.verdict is Verdict.ERROR
        assert opinion.reason


def test_a_long_error_is_cut(heart: Prepared) -> None:
    opinion = judge_reply(heart, {"error": {"message": "x" * 100_000}}, reasons=True)
    assert len(opinion.reason) < 400


def test_sees_says_nothing_about_whom_it_leaves_out() -> None:
    expected = {"phase": "play", "sees": {"E": {"W": ["AH", "TH"]}}}
    assert compare(expected, {"sees": {}}, 0, 0) == []
    assert compare(expected, {"sees": {"E": {}}}, 0, 0) == []
    assert compare(expected, {"sees": {"E": {"W": ["TH", "AH"]}}}, 0, 0) == []
    (wrong,) = compare(expected, {"sees": {"E": {"W": ["AH"]}}}, 0, 0)
    assert wrong.where == "sees.E.W"
    (more,) = compare(expected, {"sees": {"N": {"W": ["AH"]}}}, 0, 0)
    assert more.where == "sees.N.W"


def test_the_trick_is_not_compared_after_the_end() -> None:
    over = {"phase": "over", "trick": [["N", "AH"]], "to_act": None}
    assert compare(over, {"trick": [], "to_act": None}, 0, 0) == []
    assert compare({**over, "phase": "play"}, {"trick": []}, 0, 0)
    assert compare(over, {"to_act": "N"}, 0, 0)


def test_what_must_be_shown() -> None:
    for place in ("legal", "to_act", "outcome", "outcome.awards", "points", "tricks", "game",
                  "contract", "contract.name", "contract.declarer", "scores", "next_dealer",
                  "outcome.awards.NS", "game.bummerl"):  # fmt: skip
        assert is_core(place), place
    for place in ("phase", "trump", "bid", "trick", "last_trick.winner", "sees", "outcome.reason",
                  "outcome.factor", "contract.factor", "contract.trump"):  # fmt: skip
        assert not is_core(place), place


def test_every_level_has_scenarios_that_use_it() -> None:
    seen: dict[Level, int] = dict.fromkeys(Level, 0)
    for item in load_corpus().scenarios:
        prepared = prepare(item, home_rules(item))
        level = level_of(prepared)
        seen[level] += 1
        actions = {action for deal in prepared.deals for _, action in deal["actions"]}
        assert isinstance(item, Scenario)
        if level < Level.MATCH:
            assert len(prepared.deals) == 1
        if level < Level.CLAIMS:
            assert "enough" not in actions
        if level < Level.AUCTION:
            assert all("contract" in deal for deal in prepared.deals)
        if level is Level.TRICKS:
            assert {action.split(" ")[0] for action in actions} <= {"play"}
    assert all(seen.values())


def test_judging_changes_nothing(heart: Prepared) -> None:
    before = copy.deepcopy((heart.expected, heart.deals))
    judge_views(heart, [[{"legal": {}}] * len(heart.expected[0])])
    assert (heart.expected, heart.deals) == before


def test_the_quick_answer_is_never_wrong(heart: Prepared, match: Prepared) -> None:
    for prepared in (heart, match):
        for want in (view for deal in prepared.expected for view in deal):
            shuffled = {**want, "legal": {s: a[::-1] for s, a in want["legal"].items()}}
            assert same(want, shuffled)
            assert same(want, {**shuffled, "more": 1})
            for key in (*want, "refused", "error"):
                for value in HOSTILE:
                    changed = {**shuffled, key: value}
                    if same(want, changed):
                        assert compare(want, changed, 0, 0) == []
                        assert "error" not in changed
            for seat, actions in want["legal"].items():
                others: list[Any] = [[*actions, "show"], actions[1:], [], [[]], [None], "x", {}]
                for other in others:
                    if other != actions:
                        assert not same(want, {**want, "legal": {**want["legal"], seat: other}})


def test_the_collector_is_left_as_it_was() -> None:
    before = gc.get_threshold()
    with rare_collections():
        inside = gc.get_threshold()
        assert inside != before
        with rare_collections():
            assert gc.get_threshold() == inside
        assert gc.get_threshold() == inside
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_an_empty_list_of_seen_cards_is_the_same_as_none() -> None:
    nobody = Statement(0, 0, "value", ("sees",), {})
    viewer = Statement(0, 0, "value", ("sees", "N"), {})
    nothing_seen: list[Any] = [{}, {"N": {}}, {"N": {"E": [], "S": []}, "E": {}}]
    for sees in nothing_seen:
        assert check_statement(nobody, {"sees": sees}) is None
        assert check_statement(viewer, {"sees": sees}) is None
    for statement in (nobody, viewer):
        wrong = check_statement(statement, {"sees": {"N": {"E": ["AH"], "S": []}}})
        assert isinstance(wrong, Difference)
    assert check_statement(nobody, {}) is NOT_OBSERVED


def test_that_a_seat_sees_one_hand_and_not_another_can_be_stated() -> None:
    stated = Statement(0, 0, "value", ("sees",), {"E": {"W": ["AH"], "S": []}})
    for right in ({"E": {"W": ["AH"]}}, {"E": {"W": ["AH"], "S": []}, "N": {}}):
        assert check_statement(stated, {"sees": right}) is None
    wrong = check_statement(stated, {"sees": {"E": {"W": ["AH"], "S": ["TH"]}}})
    assert isinstance(wrong, Difference)
    assert (wrong.where, wrong.expected) == ("sees.E.S", [])
    silent: list[Any] = [{}, {"sees": {}}, {"sees": {"E": {"S": []}}}]
    for left_out in silent:
        assert check_statement(stated, left_out) is NOT_OBSERVED
    nothing = Statement(0, 0, "value", ("sees", "E", "S"), [])
    assert check_statement(nothing, {"phase": "play"}) is NOT_OBSERVED
    assert check_statement(nothing, {"sees": {"W": {"S": ["TH"]}}}) is None


def test_the_winner_of_the_last_trick_is_missed_where_only_the_last_trick_tells_him() -> None:
    winner = Statement(0, 4, "winner", (), "E")
    assert check_statement(winner, {"to_act": "E"}) is None
    assert check_statement(winner, {"to_act": None}) is NOT_OBSERVED
    # The deal is over: nobody is to act, and the core of the view was shown.
    assert places_of(winner, {"to_act": None}) == ["last_trick.winner"]
    assert not is_core("last_trick.winner")
    assert places_of(winner, {}) == ["to_act"]
