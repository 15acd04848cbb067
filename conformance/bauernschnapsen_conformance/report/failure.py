"""Tell one failure so that an engine author can mend it without opening the suite."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bauernschnapsen.notation import SUITS
from bauernschnapsen.ruleset import Resolved

from ..adapter.faults import printable
from ..adapter.last_words import telling_lines
from ..corpus.rules import load_rules
from ..corpus.scenario import PositionCase, Scenario
from ..corpus.wording import rule_text
from ..run.turning import Turning
from ..run.verdicts import Judgement
from ..views import Difference
from .deal_table import SUIT_SIGNS, draw_deal, draw_position, draw_steps
from .repeat import Repeat

_MOST_DIFFERENCES = 8
_WIDTH = 200
_STDERR_LINES = 6


Texts = Mapping[str, str]
"""What each rule says under the ruleset of the run, by its id."""


def rule_texts(ruleset: Resolved) -> Texts:
    """Return the text of every rule under a ruleset, in English."""
    return {rule.id: rule_text(rule, ruleset) for rule in load_rules().values()}


def describe_failure(judgement: Judgement, rules: Texts, repeat: Repeat) -> list[str]:
    """Return the lines of a failing verdict: rule, deal, first step that differs, how to repeat.

    Seats and suits are as written; how they were asked stands beside them.
    """
    item = judgement.item
    lines = [f"{judgement.verdict.upper()} {item.id}"]
    if isinstance(item, Scenario):
        lines.append(f"  {item.title}")
        lines.append(f"  Why: {item.why['en']}")
    lines += [f"  Rule {rule}: {rules[rule]}" for rule in _rules_at_stake(judgement, rules)]
    lines.append("")
    lines += _situation(judgement)
    if judgement.differences:
        lines.append("")
        lines += _differences(judgement)
    if judgement.reason:
        lines += ["", f"  {judgement.reason}"]
    if judgement.fault is not None:
        lines += _fault(judgement)
    asked = _as_asked(judgement)
    if asked is not None:
        lines += ["", f"  {asked}"]
    lines += ["", *repeat.lines(judgement)]
    return lines


def _as_asked(judgement: Judgement) -> str | None:
    """Say how the table was turned, so that the lines on the wire can be understood."""
    turning = judgement.turning
    if turning is None or turning.is_plain:
        return None
    parts = []
    if turning.places:
        seats = turning.seat
        parts.append(f"seats {' '.join(seats)} as {' '.join(seats.values())}")
    if turning.suits != SUITS:
        was, now = (" ".join(SUIT_SIGNS[suit] for suit in row) for row in (SUITS, turning.suits))
        parts.append(f"suits {was} as {now}")
    return f"On the wire: {', '.join(parts)}."


def _rules_at_stake(judgement: Judgement, rules: Texts) -> list[str]:
    named = list(judgement.item.rules)
    first = judgement.differences[0] if judgement.differences else None
    if first is not None and first.path == ("refused",) and isinstance(first.expected, str):
        named.insert(0, first.expected)
    return [name for name in dict.fromkeys(named) if name in rules]


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
        expected = _short(difference.expected, difference)
        got = _short(difference.got, difference)
        lines += [f"      expected  {expected}", f"      got       {got}"]
        if isinstance(difference.expected, list | tuple) and isinstance(difference.got, list):
            lines += _missing_and_extra(difference)
    more = len(judgement.differences) - min(len(same_view), _MOST_DIFFERENCES)
    if more:
        lines.append(f"    and {more} more difference{'s' if more > 1 else ''} from there on")
    return lines


def _missing_and_extra(difference: Difference) -> Iterator[str]:
    """For lists of actions and cards: what is missing, and what should not be there."""
    want, got = difference.expected, difference.got
    if not all(isinstance(one, str) for one in (*want, *got)):
        return
    missing = [one for one in want if one not in got]
    extra = [one for one in got if one not in want]
    if missing and len(want) > len(missing):
        yield f"      missing   {_listed(missing)}"
    if extra and len(got) > len(extra):
        yield f"      extra     {_listed(extra)}"


def _when(judgement: Judgement, difference: Difference) -> str:
    if judgement.prepared is None or isinstance(judgement.item, PositionCase):
        return "in this situation"
    deal = f"in deal {difference.deal + 1} " if len(judgement.prepared.deals) > 1 else ""
    if not difference.view:
        return f"{deal}before the first action"
    seat, action = judgement.prepared.deals[difference.deal]["actions"][difference.view - 1]
    told = f"{deal}after step {difference.view} ({seat} {action})"
    turning = judgement.turning
    if turning is not None and not turning.is_plain:
        told += f", on the wire {_asked(turning, seat, action)}"
    return told


def _asked(turning: Turning, seat: str, action: str) -> str:
    return f"{turning.seat.get(seat, seat)} {turning.action(action)}"


def _short(value: Any, difference: Difference) -> str:
    """A value as a person reads it, printable and bounded; it may come from the engine."""
    if difference.path == ("refused",):
        if not value:
            return "accepted"
        return "refused" if value is True else f"refused: {printable(str(value), _WIDTH)}"
    if value is None:
        return "none"
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return _listed(value)
    told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return printable(told, _WIDTH)


def _listed(texts: list[str] | tuple[str, ...]) -> str:
    return printable(", ".join(texts), _WIDTH) or "nothing"


def _fault(judgement: Judgement) -> list[str]:
    fault = judgement.fault
    assert fault is not None
    lines = []
    if fault.excerpt:
        lines.append(f"  the line began: {fault.excerpt[:_WIDTH]}")
    if fault.hint:
        lines.append(f"  hint: {fault.hint}")
    if fault.stderr_tail:
        lines.append("  the adapter's stderr says:")
        lines += [f"    {line}" for line in telling_lines(fault.stderr_tail, _STDERR_LINES)]
    return lines
