"""All auctions: that they are all, that the second opinion agrees, and how they are asked."""

from __future__ import annotations

import sys
from collections import Counter
from functools import lru_cache
from typing import Any

import naive_deal
import pytest
from certifying import kind as kind_of_engine

from bauernschnapsen import table
from bauernschnapsen.position import AUCTION, Position
from bauernschnapsen.ruleset import (
    compile_rules,
    load_ruleset,
    rules_of,
    vary,
)
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.exhaustive.asking import Tally
from bauernschnapsen_conformance.exhaustive.auction_asking import ask_auctions
from bauernschnapsen_conformance.exhaustive.auctions import (
    AuctionClass,
    Auctions,
    Walk,
    all_auctions,
    class_of,
    deal_of,
)
from bauernschnapsen_conformance.exhaustive.holdings import starts
from bauernschnapsen_conformance.exhaustive.lines import AUCTIONS, auction_counts, section
from bauernschnapsen_conformance.exhaustive.published import published
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.plan import engine_ruleset

PAGAT = rules_of("pagat")
FOREHAND, PARTNER, FOREHANDS_PARTNER, DEALER = range(4)
FARBEN, HERREN = ("farben-gang",), ("herren-schnapser",)


@lru_cache
def auctions(name: str = "pagat") -> Auctions:
    return all_auctions(rules_of(name))


# --------------------------------------------------------------------------- that they are all


def test_hands_allow_what_they_hold_in_every_combination() -> None:
    found = set(starts(PAGAT))
    # Forehand names a trump that he holds: five of his suit are five trumps, and whoever else holds
    # a suit holds another one. Where three hold a whole suit, so does the fourth.
    some = [(), FARBEN]
    expected = {
        (first, second, third, fourth)
        for first in [(), HERREN]
        for second in some
        for third in some
        for fourth in some
    }
    for three in [x for x in expected if sum(map(bool, x)) == 3]:
        expected.discard(three)
    assert found == expected
    assert len(found) == 12


@pytest.mark.slow
def test_what_deals_allow_at_random_is_among_them() -> None:
    """Nothing that random deals with long suits come to is left out."""
    import random

    from bauernschnapsen_conformance.exhaustive.holdings import holds

    known = set(starts(PAGAT))
    chance = random.Random(4)
    for _ in range(300):
        suits = chance.sample(range(4), 4)
        pack = [suit * 5 + rank for suit in suits for rank in range(5)]
        for _ in range(chance.randrange(3)):
            one, other = chance.sample(range(20), 2)
            pack[one], pack[other] = pack[other], pack[one]
        hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
        position = table.new_deal(PAGAT, chance.randrange(4), hands)
        for action in table.legal_actions(position)[position.forehand]:
            begun = table.apply(position, position.forehand, action)
            assert holds(begun) in known


@pytest.mark.slow
def test_auctions_at_random_come_to_no_other_class() -> None:
    import random

    chance = random.Random(6)
    classes = auctions().classes
    seen: Counter[AuctionClass] = Counter()
    for combination, start in starts(PAGAT).items():
        for _ in range(60):
            position = start.begun
            while position.phase == AUCTION:
                assert position.turn is not None
                found = class_of(position)
                assert found == class_of(position, combination)
                assert found in classes
                seen[found] += 1
                calls = table.legal_actions(position)[position.turn]
                position = table.apply(position, position.turn, chance.choice(calls))
    assert len(seen) > 150


def situation(position: Position) -> tuple[Any, ...]:
    """All that tells one situation of an auction from another."""
    bid = position.bid.name if position.bid is not None else None
    doubled = (position.cancelled, position.doubled_by)
    turn = (position.phase, position.turn, position.passed)
    return (position.dealt, position.trump, *turn, bid, position.bidder, *doubled)


@pytest.mark.slow
def test_every_call_of_every_situation_is_made() -> None:
    found = auctions()
    assert (found.combinations, len(found.classes)) == (12, 302)
    made, met = set(), {}
    for walk in found.walks:
        position = walk.deal
        for _, action, after in walk.steps:
            if after is None:
                continue
            if position.phase == AUCTION:
                made.add((situation(position), action))
                met[situation(position)] = position
            position = after
    allowed = {
        (state, call)
        for state, position in met.items()
        for calls in table.legal_actions(position).values()
        for call in calls
    }
    assert made == allowed
    assert (len(met), len(made)) == (found.situations, found.calls)


@pytest.mark.slow
def test_everything_that_is_refused_is_tried_in_every_situation() -> None:
    tried, met = set(), {}
    for walk in auctions().walks:
        position = walk.deal
        for seat, action, after in walk.steps:
            met[situation(position)] = position
            if after is None:
                tried.add((situation(position), seat, str(action)))
            else:
                position = after
    for state, position in met.items():
        legal = table.legal_actions(position)
        for place in range(4) if position.phase != AUCTION else [position.turn]:
            allowed = set(map(str, legal.get(place or 0, ())))
            for contract in PAGAT.contracts:
                call = f"bid {contract.name}"
                assert (call in allowed) != ((state, place, call) in tried)
        waiting = [seat for seat in range(4) if seat != position.turn]
        assert all((state, seat, "pass") in tried for seat in waiting)


