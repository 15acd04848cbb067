"""The talon: what the declarer may do with it, what counts, what is refused for which reason."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from talon_scenes import BASE, FIVE, HANDS, VARIANTS, Table, auction, variant, with_contract

from bauernschnapsen import notation, table
from bauernschnapsen.cards import POINTS
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import Action, mask_of
from bauernschnapsen.position import OVER, TALON, Position
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules, compile_rules, vary

SEATS = BASE["options"]["seats"]


def random_deal(rules: Rules, chance: Random) -> list[Position]:
    """Return all positions of a deal that nobody plays well."""
    pack = chance.sample(range(20), 20)
    hands = [pack[place : place + rules.hand_size] for place in range(0, 18, rules.hand_size)]
    position = table.new_deal(rules, chance.randrange(rules.seats), hands, None, pack[18:])
    seen = [position]
    while position.phase != OVER:
        legal = table.legal_actions(position)
        quiet = {seat: actions for seat, actions in legal.items() if seat == position.turn}
        seat = chance.choice(list(legal if chance.random() < 0.1 else quiet))
        chosen = [a for a in legal[seat] if a.verb == "pass"] if chance.random() < 0.6 else []
        position = table.apply(position, seat, chance.choice(chosen or legal[seat]))
        seen.append(position)
    return seen


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_no_card_is_lost_and_every_view_can_be_sent(rules: Rules) -> None:
    chance = Random("no card is lost")
    phases = set()
    for _ in range(25):
        played = 0
        for position in random_deal(rules, chance):
            phases.add(position.phase)
            assert position.talon is not None
            played = sum(POINTS[card] for card in range(20) if _gone(position) >> card & 1)
            assert json.loads(json.dumps(table.view(position))) == table.view(position)
            sizes = [hand.bit_count() for hand in position.hands]
            if position.phase == TALON and position.talon.taken:
                sizes[position.declarer] -= 2
            assert max(sizes) - min(sizes) <= 1
        counted = sum(position.points) - sum(position.declared)
        table_points = sum(POINTS[card] for _, card in position.trick)
        assert counted == played - table_points
    assert {"trump", "auction", "over"} <= phases
    assert TALON in phases


def _gone(position: Position) -> int:
    """The cards that have left hands and talon, each exactly once."""
    assert position.talon is not None
    held = position.talon.cards
    for hand in position.hands:
        assert not held & hand
        held |= hand
    return ~held & (1 << 20) - 1


def test_whatever_is_not_listed_is_refused() -> None:
    rules = VARIANTS["raise"]
    chance = Random("not listed")
    tried = 0
    contracts = [contract.name for contract in rules.contracts]
    for _ in range(12):
        for position in random_deal(rules, chance):
            legal = table.legal_actions(position)
            hand = position.dealt[chance.randrange(rules.seats)]
            cards = mask_of(tuple(chance.sample(hand, 2)))
            words = [Action("talon"), Action("keep"), Action("discard", cards)]
            words += [Action(verb, chance.choice(contracts)) for verb in ("raise", "bid")]
            words += [Action("bid-without-talon", contracts[0]), Action("turn-up", 2)]
            for seat in range(rules.seats):
                for action in words:
                    if action in legal.get(seat, ()):
                        table.apply(position, seat, action)
                        continue
                    tried += 1
                    with pytest.raises(Refusal):
                        table.apply(position, seat, action)
    assert tried > 1000


# --------------------------------------------------------------------------- taking and leaving


def test_the_declarer_takes_both_cards_and_may_lay_any_two_away() -> None:
    scene = Table("gang E H")
    assert scene.view["phase"] == "talon"
    assert scene.view["to_act"] == "E"
    assert scene.view["legal"]["E"] == ["talon", "keep"]
    scene.do("E talon")
    assert len(scene.view["legal"]["E"]) == 28
    assert scene.view["sees"] == {}
    scene.do("E discard TC JH")
    assert scene.view["sees"] == {"E": {"talon": ["JH", "TC"]}}
    assert "play AC" in scene.view["legal"]["E"]
    assert not {"play TC", "play JH"} & set(scene.view["legal"]["E"])


def test_who_leaves_the_talon_sees_it_at_the_end_like_everybody() -> None:
    scene = Table("bettler S H").do("S keep")
    assert scene.view["sees"] == {}
    scene.do("S play KC", "N play AS", "E play JC")
    assert scene.view["outcome"]["reason"] == "failed"
    assert scene.view["sees"] == {seat: {"talon": ["AC", "TC"]} for seat in "NES"}


def test_a_card_turned_up_is_not_shown_any_more_once_cards_are_laid_away() -> None:
    scene = Table().do("N turn-up 3", "N bid normal", "E pass", "S pass")
    assert scene.view["trump"] == "D"
    assert scene.view["sees"] == {"E": {"N": ["KD"]}, "S": {"N": ["KD"]}}
    scene.do("N talon")
    assert scene.view["sees"] == {"E": {"N": ["KD"]}, "S": {"N": ["KD"]}}
    scene.do("N discard QH AS")
    assert scene.view["sees"] == {"N": {"talon": ["QH", "AS"]}}


def test_a_contract_without_the_offer_is_played_at_once() -> None:
    rules = with_contract("bettler", talon="none")
    assert Table("bettler S H", rules).view["phase"] == "play"


@pytest.mark.parametrize(
    ("steps", "step", "rule"),
    [
        ([], "N talon", "talon.declarer"),
        ([], "N keep", "talon.declarer"),
        ([], "N discard AH TH", "talon.declarer"),
        ([], "E discard AD TD", "talon.take-first"),
        ([], "E discard AH TH", "talon.take-first"),
        ([], "E play AD", "play.when"),
        ([], "E marry KS", "play.when"),
        ([], "E enough", "claims.moment"),
        ([], "E show", "contracts.show"),
        ([], "E bid zehner-gang", "auction.when"),
        ([], "E pass", "auction.when"),
        ([], "E trump D", "deal.trump-once"),
        ([], "E raise zehner-gang", "talon.raise"),
        ([], "N raise zehner-gang", "talon.declarer"),
        ([], "E bid-without-talon zehner-gang", "auction.when"),
        (["E talon"], "E talon", "talon.discard-due"),
        (["E talon"], "E keep", "talon.discard-due"),
        (["E talon"], "N keep", "talon.declarer"),
        (["E talon"], "E play AD", "play.when"),
        (["E talon"], "E discard AH TH", "talon.own-cards"),
        (["E talon"], "E discard AD TH", "talon.own-cards"),
        (["E talon"], "N discard AH TH", "talon.declarer"),
        (["E talon"], "E discard AD AD", "notation.action"),
        (["E talon"], "E discard AD", "notation.action"),
        (["E talon", "E discard AD TD"], "E discard KS QS", "talon.when"),
        (["E talon", "E discard AD TD"], "E talon", "talon.when"),
        (["E talon", "E discard AD TD"], "N keep", "talon.when"),
        (["E talon", "E discard AD TD"], "E play AD", "play.own-cards"),
        (["E keep"], "E keep", "talon.when"),
        (["E keep"], "E talon", "talon.when"),
    ],
)
def test_the_first_broken_rule_is_named(steps: list[str], step: str, rule: str) -> None:
    assert Table("gang E H").do(*steps).refused(step) == rule


@pytest.mark.parametrize("step", ["N talon", "N keep", "N discard AH TH", "N raise gang"])
def test_the_talon_waits_for_the_end_of_the_auction_and_of_the_deal(step: str) -> None:
    assert Table().refused(step) == "talon.when"
    assert auction().refused(step) == "talon.when"
    over = Table("bettler S H").do("S keep", "S play KC", "N play AS", "E play JC")
    assert over.refused(step) == "scoring.deal-over"


# --------------------------------------------------------------------------- doubling and worth


def test_a_double_said_before_the_talon_is_seen_stands() -> None:
    scene = Table("gang E H").do("N kontra", "E talon", "E rekontra", "S subkontra")
    assert scene.view["contract"]["factor"] == 8
    scene.do("E discard JH JC", "E play TD")
    assert scene.refused("N kontra") == "doubling.window"


@pytest.mark.parametrize(
    ("steps", "awards"),
    [
        (["E keep"], [20, 0, 20]),
        (["E talon", "E discard JC JH"], [18, 0, 18]),
    ],
)
def test_leaving_the_talon_adds_a_point_before_doubling(
    steps: list[str], awards: list[int]
) -> None:
    scene = Table("gang E H", VARIANTS["raise"]).do("S kontra", *steps)
    assert scene.do("E play QS", "S play TS", "N play AS").awards == awards


def test_the_added_point_is_added_to_the_grade_of_a_normal_game() -> None:
    rules = variant(no_talon_bonus=1)
    hands = {"N": "AH TH KH QH AS TS", "E": "JH AD TD KD QD JD", "S": "AC TC KC QC JC KS"}
    scene = Table("normal N H", rules, {**hands, "talon": "QS JS"}).do("N keep", "N marry KH")
    scene.do("E play JH", "S play KS", "N play AS", "E play JD", "S play JC", "N enough")
    # 65 is not enough; a true claim would have brought three points, the others having no trick.
    assert scene.view["points"] == {"N": 40 + 4 + 2 + 4 + 11 + 2 + 2, "E": 0, "S": 0}
    assert scene.view["outcome"]["reason"] == "false_claim"
    assert scene.awards == [0, 4, 4]


def test_a_deal_is_decisive_with_the_point_for_leaving_the_talon() -> None:
    """kontra_cap: 14 and 9 are short of 24, 14 and 10 are not."""
    for steps, may in ((["E talon", "E discard JC JH"], True), (["E keep"], False)):
        scene = Table("gang E H", VARIANTS["cap"], scores=(14, 14, 14)).do(*steps)
        assert ("kontra" in scene.view["legal"].get("N", ())) is may


# --------------------------------------------------------------------------- cards from the talon


def test_cards_that_the_talon_may_bring_are_looked_at_when_it_has_been_dealt_with() -> None:
    rules = with_contract("farben-gang", held_at="after_talon")
    scene = auction(rules, FIVE).do("E bid farben-gang", "S pass", "N pass", "E talon")
    assert scene.do("E discard JC TC").view["phase"] == "play"
    scene = auction(rules, FIVE).do("E bid farben-gang", "S pass", "N pass", "N kontra", "E keep")
    assert scene.view["outcome"]["reason"] == "failed"
    assert scene.awards == [36, 0, 36]
    scene = auction(rules, FIVE).do("E bid farben-gang", "S pass", "N pass", "E talon")
    assert scene.do("E discard JH TC").awards == [18, 0, 18]


def test_cards_required_by_the_bid_may_be_laid_away() -> None:
    hands = {**FIVE, "E": "AH TH KH QH JH TC", "talon": "JC QC"}
    scene = auction(None, hands).do("E bid farben-gang", "S pass", "N pass", "E talon")
    assert scene.do("E discard JH QH").view["phase"] == "play"


def test_who_never_sees_the_talon_needs_the_cards_at_once() -> None:
    rules = with_contract("farben-gang", held_at="after_talon", talon="none")
    scene = auction(rules, FIVE)
    assert scene.do("E bid farben-gang", "S pass", "N pass").awards == [18, 0, 18]


# --------------------------------------------------------------------------- games

LOW = {"N": "JH JS QS JD JC QC", "E": "AH AS KS KH TH TS", "S": "QH AD QD KD TD AC"}
LOW["talon"] = "KC TC"


def test_two_may_win_a_game_and_the_third_alone_loses_it() -> None:
    scene = Table("bettler S H", scores=(22, 23, 0)).do("S keep", "S play KC", "N play AS")
    game = scene.do("E play JC").view["game"]
    assert game == {"winners": ["N", "E"], "bummerl": {"N": 0, "E": 0, "S": 2}}


@pytest.mark.parametrize(
    ("losers", "scores", "bummerl"),
    [
        ("lowest", (23, 5, 5), [0, 1, 1]),
        ("lowest", (23, 5, 6), [0, 1, 0]),
        ("lowest", (23, 0, 6), [0, 2, 0]),
        ("all_below_target", (23, 0, 6), [0, 2, 1]),
    ],
)
def test_who_is_marked(losers: str, scores: tuple[int, ...], bummerl: list[int]) -> None:
    scene = Table("bettler N H", variant(losers=losers), LOW, scores).do("N keep")
    for trick in ("N JH E AH S QH", "E AS S AD N JS", "E KS S QD N QS"):
        words = trick.split()
        scene.do(*(f"{words[at]} play {words[at + 1]}" for at in (0, 2, 4)))
    assert scene.view["outcome"] is None
    for trick in ("E KH S KD N JD", "E TH S TD N JC", "E TS S AC N QC"):
        words = trick.split()
        scene.do(*(f"{words[at]} play {words[at + 1]}" for at in (0, 2, 4)))
    assert list(scene.view["game"]["bummerl"].values()) == bummerl


# --------------------------------------------------------------------------- from outside


def record(**changes: Any) -> dict[str, Any]:
    given = {
        "dealer": "S",
        "hands": {seat: HANDS[seat].split() for seat in "NES"},
        "talon": ["AC", "TC"],
        "scores": {"N": 0, "E": 0, "S": 0},
        "actions": [],
    }
    return {key: value for key, value in {**given, **changes}.items() if value is not None}


@pytest.mark.parametrize(
    ("talon", "field"),
    [
        (None, "deals[0].talon"),
        ("AC TC", "deals[0].talon"),
        (["AC", "XX"], "deals[0].talon"),
        (["AC"], "deals[0].hands"),
        (["AC", "AC"], "deals[0].hands"),
        (["AC", "AH"], "deals[0].hands"),
    ],
)
def test_a_deal_without_a_proper_talon_is_an_error(talon: Any, field: str) -> None:
    with pytest.raises(SpecError) as caught:
        replay(compile_rules(BASE), [record(talon=talon)])
    assert caught.value.field == field


def test_a_deal_with_its_talon_is_played() -> None:
    views = replay(compile_rules(BASE), [record(actions=[["N", "trump H"], ["N", "turn-up 2"]])])
    assert views[0][1]["phase"] == "auction"
    assert views[0][2]["refused"] == "deal.trump-once"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"phases": ["trump", "auction", "play"]}, "options.phases"),
        ({"talon_cards": 0}, "options.packets"),
        ({"packets": [3, 2]}, "options.packets"),
        ({"seats": 4}, "options.packets"),
        ({"sides": "partners"}, "options.sides"),
    ],
)
def test_seats_packets_talon_and_phases_have_to_fit(options: dict[str, Any], field: str) -> None:
    with pytest.raises(SpecError) as caught:
        vary(BASE, {"options": options})
    assert caught.value.field == field


def test_seats_of_three_have_their_own_letters() -> None:
    assert notation.seat_letters(SEATS) == "NES"
    with pytest.raises(ValueError, match="not a seat"):
        notation.parse_seat("W", SEATS)
