"""Worked examples of the rules, each with all twenty cards, played out by hand.

N is forehand (F), E the dealer's partner (P), S forehand's partner (M), W the dealer (D). Numbers
E1 to E40 are those of the collection the rules come with; deals it leaves open are completed here.
"""

from __future__ import annotations

import pytest
from scenes import Scene

from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary

PAGAT = load_ruleset("pagat")

# --------------------------------------------------------------------------- tricks


def test_e1_the_jack_may_not_be_held_back() -> None:
    scene = Scene(
        "N: KH AS TS KS QS / E: AH JH AC TC KC / S: TH JS QC JC AD / W: QH TD KD QD JD",
        "normal N H",
    )
    scene.do("N KH")
    assert scene.legal("E") == {"play AH"}
    assert scene.refused("E JH") == "play.beat"
    scene.do("E AH", "S TH", "W QH")
    assert scene.view["last_trick"] == {
        "cards": [["N", "KH"], ["E", "AH"], ["S", "TH"], ["W", "QH"]],
        "winner": "E",
        "points": 28,
    }
    assert scene.points == (0, 28)
    assert scene.view["to_act"] == "E"


def test_e2_the_partners_card_is_beaten_too() -> None:
    scene = Scene(
        "N: KS AH TH KH QH / E: JS AC TC KC QC / S: TS QS JC AD TD / W: AS JH KD QD JD",
        "normal N H",
    )
    scene.do("N KS", "E JS")
    assert scene.refused("S QS") == "play.beat"
    scene.do("S TS", "W AS")
    assert scene.points == (0, 27)
    assert scene.view["to_act"] == "W"


def test_e3_who_can_follow_does_so_after_a_ruff_and_who_cannot_overruffs() -> None:
    scene = Scene(
        "N: AS TH AD TD KD / E: JH AC TC KC QC / S: TS QS KS JS AH / W: JC QD JD KH QH",
        "normal N H",
    )
    scene.do("N AS")
    assert scene.legal("E") == {"play JH"}
    scene.do("E JH")
    assert scene.legal("S") == {"play TS", "play QS", "play KS", "play JS"}
    assert scene.refused("S AH") == "play.follow"
    scene.do("S JS")
    assert scene.legal("W") == {"play KH", "play QH"}
    scene.do("W QH")
    assert scene.view["to_act"] == "W"


def test_e4_a_trump_is_due_although_it_cannot_win() -> None:
    deal = "N: AS AD TD KD AC / E: TH TC KC QC JC / S: TS QS KS JS AH / W: QD JD JH KH QH"
    scene = Scene(deal, "normal N H").do("N AS")
    assert scene.legal("E") == {"play TH"}
    scene.do("E TH", "S JS")
    assert scene.legal("W") == {"play JH", "play KH", "play QH"}
    assert scene.refused("W QD") == "play.ruff"
    scene.do("W JH")
    assert scene.view["to_act"] == "E"
    free = compile_rules(vary(PAGAT, {"all_contracts": {"undertrump": "free"}}))
    scene = Scene(deal, "normal N H", rules=free).do("N AS", "E TH", "S JS")
    assert scene.legal("W") == {"play QD", "play JD", "play JH", "play KH", "play QH"}


def test_e5_the_suit_that_was_named_is_dead_in_a_gang() -> None:
    deal = "N: JH AC TC AD TD / E: AS TS JS AH TH / S: KS KC QC KD QD / W: QS JC JD KH QH"
    scene = Scene(deal, "gang E H")
    assert scene.view["to_act"] == "E"
    scene.do("E AS", "S KS", "W QS")
    assert scene.legal("N") == {"play JH", "play AC", "play TC", "play AD", "play TD"}
    scene.do("N JH")
    assert scene.view["last_trick"]["winner"] == "E"
    assert scene.view["contract"]["trump"] is None


def test_e6_the_ace_is_lowest_in_a_zehner_gang() -> None:
    deal = "N: KS TC KC AD TD / E: TS AS TH KH QH / S: AH JH AC QC JC / W: JS QS KD QD JD"
    scene = Scene(deal, "zehner-gang E H").trick("TS AC QS KS")
    assert scene.view["last_trick"]["winner"] == "E"
    scene.do("E AS", "S QC")
    assert scene.legal("W") == {"play JS"}
    scene.do("W JS", "N TC")
    assert scene.awards == (10, 0)
    assert scene.reason == "failed"


