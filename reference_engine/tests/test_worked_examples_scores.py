"""Worked examples of Normal, slams, Kontra and score, each with all twenty cards, by hand.

N is forehand (F), E the dealer's partner (P), S forehand's partner (M), W the dealer (D). Numbers
E1 to E40 are those of the collection the rules come with; deals it leaves open are completed here.
"""

from __future__ import annotations

import pytest
from scenes import Scene

from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary

PAGAT = load_ruleset("pagat")


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
