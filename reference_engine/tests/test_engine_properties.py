"""What must hold in every deal, whoever plays it and however: checked on random lines of play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from renaming import NOTHING, Renaming
from strategies import (
    LONGEST_DEAL,
    PAGAT,
    SEATS,
    Deal,
    attempts,
    choices,
    deals,
    deals_from_contract,
    deals_from_trump,
    every_action,
    examples,
    line,
    packs,
    positions,
    refusal,
    whole_suit_for,
)

from bauernschnapsen import notation, table
from bauernschnapsen.cards import POINTS, SUIT_MASKS
from bauernschnapsen.notation import Action, cards_in
from bauernschnapsen.position import AUCTION, OVER, PLAY, TRUMP, Position
from bauernschnapsen.replay import replay

EVERY_ACTION = every_action(PAGAT)

# The reasons for a refusal that four players can meet under the main ruleset.
REASONS = {
    *("notation.action", "scoring.deal-over"),
    *("deal.trump-once", "deal.forehand-names", "deal.trump-from-three", "deal.no-redeal"),
    *("auction.when", "auction.turn", "auction.must-open", "auction.pass-final"),
    *("auction.bidders", "auction.cards-required", "auction.higher", "auction.hold"),
    *("doubling.window", "doubling.kontra", "doubling.rekontra", "doubling.subkontra"),
    "doubling.steps",
    *("play.when", "play.sitting-out", "play.turn", "play.own-cards"),
    *("play.follow", "play.beat", "play.ruff", "play.over-ruff"),
    *("marriages.on-lead", "marriages.pair", "marriages.contracts", "marriages.declarer-only"),
    *("claims.contract", "claims.claimer", "claims.moment", "claims.last-trick"),
    *("contracts.show", "contracts.show-declarer"),
}


def everything(position: Position) -> dict[str, Any]:
    """Return copies of all that a position holds, also what no view shows."""
    copied = {}
    for name in Position.__slots__:
        value = getattr(position, name)
        copied[name] = list(value) if isinstance(value, list) else value
    return copied


def card_points(position: Position) -> int:
    """Return the card points in tricks, on the table, in hands and out of play."""
    in_tricks = sum(position.points) - sum(position.declared)
    on_table = sum(POINTS[card] for _, card in position.trick)
    held = sum(POINTS[card] for hand in position.hands for card in cards_in(hand))
    return in_tricks + on_table + held


# --------------------------------------------------------------------------- every position


@given(deals, choices)
@examples(250)
def test_no_card_point_is_lost_or_made(deal: Deal, choice: bytes) -> None:
    for position in positions(deal, choice):
        assert card_points(position) == 120
        assert sum(position.tricks) == sum(position.tricks_by_seat) == position.tricks_done


@given(deals, choices)
@examples(250)
def test_while_a_deal_is_on_the_seat_to_act_can_act(deal: Deal, choice: bytes) -> None:
    *going_on, last = positions(deal, choice)
    for position in going_on:
        legal = table.legal_actions(position)
        assert position.phase != OVER
        assert position.outcome is None
        assert legal[position.turn]  # type: ignore[index]  # a seat, while the deal is on
        for actions in legal.values():
            assert actions
            assert len(set(actions)) == len(actions)
    assert last.phase == OVER
    assert last.turn is None
    assert table.legal_actions(last) == {}


@given(deals, choices)
@examples(250)
def test_exactly_one_side_is_awarded(deal: Deal, choice: bytes) -> None:
    before, last = positions(deal, choice)[-2:]
    assert last.outcome is not None
    won, lost = sorted(last.outcome.awards, reverse=True)
    assert won > 0
    assert lost == 0
    assert won % last.outcome.factor == 0
    assert last.outcome.factor == 1 << last.steps
    gained = [new - old for new, old in zip(last.score.points, before.score.points, strict=True)]
    assert tuple(gained) == last.outcome.awards
    assert before.score.points == deal.scores
    assert last.next_dealer == (deal.dealer + 1) % 4
    assert (last.game is not None) == (max(last.score.points) >= 24)


@given(deals, choices)
@examples(100)
def test_what_is_legal_is_accepted_and_all_else_is_refused(deal: Deal, choice: bytes) -> None:
    for position in positions(deal, choice):
        legal = table.legal_actions(position)
        before = everything(position)
        for seat in SEATS:
            allowed = set(legal.get(seat, ()))
            for action in EVERY_ACTION:
                refused = refusal(position, seat, action)
                assert (refused is None) == (action in allowed), (seat, action, refused)
                if refused is not None:
                    assert refused.rule in REASONS, (seat, action)
        assert everything(position) == before


@given(deals, choices, choices)
@examples(250)
def test_a_refused_action_changes_nothing(deal: Deal, choice: bytes, wrong: bytes) -> None:
    tried = attempts(deal, choice, wrong)
    views = replay(PAGAT, [deal.record(tried)])[0]
    refused = [number for number, view in enumerate(views) if "refused" in view]
    assume(refused)
    for number in refused:
        shown = dict(views[number])
        del shown["refused"]
        before = {key: value for key, value in views[number - 1].items() if key != "refused"}
        assert shown == before
    accepted = [action for number, action in enumerate(tried, 1) if number not in refused]
    assert replay(PAGAT, [deal.record(accepted)])[0] == [
        view for view in views if "refused" not in view
    ]


@given(deals, choices, choices, st.integers(0, LONGEST_DEAL))
@examples(250)
def test_replaying_a_prefix_gives_the_same_views(
    deal: Deal, choice: bytes, wrong: bytes, length: int
) -> None:
    tried = attempts(deal, choice, wrong)
    views = replay(PAGAT, [deal.record(tried)])[0]
    assert len(views) == len(tried) + 1
    assert replay(PAGAT, [deal.record(tried[:length])])[0] == views[: length + 1]


@given(deals, choices)
@examples(250)
def test_acting_leaves_the_position_before_as_it_was(deal: Deal, choice: bytes) -> None:
    position = deal.begin()
    for _, seat, action in line(deal, choice):
        before, shown = everything(position), table.view(position)
        after = table.apply(position, seat, action)
        assert everything(position) == before
        assert table.view(position) == shown
        position = after


@given(deals, choices)
@examples(250)
def test_cards_seen_are_held_by_others_and_not_by_the_viewer(deal: Deal, choice: bytes) -> None:
    for position in positions(deal, choice):
        for viewer, known in table.view(position)["sees"].items():
            assert viewer not in known
            for owner, cards in known.items():
                held = position.hands[notation.parse_seat(owner)]
                assert cards
                assert all(held >> notation.parse_card(card) & 1 for card in cards)


# --------------------------------------------------------------------------- symmetry


@given(deals, choices, choices, st.permutations(range(4)).map(tuple), st.integers(0, 3))
@examples(250)
def test_suits_and_seats_are_only_names(
    deal: Deal, choice: bytes, wrong: bytes, suits: tuple[int, ...], turn: int
) -> None:
    renaming = Renaming(suits, turn)
    tried = attempts(deal, choice, wrong)
    renamed = [(renaming.seat(seat), renaming.action(action)) for seat, action in tried]
    views = replay(PAGAT, [deal.record(tried)])[0]
    other = replay(PAGAT, [renaming.deal(deal).record(renamed)])[0]
    assert [renaming.view(view) for view in views] == [NOTHING.view(view) for view in other]


# --------------------------------------------------------------------------- the auction


@given(deals_from_trump, choices)
@examples(250)
def test_the_auction_ends_and_its_last_bidder_is_the_declarer(deal: Deal, choice: bytes) -> None:
    # auction.end, auction.last-bid (L3, A12, R25)
    said = [
        (seat, action) for position, seat, action in line(deal, choice) if position.phase == AUCTION
    ]
    bids = [(seat, action.value) for seat, action in said if action.verb == "bid"]
    passed = [seat for seat, action in said if action.verb == "pass"]
    last = positions(deal, choice)[-1]
    assert last.contract is not None
    assert (last.declarer, last.contract.name) == bids[-1]
    assert len(passed) == len(set(passed)) == 3
    assert last.declarer not in passed
    ranks = [PAGAT.by_name[str(name)].rank for _, name in bids]
    assert ranks == sorted(ranks)
    assert said[0][0] == (deal.dealer + 1) % 4
    assert said[0][1].verb == "bid"


@given(deals_from_trump, choices)
@examples(250)
def test_nobody_is_asked_to_raise_his_own_bid(deal: Deal, choice: bytes) -> None:
    # L3
    for position in positions(deal, choice):
        if position.phase == AUCTION:
            assert position.turn != position.bidder


@given(deals_from_trump, st.binary(min_size=LONGEST_DEAL, max_size=LONGEST_DEAL))
@examples(250)
def test_the_auction_ends_even_if_everybody_bids_as_long_as_he_can(
    deal: Deal, choice: bytes
) -> None:
    position = table.apply(deal.begin(), (deal.dealer + 1) % 4, Action("turn-up", choice[0] & 1))
    spoken = 0
    while position.phase == AUCTION:
        assert position.turn is not None
        actions = table.legal_actions(position)[position.turn]
        bids = [action for action in actions if action.verb == "bid"] or actions
        position = table.apply(
            position, position.turn, bids[min(1, choice[spoken] & 1, len(bids) - 1)]
        )
        spoken += 1
    assert position.contract is not None
    assert spoken <= LONGEST_DEAL


# --------------------------------------------------------------------------- derived facts


@given(packs, st.sampled_from(SEATS), st.integers(0, 3))
@examples(250)
def test_forehand_with_a_whole_suit_has_it_as_trump(
    pack: list[int], dealer: int, suit: int
) -> None:
    # L1
    forehand = (dealer + 1) % 4
    position = table.new_deal(PAGAT, dealer, whole_suit_for(pack, forehand, suit))
    for action in table.legal_actions(position)[forehand]:
        after = table.apply(position, forehand, action)
        assert after.trump == suit
        bids = [bid.value for bid in table.legal_actions(after)[forehand]]
        assert "herren-schnapser" in bids
        assert "farben-gang" not in bids


@given(deals_from_trump)
@examples(250)
def test_only_forehand_can_hold_all_trumps(deal: Deal) -> None:
    # L2
    position = deal.begin()
    for action in table.legal_actions(position)[position.forehand]:
        after = table.apply(position, position.forehand, action)
        assert after.trump is not None
        trumps = SUIT_MASKS[after.trump]
        assert after.hands[after.forehand] & trumps
        assert all(after.hands[seat] != trumps for seat in SEATS if seat != after.forehand)


@given(deals, choices)
@examples(250)
def test_a_side_without_a_trick_has_at_most_forty(deal: Deal, choice: bytes) -> None:
    # L4
    *_, last = found = positions(deal, choice)
    for position in found:
        for points, tricks in zip(position.points, position.tricks, strict=True):
            assert tricks or points in (0, 20, 40)
    assert last.outcome is not None
    if last.outcome.reason == "claim":
        assert last.tricks[last.outcome.awards.index(max(last.outcome.awards))]


@given(
    deals_from_contract.filter(lambda deal: deal.start is not None and deal.start[0] == "normal")
)
@examples(250)
def test_a_normal_that_nobody_claims_is_worth_one_to_the_side_of_the_last_trick(
    deal: Deal,
) -> None:
    # claims.last-trick-wins (R54, L5)
    position = deal.begin()
    while position.phase == PLAY:
        assert position.turn is not None
        cards = [a for a in table.legal_actions(position)[position.turn] if a.verb == "play"]
        position = table.apply(position, position.turn, cards[0])
    assert position.outcome is not None
    assert position.last_trick is not None
    assert position.outcome.reason == "last_trick"
    assert position.outcome.awards[position.side(position.last_trick.winner)] == 1
    assert sum(position.outcome.awards) == 1


@given(deals, choices)
@examples(250)
def test_a_claim_always_decides_by_66_and_by_the_other_side(deal: Deal, choice: bytes) -> None:
    # claims.enough, claims.false (R51, R52, A70): in every position where one may claim
    for position in positions(deal, choice):
        for seat, actions in table.legal_actions(position).items():
            if Action("enough") in actions:
                after = table.apply(position, seat, Action("enough"))
                own = position.side(seat)
                worth = 3 if not position.tricks[1 - own] else 2
                worth = 1 if worth == 2 and position.points[1 - own] >= 33 else worth
                paid = own if position.points[own] >= 66 else 1 - own
                assert after.outcome is not None
                assert after.outcome.awards[paid] == worth << position.steps
                assert after.outcome.awards[1 - paid] == 0
                assert after.points == position.points


@given(deals_from_contract, choices)
@examples(250)
def test_only_the_players_of_the_contract_play(deal: Deal, choice: bytes) -> None:
    # play.sitting-out (R37): in Bettler the partner keeps all his cards
    found = positions(deal, choice)
    assert deal.start is not None
    name, declarer, _ = deal.start
    out = (declarer + 2) % 4 if name == "bettler" else None
    for position in found:
        assert position.turn != out or out is None
        if out is not None:
            assert position.hands[out].bit_count() == 5
            assert all(seat != out for seat, _ in position.trick)


def test_a_new_deal_starts_with_forehand_and_the_trump() -> None:
    hands = [range(5 * seat, 5 * seat + 5) for seat in SEATS]
    for dealer in SEATS:
        position = table.new_deal(PAGAT, dealer, hands)
        assert position.phase == TRUMP
        assert position.turn == (dealer + 1) % 4
        assert list(table.legal_actions(position)) == [position.turn]


@pytest.mark.parametrize(
    "hands",
    [
        [],
        [range(5)] * 4,
        [range(5), range(5, 10), range(10, 15)],
        [range(5), range(5, 10), range(10, 15), range(15, 19)],
        [range(6), range(6, 10), range(10, 15), range(15, 20)],
        [range(5), range(5, 10), range(10, 15), [15, 16, 17, 18, 18]],
        [range(5), range(5, 10), range(10, 15), [15, 16, 17, 18, 20]],
    ],
)
def test_a_deal_of_other_cards_is_refused(hands: list[list[int]]) -> None:
    with pytest.raises(ValueError, match=r"a deal|a card"):
        table.new_deal(PAGAT, 0, hands)
