"""The engine in plain JavaScript on the worked examples: tricks, trump and auction."""

from __future__ import annotations

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
from javascript_adapter import engine as engine  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


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
