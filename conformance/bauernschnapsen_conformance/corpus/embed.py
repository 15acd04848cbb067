"""Embed a trick situation in a whole deal, so that engines without queries can be asked it too.

Cards are dealt around the situation such that the cards on the table were legal and the extra
cards of the hand change nothing about the stated ones. The search is deterministic.
"""

from __future__ import annotations

import random

from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import (
    CARDS,
    mask_of,
    parse_action,
    parse_card,
    parse_seat,
    seat_letters,
)
from bauernschnapsen.play import allowed_cards, trick_duties
from bauernschnapsen.ruleset import Rules
from bauernschnapsen.table import apply, start_contract

from ..views import Statement
from .scenario import Json, PositionCase

_TRIES = 3000


class NotEmbeddable(Exception):
    """No deal was found in which this situation is the first trick."""


def embed_position(case: PositionCase, rules: Rules) -> tuple[list[Json], list[Statement]]:
    """Return a replay request with the situation as its first trick, and what is stated there.

    Raises NotEmbeddable, with the reason, where that is impossible.
    """
    letters = seat_letters(rules.seats)
    contract = rules.by_name.get(case.contract)
    leader = case.trick[0][0]
    if contract is None or case.declarer not in letters:
        return [_record(case, letters, {}, leader)], []
    if contract.lead == "declarer" and leader != case.declarer:
        raise NotEmbeddable(f"{case.declarer} leads to the first trick of {case.contract}")
    seed = random.Random(case.id)
    fixed: dict[str, list[str]] = {seat: [card] for seat, card in case.trick}
    if case.seat is not None:
        fixed[case.seat] = list(case.hand)
    taken = {card for cards in fixed.values() for card in cards}
    rest = [card for card in CARDS if card not in taken]
    for number in range(_TRIES):
        seed.shuffle(rest)
        hands, left = {}, list(rest)
        for seat in letters:
            mine = fixed.get(seat, [])
            more = rules.hand_size - len(mine)
            hands[seat], left = [*mine, *left[:more]], left[more:]
        # Forehand should be able to name the trump, for engines that start from the deal only.
        forehand = hands[leader] if contract.lead == "forehand" else None
        if forehand and number < _TRIES // 4 and case.trump not in {card[1] for card in forehand}:
            continue
        for seat, hand in hands.items():
            hands[seat] = sorted(hand, key=lambda card: card[1] != case.trump)
        if _fits(case, rules, hands, leader):
            return [_record(case, letters, hands, leader)], _statements(case)
    raise NotEmbeddable("no deal was found in which these cards may be played")


def _record(case: PositionCase, letters: str, hands: dict[str, list[str]], leader: str) -> Json:
    place = letters.index(leader)
    return {
        "dealer": letters[place - 1],
        "hands": hands or {seat: [] for seat in letters},
        "scores": dict.fromkeys(("NS", "EW") if len(letters) == 4 else tuple(letters), 0),
        "contract": {"name": case.contract, "declarer": case.declarer, "trump": case.trump},
        "actions": [[seat, f"play {card}"] for seat, card in case.trick],
    }


def _fits(case: PositionCase, rules: Rules, hands: dict[str, list[str]], leader: str) -> bool:
    record = _record(case, seat_letters(rules.seats), hands, leader)
    contract = record["contract"]
    position = start_contract(
        rules,
        parse_seat(record["dealer"], rules.seats),
        [[parse_card(card) for card in hands[seat]] for seat in hands],
        contract["name"],
        parse_seat(contract["declarer"], rules.seats),
        "HDSC".index(contract["trump"]),
    )
    try:
        for seat, action in record["actions"]:
            position = apply(position, parse_seat(seat, rules.seats), parse_action(action))
    except Refusal:
        return False
    if case.seat is None:
        return True
    if position.turn is None:
        return False
    # The cards dealt in must change nothing about the stated ones.
    seat = parse_seat(case.seat, rules.seats)
    stated = mask_of([parse_card(card) for card in case.hand])
    assert position.contract is not None and position.winning is not None
    cards = [card for _, card in position.trick]
    asked = trick_duties(position.contract, position.trump_in_force, cards, position.winning[1])
    return allowed_cards(position.hands[seat], asked) & stated == allowed_cards(stated, asked)


def _statements(case: PositionCase) -> list[Statement]:
    last = len(case.trick)
    made = [
        Statement(0, number, "accepted", (seat, f"play {card}"), True)
        for number, (seat, card) in enumerate(case.trick, start=1)
    ]
    if case.seat is None:
        return [*made, Statement(0, last, "winner", (), case.winner)]
    return [*made, Statement(0, last, "cards", (case.seat,), (case.hand, case.legal))]
