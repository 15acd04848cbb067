"""Starts of deals, with their contract or a score: whether the table can have come to them.

A scenario is an example of the game, so it must not begin where no trump choice and no auction can
lead. What is looked at is what the cards alone decide: who deals for whom, whether forehand can
have fixed that trump, whether the contract is open to its declarer and whether he could bid it.
Nor may it begin with a score at which the game has ended before (match.target).
Positions are exempt: they are about one trick, whatever comes before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bauernschnapsen import auction, table
from bauernschnapsen.cards import SUIT_OF
from bauernschnapsen.notation import (
    CARDS,
    SUITS,
    parse_card,
    parse_seat,
    seat_letters,
)
from bauernschnapsen.position import TRUMP, Position
from bauernschnapsen.ruleset import Rules

from .reference import Prepared
from .scenario import Json


@dataclass(frozen=True, slots=True)
class Impossible:
    """Why no table comes to a start: the deal (from 0), the field of it, and what to do.

    The field is that of a request: `scores.NS`, `contract.declarer`.
    """

    deal: int
    field: str
    message: str
    hint: str


def impossible_starts(
    prepared: Prepared, rules: Rules, *, contracts: bool = True
) -> list[Impossible]:
    """Return every start that the table cannot have come to: from a score, and from a contract.

    `contracts`: whether starts from a contract are looked at.
    """
    found = []
    for number, deal in enumerate(prepared.deals):
        found += [Impossible(number, *told) for told in _ended_games(deal, rules)]
        dealer = deal.get("dealer")
        if dealer is None and number:
            dealer = prepared.expected[number - 1][-1]["next_dealer"]
        if not contracts or "contract" not in deal or dealer is None:
            continue
        objection = _objection(deal, dealer, rules)
        if objection is not None:
            field, message, hint = objection
            found.append(Impossible(number, f"contract.{field}", message, hint))
    return found


def _ended_games(deal: Json, rules: Rules) -> Iterator[tuple[str, str, str]]:
    """Yield field, message and hint about every score with which the game has ended before."""
    target = rules.options.target
    if rules.options.after_game == "runs_on":
        return
    for side, points in deal.get("scores", {}).items():
        if points >= target:
            message = f"{side} begins with {points} game points, but at {target} the game has ended"
            yield f"scores.{side}", message, f"let the deal begin with {target - 1} at most"


def _objection(deal: Json, dealer: str, rules: Rules) -> tuple[str, str, str] | None:
    """Return field, message and hint about the first thing that cannot be, or None."""
    start = deal["contract"]
    letters = seat_letters(rules.seats)
    hands = [[parse_card(card) for card in deal["hands"][seat]] for seat in letters]
    aside = [parse_card(card) for card in deal.get("talon", ())]
    position = table.new_deal(rules, parse_seat(dealer, rules.seats), hands, talon_cards=aside)
    declarer = parse_seat(start["declarer"], rules.seats)
    contract = rules.by_name[start["name"]]
    name, seat = start["name"], letters[declarer]
    if not auction.open_to(position, declarer, contract):
        hint = "let another seat play it, or deal"
        return "declarer", f"{name} is not open to {seat} when {dealer} deals", hint
    suit = None if start["trump"] is None else SUITS.index(start["trump"])
    if position.phase == TRUMP and suit is not None and suit not in _possible_trumps(position):
        forehand = letters[position.forehand]
        cards = " ".join(CARDS[card] for card in hands[position.forehand])
        message = f"{forehand} cannot have made {start['trump']} trump with {cards}"
        return "trump", message, "give forehand a card of that suit, or name another trump"
    position.trump = suit
    if contract.held_at == "bid" and not auction.holds_required_cards(position, declarer, contract):
        message = f"{seat} cannot have bid {name} without the cards it demands"
        return "name", message, "give the declarer these cards, or let him play another contract"
    return None


def _possible_trumps(position: Position) -> set[int]:
    """Return the suits that forehand may name, and those of the cards that may be turned up."""
    hand = position.dealt[position.forehand]
    unseen = hand[position.rules.options.packets[0] :]
    return {
        action.value if action.verb == "trump" else SUIT_OF[unseen[action.value]]
        for actions in table.legal_actions(position).values()
        for action in actions
        if action.verb in ("trump", "turn-up") and isinstance(action.value, int)
    }
