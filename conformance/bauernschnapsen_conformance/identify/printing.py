"""The findings in plain words, for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules

from ..adapter.faults import printable
from ..corpus.rules import load_rules
from ..corpus.wording import rule_text
from ..report.deal_table import action_sign, draw_deal
from ..report.differences import shown_value
from .fields import UNSEEN_OPTIONS, Path
from .findings import Bug, Value
from .result import NO_AUCTION, NOT_SHOWN
from .running import Findings
from .seen import Seen

_MOST_BUGS, _MOST_FIELDS, _MOST_NAMES, _MOST_DIFFERENCES = 6, 14, 6, 4
_OTHER_TABLES = (
    "seats", "sides", "packets", "talon_cards", "losers", "talon_raise", "no_talon_bonus",
    "no_talon_precedence",
)  # fmt: skip
"""Settled by sitting at a table of four."""

_NOT_MEANT = (
    "A mistake that plays exactly like a house rule cannot be told from one: what stands here and "
    "is not meant to be played so is a bug."
)


def print_findings(found: Findings, text: str) -> Iterator[str]:
    """Yield the lines of a report; `text` is the profile as a ruleset file."""
    if found.nothing:
        yield f"Nothing could be determined: {found.nothing}."
    else:
        yield text
        yield from _summary(found)
        for value in found.values:
            yield from _draw_value(value)
        if found.values:
            yield _NOT_MEANT
        yield from _not_told(found)
    if found.bugs or found.troubles or found.misshapen:
        yield ""
        yield "What no house rule explains"
    for shape in found.misshapen:
        yield f"  {shape.key} is never of the form that the protocol has for it: {shape.why}"
    if found.misshapen and not found.nothing:
        yield "    (everything else was judged without it)"
    for bug in found.bugs[:_MOST_BUGS]:
        yield from _draw_bug(bug, found.rules, found.ruleset)
    if found.result.left_aside:
        aside = ", ".join(found.result.left_aside)
        yield f"  Wrong so often that the rest was judged without it: {aside}"
    if len(found.bugs) > _MOST_BUGS:
        rest = ", ".join(f"{bug.rule} ({bug.count})" for bug in found.bugs[_MOST_BUGS:])
        yield f"  and, perhaps for the same reason, deals about {rest}; --json has them"
    for trouble in found.troubles[:_MOST_BUGS]:
        yield f"  {trouble.what} ({_deals(trouble.count)}), first in"
        yield from _draw_question(trouble.seen)
    if found.left_alone:
        yield f"  Not asked any more, for that reason: {', '.join(found.left_alone)}"
    yield ""
    result = found.result
    yield f"{_deals(result.asked)} played in {result.seconds:.1f} s."
    if not result.finished and not found.stopped:
        yield "The time was over before everything was asked; try --seconds."


def _deals(count: int) -> str:
    return "1 deal" if count == 1 else f"{count} deals"


def _summary(found: Findings) -> Iterator[str]:
    base = found.base["ruleset"]
    seen = len(found.result.observed)
    unseen = sum(reason in (NOT_SHOWN, NO_AUCTION) for reason in found.result.unseen.values())
    yield f"{seen} of {seen + unseen} house rules that matter here were seen in play."
    if unseen:
        yield f"The others are taken over from {base}, without evidence."
    if found.never_shown:
        yield f"The engine never shows {', '.join(found.never_shown)}."
    if not found.values:
        yield f"Nothing that was seen differs from {base}."
        return
    yield ""
    yield f"What differs from {base}"


def _draw_value(value: Value) -> Iterator[str]:
    before = "" if value.instead_of is None else f" (not {shown_value(value.instead_of)})"
    votes = ""
    if value.votes is not None:
        for_it, against = value.votes
        votes = f", {_deals(for_it)} for it" + (f", {against} against" if against else "")
    cited = ", ".join((value.rule, *value.sources))
    yield f"  {value.name} = {shown_value(value.value)}{before}: {value.sureness}{votes} [{cited}]"
    if value.suspicion:
        yield f"    probably a bug: {value.suspicion}"
    if value.witness is not None:
        yield from _draw_question(value.witness)


def _draw_question(seen: Seen) -> Iterator[str]:
    for number, deal in enumerate(seen.deals):
        for line in draw_deal(deal, number + 1 if len(seen.deals) > 1 else None):
            yield f"  {line}"
        if deal["actions"]:
            yield "      " + ", ".join(
                f"{seat} {action_sign(act)}" for seat, act in deal["actions"]
            )


# --------------------------------------------------------------------------- what is not known


def _not_told(found: Findings) -> Iterator[str]:
    result = found.result
    hidden = [name for name in UNSEEN_OPTIONS if name not in _OTHER_TABLES]
    idle = {
        path: reason
        for path, reason in result.unseen.items()
        if reason not in (NOT_SHOWN, NO_AUCTION)
        and path[-1] not in UNSEEN_OPTIONS
        and path[-1] != "talon"
    }
    yield ""
    yield "What cannot be told"
    yield f"  no program shows it: {', '.join(hidden)}"
    for reason, names in _grouped(
        (reason, path[1]) for path, reason in idle.items() if _is_option(path)
    ):
        yield f"  {reason}: {', '.join(names)}"
    fields = sum(not _is_option(path) for path in idle)
    if fields:
        yield f"  {fields} fields of contracts have no effect in this profile (--json lists them)"
    hidden_here = [path for path, reason in result.unseen.items() if reason == NO_AUCTION]
    if hidden_here:
        fields_here = dict.fromkeys(_parts(path)[0] for path in hidden_here)
        yield f"  {NO_AUCTION}: {', '.join(fields_here)}"
    unseen = [path for path, reason in result.unseen.items() if reason == NOT_SHOWN]
    lines = [
        *(
            f"  no deal showed {name}{_among(where)}"
            for name, where in _grouped(map(_parts, unseen))
        ),
        *(
            f"  not ruled out: {name}{_among(where)}"
            for name, where in _grouped(
                (f"{_parts(path)[0]} = {shown_value(value)}", _parts(path)[1])
                for path, value in result.unsure
            )
        ),
    ]
    yield from lines[:_MOST_FIELDS]
    if len(lines) > _MOST_FIELDS:
        yield f"  and {len(lines) - _MOST_FIELDS} more of that kind (--json lists them)"


def _is_option(path: Path) -> bool:
    return path[0] == "options"


def _parts(path: Path) -> tuple[str, str]:
    return (path[1], "") if _is_option(path) else (path[2], path[1])


def _grouped(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for key, name in pairs:
        found.setdefault(key, []).append(name)
    return list(found.items())


def _among(where: list[str]) -> str:
    names = [name for name in where if name]
    if not names:
        return ""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f" in {', '.join(names[:_MOST_NAMES])}{more}"


# --------------------------------------------------------------------------- bugs


def _draw_bug(bug: Bug, rules: Rules, ruleset: Resolved) -> Iterator[str]:
    rule = load_rules().get(bug.rule)
    text = rule_text(rule, ruleset) if rule is not None else ""
    named = bug.seen.title and not bug.seen.title.startswith("position ")
    title = f", as in {bug.seen.title}" if named else ""
    yield f"  {bug.rule}, {_deals(bug.count)}{title}: {text}".rstrip(": ")
    for number, deal in enumerate(bug.seen.deals[: bug.miss.deal + 1]):
        for line in draw_deal(deal, number + 1 if len(bug.seen.deals) > 1 else None):
            yield f"  {line}"
        last = bug.miss.view if number == bug.miss.deal else len(deal["actions"])
        moves = deal["actions"][:last]
        if moves:
            yield "      " + ", ".join(f"{seat} {action_sign(action)}" for seat, action in moves)
    for line in _what_differs(bug, rules):
        yield f"  {line}"


def _what_differs(bug: Bug, rules: Rules) -> Iterator[str]:
    if not bug.miss.differences:
        try:
            replay(rules, bug.seen.deals)
        except SpecError:
            yield "  the profile has no such contract, the engine does"
        else:
            yield f"  the engine gave no views: {bug.seen.said or 'nothing'}"
        return
    for one in bug.miss.differences[:_MOST_DIFFERENCES]:
        yield f"  {printable(one.where)}"
        yield f"    expected: {_without(one.expected, one.got)}"
        yield f"    engine: {_without(one.got, one.expected)}"


def _without(value: Any, other: Any) -> str:
    """Print a value; of actions only those that the other has not."""
    lists = isinstance(value, list) and isinstance(other, list)
    if lists and all(isinstance(one, str) for one in [*value, *other]):
        more = [action_sign(one) for one in value if one not in other]
        return printable(", ".join(more)) if more else "nothing more"
    return printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
