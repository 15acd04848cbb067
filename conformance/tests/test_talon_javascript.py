"""The engine in plain JavaScript with three seats and a talon: answers that are worked out by hand.

`S` deals and `N` is forehand unless a deal says otherwise.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from javascript_adapter import HERE, NODE, comparable, legal, plays, reasons
from talon_deals import TABLES, options_of, random_deal
from talon_javascript import CLUBS, LOST, NOTHING, STRONG, THREE_TRICKS, Table, awards, deal
from talon_javascript import table as table  # noqa: PLC0414 - a fixture

from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.verdicts import Verdict

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")
Json = dict[str, Any]


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
