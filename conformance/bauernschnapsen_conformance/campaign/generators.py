"""Deals and lines of play, biased on purpose, from a stream that a seed and a number determine.

A case is one to three deals in the form of a replay request. What is rare at a table is common
here: marriages, long suits, high contracts, chains of Kontra, claims near 66, scores near the
target, and attempts at what is forbidden. Which bias a case has is its recipe.

`cases(rules, seed)` is the plain stream; a campaign chooses recipes by what has been covered
(`choosing`); `strategies` has the same generators for hypothesis.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from bauernschnapsen import table
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import (
    SUITS,
    Action,
    format_action,
    format_card,
    parse_action,
    seat_letters,
    side_names,
)
from bauernschnapsen.position import AUCTION, OVER, PLAY, TALON, Position
from bauernschnapsen.replay import start_of_deal
from bauernschnapsen.ruleset import Contract, Rules
from bauernschnapsen.scoring import SIXTY_SIX, camp_points

from ..identify.deals import KINDS, Sizes, deal
from ..identify.lines import Manner, choose
from ..run.fitting import shortest_auction
from ..run.undecided import demands_cards
from ..views import View
from .attempts import attempt
from .situations import Watch, refusals

Json = dict[str, Any]
Case = list[Json]
"""The deals of a replay request; never changed once made."""
_LONGEST = 70
"""Most actions of one deal."""
_AFTER_END = 2
_NEAR, _RASH = 46, 0.2
"""Card points from which a claim is tried more often, and the chance of it."""
_CURIOUS = 0.25
"""The chance of a claim that would be something new."""
_ATTEMPTS = 3
"""How many attempts are thought of before one is made."""
_LEGAL = 3
"""How often an attempt counts as seen that turns out to be legal."""
_NOTHING_SEEN: Mapping[str, int] = MappingProxyType({})

AUCTION_START = ""
"""The name that stands for a start from the deal, where a contract's would."""


class Recipe(NamedTuple):
    """What a case is biased towards."""

    start: str
    """A contract that the deal starts in, or AUCTION_START."""
    shape: str
    """A kind of hands, see `identify.deals`."""
    manner: str
    """How the seats behave, a key of MANNERS."""
    stake: str
    """The scores at the start, a key of STAKES."""
    deals: int
    """How many deals follow each other at most."""


MANNERS: dict[str, Manner] = {
    "even": Manner(bid=0.5, low=0.6, double=0.15, claim=0.5, bluff=0.02),
    "high": Manner(bid=0.6, low=0.4, double=0.1, claim=0.0, bluff=0.0, cards="high"),
    "hoard": Manner(bid=0.6, low=0.4, double=0.1, claim=0.1, bluff=0.0, cards="high", marry=0.25),
    "low": Manner(bid=0.3, low=0.7, double=0.05, claim=0.1, bluff=0.01, cards="low", marry=1.0),
    "chains": Manner(bid=0.8, low=0.8, double=0.85, claim=0.9, bluff=0.02, marry=0.9),
    "claims": Manner(bid=0.2, low=0.9, double=0.1, claim=0.9, bluff=0.12, cards="high", marry=1.0),
    "late": Manner(bid=0.4, low=0.3, double=0.3, claim=0.0, bluff=0.0, marry=0.3),
    "patient": Manner(bid=0.5, low=0.2, double=0.4, claim=0.25, bluff=0.05, cards="low", marry=0.5),
}  # fmt: skip
STAKES = ("nil", "some", "near", "exact", "nil and near")
SHAPES = (*KINDS, "random")
BOLDNESS = (0.0, 0.1, 0.25, 0.45)
"""How often an action is an attempt at something else."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an engine takes, as far as it decides what is put to it."""

    starts: tuple[str, ...] = ("deal", "contract")
    claims: bool = True
    """Whether "enough" can be said."""
    enforces: bool = True
    match: bool = True


ALL = Abilities()


@dataclass(frozen=True, slots=True)
class Made:
    """A case with what the reference engine shows of it and the situations it went through."""

    deals: Case
    expected: list[list[View]]
    situations: frozenset[str]
    recipe: Recipe


@dataclass(slots=True)
class _Making:
    """One case in the making."""

    rules: Rules
    source: random.Random
    recipe: Recipe
    able: Abilities
    boldness: float
    seen: Mapping[str, int]
    watch: Watch = field(default_factory=Watch)
    deals: Case = field(default_factory=list)
    views: list[list[View]] = field(default_factory=list)


def cases(rules: Rules, seed: int, *, able: Abilities = ALL) -> Iterator[Made]:
    """Yield cases without end: the same for the same rules, seed and abilities."""
    recipes = all_recipes(rules, able)
    number = 0
    while True:
        source = random.Random(f"{seed} {number}")
        made = make_case(rules, source, any_recipe(recipes, source), able)
        if made is not None:
            yield made
        number += 1