def test_e7_a_bettler_is_headed_too() -> None:
    deal = "N: KC JC AD TD KD / E: TC AH TH KH QH / S: AC AS TS KS QS / W: QC QD JD JH JS"
    scene = Scene(deal, "bettler W H")
    assert scene.view["to_act"] == "W"
    scene.do("W QC")
    assert scene.view["to_act"] == "N"
    assert scene.legal("N") == {"play KC"}
    scene.do("N KC")
    assert scene.view["to_act"] == "S"
    assert scene.legal("S") == {"play AC"}
    scene.do("S AC")
    assert scene.view["last_trick"]["winner"] == "S"
    assert scene.view["outcome"] is None


def test_e8_a_bettler_is_lost_with_the_first_trick_of_the_declarer() -> None:
    deal = "N: AC JD TD AH TH / E: TC KC KH QH JH / S: JC QD AS TS AD / W: QC KD KS QS JS"
    scene = Scene(deal, "bettler W H").do("W QC", "N AC", "S JC", "N JD")
    assert scene.legal("S") == {"play QD", "play AD"}
    scene.do("S QD")
    assert scene.legal("W") == {"play KD"}
    scene.do("W KD")
    assert scene.reason == "failed"
    assert scene.awards == (4, 0)


# --------------------------------------------------------------------------- auction

PLAIN = "N: KH QS TC QH AD / E: AH TH AS KC JD / S: JH TS AC QC TD / W: KS JS JC KD QD"


def bids(scene: Scene, seat: str) -> set[str]:
    return {action.removeprefix("bid ") for action in scene.legal(seat)}


def test_e9_forehand_may_take_over_the_dealers_gang() -> None:
    scene = Scene(PLAIN).do("N trump H", "N bid normal", "E pass", "S pass", "W bid gang")
    assert scene.view["bid"] == {"seat": "W", "contract": "gang"}
    assert bids(scene, "N") == {"pass", "gang", "zehner-gang", "bauern-schnapser"}
    scene.do("N bid gang")
    assert bids(scene, "W") == {
        *("pass", "zehner-gang", "kontra-schnapser", "kontra-bauern-schnapser")
    }
    assert scene.refused("W bid gang") == "auction.hold"
    scene.do("W pass")
    assert scene.view["contract"]["declarer"] == "N"


def test_e10_who_bids_first_has_no_priority_but_who_sits_first_has() -> None:
    scene = Scene(PLAIN).do("N trump H", "N bid normal", "E bid bettler")
    assert scene.refused("S bid bettler") == "auction.hold"
    assert scene.can("S bid schnapser")
    scene.do("S bid schnapser", "W bid gang", "N pass")
    assert scene.can("E bid gang")
    scene.do("E bid gang", "S pass")
    assert scene.refused("W bid gang") == "auction.hold"


def test_e11_the_two_contracts_at_twelve_stay_in_order() -> None:
    scene = Scene(PLAIN).do("N trump H", "N bid normal", "E bid kontra-schnapser")
    assert scene.can("S bid bauern-schnapser")
    scene.do("S bid bauern-schnapser")
    assert scene.refused("W bid kontra-schnapser") == "auction.higher"
    scene.do("W pass")
    assert scene.can("N bid bauern-schnapser")
    scene.do("N bid bauern-schnapser", "E pass", "S pass")
    assert scene.view["contract"] == {
        "name": "bauern-schnapser",
        "declarer": "N",
        "trump": "H",
        "factor": 1,
    }


def test_e12_herren_schnapser_outbids_everything_and_is_shown() -> None:
    trumps = "N: AH TH KH QH JH / E: AD TD KD QD AC / S: TC KC QC JC JD / W: AS TS KS QS JS"
    scene = Scene(trumps).do("N trump H", "N bid normal", "E pass", "S pass")
    scene.do("W bid kontra-bauern-schnapser")
    assert bids(scene, "N") == {"pass", "herren-schnapser"}
    scene.do("N bid herren-schnapser")
    assert scene.legal("W") == {"pass"}
    scene.do("W pass")
    assert scene.view["phase"] == "show"
    assert scene.view["contract"]["trump"] is None
    scene.do("N show")
    assert scene.awards == (24, 0)
    assert scene.reason == "shown"
    # Without five trumps forehand can only pass.
    scene = Scene(PLAIN).do("N trump H", "N bid normal", "E pass", "S pass")
    assert scene.do("W bid kontra-bauern-schnapser").legal("N") == {"pass"}


