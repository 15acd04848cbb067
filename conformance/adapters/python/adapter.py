#!/usr/bin/env python3
"""A skeleton: the adapter between your engine and the suite. Protocol version 1.

As it stands it drives the toy engine in toy.py, which knows tricks only. Put your engine in its
place at the marks FILL 1 to FILL 9; the rest can stay. FILL 1 to 5 are enough for level 1.
"""

from __future__ import annotations

from typing import Any

import toy
from kit import (
    RANKS,
    SEATS,
    SUITS,
    Action,
    Json,
    Unsupported,
    check_hands,
    each_case,
    expect_list,
    parse_action,
    parse_card,
    run,
)

# FILL 1: who answers, and what it can do. All of it must be the same after a restart.
HELLO: Json = {
    "adapter": {"name": "my-adapter", "version": "1"},
    "engine": {"name": "toy", "version": toy.VERSION, "language": "Python"},
    "capabilities": {
        "players": [4, 3],  # [4] if your engine has no game for three
        "legal_plays": True,
        "trick_winner": True,
        "starts": [],  # level 2: ["contract"]; level 3: ["deal", "contract"]
        "match": False,  # level 5: True
        "claims": "none",  # level 4: "called", or "automatic" if deals end by themselves
        "enforces": True,  # False if the engine offers the right cards but takes any
        "reasons": False,  # True if `act` below returns rule ids
        "configurable": False,
    },
    "window": 8,
}

# ---------------------------------------------------------------------------- level 1: tricks

# FILL 2: cards, suits and seats, as your engine has them.
ENGINE_RANKS = "JQKTA"


def to_suit(word: Any) -> int:
    """`H` -> 0. Where no suit was named there is none."""
    return SUITS.index(word) if word is not None else -1


def to_card(word: Any) -> int:
    """`TH` -> 3."""
    rank, suit = parse_card(word)
    return to_suit(suit) * len(RANKS) + ENGINE_RANKS.index(rank)


def to_word(card: int) -> str:
    """3 -> `TH`."""
    suit, rank = divmod(card, len(RANKS))
    return ENGINE_RANKS[rank] + SUITS[suit]


def to_seat(letter: Any, seats: Any) -> int:
    """`E` -> 1, at a table with these seats."""
    return tuple(seats).index(letter)


# FILL 3: contracts, as your engine has them.
def to_contract(name: Any, seats: Any) -> toy.Contract:
    """`gang` -> what the engine knows it by; Unsupported if it has no such contract."""
    contracts = toy.CONTRACTS[len(seats)]
    if name not in contracts:
        raise Unsupported(f"the contract {name}")
    return contracts[name]


# FILL 4: the cards of case["hand"] that case["seat"] may play.
def legal_plays(case: Json) -> list[str]:
    """One case of the query `legal_plays`."""
    trick = [to_card(card) for _, card in expect_list(case["trick"], "trick")]
    hand = [to_card(card) for card in expect_list(case["hand"], "hand")]
    contract = to_contract(case["contract"], case["seats"])
    cards = toy.playable(contract, to_suit(case["trump"]), trick, hand)
    return [to_word(card) for card in cards]


# FILL 5: the seat that wins the complete trick.
def trick_winner(case: Json) -> str:
    """One case of the query `trick_winner`."""
    trick = expect_list(case["trick"], "trick")
    cards = [to_card(card) for _, card in trick]
    contract = to_contract(case["contract"], case["seats"])
    winner: str = trick[toy.best(contract, to_suit(case["trump"]), cards)][0]
    return winner


# ---------------------------------------------------------------------------- levels 2 to 5: deals


def replay(request: Json) -> list[list[Json]]:
    """For each deal a view before the first action and one after each."""
    answers = []
    before = None
    for record in expect_list(request.get("deals"), "deals"):
        deal = open_deal(record, before)
        views = [view(deal)]
        for seat, text in expect_list(record.get("actions"), "actions"):
            action = parse_action(text)
            refused = act(deal, seat, action) if action and seat in SEATS[deal.seats] else True
            views.append({**view(deal), "refused": refused} if refused else view(deal))
        answers.append(views)
        before = deal
    return answers


