"""Guess which rules an engine breaks, from the first difference it shows.

What the reference engine refuses it refuses for a rule, and that is no guess. Elsewhere the rule is
the one that decides the value which differs: whoever says how many points a marriage brings where
the points differ after a marriage. At most three are named, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bauernschnapsen import table
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import parse_action, parse_seat
from bauernschnapsen.position import Position
from bauernschnapsen.replay import start_of_deal
from bauernschnapsen.ruleset import Rules

from ..corpus.rules import load_rules
from ..views import Difference, View
from .deciding import Moment, deciding
from .duties import binding

Json = dict[str, Any]
MOST = 3
FALLBACK = "notation.action"
_DOUBLES = ("kontra", "rekontra", "subkontra")


def blame(
    rules: Rules, deals: Sequence[Json], expected: Sequence[Sequence[View]], first: Difference
) -> tuple[str, ...]:
    """Return one to three rules that the first difference speaks of."""
    views, number = expected[first.deal], first.view
    seat, action = deals[first.deal]["actions"][number - 1] if number else ("", "")
    moment = Moment(
        rules,
        deals,
        first,
        views[number - 1] if number else None,
        views[number],
        seat,
        action.partition(" ")[0],
    )
    known = load_rules()
    found = dict.fromkeys(rule for rule in _guesses(moment) if rule in known)
    return tuple(found)[:MOST] or (FALLBACK,)


def position_at(rules: Rules, deals: Sequence[Json], deal: int, view: int) -> Position | None:
    """Return the reference engine's position at a view of a deal; None where it has none."""
    last: Position | None = None
    try:
        for number, record in enumerate(deals[: deal + 1]):
            position = start_of_deal(rules, record, last)
            actions = record["actions"][: view if number == deal else None]
            for seat, text in actions:
                try:
                    position = table.apply(
                        position, parse_seat(seat, rules.seats), parse_action(text)
                    )
                except Refusal:
                    continue
            last = position
    except (SpecError, ValueError):
        return None
    return last


def _guesses(moment: Moment) -> Iterable[str]:
    first = moment.difference
    key = first.path[0]
    if key == "refused" and first.view:
        refused = moment.after.get("refused")
        if refused:
            return [refused]
        return _allows(_position(moment, after=False), _action(moment))
    if moment.after.get("refused"):
        return ["notation.refused", moment.after["refused"]]
    if key == "legal":
        return _of_legal(moment)
    return deciding(moment)


def _position(moment: Moment, *, after: bool) -> Position | None:
    """The position of the reference engine, before the action or after it."""
    view = moment.difference.view - (0 if after else 1)
    return position_at(moment.rules, moment.deals, moment.difference.deal, max(view, 0))


def _action(moment: Moment) -> str:
    first = moment.difference
    text: str = moment.deals[first.deal]["actions"][first.view - 1][1]
    return text


def _of_legal(moment: Moment) -> Iterable[str]:
    first = moment.difference
    expected = first.expected if isinstance(first.expected, list) else []
    got = first.got if isinstance(first.got, list) else []
    position = _position(moment, after=True)
    if position is None or len(first.path) < 2:
        return [FALLBACK]
    extra = [str(action) for action in got if action not in expected]
    if extra:
        rule = _refused_for(position, first.path[1], extra[0])
        return [rule, *_beside(rule, position, extra[0])] if rule else [FALLBACK]
    missing = [action for action in expected if action not in got]
    return _allows(position, missing[0]) if missing else [FALLBACK]


def _refused_for(position: Position, seat: str, action: str) -> str | None:
    try:
        table.apply(position, parse_seat(seat, position.rules.seats), parse_action(action))
    except Refusal as refusal:
        return refusal.rule
    except ValueError:
        return None
    return None


