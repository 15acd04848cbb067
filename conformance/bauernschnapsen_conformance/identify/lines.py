"""Lines: a deal and what is said and played in it, chosen by what a ruleset allows.

A line is played under one ruleset when it is made, with a sketch of the table at every step;
another ruleset is then held against it step by step (`telling`). Lines are made for a purpose: for
the auction, for the play of one contract, or whole deals.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen import match, table
from bauernschnapsen.auction import standing_bid
from bauernschnapsen.contracts import hands_opened
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import (
    SUITS,
    Action,
    format_action,
    format_card,
    format_suit,
    seat_letters,
    side_names,
)
from bauernschnapsen.position import AUCTION, OVER, PLAY, SHOW, TALON, TRUMP, Position
from bauernschnapsen.ruleset import Rules
from bauernschnapsen.scoring import SIXTY_SIX, camp_points
from bauernschnapsen.talon import known_to

from .deals import Hands, Sizes, deal

Json = dict[str, Any]
Move = tuple[int, Action]
_BIDS = ("bid", "bid-without-talon")
_LONGEST = 80
_SLAM = 11


@dataclass(frozen=True, slots=True)
class Start:
    """How a deal begins; `contract` is name, declarer and named suit where the auction is over."""

    dealer: int
    hands: Hands
    """The cards of every seat, and after them the talon where there is one."""
    scores: tuple[int, ...] = (0, 0)
    contract: tuple[str, int, int] | None = None

    def position(self, rules: Rules) -> Position | None:
        """Return the first position, or None where the ruleset does not play the contract."""
        score = match.new_score(rules, self.scores)
        hands, talon = self.hands[: rules.seats], (*self.hands[rules.seats :], ())[0]
        if self.contract is None:
            return table.new_deal(rules, self.dealer, hands, score, talon)
        name, declarer, suit = self.contract
        if name not in rules.by_name:
            return None
        return table.start_contract(
            rules, self.dealer, hands, name, declarer, suit, score, talon_cards=talon
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A start and what is tried from there; a move may be refused."""

    start: Start
    moves: tuple[Move, ...]

    def record(self) -> Json:
        """Return the deal as a replay request has it."""
        start = self.start
        owners = [[format_card(card) for card in hand] for hand in start.hands]
        partners = len(start.scores) < len(owners) - 1  # else each seat has a score of its own
        seats = len(owners) if partners else len(start.scores)
        letters = seat_letters(seats)
        made: Json = {
            "dealer": letters[start.dealer],
            "hands": dict(zip(letters, owners, strict=False)),
            **({"talon": owners[seats]} if len(owners) > seats else {}),
            "scores": dict(zip(side_names(seats, partners=partners), start.scores, strict=True)),
            "actions": [[letters[seat], format_action(action)] for seat, action in self.moves],
        }
        if start.contract is not None:
            name, declarer, suit = start.contract
            made["contract"] = {
                "name": name,
                "declarer": letters[declarer],
                "trump": format_suit(suit),
            }
        return made


def sketch(position: Position) -> tuple[Any, ...]:
    """Return everything that a view shows, as cheaply as it can be compared."""
    contract = position.contract
    standing = standing_bid(position)
    return (
        position.phase,
        position.turn,
        _legal(position),
        position.trump,
        None if standing is None else (standing[0], standing[1].name),
        contract and (contract.name, position.declarer, position.trump_in_force, position.steps),
        tuple(position.points),
        tuple(position.tricks),
        position.outcome,
        position.score.points,
        position.next_dealer,
        position.game,
        (position.trick, position.last_trick),
        tuple(position.shown),
        hands_opened(position),
        position.talon and tuple(known_to(position, seat) for seat in range(position.rules.seats)),
    )


def _legal(position: Position) -> dict[int, Collection[Action]]:
    legal = table.legal_actions(position)
    if position.phase == AUCTION:  # the order of bids is that of the contracts
        return {seat: frozenset(actions) for seat, actions in legal.items()}
    return dict(legal)


def step(position: Position, move: Move) -> tuple[Position, bool]:
    """Return the position after a move, and whether it was accepted."""
    try:
        return table.apply(position, *move), True
    except Refusal:
        return position, False


@dataclass(frozen=True, slots=True)
class Played:
    """A line with the sketches of the ruleset it was made for: before each move and at the end."""

    line: Line
    sketches: tuple[tuple[Any, ...], ...]
    accepted: tuple[bool, ...]


# --------------------------------------------------------------------------- choosing moves


@dataclass(frozen=True, slots=True)
class Manner:
    """How the seats behave; all numbers are chances."""

    bid: float = 0.5
    low: float = 0.6
    attempt: float = 0.12
    """Trying what is not allowed."""
    double: float = 0.25
    marry: float = 0.8
    claim: float = 0.5
    """Saying enough where it is true."""
    bluff: float = 0.04
    cards: str = "random"
    """random, or high or low for the declarer and the other way round for the opponents."""


