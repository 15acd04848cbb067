"""One failing verdict in the HTML report: rules, deal, steps to walk through, first difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bauernschnapsen.notation import SUITS
from bauernschnapsen.ruleset import Resolved

from ..adapter.last_words import telling_lines
from ..corpus.rules import Rule
from ..corpus.scenario import PositionCase, Scenario
from ..corpus.wording import contract_name, rule_text
from ..run.verdicts import Judgement
from ..views import Difference
from . import html_words as say
from .html_deal import draw_deal, draw_marked, draw_position, hand_before
from .repeat import Repeat

Json = dict[str, Any]
_MOST_DIFFERENCES = 8
_STDERR_LINES = 12


def failure_section(
    number: int,
    judgement: Judgement,
    rules: Mapping[str, Rule],
    ruleset: Resolved,
    repeat: Repeat,
    *,
    under: str = "",
) -> str:
    """Return the section of a failure, folded unless it is the first. Seats are as written.

    `under`: what to say, as HTML, about the rules if they are not those of the run.
    """
    item = judgement.item
    told = [under] if under else []
    if isinstance(item, Scenario):
        told.append(f"<p>{say.text(item.why['en'], 2000)}</p>")
    if judgement.reason:
        told.append(f"<p>{say.text(judgement.reason)}</p>")
    stated = list(_rules(judgement, rules, ruleset))
    if stated:
        told.append(f'<dl class="rules">{"".join(stated)}</dl>')
    told += _situation(number, judgement)
    if judgement.differences:
        told += _difference(judgement)
    told += _fault(judgement)
    asked = _as_asked(judgement)
    if asked is not None:
        told.append(f"<p>{asked}</p>")
    told.append(_commands(judgement, repeat))
    if isinstance(item, Scenario):
        named = f"{say.text(item.title)} <code>{say.text(item.id)}</code>"
    else:
        named = _trick_title(item)
    opened = " open" if number == 1 else ""
    return (
        f'<details class="failure" id="failure-{number}"{opened}><summary>'
        f'<h3><span class="verdict {judgement.verdict.value}">{judgement.verdict.value}</span> '
        f"{named}</h3></summary>"
        f"{''.join(told)}</details>"
    )


def _trick_title(case: PositionCase) -> str:
    """What a trick is about, in one line."""
    led = " ".join(say.card(card) for _, card in case.trick)
    contract = say.text(contract_name(case.contract))
    if case.seat is None:
        return f"{contract}: who wins {led}"
    held = " ".join(map(say.card, case.hand))
    return f"{contract}: {say.seat_name(case.seat)} holds {held} and plays to {led}"


def _rules(judgement: Judgement, rules: Mapping[str, Rule], ruleset: Resolved) -> Iterator[str]:
    """The rules at stake; the one that a refused action breaks comes first."""
    named = list(judgement.item.rules)
    first = _first(judgement)
    if first is not None and first.path == ("refused",) and isinstance(first.expected, str):
        named.insert(0, first.expected)
    for name in dict.fromkeys(named):
        if name in rules:
            text = rule_text(rules[name], ruleset)
            yield f"<dt><code>{say.text(name)}</code></dt><dd>{say.text(text, 2000)}</dd>"


def _first(judgement: Judgement) -> Difference | None:
    return judgement.differences[0] if judgement.differences else None


# --------------------------------------------------------------------------- deal and steps


def _situation(number: int, judgement: Judgement) -> Iterator[str]:
    prepared = judgement.prepared
    if isinstance(judgement.item, PositionCase):
        seats = 4 if prepared is None else len(prepared.deals[0]["hands"])
        yield draw_position(str(number), judgement.item, seats)
        return
    if prepared is None:
        return
    first = _first(judgement)
    last = len(prepared.deals) - 1 if first is None else first.deal
    for deal in range(last + 1):
        until = len(prepared.deals[deal]["actions"])
        differs = first is not None and deal == last
        if first is not None and deal == last:
            until = first.view
        drawn = draw_deal(f"{number}-{deal + 1}", prepared, deal, until, differs=differs)
        if last:
            opened = " open" if deal == last else ""
            drawn = f"<details{opened}><summary>Deal {deal + 1}</summary>{drawn}</details>"
        yield drawn


# --------------------------------------------------------------------------- difference


def _difference(judgement: Judgement) -> Iterator[str]:
    first = judgement.differences[0]
    here = [d for d in judgement.differences if (d.deal, d.view) == (first.deal, first.view)]
    rows = []
    for difference in here[:_MOST_DIFFERENCES]:
        more = "" if difference.stated else " <small>filled in from the reference</small>"
        rows.append(
            f'<tr><th scope="row">{say.place(difference)}{more}</th>'
            f"<td>{say.value(difference, difference.expected)}</td>"
            f"<td>{say.value(difference, difference.got)}{_only(difference)}</td></tr>"
        )
    yield (
        f'<div class="difference"><h4>First difference {_when(judgement, first)}</h4>'
        '<div class="scroll" role="group" aria-label="First difference" tabindex="0">'
        '<table><thead><tr><th scope="col">Where</th>'
        '<th scope="col">By the rules</th><th scope="col">By the engine</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    yield from _hands(judgement, first)
    more_of_them = len(judgement.differences) - min(len(here), _MOST_DIFFERENCES)
    if more_of_them:
        plural = "s" if more_of_them > 1 else ""
        yield f"<p>{more_of_them} more difference{plural} from there on.</p>"
    yield "</div>"


def _only(difference: Difference) -> str:
    """For sets of actions: what is missing, and what should not be there."""
    want, got = difference.expected, difference.got
    if not (isinstance(want, list | tuple) and isinstance(got, list)):
        return ""
    if not all(isinstance(one, str) for one in (*want, *got)):
        return ""
    missing = [one for one in want if one not in got]
    extra = [one for one in got if one not in want]
    told = [f"missing: {say.actions(missing)}"] if missing else []
    told += [f"too much: {say.actions(extra)}"] if extra else []
    return f'<br><strong class="wrong">{"; ".join(told)}</strong>' if told else ""


def _hands(judgement: Judgement, first: Difference) -> Iterator[str]:
    """The hand of the seat in question with what may be played by the rules and by the engine."""
    item, prepared = judgement.item, judgement.prepared
    if first.path[:1] not in (("legal",), ("legal_plays",)) or not isinstance(first.got, list):
        return
    if not isinstance(first.expected, list | tuple):
        return
    if isinstance(item, PositionCase):
        seat, hand = item.seat or "", list(item.hand)
    elif prepared is not None and len(first.path) == 2:
        seat = first.path[1]
        record = prepared.deals[first.deal]
        hand = hand_before(record, prepared.expected[first.deal], seat, first.view)
    else:
        return
    want, got = (_cards(side) for side in (first.expected, first.got))
    if want == got or not set(hand) & (want | got):
        return
    yield (
        f'<div class="hands"><div><p>{say.seat_name(seat)} may play, by the rules:</p>'
        f"{draw_marked(hand, sorted(want))}</div>"
        f"<div><p>by the engine:</p>{draw_marked(hand, sorted(got))}</div></div>"
    )


def _cards(told: Sequence[Any]) -> set[str]:
    """The cards that may be played, from actions or from cards."""
    return {
        one.removeprefix("play ")
        for one in told
        if isinstance(one, str) and (one.startswith("play ") or " " not in one)
    }


def _when(judgement: Judgement, difference: Difference) -> str:
    prepared = judgement.prepared
    if prepared is None or isinstance(judgement.item, PositionCase):
        return "in this situation"
    deal = f"in deal {difference.deal + 1} " if len(prepared.deals) > 1 else ""
    if not difference.view:
        return f"{deal}before the first action"
    seat, action = prepared.deals[difference.deal]["actions"][difference.view - 1]
    return f"{deal}after step {difference.view}: {say.seat_name(seat)} {say.action(action)}"


def _as_asked(judgement: Judgement) -> str | None:
    """How the table was turned, so that the lines on the wire can be understood."""
    turning = judgement.turning
    if turning is None or turning.is_plain:
        return None
    parts = []
    if turning.places:
        moved = [
            f"{say.seat_name(was)} as {say.seat_name(now)}" for was, now in turning.seat.items()
        ]
        parts.append(", ".join(moved))
    if turning.suits != SUITS:
        changed = [
            f"{say.suit(was)} as {say.suit(now)}"
            for was, now in zip(SUITS, turning.suits, strict=True)
            if was != now
        ]
        parts.append(", ".join(changed))
    return f"It was asked with {'; '.join(parts)}."


def _fault(judgement: Judgement) -> Iterator[str]:
    fault = judgement.fault
    if fault is None:
        return
    if fault.excerpt:
        yield f"<p>The line began:</p><pre>{say.text(fault.excerpt, 500)}</pre>"
    if fault.hint:
        yield f"<p>Hint: {say.text(fault.hint)}</p>"
    if fault.stderr_tail:
        lines = "\n".join(say.text(x) for x in telling_lines(fault.stderr_tail, _STDERR_LINES))
        yield f"<p>The adapter’s stderr says:</p><pre>{lines}</pre>"


def _commands(judgement: Judgement, repeat: Repeat) -> str:
    said = {"repeat": "Repeat this one", "as here": "Repeat the whole run", "by hand": "By hand"}
    told = []
    for line in repeat.lines(judgement):
        name, _, command = line.strip().partition(": ")
        told.append(f"<p>{said.get(name, name)}:</p>{say.command(command)}")
    return f'<div class="commands">{"".join(told)}</div>'
