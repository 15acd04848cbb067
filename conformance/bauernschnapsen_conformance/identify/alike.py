"""Which fields change nothing because of others, and which rulesets play alike for that reason.

Without trumps nobody ruffs. `without_effect` says so field by field; `canonical` gives all rulesets
that play the same for such a reason the same form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bauernschnapsen.ruleset import LOWEST, Resolved

from .fields import (
    HAND,
    PLAY_FIELDS,
    TALON_OPTIONS,
    UNSEEN_OPTIONS,
    Path,
    changed,
    has_talon,
    in_order,
    played,
    value_at,
    values_of,
)

_PLAYED_ONLY = tuple(field for field in PLAY_FIELDS if field not in ("value", "kontra", "goal"))
_RUFFING = ("head_after_ruff", "ruff", "overtrump", "undertrump")


def without_effect(ruleset: Resolved) -> dict[Path, str]:
    """Return the fields that change nothing because of others, each with the reason."""
    found: dict[Path, str] = {
        ("options", option): reason for option, reason in UNSEEN_OPTIONS.items()
    }
    if has_talon(ruleset):
        # Nothing is said of what else changes nothing there: that has been thought through for
        # tables of four only.
        return {path: reason for path, reason in found.items() if path[1] not in TALON_OPTIONS}
    names = played(ruleset)
    for name in ruleset["contracts"]:
        if name in names:
            found |= _idle_fields(ruleset, name)
    return found | _idle_options(ruleset, [ruleset["contracts"][name] for name in names])


def _idle_options(ruleset: Resolved, contracts: list[Any]) -> dict[Path, str]:
    options = ruleset["options"]
    found: dict[str, str] = {}
    if options["phases"][0] == "auction":
        for option in ("turn_up", "redeal_three_unters"):
            found[option] = "the auction comes first, when every card has been seen"
    values = [contract["value"] for contract in contracts]
    if len(set(values)) == len(values):
        found["equal_values"] = "no two contracts are worth the same"
    doubled = [contract for contract in contracts if contract["kontra"] == "allowed"]
    if not doubled or not options["kontra_levels"]:
        for option in ("kontra_by", "kontra_cap", "sitting_out_doubles"):
            found[option] = "nothing is doubled"
    if not doubled:
        found["kontra_levels"] = "nothing is doubled"
    if options["kontra_levels"] < 3:
        found["kontra_by"] = "there is no Subkontra"
    sits_out = any(c["partner"] == "out" and c["goal"] != "shown" for c in doubled)
    if not sits_out or options["kontra_levels"] < 2:
        found["sitting_out_doubles"] = "nobody who sits out could double"
    claimed = [contract for contract in contracts if contract["goal"] == "claim_66"]
    if not claimed:
        for option in ("claim_mode", "loser_33", "last_trick_award"):
            found[option] = "no contract is won by a claim"
    if not claimed or options["claim_mode"] != "called":
        for option in ("claim_by", "claim_window", "false_claims"):
            found[option] = "nothing is claimed"
    if options["claim_mode"] == "at_end":
        found["last_trick_award"] = "the count at the end decides"
    if all(contract["marriages"] == "none" for contract in contracts):
        found["marriage_needs"] = "there are no marriages"
        found["loser_33"] = "there are no marriages"
    if all(contract["goal"] != "shown" for contract in contracts):
        found["laydown_end"] = "every contract is played"
    if options["after_game"] == "runs_on":
        for option in ("target", "schneider", "retourschneider", "bummerl_to"):
            found[option] = "no game ends"
    return {("options", option): reason for option, reason in found.items()}


def _idle_fields(ruleset: Resolved, name: str) -> dict[Path, str]:
    contract, options = ruleset["contracts"][name], ruleset["options"]
    goal = contract["goal"]
    found: dict[str, str] = {"talon": "four players have no talon"}

    def idle(reason: str, *fields: str) -> None:
        for field in fields:
            found.setdefault(field, reason)

    if goal == "shown":
        idle("the contract is not played", *_PLAYED_ONLY)
    if contract["hold"] == "none":
        idle("no cards are demanded", "held_at")
    elif goal != "shown" and contract["held_at"] != "bid":
        idle("nobody looks at the cards", "hold")
    if not options["kontra_levels"]:
        idle("nothing is doubled", "cancelled_by")
        idle("nothing is doubled", "kontra")
    if contract["trump"] == "none":
        idle("there are no trumps", *_RUFFING)
    if contract["head"] == "free":
        idle("nobody has to beat", "head_target", "head_after_ruff")
    if contract["ruff"] == "free":
        idle("nobody has to ruff", "undertrump")
    if goal == "claim_66":
        idle("the claim decides", "won_by", "ends_early")
    elif contract["partner"] == "out" and contract["won_by"] != "anyone":
        idle("the partner wins no tricks", "won_by")
    if contract["won_by"] == "anyone" and goal in ("all_tricks",):
        idle("every trick counts for the declarer", "ends_early")
    if goal != "tricks_66" or contract["marriages"] == "none":
        idle("no marriage helps the contract", "marriages_as_tricks")
    return {("contracts", name, field): reason for field, reason in found.items()}


def canonical(ruleset: Resolved) -> Resolved:
    """Return the form of a ruleset that all rulesets share which differ from it without effect.

    With a talon that is the ruleset itself.
    """
    if has_talon(ruleset):
        return {"contracts": ruleset["contracts"], "options": ruleset["options"]}
    for path in without_effect(ruleset):
        group, key = path[0], path[-1]
        if group == "options" and key in UNSEEN_OPTIONS:
            value: Any = None
        else:
            value = 1 if key in ("value", "target") else values_of(group, key)[0]
        ruleset = changed(ruleset, path, value)
    ruleset = _same_values(ruleset)
    names = played(ruleset)
    contracts = {name: {"played": True, **ruleset["contracts"][name]} for name in names}
    if ruleset["options"]["equal_values"] != "listed_order":
        # Rank decides nothing between contracts of one value that stand side by side.
        names = _sorted_runs(names, contracts)
    names = _sorted_openings(ruleset, names)
    return {"contracts": in_order(contracts, names), "options": ruleset["options"]}


def _same_values(ruleset: Resolved) -> Resolved:
    """Merge values that mean the same here."""
    full = all(
        contract["tricks"] in ("all", HAND)
        for contract in ruleset["contracts"].values()
        if contract["played"] and contract["goal"] == "claim_66"
    )
    if full and ruleset["options"]["last_trick_award"] == "graded":
        # After five tricks the others have less than 33 only if the winner has 66.
        ruleset = changed(ruleset, ("options", "last_trick_award"), "graded_if_66")
    options = ruleset["options"]
    if options["marriage_needs"] == "own_trick":
        # After the first lead whoever leads has won a trick.
        ruleset = changed(ruleset, ("options", "marriage_needs"), "side_trick")
    trump_first = options["phases"][0] == "trump" and options["trump_choice"] == "first_packet"
    for place, name in enumerate(played(ruleset)):
        contract = ruleset["contracts"][name]
        merged = {key: value for key, value in contract.items() if key not in ("name", "like")}
        if contract["tricks"] == HAND:
            merged["tricks"] = "all"
        if contract["held_at"] == "after_talon":
            merged["held_at"] = "show"
        early = merged["ends_early"]
        by_marriage = early == "when_lost_or_marriage" and contract["marriages"] != "none"
        by_points = early == "when_lost_or_66"
        if early != "never" and (contract["goal"] != "tricks_66" or not (by_marriage or by_points)):
            merged["ends_early"] = "when_lost"
        if place == 0 and _only_opens(ruleset, name):
            merged["bidders"] = _OPENING_ALIKE.get(contract["bidders"], contract["bidders"])
        if trump_first:
            _merge_whole_suits(merged)
        if merged["bidders"] == "forehand":
            merged["lead"] = "forehand"  # who is the declarer
        _merge_slams(merged)
        contracts = {**ruleset["contracts"], name: merged}
        ruleset = {**ruleset, "contracts": contracts}
    return ruleset


_OPENING_ALIKE = {"forehand_side": "forehand", "anyone": "forehand"}
_WITHOUT_FOREHAND = {"forehand_side": "partner", "anyone": "not_forehand"}


def _only_opens(ruleset: Resolved, name: str) -> bool:
    """Whether the lowest contract can be bid by forehand's opening only."""
    options, contracts = ruleset["options"], ruleset["contracts"]
    alike = [one for one in played(ruleset) if contracts[one]["value"] == contracts[name]["value"]]
    return (
        options["opening"] != "may_pass"
        and options["bid_too_low"] == "refused"
        and (options["equal_values"] == "listed_order" or len(alike) == 1)
    )


