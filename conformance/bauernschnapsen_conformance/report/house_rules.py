"""What a report says about the scenarios that were asked under other house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bauernschnapsen.ruleset import Resolved

from ..corpus.options import load_options
from ..corpus.wording import contract_name
from ..counting import counted
from ..run.outcome import HouseRules, Table, under_of
from ..run.verdicts import Judgement, Verdict
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


def failing_elsewhere(found: HouseRules | None) -> Iterator[tuple[Table, list[Judgement]]]:
    """Yield every table at which something failed, with what did; what was not run is left out."""
    for table in found.tables if found is not None else ():
        failing = [
            one
            for one in table.judgements
            if not one.conforms and one.verdict is not Verdict.NOT_RUN
        ]
        if failing:
            yield table, failing


def failures_elsewhere(
    found: HouseRules | None, repeat: Repeat
) -> Iterator[tuple[Judgement, Texts, Repeat]]:
    """Yield every failing verdict, the rule texts of its table and how to repeat it."""
    elsewhere = replace(repeat, house_rules=True)
    for table, failing in failing_elsewhere(found):
        texts = rule_texts(table.ruleset)
        for judgement in failing:
            yield judgement, texts, elsewhere


def describe_failure_elsewhere(judgement: Judgement, texts: Texts, repeat: Repeat) -> list[str]:
    """Return the lines of a failing verdict, the rules of its table among them."""
    first, *rest = describe_failure(judgement, texts, repeat)
    return [first, f"  Under {flow(under_of(judgement.item))}", *rest]


def what_is_said(under: Json, ruleset: Resolved) -> list[str]:
    """Return a sentence, as the option catalogue has it, for each field that `under` changes."""
    catalogue = load_options()
    told = []
    for group, inside in under.items():
        for path, value in _leaves(group, inside):
            field = catalogue.field(path)
            if field is not None:
                sentence = field.text(value, "en", ruleset)
                named = path.split(".")[1] if group == "contracts" else ""
                told.append(
                    f"{contract_name(named, 'en', ruleset)}: {sentence}" if named else sentence
                )
    return [sentence for sentence in told if sentence]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}", inner)
    else:
        yield path, value


def flow(value: Any) -> str:
    """Return a value as a scenario file has it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