# FILL 6: a deal from its record. Level 3 needs the start from the deal, where record["contract"] is
# absent. Level 5 needs record["scores"]; where dealer and scores are absent, they follow from how
# the deal `before` ended. Three players have six cards each and a talon of two.
def open_deal(record: Json, before: toy.Deal | None) -> toy.Deal:  # noqa: ARG001 - see FILL 6
    """A table at its start; Unsupported for a start that the engine does not have."""
    talon = record.get("talon") or []
    seats, size, aside = (SEATS[3], 6, 2) if talon else (SEATS[4], 5, 0)
    check_hands(record.get("hands"), seats, size, talon, aside)
    hands = [[to_card(card) for card in record["hands"][seat]] for seat in seats]
    start = record.get("contract")
    if start is None:
        raise Unsupported("no auction")
    if record.get("dealer") is None:
        raise Unsupported("no match")
    contract = to_contract(start["name"], seats)
    declarer, dealer = (to_seat(who, seats) for who in (start["declarer"], record["dealer"]))
    laid_aside = [to_card(card) for card in talon]
    return toy.Deal(contract, declarer, to_suit(start["trump"]), dealer, hands, laid_aside)


# FILL 7: do an action, if the rules allow it. Level 2 needs marry and show, and for three players
# talon, keep and discard; level 3 trump, turn-up, redeal, bid, pass, kontra, rekontra and
# subkontra, and for three players raise and bid-without-talon; level 4 enough.
def act(deal: toy.Deal, seat: str, action: Action) -> bool | str:
    """False if it was done; True, or the id of the rule it breaks, if it was refused."""
    verb, words = action
    player = to_seat(seat, SEATS[deal.seats])
    if verb == "play":
        return not deal.play(player, to_card(words[0]))
    if verb == "talon":
        return not deal.take(player)
    if verb == "keep":
        return not deal.leave(player)
    if verb == "discard":
        return not deal.discard(player, tuple(to_card(card) for card in words))
    return True  # what the engine does not know is refused


# FILL 8: what each seat may do now; None where the engine cannot tell.
def legal(deal: toy.Deal) -> Json:
    """Seat -> actions. A seat with none is left out; after the end all are."""
    known: Json = {}
    for seat, letter in enumerate(SEATS[deal.seats]):
        if not deal.is_sure(seat):
            known[letter] = None
        elif seat == deal.turn and not deal.settled:
            pairs = [f"discard {to_word(a)} {to_word(b)}" for a, b in deal.may_discard()]
            known[letter] = pairs or ["talon", "keep"]
        elif seat == deal.turn:
            known[letter] = [f"play {to_word(card)}" for card in deal.may_play()]
    return known


# FILL 9: the table as anybody sees it. Leave out what the engine does not know; None says "there is
# none". Level 2 needs contract, points, tricks and outcome; level 5 scores, next_dealer and game;
# phase, trump, bid and sees are welcome. Section 6 of the protocol describes each.
def view(deal: toy.Deal) -> Json:
    """The view of a table."""
    return {
        "to_act": None if deal.turn is None else SEATS[deal.seats][deal.turn],
        "legal": legal(deal),
        "trick": shown(deal, deal.trick),
        "last_trick": last_trick(deal) if deal.last_trick else None,
    }


def last_trick(deal: toy.Deal) -> Json:
    """The trick before this one."""
    winner = SEATS[deal.seats][deal.last_winner]
    cards = shown(deal, deal.last_trick)
    return {"cards": cards, "winner": winner, "points": deal.last_points}


def shown(deal: toy.Deal, trick: list[tuple[int, int]]) -> list[list[str]]:
    """Seats and cards in the letters of the protocol."""
    return [[SEATS[deal.seats][seat], to_word(card)] for seat, card in trick]


# ---------------------------------------------------------------------------- start

if __name__ == "__main__":
    run(
        HELLO,
        {
            "legal_plays": lambda request: each_case(request.get("cases"), legal_plays),
            "trick_winner": lambda request: each_case(request.get("cases"), trick_winner),
            "replay": replay,
        },
    )