def choose(position: Position, source: random.Random, manner: Manner) -> Move | None:
    """Return what the seat on turn does, or another that doubles or claims; None at the end."""
    legal = table.legal_actions(position)
    turn = position.turn
    if turn is None or not legal:
        return None
    if position.phase == TRUMP:
        options = legal[turn]
        redeals = [action for action in options if action.verb == "redeal"]
        if redeals and source.random() < manner.double:
            return turn, redeals[0]
        if source.random() < manner.attempt:
            return turn, Action("trump", source.randrange(len(SUITS)))
        named = [action for action in options if action.verb == "trump"]
        turned = [action for action in options if action.verb == "turn-up"]
        pick = turned if turned and source.random() < 0.3 else named
        return turn, source.choice(pick or options)
    if position.phase == AUCTION:
        return turn, _call(position, legal[turn], source, manner)
    return _in_play(position, legal, source, manner)


def _call(
    position: Position, legal: Sequence[Action], source: random.Random, manner: Manner
) -> Action:
    bids = [action for action in legal if action.verb in _BIDS]
    others = [action for action in legal if action.verb not in _BIDS]
    if source.random() < manner.attempt:
        contract = source.choice(position.rules.contracts)
        return source.choice((Action("bid", contract.name), Action("pass")))
    if not legal:  # house rules that leave forehand nothing to open with
        return Action("pass")
    if others and (not bids or source.random() >= manner.bid):
        kontra = [action for action in others if action.verb == "kontra"]
        return kontra[0] if kontra and source.random() < manner.double else others[0]
    return bids[0] if source.random() < manner.low else source.choice(bids)


def _in_play(
    position: Position, legal: dict[int, list[Action]], source: random.Random, manner: Manner
) -> Move:
    turn = position.turn
    assert turn is not None
    doubles = [
        (seat, action)
        for seat, actions in legal.items()
        for action in actions
        if action.verb in ("kontra", "rekontra", "subkontra")
    ]
    if doubles and source.random() < manner.double:
        return source.choice(doubles)
    claims = [seat for seat, actions in legal.items() if actions[-1].verb == "enough"]
    for seat in claims:
        holds = camp_points(position, seat) >= SIXTY_SIX
        if source.random() < (manner.claim if holds else manner.bluff):
            return seat, Action("enough")
    mine = legal[turn]
    if position.talon is not None:
        raises = [action for action in legal.get(position.declarer, ()) if action.verb == "raise"]
        if raises and source.random() < manner.bid / 2:
            return position.declarer, source.choice(raises)
        mine = [action for action in mine if action.verb != "raise"]
    marriages = [action for action in mine if action.verb == "marry"]
    if marriages and source.random() < manner.marry:
        return turn, source.choice(marriages)
    cards = [action for action in mine if action.verb == "play"]
    if not cards:
        return turn, mine[0] if len(mine) == 1 else source.choice(mine)
    return turn, _card(position, turn, cards, source, manner)


def _card(
    position: Position, seat: int, cards: list[Action], source: random.Random, manner: Manner
) -> Action:
    if manner.cards == "random" or position.contract is None:
        return source.choice(cards)
    ours = not position.against_declarer(seat)
    best = (manner.cards == "high") == ours
    order = position.contract.ranks

    def height(action: Action) -> tuple[bool, float]:
        card = action.value
        assert isinstance(card, int)
        trump = card // 5 == position.trump_in_force
        return trump, -order.index("ATKQJ"[card % 5]) + source.random() * 0.9

    return (max if best else min)(cards, key=height)


def play_on(
    rules: Rules,
    start: Start,
    source: random.Random,
    manner: Manner,
    *,
    prefix: Sequence[Move] = (),
    until: Sequence[str] = (OVER,),
) -> Played | None:
    """Play a deal until a phase is reached; None where the ruleset has not this contract."""
    position = start.position(rules)
    if position is None:
        return None
    moves: list[Move] = []
    sketches, accepted = [sketch(position)], []
    for number in range(_LONGEST):
        if number < len(prefix):
            move: Move | None = prefix[number]
        elif position.phase in until:
            break
        else:
            move = choose(position, source, manner)
        if move is None:
            break
        position, fine = step(position, move)
        moves.append(move)
        accepted.append(fine)
        sketches.append(sketch(position) if fine else sketches[-1])
    return Played(Line(start, tuple(moves)), tuple(sketches), tuple(accepted))


# --------------------------------------------------------------------------- purposes

