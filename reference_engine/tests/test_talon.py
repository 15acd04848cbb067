"""The talon: what the declarer may do with it, what counts, what is refused for which reason."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from bauernschnapsen import notation, table
from bauernschnapsen.cards import POINTS
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.match import new_score
from bauernschnapsen.notation import Action, mask_of
from bauernschnapsen.position import OVER, TALON, Position
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules, compile_rules, load_ruleset, vary

BASE = load_ruleset("talon")
SEATS = BASE["options"]["seats"]
HANDS = {
    "N": "AH TH KH QH AS KD",
    "E": "JH AD TD KS QS JC",
    "S": "QD JD TS JS KC QC",
    "talon": "AC TC",
}
FIVE = {"N": "AS TS KS QD JD KD", "E": "AH TH KH QH JC TC", "S": "AD TD QS JS AC KC"}
FIVE["talon"] = "JH QC"


def variant(**options: Any) -> Rules:
    return compile_rules(vary(BASE, {"options": options}))


def with_contract(name: str, options: dict[str, Any] | None = None, **fields: Any) -> Rules:
    changes = {"contracts": {name: fields}, "options": options or {}}
    return compile_rules(vary(BASE, changes))


class Table:
    """A deal of three under way. Dealer S, so that N is forehand."""

    def __init__(
        self,
        start: str | None = None,
        rules: Rules | None = None,
        hands: dict[str, str] | None = None,
        scores: tuple[int, ...] = (0, 0, 0),
    ) -> None:
        """`start` is `gang N H` or None, which starts before the trump is named."""
        rules = rules or compile_rules(BASE)
        dealt = {owner: notation.parse_cards(cards) for owner, cards in (hands or HANDS).items()}
        talon = dealt.pop("talon")
        score = new_score(rules, scores)
        if start is None:
            self.position = table.new_deal(rules, 2, list(dealt.values()), score, talon)
            return
        name, seat, suit = start.split()
        self.position = table.start_contract(
            rules,
            2,
            list(dealt.values()),
            name,
            notation.parse_seat(seat),
            notation.parse_suit(suit),
            score,
            talon,
        )

    def do(self, *steps: str) -> Table:
        for step in steps:
            seat, action = step.split(" ", 1)
            self.position = table.apply(
                self.position, notation.parse_seat(seat), notation.parse_action(action)
            )
        return self

    def refused(self, step: str) -> str:
        """Return the rule that an action breaks; nothing may change."""
        before = self.view
        with pytest.raises(Refusal) as caught:
            self.do(step)
        seat, action = step.split(" ", 1)
        assert self.view == before
        assert action not in before["legal"].get(seat, ())
        return caught.value.rule

    @property
    def view(self) -> dict[str, Any]:
        return table.view(self.position)

    @property
    def awards(self) -> list[int]:
        return list(self.view["outcome"]["awards"].values())


def auction(rules: Rules | None = None, hands: dict[str, str] | None = None) -> Table:
    """The auction after forehand has named the suit of his first card and opened."""
    suit = (hands or HANDS)["N"][1]
    return Table(None, rules, hands).do(f"N trump {suit}", "N bid normal")


# --------------------------------------------------------------------------- whole deals

VARIANTS = {
    "plain": variant(),
    "raise": variant(talon_raise="allowed", no_talon_bonus=1),
    "without": variant(no_talon_precedence="present", no_talon_bonus=1, equal_bids="never"),
    "late": with_contract("farben-gang", held_at="after_talon"),
    "shown": with_contract("gang", goal="shown", hold="an_ace", held_at="show"),
    "cap": variant(kontra_cap="when_decisive", no_talon_bonus=1, claim_mode="at_end"),
    "carinthia": compile_rules(load_ruleset("talon_carinthia")),
    "wikipedia": compile_rules(load_ruleset("talon_wikipedia")),
}


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
