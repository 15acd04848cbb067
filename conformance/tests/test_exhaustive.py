"""All trick situations: that they are all, that the answers are right, and their digests."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import naive_oracle
import pytest

from bauernschnapsen.notation import CARDS, SUITS, parse_card
from bauernschnapsen.ruleset import compile_rules, load_ruleset, rules_of, shipped_rulesets, vary
from bauernschnapsen_conformance.exhaustive.asking import LEGAL, WINNER
from bauernschnapsen_conformance.exhaustive.keys import Key, keys, leads, named_card, namings
from bauernschnapsen_conformance.exhaustive.lines import digest_of, winner_lines
from bauernschnapsen_conformance.exhaustive.published import digests, published, published_for
from bauernschnapsen_conformance.exhaustive.situations import (
    Kind,
    Situation,
    Writer,
    kinds,
    situations,
)
from bauernschnapsen_conformance.exhaustive.tables import shape, tables
from bauernschnapsen_conformance.exhaustive.winners import Won, complete_tricks, won_tricks

PAGAT = rules_of("pagat")
WITH_TRUMP, WITHOUT, ZEHNER = kinds(PAGAT)


def all_keys(hand_size: int = 5) -> list[Key]:
    return [*keys(hand_size, trump=True), *keys(hand_size, trump=False)]


# --------------------------------------------------------------------------- that they are all


@pytest.mark.slow
def test_there_are_122625_keys_and_2666020_situations() -> None:
    found = all_keys()
    assert len(found) == 122_625
    assert len(set(found)) == len(found)
    assert sum(len(namings(key.alike)) for key in found) == 2_666_020
    # Two ways of counting that share no code agree on how many there are of each size of hand.
    oracle = [len(key.hand) for key in naive_oracle.legality_keys()]
    sizes = [key.hand.bit_count() for key in found]
    assert sorted(sizes) == sorted(oracle)


def test_every_hand_is_asked_to_lead() -> None:
    hands = {
        sum(1 << named_card(card, naming) for card in range(20) if key.hand >> card & 1)
        for key in leads(5)
        for naming in namings(key.alike)
    }
    assert len(hands) == 20 + 190 + 1140 + 4845 + 15_504


def test_kinds_are_contracts_alike_in_their_trick_rules() -> None:
    names = [[contract.name for contract in kind.contracts] for kind in kinds(PAGAT)]
    assert names[1:] == [["bettler", "gang"], ["zehner-gang"]]
    assert len(names[0]) == 5
    free = vary(load_ruleset("pagat"), {"contracts": {"schnapser": {"head": "free"}}})
    assert ["schnapser"] in [
        [contract.name for contract in kind.contracts] for kind in kinds(compile_rules(free))
    ]


def oracle_key(key: Key) -> naive_oracle.Key:
    """A key in the words of the oracle, where roles are called H, D, S and C as well."""
    assert key.winning is not None
    hand = [CARDS[card] for card in range(20) if key.hand >> card & 1]
    return naive_oracle.Key(
        hand, CARDS[key.winning], None if key.trump is None else SUITS[key.trump]
    )


@pytest.mark.slow
@pytest.mark.parametrize("ranks", ["ATKQJ", "TKQJA", "KQJAT"])
def test_tables_hold_all_shapes_that_the_oracle_knows(ranks: str) -> None:
    for key in random.Random(ranks).sample(all_keys(), 900):
        ours = {tuple(CARDS[card] for card in table) for table in tables(shape(key, ranks), ranks)}
        theirs = set(map(tuple, naive_oracle.tables(oracle_key(key), ranks)))
        assert theirs <= ours
        for table in ours:
            assert not set(table) & set(oracle_key(key).hand)
            place = naive_oracle.trick_winner(list(table), oracle_key(key).trump, ranks)
            assert table[place] == oracle_key(key).winning


@pytest.mark.slow
def test_every_card_that_can_have_been_led_is_tried_under_a_ruff() -> None:
    for key in random.Random(3).sample(list(keys(5, trump=True)), 2000):
        assert key.winning is not None
        if key.winning // 5 == 0:
            continue
        led = {table[0] for table in tables(shape(key, "ATKQJ"), "ATKQJ")}
        assert led == {card for card in range(5) if not key.hand >> card & 1}


def parts_of(found: list[Situation]) -> tuple[set[Any], set[Any], set[str]]:
    """Concrete situations, tables by roles with the suit named, and contracts."""
    concrete = {(trick.plain.split()[1::2][0][1], hand.plain) for *_, trick, hand, _ in found}
    contracts = {contract for contract, *_ in found}
    shapes = set()
    for _, trump, _, trick, _, _ in found:
        cards = trick.plain.split()[1::2]
        order = list(dict.fromkeys(card[1] for card in cards))
        shapes.add((tuple(card[0] for card in cards), tuple(order.index(c[1]) for c in cards),
                    order.index(trump) if trump in order else -1))  # fmt: skip
    return concrete, shapes, contracts


@pytest.mark.slow
@pytest.mark.parametrize("place", range(3))
def test_each_key_is_asked_under_all_namings_on_all_tables_in_all_contracts(place: int) -> None:
    kind = kinds(PAGAT)[place]
    writer = Writer(PAGAT, kind)
    found = list(keys(5, trump=kind.trump))
    for number in random.Random(place).sample(range(len(found)), 800):
        key = found[number]
        asked = writer.situations(key, number)
        concrete, shapes, contracts = parts_of(asked)
        size = key.hand.bit_count()
        assert contracts == {one.name for one in kind.contracts if size > 5 - one.tricks}
        expected = {
            (SUITS[naming[0]], " ".join(sorted(
                (CARDS[named_card(card, naming)] for card in range(20) if key.hand >> card & 1),
                key=parse_card,
            )))
            for naming in namings(key.alike)
        }  # fmt: skip
        assert concrete == expected
        all_tables = tables(shape(key, kind.ranks), kind.ranks)
        assert len({one[:2] for one in shapes}) == len({by_looks(table) for table in all_tables})
        if not kind.trump:
            # Each suit on the table has been named as the trump that is not in force, and another.
            for looks in {one[:2] for one in shapes}:
                named = {one[2] for one in shapes if one[:2] == looks}
                assert named == {-1, *looks[1]}


def by_looks(table: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    cards = [CARDS[card] for card in table]
    order = list(dict.fromkeys(card[1] for card in cards))
    return tuple(card[0] for card in cards), tuple(order.index(card[1]) for card in cards)


@pytest.mark.gates
def test_every_concrete_situation_without_trumps_occurs() -> None:
    seen = set()
    for _, _, _, trick, hand, _ in situations(PAGAT, ZEHNER):
        cards = trick.plain.split()[1::2]
        if cards:
            winning = cards[naive_oracle.trick_winner(cards, None, "TKQJA")]
            seen.add((hand.plain, winning))
    assert len(seen) == 333_260


def test_nobody_plays_whose_partner_sits_out_and_no_trick_is_too_long() -> None:
    some = list(islice(situations(PAGAT, WITHOUT), 5000, 60_000, 7))
    assert {contract for contract, *_ in some} == {one.name for one in WITHOUT.contracts}
    for contract, _, declarer, trick, _, _ in some:
        players = [*trick.plain.split()[::2], trick.seat]
        assert len(set(players)) == len(players)
        partner = "NESW"[("NESW".index(declarer) + 2) % 4]
        assert contract != "bettler" or partner not in players
        clockwise = [seat for seat in "NESW" * 2 if contract != "bettler" or seat != partner]
        start = clockwise.index(players[0])
        assert clockwise[start : start + len(players)] == players


def test_hands_are_no_smaller_than_the_contract_leaves_them() -> None:
    some = list(islice(situations(PAGAT, WITH_TRUMP), 0, 60_000, 3))
    assert {contract for contract, *_ in some} == {one.name for one in WITH_TRUMP.contracts}
    for contract, *_, hand, _ in some:
        assert contract not in ("schnapser", "kontra-schnapser") or len(hand.texts) >= 3


def test_tables_of_three_have_hands_of_six() -> None:
    rules = rules_of("talon")
    assert rules.hand_size == 6
    for *_, trick, hand, _ in islice(situations(rules, kinds(rules)[0]), 0, 60_000, 7):
        assert len(trick.plain.split()) <= 4
        assert trick.seat in "NES"
        assert 1 <= len(hand.texts) <= 6
    assert sum(1 for _ in keys(6, trump=False)) == 42_200


def test_there_are_116280_complete_tricks() -> None:
    whole = list(complete_tricks(4))
    assert sum(len(namings(tuple(_absent(table)))) for table in whole) == 20 * 19 * 18 * 17
    three = list(complete_tricks(3))
    assert sum(len(namings(tuple(_absent(table)))) for table in three) == 20 * 19 * 18


def _absent(table: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    used = max(table) // 5 + 1
    yield from ((role, role + 1) for role in range(used, 3))


# --------------------------------------------------------------------------- that they are right


def oracle_agrees(kind: Kind, found: Iterable[Situation]) -> int:
    number = 0
    for _, trump, _, trick, hand, legal in found:
        cards = trick.plain.split()[1::2]
        force = trump if kind.trump else None
        expected = naive_oracle.legal_cards(hand.texts, cards, force, kind.ranks)
        assert legal.texts == expected, (trump, trick.plain, hand.plain)
        number += 1
    return number


@pytest.mark.parametrize("place", range(3))
def test_a_sample_of_all_answers_is_that_of_the_oracle(place: int) -> None:
    kind = kinds(PAGAT)[place]
    writer = Writer(PAGAT, kind)
    found = list(keys(5, trump=kind.trump))
    for number in random.Random(5).sample(range(len(found)), 120):
        oracle_agrees(kind, writer.situations(found[number], number))


@pytest.mark.gates
@pytest.mark.parametrize("place", range(3))
def test_all_answers_are_those_of_the_oracle(place: int) -> None:
    kind = kinds(PAGAT)[place]
    assert oracle_agrees(kind, situations(PAGAT, kind)) > 600_000


def winners_agree(kind: Kind, found: Iterable[Won]) -> None:
    for _, trump, _, trick, winner in found:
        words = trick.plain.split()
        force = trump if kind.trump else None
        place = naive_oracle.trick_winner(words[1::2], force, kind.ranks)
        assert words[2 * place] == winner


@pytest.mark.parametrize("place", range(3))
def test_winners_are_those_of_the_oracle(place: int) -> None:
    kind = kinds(PAGAT)[place]
    winners_agree(kind, islice(won_tricks(PAGAT, kind), 0, 60_000, 29))


@pytest.mark.gates
def test_all_winners_are_those_of_the_oracle() -> None:
    for kind in kinds(PAGAT):
        winners_agree(kind, won_tricks(PAGAT, kind))


# --------------------------------------------------------------------------- published digests


def test_each_shipped_ruleset_has_its_digests() -> None:
    assert sorted(published()) == shipped_rulesets()
    for name, sections in published().items():
        expected = [[one.name for one in kind.contracts] for kind in kinds(rules_of(name))]
        assert [entry["contracts"] for entry in sections[LEGAL]] == expected
        assert [entry["contracts"] for entry in sections[WINNER]] == expected


def test_digests_are_quoted_only_for_rulesets_that_are_the_shipped_ones() -> None:
    shipped = load_ruleset("pagat")
    assert published_for(shipped) == published()["pagat"]
    assert published_for(vary(shipped, {"options": {"target": 20}})) is None


@pytest.mark.slow
def test_the_published_digest_of_tricks_in_a_kind_is_right() -> None:
    entry = published()["pagat"][WINNER][2]
    found = digest_of(winner_lines(PAGAT, ZEHNER))
    assert (found.lines, found.sha256) == (entry["lines"], entry["sha256"])


@pytest.mark.gates
@pytest.mark.parametrize("name", sorted(published()))
def test_all_published_digests_are_right(name: str) -> None:
    assert digests(name) == published()[name]
