"""The engine in plain JavaScript on the worked examples: marriages, claims, doubling and score."""

from __future__ import annotations

import pytest
from javascript_adapter import (
    E2,
    E8,
    E20,
    E22,
    E23,
    E24,
    E24_TRICKS,
    E25,
    E32,
    E32_LOST,
    E36,
    E36_TRICKS,
    FIRST_27,
    NODE,
    SEATS,
    Engine,
    awards,
    deal,
    legal,
    reasons,
)
from javascript_adapter import engine as engine  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


# ---------------------------------------------------------------------------- marriages and claims


def test_e20_enough_after_the_marriage(engine: Engine) -> None:
    actions = f"E kontra, {FIRST_27}, S enough, E enough, N marry KH, S enough, N enough"
    views = engine.play(deal(E20, actions, "normal N H"))
    assert reasons(views) == ["claims.claimer", "claims.moment", "claims.claimer"]
    assert views[-2]["sees"] == {seat: {"N": ["QH"]} for seat in "ESW"}
    assert views[-2]["points"] == {"NS": 67, "EW": 0}
    assert awards(views[-1]) == (6, 0, "claim")
    assert (views[-1]["to_act"], views[-1]["legal"]) == (None, {})
    assert views[-1]["next_dealer"] == "N"


def test_e21_the_same_hand_as_schnapser(engine: Engine) -> None:
    record = deal(E20, f"{FIRST_27}, N marry KH, E play AH, S play TH, W play JH", "schnapser N H")
    assert awards(engine.play(record)[-1]) == (0, 6, "failed")
    changed = {"contracts": {"schnapser": {"ends_early": "when_lost_or_marriage"}}}
    assert awards(engine.play(record, **changed)[5]) == (6, 0, "made")


def test_e22_a_false_claim(engine: Engine) -> None:
    rest = "N play AS, E play TS, S play JS, W play JD, N marry KH, N enough"
    views = engine.play(deal(E22, rest, "normal N H"))
    assert views[-2]["points"] == {"NS": 65, "EW": 0}
    assert awards(views[-1]) == (0, 3, "false_claim")
    views = engine.play(deal(E22, f"E kontra, S rekontra, {rest}", "normal N H"))
    assert awards(views[-1]) == (0, 12, "false_claim")
    blocked = engine.play(deal(E22, rest, "normal N H"), options={"false_claims": "blocked"})
    assert reasons(blocked) == ["claims.may-be-false"]


def test_e23_a_marriage_is_no_trick(engine: Engine) -> None:
    actions = (
        "N marry KH, E play AH, S play JH, W play TH, E play AD, S play QD, W play TD, N play JD, "
        "E play AC, S play KC, W play TC, N play JC, N enough, E enough"
    )
    views = engine.play(deal(E23, actions, "normal N H"))
    assert views[-2]["points"] == {"NS": 40, "EW": 80}
    assert awards(views[-1]) == (0, 3, "claim")


def test_e24_the_losers_thirty_three(engine: Engine) -> None:
    views = engine.play(deal(E24, f"{E24_TRICKS}, N enough", "normal N H"))
    assert views[-2]["points"] == {"NS": 75, "EW": 40}
    assert awards(views[-1]) == (1, 0, "claim")
    record = deal(E24, f"{E24_TRICKS}, N enough", "normal N H")
    assert awards(engine.play(record, options={"loser_33": "tricks_only"})[-1])[0] == 2
    assert "marry KC" in legal(views[4], "E")


def test_e26_nobody_claims_in_the_last_trick(engine: Engine) -> None:
    actions = f"{E24_TRICKS}, N play JD, N enough, E play QC, S play TD, W play TC"
    record = deal(E24, actions, "normal N H")
    views = engine.play(record)
    assert reasons(views) == ["claims.last-trick"]
    assert awards(views[-1]) == (1, 0, "last_trick")
    at_end = engine.play(record, options={"claim_mode": "at_end", "loser_33": "tricks_only"})
    assert awards(at_end[-1]) == (2, 0, "counted")


def test_e25_all_five_tricks_unclaimed_score_one(engine: Engine) -> None:
    three = (
        "N play AH, E play AS, S play JH, W play TC, N play TH, E play TS, S play QS, W play QC, "
        "N play KH, E play KS, S play QD, W play JS"
    )
    assert awards(engine.play(deal(E25, f"{three}, N enough", "normal N H"))[-1]) == (3, 0, "claim")
    two = "N play QH, E play TD, S play JD, W play AD, N play AC, E play KD, S play JC, W play KC"
    record = deal(E25, f"{three}, {two}", "normal N H")
    assert awards(engine.play(record)[-1]) == (1, 0, "last_trick")
    graded = engine.play(record, options={"last_trick_award": "graded"})
    assert awards(graded[-1]) == (3, 0, "last_trick")
    assert awards(engine.play(record, options={"claim_mode": "automatic"})[12]) == (3, 0, "claim")


