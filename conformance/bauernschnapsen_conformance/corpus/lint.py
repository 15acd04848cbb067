"""Lint the corpus: what neither a schema nor a single file can tell.

Unknown rule ids, ids in the wrong folder, statements the reference engine contradicts under the
rules a scenario belongs to, starts and positions that cannot occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from bauernschnapsen.errors import SpecError, did_you_mean, quoted

from ..views import Difference
from .placing import Places, Pointer, place_of_action, place_of_deal, place_of_difference
from .reference import HOME_RULESET, Prepared, Unplayable, home_of, home_rules, prepare, untrue
from .rules import Rule
from .scaffold import TEMPLATE_TITLE, TEMPLATE_TOPIC, TEMPLATE_WHY
from .scenario import Item, Refuse, Scenario
from .starts import impossible_starts

_CONTAINS = "contains "
_LACKS = "does not contain "
_NAMES_CONTRACT = ("bid", "bid-without-talon", "raise")
# What a deal that is played is made of, and where its author wrote that.
_WRITTEN = {"declarer": "by", "hands": "deal", "talon": "deal", "dealer": "deal"}


def lint_items(
    items: Iterable[Item], rules: Mapping[str, Rule], *, starts: bool = True
) -> list[SpecError]:
    """Return everything that is wrong with scenarios and positions that could be read.

    `starts`: also that a deal begins with a contract to which no auction leads. What a campaign
    has found may, so this is asked of the suite alone.
    """
    places = Places()
    errors: list[SpecError] = []
    for item in items:
        errors.extend(_lint_template(item, places))
        errors.extend(_lint_ids(item, rules, places))
        errors.extend(_lint_truth(item, places, starts=starts))
    return list({str(error): error for error in errors}.values())  # a topic is that of many


def _lint_template(item: Item, places: Places) -> Iterator[SpecError]:
    """Find what `new scenario` wrote and the author has not replaced."""
    if not isinstance(item, Scenario):
        return
    hint = "write what this one is about"
    if item.topic == TEMPLATE_TOPIC:
        yield places.fault_of_file(item, ("topic",), "is still the topic of the template", hint)
    if item.title == TEMPLATE_TITLE:
        yield places.fault(item, ("title",), "is still the title of the template", hint)
    if TEMPLATE_WHY in item.why.values():
        yield places.fault(item, ("why", "en"), "is still the reason of the template", hint)


def _lint_ids(item: Item, rules: Mapping[str, Rule], places: Places) -> Iterator[SpecError]:
    cited: list[tuple[Pointer, str]] = [
        (("rules", place), rule) for place, rule in enumerate(item.rules)
    ]
    if isinstance(item, Scenario):
        path = PurePosixPath(item.origin.file)
        folder = path.parent.name
        if path.parent.parent.name == "scenarios" and folder != item.chapter:
            yield places.fault(item, ("id",), f"an id in {folder}/ begins with {folder}.")
        for number, deal in enumerate(item.deals):
            start = (*place_of_deal(item, number), "steps")
            for place, step in enumerate(deal.steps):
                if isinstance(step, Refuse):
                    cited.append(((*start, place, "because"), step.because))
    for where, rule in cited:
        if rule not in rules:
            hint = did_you_mean(rule, rules) or "rules stand in spec/rules"
            yield places.fault(item, where, f"there is no rule {quoted(rule)}", hint)


def _lint_truth(item: Item, places: Places, *, starts: bool) -> Iterator[SpecError]:
    try:
        rules = home_rules(item)
    except SpecError as error:
        where: Pointer = ("under", *(error.field or "ruleset").split("."))
        yield places.fault(item, where, error.message, error.hint)
        return
    try:
        prepared = prepare(item, rules)
    except Unplayable as reason:
        yield _unplayable(item, reason, places)
        return
    if isinstance(item, Scenario):
        for start in impossible_starts(prepared, rules, contracts=starts):
            written = [_WRITTEN.get(part, part) for part in start.field.split(".")]
            inside = (*place_of_deal(item, start.deal), *written)
            yield places.fault(item, inside, start.message, start.hint)
    for difference in untrue(prepared):
        where = place_of_difference(item, difference)
        yield places.fault(item, where, describe(prepared, difference), _hint(prepared, difference))
        if difference.path == ("refused",) and difference.expected is None:
            return  # the deal goes on without this action: whatever follows is about another table


def _unplayable(item: Item, reason: Unplayable, places: Places) -> SpecError:
    """Return the fault of an item that cannot be set up under the rules it belongs to."""
    start = place_of_deal(item, reason.deal)
    base = item.under.get("ruleset", HOME_RULESET)
    if reason.field == "contract.name":
        known = home_of(item)["contracts"]
        if not isinstance(item, Scenario):
            return places.fault(item, ("contract",), *_not_played(item.contract, known, base))
        name = (item.deals[reason.deal].contract or {}).get("name", "")
        return places.fault(item, (*start, "contract", "name"), *_not_played(name, known, base))
    first, *rest = reason.field.split(".")
    where: Pointer
    if first.startswith("actions["):
        where = place_of_action(item, reason.deal, int(first[8:-1]) + 1)
    else:
        inside = [_WRITTEN.get(part, part) for part in (first, *rest)] if first else []
        where = (*start, *inside)
    why = str(reason).removeprefix(f"deals[{reason.deal}].{reason.field}: ")
    return places.fault(item, where, f"cannot be played under {base}: {why}")


def _not_played(name: str, known: Mapping[str, Any], base: str) -> tuple[str, str | None]:
    """Return message and hint about a contract that cannot be bid where an item belongs."""
    if name in known:
        hint = f"say that it is: under: {{contracts: {{{name}: {{played: true}}}}}}"
        return f"the contract {name} is not played under {base}", hint
    return f"there is no contract {quoted(name)}", did_you_mean(name, known)


# --------------------------------------------------------------------------- in words


def describe(prepared: Prepared, difference: Difference) -> str:
    """Return in one sentence what is stated, what the reference engine says, and when."""
    actions = prepared.deals[difference.deal]["actions"]
    deal = f"deal {difference.deal + 1}, " if len(prepared.deals) > 1 else ""
    if difference.path == ("refused",):
        return f"{deal}{_about_refusal(difference, *actions[difference.view - 1])}"
    if difference.view:
        seat, action = actions[difference.view - 1]
        when = f"{deal}after action {difference.view} ({seat} {action})"
    else:
        when = f"{deal}before the first action"
    return f"{when}: {_about_view(difference)}"


def _about_refusal(difference: Difference, seat: str, action: str) -> str:
    stated, got = difference.expected, difference.got
    what = f"action {difference.view} ({seat} {action})"
    if stated is None:
        return f"{what} is stated as accepted, but the reference engine refuses it: {got}"
    if not got:
        return f"{what} is stated as refused, but the reference engine accepts it"
    return f"{what} is stated as refused by {stated}, but the reference engine says {got}"


def _about_view(difference: Difference) -> str:
    stated, got = difference.expected, difference.got
    if difference.path[0] == "legal":
        return _about_legal(difference.path[1], stated, got)
    where = difference.where
    return f"{where} is stated as {_shown(stated)}, but the reference engine says {_shown(got)}"


def _about_legal(seat: str, stated: Any, got: Any) -> str:
    """Say which actions of a seat are too many or too few."""
    if isinstance(stated, str):
        can = stated.startswith(_CONTAINS)
        action = stated.removeprefix(_CONTAINS).removeprefix(_LACKS).strip("'")
        what = f"{seat} {action} is stated as {'allowed' if can else 'forbidden'}"
        found = f"the reference engine {'forbids' if can else 'allows'} it"
        return f"{what}, but {found}; {seat} may {', '.join(got) or 'do nothing'}"
    missing = [action for action in got if action not in stated]
    wrong = [action for action in stated if action not in got]
    told = [f"the reference engine also allows {', '.join(missing)}"] if missing else []
    told += [f"the reference engine forbids {', '.join(wrong)}"] if wrong else []
    return f"{_shown(stated)} is stated as legal for {seat}, but {' and '.join(told)}"


def _shown(value: Any) -> str:
    """Return a value as a scenario file has it; null where there is nothing."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _hint(prepared: Prepared, difference: Difference) -> str | None:
    """Say what to do about an action that is stated as accepted and is not."""
    if difference.path != ("refused",) or difference.expected is not None:
        return None
    seat, action = prepared.deals[difference.deal]["actions"][difference.view - 1]
    verb, _, name = action.partition(" ")
    known = home_of(prepared.item)["contracts"]
    if verb in _NAMES_CONTRACT and name not in known:
        return did_you_mean(name, known) or f"there is no contract {quoted(name)}"
    meant = f"if that is meant: refused: {seat} {action}, because: {difference.got}"
    return f"{meant}; what follows was not checked"
