"""Witnesses: random deals in which a mutant shows something else than a right engine.

A mutant that survives is either a hole in the suite or no fault at all. A witness settles which,
and gives whoever closes the hole a deal to begin with.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bauernschnapsen import replay as engine
from bauernschnapsen.cards import POINTS
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import (
    CARDS,
    RANKS,
    SUITS,
    Action,
    format_action,
    parse_action,
    seat_letters,
    side_names,
)
from bauernschnapsen.position import AUCTION, OVER, SHOW, TALON, TRUMP, Position
from bauernschnapsen.ruleset import (
    Rules,
    compile_rules,
    load_ruleset,
    rules_of,
    shipped_rulesets,
    vary,
)
from bauernschnapsen.table import apply, legal_actions

from ..corpus.reference import HOME_RULESET
from ..views import Difference, compare
from .bench import played, silent_rules
from .registry import Mutant

Json = dict[str, Any]
_WEIRD = ("wait", "play", "play now", "talon", "raise gang", "bid nothing", "pass pass")
_OF_TALON = ("raise", "bid-without-talon")
_LONGEST = 70
"""Most actions tried in one deal."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A record of play, cut off where the mutant first differs, and how it differs there."""

    deals: list[Json]
    difference: Difference


def find_witness(mutant: Mutant, tries: int) -> Witness | None:
    """Return a random record in which a mutant differs from the reference, or None.

    The records are the same for every mutant and every run. Where the rule says nothing under the
    main ruleset, they are played by those in which it may.
    """
    if mutant.rule not in silent_rules():
        return _find(mutant, rules_of(HOME_RULESET), tries)
    tables = _tables_with_talon()
    found = (_find(mutant, rules, tries // len(tables)) for rules in tables)
    return next((witness for witness in found if witness is not None), None)


@lru_cache(maxsize=1)
def _tables_with_talon() -> tuple[Rules, ...]:
    """Return the rulesets with a talon, and one in which everything about it is allowed."""
    shipped = [load_ruleset(name) for name in shipped_rulesets()]
    those = [one for one in shipped if one["options"]["talon_cards"]]
    options = {
        "talon_raise": "allowed",
        "no_talon_bonus": 1,
        "no_talon_precedence": "present",
    }
    return tuple(compile_rules(one) for one in (*those, vary(those[0], {"options": options})))


def _find(mutant: Mutant, rules: Rules, tries: int) -> Witness | None:
    for deals in records(rules, tries):
        expected = engine.replay(rules, deals)
        with mutant.installed() as patch:
            got = played(deals, patch.rules(rules))
        found = _first(expected, got, reasons=mutant.by_reason)
        if found is not None:
            cut = [dict(deal) for deal in deals[: found.deal + 1]]
            cut[-1]["actions"] = cut[-1]["actions"][: found.view]
            return Witness(cut, found)
    return None


def _first(expected: Any, got: Any, *, reasons: bool) -> Difference | None:
    for deal, views in enumerate(expected):
        if deal >= len(got):
            return None
        for number, (want, have) in enumerate(zip(views, got[deal], strict=False)):
            differences = compare(want, have, deal, number)
            if differences:
                return differences[0]
            if reasons and want.get("refused") != have.get("refused"):
                path = ("refused",)
                return Difference(deal, number, path, want["refused"], have["refused"], True)
        if len(got[deal]) < len(views):
            return None
    return None


# --------------------------------------------------------------------------- random records


def records(rules: Rules, number: int) -> Iterator[list[Json]]:
    """Yield random records of one to three deals, with forbidden actions among the legal ones."""
    for place in range(number):
        yield _record(rules, random.Random(f"witness {place}"))


def _record(rules: Rules, chance: random.Random) -> list[Json]:
    deals: list[Json] = []
    last: Position | None = None
    for number in range(chance.choice((1, 2, 3))):
        letters = seat_letters(rules.seats)
        deal: Json = _hands(rules, letters, chance)
        if number == 0:
            deal["dealer"] = chance.choice(letters)
            scores = (0, 0, 0, 5, 20, 21, 22, 23, chance.randrange(24))
            sides = side_names(rules.seats, partners=rules.options.sides == "partners")
            deal["scores"] = {side: chance.choice(scores) for side in sides}
        if chance.random() < 0.4:
            deal["contract"] = {
                "name": chance.choice([*rules.by_name, "normal", "normal", "normal"]),
                "declarer": chance.choice(letters),
                "trump": chance.choice(SUITS),
            }
            if chance.random() < 0.5:
                _strengthen(rules, deal, chance)
        try:
            last = _play_on(rules, deal, last, chance)
        except _Unfit:
            break
        deals.append(deal)
        if last.phase != OVER:
            break
    return deals or _record(rules, chance)


class _Unfit(Exception):
    """This deal cannot follow the one before."""


def _hands(rules: Rules, letters: str, chance: random.Random) -> Json:
    """Return hands, and a talon where there is one."""
    size = rules.hand_size
    pack = list(CARDS)
    chance.shuffle(pack)
    if chance.random() < 0.06:
        suits = chance.sample(SUITS, 4)
        return _dealt([rank + suit for suit in suits for rank in RANKS], size, letters)
    if chance.random() < 0.2:  # a hand for the contracts that are shown
        suit = chance.choice(SUITS)
        five = [rank + suit for rank in RANKS]
        at = size * chance.randrange(rules.seats)
        rest = [card for card in pack if card not in five]
        pack = [*rest[:at], *five, *rest[at:]]
    elif chance.random() < 0.3:  # one strong hand
        pack.sort(key=lambda card: RANKS.index(card[0]) + chance.random() * 4)
        at = size * chance.randrange(rules.seats)
        pack = pack[at:] + pack[:at]
    return _dealt(pack, size, letters)


def _dealt(pack: list[str], size: int, letters: str) -> Json:
    """Deal a pack hand by hand; what is left over is the talon."""
    hands = {seat: pack[size * at : size * at + size] for at, seat in enumerate(letters)}
    left = pack[size * len(letters) :]
    return {"hands": hands, "talon": left} if left else {"hands": hands}


def _strengthen(rules: Rules, deal: Json, chance: random.Random) -> None:
    """Give the declarer most of the trumps and high cards, so that contracts come to their end."""
    declarer, trump = deal["contract"]["declarer"], deal["contract"]["trump"]
    worth = {"A": 11, "T": 10, "K": 7, "Q": 6, "J": 1}
    pack = sorted(
        CARDS,
        key=lambda card: worth[card[0]] + 9 * (card[1] == trump) + chance.random() * 9,
        reverse=True,
    )
    mine, rest = pack[: rules.hand_size], pack[rules.hand_size :]
    chance.shuffle(mine)
    chance.shuffle(rest)
    others = [seat for seat in seat_letters(rules.seats) if seat != declarer]
    deal |= _dealt([*mine, *rest], rules.hand_size, declarer + "".join(others))


def _play_on(rules: Rules, deal: Json, last: Position | None, chance: random.Random) -> Position:
    actions: list[list[str]] = []
    deal["actions"] = actions
    try:
        position = engine._start(rules, deal, last)
    except SpecError as error:
        raise _Unfit from error
    eager = chance.random()
    bold = chance.random() * 0.4
    extra = 3
    for _ in range(_LONGEST):
        if chance.random() < bold:
            seat, text = _attempt(rules, position, chance)
        elif position.phase == OVER:
            if not extra:
                break
            extra -= 1
            seat, text = _attempt(rules, position, chance)
        else:
            seat, text = _choose(position, chance, eager)
        actions.append([seat_letters(rules.seats)[seat], text])
        try:
            position = apply(position, seat, parse_action(text))
        except Refusal:
            continue
    return position


def _choose(position: Position, chance: random.Random, eager: float) -> tuple[int, str]:
    legal = legal_actions(position)
    choices = [(seat, action) for seat, actions in legal.items() for action in actions]

    def weight(action: Action) -> float:
        if action.verb == "play" and position.turn == position.declarer and not position.trick:
            assert isinstance(action.value, int)
            return 1 + POINTS[action.value]
        if action.verb in ("kontra", "rekontra", "subkontra"):
            return 0.7 * eager
        if action.verb == "enough":
            return 0.4
        if action.verb == "marry":
            return 8
        if action.verb == "pass":
            return 2
        if action.verb == "show" and position.phase == SHOW:
            return 2
        return 1

    weights = [weight(action) for _, action in choices]
    seat, action = chance.choices(choices, weights)[0]
    return seat, format_action(action)


def _attempt(rules: Rules, position: Position, chance: random.Random) -> tuple[int, str]:
    seat = chance.randrange(rules.seats)
    if position.turn is not None and chance.random() < 0.5:
        seat = position.turn
    hand = position.dealt[seat]
    cards = [*(CARDS[card] for card in hand), chance.choice(CARDS)]
    opening = [f"trump {chance.choice(SUITS)}", f"turn-up {chance.choice('12')}", "redeal"]
    calls = [*(f"bid {name}" for name in rules.by_name), *["pass"] * 4]
    doubles = ["kontra", "rekontra", "subkontra"]
    moves = [*(f"play {card}" for card in cards), f"marry {chance.choice(cards)}", "enough", "show"]
    aside: list[str] = []
    if position.talon is not None:
        aside = ["talon", "keep", "turn-up 3", "discard " + " ".join(chance.sample(cards, 2))]
        aside += [f"{verb} {chance.choice([*rules.by_name])}" for verb in _OF_TALON]
        calls += aside[-1:]
    if chance.random() < 0.6:  # what belongs to this phase
        here = {TRUMP: opening, AUCTION: [*calls, *opening], TALON: [*aside, *doubles]}
        texts = here.get(position.phase, moves + doubles + aside[-2:-1])
    else:
        texts = [*opening, *calls, *doubles, *moves, *aside, chance.choice(_WEIRD)]
    return seat, chance.choice(texts)
