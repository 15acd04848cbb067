"""Reasons for a refusal in play, with marriages and claims, under the main ruleset.

N is forehand and W the dealer, except where a test says otherwise.
"""

from __future__ import annotations

import pytest
from scenes import Scene

# N holds three suits in its first three cards and no diamond there.
DEAL = "N: KH QS TC QH AD / E: AH TH AS KC JD / S: JH TS AC QC TD / W: KS JS JC KD QD"
# E holds all clubs, W four spades.
CLUBS = "N: AH TH KH QD JD / E: AC TC KC QC JC / S: QH JH AD TD KD / W: AS TS KS QS JS"


def normal() -> Scene:
    return Scene(DEAL, "normal N H")


# --------------------------------------------------------------------------- play


def test_the_partner_of_a_bettler_sits_out() -> None:
    scene = Scene(DEAL, "bettler S H")
    assert scene.view["to_act"] == "S"
    assert scene.refused("N play KH") == "play.sitting-out"
    assert scene.refused("N marry KH") == "play.sitting-out"
    scene.do("S TD", "W KD")
    assert scene.refused("N play AD") == "play.sitting-out"


def test_everybody_plays_in_turn() -> None:
    scene = normal()
    assert scene.refused("E play AH") == "play.turn"
    assert scene.do("N KH").refused("N play QH") == "play.turn"
    assert scene.refused("S marry QC") == "play.turn"


def test_one_plays_cards_from_his_own_hand() -> None:
    scene = normal()
    assert scene.refused("N play AH") == "play.own-cards"
    assert scene.refused("N marry KC") == "play.own-cards"
    scene.trick("KH AH JH JC")
    assert scene.refused("E play AH") == "play.own-cards"


def test_suit_is_followed() -> None:
    assert normal().do("N QS").refused("E play AH") == "play.follow"
    assert normal().do("N QS").refused("E play KC") == "play.follow"


def test_the_highest_card_is_beaten() -> None:
    scene = normal().do("N TC", "E KC")
    assert scene.refused("S play QC") == "play.beat"
    assert normal().do("N KH", "E TH").can("S play JH")  # he cannot beat the ten


def test_with_neither_the_suit_nor_a_trump_anything_goes() -> None:
    everything = {f"play {rank}C" for rank in "ATKQJ"}
    assert Scene(CLUBS, "normal N H").do("N QD").legal("E") == everything
    # Clubs were named, but in a Gang they are a suit like the others.
    assert Scene(RUFF, "gang N H").do("N AS").legal("E") == {
        *("play JH", "play AC", "play TC", "play KC", "play AD")
    }


RUFF = "N: AS TS TH QD JD / E: JH AC TC KC AD / S: KS QS JS AH QC / W: KH QH JC TD KD"
HIGH_RUFF = "N: AS TS JH QD JD / E: TH AC TC KC AD / S: KS QS JS AH QC / W: KH QH JC TD KD"


def test_a_trump_is_due_whether_it_wins_or_not() -> None:
    scene = Scene(RUFF, "normal N H").do("N AS")
    assert scene.refused("E AC") == "play.ruff"
    scene.do("E JH", "S JS")
    assert scene.refused("W JC") == "play.ruff"
    assert scene.legal("W") == {"play KH", "play QH"}
    scene = Scene(HIGH_RUFF, "normal N H").do("N AS", "E TH", "S JS")
    assert scene.refused("W TD") == "play.ruff"
    assert scene.legal("W") == {"play KH", "play QH"}


def test_a_trump_that_does_not_beat_is_refused_if_another_would() -> None:
    deal = "N: AS TS TH QD JD / E: QH AC TC KC AD / S: KS QS JS AH QC / W: KH JH JC TD KD"
    scene = Scene(deal, "normal N H").do("N AS", "E QH", "S JS")
    assert scene.refused("W play JH") == "play.over-ruff"
    assert scene.refused("W play KD") == "play.ruff"
    assert scene.legal("W") == {"play KH"}


# --------------------------------------------------------------------------- marriages


def test_marriages_are_declared_only_when_leading() -> None:
    scene = normal().do("N TC")
    assert scene.refused("E marry KC") == "marriages.on-lead"
    scene = Scene(CLUBS, "normal N C").do("N QD")
    assert scene.refused("E marry KC") == "marriages.on-lead"


@pytest.mark.parametrize("card", ["TC", "QS", "AD"])
def test_a_marriage_needs_king_and_queen_in_hand(card: str) -> None:
    assert normal().refused(f"N marry {card}") == "marriages.pair"


def test_a_half_that_has_been_played_makes_no_pair() -> None:
    deal = "N: KH QH AH QS TC / E: AS KC TH JD JC / S: JH TS AC QC TD / W: KS JS AD KD QD"
    scene = Scene(deal, "normal N H").trick("KH TH JH JS").trick("AS TS KS QS").trick("JD TD AD AH")
    assert scene.view["to_act"] == "N"
    assert scene.refused("N marry QH") == "marriages.pair"


@pytest.mark.parametrize(
    "contract", ["bettler N H", "gang N H", "zehner-gang N H", "bauern-schnapser N H"]
)
def test_most_contracts_have_no_marriages(contract: str) -> None:
    assert Scene(DEAL, contract).refused("N marry KH") == "marriages.contracts"


@pytest.mark.parametrize("contract", ["schnapser S H", "kontra-schnapser E H"])
def test_in_a_schnapser_only_the_declarer_declares(contract: str) -> None:
    assert Scene(DEAL, contract).refused("N marry KH") == "marriages.declarer-only"


# --------------------------------------------------------------------------- claims


@pytest.mark.parametrize("contract", ["bettler N H", "gang N H", "schnapser N H"])
def test_claims_belong_to_normal(contract: str) -> None:
    assert Scene(DEAL, contract).refused("N enough") == "claims.contract"


def test_only_the_winner_of_the_trick_claims_not_his_partner() -> None:
    scene = normal().trick("TC KC AC JC")
    assert scene.can("S enough")
    assert scene.refused("N enough") == "claims.claimer"


def test_the_other_side_does_not_claim_after_losing_a_trick() -> None:
    # claims.moment: only the side that has won the trick
    scene = normal().trick("TC KC AC JC")
    assert scene.refused("E enough") == "claims.moment"
    assert scene.refused("W enough") == "claims.moment"


def test_nobody_claims_before_a_trick_or_while_one_is_in_progress() -> None:
    scene = normal()
    assert scene.refused("N enough") == "claims.moment"
    scene.do("N TC")
    for seat in "NESW":
        assert scene.refused(f"{seat} enough") == "claims.moment"


def test_after_a_marriage_the_claim_waits_for_the_card_and_ends_with_the_next() -> None:
    scene = normal().do("N marry KH")
    assert scene.can("N enough")
    assert scene.refused("S enough") == "claims.claimer"
    assert scene.refused("E enough") == "claims.moment"
    scene.do("E AH")
    assert scene.refused("N enough") == "claims.moment"


def test_nobody_claims_after_the_lead_to_the_last_trick() -> None:
    deal = "N: AH TH KH AC AS / E: QH TC KC QC QS / S: JH JC TS KS JS / W: AD TD KD QD JD"
    scene = Scene(deal, "normal N H").trick("AH QH JH JD").trick("TH QC JS QD")
    scene.trick("AC TC JC KD").trick("AS QS TS TD")
    assert scene.can("N enough")
    scene.do("N KH")
    for seat in "NESW":
        assert scene.refused(f"{seat} enough") == "claims.last-trick"
