"""Which rule a field is about, and which rule an engine seems to break."""

from __future__ import annotations

from collections.abc import Mapping

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules

from ..blaming import blame
from ..corpus.rules import load_rules
from ..views import Difference
from .fields import Path
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
    """Return the rule that an engine seems to break, going by the first difference.

    What the engine offers or takes and the profile forbids is forbidden by one rule. Elsewhere,
    where a scenario is about one of the rules that the difference speaks of, or about another of
    the same chapter, it is that one.
    """
    if not miss.differences:
        return ANY
    try:
        expected = replay(rules, seen.deals)
    except SpecError:
        return ANY
    first = miss.differences[0]
    guesses = blame(rules, seen.deals, expected, first)
    if _is_forbidden(first):
        return guesses[0]
    chapter = guesses[0].split(".")[0]
    alike = [rule for rule in seen.rules if rule.split(".")[0] == chapter]
    return next((rule for rule in guesses if rule in seen.rules), (*alike, guesses[0])[0])


def _is_forbidden(first: Difference) -> bool:
    """Whether an engine offers or takes what it must not."""
    if first.path[0] == "legal" and isinstance(first.got, list):
        return any(action not in (first.expected or ()) for action in first.got)
    return first.path[0] == "refused" and bool(first.expected)


def rule_of_place(place: str, seen: Seen, miss: Miss, rules: Rules) -> str:
    """Return the rule of what is wrong in views all over."""
    return "notation.refused" if place == "refused" else broken_rule(seen, miss, rules)
