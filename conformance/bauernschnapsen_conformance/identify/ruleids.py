"""Which rule a field is about, and which rule an engine seems to break."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen import table
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import parse_action, parse_seat
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules

from ..corpus.rules import load_rules
from .fields import Path
from .lines import step
from .records import line_of
from .seen import Miss, Seen

ANY = "notation.order-of-actions"
OPTION_RULES: Mapping[str, str] = {
    "phases": "auction.when", "trump_choice": "deal.trump-from-three", "turn_up": "deal.turn-up",
    "redeal_three_unters": "deal.no-redeal", "opening": "auction.must-open",
    "auction_rounds": "auction.end", "equal_bids": "auction.hold",
    "equal_values": "auction.equal-value", "overbid_partner": "auction.partner",
    "bid_too_low": "auction.higher", "laydown_end": "contracts.show",
    "kontra_levels": "doubling.steps", "kontra_by": "doubling.subkontra",
    "kontra_cap": "doubling.beyond-need", "sitting_out_doubles": "doubling.sitting-out",
    "marriage_needs": "marriages.first-lead", "claim_mode": "claims.called",
    "claim_by": "claims.claimer", "claim_window": "claims.moment",
    "false_claims": "claims.may-be-false", "loser_33": "claims.loser-marriages",
    "last_trick_award": "claims.last-trick-wins", "target": "match.target",
    "schneider": "match.schneider", "retourschneider": "match.retourschneider",
    "bummerl_to": "match.bummerl", "after_game": "match.start",
}  # fmt: skip
FIELD_RULES: Mapping[str, str] = {
    "above": "auction.order", "hold": "auction.cards-required", "held_at": "auction.cards-required",
    "cancelled_by": "auction.kontra-on-normal", "partner": "play.sitting-out",
    "marriages": "marriages.contracts", "kontra": "doubling.every-contract",
    "follow": "play.follow", "head": "play.beat", "head_target": "play.beat",
    "head_after_ruff": "play.head-after-ruff", "ruff": "play.ruff", "overtrump": "play.over-ruff",
    "undertrump": "play.under-ruff", "exposed": "deal.hands-closed",
}  # fmt: skip
_TRUMP_LEADS, _PLAIN_LEADS = "play.forehand-leads", "play.declarer-leads"
LOST_BY: Mapping[str, str] = {
    "no_trick": "contracts.bettler.lost", "all_tricks": "contracts.all-tricks.lost",
    "tricks_66": "contracts.three-tricks.no-early-win",
}  # fmt: skip
ALIKE: Mapping[tuple[str, bool], str] = {
    ("claim_66", True): "contracts.normal", ("claim_66", False): "contracts.normal",
    ("no_trick", True): "contracts.bettler", ("no_trick", False): "contracts.bettler",
    ("tricks_66", True): "contracts.schnapser", ("tricks_66", False): "contracts.schnapser",
    ("all_tricks", True): "contracts.bauern-schnapser", ("all_tricks", False): "contracts.gang",
    ("shown", True): "contracts.herren-schnapser", ("shown", False): "contracts.farben-gang",
}  # fmt: skip
"""By goal and whether there is a trump, the contract whose rule a regional one comes closest to."""
BY_PLACE: Mapping[str, str] = {
    "points": "play.trick-points", "tricks": "play.winner-leads", "to_act": "play.winner-leads",
    "last_trick": "play.suit-wins", "outcome": "doubling.every-award", "scores": "scoring.add",
    "next_dealer": "deal.next-dealer", "game": "match.target", "trump": "deal.trump-once",
    "bid": "auction.last-bid", "contract": "auction.last-bid", "phase": "auction.end",
    "trick": "play.turn", "sees": "deal.hands-closed", "refused": "notation.refused",
}  # fmt: skip
BY_VERB: Mapping[str, str] = {
    "play": "play.discard", "marry": "marriages.pair", "bid": "auction.higher",
    "pass": "auction.must-open", "enough": "claims.moment", "show": "contracts.show",
    "trump": "deal.trump-from-three", "turn-up": "deal.turn-up", "redeal": "deal.no-redeal",
    "kontra": "doubling.kontra", "rekontra": "doubling.rekontra",
    "subkontra": "doubling.subkontra",
}  # fmt: skip
BY_REASON: Mapping[str, str] = {
    "claim": "claims.called", "false_claim": "claims.false", "counted": "claims.counted",
    "last_trick": "claims.last-trick-wins", "made": "scoring.success", "failed": "scoring.failure",
    "shown": "contracts.show-wins",
}  # fmt: skip


def rule_of(path: Path, ruleset: Resolved) -> str:
    """Return the id of the rule that a field is about; of a regional contract, the nearest one."""
    if path[0] == "options":
        return OPTION_RULES.get(path[1], ANY)
    contract = ruleset["contracts"][path[1]]
    if path[2] in FIELD_RULES:
        return FIELD_RULES[path[2]]
    if path[2] == "lead":
        return _PLAIN_LEADS if contract["trump"] == "none" else _TRUMP_LEADS
    if path[2] in ("ends_early", "won_by", "marriages_as_tricks") and contract["goal"] in LOST_BY:
        return LOST_BY[contract["goal"]]
    own = f"contracts.{path[1]}"
    named = own if own in load_rules() else ALIKE[contract["goal"], contract["trump"] != "none"]
    if path[2] == "bidders":
        return f"{named}.bidders"
    return named


def broken_rule(seen: Seen, miss: Miss, rules: Rules) -> str:
    """Return the rule that an engine seems to break.

    It is what forbids an action that the engine offers, or it follows from what is shown otherwise;
    where a scenario is about rules of that chapter, it is the first of those.
    """
    forbidden = _forbidden_offer(seen, miss, rules)
    if forbidden is not None:
        return forbidden
    found = _by_difference(seen, miss, rules)
    if found in seen.rules or not seen.rules:
        return found
    chapter = found.split(".")[0]
    return next((rule for rule in seen.rules if rule.split(".")[0] == chapter), found)


def rule_of_place(place: str, seen: Seen, miss: Miss, rules: Rules) -> str:
    """Return the rule of what is wrong in views all over."""
    return "notation.refused" if place == "refused" else broken_rule(seen, miss, rules)


def _by_difference(seen: Seen, miss: Miss, rules: Rules) -> str:
    if not miss.differences:
        return ANY
    first = miss.differences[0]
    place = first.path[0]
    if place == "legal" and isinstance(first.got, list):
        return _of_legal(miss)
    if place in ("outcome", "scores") and any(one.path[0] == "outcome" for one in miss.differences):
        return _of_outcome(seen, miss, rules)
    if place == "refused":
        return _of_refusal(seen, miss, rules)
    if place == "contract" and first.path[-1] == "trump":
        return "contracts.no-trumps" if first.expected is None else "contracts.trump-suit"
    if place == "contract" and first.path[-1] == "factor":
        return "doubling.factor"
    if place == "points" and _verb_before(seen, miss) == "marry":
        return "marriages.twenty"
    return BY_PLACE.get(place, ANY)


def _verb_before(seen: Seen, miss: Miss) -> str:
    if not miss.view:
        return ""
    action: str = seen.deals[miss.deal]["actions"][miss.view - 1][1]
    return action.split(" ", maxsplit=1)[0]


def _forbidden_offer(seen: Seen, miss: Miss, rules: Rules) -> str | None:
    """Return the rule against an action that an engine lists as legal."""
    first = miss.differences[0] if miss.differences else None
    if first is None or first.path[0] != "legal" or not isinstance(first.got, list):
        return None
    extra = [str(action) for action in first.got if action not in (first.expected or ())]
    line = seen.line or line_of({**_following(seen, miss, rules), **seen.deals[miss.deal]})
    position = line.start.position(rules) if line is not None else None
    if not extra or line is None or position is None:
        return None
    for move in line.moves[: miss.view]:
        position, _ = step(position, move)
    return _refused_by(position, first.path[1], extra[0])


def _following(seen: Seen, miss: Miss, rules: Rules) -> Mapping[str, Any]:
    """Return dealer and scores where they follow from the deal before."""
    if not miss.deal:
        return {}
    try:
        last = replay(rules, seen.deals)[miss.deal - 1][-1]
    except (SpecError, IndexError):
        return {}
    return {"dealer": last["next_dealer"], "scores": last["scores"]}


def _of_legal(miss: Miss) -> str:
    first = miss.differences[0]
    expected = first.expected if isinstance(first.expected, list) else []
    extra = [action for action in first.got if action not in expected]
    missing = [action for action in expected if action not in first.got]
    verb = str((extra or missing or ["play"])[0]).split(" ")[0]
    return BY_VERB.get(verb, ANY)


def _refused_by(position: Any, seat: str, action: str) -> str | None:
    try:
        table.apply(position, parse_seat(seat), parse_action(action))
    except Refusal as refusal:
        return refusal.rule
    except ValueError:
        return None
    return None


def _view(seen: Seen, miss: Miss, rules: Rules) -> Mapping[str, Any] | None:
    try:
        return replay(rules, seen.deals)[miss.deal][miss.view]
    except (SpecError, IndexError):
        return None


def _of_outcome(seen: Seen, miss: Miss, rules: Rules) -> str:
    expected = _view(seen, miss, rules)
    if expected is None:
        return BY_PLACE["outcome"]
    if expected["outcome"] is None:
        goal = rules.by_name[expected["contract"]["name"]].goal if expected["contract"] else ""
        return LOST_BY.get(goal, "contracts.not-played")
    return BY_REASON.get(expected["outcome"]["reason"], BY_PLACE["outcome"])


def _of_refusal(seen: Seen, miss: Miss, rules: Rules) -> str:
    expected = _view(seen, miss, rules)
    refused = expected.get("refused") if expected else None
    return str(refused) if refused else BY_VERB.get(_verb_before(seen, miss) or "play", ANY)
