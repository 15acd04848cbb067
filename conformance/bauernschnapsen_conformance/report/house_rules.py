"""What a report says about the scenarios that were asked under other house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..counting import counted
from ..house_rules import HouseRules, under_of
from ..verdicts import Judgement, Verdict
from .failure import Texts, describe_failure, rule_texts
from .repeat import Repeat

Json = Mapping[str, Any]


def house_rule_lines(found: Json | None) -> list[str]:
    """Return the lines about house rules as they stand in a JSON report; none if not asked for."""
    if found is None:
        return []
    if not found["asked"]:
        return [f"Not asked: scenarios of other house rules, since {found['reason']}.", ""]
    said = ", ".join(f"{number} {verdict}" for verdict, number in found["counts"].items())
    lines = [
        f"House rules: {counted(found['scenarios'], 'scenario')} at "
        f"{counted(found['tables'], 'other table')}, each under its own rules: "
        f"{said or 'nothing to ask'}. No level depends on them."
    ]
    lines += [f"  {count:>5}  {reason}" for reason, count in found["not_observed"].items()]
    return [*lines, ""]


def failures_elsewhere(
    found: HouseRules | None, repeat: Repeat
) -> Iterator[tuple[Judgement, Texts, Repeat]]:
    """Yield every failing verdict, the rule texts of its table and how to repeat it."""
    if found is None:
        return
    elsewhere = replace(repeat, house_rules=True)
    for table in found.tables:
        failing = [one for one in table.judgements if not one.conforms]
        texts = rule_texts(table.ruleset) if failing else {}
        for judgement in failing:
            if judgement.verdict is not Verdict.NOT_RUN:
                yield judgement, texts, elsewhere


def describe_failure_elsewhere(judgement: Judgement, texts: Texts, repeat: Repeat) -> list[str]:
    """Return the lines of a failing verdict, the rules of its table among them."""
    first, *rest = describe_failure(judgement, texts, repeat)
    return [first, f"  Under {flow(under_of(judgement.item))}", *rest]


def flow(value: Any) -> str:
    """Return a value as a scenario file has it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
