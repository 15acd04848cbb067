"""The table: start a deal, see what is legal, act, and look at the result.

This is the engine's front: `new_deal` or `start_contract` gives a `Position`, `legal_actions` says
who may do what, `apply` returns the next position, `view` describes one for the wire. All are pure
functions; the dealing itself (chance) is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import auction, claims, contracts, deal, doubling, marriages, match, play, talon
from .cards import PACK_SIZE
from .errors import Refusal
from .notation import (
    Action,
    cards_in,
    format_action,
    format_card,
    format_mask,
    format_suit,
    mask_of,
    seat_letters,
    side_names,
)
from .position import AUCTION, OVER, PLAY, SHOW, TALON, TRUMP, Position, Score, Talon, Trick
from .ruleset import Rules

View = dict[str, Any]
Handler = Callable[[Position, int, Any], None]


def new_deal(
    rules: Rules,
    dealer: int,
    hands: Sequence[Sequence[int]],
    score: Score | None = None,
    talon_cards: Sequence[int] = (),
) -> Position:
    """Start a deal before its first action.

    `hands` lists the cards of each seat in the order received (first packet first), seat by seat
    from N, `talon_cards` those laid aside face down. ValueError unless all cards are dealt exactly
    once.
    """
    dealt = tuple(tuple(hand) for hand in hands)
    given = [*(card for hand in dealt for card in hand), *talon_cards]
    if len(dealt) != rules.seats or any(len(hand) != rules.hand_size for hand in dealt):
        raise ValueError(f"a deal gives {rules.hand_size} cards to each of {rules.seats} seats")
    if len(talon_cards) != rules.options.talon_cards:
        raise ValueError(f"a deal lays {rules.options.talon_cards} cards aside as the talon")
    if len(set(given)) != len(given):
        raise ValueError("a card has been dealt twice")
    if not set(given) <= set(range(PACK_SIZE)):
        raise ValueError("a card has been dealt that is not in the pack")
    laid_aside = Talon(mask_of(tuple(talon_cards))) if talon_cards else None
    position = Position(rules, dealer, dealt, score or match.new_score(rules), laid_aside)
    position.phase = rules.options.phases[0]
    return position


def start_contract(
    rules: Rules,
    dealer: int,
    hands: Sequence[Sequence[int]],
    contract: str,
    declarer: int,
    trump: int | None,
    score: Score | None = None,
    talon_cards: Sequence[int] = (),
) -> Position:
    """Start a deal after the auction; the contract need not be reachable by one.

    KeyError if the ruleset does not play the contract; ValueError if it has a trump and none is
    given.
    """
    if trump is None and rules.by_name[contract].trump == "named":
        raise ValueError(f"{contract} is played with a trump")
    position = new_deal(rules, dealer, hands, score, talon_cards)
    position.trump = trump
    position.contract = rules.by_name[contract]
    position.declarer = declarer
    talon.begin(position)
    return position


# --------------------------------------------------------------------------- acting


def apply(position: Position, seat: int, action: Action) -> Position:
    """Return the position after an action; raise Refusal with the rule it breaks.

    Where several rules are broken, the first in this order is named: form, phase, sitting out,
    turn, card held, seat's right, holding, rank of the bid, trick or marriage rule.
    """
    handler = _HANDLERS.get(action.verb)
    if handler is None and position.talon is not None:
        handler = _TALON_HANDLERS.get(action.verb)
    if handler is None:
        raise Refusal("notation.action", f"there is no {action.verb} at this table")
    if position.phase == OVER:
        if action.verb == "turn-up":
            deal.check_place(position, action.value)
        raise Refusal("scoring.deal-over", "the deal has ended")
    after = position.copy()
    handler(after, seat, action.value)
    return after


def _name_trump(position: Position, seat: int, suit: int) -> None:
    deal.name_trump(position, seat, suit)
    _begin_play_if_due(position)


def _turn_up(position: Position, seat: int, place: int) -> None:
    deal.turn_up(position, seat, place)
    _begin_play_if_due(position)


def _bid(position: Position, seat: int, name: str) -> None:
    auction.bid(position, seat, name)
    _begin_play_if_due(position)


def _bid_without_talon(position: Position, seat: int, name: str) -> None:
    auction.bid_without_talon(position, seat, name)
    _begin_play_if_due(position)


def _pass(position: Position, seat: int, _: None) -> None:
    auction.pass_by(position, seat)
    _begin_play_if_due(position)


def _begin_play_if_due(position: Position) -> None:
    if position.phase == PLAY:
        talon.begin(position)


def _double(step: str) -> Handler:
    def handler(position: Position, seat: int, _: None) -> None:
        if position.phase == AUCTION and step == doubling.STEPS[0]:
            auction.cancel(position, seat)
        else:
            doubling.double(position, seat, step)

    return handler


def _play(position: Position, seat: int, card: int) -> None:
    play.check_card(position, seat, card)
    _lay(position, seat, card)


def _marry(position: Position, seat: int, card: int) -> None:
    if position.phase == PLAY and seat == position.turn and position.hands[seat] >> card & 1:
        marriages.check_marriage(position, seat, card)
    play.check_card(position, seat, card)
    marriages.declare(position, seat, card)
    _lay(position, seat, card)
    contracts.after_marriage(position)
    claims.open_moment(position, seat)


def _lay(position: Position, seat: int, card: int) -> None:
    trick = play.put_card(position, seat, card)
    if trick is not None:
        contracts.after_trick(position)
        claims.open_moment(position, trick.winner)


_HANDLERS: dict[str, Handler] = {
    "trump": _name_trump,
    "turn-up": _turn_up,
    "redeal": lambda position, seat, _: deal.redeal(position, seat),
    "bid": _bid,
    "pass": _pass,
    **{step: _double(step) for step in doubling.STEPS},
    "play": _play,
    "marry": _marry,
    "enough": lambda position, seat, _: claims.claim(position, seat),
    "show": lambda position, seat, _: contracts.show(position, seat),
}
_TALON_HANDLERS: dict[str, Handler] = {
    "bid-without-talon": _bid_without_talon,
    "talon": lambda position, seat, _: talon.take(position, seat),
    "keep": lambda position, seat, _: talon.keep(position, seat),
    "discard": talon.discard,
    "raise": talon.raise_contract,
}
"""What is said and done only where cards are laid aside."""


# --------------------------------------------------------------------------- looking

_PLAY = tuple(Action("play", card) for card in range(20))
_MARRY = tuple(Action("marry", card) for card in range(20))
_SHOW = Action("show")


def legal_actions(position: Position) -> dict[int, list[Action]]:
    """Return every seat that may act and all it may do; empty once the deal is over."""
    if position.phase == TRUMP:
        return deal.deal_actions(position)
    if position.phase == AUCTION:
        return auction.auction_actions(position)
    if position.phase == OVER or position.turn is None:
        return {}
    if position.phase == SHOW:
        legal = {position.turn: [_SHOW]}
    elif position.phase == TALON:
        legal = talon.talon_actions(position)
    else:
        legal = {position.turn: [_PLAY[card] for card in cards_in(play.legal_cards(position))]}
        legal[position.turn] += [_MARRY[c] for c in cards_in(marriages.marriage_cards(position))]
    for more in (doubling.doubling_actions(position), claims.claim_actions(position)):
        for seat, actions in more.items():
            legal.setdefault(seat, []).extend(actions)
    if position.talon is not None:
        for seat, actions in talon.raise_actions(position).items():
            legal.setdefault(seat, []).extend(actions)
    return legal


def view(position: Position) -> View:
    """Describe a position as the wire does: everything public, in the notation of scenarios."""
    rules = position.rules
    letters = seat_letters(rules.seats)
    sides = side_names(rules.seats, partners=rules.options.sides == "partners")
    outcome, game = position.outcome, position.game
    return {
        "phase": position.phase,
        "to_act": None if position.turn is None else letters[position.turn],
        "legal": {
            letters[seat]: [format_action(action) for action in actions]
            for seat, actions in legal_actions(position).items()
        },
        "trump": format_suit(position.trump),
        "bid": _describe_bid(position, letters),
        "contract": _describe_contract(position, letters),
        "trick": [[letters[seat], format_card(card)] for seat, card in position.trick],
        "last_trick": _describe_trick(position.last_trick, letters),
        "sees": _sees(position, letters),
        "points": dict(zip(sides, position.points, strict=True)),
        "tricks": dict(zip(sides, position.tricks, strict=True)),
        "outcome": None
        if outcome is None
        else {
            "awards": dict(zip(sides, outcome.awards, strict=True)),
            "factor": outcome.factor,
            "reason": outcome.reason,
        },
        "scores": dict(zip(sides, position.score.points, strict=True)),
        "next_dealer": None if position.next_dealer is None else letters[position.next_dealer],
        "game": None
        if game is None
        else {
            "winners": [sides[side] for side in game.winners],
            "bummerl": dict(zip(sides, game.bummerl, strict=True)),
        },
    }


def _describe_bid(position: Position, letters: str) -> View | None:
    """Return the standing bid; where some are made without the talon, also whether this one is."""
    standing = auction.standing_bid(position)
    if standing is None:
        return None
    bid: View = {"seat": letters[standing[0]], "contract": standing[1].name}
    if position.talon is not None and position.rules.options.no_talon_precedence == "present":
        bid["without_talon"] = position.talon.bid_without
    return bid


def _describe_contract(position: Position, letters: str) -> View | None:
    if position.contract is None:
        return None
    return {
        "name": position.contract.name,
        "declarer": letters[position.declarer],
        "trump": format_suit(position.trump_in_force),
        "factor": doubling.factor(position),
    }


def _describe_trick(trick: Trick | None, letters: str) -> View | None:
    if trick is None:
        return None
    return {
        "cards": [[letters[seat], format_card(card)] for seat, card in trick.cards],
        "winner": letters[trick.winner],
        "points": trick.points,
    }


def _sees(position: Position, letters: str) -> View:
    """Return viewer -> owner -> cards that a seat knows beyond its own hand and the table."""
    opened = contracts.hands_opened(position)
    seats = range(position.rules.seats)
    sees: View = {}
    for viewer in seats:
        known = {}
        for owner in seats:
            if owner == viewer:
                continue
            open_hand = opened.get(viewer, 0) >> owner & 1
            mask = position.hands[owner] if open_hand else position.shown[owner]
            if mask:
                known[letters[owner]] = format_mask(mask)
        lies = talon.known_to(position, viewer)
        if lies:
            known["talon"] = format_mask(lies)
        if known:
            sees[letters[viewer]] = known
    return sees