def _sorted_openings(ruleset: Resolved, names: list[str]) -> list[str]:
    """Sort the lowest contracts that only forehand can bid, and only to open with.

    None of them is ever bid over another, so their order decides nothing but what a pass stands
    for, or what Kontra on the lowest is about.
    """
    contracts = ruleset["contracts"]
    lowest = ruleset["options"]["opening"] == "pass_means_normal" or any(
        contracts[name]["cancelled_by"] != "nothing" for name in names
    )
    if lowest:
        return names
    openings = []
    for name in names:
        if contracts[name]["bidders"] != "forehand" or not _only_opens(ruleset, name):
            break
        openings.append(name)
    return [*sorted(openings), *names[len(openings) :]]


def _merge_whole_suits(contract: dict[str, Any]) -> None:
    """Where forehand names a suit it holds, it alone can have five trumps, and no other five."""
    if contract["hold"] == "five_trumps" and contract["held_at"] == "bid":
        contract["bidders"] = _OPENING_ALIKE.get(contract["bidders"], contract["bidders"])
    if contract["hold"] == "five_of_plain_suit" and contract["held_at"] == "bid":
        contract["bidders"] = _WITHOUT_FOREHAND.get(contract["bidders"], contract["bidders"])
    if contract["bidders"] == "forehand" and contract["hold"] == "five_of_a_suit":
        contract["hold"] = "five_trumps"
    others_only = contract["bidders"] in ("partner", "opponents", "not_forehand")
    if others_only and contract["hold"] == "five_of_plain_suit":
        contract["hold"] = "five_of_a_suit"


