"""Raising after the talon, and bids that do without it."""

from __future__ import annotations

import pytest
from talon_scenes import BASE, FIVE, VARIANTS, Table, auction, variant, with_contract

from bauernschnapsen.ruleset import Rules, compile_rules, vary

# --------------------------------------------------------------------------- raising


def test_a_raised_contract_decides_who_leads_and_what_is_trump() -> None:
    scene = Table("gang N H", VARIANTS["raise"]).do("E kontra", "N talon")
    assert {"raise zehner-gang", "raise bauern-schnapser"} <= set(scene.view["legal"]["N"])
    scene.do("N raise bauern-schnapser", "N discard KD QH")
    assert scene.view["contract"] == {
        "name": "bauern-schnapser",
        "declarer": "N",
        "trump": "H",
        "factor": 2,
    }
    scene = Table("kontra-schnapser E H", VARIANTS["raise"]).do("E talon", "E discard JH JC")
    assert scene.view["to_act"] == "N"
    assert scene.view["legal"]["E"] == ["raise kontra-bauern-schnapser"]
    assert scene.do("N play AS").refused("E raise kontra-bauern-schnapser") == "talon.when"


def test_the_leader_changes_with_a_raise_after_the_cards_are_laid_away() -> None:
    scene = Table("kontra-schnapser E S", VARIANTS["raise"], FIVE)
    scene.do("E talon", "E discard TC JC")
    assert scene.view["to_act"] == "N"
    scene.do("E raise farben-gang")
    assert scene.view["to_act"] == "E"
    assert scene.view["contract"]["trump"] is None
    assert scene.refused("N play AS") == "play.turn"


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        ("N raise normal", "talon.raise-higher"),
        ("N raise bettler", "talon.raise-higher"),
        ("N raise plauderer", "auction.bidders"),
        ("N raise kontra-schnapser", "auction.bidders"),
        ("N raise herren-schnapser", "auction.cards-required"),
        ("E raise gang", "talon.declarer"),
        ("N raise", "notation.action"),
    ],
)
def test_what_a_contract_may_not_be_raised_to(step: str, rule: str) -> None:
    scene = Table("bettler N H", VARIANTS["raise"]).do("N talon")
    assert scene.refused(step) == rule


def test_who_has_left_the_talon_does_not_raise() -> None:
    scene = Table("bettler N H", VARIANTS["raise"]).do("N keep")
    assert scene.refused("N raise gang") == "talon.raise"
    assert Table("bettler N H").do("N talon").refused("N raise gang") == "talon.raise"


def test_a_lay_down_is_reached_by_a_raise() -> None:
    rules = compile_rules(
        vary(
            BASE,
            {
                "contracts": {"farben-gang": {"goal": "shown", "ends_early": "never"}},
                "options": {"talon_raise": "allowed"},
            },
        )
    )
    scene = Table("gang E H", rules, FIVE).do("E talon", "E raise farben-gang")
    assert scene.view["phase"] == "talon"
    assert scene.do("E discard TC JC").view["phase"] == "show"
    assert scene.do("E show").awards == [0, 18, 0]


# --------------------------------------------------------------------------- without the talon


def test_the_same_contract_without_the_talon_goes_before_it() -> None:
    scene = auction(VARIANTS["without"]).do("E bid gang", "S bid-without-talon gang")
    assert scene.refused("N bid gang") == "auction.higher"
    # equal_bids never: not even an earlier seat takes over the same bid.
    assert scene.refused("N bid-without-talon gang") == "auction.hold"
    scene.do("N pass", "E pass")
    assert scene.view["contract"]["declarer"] == "S"
    assert scene.view["phase"] == "play"
    assert scene.do("S play TS", "N play AS", "E play QS").awards == [10, 10, 0]


def test_among_bids_without_the_talon_the_earlier_seat_has_priority() -> None:
    rules = variant(no_talon_precedence="present")
    scene = auction(rules).do("E bid gang", "S bid-without-talon gang")
    scene.do("N bid-without-talon gang")
    assert scene.refused("E bid-without-talon gang") == "auction.hold"
    assert scene.refused("E bid gang") == "auction.higher"
    assert "bid-without-talon zehner-gang" in scene.view["legal"]["E"]
    assert scene.view["bid"] == {"seat": "N", "contract": "gang", "without_talon": True}


def test_a_bid_without_the_talon_is_forgotten_when_it_is_outbid() -> None:
    scene = auction(variant(no_talon_precedence="present"))
    scene.do("E bid-without-talon gang", "S bid zehner-gang")
    assert scene.view["bid"] == {"seat": "S", "contract": "zehner-gang", "without_talon": False}
    scene.do("N pass", "E pass")
    assert scene.view["phase"] == "talon"


@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        (variant(), "talon.without"),
        (with_contract("gang", {"no_talon_precedence": "present"}, talon="none"), "talon.without"),
        (
            with_contract("gang", {"no_talon_precedence": "present"}, played=False),
            "auction.bidders",
        ),
    ],
)
def test_a_bid_without_the_talon_needs_a_talon_to_do_without(rules: Rules, rule: str) -> None:
    assert auction(rules).refused("E bid-without-talon gang") == rule


def test_where_nobody_bids_without_the_talon_the_view_does_not_speak_of_it() -> None:
    bid = auction(variant()).do("E bid gang").view["bid"]
    assert bid == {"seat": "E", "contract": "gang"}


def test_a_bid_too_low_counts_as_a_pass_without_the_talon_as_well() -> None:
    rules = variant(no_talon_precedence="present", bid_too_low="counts_as_pass")
    scene = auction(rules).do("E bid gang", "S bid-without-talon bettler")
    assert scene.do("N pass").view["contract"]["declarer"] == "E"


def test_a_cancelled_bid_without_the_talon_leaves_it_to_forehand() -> None:
    options = {"no_talon_precedence": "present"}
    rules = with_contract("bettler", options, cancelled_by="kontra_on_lowest")
    scene = auction(rules).do("E bid-without-talon bettler", "S kontra", "N pass", "E pass")
    assert scene.view["contract"] == {"name": "normal", "declarer": "N", "trump": "H", "factor": 2}
    assert scene.view["phase"] == "talon"