def test_e13_forehand_plays_the_bettler_it_opened() -> None:
    scene = Scene(PLAIN).do("N trump H", "N bid bettler", "E pass", "S pass", "W pass")
    assert scene.view["contract"] == {
        "name": "bettler",
        "declarer": "N",
        "trump": None,
        "factor": 1,
    }
    assert scene.view["to_act"] == "N"
    assert scene.do("N AD", "E JD").view["to_act"] == "W"


def test_e14_forehand_cannot_come_back() -> None:
    scene = Scene(PLAIN).do("N trump H", "N bid normal", "E bid gang", "S pass", "W pass")
    assert scene.view["to_act"] == "N"
    scene.do("N pass")
    assert scene.view["contract"]["declarer"] == "E"
    assert scene.view["contract"]["trump"] is None
    assert scene.view["trump"] == "H"
    assert scene.view["to_act"] == "E"


def test_e15_after_herren_schnapser_three_passes_are_said() -> None:
    trumps = "N: AH TH KH QH JH / E: AD TD KD QD JD / S: AC TC KC QC JC / W: AS TS KS QS JS"
    scene = Scene(trumps).do("N turn-up 2", "N bid herren-schnapser")
    for seat in "ESW":
        assert scene.view["legal"] == {seat: ["pass"]}
        scene.do(f"{seat} pass")
    assert scene.do("N show").awards == (24, 0)


def test_e16_a_farben_gang_goes_by_priority() -> None:
    suits = "N: AH TH KH QD JD / E: AC TC KC QC JC / S: QH JH AD TD KD / W: AS TS KS QS JS"
    scene = Scene(suits).do("N trump H", "N bid normal", "E bid farben-gang", "S pass")
    assert scene.refused("W bid farben-gang") == "auction.hold"
    scene = Scene(suits).do("N trump H", "N bid normal", "E bid bettler", "S pass")
    scene.do("W bid farben-gang", "N pass")
    assert scene.can("E bid farben-gang")
    scene.do("E bid farben-gang", "W pass")
    assert scene.do("E show").awards == (0, 18)


def test_e17_forehand_with_a_whole_suit_has_it_as_trump() -> None:
    deal = "N: AD TD KD QD JD / E: AH TH KH AS TS / S: QH JH KS QS JS / W: AC TC KC QC JC"
    scene = Scene(deal)
    assert scene.legal("N") == {"trump D", "turn-up 1", "turn-up 2"}
    scene.do("N turn-up 1")
    assert scene.view["trump"] == "D"
    assert scene.can("N bid herren-schnapser")
    assert scene.refused("N bid farben-gang") == "auction.bidders"


def test_e18_a_suit_that_is_not_among_the_first_three_cannot_be_named() -> None:
    deal = "N: AH TS KC AD TD / E: TH KH AS KS AC / S: QH JH QS JS TC / W: QC JC KD QD JD"
    assert Scene(deal).refused("N trump D") == "deal.trump-from-three"


def test_e19_a_card_turned_up_binds() -> None:
    deal = "N: AH TS KC JD AD / E: TH KH AS KS AC / S: QH JH QS JS TC / W: QC JC KD QD TD"
    scene = Scene(deal).do("N turn-up 1")
    assert scene.view["trump"] == "D"
    assert scene.view["sees"] == {seat: {"N": ["JD"]} for seat in "ESW"}
    assert scene.refused("N trump H") == "deal.trump-once"
    assert scene.refused("N turn-up 2") == "deal.trump-once"


# --------------------------------------------------------------------------- Normal

E20 = "N: KH QH AS JD JC / E: TS AH AD KC QD / S: KS QS TH TC TD / W: JS JH AC QC KD"


@pytest.mark.parametrize(("doubling", "worth"), [((), 3), (("E kontra",), 6)])
def test_e20_forty_at_the_second_lead_is_enough(doubling: tuple[str, ...], worth: int) -> None:
    scene = Scene(E20, "normal N H").do(*doubling).trick("AS TS KS JS")
    assert scene.points == (27, 0)
    scene.do("N marry KH")
    assert scene.points == (67, 0)
    assert scene.view["sees"] == {seat: {"N": ["QH"]} for seat in "ESW"}
    scene.do("N enough")
    assert scene.awards == (worth, 0)
    assert scene.reason == "claim"
    assert scene.points == (67, 0)  # the king on the table counts for nobody


