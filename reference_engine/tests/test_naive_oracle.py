"""The engine against the second opinion, which shares no code with it: all tricks, random deals."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import naive_deal
import pytest
from hypothesis import given, settings
from naive_oracle import PACK, Key, legal_cards, legality_keys, renamings, tables, trick_winner
from strategies import PAGAT, Deal, attempts, choices, deals, examples

from bauernschnapsen import notation, play
from bauernschnapsen.notation import parse_card, parse_suit
from bauernschnapsen.position import Position
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules, load_ruleset, vary
from bauernschnapsen.table import start_contract

RANK_ORDERS = ["ATKQJ", "TKQJA", "AKQJT", "KQJAT", "QJATK"]
SAMPLE = 3000


# --------------------------------------------------------------------------- tricks


@cache
def trick_position(ranks: str, trump: str | None) -> Position:
    """Return a position in which a contract with these ranks and this trump has begun."""
    name = "gang" if trump is None else "normal"
    changed = vary(load_ruleset("pagat"), {"contracts": {name: {"ranks": ranks}}})
    hands = [range(5 * seat, 5 * seat + 5) for seat in range(4)]
    suit = parse_suit(trump or "H")
    return start_contract(compile_rules(changed), 3, hands, name, 0, suit)


def engine_winner(cards: list[str], trump: str | None, ranks: str) -> int:
    """Return which card wins by the engine, that is, takes the trick when it is put last."""
    position = trick_position(ranks, trump)
    contract, suit = position.contract, position.trump_in_force
    assert contract is not None
    best = 0
    for place in range(1, len(cards)):
        if play.beats(parse_card(cards[place]), parse_card(cards[best]), contract, suit):
            best = place
    return best


def engine_legal(hand: list[str], cards: list[str], trump: str | None, ranks: str) -> set[str]:
    """Return the cards of a hand that the engine lets be added to these."""
    position = trick_position(ranks, trump).copy()
    seat = len(cards)
    position.turn = seat
    position.hands[seat] = notation.mask_of([parse_card(card) for card in hand])
    position.trick = tuple((place, parse_card(card)) for place, card in enumerate(cards))
    best = engine_winner(cards, trump, ranks)
    position.winning = position.trick[best]
    return set(notation.format_mask(play.legal_cards(position)))


def compare(keys: Iterable[Key], ranks: str) -> int:
    """Compare every table of these keys; return their number."""
    asked = 0
    for key in keys:
        for cards in tables(key, ranks):
            asked += 1
            winner = trick_winner(cards, key.trump, ranks)
            assert cards[winner] == key.winning
            assert engine_winner(cards, key.trump, ranks) == winner, (cards, key.trump)
            expected = set(legal_cards(key.hand, cards, key.trump, ranks))
            assert engine_legal(key.hand, cards, key.trump, ranks) == expected, (cards, key)
    return asked


@pytest.fixture(scope="module")
def keys() -> list[Key]:
    return list(legality_keys())


@pytest.mark.slow
def test_there_are_122625_questions_about_a_trick(keys: list[Key]) -> None:
    assert len(keys) == 122_625
    assert sum(map(renamings, keys)) == 2_666_020
    by_size = [sum(len(key.hand) == size for key in keys) for size in range(1, 6)]
    assert by_size == [230, 1570, 7780, 29_070, 83_975]


@pytest.mark.slow
def test_tables_are_what_they_are_meant_to_be(keys: list[Key]) -> None:
    ruffed = 0
    for key in random.Random(7).sample(keys, 500):
        shapes = tables(key, "ATKQJ")
        assert shapes
        for cards in shapes:
            assert 1 <= len(cards) <= 3
            assert len(set(cards)) == len(cards)
            assert not set(cards) & set(key.hand)
            assert cards[0][1] == "H"
        if key.trump == "D" and key.winning == "AD" and not {"JD", "TD"} & set(key.hand):
            ruffed += 1
            two_trumps = [[card for card in cards if card[1] == "D"] for cards in shapes]
            assert ["AD"] in two_trumps
            assert ["JD", "AD"] in two_trumps
            assert ["AD", "JD"] in two_trumps
    assert ruffed > 5


@pytest.mark.slow
@pytest.mark.parametrize("ranks", RANK_ORDERS)
def test_a_sample_of_all_questions_is_answered_alike(keys: list[Key], ranks: str) -> None:
    sample = random.Random(ranks).sample(keys, SAMPLE // len(RANK_ORDERS))
    assert compare(sample, ranks) >= 3 * len(sample)


@pytest.mark.gates
@pytest.mark.parametrize("ranks", RANK_ORDERS)
def test_all_questions_are_answered_alike(keys: list[Key], ranks: str) -> None:
    assert compare(keys, ranks) >= 3 * len(keys)


@pytest.mark.slow
def test_a_sample_of_hands_of_six_is_answered_alike() -> None:
    six = [key for key in legality_keys(6) if len(key.hand) == 6]
    assert len(six) > 100_000
    for ranks in RANK_ORDERS:
        compare(random.Random(f"six {ranks}").sample(six, 200), ranks)


def test_complete_tricks_are_won_alike() -> None:
    chance = random.Random(11)
    for _ in range(1500):
        cards = chance.sample(PACK, 4)
        trump = chance.choice(["H", "D", "S", "C", None])
        ranks = chance.choice(RANK_ORDERS)
        assert engine_winner(cards, trump, ranks) == trick_winner(cards, trump, ranks)


# The oracle itself, on tricks that anybody can check at a table.


@pytest.mark.parametrize(
    ("hand", "cards", "trump", "ranks", "legal"),
    [
        ("AH JH AC", "", "H", "ATKQJ", "AH JH AC"),
        ("AH JH AC", "KH", "H", "ATKQJ", "AH"),
        ("TH JH AC", "AH", "H", "ATKQJ", "TH JH"),
        ("TS QS AH", "KS JS", "H", "ATKQJ", "TS"),
        ("TS QS KS JS AH", "AS JH", "H", "ATKQJ", "TS QS KS JS"),
        ("KH QH JC", "AS JH QS", "H", "ATKQJ", "KH QH"),
        ("KH QH JH JC", "AS TH QS", "H", "ATKQJ", "KH QH JH"),
        ("KH JH JC", "AS QH QS", "H", "ATKQJ", "KH"),
        ("KH JH JC", "AS QH AH", "H", "ATKQJ", "KH JH"),
        ("KC JC", "AS QH AH", "H", "ATKQJ", "KC JC"),
        ("JH AC", "AS", None, "ATKQJ", "JH AC"),
        ("JS AC", "AS", None, "TKQJA", "JS"),
        ("AS AC", "JS", None, "TKQJA", "AS"),
        ("AS KS", "JS", None, "TKQJA", "KS"),
    ],
)
def test_the_oracle_knows_simple_tricks(
    hand: str, cards: str, trump: str | None, ranks: str, legal: str
) -> None:
    assert legal_cards(hand.split(), cards.split(), trump, ranks) == legal.split()


@pytest.mark.parametrize(
    ("cards", "trump", "ranks", "winner"),
    [
        ("KH AH TH QH", "H", "ATKQJ", 1),
        ("KS AH TH QH", None, "ATKQJ", 0),
        ("KS JH TH AS", "H", "ATKQJ", 2),
        ("AS JS QS TS", None, "TKQJA", 3),
        ("AS AH AD AC", "C", "ATKQJ", 3),
    ],
)
def test_the_oracle_knows_who_wins(cards: str, trump: str | None, ranks: str, winner: int) -> None:
    assert trick_winner(cards.split(), trump, ranks) == winner


# --------------------------------------------------------------------------- whole deals


def agree(record: dict[str, Any]) -> None:
    """Compare what engine and oracle say before and after each action of a record."""
    views = replay(PAGAT, [record])[0]
    answers = naive_deal.judge(record)
    assert len(views) == len(answers)
    for place, (view, answer) in enumerate(zip(views, answers, strict=True)):
        where = record["actions"][:place]
        legal = {seat: set(actions) for seat, actions in view["legal"].items()}
        assert legal == answer["legal"], where
        assert ("refused" in view) == answer["refused"], where
        for key in ("outcome", "points", "tricks", "scores", "game", "next_dealer"):
            assert view[key] == answer[key], (key, where)


@given(deals, choices, choices)
@examples(300)
@pytest.mark.slow
def test_random_deals_are_judged_alike(deal: Deal, choice: bytes, wrong: bytes) -> None:
    agree(deal.record(attempts(deal, choice, wrong)))


@pytest.mark.gates
@given(deals, choices, choices)
@settings(max_examples=20_000, deadline=None, database=None)
def test_many_random_deals_are_judged_alike(deal: Deal, choice: bytes, wrong: bytes) -> None:
    agree(deal.record(attempts(deal, choice, wrong)))


def test_the_oracle_knows_a_whole_deal() -> None:
    record = {
        "dealer": "W",
        "hands": {
            "N": ["KH", "QH", "AS", "JD", "JC"],
            "E": ["TS", "AH", "AD", "KC", "QD"],
            "S": ["KS", "QS", "TH", "TC", "TD"],
            "W": ["JS", "JH", "AC", "QC", "KD"],
        },
        "scores": {"NS": 20, "EW": 0},
        "actions": [
            *(["N", "trump C"], ["N", "trump H"], ["N", "pass"], ["N", "bid normal"]),
            *(["E", "pass"], ["S", "pass"], ["W", "pass"], ["W", "kontra"]),
            *(["N", "play AS"], ["E", "play TS"], ["S", "play KS"], ["W", "play JS"]),
            *(["N", "marry KH"], ["E", "enough"], ["N", "enough"]),
        ],
    }
    answers = naive_deal.judge(record)
    # The jack of clubs is N's fifth card.
    assert [number for number, answer in enumerate(answers) if answer["refused"]] == [1, 3, 14]
    assert answers[0]["legal"] == {"N": {"trump H", "trump S", "turn-up 1", "turn-up 2"}}
    assert answers[-1]["outcome"] == {
        "awards": {"NS": 6, "EW": 0},
        "factor": 2,
        "reason": "claim",
    }
    assert answers[-1]["scores"] == {"NS": 26, "EW": 0}
    assert answers[-1]["game"] == {"winners": ["NS"], "bummerl": {"NS": 0, "EW": 2}}
    assert answers[-1]["next_dealer"] == "N"
    agree(record)
