"""Random profiles: house rules as they are played, mixed, to test whether they are found again."""

from __future__ import annotations

import random
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, load_ruleset, vary

from .alike import same_form
from .fields import UNSEEN_OPTIONS, values_of

_TRUMP_CONTRACTS = (
    "schnapser", "kontra-schnapser", "bauern-schnapser", "kontra-bauern-schnapser",
)  # fmt: skip
_LAYDOWNS = ("farben-gang", "herren-schnapser")
_MAIN = ("bettler", *_TRUMP_CONTRACTS, "gang", "zehner-gang", *_LAYDOWNS)
_REGIONAL = (
    "as-bettler", "assenbettler", "plauderer", "bauernloch", "koenigsgang", "damengang",
    "schnapser-mit-mann", "freundschaftsschnapser",
)  # fmt: skip
_OPTIONS = (
    "trump_choice", "turn_up", "redeal_three_unters", "opening", "auction_rounds", "equal_bids",
    "equal_values", "overbid_partner", "bid_too_low", "kontra_levels", "kontra_by", "kontra_cap",
    "sitting_out_doubles", "marriage_needs", "claim_mode", "claim_by", "claim_window",
    "false_claims", "loser_33", "last_trick_award", "laydown_end", "schneider", "retourschneider",
    "bummerl_to", "after_game", "score_direction", "view_tricks", "knock",
)  # fmt: skip
_FIELDS = (
    "ranks", "lead", "partner", "won_by", "marriages", "kontra", "ends_early", "follow", "head",
    "head_target", "head_after_ruff", "ruff", "overtrump", "undertrump", "bidders", "hold",
    "held_at", "cancelled_by", "exposed", "marriages_as_tricks", "trump", "tricks",
)  # fmt: skip
_MOST_CHANGES = 14
_AUCTION_FIRST = {
    "phases": ["auction", "trump", "play"], "trump_choice": "any_suit", "opening": "may_pass",
}  # fmt: skip


def random_profile(seed: int | str, base: str = "pagat") -> Resolved:
    """Return a ruleset for four players that differs from the base in 1 to 14 places."""
    source = random.Random(f"profile {seed}")
    ruleset = load_ruleset(base)
    left = source.randint(1, _MOST_CHANGES)
    while left:
        change = _change(source, ruleset)
        try:
            new = vary(ruleset, change)
        except SpecError:
            continue
        left -= 1
        ruleset = new
    if same_form(ruleset, load_ruleset(base)):
        return random_profile(f"{seed}+", base)
    return {**ruleset, "ruleset": "house"}


def _change(source: random.Random, ruleset: Resolved) -> dict[str, Any]:
    kind = source.choices(
        (_option, _value, _switch, _field, _all_alike, _order, _auction_first, _target),
        (10, 3, 3, 5, 2, 1, 0.5, 0.5),
    )[0]
    found: dict[str, Any] = kind(source, ruleset)
    return found


def _option(source: random.Random, _: Resolved) -> dict[str, Any]:
    option = source.choice([one for one in _OPTIONS if one not in UNSEEN_OPTIONS] * 9 + ["knock"])
    return {"options": {option: source.choice(values_of("options", option))}}


def _value(source: random.Random, ruleset: Resolved) -> dict[str, Any]:
    name = source.choice(_MAIN)
    now = ruleset["contracts"][name]["value"]
    return {"contracts": {name: {"value": max(1, now + source.choice((-4, -2, -1, 1, 2, 6)))}}}


def _switch(source: random.Random, _: Resolved) -> dict[str, Any]:
    if source.random() < 0.5:
        return {"contracts": {source.choice(_MAIN): {"played": False}}}
    name = source.choice(_REGIONAL)
    fields: dict[str, Any] = {"played": True}
    if name == "plauderer":
        fields["exposed"] = source.choice(values_of("contracts", "exposed")[1:])
    return {"contracts": {name: fields}}


def _field(source: random.Random, _: Resolved) -> dict[str, Any]:
    name, field = source.choice(("normal", *_MAIN, *_REGIONAL[:2])), source.choice(_FIELDS)
    if name == "normal" and field in ("bidders", "hold", "held_at"):
        field = "marriages"
    return {"contracts": {name: {field: source.choice(values_of("contracts", field))}}}


def _all_alike(source: random.Random, _: Resolved) -> dict[str, Any]:
    fields, names = source.choice(
        (
            ({"kontra": "refused"}, _MAIN),
            ({"kontra": "refused"}, _LAYDOWNS),
            ({"lead": "declarer"}, _TRUMP_CONTRACTS),
            ({"head": "free"}, ("bettler", "gang", "zehner-gang")),
            ({"overtrump": "free"}, ("normal", *_TRUMP_CONTRACTS)),
            ({"undertrump": "free"}, ("normal", *_TRUMP_CONTRACTS)),
            ({"head_after_ruff": "forced"}, ("normal", *_TRUMP_CONTRACTS)),
            ({"bidders": "forehand"}, ("schnapser", "bauern-schnapser")),
            ({"ends_early": "when_lost_or_marriage"}, ("schnapser", "kontra-schnapser")),
            ({"ends_early": "when_lost_or_66"}, ("schnapser", "kontra-schnapser")),
            ({"played": False}, _LAYDOWNS),
        )
    )
    return {"contracts": {name: dict(fields) for name in names}}


def _order(source: random.Random, _: Resolved) -> dict[str, Any]:
    name, other = source.sample(_MAIN, 2)
    if source.random() < 0.6:
        name, other = "kontra-schnapser", "bauern-schnapser"
    return {"contracts": {name: {"above": other}}}


def _auction_first(source: random.Random, _: Resolved) -> dict[str, Any]:
    normal = {"contracts": {"normal": {"played": False}}} if source.random() < 0.5 else {}
    return {"options": dict(_AUCTION_FIRST), **normal}


def _target(source: random.Random, _: Resolved) -> dict[str, Any]:
    return {"options": {"target": source.choice((7, 11, 12, 15, 20, 21, 25, 30, 50))}}