def test_e21_a_schnapser_is_not_won_by_the_marriage() -> None:
    scene = Scene(E20, "schnapser N H").trick("AS TS KS JS").do("N marry KH")
    assert scene.points == (67, 0)
    assert scene.view["outcome"] is None
    assert scene.legal("E") == {"play AH"}
    scene.trick("AH TH JH")
    assert scene.awards == (0, 6)
    assert scene.reason == "failed"
    early = compile_rules(
        vary(PAGAT, {"contracts": {"schnapser": {"ends_early": "when_lost_or_marriage"}}})
    )
    scene = Scene(E20, "schnapser N H", rules=early).trick("AS TS KS JS").do("N marry KH")
    assert scene.awards == (6, 0)
    assert scene.reason == "made"


@pytest.mark.parametrize(("doubling", "worth"), [((), 3), (("E kontra", "S rekontra"), 12)])
def test_e22_a_false_claim_pays_the_others(doubling: tuple[str, ...], worth: int) -> None:
    deal = "N: KH QH AS QD JC / E: TS AH AD KC TD / S: JS KS QS TH JH / W: JD KD AC TC QC"
    scene = Scene(deal, "normal N H").do(*doubling).trick("AS TS JS JD").do("N marry KH")
    assert scene.points == (65, 0)
    scene.do("N enough")
    assert scene.awards == (0, worth)
    assert scene.reason == "false_claim"


def test_e23_a_marriage_without_a_trick_does_not_save_from_three() -> None:
    deal = "N: KH QH JD JC JS / E: AH AD AC AS KS / S: JH QD KC QS QC / W: TH TD TC TS KD"
    scene = Scene(deal, "normal N H").do("N marry KH").trick("AH JH TH")
    assert scene.points == (40, 27)
    scene.trick("AD QD TD JD")
    assert scene.points == (40, 53)
    scene.trick("AC KC TC JC")
    assert scene.points == (40, 80)
    scene.do("E enough")
    assert scene.awards == (0, 3)


@pytest.mark.parametrize(("loser_33", "worth"), [("with_marriages", 1), ("tricks_only", 2)])
def test_e24_marriages_count_towards_the_33(loser_33: str, worth: int) -> None:
    rules = compile_rules(vary(PAGAT, {"options": {"loser_33": loser_33}}))
    deal = "N: AH TH KH QS JD / E: AS KC QC JH QD / S: AC AD TD JS QH / W: TS KS TC JC KD"
    scene = Scene(deal, "normal N H", rules=rules).trick("QS AS JS KS")
    assert scene.points == (0, 20)
    scene.do("E marry KC").trick("AC JC KH")
    assert scene.points == (21, 40)
    scene.trick("AH JH QH KD")
    assert scene.points == (41, 40)
    scene.trick("TH QD AD TS")
    assert scene.points == (75, 40)
    scene.do("N enough")
    assert scene.awards == (worth, 0)


@pytest.mark.parametrize("claimed", [True, False])
def test_e25_five_tricks_without_a_claim_are_worth_one(claimed: bool) -> None:
    deal = "N: AH TH KH QH AC / E: AS TS KS TD KD / S: JH QS QD JD JC / W: JS AD TC KC QC"
    scene = Scene(deal, "normal N H").trick("AH AS JH TC").trick("TH TS QS QC")
    assert scene.points == (34 + 26, 0)
    scene.trick("KH KS QD JS")
    assert scene.points == (73, 0)
    if claimed:
        assert scene.do("N enough").awards == (3, 0)
        return
    scene.trick("QH TD JD AD").trick("AC KD JC KC")
    assert scene.view["tricks"] == {"NS": 5, "EW": 0}
    assert scene.points == (120, 0)
    assert scene.awards == (1, 0)
    assert scene.reason == "last_trick"


@pytest.mark.parametrize(("doubling", "worth"), [((), 1), (("E kontra",), 2)])
def test_e26_the_last_trick_beats_unclaimed_points(doubling: tuple[str, ...], worth: int) -> None:
    deal = "N: AH TH AC KS JD / E: QH QC KC JS TD / S: KH QS TC AS KD / W: JH QD JC TS AD"
    scene = Scene(deal, "normal N H").do(*doubling)
    scene.trick("AH QH KH JH").trick("TH QC QS QD").trick("AC KC TC JC").trick("KS JS AS TS")
    assert scene.points == (20 + 19 + 27 + 27, 0)
    assert scene.can("S enough")
    scene.do("S KD")
    assert scene.refused("S enough") == "claims.last-trick"
    scene.trick("AD JD TD")
    assert scene.awards == (0, worth)
    assert scene.reason == "last_trick"


