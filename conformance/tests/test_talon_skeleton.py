"""The Python skeleton and its toy engine at a table of three: queries, talon, tricks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from adapter_kits import ADAPTERS, Conversation, environment
from naive_talon import answer, do, legal, may
from naive_talon_table import CLOCKWISE, NAMES, Deal
from talon_deals import random_deal

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.verdicts import Verdict

FOLDER = ADAPTERS / "python"
NOBODY = frozenset[str]()
DEAL: dict[str, Any] = {
    "dealer": "S",
    "scores": {"N": 0, "E": 0, "S": 0},
    "hands": {
        "N": ["AH", "KH", "QH", "AS", "TS", "JC"],
        "E": ["TH", "AC", "TC", "QC", "JD", "AD"],
        "S": ["JH", "KC", "QD", "KD", "TD", "QS"],
    },
    "talon": ["KS", "JS"],
    "contract": {"name": "schnapser", "declarer": "N", "trump": "H"},
    "actions": [],
}


@pytest.fixture(scope="module")
def adapter() -> Iterator[Conversation]:
    one = Conversation([sys.executable, "adapter.py"], FOLDER)
    assert one.hello()["ok"]["capabilities"]["players"] == [4, 3]
    yield one
    assert one.end()[0] == 0


def replayed(adapter: Conversation, record: dict[str, Any]) -> list[dict[str, Any]]:
    views: list[dict[str, Any]] = adapter.ask(2, "replay", deals=[record])["ok"][0]
    return views


def pairs(words: list[str]) -> set[frozenset[str]]:
    return {frozenset(word.split(" ")) for word in words}


def test_level_1_is_reached_with_three_players() -> None:
    command = AdapterCommand((sys.executable, "adapter.py"), FOLDER, environment())
    rules = load_ruleset("talon")
    with Session(command) as session:
        report = certify(load_corpus(), rules, session, blind=True)
    assert report.levels == (Level.TRICKS,)
    counts = report.counts()
    assert set(counts) - {Verdict.NOT_APPLICABLE} == {Verdict.PASS, Verdict.UNSUPPORTED}
    assert counts[Verdict.PASS] > 100
    assert report.exit_code == 0


def test_the_talon_is_taken_and_laid_away(adapter: Conversation) -> None:
    actions = [
        *(["E", "talon"], ["N", "discard AH KH"], ["N", "play AH"], ["N", "talon"], ["N", "keep"]),
        *(["N", "discard AC KH"], ["N", "discard KS JC"], ["N", "talon"], ["N", "play AH"]),
    ]
    views = replayed(adapter, {**DEAL, "actions": actions})
    refused = [place for place, view in enumerate(views) if "refused" in view]
    assert refused == [1, 2, 3, 5, 6, 8]
    assert views[0]["to_act"] == "N"
    assert views[0]["legal"] == {"N": ["talon", "keep"], "E": None, "S": None}
    discards = views[4]["legal"]["N"]
    assert len(pairs(discards)) == 28
    assert frozenset({"discard", "KS", "AH"}) in pairs(discards)
    assert views[7]["legal"]["N"] is None  # he may declare a marriage, which the toy does not know
    assert views[-1]["legal"] == {"E": ["play TH"]}


def test_a_schnapser_has_four_tricks_of_three_cards(adapter: Conversation) -> None:
    tricks = list("NESNESNES"), ["AH", "TH", "JH", "KH", "JD", "QD", "QH", "QC", "KC"]
    actions = [["N", "keep"]]
    actions += [[seat, f"play {card}"] for seat, card in zip(*tricks, strict=True)]
    views = replayed(adapter, {**DEAL, "actions": actions})
    assert views[-1]["to_act"] == "N"
    assert views[-1]["last_trick"]["points"] == 10
    last = [["N", "play TS"], ["E", "play TC"], ["S", "play QS"], ["N", "play AS"]]
    views = replayed(adapter, {**DEAL, "actions": actions + last})
    assert [view["to_act"] for view in views[-2:]] == [None, None]
    assert views[-1]["refused"] is True


def test_starts_that_the_toy_has_not(adapter: Conversation) -> None:
    def outcome(**changes: Any) -> str:
        return next(iter(adapter.ask(3, "replay", deals=[{**DEAL, **changes}])))

    farben = {"name": "farben-gang", "declarer": "E", "trump": "H"}
    assert outcome() == outcome(contract=farben) == "ok"
    assert outcome(contract=None) == "unsupported"
    assert outcome(talon=["KS"]) == outcome(talon=["KS", "AH"]) == outcome(talon="KS") == "error"
    assert outcome(talon=[]) == "error"  # then it is a table of four, and a seat is missing


@pytest.mark.parametrize("name", NAMES)
def test_tricks_are_played_as_in_the_rules(adapter: Conversation, name: str) -> None:
    """Random play without what the toy does not know: doubling, marriages, claims."""
    for number in range(4):
        chance = Random(f"{name} {number}")
        start, _ = random_deal(chance, NOBODY)
        declarer = chance.choice(CLOCKWISE)
        contract = {"name": name, "declarer": declarer, "trump": chance.choice("HDSC")}
        record = {**start, "contract": contract, "actions": []}
        deal = Deal(record, NOBODY)
        answers = [answer(deal, refused=False)]
        while deal.outcome is None:
            seat = str(deal.to_act())
            known = ("talon", "keep", "discard", "play")
            words = chance.choice(
                [word for word in sorted(legal(deal)[seat]) if word.split(" ")[0] in known]
            )
            tried = [(seat, words), (seat, f"play {chance.choice(start['hands'][seat])}")]
            for who, attempt in tried[:: chance.choice([1, -1])]:
                allowed = may(deal, who, attempt)
                if allowed:
                    do(deal, who, attempt)
                record["actions"].append([who, attempt])
                answers.append(answer(deal, refused=not allowed))
        for view, expected in zip(replayed(adapter, record), answers, strict=True):
            assert view["to_act"] == expected["to_act"], record
            assert view.get("refused", False) == expected["refused"], record
            for seat in CLOCKWISE:
                offered = view["legal"].get(seat, [])
                if offered is not None:
                    assert pairs(offered) == pairs(list(expected["legal"].get(seat, ()))) - {
                        frozenset({"enough"})
                    }, record
