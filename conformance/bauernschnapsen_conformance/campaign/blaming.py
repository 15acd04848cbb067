"""Guess which rules an engine breaks, from the first difference it shows.

What the reference engine refuses it refuses for a rule, and that is no guess. Elsewhere the rule is
the one that decides the value which differs: whoever says how many points a marriage brings where
the points differ after a marriage. At most three are named, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen import table
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import parse_action, parse_seat
from bauernschnapsen.position import Position
from bauernschnapsen.replay import _start as start_of
from bauernschnapsen.ruleset import Rules

from ..corpus.rules import load_rules
from ..views import Difference, View
from .situations import binding

Json = dict[str, Any]
MOST = 3
FALLBACK = "notation.action"
_DOUBLES = ("kontra", "rekontra", "subkontra")


@dataclass(frozen=True, slots=True)
class _Moment:
    """Where an engine left the reference: the views before and after the action, and the action."""

    rules: Rules
    deals: Sequence[Json]
    difference: Difference
    before: View | None
    after: View
    seat: str
    verb: str

    def position(self, *, after: bool) -> Position | None:
        """Return the position of the reference engine, before the action or after it."""
        view = self.difference.view - (0 if after else 1)
        return position_at(self.rules, self.deals, self.difference.deal, max(view, 0))

    @property
    def trick_done(self) -> bool:
        """Whether the action completed a trick."""
        return self.before is not None and self.after["tricks"] != self.before["tricks"]

    @property
    def contract(self) -> str:
        """The name of the contract, or nothing."""
        return self.after["contract"]["name"] if self.after["contract"] else ""


def blame(
    rules: Rules, deals: Sequence[Json], expected: Sequence[Sequence[View]], first: Difference
) -> tuple[str, ...]:
    """Return one to three rules that the first difference speaks of."""
    views, number = expected[first.deal], first.view
    seat, action = deals[first.deal]["actions"][number - 1] if number else ("", "")
    moment = _Moment(
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
            position = start_of(rules, record, last)
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


def _guesses(moment: _Moment) -> Iterable[str]:
    first = moment.difference
    key = first.path[0]
    if key == "refused":
        refused = moment.after.get("refused")
        if refused:
            return [refused]
        return _allows(moment.position(after=False), _action(moment))
    if moment.after.get("refused"):
        return ["notation.refused", moment.after["refused"]]
    if key == "legal":
        return _of_legal(moment)
    guess = _BY_KEY.get(key)
    return [FALLBACK] if guess is None else guess(moment)


def _action(moment: _Moment) -> str:
    first = moment.difference
    text: str = moment.deals[first.deal]["actions"][first.view - 1][1]
    return text


def _of_legal(moment: _Moment) -> Iterable[str]:
    first = moment.difference
    expected = first.expected if isinstance(first.expected, list) else []
    got = first.got if isinstance(first.got, list) else []
    position = moment.position(after=True)
    if position is None or len(first.path) < 2:
        return [FALLBACK]
    extra = [action for action in got if action not in expected]
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


_DUTIES = ("play.follow", "play.beat", "play.ruff", "play.over-ruff")
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
        return ["play.cannot-beat", "play.beat"]
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


# --------------------------------------------------------------------------- values that differ


def _winning(moment: _Moment) -> list[str]:
    """The rules that say who takes the trick just completed."""
    trick = moment.after["last_trick"]
    trump = moment.after["contract"]["trump"] if moment.after["contract"] else None
    suits = [card[1] for _, card in trick["cards"]] if trick else []
    wins = "play.trump-wins" if trump in suits else "play.suit-wins"
    rank = "contracts.zehner-gang.rank" if moment.contract == "zehner-gang" else "cards.rank"
    return [wins, "play.winner-leads", rank]


def _to_act(moment: _Moment) -> list[str]:
    phase, before = moment.after["phase"], moment.before
    if phase == "over":
        return _outcome(moment)
    if moment.trick_done:
        return ["play.winner-leads", *_winning(moment)[:1]]
    if phase == "auction":
        return ["auction.turn", "auction.end", "auction.pass-final"]
    if phase == "trump":
        return ["deal.forehand-names"] if moment.difference.view else ["deal.next-dealer"]
    if phase == "talon":
        return ["talon.offered", "talon.declarer"]
    if before is None or before["phase"] != phase:
        contract = moment.rules.by_name.get(moment.contract)
        declarer = contract is not None and contract.lead == "declarer"
        return ["play.declarer-leads" if declarer else "play.forehand-leads", "auction.end"]
    return ["play.turn", "play.three-card-tricks", "play.sitting-out"]


def _points(moment: _Moment) -> list[str]:
    if moment.verb == "marry":
        before = moment.before or moment.after
        had, has = before["points"], moment.after["points"]
        forty = any(has[side] - had[side] >= 40 for side in had)
        worth = "marriages.forty" if forty else "marriages.twenty"
        return [worth, "marriages.at-once"]
    if moment.verb == "enough":
        return ["claims.unfinished-trick", "claims.counted"]
    return ["play.trick-points", "cards.points"]


def _outcome(moment: _Moment) -> list[str]:
    outcome = moment.after["outcome"]
    contract = moment.rules.by_name.get(moment.contract)
    goal = contract.goal if contract is not None else ""
    if outcome is None:
        return _ENDED_TOO_SOON.get(goal, ["play.five-tricks"])
    reason, factor = outcome["reason"], outcome["factor"]
    if _is_factor(moment, factor):
        every = reason in ("claim", "false_claim", "last_trick")
        return ["doubling.factor", "doubling.every-award" if every else "scoring.success"]
    own = f"contracts.{moment.contract}"
    if reason in ("claim", "false_claim"):
        value = contract.value if contract is not None else 1
        return _claimed(moment, max(outcome["awards"].values()) // (factor * max(value, 1)))
    if reason == "last_trick":
        return ["claims.last-trick-wins", "claims.unclaimed", "claims.no-bonus"]
    if reason == "shown":
        return ["contracts.show-wins", own]
    if reason == "failed":
        return [_LOST.get(goal, "scoring.failure"), "scoring.failure", own]
    return ["scoring.success", own, "contracts.three-tricks.points"]


def _is_factor(moment: _Moment, factor: int) -> bool:
    """Whether what is paid differs just by a factor."""
    first = moment.difference
    if first.path[-1] == "factor":
        return True
    want, have = first.expected, first.got
    if factor < 2 or "awards" not in first.path or not isinstance(want, int):
        return False
    return isinstance(have, int) and have > 0 and want % have == 0 and want // have in (2, 4, 8)


def _claimed(moment: _Moment, grade: int) -> list[str]:
    """The rules of what a claim is worth, or of whether it is true."""
    words = {1: "claims.one-point", 2: "claims.two-points", 3: "claims.three-points"}
    worth = words.get(grade, "claims.one-point")
    false = moment.after["outcome"]["reason"] == "false_claim"
    true = "claims.false" if false else "claims.enough"
    first = moment.difference
    other_side = "awards" in first.path and 0 in (first.expected, first.got)
    if first.path[-1] == "reason" or other_side:
        return [true, "claims.counted", worth]
    return [worth, true if false else "claims.loser-marriages", "claims.counted"]


_ENDED_TOO_SOON = {
    "claim_66": ["claims.called", "claims.unclaimed", "play.five-tricks"],
    "tricks_66": ["contracts.three-tricks.no-early-win", "contracts.three-tricks.own"],
    "no_trick": ["contracts.bettler.lost", "play.five-tricks"],
    "all_tricks": ["contracts.all-tricks.lost", "play.five-tricks"],
    "shown": ["contracts.show", "contracts.not-played"],
}
_LOST = {
    "tricks_66": "contracts.three-tricks.own",
    "no_trick": "contracts.bettler.lost",
    "all_tricks": "contracts.all-tricks.lost",
    "shown": "contracts.show-wins",
}


def _scores(moment: _Moment) -> list[str]:
    if not moment.difference.view:
        return ["match.start", "scoring.add", "match.overshoot"]
    return ["scoring.add", "match.overshoot", "scoring.one-side"]


def _next_dealer(moment: _Moment) -> list[str]:
    return ["match.dealer-goes-on"] if moment.after["game"] else ["deal.next-dealer"]


def _game(moment: _Moment) -> list[str]:
    game = moment.after["game"]
    if game is None or moment.difference.path == ("game",):
        return ["match.target"]
    schneider = any(mark > 1 for mark in game["bummerl"].values())
    return ["match.schneider" if schneider else "match.bummerl", "match.bummerl"]


def _trump(moment: _Moment) -> list[str]:
    if moment.verb == "turn-up":
        return ["deal.turn-up-suit", "deal.turn-up"]
    return ["deal.trump-once", "deal.forehand-names"]


def _contract(moment: _Moment) -> list[str]:
    field = moment.difference.path[-1]
    if field == "trump":
        none = bool(moment.after["contract"]) and moment.after["contract"]["trump"] is None
        return ["contracts.no-trumps" if none else "contracts.trump-suit"]
    if field == "factor":
        return ["doubling.steps", "doubling.factor"]
    return ["auction.last-bid", "auction.end", "auction.hold"]


def _sees(moment: _Moment) -> list[str]:
    if moment.verb == "marry":
        return ["marriages.shown", "deal.hands-closed"]
    if moment.verb == "turn-up":
        return ["deal.turn-up-shown", "deal.turn-up-kept"]
    if "talon" in moment.difference.path:
        return ["talon.unseen", "talon.shown-at-the-end"]
    return ["deal.hands-closed", "marriages.shown", "deal.turn-up-kept"]


def _phase(moment: _Moment) -> list[str]:
    before, phase = moment.before, moment.after["phase"]
    was = before["phase"] if before is not None else ""
    if phase == "over" or was in ("play", "show"):
        return _outcome(moment)
    if phase == "show":
        return ["contracts.not-played", "contracts.show"]
    if was == "auction" or phase == "auction":
        return ["auction.end", "auction.forced-pass"]
    return ["talon.offered", "deal.trump-once"]


_BY_KEY: dict[str, Callable[[_Moment], list[str]]] = {
    "phase": _phase,
    "to_act": _to_act,
    "trump": _trump,
    "bid": lambda _: ["auction.hold", "auction.higher", "auction.last-bid"],
    "contract": _contract,
    "trick": lambda _: ["play.turn", "play.five-tricks"],
    "last_trick": lambda m: ["cards.points"] if m.difference.path[-1] == "points" else _winning(m),
    "sees": _sees,
    "points": _points,
    "tricks": _winning,
    "outcome": _outcome,
    "scores": _scores,
    "next_dealer": _next_dealer,
    "game": _game,
}