@dataclass(frozen=True, slots=True)
class Recipes:
    """The values that each part of a recipe can have, under some rules for some engine."""

    starts: tuple[str, ...]
    shapes: tuple[str, ...] = SHAPES
    manners: tuple[str, ...] = tuple(MANNERS)
    stakes: tuple[str, ...] = STAKES
    deals: tuple[int, ...] = (1, 1, 1, 2, 3)


def all_recipes(rules: Rules, able: Abilities = ALL) -> Recipes:
    """Return what recipes are made of; a start from the deal counts as much as three contracts."""
    names = [contract.name for contract in rules.contracts]
    starts = [*names, rules.contracts[0].name]
    if "deal" in able.starts:
        starts += [AUCTION_START] * max(3, len(names) // 2)
    return Recipes(tuple(starts), deals=(1, 1, 1, 2, 3) if able.match else (1,))


def any_recipe(recipes: Recipes, source: random.Random) -> Recipe:
    """Return a recipe at random."""
    return Recipe(
        source.choice(recipes.starts),
        source.choice(recipes.shapes),
        source.choice(recipes.manners),
        source.choice(recipes.stakes),
        source.choice(recipes.deals),
    )


def make_case(
    rules: Rules,
    source: random.Random,
    recipe: Recipe,
    able: Abilities = ALL,
    seen: Mapping[str, int] = _NOTHING_SEEN,
) -> Made | None:
    """Deal and play a case; None where there is no way to a recipe's contract for this engine.

    `seen`: how often situations have been met; what is tried on purpose is what was met least.
    """
    boldness = source.choice(BOLDNESS) if able.enforces else 0.0
    making = _Making(rules, source, recipe, able, boldness, seen)
    last: Position | None = None
    for number in range(recipe.deals):
        record = _record(making, first=number == 0)
        if record is None:
            break
        try:
            position = start_of_deal(rules, record, last)
        except SpecError:  # no deal can follow: the one before has no end, or ended the match
            break
        making.watch.started(position, last)
        last = _play(making, record, position)
        if last.phase != OVER:
            break
    if not making.deals:
        return None
    return Made(making.deals, making.views, frozenset(making.watch.seen), recipe)


# --------------------------------------------------------------------------- the start of a deal


def _record(making: _Making, *, first: bool) -> Json | None:
    rules, source, recipe = making.rules, making.source, making.recipe
    sizes = Sizes.of(rules)
    letters = seat_letters(rules.seats)
    dealer = source.randrange(rules.seats)
    forehand = (dealer + 1) % rules.seats
    name = recipe.start
    if not first and name != AUCTION_START and source.random() < 0.5:
        name = source.choice(rules.contracts).name  # the deals of one case need not be alike
    contract = rules.by_name.get(name)
    suit, seat = source.randrange(len(SUITS)), source.randrange(rules.seats)
    kind = recipe.shape
    if contract is not None:
        seat = (forehand + source.choice(sorted(contract.bidders))) % rules.seats
        if source.random() < 0.05:  # a start need not be reachable
            seat = source.randrange(rules.seats)
        if contract.goal == "shown" and (source.random() < 0.6 or demands_cards(contract)):
            kind = "suit"
    sure = source.random() < 0.8 or demands_cards(contract)
    about = seat if sure else source.randrange(rules.seats)
    hands = deal(source, kind, about, suit, forehand, sizes)
    record: Json = {
        "dealer": letters[dealer],
        "hands": {
            letter: [format_card(card) for card in hand]
            for letter, hand in zip(letters, hands, strict=False)
        },
    }
    if len(hands) > rules.seats:
        record["talon"] = [format_card(card) for card in hands[-1]]
    if first:
        sides = side_names(rules.seats, partners=rules.options.sides == "partners")
        points = _scores(rules, source, recipe.stake, contract)
        record["scores"] = dict(zip(sides, points, strict=True))
    record["actions"] = []
    if contract is not None:
        start = {"name": contract.name, "declarer": letters[seat], "trump": SUITS[suit]}
        if (started := _with_contract(making, record, start)) is None:
            return None
        record = started
    if not first:
        del record["dealer"]
    return record


def _with_contract(making: _Making, record: Json, start: Json) -> Json | None:
    """Start after the auction; for an engine that cannot, with the shortest auction."""
    if "contract" in making.able.starts:
        return {**record, "contract": start}
    auction = shortest_auction({**record, "contract": start}, making.rules)
    return None if auction is None else {**record, "actions": auction}


def _scores(
    rules: Rules, source: random.Random, stake: str, contract: Contract | None
) -> tuple[int, ...]:
    """Return the scores of all sides, by the kind of stakes."""
    target = rules.options.target
    value = contract.value if contract is not None else source.choice(rules.contracts).value
    exact = max(target - value * source.choice((1, 1, 2, 3)), 0)

    def one(side: int) -> int:
        match stake:
            case "nil":
                return 0
            case "some":
                return source.randrange(max(target - 1, 1))
            case "near":
                return max(target - source.choice((1, 1, 2, 3, 5)), 0)
            case "exact":
                return max(exact - source.choice((0, 0, 1)), 0)
        return 0 if side else max(target - source.choice((1, 2, 3)), 0)

    points = [one(side) for side in range(rules.sides)]
    if source.random() < 0.5:
        points.reverse()
    return tuple(points)


# --------------------------------------------------------------------------- the line of play


def _play(making: _Making, record: Json, position: Position) -> Position:
    """Play a deal; note its record, views and situations, and return its last position."""
    source, able = making.source, making.able
    letters = seat_letters(making.rules.seats)
    manner = MANNERS[making.recipe.manner]
    if not able.claims:
        manner = replace(manner, claim=0.0, bluff=0.0)
    if not able.enforces:
        manner = replace(manner, attempt=0.0)
    actions: list[list[str]] = []
    given: list[list[str]] = record["actions"]
    views = [table.view(position)]
    after_end = _AFTER_END if making.boldness and able.enforces else 0
    while len(actions) < _LONGEST:
        if len(actions) < len(given):
            seat, text = letters.index(given[len(actions)][0]), given[len(actions)][1]
        elif position.phase == OVER:
            if not after_end:
                break
            after_end -= 1
            seat, text = _rarest_attempt(making, position)
        elif source.random() < making.boldness:
            seat, text = _rarest_attempt(making, position)
        else:
            move = _new_claim(making, position) or _move(position, source, manner, able)
            if move is None:
                break
            seat, text = move[0], format_action(move[1])
        actions.append([letters[seat], text])
        try:
            action = parse_action(text)
            after = table.apply(position, seat, action)
        except Refusal as refusal:
            making.watch.refused(position, seat, text, refusal.rule)
            views.append({**views[-1], "refused": refusal.rule})
        else:
            making.watch.accepted(position, seat, action, after)
            position = after
            views.append(table.view(position))
    making.deals.append({**record, "actions": actions})
    making.views.append(views)
    return position


def _move(
    position: Position, source: random.Random, manner: Manner, able: Abilities
) -> tuple[int, Action] | None:
    """Return what a seat does, as its manner is; near 66 somebody may say enough too early."""
    options = position.rules.options
    if position.phase == PLAY and position.may_claim is not None and able.claims and manner.bluff:
        for seat, actions in table.legal_actions(position).items():
            near = _NEAR <= camp_points(position, seat) < SIXTY_SIX
            if near and actions[-1].verb == "enough" and source.random() < _RASH:
                return seat, actions[-1]
    if position.phase == AUCTION and options.no_talon_precedence == "present":
        # A contract can be bid without the talon, too: that is a second way to bid it.
        assert position.turn is not None
        legal = table.legal_actions(position)[position.turn]
        others = [one for one in legal if one.verb == "bid-without-talon"]
        if others and source.random() < manner.bid / 2:
            return position.turn, source.choice(others)
        if others and source.random() >= manner.bid:
            passing = [one for one in legal if one.verb == "pass"]
            return position.turn, source.choice(passing or others)
    if position.phase == TALON and options.talon_raise != "refused":
        legal = table.legal_actions(position)[position.declarer]
        raises = [one for one in legal if one.verb == "raise"]
        if raises and source.random() < manner.bid / 2:
            return position.declarer, source.choice(raises)
    return choose(position, source, manner)


def _new_claim(making: _Making, position: Position) -> tuple[int, Action] | None:
    """Say enough where that would be something that has not been met, true or false."""
    if position.may_claim is None or not making.able.claims:
        return None
    for seat, actions in table.legal_actions(position).items():
        if actions[-1].verb == "enough" and making.source.random() < _CURIOUS:
            watch = Watch()
            watch.accepted(position, seat, actions[-1], table.apply(position, seat, actions[-1]))
            if any(one not in making.seen for one in watch.seen):
                return seat, actions[-1]
    return None


def _rarest_attempt(making: _Making, position: Position) -> tuple[int, str]:
    """Of a few attempts return the one whose refusal has been seen least."""
    best: tuple[int, tuple[int, str]] | None = None
    for _ in range(_ATTEMPTS):
        tried = attempt(position, making.source)
        if tried[1] == "enough" and not making.able.claims:
            continue
        try:
            table.apply(position, tried[0], parse_action(tried[1]))
        except Refusal as refusal:
            seen = min(
                making.seen.get(one, 0)
                for one in refusals(position, tried[0], tried[1], refusal.rule)
            )
        else:
            seen = _LEGAL
        if best is None or seen < best[0]:
            best = seen, tried
        if not best[0]:
            break
    return (position.turn or 0, "pass") if best is None else best[1]
