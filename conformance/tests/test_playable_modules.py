"""What a page plays with, outside of a page: deals, opponents, examples, situations."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise
from typing import Any

import pytest
from playable_modules import Ask, needs_node
from playable_modules import ask as ask  # noqa: PLC0414 - a fixture
from playable_modules import book as book  # noqa: PLC0414 - a fixture

from bauernschnapsen.notation import CARDS, DEALS, SEATS, deal_of_number, format_card
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset
from bauernschnapsen_conformance.rulebook.model import Book
from bauernschnapsen_conformance.rulebook.play import example_data

Json = dict[str, Any]
pytestmark = pytest.mark.slow


# ------------------------------------------------------------------ deals


@needs_node
def test_a_deal_number_means_the_same_cards_as_everywhere(ask: Ask) -> None:
    lot = random.Random(8)
    numbers = [0, 1, DEALS - 1, *(lot.randrange(DEALS) for _ in range(200))]
    expected = [
        {
            seat: [format_card(card) for card in hand]
            for seat, hand in zip(SEATS, deal_of_number(number), strict=True)
        }
        for number in numbers
    ]
    assert ask("hands", numbers=numbers) == expected
    assert ask("hands", numbers=[-1, DEALS, 0.5]) == [None, None, None]
    for mixed, plain in zip(ask("dealt", numbers=numbers), expected, strict=True):
        assert {seat: sorted(hand) for seat, hand in mixed.items()} == {
            seat: sorted(hand) for seat, hand in plain.items()
        }


@needs_node
def test_the_deals_for_three_are_counted_in_the_same_way(ask: Ask) -> None:
    # 20! / (6!^3 * 2!) ways to deal six cards to three and to lay two aside.
    ways = math.factorial(20) // (math.factorial(6) ** 3 * 2)
    first, last, beyond = ask("hands", numbers=[0, ways - 1, ways], seats=3)
    pack = list(CARDS)
    assert first == {"N": pack[:6], "E": pack[6:12], "S": pack[12:18], "talon": pack[18:]}
    assert last == {"N": pack[14:], "E": pack[8:14], "S": pack[2:8], "talon": pack[:2]}
    assert beyond is None
    lot = random.Random(9)
    numbers = [lot.randrange(ways) for _ in range(50)]
    dealt = ask("hands", numbers=numbers, seats=3)
    assert len({json.dumps(hands) for hands in dealt}) == len(set(numbers))
    for hands in dealt:
        assert sorted(card for hand in hands.values() for card in hand) == sorted(pack)


@needs_node
def test_lots_are_spread_evenly_and_can_be_drawn_again(ask: Ask) -> None:
    drawn = ask("lots", seed=10_649_000_000, name="order", count=4000)
    assert drawn == ask("lots", seed=10_649_000_000, name="order", count=4000)
    assert drawn != ask("lots", seed=10_649_000_001, name="order", count=4000)
    assert drawn != ask("lots", seed=10_649_000_000, name="other", count=4000)
    for tenth in range(10):
        # A tenth of 4,000, within five standard deviations.
        assert abs(sum(int(one * 10) == tenth for one in drawn) - 400) < 95
    rising = sum(one < after for one, after in pairwise(drawn))
    assert abs(rising - 2000) < 160


# ------------------------------------------------------------------ examples


@needs_node
def test_every_example_plays_in_the_page_as_in_the_reference(book: Book, ask: Ask) -> None:
    examples = list(book.examples.values())
    seats = {len(deal["hands"]) for one in examples for deal in one.prepared.deals}
    assert seats == {3, 4}
    assert len(examples) > 170
    played = ask("timeline", examples=[example_data(example) for example in examples])
    for example, steps in zip(examples, played, strict=True):
        expected = [view for views in example.prepared.expected for view in views]
        assert len(steps) == len(expected), example.scenario.id
        for step, view in zip(steps, expected, strict=True):
            assert step["refused"] == view.get("refused"), example.scenario.id
            for key in ("phase", "to_act", "points", "scores", "outcome", "trump"):
                assert step[key] == view[key], (example.scenario.id, key)


# ------------------------------------------------------------------ the free table


def judged(ruleset: str, played: list[Json]) -> list[Json]:
    """Return the last view of each deal as the reference sees it, every action accepted."""
    rules, last = compile_rules(load_ruleset(ruleset)), []
    for deal in played:
        record = deal["record"]
        actions = [line.split(" ", 1) for line in record["actions"]]
        hands = {seat: cards.split() for seat, cards in record["hands"].items()}
        views = replay(rules, [{**record, "hands": hands, "actions": actions}])[0]
        assert not [view for view in views if view.get("refused")], deal["number"]
        last.append(views[-1])
    return last


@needs_node
@pytest.mark.parametrize(
    ("ruleset", "seat"),
    [
        ("pagat", "S"), ("conservative", "N"), ("luschentreff", "W"), ("wikipedia", "E"),
        ("talon", "S"), ("talon_carinthia", "N"), ("talon_wikipedia", "E"),
    ],
)  # fmt: skip
def test_whole_games_are_played_by_the_rules(ask: Ask, ruleset: str, seat: str) -> None:
    played = ask("games", ruleset=ruleset, seat=seat, first=2_777_777_777, count=30)
    marks = dict.fromkeys(played[0]["marks"], 0)
    assert list(marks) == (["N", "E", "S"] if "talon" in ruleset else ["NS", "EW"])
    dealers = []
    for deal, view in zip(played, judged(ruleset, played), strict=True):
        assert deal["same"], "a match that is taken up again is another"
        assert deal["marks"] == marks
        for key in ("scores", "outcome", "next_dealer", "game"):
            assert deal["view"][key] == view[key], deal["number"]
        if view["game"] is not None:
            marks = {side: marks[side] + view["game"]["bummerl"][side] for side in marks}
        dealers.append((deal["record"]["dealer"], view["next_dealer"]))
    assert sum(marks.values()) > 0, "no game ended"
    assert all(before[1] == after[0] for before, after in pairwise(dealers))


@needs_node
def test_the_opponents_bid_more_than_normal_where_they_can_make_it(ask: Ask) -> None:
    played = ask("games", ruleset="pagat", seat="S", first=9_876_543_210, count=150)
    made: dict[str, list[bool]] = {}
    for deal in played:
        outcome, contract = deal["view"]["outcome"], deal["view"]["contract"]
        side = next(side for side in ("NS", "EW") if contract["declarer"] in side)
        made.setdefault(contract["name"], []).append(outcome["awards"][side] > 0)
    normal = made.pop("normal")
    higher = [one for name in made for one in made[name]]
    assert len(made) >= 4, made
    assert 0.06 < len(higher) / len(played) < 0.35
    assert sum(higher) / len(higher) > 0.7
    assert 0.5 < sum(normal) / len(normal) < 0.8


@needs_node
def test_three_players_take_the_talon_and_lay_two_cards_away(ask: Ask) -> None:
    played = ask("games", ruleset="talon", seat="S", first=1_876_543_210, count=90)
    taken, made, higher = 0, [], set()
    for deal in played:
        contract, outcome = deal["view"]["contract"], deal["view"]["outcome"]
        said = [line.split(" ", 1)[1].split()[0] for line in deal["record"]["actions"]]
        taken += said.count("discard")
        assert said.count("talon") == said.count("discard")
        made.append(outcome["awards"][contract["declarer"]] > 0)
        higher |= {contract["name"]} - {"normal"}
    assert taken > 80
    assert len(higher) >= 3, higher
    # One against two, but with the best six of eight cards.
    assert 0.3 < sum(made) / len(made) < 0.75


@needs_node
@pytest.mark.parametrize("ruleset", ["pagat", "ukrainian", "talon"])
def test_the_opponents_do_not_look_into_hands(ask: Ask, ruleset: str) -> None:
    asked = 0
    for first in (1_234_567_890, 2_321_987_654, 3_199_000_111):
        for with_these, with_others in ask("honest", ruleset=ruleset, first=first):
            assert with_these == with_others
            asked += 1
    assert asked > 40


# ------------------------------------------------------------------ what may I play here?

SITUATIONS: list[tuple[Json, dict[str, str | None]]] = [
    (
        {"trick": ["KS"], "hand": ["AS", "QS", "TH"]},
        {"AS": None, "QS": "play.beat", "TH": "play.follow"},
    ),
    (
        {"trick": ["KS", "JH"], "hand": ["AS", "QS", "TH"]},
        {"AS": None, "QS": None, "TH": "play.follow"},
    ),
    (
        {"trick": ["AS", "TH"], "hand": ["AH", "JH", "AD"]},
        {"AH": None, "JH": "play.over-ruff", "AD": "play.ruff"},
    ),
    (
        {"contract": "gang", "trick": ["AS", "TH"], "hand": ["AH", "AD"]},
        {"AH": None, "AD": None},
    ),
    (
        {"contract": "zehner-gang", "trick": ["AS"], "hand": ["JS", "TS", "AD"]},
        {"JS": None, "TS": None, "AD": "play.follow"},
    ),
    (
        {"trick": ["KS"], "hand": ["AS", "QS"], "fields": {"head": "free"}},
        {"AS": None, "QS": None},
    ),
    (
        {"trick": ["AS", "TH"], "hand": ["AH", "JH"], "fields": {"overtrump": "free"}},
        {"AH": None, "JH": None},
    ),
    (
        {"trick": ["JS", "AS"], "hand": ["KS", "JD"], "fields": {"head_target": "led_card"}},
        {"KS": None, "JD": "play.follow"},
    ),
    ({"trick": [], "hand": ["AS", "QS"]}, {"AS": None, "QS": None}),
    (
        {"ruleset": "talon", "trick": ["KS"], "hand": ["AS", "QS", "TH", "AH", "JD", "AD"]},
        {"AS": None, "QS": "play.beat"} | dict.fromkeys(["TH", "AH", "JD", "AD"], "play.follow"),
    ),
    (
        {"ruleset": "talon", "contract": "farben-gang", "declarer": "E", "trick": ["KS", "AS"],
         "hand": ["AH", "JH"]},
        {"AH": None, "JH": None},
    ),
]  # fmt: skip


@needs_node
def test_a_situation_that_the_reader_sets_up_is_judged(ask: Ask) -> None:
    answers = ask("situations", states=[state for state, _ in SITUATIONS])
    for (_, expected), answer in zip(SITUATIONS, answers, strict=True):
        assert answer["against"] == expected, answer["state"]


@needs_node
def test_an_impossible_situation_is_mended(ask: Ask) -> None:
    three = ["AS", "KS", "QS"]
    bettler = {"contract": "bettler", "declarer": "N", "trick": three, "hand": ["JS"]}
    nothing = {"contract": "no-such-game", "trick": three, "hand": ["JS"]}
    three_players = {"ruleset": "talon", "declarer": "W", "trick": three, "hand": ["JS"]}
    many = {"hand": ["AH", "KH", "QH", "JH", "TH", "AD"], "trick": []}
    states = [bettler, nothing, three_players, many, {**many, "ruleset": "talon"}]
    mended = [one["state"] for one in ask("situations", states=states)]
    # The reader does not sit out himself, and two have played before him.
    assert mended[0]["declarer"] == "E"
    assert mended[0]["trick"] == three[:2]
    assert mended[1]["contract"] == "normal"
    # Of three only two have played before him, and nobody sits in the west.
    assert mended[2]["declarer"] == "E"
    assert mended[2]["trick"] == three[:2]
    assert [len(one["hand"]) for one in mended[3:]] == [5, 6]


@needs_node
def test_a_situation_is_written_into_the_address_and_read_again(ask: Ask) -> None:
    state = {
        "ruleset": "wikipedia", "contract": "gang", "trump": "C", "declarer": "W",
        "trick": ["KH", "AH"], "hand": ["JS"], "fields": {"head": "free"},
    }  # fmt: skip
    (again,) = ask("addresses", states=[state])
    assert again == state
    cards = ["ZZ", "AS", "AS"]
    hostile = {**state, "ruleset": "x", "trump": "<b>", "hand": cards, "fields": {"head": "<i>"}}
    (mended,) = ask("addresses", states=[hostile])
    assert mended["ruleset"] == "pagat"
    assert mended["trump"] == "H"
    assert mended["hand"] == ["AS"]
    assert mended["fields"] == {}
