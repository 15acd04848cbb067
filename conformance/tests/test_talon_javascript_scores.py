"""The engine in plain JavaScript with three seats: what contracts, Normal and a game are worth.

`S` deals and `N` is forehand unless a deal says otherwise; answers are worked out by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from javascript_adapter import NODE, View, legal, reasons
from talon_javascript import CLUBS, LOST, NOTHING, SEATS, STRONG, THREE_TRICKS, Table, awards, deal
from talon_javascript import table as table  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
Json = dict[str, Any]
# N has a Normal that he cannot win.
WEAK = "JH QH KD JD JC QC / TC AD AS TH KH AH / AC TD TS KS KC QS / JS QD"


# ------------------------------------------------------------------------------ contracts


def test_e41_a_schnapser_needs_the_fourth_trick(table: Table) -> None:
    lost = f"{THREE_TRICKS}, N play JC, E play TC, S play TD"
    views = table.play(deal(STRONG, lost, "schnapser N H"))
    assert views[-4]["points"]["N"] == 82
    assert views[-4]["phase"] == "play"
    assert awards(views[-1]) == (0, 6, 6, "failed")
    assert views[-1]["scores"] == {"N": 0, "E": 6, "S": 6}
    won = f"{THREE_TRICKS}, N play TS, E play TC, S play QS"
    assert awards(table.play(deal(STRONG, won, "schnapser N H"))[-1]) == (6, 0, 0, "made")


def test_e43_five_clubs_and_one_card_more(table: Table) -> None:
    start = (
        "E kontra, E keep, E play AC, S play KS, N play AS, E play TC, S play TS, N play AH, "
        "E play KC, S play QH, N play TH, E play QC, S play JH, N play KH, E play JC, S play QD, "
        "N play AD"
    )
    views = table.play(deal(CLUBS, f"{start}, E play QS, S play KD, N play TD", "farben-gang E H"))
    assert reasons(views) == ["doubling.kontra"]
    assert views[2]["contract"]["trump"] is None
    assert views[2]["to_act"] == "E"
    assert awards(views[-1]) == (0, 18, 0, "made")
    kept = start.replace("N play AS", "N play TD") + ", E play QS, S play KD, N play AS"
    assert awards(table.play(deal(CLUBS, kept, "farben-gang E H"))[-1]) == (18, 0, 18, "failed")


def test_slams_are_six_tricks_with_the_trump_or_without(table: Table) -> None:
    packs = "AH TH KH QH JH AS / AC TC KC QC JC AD / TD KD QD TS KS QS / JS JD"
    tricks = (
        "N keep, N play AH, E play JC, S play TD, N play TH, E play QC, S play KD, N play KH, "
        "E play KC, S play QD, N play QH, E play TC, S play TS, N play JH, E play AC, S play KS"
    )
    views = table.play(deal(packs, f"{tricks}, N play AS", "herren-schnapser N H"))
    assert views[0]["contract"]["trump"] == "H"
    assert views[-1]["phase"] == "play"
    views = table.play(deal(packs, f"{tricks}, N play AS, E play AD, S play QS", "gang N H"))
    assert awards(views[-1]) == (9, 0, 0, "made")
    views = table.play(deal(packs, "N trump H, N bid herren-schnapser, E pass, S pass, N keep"))
    assert (views[-1]["phase"], views[-1]["to_act"]) == ("play", "N")


def test_lay_downs_of_carinthia(table: Table) -> None:
    packs = "AH TH KH QH JH AS / AC TC KC QC JC AD / TD KD QD TS KS QS / JS JD"
    actions = "N trump H, N bid herren-schnapser, E pass, S pass, N keep, E kontra, N show"
    views = table.play(deal(packs, actions), ruleset="talon_carinthia")
    assert views[4]["phase"] == "show"
    assert reasons(views) == ["talon.when"]
    assert awards(views[-1]) == (48, 0, 0, "shown")
    normal = table.play(deal(packs, "", "normal N H"), ruleset="talon_carinthia")
    assert normal[0]["phase"] == "play"
    gang = table.play(deal(packs, "", "gang N H"), ruleset="talon_carinthia")
    assert gang[0]["phase"] == "talon"
    assert "unsupported" in table.engine.ask(
        "replay", rules="talon_carinthia {}", deals=[deal(packs, "", "zehner-gang N H")]
    )


# ------------------------------------------------------------------------------ Normal


def test_the_two_opponents_count_together(table: Table) -> None:
    two = "N keep, E kontra, N play JC, E play TC, S play AC, S play TD, N play JD, E play AD"
    views = table.play(deal(WEAK, f"{two}, E enough", "normal N H"))
    assert views[-2]["points"] == {"N": 0, "E": 23, "S": 23}
    assert legal(views[-2], "E") >= {"enough"}
    assert "enough" not in legal(views[-2], "S")
    # 46 of both together are not enough; N has no trick.
    assert awards(views[-1]) == (6, 0, 0, "false_claim")
    three = f"{two}, E play AH, S play TS, N play JH"
    views = table.play(deal(WEAK, f"{three}, S enough, N enough, E enough", "normal N H"))
    assert reasons(views) == ["claims.claimer", "claims.moment"]
    assert views[-2]["points"] == {"N": 0, "E": 46, "S": 23}
    assert awards(views[-1]) == (0, 6, 6, "claim")
    side = {"options": {"claim_by": "side"}}
    assert awards(table.play(deal(WEAK, f"{three}, S enough", "normal N H"), side)[-1])[2] == 6


def test_the_last_trick_pays_both_opponents(table: Table) -> None:
    actions = (
        "N keep, N play JC, E play TC, S play AC, S play TD, N play JD, E play AD, E play AH, "
        "S play TS, N play JH, E play AS, S play KS, N play QH, N play KD, E play KH, S play KC, "
        "E play TH, S play QS, N enough, E enough, N play QC"
    )
    views = table.play(deal(WEAK, actions, "normal N H"))
    assert reasons(views) == ["claims.last-trick", "claims.last-trick"]
    assert views[-1]["points"] == {"N": 18, "E": 74, "S": 23}
    assert views[-1]["tricks"] == {"N": 1, "E": 4, "S": 1}
    assert awards(views[-1]) == (0, 1, 1, "last_trick")


def test_the_declarer_needs_66_alone(table: Table) -> None:
    actions = "N keep, N play AH, E play TH, S play JH, N marry KH, N enough"
    views = table.play(deal(STRONG, actions, "normal N H"))
    assert views[-2]["points"] == {"N": 63, "E": 0, "S": 0}
    assert awards(views[-1]) == (0, 3, 3, "false_claim")
    actions = "N keep, N play AH, E play TH, S play JH, N marry KH, E play JD, S play QD, N enough"
    assert awards(table.play(deal(STRONG, actions, "normal N H"))[-1]) == (3, 0, 0, "claim")
    bonus = {"options": {"no_talon_bonus": 1}}
    assert awards(table.play(deal(STRONG, actions, "normal N H"), bonus)[-1]) == (
        4,
        0,
        0,
        "claim",
    )
    taken = actions.replace("N keep", "N talon, E kontra, N discard AS TS")
    assert awards(table.play(deal(STRONG, taken, "normal N H"), bonus)[-1]) == (6, 0, 0, "claim")


# ------------------------------------------------------------------------------ the match


def game(
    table: Table, scores: tuple[int, int, int], changes: Mapping[str, Any] | None = None
) -> View:
    """The view after N has lost a Gang, 9 for each opponent."""
    start = dict(zip(SEATS, scores, strict=True))
    return table.play(deal(STRONG, LOST, "gang N H", scores=start), changes)[-1]


def test_two_winners_at_once(table: Table) -> None:
    view = game(table, (20, 22, 15))
    assert view["scores"] == {"N": 20, "E": 31, "S": 24}
    assert view["game"] == {"winners": ["E", "S"], "bummerl": {"N": 1, "E": 0, "S": 0}}
    assert game(table, (0, 22, 15))["game"]["bummerl"] == {"N": 2, "E": 0, "S": 0}


def test_one_winner_and_who_is_last(table: Table) -> None:
    assert game(table, (5, 14, 5))["game"] is None
    assert game(table, (5, 15, 5))["game"]["bummerl"] == {"N": 1, "E": 0, "S": 0}
    assert game(table, (23, 15, 5))["game"]["bummerl"] == {"N": 0, "E": 0, "S": 1}
    assert game(table, (9, 15, 0))["game"]["bummerl"] == {"N": 1, "E": 0, "S": 1}
    every = {"options": {"losers": "all_below_target"}}
    assert game(table, (23, 15, 5), every)["game"]["bummerl"] == {"N": 1, "E": 0, "S": 1}
    assert game(table, (0, 15, 5), every)["game"]["bummerl"] == {"N": 2, "E": 0, "S": 1}


def test_the_deal_goes_round_three_seats(table: Table) -> None:
    def losing(forehand: str) -> Json:
        """A deal in which whoever leads first loses a Bettler with an ace."""
        order = SEATS[SEATS.index(forehand) :] + SEATS[: SEATS.index(forehand)]
        packs = [pack.split() for pack in STRONG.split("/")]
        hands = dict(zip(order, packs[:3], strict=True))
        first, second, third = tuple(order)
        plays = [[first, "keep"], [first, "play AH"], [second, "play TH"], [third, "play JH"]]
        contract = {"name": "bettler", "declarer": first, "trump": "H"}
        return {"hands": hands, "talon": packs[3], "contract": contract, "actions": plays}

    first = {**losing("N"), "dealer": "S", "scores": NOTHING}
    rest = [losing("E"), losing("S"), losing("N"), losing("E"), losing("S"), losing("N")]
    ends = [views[-1] for views in table.views(first, *rest)]
    assert [end["next_dealer"] for end in ends] == ["N", "E", "S", "N", "E", "S", "N"]
    assert [end["scores"] for end in ends[:3]] == [
        {"N": 0, "E": 4, "S": 4},
        {"N": 4, "E": 4, "S": 8},
        {"N": 8, "E": 8, "S": 8},
    ]
    assert ends[5]["scores"] == {"N": 16, "E": 16, "S": 16}
    assert all(end["game"] is None for end in ends)