def _merge_slams(contract: dict[str, Any]) -> None:
    """All tricks bring 120 card points; and who wins every trick is always on lead."""
    alone = contract["won_by"] == "declarer" and contract["ends_early"] != "never"
    led = contract["lead"] == "declarer" or contract["bidders"] in ("forehand", "opponents")
    slam = contract["goal"] in ("tricks_66", "all_tricks")
    if slam and alone and led and contract["marriages"] == "side":
        contract["marriages"] = "declarer"
    if (
        contract["goal"] == "tricks_66"
        and contract["tricks"] == "all"
        and contract["partner"] == "plays"
        and contract["ends_early"] in ("when_lost", "never")
        and (contract["marriages_as_tricks"] == "never" or contract["marriages"] == "none")
    ):
        contract["goal"] = "all_tricks"
        contract["marriages_as_tricks"] = values_of("contracts", "marriages_as_tricks")[0]


def _sorted_runs(names: list[str], contracts: Mapping[str, Any]) -> list[str]:
    done: list[str] = []
    run: list[str] = []
    for name in names:
        if run and contracts[run[-1]]["value"] != contracts[name]["value"]:
            done += [run[0], *sorted(run[1:])] if not done else sorted(run)
            run = []
        run.append(name)
    return [*done, *([run[0], *sorted(run[1:])] if not done and run else sorted(run))]


def same_form(one: Resolved, other: Resolved) -> bool:
    """Whether two rulesets differ only in fields without effect."""
    return _plain(canonical(one)) == _plain(canonical(other))


def _plain(ruleset: Resolved) -> str:
    return json.dumps(
        [list(ruleset["contracts"]), ruleset["contracts"], ruleset["options"]], sort_keys=True
    )


# --------------------------------------------------------------------------- differences


def differing(ruleset: Resolved, base: Resolved) -> list[Path]:
    """Return the fields in which a profile differs from the base and that have an effect."""
    idle = without_effect(ruleset)
    found: list[Path] = []
    names = played(ruleset)
    for name, contract in ruleset["contracts"].items():
        old = base["contracts"].get(name, {})
        if name not in names:
            if old.get("played"):
                found.append(("contracts", name, "played"))
            continue
        found += [
            ("contracts", name, key)
            for key in contract
            if key not in ("above", "name", "like")
            and contract[key] != old.get(key)
            and ("contracts", name, key) not in idle
        ]
    found += [("contracts", name, "above") for name in moved(base, ruleset)]
    found += [
        ("options", key)
        for key, value in ruleset["options"].items()
        if value != base["options"].get(key) and ("options", key) not in idle
    ]
    return found


def moved(base: Resolved, ruleset: Resolved) -> list[str]:
    """Return the fewest contracts to be moved to get from one order to the other, lowest first.

    Only the order of those that are played counts.
    """
    return fewest_moves(list(base["contracts"]), played(ruleset))


def fewest_moves(order: list[str], wanted: list[str]) -> list[str]:
    """Return what has to be moved, or is new, to get from one order to another."""
    places = {name: place for place, name in enumerate(order)}
    kept: list[list[str]] = []  # rows that may stay as they are, by their last name
    for name in wanted:
        if name in places:
            before = [row for row in kept if places[row[-1]] < places[name]]
            kept.append([*_longest(before), name])
    stay = set(_longest(kept))
    return [name for name in wanted if name not in stay]


def _longest(rows: list[list[str]]) -> list[str]:
    return max(rows, key=len) if rows else []


def value_in_file(ruleset: Resolved, path: Path) -> Any:
    """Return what a ruleset file says of a field: a contract stands above one that is played."""
    names = played(ruleset)
    if path[-1] != "above" or path[1] not in names:
        return value_at(ruleset, path)
    place = names.index(path[1])
    return names[place - 1] if place else LOWEST


def simplest(ruleset: Resolved, base: Resolved) -> Resolved:
    """Return a ruleset of the same form that differs from the base in fewer fields, if it can."""
    for path in differing(ruleset, base):
        if path[0] == "contracts" and path[1] not in base["contracts"]:
            continue
        for plain in _plainer(ruleset, base, path):
            if same_form(plain, ruleset) and len(differing(plain, base)) < len(
                differing(ruleset, base)
            ):
                return simplest(plain, base)
    return ruleset


def _plainer(ruleset: Resolved, base: Resolved, path: Path) -> Iterator[Resolved]:
    if path[-1] == "above" and not base["contracts"][path[1]]["played"]:
        return
    plain = changed(ruleset, path, value_in_file(base, path))
    yield plain
    if path[-1] == "above":  # who may bid a contract can depend on where it stands
        for name in played(plain):
            for value in values_of("contracts", "bidders"):
                yield changed(plain, ("contracts", name, "bidders"), value)