@pytest.mark.parametrize("claim_by", ["leader", "side"])
def test_e27_whether_the_partner_may_claim(claim_by: str) -> None:
    rules = compile_rules(vary(PAGAT, {"options": {"claim_by": claim_by}}))
    scene = Scene(E20, "normal N H", rules=rules).trick("AS TS KS JS")
    assert scene.can("N enough")
    assert scene.can("S enough") == (claim_by == "side")
    assert scene.refused("E enough") == "claims.moment"


def test_e28_unclaimed_points_have_no_standing() -> None:
    deal = "N: AS KH QH JD JC / E: JS JH AD KC QC / S: QS AH TD TC QD / W: KS TH KD AC TS"
    scene = Scene(deal, "normal N H").trick("AS JS QS KS")
    scene.do("N marry KH").trick("JH AH TH")
    assert scene.points == (20 + 40 + 27, 0)
    scene.trick("TD KD JD AD").do("E marry KC").trick("TC AC JC")
    assert scene.points == (87, 27 + 20 + 27)
    scene.do("W enough")
    assert scene.awards == (0, 1)
    assert scene.reason == "claim"


@pytest.mark.parametrize(("card", "points", "worth"), [("AC", 33, 1), ("TC", 32, 2)])
def test_e29_thirty_three_is_the_border(card: str, points: int, worth: int) -> None:
    deal = "N: AH TH KH QH JC / E: JH AC TC KC QC / S: TS AS KS QS AD / W: TD KD QD JD JS"
    scene = Scene(deal, "normal N H").do("N JC", f"E {card}", "S TS", "W TD")
    assert scene.points == (0, points)
    scene.trick("JH AD KD AH").do("N marry KH")
    assert scene.points == (28 + 40, points)
    assert scene.do("N enough").awards == (worth, 0)


# --------------------------------------------------------------------------- Schnapser and slams


def test_e31_a_partner_as_declarer_wins_three_tricks() -> None:
    deal = "N: JS JH JD KS KD / E: QS KH KC AD JC / S: AS AH TH QD QC / W: TS QH TC TD AC"
    scene = Scene(deal, "schnapser S H").trick("JS QS AS TS")
    assert scene.points == (26, 0)
    scene.trick("AH QH JH KH")
    assert scene.points == (46, 0)
    scene.trick("TH TC JD KC")
    assert scene.points == (72, 0)
    assert scene.awards == (6, 0)
    assert scene.reason == "made"
    # With the ace in his partner's hand the first trick loses the contract.
    scene = Scene(deal.replace("N: JS", "N: AS").replace("S: AS", "S: JS"), "schnapser S H")
    scene.trick("AS QS JS TS")
    assert scene.awards == (0, 6)
    assert scene.reason == "failed"


def test_e32_a_kontra_schnapser_with_a_marriage_at_the_second_lead() -> None:
    deal = "N: JH QS KS JD QD / E: AS AD TD KC JC / S: TS JS KD TC QC / W: AH TH KH QH AC"
    scene = Scene(deal, "kontra-schnapser W H").do("N QS")
    assert scene.legal("E") == {"play AS"}
    scene.do("E AS", "S JS")
    assert scene.legal("W") == {"play AH", "play TH", "play KH", "play QH"}
    scene.do("W TH")
    assert scene.points == (0, 26)
    scene.do("W marry KH")
    assert scene.points == (0, 66)
    assert scene.view["outcome"] is None
    scene.trick("JH JC QC").trick("AH JD KC KD")
    assert scene.awards == (0, 12)
    assert scene.reason == "made"


def test_e32_a_kontra_schnapser_is_lost_to_the_declarers_partner() -> None:
    deal = "N: JH QS KS JD QD / E: AS AD TD KC JC / S: TS AC KD TC QC / W: AH TH KH QH JS"
    scene = Scene(deal, "kontra-schnapser W H").trick("QS AS TS JS")
    assert scene.view["last_trick"]["winner"] == "E"
    assert scene.awards == (12, 0)
    assert scene.reason == "failed"


