"""Lint the corpus: what neither a schema nor a single file can tell.

Unknown rule ids, ids in the wrong folder, statements the reference engine contradicts under the
rules a scenario belongs to, positions that cannot occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from bauernschnapsen.errors import SpecError

from ..views import Difference
from .reference import Prepared, Unplayable, home_rules, prepare, untrue
from .rules import Rule
from .scenario import Item, Refuse, Scenario


def lint_items(items: Iterable[Item], rules: Mapping[str, Rule]) -> list[SpecError]:
    """Return everything that is wrong with scenarios and positions that could be read."""
    errors: list[SpecError] = []
    for item in items:
        errors.extend(_lint_ids(item, rules))
        errors.extend(_lint_truth(item))
    return errors


def _fault(item: Item, field: str, message: str, hint: str | None = None) -> SpecError:
    return SpecError(
        f"{item.id}: {message}", item.origin.file, item.origin.line, field=field, hint=hint
    )


def _lint_ids(item: Item, rules: Mapping[str, Rule]) -> list[SpecError]:
    errors = []
    cited = list(item.rules)
    if isinstance(item, Scenario):
        path = PurePosixPath(item.origin.file)
        folder = path.parent.name
        if path.parent.parent.name == "scenarios" and folder != item.chapter:
            errors.append(_fault(item, "id", f"an id in {folder}/ begins with {folder}."))
        cited += [
            step.because for deal in item.deals for step in deal.steps if isinstance(step, Refuse)
        ]
    for rule in dict.fromkeys(cited):
        if rule not in rules:
            from difflib import get_close_matches

            near = get_close_matches(rule, rules, n=2)
            hint = f"did you mean {' or '.join(near)}" if near else "rules stand in spec/rules"
            errors.append(_fault(item, "rules", f"there is no rule {rule!r}", hint))
    return errors


def _lint_truth(item: Item) -> list[SpecError]:
    try:
        prepared = prepare(item, home_rules(item))
    except SpecError as error:
        return [_fault(item, "under", str(error))]
    except Unplayable as reason:
        return [_fault(item, "deal", f"cannot be played under its own rules: {reason}")]
    return [
        _fault(item, difference.where, describe(prepared, difference))
        for difference in untrue(prepared)
    ]


def describe(prepared: Prepared, difference: Difference) -> str:
    """Return in one sentence what is stated, what the reference engine says, and when."""
    actions = prepared.deals[difference.deal]["actions"]
    deal = f"deal {difference.deal + 1}, " if len(prepared.deals) > 1 else ""
    if difference.view:
        seat, action = actions[difference.view - 1]
        when = f"after action {difference.view} ({seat} {action})"
    else:
        when = "before the first action"
    return (
        f"{deal}{when}: {difference.where} is stated as {difference.expected!r}, "
        f"but the reference engine says {difference.got!r}"
    )
