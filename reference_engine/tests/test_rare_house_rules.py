"""What house rules mean where they are hardly ever met, settled between two engines."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import Scene

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules, compile_rules, load_ruleset, vary

PAGAT = load_ruleset("pagat")
# N holds all hearts, E all clubs.
FIVES = "N: AH TH KH QH JH / E: AC TC KC QC JC / S: AS TS KS QS JS / W: AD TD KD QD JD"
# E and W have no spade; S holds two and two trumps.
RUFFED = "N: AS KD QC TC JD / E: QH AC TD JC QD / S: KS JS KH JH AD / W: AH TH KC QS TS"
BETTLER = "N: AS AH AD AC TH / E: TS KH KD KC QS / S: JS JH JD JC QC / W: KS QH QD TC TD"


def rules(**changes: Any) -> Rules:
    return compile_rules(vary(PAGAT, changes))


# --------------------------------------------------------------------------- play


def test_where_following_is_free_only_who_is_void_has_to_ruff() -> None:
    free = rules(all_contracts={"follow": "free"})
    scene = Scene(RUFFED, "normal N H", rules=free).do("N AS", "E QH")
    # S holds the suit led and may do what he likes, but whoever ruffs has to over-ruff.
    assert scene.legal("S") == {"play KS", "play JS", "play AD", "play KH"}
    assert scene.refused("S JH") == "play.over-ruff"


def test_where_following_is_free_beating_and_over_ruffing_bind_together() -> None:
    strict = rules(all_contracts={"follow": "free", "head_after_ruff": "forced"})
    deal = "N: QS KD QC TC JD / E: QH AC TD JC QD / S: KS JS KH JH AD / W: AH TH KC AS TS"
    scene = Scene(deal, "normal N H", rules=strict).do("N QS", "E QH")
    assert scene.legal("S") == {"play KS", "play AD", "play KH"}
    assert scene.refused("S JS") == "play.head-after-ruff"
    assert scene.refused("S JH") == "play.over-ruff"


# --------------------------------------------------------------------------- auction


def test_before_the_trump_any_five_of_a_suit_may_become_five_trumps() -> None:
    later = rules(options={"phases": ["auction", "trump", "play"]})
    scene = Scene(FIVES, rules=later)
    assert scene.can("N bid herren-schnapser")
    scene.do("N bid herren-schnapser", "E pass", "S pass", "W pass")
    assert scene.view["phase"] == "trump"
    assert scene.legal("N") == {"trump H"}
    assert scene.refused("N enough") == "claims.moment"
    assert scene.do("N trump H", "N show").awards == (24, 0)


def test_a_herren_schnapser_with_the_wrong_trump_is_lost() -> None:
    any_suit = {"phases": ["auction", "trump", "play"], "trump_choice": "any_suit"}
    scene = Scene(FIVES, rules=rules(options=any_suit))
    scene.do("N bid herren-schnapser", "E pass", "S pass", "W pass", "N trump S", "N show")
    assert (scene.awards, scene.reason) == ((0, 24), "failed")


def cancelling(**options: Any) -> Rules:
    kontra = {"cancelled_by": "kontra_on_lowest"}
    return rules(contracts={"bettler": kontra}, options=options)


def test_a_cancelled_bettler_leaves_forehands_bid_standing() -> None:
    scene = Scene(BETTLER, rules=cancelling(overbid_partner="refused"))
    scene.do("N trump H", "N bid bettler", "E kontra")
    assert scene.view["bid"] == {"seat": "N", "contract": "normal"}
    # To S it is the partner's bid, to E and W the opponents', and N outbids nobody but himself.
    assert scene.legal("S") == {"pass"}
    assert scene.refused("S bid schnapser") == "auction.partner"
    scene.do("S pass")
    assert scene.can("W bid gang")
    scene.do("W pass")
    assert scene.can("N bid schnapser")
    assert scene.refused("N bid bettler") == "auction.higher"


@pytest.mark.parametrize(
    "changes",
    [{"options": {"kontra_levels": 0}}, {"contracts": {"normal": {"kontra": "refused"}}}],
)
def test_without_kontra_on_normal_nothing_is_cancelled(changes: dict[str, Any]) -> None:
    contracts = {"bettler": {"cancelled_by": "kontra_on_lowest"}, **changes.get("contracts", {})}
    changed = rules(**{**changes, "contracts": contracts})
    scene = Scene(BETTLER, rules=changed).do("N trump H", "N bid bettler")
    assert not scene.can("E kontra")
    assert scene.refused("E kontra") == "doubling.window"


# --------------------------------------------------------------------------- contracts, claims


@pytest.mark.parametrize(
    ("exposed", "seen"),
    [
        ("opponents_before_first_trick", {"N": {"S": 4}, "S": {"N": 4}}),
        (
            "opponents_after_first_trick",
            {"N": {"S": 4}, "S": {"N": 4}, "E": {"N": 4, "S": 4}, "W": {"N": 4, "S": 4}},
        ),
        ("declarer_after_first_trick", {seat: {"E": 4} for seat in "NSW"}),
    ],
)
def test_hands_that_were_open_stay_known_after_the_end(exposed: str, seen: Any) -> None:
    scene = Scene(BETTLER, "gang E H", rules=rules(all_contracts={"exposed": exposed}))
    scene.trick("TS JS KS AS")
    assert scene.view["phase"] == "over"
    sees = scene.view["sees"]
    assert {
        viewer: {owner: len(cards) for owner, cards in known.items()}
        for viewer, known in sees.items()
    } == seen


def test_no_hand_is_opened_in_a_contract_that_is_not_played() -> None:
    opened = rules(all_contracts={"exposed": "opponents_before_first_trick"})
    scene = Scene(FIVES, "farben-gang E H", rules=opened)
    assert scene.view["sees"] == {}
    scene.do("E show")
    assert scene.view["sees"] == {seat: {"E": ["AC", "TC", "KC", "QC", "JC"]} for seat in "NSW"}


def test_whoever_sits_out_does_not_claim() -> None:
    alone = rules(contracts={"normal": {"partner": "out"}}, options={"claim_by": "side"})
    deal = "N: AH TH KH QH AC / E: AS TS KS TD KD / S: JH QS QD JD JC / W: JS AD TC KC QC"
    scene = Scene(deal, "normal N H", rules=alone).trick("AH TD TC")
    assert scene.can("N enough")
    assert scene.legal("S") == set()
    assert scene.refused("S enough") == "claims.claimer"


# --------------------------------------------------------------------------- match


def test_retourschneider_is_a_lead_of_one_point_less_than_the_target() -> None:
    short = rules(options={"target": 12, "retourschneider": 4})
    for scores, bummerl in (((11, 0), 4), ((10, 0), 1), ((11, 1), 1)):
        scene = Scene(FIVES, "farben-gang E H", scores=scores, rules=short).do("E show")
        assert scene.view["game"] == {"winners": ["EW"], "bummerl": {"NS": bummerl, "EW": 0}}
    single = rules(options={"target": 1, "retourschneider": 4})
    scene = Scene(FIVES, "farben-gang E H", rules=single).do("E show")
    assert scene.view["game"]["bummerl"] == {"NS": 2, "EW": 0}


def test_after_the_last_game_nobody_deals() -> None:
    hands = {
        seat: cards.split()
        for seat, cards in (part.strip().split(": ") for part in FIVES.split("/"))
    }
    record = {
        "dealer": "W",
        "scores": {"NS": 0, "EW": 10},
        "hands": hands,
        "contract": {"name": "farben-gang", "declarer": "E", "trump": "H"},
        "actions": [["E", "show"]],
    }
    stop = rules(options={"after_game": "stop"})
    last = replay(stop, [record])[0][-1]
    assert (last["next_dealer"], last["game"]["winners"]) == (None, ["EW"])
    follows = {key: record[key] for key in ("hands", "contract", "actions")}
    with pytest.raises(SpecError, match="the game is over and no other follows"):
        replay(stop, [record, follows])
    assert replay(stop, [record, record])[1][-1]["scores"] == {"NS": 0, "EW": 28}
    runs_on = replay(rules(options={"after_game": "runs_on"}), [record, follows])
    assert runs_on[1][-1]["scores"] == {"NS": 0, "EW": 46}
    assert runs_on[1][-1]["game"] is None