def _beside(rule: str, position: Position, action: str) -> list[str]:
    """Return other rules that decide the same thing as the one that forbids an action."""
    word = action.partition(" ")[2]
    contract = "" if position.contract is None else position.contract.name
    if rule in _DUTIES:
        ruffed = ["play.follow-ruffed"] if _is_ruffed(position) and rule == "play.follow" else []
        lowest = position.rules.contracts[0].name
        every = ["play.every-contract"] if contract != lowest else []
        ranks = ["contracts.zehner-gang.rank"] if contract == "zehner-gang" else ["cards.rank"]
        return [*ruffed, *every, *ranks]
    if rule == "auction.bidders":
        return [f"contracts.{word}.bidders"]
    return _NEXT_TO.get(rule, [])


_DUTIES = ("play.follow", "play.beat", "play.head-after-ruff", "play.ruff", "play.over-ruff")
_NEXT_TO = {
    "auction.hold": ["auction.priority"],
    "auction.higher": ["auction.order", "auction.equal-value"],
    "claims.moment": ["claims.after-marriage", "claims.last-trick"],
    "doubling.kontra": ["doubling.window", "doubling.beyond-need"],
    "doubling.rekontra": ["doubling.sitting-out"],
    "marriages.declarer-only": ["marriages.contracts", "marriages.first-lead"],
}


def _is_ruffed(position: Position) -> bool:
    winning, trick = position.winning, position.trick
    return winning is not None and winning[1] // 5 != trick[0][1] // 5


# --------------------------------------------------------------------------- what was not allowed


def _allows(position: Position | None, action: str) -> Iterable[str]:
    """Return the rules that allow what an engine did not."""
    if position is None:
        return [FALLBACK]
    verb, _, word = action.partition(" ")
    if verb == "play":
        return _allow_card(position)
    if verb in ("bid", "bid-without-talon"):
        return _allow_bid(position, word)
    if verb in _DOUBLES:
        return [f"doubling.{verb}", "doubling.no-order", "doubling.every-contract"]
    if verb == "marry":
        everyone = position.contract is not None and position.contract.marriages == "all"
        whose = "marriages.everyone" if everyone else "marriages.declarer-only"
        return [whose, "marriages.contracts", "marriages.several"]
    if verb == "enough":
        late = "claims.after-marriage" if position.trick else "claims.moment"
        return [late, "claims.either-side", "claims.may-be-false"]
    return _ALLOWED_BY.get(verb, [FALLBACK])


_ALLOWED_BY = {
    "pass": ["auction.may-pass", "auction.forced-pass"],
    "trump": ["deal.trump-from-three", "deal.forehand-names"],
    "turn-up": ["deal.turn-up-choice", "deal.turn-up", "talon.turn-up-choice"],
    "show": ["contracts.show", "contracts.show-declarer"],
    "redeal": ["deal.no-redeal"],
    "talon": ["talon.offered", "talon.when"],
    "keep": ["talon.offered", "talon.when"],
    "discard": ["talon.any-two", "talon.discard-two"],
    "raise": ["talon.raise", "talon.raise-higher"],
}


def _allow_card(position: Position) -> list[str]:
    bound = binding(position)
    if bound == ["lead"]:
        return ["play.lead-free"]
    if bound == ["play.discard"]:
        return ["play.discard"]
    if "cannot play.beat" in bound:
        zehner = position.contract is not None and position.contract.name == "zehner-gang"
        ranks = "contracts.zehner-gang.rank" if zehner else "cards.rank"
        return ["play.cannot-beat", ranks, "play.every-contract"]
    if "cannot play.over-ruff" in bound:
        return ["play.under-ruff", "play.over-ruff"]
    if bound == ["play.follow"] and position.trump_in_force is not None:
        return ["play.head-after-ruff", "play.follow-ruffed"]
    return [bound[0], "play.every-contract"]


def _allow_bid(position: Position, name: str) -> list[str]:
    standing = None if position.bid is None else position.bid.name
    if standing == name:
        return ["auction.hold", "auction.priority", f"contracts.{name}.bidders"]
    return [f"contracts.{name}.bidders", "auction.order", "auction.jump"]