_AUCTIONS = ("random", "suit", "long", "random", "other", "jacks", "random", "suit")
_AUCTION_MANNERS = (
    Manner(bid=0.5, low=0.7),
    Manner(bid=0.35, low=0.5),
    Manner(bid=0.75, low=0.9),
    Manner(bid=0.25, low=0.3, attempt=0.25),
    Manner(bid=0.9, low=0.97, double=0.6),
)
_PLAYS = (
    "random",
    "spread",
    "pairs",
    "strong",
    "long",
    "side",
    "random",
    "pairs",
    "spread",
    "weak",
)
_SHOWN = ("suit", "suit", "other", "random", "suit")
_PLAY_MANNERS = (
    Manner(claim=0.5, double=0.15),
    Manner(claim=0.0, cards="high", bluff=0.0, double=0.1),
    Manner(claim=0.9, double=0.6, bluff=0.1),
    Manner(claim=0.1, cards="low", marry=1.0, double=0.0, bluff=0.01),
    Manner(claim=0.3, cards="high", marry=1.0, double=0.9, bluff=0.0),
    Manner(claim=0.0, cards="high", marry=1.0, double=0.05, bluff=0.3),
    Manner(claim=0.0, bluff=0.0, double=0.0, marry=0.9),
)


def auction_lines(rules: Rules, count: int, *, seed: str = "") -> Iterator[Played]:
    """Yield lines that end when the play begins; another seed deals other cards."""
    for number in range(count):
        source = random.Random(f"{seed}auction {number}")
        dealer = source.randrange(rules.seats)
        first = (dealer + 1) % rules.seats
        kind = _AUCTIONS[number % len(_AUCTIONS)]
        seat = first if kind == "jacks" else source.randrange(rules.seats)
        hands = deal(source, kind, seat, source.randrange(len(SUITS)), first, Sizes.of(rules))
        manner = _AUCTION_MANNERS[number % len(_AUCTION_MANNERS)]
        start = Start(dealer, hands, (0,) * rules.sides)
        found = play_on(rules, start, source, manner, until=(TALON, PLAY, SHOW, OVER))
        if found is not None:
            yield found


def play_lines(
    rules: Rules, contract: str, count: int, *, to_contract: Any = None, seed: str = ""
) -> Iterator[Played]:
    """Yield lines of one contract, from the end of the auction to that of the deal.

    `to_contract(start)` gives the moves of an auction that leads there, for engines that cannot
    start otherwise; None where there is none.
    """
    target = rules.options.target
    # What the contract is worth, undoubled, brings exactly the target, or one point less.
    exact = max(target - rules.by_name[contract].value, 0)
    below = max(exact - 1, 0)
    stakes = (
        (0, 0), (0, 0), (target - 1, 0), (0, target - 1), (target - 1, target - 1),
        (max(target - 5, 0), max(target - 2, 0)), (exact, exact), (below, below),
    )  # fmt: skip
    shown = rules.by_name[contract].goal == "shown"
    bidders = sorted(rules.by_name[contract].bidders)
    for number in range(count):
        source = random.Random(f"{seed}{contract} {number}")
        dealer = source.randrange(rules.seats)
        first = (dealer + 1) % rules.seats
        declarer = (first + source.choice(bidders)) % rules.seats
        suit = source.randrange(len(SUITS))
        kinds = _SHOWN if shown else _PLAYS
        seat = declarer if source.random() < 0.8 else (declarer + 1) % rules.seats
        kind = kinds[number % len(kinds)]
        if number % _SLAM == _SLAM - 1 and seat == declarer:
            kind = "suit"  # hardly any other hand wins every trick
        hands = deal(source, kind, seat, suit, first, Sizes.of(rules))
        stake: tuple[int, ...] = stakes[0] if number < 4 else stakes[number % len(stakes)]
        stake += stake[1:] * (rules.sides - len(stake))
        start = Start(dealer, hands, stake, (contract, declarer, suit))
        prefix: Sequence[Move] = ()
        if to_contract is not None:
            found_prefix = to_contract(start)
            if found_prefix is None:
                continue
            prefix, start = found_prefix, Start(dealer, hands, stake)
        manner = _PLAY_MANNERS[number % len(_PLAY_MANNERS)]
        found = play_on(rules, start, source, manner, prefix=prefix)
        if found is not None:
            yield found


def whole_lines(rules: Rules, count: int, seed: str = "whole") -> Iterator[Played]:
    """Yield whole deals, from the first card to the last."""
    for number in range(count):
        source = random.Random(f"{seed} {number}")
        dealer = source.randrange(rules.seats)
        first = (dealer + 1) % rules.seats
        kind = _PLAYS[number % len(_PLAYS)] if number % 3 else "suit"
        seat, suit = source.randrange(rules.seats), source.randrange(len(SUITS))
        hands = deal(source, kind, seat, suit, first, Sizes.of(rules))
        manner = _PLAY_MANNERS[number % len(_PLAY_MANNERS)]
        found = play_on(rules, Start(dealer, hands, (0,) * rules.sides), source, manner)
        if found is not None:
            yield found
