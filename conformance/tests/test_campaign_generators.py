"""Cases of a campaign: the same from the same seed, biased on purpose, and chosen by coverage."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bauernschnapsen.cards import five_of_a_suit
from bauernschnapsen.notation import mask_of, parse_card
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules, compile_rules, load_ruleset, rules_of, vary
from bauernschnapsen_conformance.campaign.choosing import Chooser
from bauernschnapsen_conformance.campaign.coverage import ENOUGH, Coverage
from bauernschnapsen_conformance.campaign.generators import Abilities, Made, cases
from bauernschnapsen_conformance.campaign.running import planned_chunks
from bauernschnapsen_conformance.campaign.strategies import cases as drawn_cases
from bauernschnapsen_conformance.campaign.strategies import hands as drawn_hands
from bauernschnapsen_conformance.run.undecided import is_undecided

PAGAT = rules_of("pagat")
TALON = rules_of("talon")
AT_SHOW = compile_rules(
    vary(load_ruleset("pagat"), {"contracts": {"farben-gang": {"held_at": "show"}}})
)


def first(number: int, rules: Rules = PAGAT, **how: Any) -> list[Made]:
    return list(itertools.islice(cases(rules, 7, **how), number))


def views_of(made: list[Made]) -> Iterator[Any]:
    return (view for one in made for deal in one.expected for view in deal)


def actions_of(made: list[Made]) -> Iterator[tuple[str, Any]]:
    """Every action with the view after it."""
    for one in made:
        for deal, views in zip(one.deals, one.expected, strict=True):
            for (_, action), view in zip(deal["actions"], views[1:], strict=True):
                yield action, view


# --------------------------------------------------------------------------- the same again


@pytest.mark.parametrize("rules", [PAGAT, TALON], ids=["pagat", "talon"])
def test_the_same_seed_gives_the_same_cases(rules: Rules) -> None:
    assert first(30, rules) == first(30, rules)
    assert first(30, rules) != list(itertools.islice(cases(rules, 8), 30))


def test_chosen_cases_follow_from_seed_and_chunk() -> None:
    def chosen(seed: str) -> list[Made]:
        return [made for _, made in Chooser(PAGAT, seed).cases(25)]

    assert chosen("7 3") == chosen("7 3")
    assert chosen("7 3") != chosen("7 4")


@pytest.mark.parametrize("rules", [PAGAT, TALON], ids=["pagat", "talon"])
def test_the_views_beside_a_case_are_those_of_the_reference(rules: Rules) -> None:
    for made in first(60, rules):
        assert replay(rules, made.deals) == made.expected


def test_three_seats_have_a_talon_of_two() -> None:
    for made in first(20, TALON):
        for deal in made.deals:
            assert [len(hand) for hand in deal["hands"].values()] == [6, 6, 6]
            assert len(deal["talon"]) == 2


# --------------------------------------------------------------------------- biased on purpose


@pytest.mark.slow
def test_what_is_rare_at_a_table_is_common_here() -> None:
    made = first(400)
    verbs = Counter(action.partition(" ")[0] for action, _ in actions_of(made))
    refused = sum("refused" in view for _, view in actions_of(made))
    reasons = Counter(
        view["outcome"]["reason"]
        for one in made
        for views in one.expected
        if (view := views[-1])["outcome"] is not None
    )
    contracts = Counter(
        view["contract"]["name"] for view in views_of(made) if view["contract"] is not None
    )
    whole_suits = sum(
        five_of_a_suit(mask_of([parse_card(card) for card in hand])) is not None
        for one in made
        for deal in one.deals
        for hand in deal["hands"].values()
    )
    factors = Counter(
        view["outcome"]["factor"] for view in views_of(made) if view["outcome"] is not None
    )
    near = sum(max(views[0]["scores"].values()) >= 19 for one in made for views in one.expected)
    games = sum(view["game"] is not None for view in views_of(made))
    assert verbs["marry"] > 60
    assert verbs["turn-up"] > 10
    assert 0.1 < refused / verbs.total() < 0.6
    assert reasons["claim"] > 10
    assert reasons["false_claim"] > 6
    assert reasons["made"] > 30
    assert set(contracts) == set(PAGAT.by_name)
    assert whole_suits > 80
    assert set(factors) == {1, 2, 4, 8}
    assert near > 100
    assert games > 50


@pytest.mark.slow
def test_a_hand_to_be_shown_is_the_one_demanded() -> None:
    """What showing other cards brings is said nowhere, where nobody may bid without them."""
    shown = [
        (deal, contract)
        for one in first(150)
        for deal in one.deals
        if (contract := deal.get("contract")) and PAGAT.by_name[contract["name"]].goal == "shown"
    ]
    assert len(shown) > 10
    for deal, contract in shown:
        (suit,) = {card[1] for card in deal["hands"][contract["declarer"]]}
        assert suit == contract["trump"] or contract["name"] == "farben-gang"
    assert not any(is_undecided(one.deals, PAGAT) for one in first(50))


def test_showing_other_cards_is_undecided_unless_the_rules_say_what_it_brings() -> None:
    deal = next(deal for one in first(20) for deal in one.deals if "dealer" in deal)
    owner = next(iter(deal["hands"]))
    mixed = [*deal["hands"][owner][:4], "??"]
    other = next(
        card
        for seat, hand in deal["hands"].items()
        if seat != owner
        for card in hand
        if card[1] != mixed[0][1]
    )
    swapped = {
        seat: [deal["hands"][owner][4] if card == other else card for card in hand]
        for seat, hand in deal["hands"].items()
    } | {owner: [*mixed[:4], other]}
    for name, rules, undecided in (
        ("herren-schnapser", PAGAT, True),
        ("farben-gang", PAGAT, True),
        ("gang", PAGAT, False),
        ("farben-gang", AT_SHOW, False),
    ):
        start = {"name": name, "declarer": owner, "trump": "H"}
        case = [{**deal, "hands": swapped, "contract": start, "actions": []}]
        assert is_undecided(case, rules) == undecided
    assert not is_undecided([deal], PAGAT)


def test_an_engine_is_put_only_what_it_takes() -> None:
    able = Abilities(starts=("deal",), claims=False, enforces=False, match=False)
    made = first(80, able=able)
    assert all(len(one.deals) == 1 for one in made)
    assert not any("contract" in deal for one in made for deal in one.deals)
    assert not any("refused" in view for view in views_of(made))
    assert not any(action == "enough" for action, _ in actions_of(made))
    reached = {view["contract"]["name"] for view in views_of(made) if view["contract"]}
    assert len(reached) > 6  # by auctions made for it
    only_contract = first(40, able=Abilities(starts=("contract",)))
    assert all("contract" in deal for one in only_contract for deal in one.deals)


# --------------------------------------------------------------------------- coverage


def met(*, blind: bool, views: int) -> int:
    """How many situations there are in so many views."""
    chooser, situations, seen = Chooser(PAGAT, "7 0", blind=blind), set[str](), 0
    for _, made in chooser.cases(10_000):
        situations |= made.situations
        seen += sum(map(len, made.expected))
        if seen > views:
            break
    return len(situations)


@pytest.mark.slow
def test_choosing_by_coverage_meets_more_situations_than_chance() -> None:
    assert met(blind=False, views=12_000) > 1.05 * met(blind=True, views=12_000)


def test_what_is_done_with_is_not_counted_again() -> None:
    coverage = Coverage()
    worth = [coverage.note(["a", "b"]) for _ in range(ENOUGH + 1)]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] == 0
    assert coverage.counts == {"a": ENOUGH, "b": ENOUGH}
    later = Coverage()
    assert later.note(["a", "c"], frozenset(coverage.done_with())) == 1000
    assert list(later.counts) == ["c"]


def test_coverage_is_worth_the_same_after_json() -> None:
    chooser = Chooser(PAGAT, "7 0")
    assert len(list(chooser.cases(5))) == 5
    coverage = chooser.coverage
    assert Coverage.from_json(coverage.as_json()) == coverage
    assert sum(coverage.by_kind().values()) == len(coverage)


@pytest.mark.slow
def test_later_chunks_know_what_was_covered_before() -> None:
    chunks = planned_chunks(PAGAT, 7)
    assert next(chunks) == [made for _, made in Chooser(PAGAT, "7 0").cases(200)]


# --------------------------------------------------------------------------- hypothesis

QUICK = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(drawn_cases())
def test_hypothesis_draws_cases(made: Made) -> None:
    assert replay(PAGAT, made.deals) == made.expected


@QUICK
@given(drawn_cases("talon", contract="gang"))
def test_hypothesis_draws_cases_of_a_contract(made: Made) -> None:
    assert made.deals[0]["contract"]["name"] == "gang"
    assert replay(TALON, made.deals) == made.expected


@QUICK
@given(drawn_hands("talon"))
def test_hypothesis_draws_hands(hands: dict[str, list[str]]) -> None:
    assert list(hands) == ["N", "E", "S", "talon"]
    assert len({card for cards in hands.values() for card in cards}) == 20
