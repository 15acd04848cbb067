"""Reasons for a refusal before the play under the main ruleset, and which of several is named.

N is forehand and W the dealer, except where a test says otherwise.
"""

from __future__ import annotations

import pytest
from scenes import Scene

from bauernschnapsen import notation, table
from bauernschnapsen.errors import Refusal

# N holds three suits in its first three cards and no diamond there.
DEAL = "N: KH QS TC QH AD / E: AH TH AS KC JD / S: JH TS AC QC TD / W: KS JS JC KD QD"
# E holds all clubs, W four spades.
CLUBS = "N: AH TH KH QD JD / E: AC TC KC QC JC / S: QH JH AD TD KD / W: AS TS KS QS JS"


def normal() -> Scene:
    return Scene(DEAL, "normal N H")


# --------------------------------------------------------------------------- phase


@pytest.mark.parametrize(
    ("done", "step", "rule"),
    [
        # before the trump is fixed
        ([], "N bid normal", "auction.when"),
        ([], "N pass", "auction.when"),
        ([], "N play KH", "play.when"),
        ([], "N marry KH", "play.when"),
        ([], "N enough", "claims.moment"),
        ([], "N show", "contracts.show"),
        ([], "E kontra", "doubling.window"),
        ([], "N redeal", "deal.no-redeal"),
        # in the auction
        (["N trump H"], "N trump S", "deal.trump-once"),
        (["N trump H"], "N turn-up 1", "deal.trump-once"),
        (["N turn-up 1"], "N turn-up 2", "deal.trump-once"),
        (["N turn-up 2"], "N trump H", "deal.trump-once"),
        (["N trump H"], "N redeal", "deal.trump-once"),
        (["N trump H"], "N play KH", "play.when"),
        (["N trump H"], "N enough", "claims.moment"),
        (["N trump H", "N bid normal"], "E kontra", "doubling.window"),
        (["N trump H", "N bid normal", "E pass", "S pass"], "E kontra", "doubling.window"),
        (["N trump H"], "N show", "contracts.show"),
        # in the play
        (["N trump H", "N bid normal", "E pass", "S pass", "W pass"], "N pass", "auction.when"),
        (["N trump H", "N bid gang", "E pass", "S pass", "W pass"], "N bid gang", "auction.when"),
        (["N trump H", "N bid gang", "E pass", "S pass", "W pass"], "N trump S", "deal.trump-once"),
        (["N trump H", "N bid gang", "E pass", "S pass", "W pass"], "N show", "contracts.show"),
    ],
)
def test_each_phase_has_its_own_actions(done: list[str], step: str, rule: str) -> None:
    assert Scene(DEAL).do(*done).refused(step) == rule


def test_after_the_end_everything_is_refused_for_one_reason() -> None:
    scene = Scene(DEAL, "gang N H").trick("KH AH JH").do("W JC")
    assert scene.reason == "failed"
    for step in (
        "N play QH",
        "E enough",
        "W kontra",
        "N show",
        "S bid gang",
        "N trump H",
        "E pass",
    ):
        assert scene.refused(step) == "scoring.deal-over"


def test_in_a_contract_that_is_not_played_one_can_only_show_and_double() -> None:
    scene = Scene(CLUBS, "farben-gang E H")
    assert scene.view["legal"] == {"E": ["show"], "N": ["kontra"], "S": ["kontra"]}
    assert scene.refused("E play AC") == "play.when"
    assert scene.refused("E marry KC") == "play.when"
    assert scene.refused("E enough") == "claims.contract"
    assert scene.refused("N show") == "contracts.show-declarer"
    assert scene.refused("W show") == "contracts.show-declarer"
    assert scene.refused("E bid farben-gang") == "auction.when"


# --------------------------------------------------------------------------- trump


def test_only_forehand_names_the_trump() -> None:
    scene = Scene(DEAL)
    for step in ("E trump H", "S trump S", "W turn-up 1", "E redeal"):
        assert scene.refused(step) == "deal.forehand-names"


def test_the_trump_comes_from_the_first_three_cards() -> None:
    # N's ace of diamonds is its fifth card.
    assert Scene(DEAL).refused("N trump D") == "deal.trump-from-three"
    assert Scene(DEAL).legal("N") == {"trump H", "trump S", "trump C", "turn-up 1", "turn-up 2"}


# --------------------------------------------------------------------------- auction


def auction(*bids: str) -> Scene:
    return Scene(DEAL).do("N trump H", *bids)


def test_everybody_bids_in_turn() -> None:
    assert auction().refused("E bid bettler") == "auction.turn"
    assert auction("N bid normal").refused("S pass") == "auction.turn"
    assert auction("N bid normal").refused("N bid gang") == "auction.turn"


def test_forehand_opens() -> None:
    assert auction().refused("N pass") == "auction.must-open"


def test_whoever_has_passed_is_out() -> None:
    scene = auction("N bid normal", "E pass", "S bid schnapser")
    assert scene.refused("E bid gang") == "auction.pass-final"
    assert scene.refused("E pass") == "auction.pass-final"
    assert scene.do("W pass").refused("E bid gang") == "auction.pass-final"


