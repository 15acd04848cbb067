"""Worked examples of tricks and auction, each with all twenty cards, played out by hand.

N is forehand (F), E the dealer's partner (P), S forehand's partner (M), W the dealer (D). Numbers
E1 to E40 are those of the collection the rules come with; deals it leaves open are completed here.
"""

from __future__ import annotations

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
