"""Embed a trick situation in a whole deal, so that engines without queries can be asked it too.

Cards are dealt around the situation such that the cards on the table were legal and the extra
cards of the hand change nothing about the stated ones. It is always the same deal for a situation.
"""

from __future__ import annotations

import random

from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import (
    CARDS,
    SUITS,
    mask_of,
    parse_action,
    parse_card,
    parse_seat,
    seat_letters,
    side_names,
)
from bauernschnapsen.play import allowed_cards, beats, trick_duties
from bauernschnapsen.ruleset import Contract, Rules
from bauernschnapsen.table import apply, start_contract

from ..views import Statement
from .scenario import Json, PositionCase

Hands = dict[str, list[str]]


class NotEmbeddable(Exception):
    """No deal was found in which this situation is the first trick."""


def embed_position(case: PositionCase, rules: Rules) -> tuple[list[Json], list[Statement]]:
    """Return a replay request with the situation as its first trick, and what is stated there.

    Raises NotEmbeddable, with the reason, where that is impossible.
    """
    letters = seat_letters(rules.seats)
    contract = rules.by_name.get(case.contract)
    leader = case.trick[0][0]
    if contract is None or not case.seats <= set(letters):
        return [_record(case, rules, {}, leader)], []
    if contract.lead == "declarer" and leader != case.declarer:
        raise NotEmbeddable(f"{case.declarer} leads to the first trick of {case.contract}")
    fixed: dict[str, list[str]] = {seat: [card] for seat, card in case.trick}
    if case.seat is not None:
        fixed[case.seat] = list(case.hand)
    if any(len(hand) > rules.hand_size for hand in fixed.values()):
        raise NotEmbeddable("the hand has more cards than are dealt")
    hands = _dealt(case, rules, contract, letters, fixed)
    if hands is None or not _fits(case, rules, hands, leader):
        raise NotEmbeddable("no deal was found in which these cards may be played")
    record = _record(case, rules, hands, leader)
    return [record], _statements(case, len(record["actions"]) - len(case.trick))


def _dealt(
    case: PositionCase, rules: Rules, contract: Contract, letters: str, fixed: Hands
) -> Hands | None:
    """Deal the other cards so that every card on the table was legal and the hand stays as asked.

    Duties look at one card at a time: a card spoils a hand by itself or not at all. So each seat
    has cards it may be given, and the rest is a matching.
    """
    chooser = random.Random(case.id)
    taken = {card for cards in fixed.values() for card in cards}
    rest = [card for card in CARDS if card not in taken]
    chooser.shuffle(rest)
    welcome = {seat: _welcome(case, contract, seat, rest) for seat in letters}
    leader = case.trick[0][0]
    named = [card for card in welcome[leader] if card[1] == case.trump]
    held = any(card[1] == case.trump for card in fixed.get(leader, []))
    # Forehand should be able to name the trump, for engines that start from the deal only.
    firsts = [None] if held or len(fixed.get(leader, [])) == rules.hand_size else [*named, None]
    for first in firsts:
        hands = {seat: list(fixed.get(seat, [])) for seat in letters}
        if first is not None:
            hands[leader].append(first)
        slots = [seat for seat in letters for _ in range(rules.hand_size - len(hands[seat]))]
        given = _matched(slots, {s: [c for c in welcome[s] if c != first] for s in letters})
        if given is None:
            continue
        for card, seat in given.items():
            hands[seat].append(card)
        for seat, hand in hands.items():
            hands[seat] = sorted(hand, key=lambda card: card[1] != case.trump)
        return hands
    return None


def _welcome(case: PositionCase, contract: Contract, seat: str, rest: list[str]) -> list[str]:
    """Return the cards a seat may hold beside those it is known to hold."""
    played = [seat for seat, _ in case.trick]
    before = played.index(seat) if seat in played else len(case.trick)
    known = case.hand if seat == case.seat else tuple(card for s, card in case.trick if s == seat)
    if not before or not known:
        return rest
    cards = [parse_card(card) for _, card in case.trick[:before]]
    trump = SUITS.index(case.trump) if contract.trump == "named" else None
    winning = cards[0]
    for card in cards[1:]:
        winning = card if beats(card, winning, contract, trump) else winning
    asked = trick_duties(contract, trump, cards, winning)
    hand = mask_of([parse_card(card) for card in known])
    legal = allowed_cards(hand, asked)
    return [c for c in rest if allowed_cards(hand | 1 << parse_card(c), asked) & hand == legal]


def _matched(slots: list[str], welcome: Hands) -> dict[str, str] | None:
    """Give each slot (a seat, once for each card it lacks) a welcome card; None if impossible."""
    holder: dict[str, int] = {}

    def find(slot: int, tried: set[str]) -> bool:
        for card in welcome[slots[slot]]:
            if card not in tried:
                tried.add(card)
                if card not in holder or find(holder[card], tried):
                    holder[card] = slot
                    return True
        return False

    if not all(find(slot, set()) for slot in range(len(slots))):
        return None
    return {card: slots[slot] for card, slot in holder.items()}


def _record(case: PositionCase, rules: Rules, hands: Hands, leader: str) -> Json:
    letters = seat_letters(rules.seats)
    sides = side_names(rules.seats, partners=rules.options.sides == "partners")
    contract = rules.by_name.get(case.contract)
    given = {card for hand in hands.values() for card in hand}
    record: Json = {
        "dealer": letters[letters.find(leader) - 1],
        "hands": hands or {seat: [] for seat in letters},
        "scores": dict.fromkeys(sides, 0),
        "contract": {"name": case.contract, "declarer": case.declarer, "trump": case.trump},
        "actions": [[seat, f"play {card}"] for seat, card in case.trick],
    }
    if rules.options.talon_cards:
        record["talon"] = [card for card in CARDS if card not in given]
        if contract is not None and contract.talon == "offered":
            record["actions"].insert(0, [case.declarer, "keep"])
    return record


def _fits(case: PositionCase, rules: Rules, hands: Hands, leader: str) -> bool:
    record = _record(case, rules, hands, leader)
    contract = record["contract"]
    position = start_contract(
        rules,
        parse_seat(record["dealer"], rules.seats),
        [[parse_card(card) for card in hands[seat]] for seat in hands],
        contract["name"],
        parse_seat(contract["declarer"], rules.seats),
        SUITS.index(contract["trump"]),
        talon_cards=[parse_card(card) for card in record.get("talon", ())],
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
    if position.winning is None:  # the situation is a whole trick of this table
        return False
    assert position.contract is not None
    cards = [card for _, card in position.trick]
    asked = trick_duties(position.contract, position.trump_in_force, cards, position.winning[1])
    return allowed_cards(position.hands[seat], asked) & stated == allowed_cards(stated, asked)


def _statements(case: PositionCase, before: int) -> list[Statement]:
    """Return what is stated; `before` is the number of actions before the first card."""
    last = before + len(case.trick)
    made = [
        Statement(0, number, "accepted", (seat, f"play {card}"), True)
        for number, (seat, card) in enumerate(case.trick, start=before + 1)
    ]
    if case.seat is None:
        return [*made, Statement(0, last, "winner", (), case.winner)]
    return [*made, Statement(0, last, "cards", (case.seat,), (case.hand, case.legal))]
