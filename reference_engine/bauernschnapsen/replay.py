"""Replay: deals and actions in notation in, one view before the first action and after each out.

This is the `replay` operation of the adapter protocol as a plain function. Everything it is given
may come from outside and is checked; what is wrong with it raises SpecError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import match, table
from .errors import Refusal, SpecError, quoted
from .notation import parse_action, parse_card, parse_seat, parse_suit, seat_letters, side_names
from .position import OVER, Position, Score
from .ruleset import Rules
from .table import View


def replay(rules: Rules, deals: Sequence[Mapping[str, Any]]) -> list[list[View]]:
    """Play recorded deals and return the views of each.

    A deal is a mapping with `dealer`, `hands` (seat -> cards in the order received), `scores`
    (side -> game points) and `actions` ([seat, action] pairs), `talon` (cards) where the ruleset
    lays cards aside, and optionally `contract` (name, declarer, trump) to start after the auction.
    A later deal may leave out dealer and scores: the deal before it, if it has ended, says who
    deals and what the score is. A refused action yields a view with `refused`: the rule it breaks;
    the state is unchanged.
    """
    if not _is_list(deals):
        raise SpecError("deals are a list", field="deals")
    views: list[list[View]] = []
    last: Position | None = None
    for number, record in enumerate(deals):
        try:
            if not isinstance(record, Mapping):
                raise SpecError("a deal is a mapping with dealer, hands, scores and actions")
            seen, last = _play(start_of_deal(rules, record, last), record.get("actions", ()))
        except SpecError as error:
            raise error.within(f"deals[{number}]") from None
        views.append(seen)
    return views


def _play(position: Position, actions: Any) -> tuple[list[View], Position]:
    """Return a view before the first action and one after each, and the last position."""
    if not _is_list(actions):
        raise SpecError("actions are a list of pairs of a seat and a text", field="actions")
    seen = [table.view(position)]
    for place, pair in enumerate(actions):
        if not _is_list(pair) or len(pair) != 2:
            raise SpecError("an action is a pair of a seat and a text", field=f"actions[{place}]")
        seat = _parse(parse_seat, pair[0], f"actions[{place}]", position.rules.seats)
        try:
            position = table.apply(position, seat, parse_action(pair[1]))
            seen.append(table.view(position))
        except Refusal as refusal:
            seen.append({**table.view(position), "refused": refusal.rule})
    return seen, position


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def start_of_deal(rules: Rules, record: Mapping[str, Any], last: Position | None) -> Position:
    """Return the position in which a recorded deal begins, before its first action.

    `record` is a deal as `replay` takes it; its actions are not looked at. `last` is the position
    at the end of the deal before, or None: where the record leaves out dealer and scores they
    follow from it. Raises SpecError for a record that is no start of a deal; its field is that of
    the record.
    """
    ended = last if last is not None and last.phase == OVER else None
    over = ended is not None and ended.game is not None and rules.options.after_game == "stop"
    if over and not {"dealer", "scores"} <= set(record):
        raise SpecError("must be given: the game is over and no other follows", field="dealer")
    sides = side_names(rules.seats, partners=rules.options.sides == "partners")
    if "dealer" in record:
        dealer = _parse(parse_seat, record["dealer"], "dealer", rules.seats)
    elif ended is not None and ended.next_dealer is not None:
        dealer = ended.next_dealer
    else:
        raise SpecError("must be given: no deal before this one has ended", field="dealer")
    if "scores" in record:
        score = _read_scores(rules, record["scores"], sides)
    elif ended is not None:
        score = match.score_of_next_deal(ended)
    else:
        raise SpecError("must be given: no deal before this one has ended", field="scores")
    hands = _read_hands(rules, record.get("hands"))
    talon = _read_talon(rules, record.get("talon"))
    contract = record.get("contract")
    try:
        if contract is None:
            return table.new_deal(rules, dealer, hands, score, talon)
        return _start_contract(rules, dealer, hands, talon, contract, score)
    except ValueError as error:
        raise SpecError(str(error), field="hands") from None


def _start_contract(
    rules: Rules,
    dealer: int,
    hands: list[list[int]],
    talon: list[int],
    contract: Any,
    score: Score,
) -> Position:
    if not isinstance(contract, Mapping):
        raise SpecError("a contract is a mapping with name, declarer and trump", field="contract")
    name = contract.get("name")
    if not isinstance(name, str) or name not in rules.by_name:
        raise SpecError(f"there is no contract {quoted(name)} here", field="contract.name")
    declarer = _parse(parse_seat, contract.get("declarer"), "contract.declarer", rules.seats)
    trump = contract.get("trump")
    if trump is None and rules.by_name[name].trump == "named":
        raise SpecError("must be given: this contract has a trump", field="contract.trump")
    suit = None if trump is None else _parse(parse_suit, trump, "contract.trump")
    return table.start_contract(rules, dealer, hands, name, declarer, suit, score, talon)


def _read_hands(rules: Rules, hands: Any) -> list[list[int]]:
    letters = seat_letters(rules.seats)
    if not isinstance(hands, Mapping) or set(hands) != set(letters):
        raise SpecError(f"hands must be given for the seats {' '.join(letters)}", field="hands")
    read = []
    for seat in letters:
        if not _is_list(hands[seat]):
            raise SpecError("a hand is a list of cards", field=f"hands.{seat}")
        read.append([_parse(parse_card, card, f"hands.{seat}") for card in hands[seat]])
    return read


def _read_talon(rules: Rules, talon: Any) -> list[int]:
    """Read the cards laid aside; whatever is sent to a table that lays none aside is ignored."""
    if not rules.options.talon_cards:
        return []
    if not _is_list(talon):
        raise SpecError("must be given as a list of cards: some are laid aside", field="talon")
    return [_parse(parse_card, card, "talon") for card in talon]


def _read_scores(rules: Rules, scores: Any, sides: tuple[str, ...]) -> Score:
    if not isinstance(scores, Mapping) or set(scores) != set(sides):
        raise SpecError(f"scores must be given for the sides {' '.join(sides)}", field="scores")
    points = tuple(scores[side] for side in sides)
    if any(isinstance(have, bool) or not isinstance(have, int) or have < 0 for have in points):
        raise SpecError("a score is a number of game points, 0 or more", field="scores")
    return match.new_score(rules, points)


def _parse(parser: Callable[..., int], text: object, field: str, *more: int) -> int:
    try:
        return parser(text, *more)
    except ValueError as error:
        raise SpecError(str(error), field=field) from None