@pytest.mark.parametrize(
    ("south", "west", "points", "awards"),
    [("KC", "QC", 66, (6, 0)), ("QC", "KC", 65, (0, 6))],
)
def test_e33_sixty_six_make_a_schnapser(
    south: str, west: str, points: int, awards: tuple[int, int]
) -> None:
    deal = f"N: AH TH AC KH QH / E: JH QS TC AS TS / S: QD JS {south} AD TD / W: KD KS JC JD {west}"
    scene = Scene(deal, "schnapser N H").trick("AH JH QD KD").trick("TH QS JS KS")
    scene.trick(f"AC TC {south} JC")
    assert scene.points == (points, 0)
    assert scene.awards == awards  # king and queen of trumps in hand help nobody
    assert scene.view["to_act"] is None


def test_e34_forehands_pair_is_worth_nothing_in_the_schnapser_of_his_partner() -> None:
    scene = Scene(E20, "schnapser S H")
    assert scene.refused("N marry KH") == "marriages.declarer-only"
    assert scene.do("N KH").points == (0, 0)


def test_e35_a_gang_is_lost_to_the_declarers_partner() -> None:
    deal = "N: AH TH KH TC JC / E: KS AC AD QH JH / S: JS QS TD KD QD / W: AS TS KC QC JD"
    scene = Scene(deal, "gang E H").do("E KS", "S JS")
    assert scene.legal("W") == {"play AS", "play TS"}
    scene.do("W TS", "N JC")
    assert scene.awards == (9, 0)


# --------------------------------------------------------------------------- Kontra and score


def test_e36_factors_multiply_the_tier_and_leave_the_66_alone() -> None:
    deal = "N: AH TH KH QH JS / E: AS QD TC KC QC / S: TS AD JH AC QS / W: KS JD TD KD JC"
    scene = Scene(deal, "normal N H").do("E kontra", "S rekontra", "W subkontra")
    assert scene.view["contract"]["factor"] == 8
    scene.trick("JS AS TS KS").trick("QD AD JD TH")
    assert scene.points == (26, 27)
    scene.do("N marry KH")
    assert scene.points == (66, 27)
    scene.do("N enough")
    assert scene.awards == (2 * 8, 0)
    assert scene.view["outcome"] == {
        "awards": {"NS": 16, "EW": 0},
        "factor": 8,
        "reason": "claim",
    }


def test_e37_a_contract_that_is_not_played_can_be_doubled() -> None:
    deal = "N: AH TH KH QH JH / E: AD TD KD QD JD / S: AC TC KC QC JC / W: AS TS KS QS JS"
    assert Scene(deal, "herren-schnapser N H").do("W kontra", "N show").awards == (48, 0)


def test_e38_schneider() -> None:
    deal = "N: AH TH KH QD JD / E: AC TC KC QC JC / S: AS TS KS QS JS / W: QH JH AD TD KD"
    scene = Scene(deal, "farben-gang S H", scores=(22, 0)).do("S show")
    assert scene.view["scores"] == {"NS": 40, "EW": 0}
    assert scene.view["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 2}}
    assert scene.view["next_dealer"] == "N"


def test_e39_a_failed_bettler_gives_the_game_away() -> None:
    deal = "N: AC JD TD AH TH / E: TC KC KH QH JH / S: JC QD AS TS AD / W: QC KD KS QS JS"
    scene = Scene(deal, "bettler W H", scores=(20, 23)).do("W QC", "N AC", "S JC")
    scene.do("N JD", "S QD", "W KD")
    assert scene.view["scores"] == {"NS": 24, "EW": 23}
    assert scene.view["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 1}}


@pytest.mark.parametrize(("retourschneider", "marks"), [(0, 1), (4, 4)])
def test_e40_retourschneider(retourschneider: int, marks: int) -> None:
    rules = compile_rules(vary(PAGAT, {"options": {"retourschneider": retourschneider}}))
    deal = "N: JH AS TS KS QS / E: AH TH KH QH AC / S: AD TD KD QD JD / W: JS TC KC QC JC"
    scene = Scene(deal, "kontra-bauern-schnapser E H", scores=(23, 0), rules=rules)
    scene.trick("JH AH AD JS").trick("TH TD TC QS").trick("KH KD KC KS").trick("QH QD QC TS")
    assert scene.view["outcome"] is None
    scene.trick("AC JD JC AS")
    assert scene.awards == (0, 24)
    assert scene.reason == "made"
    assert scene.view["scores"] == {"NS": 23, "EW": 24}
    assert scene.view["game"] == {"winners": ["EW"], "bummerl": {"NS": marks, "EW": 0}}
