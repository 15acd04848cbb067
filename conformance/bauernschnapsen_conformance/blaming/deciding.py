"""Which rule decides a value of a view: who won the trick, what was paid, whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.ruleset import Rules

from ..views import Difference, View

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Moment:
    """Where an engine left the reference: the views before and after the action, and the action."""

    rules: Rules
    deals: Sequence[Json]
    difference: Difference
    before: View | None
    after: View
    seat: str
    verb: str

    @property
    def trick_done(self) -> bool:
        """Whether the action completed a trick."""
        return self.before is not None and self.after["tricks"] != self.before["tricks"]

    @property
    def contract(self) -> str:
        """The name of the contract, or nothing."""
        return self.after["contract"]["name"] if self.after["contract"] else ""


def deciding(moment: Moment) -> list[str]:
    """Return the rules that decide what differs, the likeliest first; some may not exist."""
    guess = _BY_KEY.get(moment.difference.path[0])
    return [] if guess is None else guess(moment)


def _winning(moment: Moment) -> list[str]:
    """The rules that say who takes the trick just completed."""
    trick = moment.after["last_trick"]
    trump = moment.after["contract"]["trump"] if moment.after["contract"] else None
    suits = [card[1] for _, card in trick["cards"]] if trick else []
    wins = "play.trump-wins" if trump in suits else "play.suit-wins"
    rank = "contracts.zehner-gang.rank" if moment.contract == "zehner-gang" else "cards.rank"
    return [wins, "play.winner-leads", rank]


def _to_act(moment: Moment) -> list[str]:
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


def _points(moment: Moment) -> list[str]:
    if moment.verb == "marry":
        before = moment.before or moment.after
        had, has = before["points"], moment.after["points"]
        forty = any(has[side] - had[side] >= 40 for side in had)
        worth = "marriages.forty" if forty else "marriages.twenty"
        return [worth, "marriages.at-once"]
    if moment.verb == "enough":
        return ["claims.unfinished-trick", "claims.counted"]
    return ["play.trick-points", "cards.points"]


def _outcome(moment: Moment) -> list[str]:
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


def _is_factor(moment: Moment, factor: int) -> bool:
    """Whether what is paid differs just by a factor."""
    first = moment.difference
    if first.path[-1] == "factor":
        return True
    want, have = first.expected, first.got
    if factor < 2 or "awards" not in first.path or not isinstance(want, int):
        return False
    return isinstance(have, int) and have > 0 and want % have == 0 and want // have in (2, 4, 8)


def _claimed(moment: Moment, grade: int) -> list[str]:
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


def _scores(moment: Moment) -> list[str]:
    if not moment.difference.view:
        return ["match.start", "scoring.add", "match.overshoot"]
    return ["scoring.add", "match.overshoot", "scoring.one-side"]


def _next_dealer(moment: Moment) -> list[str]:
    return ["match.dealer-goes-on"] if moment.after["game"] else ["deal.next-dealer"]


def _game(moment: Moment) -> list[str]:
    game = moment.after["game"]
    if game is None or moment.difference.path == ("game",):
        return ["match.target"]
    schneider = any(mark > 1 for mark in game["bummerl"].values())
    marks = ["match.schneider", "match.bummerl"]
    return [*(marks if schneider else marks[::-1]), "match.retourschneider"]


def _trump(moment: Moment) -> list[str]:
    if moment.verb == "turn-up":
        return ["deal.turn-up-suit", "deal.turn-up"]
    return ["deal.trump-once", "deal.forehand-names"]


def _contract(moment: Moment) -> list[str]:
    field = moment.difference.path[-1]
    if field == "trump":
        none = bool(moment.after["contract"]) and moment.after["contract"]["trump"] is None
        return ["contracts.no-trumps" if none else "contracts.trump-suit"]
    if field == "factor":
        return ["doubling.steps", "doubling.factor"]
    return ["auction.last-bid", "auction.end", "auction.hold"]


def _sees(moment: Moment) -> list[str]:
    if moment.verb == "marry":
        return ["marriages.shown", "deal.hands-closed"]
    if moment.verb == "turn-up":
        return ["deal.turn-up-shown", "deal.turn-up-kept"]
    if "talon" in moment.difference.path:
        return ["talon.unseen", "talon.shown-at-the-end"]
    return ["deal.hands-closed", "marriages.shown", "deal.turn-up-kept"]


def _phase(moment: Moment) -> list[str]:
    before, phase = moment.before, moment.after["phase"]
    was = before["phase"] if before is not None else ""
    if phase == "over" or was in ("play", "show"):
        return _outcome(moment)
    if phase == "show":
        return ["contracts.not-played", "contracts.show"]
    if was == "auction" or phase == "auction":
        return ["auction.end", "auction.forced-pass"]
    return ["talon.offered", "deal.trump-once"]


_BY_KEY: dict[str, Callable[[Moment], list[str]]] = {
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
    "refused": lambda _: ["notation.refused"],
}