def test_e27_e30_who_claims_and_when(engine: Engine) -> None:
    views = engine.play(deal(E20, f"N enough, {FIRST_27}, S enough, N play KH", "normal N H"))
    assert reasons(views) == ["claims.moment", "claims.claimer"]
    assert not any("enough" in legal(views[-1], seat) for seat in SEATS)
    side = engine.play(deal(E20, FIRST_27, "normal N H"), options={"claim_by": "side"})
    assert [seat for seat in SEATS if "enough" in legal(side[-1], seat)] == ["N", "S"]
    wide = engine.play(
        deal(E20, FIRST_27, "normal N H"), options={"claim_window": "between_tricks"}
    )
    assert [seat for seat in SEATS if "enough" in legal(wide[-1], seat)] == ["N", "E", "S", "W"]


def test_e32_kontra_schnapser(engine: Engine) -> None:
    actions = (
        "N play QS, E play AS, S play JS, W play TH, W marry KH, N play JH, E play JC, S play QC, "
        "W enough, W play AH, N play JD, E play KC, S play TC"
    )
    views = engine.play(deal(E32, actions, "kontra-schnapser W H"))
    assert reasons(views) == ["claims.contract"]
    assert awards(views[-1]) == (0, 12, "made")
    views = engine.play(
        deal(E32_LOST, "N play QS, E play AS, S play TS, W play JS", "kontra-schnapser W H")
    )
    assert awards(views[-1]) == (12, 0, "failed")


def test_e34_marriages_refused(engine: Engine) -> None:
    views = engine.play(deal(E20, "N marry KH", "schnapser S H"))
    assert reasons(views) == ["marriages.declarer-only"]
    actions = "N marry QC, N marry JD, N play JC, E marry KC, S marry TC"
    assert reasons(engine.play(deal(E20, actions, "normal N H"))) == [
        "play.own-cards",
        "marriages.pair",
        "marriages.on-lead",
        "play.turn",
    ]
    assert reasons(engine.play(deal(E20, "N marry KH", "bauern-schnapser N H"))) == [
        "marriages.contracts"
    ]
    needs = engine.play(
        deal(E20, "N marry KH", "normal N H"), options={"marriage_needs": "side_trick"}
    )
    assert reasons(needs) == ["marriages.first-lead"]


def test_e35_partner_may_not_win(engine: Engine) -> None:
    views = engine.play(deal(E2, "E play JS, S play TS, W play AS, N play KS", "gang E H"))
    assert awards(views[-1]) == (9, 0, "failed")


# ------------------------------------------------------------------------------ doubling and score


def test_e36_three_steps_of_doubling(engine: Engine) -> None:
    calls = "E rekontra, N kontra, E kontra, W kontra, S rekontra, E subkontra, W subkontra"
    record = deal(E36, f"{calls}, {E36_TRICKS}, W kontra, N marry KH, N enough", "normal N H")
    views = engine.play(record)
    assert reasons(views) == [
        "doubling.rekontra",
        "doubling.kontra",
        "doubling.steps",
        "doubling.steps",
        "doubling.window",
    ]
    assert views[-2]["points"] == {"NS": 68, "EW": 21}
    assert awards(views[-1]) == (16, 0, "claim")
    assert views[-1]["outcome"]["factor"] == 8
    once = engine.play(record, options={"kontra_by": "each_once"})
    assert once[6]["refused"] == "doubling.subkontra"
    assert "refused" not in once[7]


def test_e38_to_e40_the_end_of_a_game(engine: Engine) -> None:
    south = "AH TH KD QD JD / KH QH JH AD TD / AC TC KC QC JC / AS TS KS QS JS"
    farben = deal(south, "S show", "farben-gang S H", scores={"NS": 22, "EW": 0})
    last = engine.play(farben)[-1]
    assert last["scores"] == {"NS": 40, "EW": 0}
    assert last["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 2}}
    bettler = "W play QC, N play AC, S play JC, N play JD, S play QD, W play KD"
    last = engine.play(deal(E8, bettler, "bettler W H", scores={"NS": 20, "EW": 23}))[-1]
    assert last["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 1}}
    east = "AD TD KD QD JD / AH TH KH QH JH / AC TC KC QC JC / AS TS KS QS JS"
    tricks = "N play JD, E play JH, S play JC, W play JS, " + ", ".join(
        f"E play {rank}H, S play {rank}C, W play {rank}S, N play {rank}D" for rank in "QKTA"
    )
    record = deal(east, tricks, "kontra-bauern-schnapser E H", scores={"NS": 23, "EW": 0})
    last = engine.play(record)[-1]
    assert awards(last) == (0, 24, "made")
    assert last["game"] == {"winners": ["EW"], "bummerl": {"NS": 1, "EW": 0}}
    last = engine.play(record, options={"retourschneider": 4, "bummerl_to": "winner"})[-1]
    assert last["game"]["bummerl"] == {"NS": 0, "EW": 4}
    following = {"hands": record["hands"], "actions": []}
    first = engine.views(record, following)[1][0]
    assert (first["scores"], first["to_act"]) == ({"NS": 0, "EW": 0}, "E")
