"""Tell one failure so that an engine author can mend it without opening the suite."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ..corpus.rules import Rule
from ..corpus.scenario import PositionCase, Refuse, Scenario
from ..verdicts import Judgement, Verdict
from ..views import Difference
from .deal_table import draw_deal, draw_position, draw_steps

_MOST_DIFFERENCES = 8
_WIDTH = 200


def describe_failure(
    judgement: Judgement, rules: Mapping[str, Rule], command: Sequence[str], seed: int
) -> list[str]:
    """Return the lines of a failing verdict: rule, deal, first step that differs, how to repeat."""
    item = judgement.item
    lines = [f"{judgement.verdict.upper()} {item.id}"]
    if isinstance(item, Scenario):
        lines.append(f"  {item.title}")
        lines.append(f"  Why: {item.why['en']}")
    lines += [
        f"  Rule {rule.id}: {rule.text.get('en', '')}" for rule in _rules_at_stake(judgement, rules)
    ]
    lines.append("")
    lines += _situation(judgement)
    if judgement.differences:
        lines.append("")
        lines += _differences(judgement)
    if judgement.reason:
        lines += ["", f"  {judgement.reason}"]
    if judgement.fault is not None:
        lines += _fault(judgement)
    lines += ["", *_repeat(judgement, command, seed)]
    return lines


def _rules_at_stake(judgement: Judgement, rules: Mapping[str, Rule]) -> list[Rule]:
    named = list(judgement.item.rules)
    first = judgement.differences[0] if judgement.differences else None
    if first is not None and isinstance(judgement.item, Scenario) and first.path == ("refused",):
        number = 0
        for step in judgement.item.deals[first.deal].steps:
            number += step.__class__.__name__ != "Expect"
            if number == first.view and isinstance(step, Refuse):
                named.insert(0, step.because)
    return [rules[name] for name in dict.fromkeys(named) if name in rules]


def _situation(judgement: Judgement) -> list[str]:
    prepared = judgement.prepared
    if isinstance(judgement.item, PositionCase):
        return draw_position(judgement.item)
    if prepared is None:
        return []
    lines = []
    first = judgement.differences[0] if judgement.differences else None
    for number, deal in enumerate(prepared.deals):
        if first is not None and number > first.deal:
            break
        lines += draw_deal(deal, number + 1 if len(prepared.deals) > 1 else None)
        until = first.view if first is not None and number == first.deal else None
        lines += draw_steps(prepared, number, until)
    return lines


def _differences(judgement: Judgement) -> list[str]:
    first = judgement.differences[0]
    same_view = [d for d in judgement.differences if (d.deal, d.view) == (first.deal, first.view)]
    lines = [f"  First difference {_when(judgement, first)}:"]
    for difference in same_view[:_MOST_DIFFERENCES]:
        lines.append(f"    {difference.where}{'' if difference.stated else '  (incidental)'}")
        lines.append(f"      expected  {_short(difference.expected, difference)}")
        lines.append(f"      got       {_short(difference.got, difference)}")
    more = len(judgement.differences) - min(len(same_view), _MOST_DIFFERENCES)
    if more:
        lines.append(f"    and {more} more difference{'s' if more > 1 else ''} from there on")
    return lines


def _when(judgement: Judgement, difference: Difference) -> str:
    if judgement.prepared is None or not difference.view:
        return "before the first action"
    if isinstance(judgement.item, PositionCase):
        return "in this situation"
    seat, action = judgement.prepared.deals[difference.deal]["actions"][difference.view - 1]
    return f"after step {difference.view} ({seat} {action})"


def _short(value: Any, difference: Difference) -> str:
    if difference.path == ("refused",):
        if not value:
            return "accepted"
        return "refused" if value is True else f"refused: {value}"
    if value is None:
        return "none"
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return ", ".join(value)[:_WIDTH] or "nothing"
    if isinstance(value, bool | int | str):
        return str(value)[:_WIDTH]
    return repr(value)[:_WIDTH]


def _fault(judgement: Judgement) -> list[str]:
    fault = judgement.fault
    assert fault is not None
    lines = []
    if fault.excerpt:
        lines.append(f"  the line began: {fault.excerpt[:_WIDTH]}")
    if fault.hint:
        lines.append(f"  hint: {fault.hint}")
    if fault.stderr_tail:
        lines.append("  the adapter's stderr ended with:")
        lines += [f"    {line}" for line in fault.stderr_tail.splitlines()[-5:]]
    return lines


def _repeat(judgement: Judgement, command: Sequence[str], seed: int) -> list[str]:
    shown = shlex.join(command) if command else "CMD"
    chosen = shlex.quote(judgement.item.id)
    lines = [f"  repeat:   bauernschnapsen certify --only {chosen} --seed {seed} -- {shown}"]
    if judgement.verdict is not Verdict.NOT_RUN:
        turned = f" --turned {judgement.turned}" if judgement.turned else ""
        lines.append(f"  by hand:  bauernschnapsen show {chosen} --wire{turned} | {shown}")
    return lines