@pytest.mark.slow
def test_forehand_opens_with_what_is_open_to_him() -> None:
    opening = [one for one in auctions().classes if not one.standing]
    assert {one.seat for one in opening} == {FOREHAND}
    assert {one.holds for one in opening} == {(), HERREN}
    assert not any(one.passed for one in opening)
    last = [one for one in auctions().classes if one.standing[:1] == (DEALER,)]
    assert last
    assert all(one.seat != DEALER for one in last)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pagat", "conservative", "talon"])
def test_published_counts_are_right(name: str) -> None:
    entry = published()[name][AUCTIONS][0]
    counts = auction_counts(auctions(name))
    assert counts == {key: entry[key] for key in counts}


@pytest.mark.slow
def test_the_published_digest_is_right() -> None:
    assert list(section(PAGAT, AUCTIONS)) == published()["pagat"][AUCTIONS]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"phases": ["auction", "trump", "play"], "opening": "may_pass"},
        {"auction_rounds": "one_round"},
        {"bid_too_low": "counts_as_pass"},
        {"overbid_partner": "refused", "equal_values": "first_bid"},
        {"equal_bids": "never"},
        {"laydown_end": "at_bid"},
    ],
)
def test_other_house_rules_have_their_auctions(options: dict[str, Any]) -> None:
    changed = compile_rules(vary(load_ruleset("pagat"), {"options": options}))
    found = all_auctions(changed)
    assert found.calls > 300
    for walk in found.walks[::40]:
        naive_free(walk)


def naive_free(walk: Walk) -> None:
    """Every step of a walk is what the engine says it is."""
    position = walk.deal
    for seat, action, after in walk.steps:
        if after is not None:
            position = table.apply(position, seat, action)
            assert table.view(position) == table.view(after)


# --------------------------------------------------------------------------- that they are right


def oracle_agrees(walk: Walk) -> None:
    answers = naive_deal.judge(deal_of(walk))
    assert len(answers) == len(walk.steps) + 1
    position = walk.deal
    for (_, _, after), answer in zip(walk.steps, answers[1:], strict=True):
        assert answer["refused"] == (after is None)
        position = position if after is None else after
        legal = {seat: set(actions) for seat, actions in table.view(position)["legal"].items()}
        assert legal == answer["legal"]


@pytest.mark.slow
def test_a_sample_of_all_auctions_is_judged_alike_by_the_oracle() -> None:
    for walk in auctions().walks[::200]:
        oracle_agrees(walk)


@pytest.mark.gates
def test_all_auctions_are_judged_alike_by_the_oracle() -> None:
    for walk in auctions().walks:
        oracle_agrees(walk)


# --------------------------------------------------------------------------- asking


def asked(session: Any, step: int, ruleset: str = "pagat") -> Tally:
    resolved = load_ruleset(ruleset)
    able = session.hello.capabilities
    played = compile_rules(engine_ruleset(resolved, able.claims))
    tally = Tally()
    ask_auctions(session, auctions(ruleset).walks[::step], played, able, tally)
    return tally


@pytest.mark.slow
@pytest.mark.parametrize(
    "hidden",
    [
        {},
        {"claims": "automatic"},
        {"claims": "none"},
        {"reasons": False},
        {"enforces": False},
        {"leave_out": ("bid", "phase", "outcome.reason")},
    ],
)
def test_every_kind_of_engine_can_be_right(hidden: dict[str, Any]) -> None:
    engine = PythonEngine(kind_of_engine(**hidden), rules=load_ruleset("pagat"))
    tally = asked(engine, 100)
    assert tally.complete
    assert tally.cases == 26


@pytest.mark.slow
def test_an_engine_that_does_not_show_what_is_legal_is_not_observed() -> None:
    engine = PythonEngine(kind_of_engine(leave_out=("legal",)), rules=load_ruleset("pagat"))
    tally = asked(engine, 300)
    assert tally.conforms
    assert tally.unsupported == tally.cases
    assert "not observed: legal" in tally.reasons


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mutant", "rule"),
    [
        ("auction.hold.never", "auction.hold"),
        ("auction.when.after-the-end", "auction.when"),
        ("auction.bidders.offered-not-enforced", "auction.bidders"),
    ],
)
def test_a_faulty_engine_is_told_by_the_rule(mutant: str, rule: str) -> None:
    tally = asked_of(mutant, 13)
    assert tally.wrong > 0
    assert not tally.conforms
    assert rule in {cause.rule for cause in tally.causes}
    example = next(iter(tally.examples.values()))
    assert "expected" in str(example)
    assert example.request["deals"][0]["actions"]


FAULTY = [
    "auction.order.gang-above-zehner-gang",
    "auction.may-pass.forehand-never",
    "auction.last-bid.forehand-plays",
    "auction.turn.bids-out-of-turn",
    "auction.end.survivor-confirms",
    "auction.pass-final.new-round",
    "auction.priority.dealers-partner-not-before-dealer",
]


@pytest.mark.gates
@pytest.mark.parametrize("mutant", FAULTY)
def test_more_faulty_engines_are_found(mutant: str) -> None:
    assert asked_of(mutant, 1).wrong > 0


def asked_of(mutant: str, step: int) -> Tally:
    program = (sys.executable, "-m", "bauernschnapsen_conformance", "serve", "--mutant", mutant)
    with Session(AdapterCommand(program), rules=load_ruleset("pagat")) as session:
        session.start()
        return asked(session, step)