@pytest.mark.parametrize(
    ("done", "steps"),
    [
        (
            [],
            [f"N bid {name}" for name in ("kontra-schnapser", "farben-gang")]
            + ["N bid kontra-bauern-schnapser", "N bid plauderer", "N bid no-such-thing"],
        ),
        (["N bid normal"], [f"E bid {c}" for c in ("normal", "schnapser", "bauern-schnapser")]),
        (["N bid normal"], ["E bid herren-schnapser"]),
        (["N bid normal", "E pass"], ["S bid kontra-schnapser", "S bid kontra-bauern-schnapser"]),
        (["N bid normal", "E pass", "S pass"], ["W bid normal", "W bid schnapser"]),
    ],
)
def test_contracts_are_open_to_certain_seats(done: list[str], steps: list[str]) -> None:
    scene = auction(*done)
    for step in steps:
        assert scene.refused(step) == "auction.bidders"


def test_some_contracts_demand_certain_cards() -> None:
    assert auction().refused("N bid herren-schnapser") == "auction.cards-required"
    assert auction("N bid normal").refused("E bid farben-gang") == "auction.cards-required"
    # Five clubs are five of a suit, but not five trumps; and they are not forehand's.
    scene = Scene(CLUBS).do("N trump H", "N bid normal")
    assert scene.can("E bid farben-gang")
    assert scene.refused("E bid herren-schnapser") == "auction.bidders"


def test_a_bid_goes_higher() -> None:
    scene = auction("N bid gang")
    assert scene.refused("E bid bettler") == "auction.higher"
    scene.do("E bid zehner-gang", "S pass", "W pass")
    assert scene.refused("N bid gang") == "auction.higher"
    assert scene.refused("N bid normal") == "auction.higher"


def test_a_later_seat_cannot_hold() -> None:
    assert auction("N bid gang").refused("E bid gang") == "auction.hold"
    assert auction("N bid normal", "E bid gang").refused("S bid gang") == "auction.hold"
    scene = auction("N bid normal", "E bid gang", "S bid bauern-schnapser", "W pass", "N pass")
    assert scene.can("E bid kontra-bauern-schnapser")
    assert scene.refused("E bid gang") == "auction.higher"


# --------------------------------------------------------------------------- doubling


def test_each_side_has_its_own_steps() -> None:
    scene = normal()
    assert scene.refused("N kontra") == "doubling.kontra"
    assert scene.refused("S kontra") == "doubling.kontra"
    assert scene.refused("E rekontra") == "doubling.rekontra"
    assert scene.refused("N subkontra") == "doubling.subkontra"
    scene.do("W kontra")
    assert scene.refused("E rekontra") == "doubling.rekontra"
    assert scene.refused("S subkontra") == "doubling.subkontra"


def test_steps_are_taken_once_and_in_order() -> None:
    scene = normal()
    assert scene.refused("N rekontra") == "doubling.steps"
    assert scene.refused("E subkontra") == "doubling.steps"
    scene.do("E kontra")
    assert scene.refused("W kontra") == "doubling.steps"
    assert scene.refused("W subkontra") == "doubling.steps"
    scene.do("S rekontra", "W subkontra")
    for step in ("E kontra", "N rekontra", "E subkontra", "W subkontra"):
        assert scene.refused(step) == "doubling.steps"


@pytest.mark.parametrize("lead", ["N TC", "N marry KH"])
def test_nobody_doubles_after_the_first_lead(lead: str) -> None:
    scene = normal().do(lead)
    assert scene.refused("E kontra") == "doubling.window"
    scene = normal().do("E kontra", lead)
    assert scene.refused("S rekontra") == "doubling.window"


def test_nobody_doubles_between_tricks() -> None:
    scene = normal().trick("TC KC AC JC")
    assert scene.refused("W kontra") == "doubling.window"


# --------------------------------------------------------------------------- precedence


@pytest.mark.parametrize(
    ("scene", "step", "rule"),
    [
        # phase before turn and card
        (Scene(DEAL), "E play KS", "play.when"),
        # sitting out before turn, turn before card
        (Scene(DEAL, "bettler S H"), "N play AS", "play.sitting-out"),
        (normal(), "E play KS", "play.turn"),
        # card held before trick rule, and before marriage rule
        (normal().do("N QS"), "E play KS", "play.own-cards"),
        (normal(), "N marry AH", "play.own-cards"),
        # the seat's right before the cards it needs, those before the rank of the bid
        (auction("N bid gang"), "E bid herren-schnapser", "auction.bidders"),
        (
            Scene(DEAL).do("N trump H", "N bid normal", "E bid kontra-bauern-schnapser"),
            "S bid farben-gang",
            "auction.cards-required",
        ),
        (auction("N bid gang"), "E bid schnapser", "auction.bidders"),
        # turn before right
        (auction(), "E bid normal", "auction.turn"),
        # the contract's rule before that of the moment
        (Scene(DEAL, "gang N H").do("N KH"), "E marry AH", "marriages.contracts"),
        (Scene(DEAL, "gang N H").do("N KH"), "E enough", "claims.contract"),
        # the side's right before the order of the steps
        (normal().do("E kontra"), "N kontra", "doubling.kontra"),
    ],
)
def test_the_more_basic_rule_is_named(scene: Scene, step: str, rule: str) -> None:
    assert scene.refused(step) == rule


@pytest.mark.parametrize(
    "text",
    ["talon", "keep", "discard AH TH", "raise gang", "bid-without-talon gang", "turn-up 3"],
)
def test_actions_of_the_three_hand_game_are_no_actions_here(text: str) -> None:
    for scene in (Scene(DEAL), auction(), normal()):
        with pytest.raises(Refusal, match=r"notation\.action") as caught:
            table.apply(scene.position, 0, notation.parse_action(text))
        assert caught.value.rule == "notation.action"
