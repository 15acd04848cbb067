"""The engine in plain JavaScript on the worked examples: its answers are worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from javascript_adapter import (
    E1,
    E2,
    E3,
    E4,
    E5,
    E6,
    E7,
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
    FIVE_TRUMPS,
    NODE,
    SEATS,
    TWO_FIVES,
    Engine,
    awards,
    deal,
    legal,
    plays,
    reasons,
)

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    one = Engine()
    yield one
    one.close()


# ------------------------------------------------------------------------------------------ tricks


def test_e1_the_ace_must_beat_the_king(engine: Engine) -> None:
    views = engine.play(
        deal(E1, "N play KH, E play JH, E play AH, S play TH, W play QH", "normal N H")
    )
    assert plays(views[1], "E") == "AH"
    assert reasons(views) == ["play.beat"]
    assert views[-1]["last_trick"]["winner"] == "E"
    assert views[-1]["points"] == {"NS": 0, "EW": 28}
    assert views[-1]["to_act"] == "E"


def test_e2_partner_has_to_be_beaten_too(engine: Engine) -> None:
    views = engine.play(
        deal(E2, "N play KS, E play JS, S play QS, S play TS, W play AS", "normal N H")
    )
    assert plays(views[2], "S") == "TS"
    assert reasons(views) == ["play.beat"]
    assert views[-1]["last_trick"]["points"] == 27


def test_e3_a_ruffed_trick_is_still_followed(engine: Engine) -> None:
    actions = "N play AS, E play JH, S play AH, S play JS, W play JC, W play QH"
    views = engine.play(deal(E3, actions, "normal N H"))
    assert plays(views[1], "E") == "JH"
    assert plays(views[2], "S") == "JS KS QS TS"
    assert plays(views[4], "W") == "KH QH"
    assert reasons(views) == ["play.follow", "play.ruff"]


def test_e4_a_trump_has_to_be_played_even_if_it_cannot_win(engine: Engine) -> None:
    record = deal(E4, "N play AS, E play TH, S play TS, W play QC, W play KH", "normal N H")
    views = engine.play(record)
    assert plays(views[3], "W") == "JH KH QH"
    assert reasons(views) == ["play.ruff"]
    assert views[-1]["last_trick"]["winner"] == "E"
    free = engine.play(record, contracts={"normal": {"undertrump": "free"}})
    assert plays(free[3], "W") == "JC JH KH QC QH"


def test_over_ruff(engine: Engine) -> None:
    case = {
        "contract": "normal",
        "trump": "H",
        "declarer": "N",
        "seats": [*SEATS],
        "trick": [["N", "AS"], ["E", "QH"], ["S", "KS"]],
        "seat": "W",
        "hand": ["JH", "KH", "AC"],
    }
    reply = engine.ask("legal_plays", rules=engine.rules(), cases=[case, {**case, "contract": "x"}])
    assert reply["ok"][0] == ["KH"]
    assert set(reply["ok"][1]) == {"unsupported"}
    free = engine.rules({"contracts": {"normal": {"overtrump": "free"}}})
    assert engine.ask("legal_plays", rules=free, cases=[case])["ok"] == [["JH", "KH"]]
    full = {**case, "trick": [*case["trick"], ["W", "KH"]]}
    alive = {**full, "contract": "gang"}
    reply = engine.ask(
        "trick_winner", rules=engine.rules(), cases=[full, alive, {**full, "trick": []}]
    )
    assert reply["ok"][:2] == ["W", "N"]
    assert set(reply["ok"][2]) == {"error"}


def test_e5_no_trump_in_a_gang(engine: Engine) -> None:
    views = engine.play(deal(E5, "E play AS, S play KS, W play QS, N play JH", "gang E H"))
    assert views[0]["contract"] == {"name": "gang", "declarer": "E", "trump": None, "factor": 1}
    assert views[0]["trump"] == "H"
    assert plays(views[3], "N") == "JC JD JH QC QD"
    assert views[-1]["last_trick"]["winner"] == views[-1]["to_act"] == "E"


def test_e6_the_ace_is_lowest_in_a_zehner_gang(engine: Engine) -> None:
    actions = (
        "E play TS, S play KS, W play QS, N play QC, E play AS, S play QH, W play JS, N play JC"
    )
    views = engine.play(deal(E6, actions, "zehner-gang E H"))
    assert views[4]["last_trick"]["winner"] == "E"
    assert plays(views[6], "W") == "JS"
    assert awards(views[-1]) == (10, 0, "failed")


def test_e7_e8_a_bettler_is_played_by_three(engine: Engine) -> None:
    actions = "E play TC, W play QC, N play JC, N play KC, S play AC"
    views = engine.play(deal(E7, actions, "bettler W H"))
    assert reasons(views) == ["play.sitting-out", "play.beat"]
    assert views[-1]["last_trick"]["cards"] == [["W", "QC"], ["N", "KC"], ["S", "AC"]]
    assert views[-1]["to_act"] == "S"
    views = engine.play(
        deal(E8, "W play QC, N play AC, S play JC, N play JD, S play QD, W play KD", "bettler W H")
    )
    assert plays(views[5], "W") == "KD"
    assert awards(views[-1]) == (4, 0, "failed")


# ------------------------------------------------------------------------------- trump and auction


def test_e9_forehand_may_take_over(engine: Engine) -> None:
    opening = "N trump H, N bid normal, E pass, S pass, W bid gang"
    views = engine.play(deal(E1, f"{opening}, N bid gang"))
    assert views[5]["bid"] == {"seat": "W", "contract": "gang"}
    assert legal(views[5], "N") == {"pass", "bid gang", "bid zehner-gang", "bid bauern-schnapser"}
    higher = {"pass", "bid zehner-gang", "bid kontra-schnapser", "bid kontra-bauern-schnapser"}
    assert legal(views[6], "W") == higher


def test_e10_e11_priority_and_order(engine: Engine) -> None:
    record = deal(
        E1,
        "N trump H, N pass, N bid normal, W pass, E bid bettler, S bid bettler, S bid schnapser, "
        "W bid gang, N pass, N bid gang, E bid gang",
    )
    views = engine.play(record)
    assert reasons(views) == [
        "auction.must-open",
        "auction.turn",
        "auction.hold",
        "auction.pass-final",
    ]
    assert views[-1]["bid"] == {"seat": "E", "contract": "gang"}
    actions = "N trump H, N bid normal, E bid kontra-schnapser, S bid bauern-schnapser, "
    views = engine.play(deal(E1, actions + "W bid kontra-schnapser, W bid schnapser, W pass"))
    assert reasons(views) == ["auction.higher", "auction.bidders"]
    assert legal(views[-1], "N") == {"pass", "bid bauern-schnapser"}
    never = engine.play(record, options={"equal_bids": "never"})
    assert reasons(never)[-1] == "auction.hold"


def test_e12_e15_laying_down_five_trumps(engine: Engine) -> None:
    record = deal(
        FIVE_TRUMPS,
        "N trump H, N bid normal, E pass, S pass, W bid kontra-bauern-schnapser, "
        "N bid herren-schnapser, W pass, E show, E kontra, N play AH, N enough, N show, N show",
    )
    views = engine.play(record)
    assert legal(views[6], "W") == {"pass"}
    assert views[7]["phase"] == "show"
    assert reasons(views) == [
        "contracts.show-declarer",
        "play.when",
        "claims.contract",
        "scoring.deal-over",
    ]
    assert awards(views[-1]) == (48, 0, "shown")
    assert views[-1]["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 2}}
    assert views[-1]["sees"] == {seat: {"N": ["AH", "TH", "KH", "QH", "JH"]} for seat in "ESW"}
    views = engine.play(
        deal(FIVE_TRUMPS, "N trump H, N bid herren-schnapser, E pass, S pass, W pass")
    )
    assert [legal(view, view["to_act"]) for view in views[2:5]] == [{"pass"}] * 3


def test_e13_e14_declarer_and_lead(engine: Engine) -> None:
    views = engine.play(deal(E1, "N trump H, N bid bettler, E pass, S pass, W pass, S play TH"))
    assert views[-1]["to_act"] == "N"
    assert reasons(views) == ["play.sitting-out"]
    views = engine.play(deal(E1, "N trump H, N bid normal, E bid gang, S pass, W pass, N pass"))
    assert views[-1]["contract"] == {"name": "gang", "declarer": "E", "trump": None, "factor": 1}
    assert (views[-1]["to_act"], views[-1]["bid"]) == ("E", None)


def test_e16_two_hands_of_one_suit(engine: Engine) -> None:
    views = engine.play(
        deal(TWO_FIVES, "N trump H, N bid normal, E bid farben-gang, S pass, W bid farben-gang")
    )
    assert reasons(views) == ["auction.hold"]
    views = engine.play(
        deal(
            TWO_FIVES,
            "N trump H, N bid normal, E bid bettler, S bid farben-gang, S pass, W bid farben-gang, "
            "N pass, E bid farben-gang",
        )
    )
    assert reasons(views) == ["auction.cards-required"]
    assert views[-1]["bid"] == {"seat": "E", "contract": "farben-gang"}


def test_e17_e18_e19_naming_and_turning_up(engine: Engine) -> None:
    diamonds = "AD TD KD QD JD / AH TH KH AC TC / QH JH KC QC JC / AS TS KS QS JS"
    views = engine.play(deal(diamonds, "N trump H, E trump D, N turn-up 2, N bid farben-gang"))
    assert legal(views[0], "N") == {"trump D", "turn-up 1", "turn-up 2"}
    assert reasons(views) == ["deal.trump-from-three", "deal.forehand-names", "auction.bidders"]
    assert views[-1]["trump"] == "D"
    assert views[-1]["sees"] == {seat: {"N": ["JD"]} for seat in "ESW"}
    assert "bid herren-schnapser" in legal(views[-1], "N")
    turned = "AH TS KC JD AD / TH KH AC TC KD / QH JH QC JC QD / AS TD KS QS JS"
    views = engine.play(deal(turned, "N trump D, N redeal, N turn-up 1, N trump C, N turn-up 2"))
    assert views[-1]["trump"] == "D"
    assert reasons(views) == [
        "deal.trump-from-three",
        "deal.no-redeal",
        "deal.trump-once",
        "deal.trump-once",
    ]


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
