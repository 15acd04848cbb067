"""Replay: deals and actions in notation in, one view before the first action and after each out.

This is the `replay` operation of the adapter protocol as a plain function. Everything it is given
may come from outside and is checked; what is wrong with it raises SpecError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import match, table
from .errors import Refusal, SpecError
from .notation import parse_action, parse_card, parse_seat, parse_suit, seat_letters, side_names
from .position import OVER, Position, Score
from .ruleset import Rules
from .table import View


def replay(rules: Rules, deals: Sequence[Mapping[str, Any]]) -> list[list[View]]:
    """Play recorded deals and return the views of each.

    A deal is a mapping with `dealer`, `hands` (seat -> cards in the order received), `scores`
    (side -> game points) and `actions` ([seat, action] pairs), and optionally `contract` (name,
    declarer, trump) to start after the auction. A later deal may leave out dealer and scores:
    the deal before it, if it has ended, says who deals and what the score is. A refused action
    yields a view with `refused`: the rule it breaks; the state is unchanged.
    """
    views: list[list[View]] = []
    last: Position | None = None
    for number, record in enumerate(deals):
        try:
            position = _start(rules, record, last)
        except SpecError as error:
            raise error.within(f"deals[{number}]") from None
        seen = [table.view(position)]
        for place, pair in enumerate(record.get("actions", ())):
            if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:  # noqa: PLR2004
                raise SpecError(
                    "an action is a pair of a seat and a text",
                    field=f"deals[{number}].actions[{place}]",
                )
            try:
                position = table.apply(position, parse_seat(pair[0], rules.seats), parse_action(pair[1]))
                seen.append(table.view(position))
            except Refusal as refusal:
                seen.append({**table.view(position), "refused": refusal.rule})
            except ValueError as error:
                raise SpecError(str(error), field=f"deals[{number}].actions[{place}]") from None
        views.append(seen)
        last = position
    return views


def _start(rules: Rules, record: Mapping[str, Any], last: Position | None) -> Position:
    ended = last if last is not None and last.phase == OVER else None
    sides = side_names(rules.seats, partners=rules.options.sides == "partners")
    if "dealer" in record:
        dealer = _parse(parse_seat, record["dealer"], "dealer", rules.seats)
    elif ended is not None and ended.next_dealer is not None:
        dealer = ended.next_dealer
    else:
        raise SpecError("the dealer must be given: no deal before this one has ended", field="dealer")
    if "scores" in record:
        score = _read_scores(rules, record["scores"], sides)
    elif ended is not None:
        score = match.score_of_next_deal(ended)
    else:
        raise SpecError("scores must be given: no deal before this one has ended", field="scores")
    hands = _read_hands(rules, record.get("hands"))
    contract = record.get("contract")
    try:
        if contract is None:
            return table.new_deal(rules, dealer, hands, score)
        return _start_contract(rules, dealer, hands, contract, score)
    except ValueError as error:
        raise SpecError(str(error), field="hands") from None


def _start_contract(
    rules: Rules, dealer: int, hands: list[list[int]], contract: Any, score: Score
) -> Position:
    if not isinstance(contract, Mapping):
        raise SpecError("a contract is a mapping with name, declarer and trump", field="contract")
    name = contract.get("name")
    if name not in rules.by_name:
        raise SpecError(f"there is no contract {name!r} in this ruleset", field="contract.name")
    declarer = _parse(parse_seat, contract.get("declarer"), "contract.declarer", rules.seats)
    trump = contract.get("trump")
    suit = None if trump is None else _parse(parse_suit, trump, "contract.trump")
    return table.start_contract(rules, dealer, hands, name, declarer, suit, score)


def _read_hands(rules: Rules, hands: Any) -> list[list[int]]:
    letters = seat_letters(rules.seats)
    if not isinstance(hands, Mapping) or set(hands) != set(letters):
        raise SpecError(f"hands must be given for the seats {' '.join(letters)}", field="hands")
    read = []
    for seat in letters:
        if not isinstance(hands[seat], Sequence) or isinstance(hands[seat], str):
            raise SpecError("a hand is a list of cards", field=f"hands.{seat}")
        read.append([_parse(parse_card, card, f"hands.{seat}") for card in hands[seat]])
    return read


def _read_scores(rules: Rules, scores: Any, sides: tuple[str, ...]) -> Score:
    if not isinstance(scores, Mapping) or set(scores) != set(sides):
        raise SpecError(f"scores must be given for the sides {' '.join(sides)}", field="scores")
    points = tuple(scores[side] for side in sides)
    if any(isinstance(have, bool) or not isinstance(have, int) or have < 0 for have in points):
        raise SpecError("a score is a number of game points, 0 or more", field="scores")
    return match.new_score(rules, points)


def _parse(parser: Any, text: Any, field: str, *more: Any) -> int:
    try:
        number: int = parser(text if isinstance(text, str) else "", *more)
    except ValueError as error:
        raise SpecError(str(error), field=field) from None
    return number
