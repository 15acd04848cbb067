"""The engine in plain JavaScript with three seats and a talon: answers that are worked out by hand.

`S` deals and `N` is forehand unless a deal says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from javascript_adapter import CARDS, HERE, NODE, Engine, View, comparable, legal, plays, reasons
from talon_deals import TABLES, options_of, random_deal

from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.levels import Level
from bauernschnapsen_conformance.runner import certify
from bauernschnapsen_conformance.verdicts import Verdict

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
Json = dict[str, Any]
SEATS = "NES"
NOTHING = {"N": 0, "E": 0, "S": 0}


class Table:
    """The adapter, asked by a ruleset of three seats with these changes."""

    def __init__(self) -> None:
        self.engine = Engine()
        self._sent: set[str] = set()

    def views(
        self, *deals: Json, ruleset: str = "talon", changes: Mapping[str, Any] | None = None
    ) -> list[list[View]]:
        key = f"{ruleset} {changes or {}}"
        if key not in self._sent:
            rules = vary(load_ruleset(ruleset), changes or {})
            assert self.engine.ask("rules", key=key, rules=rules) == {"ok": True}
            self._sent.add(key)
        views: list[list[View]] = self.engine.ask("replay", rules=key, deals=deals)["ok"]
        return views

    def play(
        self, deal: Json, changes: Mapping[str, Any] | None = None, *, ruleset: str = "talon"
    ) -> list[View]:
        return self.views(deal, ruleset=ruleset, changes=changes)[0]


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    one = Table()
    yield one
    one.engine.close()


def deal(packs: str, actions: str = "", contract: str = "", **more: Any) -> Json:
    """A deal record; `packs` are the hands of N, E and S and the talon."""
    *hands, talon = (pack.split() for pack in packs.split("/"))
    assert sorted(card for pack in (*hands, talon) for card in pack) == sorted(CARDS)
    record: Json = {
        "dealer": "S",
        "scores": NOTHING,
        "hands": dict(zip(SEATS, hands, strict=True)),
        "talon": talon,
        "actions": [text.split(" ", 1) for text in actions.split(", ") if text],
        **more,
    }
    if contract:
        name, declarer, trump = contract.split()
        record["contract"] = {"name": name, "declarer": declarer, "trump": trump}
    return record


def awards(view: View) -> tuple[int, int, int, str]:
    paid = view["outcome"]["awards"]
    return paid["N"], paid["E"], paid["S"], view["outcome"]["reason"]


# N can win three tricks with 82 card points in a Schnapser; then his jack loses and his ten wins.
STRONG = "AH KH QH AS TS JC / TH AC TC QC JD AD / JH KC QD KD TD QS / KS JS"
THREE_TRICKS = (
    "N keep, N play AH, E play TH, S play JH, N marry KH, E play JD, S play QD, "
    "N play QH, E play QC, S play KC"
)
LOST = "N keep, N play JC, E play TC, S play KC"
# N has a Normal that he cannot win.
WEAK = "JH QH KD JD JC QC / TC AD AS TH KH AH / AC TD TS KS KC QS / JS QD"
# E has all clubs and the queen of spades.
CLUBS = "AH TH KH AS AD TD / AC TC KC QC JC QS / QH JH KS TS KD QD / JS JD"


# ------------------------------------------------------------------------------ trump and auction


def test_there_are_three_hidden_cards(table: Table) -> None:
    views = table.play(deal(STRONG, "N turn-up 4, E turn-up 1, N turn-up 3"))
    assert legal(views[0], "N") == {"trump H", "turn-up 1", "turn-up 2", "turn-up 3"}
    assert reasons(views) == ["notation.action", "deal.forehand-names"]
    assert views[-1]["trump"] == "C"
    assert views[-1]["sees"] == {"E": {"N": ["JC"]}, "S": {"N": ["JC"]}}


def test_two_passes_end_the_auction(table: Table) -> None:
    actions = "N trump H, N bid normal, E pass, S bid gang, N bid gang, S bid gang, S pass"
    views = table.play(deal(STRONG, actions))
    assert legal(views[1], "N") == {
        *("bid normal", "bid bettler", "bid schnapser", "bid gang", "bid zehner-gang"),
        "bid bauern-schnapser",
    }
    assert legal(views[2], "E") == {
        *("bid bettler", "bid gang", "bid zehner-gang", "bid kontra-schnapser"),
        *("bid kontra-bauern-schnapser", "pass"),
    }
    assert reasons(views) == ["auction.hold"]
    assert views[-1]["phase"] == "talon"
    assert views[-1]["to_act"] == "N"
    assert views[-1]["contract"] == {"name": "gang", "declarer": "N", "trump": None, "factor": 1}


def test_five_of_a_suit_are_not_for_forehand(table: Table) -> None:
    actions = "N trump H, N bid normal, E bid farben-gang, S bid farben-gang, S pass, N pass"
    views = table.play(deal(CLUBS, actions))
    assert "bid farben-gang" in legal(views[2], "E")
    assert reasons(views) == ["auction.cards-required"]
    assert views[-1]["contract"]["declarer"] == "E"
    own = "AH TH KH AS QH JH / AC TC KC QC JC QS / AD TD KS TS KD QD / JS JD"
    views = table.play(deal(own, "N trump H"))
    assert {word for word in legal(views[1], "N") if "g" in word[4:]} == {
        "bid gang",
        "bid zehner-gang",
    }
    assert "bid herren-schnapser" in legal(views[1], "N")
    anyone = {"farben-gang": {"bidders": "anyone"}}
    assert "bid farben-gang" in legal(
        table.play(deal(own, "N trump H"), {"contracts": anyone})[1], "N"
    )


# ------------------------------------------------------------------------------ the talon


def test_the_talon_is_taken_and_two_cards_are_discarded(table: Table) -> None:
    actions = (
        "E talon, N discard KS JS, N play AH, N marry KH, N enough, N talon, N talon, N keep, "
        "N play AH, N discard KS, N discard KS KS, N discard QS KS, E discard KS JS, E kontra, "
        "N rekontra, N discard JC KS, N discard AS TS, S subkontra, S talon, N play AH, E talon"
    )
    views = table.play(deal(STRONG, actions, "normal N H"))
    assert views[0]["phase"] == "talon"
    assert legal(views[0], "N") == {"talon", "keep"}
    assert legal(views[0], "E") == legal(views[0], "S") == {"kontra"}
    assert reasons(views) == [
        *("talon.declarer", "talon.take-first", "play.when", "play.when", "claims.moment"),
        *("talon.discard-due", "talon.discard-due", "play.when", "notation.action"),
        *("notation.action", "talon.own-cards", "talon.declarer", "talon.when", "talon.when"),
        "talon.when",
    ]
    taken = views[6]
    assert taken["sees"] == {}
    discards = {word for word in legal(taken, "N") if word.startswith("discard ")}
    assert len(discards) == len(legal(taken, "N")) == 28
    assert {"discard AH KH", "discard TS JC", "discard KS JS"} <= discards
    played = views[16]
    assert played["phase"] == "play"
    assert played["sees"] == {"N": {"talon": ["JC", "KS"]}}
    assert plays(played, "N") == "AH AS JS KH QH TS"
    assert played["contract"]["factor"] == 4
    assert views[18]["contract"]["factor"] == 8
    assert "kontra" not in legal(views[18], "E")


def test_a_talon_left_is_seen_by_nobody_before_the_end(table: Table) -> None:
    views = table.play(
        deal(STRONG, f"{THREE_TRICKS}, N play JC, E play TC, S play TD", "schnapser N H")
    )
    assert all("talon" not in known for known in views[-2]["sees"].values())
    assert views[-1]["phase"] == "over"
    assert {known["talon"][0] for known in views[-1]["sees"].values()} == {"KS"}
    assert list(views[-1]["sees"]) == ["N", "E", "S"]


def test_discards_count_for_nobody(table: Table) -> None:
    """E42: the ace and ten that were laid aside belong to no side."""
    actions = (
        "N talon, N discard AS TS, N play AH, E play TH, S play JH, N play KH, E play JD, S play QD"
    )
    views = table.play(deal(STRONG, actions, "normal N H"))
    assert views[-1]["points"] == {"N": 32, "E": 0, "S": 0}
    assert views[-1]["tricks"] == {"N": 2, "E": 0, "S": 0}


def test_the_talon_can_complete_a_pair(table: Table) -> None:
    """A king from the talon and a queen of the deal are a marriage."""
    packs = "AH KH JS AS TS QC / TH AC TC QS JD AD / JH JC QD KD TD KS / KC QH"
    views = table.play(deal(packs, "N talon, N discard JS TS, N marry KH", "normal N H"))
    assert {"marry KH", "marry QH", "marry KC", "marry QC"} <= legal(views[2], "N")
    assert views[-1]["points"]["N"] == 40
    assert views[-1]["sees"]["E"] == {"N": ["QH"]}
    without = table.play(deal(packs, "N talon, N discard KC JS", "normal N H"))[-1]
    assert {word for word in legal(without, "N") if word.startswith("marry")} == {
        "marry KH",
        "marry QH",
    }


def test_raising_after_the_talon(table: Table) -> None:
    allowed = {"options": {"talon_raise": "allowed"}}
    actions = (
        "N raise gang, E kontra, N talon, S raise gang, N raise farben-gang, N raise no-such, "
        "N raise herren-schnapser, N raise normal, N raise bettler, N raise schnapser, "
        "N discard JC KS, N raise gang, N raise bauern-schnapser, E subkontra, N play AH, "
        "N raise bauern-schnapser"
    )
    views = table.play(deal(STRONG, actions, "bettler N H"), allowed)
    assert reasons(views) == [
        *("talon.raise", "talon.declarer", "auction.bidders", "auction.bidders"),
        *("auction.cards-required", "talon.raise-higher", "talon.raise-higher"),
        *("doubling.steps", "talon.when"),
    ]
    raises = {word for word in legal(views[3], "N") if word.startswith("raise")}
    assert raises == {
        *("raise schnapser", "raise gang", "raise zehner-gang", "raise bauern-schnapser"),
    }
    assert legal(views[10], "N") >= {"raise gang", "discard AH KH", "rekontra"}
    assert views[10]["contract"]["name"] == "schnapser"
    assert views[12]["contract"] == {"name": "gang", "declarer": "N", "trump": None, "factor": 2}
    assert views[13]["contract"]["trump"] == "H"
    assert not any(word.startswith("raise") for word in legal(views[13], "N"))
    refused = table.play(deal(STRONG, "N talon, N raise gang", "bettler N H"))
    assert reasons(refused) == ["talon.raise"]
    assert not any(word.startswith("raise") for word in legal(refused[1], "N"))


def test_a_raise_changes_who_leads(table: Table) -> None:
    allowed = {"options": {"talon_raise": "allowed"}}
    actions = "E talon, E discard JS JD, E raise farben-gang, E play AC"
    views = table.play(deal(CLUBS, actions, "kontra-schnapser E H"), allowed)
    assert [view["to_act"] for view in views] == ["E", "E", "N", "E", "S"]
    assert legal(views[2], "E") >= {"raise farben-gang", "raise kontra-bauern-schnapser"}
    assert not reasons(views)


def test_cards_that_the_talon_may_bring(table: Table) -> None:
    after = {"contracts": {"farben-gang": {"held_at": "after_talon"}}}
    packs = "AH TH KH AS AD TD / AC TC KC QC JS QS / QH JH KS TS KD QD / JC JD"
    start = "N trump H, N bid normal, E bid farben-gang, S pass, N pass, E keep"
    views = table.play(deal(packs, start), after)
    assert not reasons(views)
    assert awards(views[-1]) == (18, 0, 18, "failed")
    assert views[-1]["tricks"] == NOTHING
    start = "E talon, E discard JS JD"
    views = table.play(deal(packs, start, "farben-gang E H"), after)
    assert views[-1]["phase"] == "play"
    assert views[-1]["to_act"] == "E"
    views = table.play(deal(packs, "E talon, E discard JC JD", "farben-gang E H"), after)
    assert awards(views[-1]) == (18, 0, 18, "failed")
    # Where they are required to bid, any card may be discarded later.
    views = table.play(deal(CLUBS, "E talon, E discard JC JD", "farben-gang E H"))
    assert views[-1]["phase"] == "play"


def test_bidding_without_the_talon(table: Table) -> None:
    present = {"options": {"no_talon_precedence": "present", "no_talon_bonus": 1}}
    actions = (
        "N trump H, N bid gang, E bid gang, E bid-without-talon gang, S bid gang, "
        "S bid-without-talon gang, S pass, N bid gang, N bid-without-talon gang, E pass, N talon"
    )
    views = table.play(deal(STRONG, actions), present)
    assert reasons(views) == [
        *("auction.hold", "auction.higher", "auction.hold", "auction.higher", "talon.when"),
    ]
    assert {"bid-without-talon gang", "bid zehner-gang"} <= legal(views[2], "E")
    assert [view["bid"] and view["bid"]["without_talon"] for view in views[1:11]] == [
        *(None, False, False, True, True, True, True, True, True, None)
    ]
    assert views[-1]["phase"] == "play"
    assert views[-1]["to_act"] == "N"
    absent = table.play(deal(STRONG, "N trump H, N bid-without-talon gang"))
    assert reasons(absent) == ["talon.without"]
    assert not any("without" in word for word in legal(absent[1], "N"))
    # Nine, and one more because the talon was left, to each of the others.
    lost = actions.replace("N talon", "N play JC, E play TC, S play KC")
    assert awards(table.play(deal(STRONG, lost), present)[-1]) == (0, 10, 10, "failed")
    kept = deal(STRONG, LOST, "gang N H")
    assert awards(table.play(kept, present)[-1]) == (0, 10, 10, "failed")
    assert awards(table.play(kept)[-1]) == (0, 9, 9, "failed")


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


# ---------------------------------------------------------------------------- beside the reference


@pytest.mark.slow
def test_agrees_with_the_reference_on_random_deals(table: Table) -> None:
    for number in range(40):
        chance = Random(f"three players {number}")
        agreed = chance.choice(TABLES)
        record, _ = random_deal(chance, agreed)
        changes = {"options": options_of(agreed)}
        rules = compile_rules(vary(load_ruleset("talon"), changes))
        views = table.play(record, changes)
        assert comparable(views) == comparable(replay(rules, [record])[0]), record


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["talon", "talon_carinthia", "talon_wikipedia"])
def test_it_is_certified_for_three_players(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    with Session(AdapterCommand(("node", str(HERE / "adapter.mjs"))), rules=rules) as session:
        report = certify(load_corpus(), rules, session, blind=True)
    assert report.levels == tuple(Level)
    assert set(report.counts()) == {Verdict.PASS, Verdict.NOT_APPLICABLE}
    assert report.exit_code == 0
