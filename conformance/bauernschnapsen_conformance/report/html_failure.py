"""One failing verdict in the HTML report: rules, deal, steps to walk through, first difference."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bauernschnapsen.notation import SUITS
from bauernschnapsen.ruleset import Resolved

from ..cards import card_element
from ..corpus.reference import Prepared
from ..corpus.rules import Rule
from ..corpus.scenario import PositionCase, Scenario
from ..corpus.wording import contract_name, rule_text
from ..verdicts import Judgement
from ..views import Difference, View
from . import html_words as say
from .repeat import Repeat

Json = dict[str, Any]
CARD_WIDTH = 46
_MOST_DIFFERENCES = 8
_STDERR_LINES = 12


def failure_section(
    number: int,
    judgement: Judgement,
    rules: Mapping[str, Rule],
    ruleset: Resolved,
    repeat: Repeat,
) -> str:
    """Return the section of a failure, folded unless it is the first. Seats are as written."""
    item = judgement.item
    told = [f"<p>{say.text(judgement.reason)}</p>"] if judgement.reason else []
    if isinstance(item, Scenario):
        told.insert(0, f"<p>{say.text(item.why['en'], 2000)}</p>")
    stated = list(_rules(judgement, rules, ruleset))
    if stated:
        told.append(f'<dl class="rules">{"".join(stated)}</dl>')
    told += _situation(number, judgement)
    if judgement.differences:
        told += _difference(number, judgement)
    told += _fault(judgement)
    asked = _as_asked(judgement)
    if asked is not None:
        told.append(f"<p>{asked}</p>")
    told.append(_commands(judgement, repeat))
    title = item.title if isinstance(item, Scenario) else "A trick"
    named = item.id if isinstance(item, Scenario) else item.chapter
    opened = " open" if number == 1 else ""
    return (
        f'<details class="failure" id="failure-{number}"{opened}><summary>'
        f'<h3><span class="verdict {judgement.verdict.value}">{judgement.verdict.value}</span> '
        f"{say.text(title)} <code>{say.text(named)}</code></h3></summary>"
        f"{''.join(told)}</details>"
    )


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
    if isinstance(judgement.item, PositionCase):
        yield _position(judgement.item)
        return
    prepared = judgement.prepared
    if prepared is None:
        return
    first = _first(judgement)
    last = len(prepared.deals) - 1 if first is None else first.deal
    for deal in range(last + 1):
        until = len(prepared.deals[deal]["actions"])
        differs = first is not None and deal == last
        if first is not None and deal == last:
            until = first.view
        drawn = _deal(f"{number}-{deal + 1}", prepared, deal, until, differs=differs)
        if last:
            opened = " open" if deal == last else ""
            drawn = f"<details{opened}><summary>Deal {deal + 1}</summary>{drawn}</details>"
        yield drawn


def _position(case: PositionCase) -> str:
    trick = ", ".join(f"{say.seat_name(seat)} {say.card(card)}" for seat, card in case.trick)
    told = (
        f"{say.text(contract_name(case.contract))} by {say.seat_name(case.declarer)}, "
        f"{say.suit(case.trump)} was named. On the table: {trick}."
    )
    if case.seat is None:
        return f"<p>{told} The trick is won by {say.seat_name(case.winner or '')}.</p>"
    hand = _marked(case.hand, case.legal)
    return f"<p>{told} {say.seat_name(case.seat)} holds and may play:</p>{hand}"


def _marked(cards: Sequence[str], legal: Sequence[str]) -> str:
    """A hand with its legal cards marked."""
    words = say.words()
    drawn = [
        card_element(
            card,
            words,
            state="legal" if card in legal else "illegal",
            width=CARD_WIDTH,
            lazy=True,
        )
        for card in cards
    ]
    return f'<p class="hand">{" ".join(drawn)}</p>'


def _deal(key: str, prepared: Prepared, deal: int, until: int, *, differs: bool) -> str:
    """A deal as a table with its steps up to `until`, and the data to walk through them."""
    record, views = prepared.deals[deal], prepared.expected[deal]
    words = say.words()
    seats = list(record["hands"])
    dealer = record.get("dealer")
    forehand = None if dealer is None else seats[(seats.index(dealer) + 1) % len(seats)]
    rows = []
    for seat, hand in record["hands"].items():
        role = {dealer: "dealer", forehand: "forehand"}.get(seat) if dealer is not None else None
        cards = " ".join(card_element(c, words, width=CARD_WIDTH, lazy=True) for c in hand)
        more = f"<small>{role}</small>" if role else ""
        rows.append(
            f'<tr><th scope="row">{say.seat_name(seat)}{more}</th>'
            f'<td data-seat="{seat}">{cards}</td></tr>'
        )
    caption = _caption(record)
    data = json.dumps(_walk(record, views, until), ensure_ascii=False, separators=(",", ":"))
    rest = len(record["actions"]) - until
    after = f"<p><small>{rest} more steps follow.</small></p>" if rest > 0 else ""
    return (
        f'<div class="walk" id="walk-{key}"><div class="board"><table class="deal">'
        f"<caption>{caption}</caption><tbody>{''.join(rows)}</tbody></table>"
        f'<div class="stage"></div></div>'
        f'<ol class="steps">{"".join(_steps(record, views, until, differs=differs))}</ol>{after}'
        f'<script type="application/json">{data.replace("<", chr(92) + "u003c")}</script></div>'
    )


def _caption(record: Json) -> str:
    facts = []
    if record.get("contract"):
        start = record["contract"]
        facts.append(
            f"{say.text(contract_name(start['name']))} by {say.seat_name(start['declarer'])}, "
            f"{say.suit(start['trump'])} was named"
        )
    if record.get("dealer") is None:
        facts.append("dealer and score follow from the deal before")
    scores = record.get("scores") or {}
    if any(scores.values()):
        have = ", ".join(f"{say.side_name(side)} {points}" for side, points in scores.items())
        facts.append(f"score {have}")
    return "The cards as dealt" + "".join(f"; {fact}" for fact in facts)


def _steps(record: Json, views: Sequence[View], until: int, *, differs: bool) -> Iterator[str]:
    for number, (seat, action) in enumerate(record["actions"][:until], start=1):
        kind = ' class="differs"' if differs and number == until else ""
        remark = _remark(views[number - 1], views[number])
        yield f"<li{kind}>{say.seat_name(seat)} {say.action(action)}{remark}</li>"


def _remark(before: View, view: View) -> str:
    """What the rules say to an action, if there is anything to say."""
    if view.get("refused"):
        told = f"refused: <code>{say.text(view['refused'])}</code>"
    elif view["outcome"] is not None and before["outcome"] is None:
        awards = view["outcome"]["awards"].items()
        told = "ends the deal: " + ", ".join(f"{say.side_name(s)} {points}" for s, points in awards)
    elif view["last_trick"] != before["last_trick"]:
        trick = view["last_trick"]
        told = f"{say.seat_name(trick['winner'])} wins the trick, {trick['points']} card points"
    else:
        return ""
    return f" <small>{told}</small>"


def _walk(record: Json, views: Sequence[View], until: int) -> Json:
    """What the page needs to show the table after each step.

    gone: card -> the step it leaves the hand with; views: t cards on the table, w who won them,
    a who is to act, l the cards this seat may play, f a line of facts.
    """
    gone: dict[str, int] = {}
    for number, (_, action) in enumerate(record["actions"][:until], start=1):
        verb, _, argument = action.partition(" ")
        if verb in ("play", "marry", "discard") and not views[number].get("refused"):
            gone.update(dict.fromkeys(argument.split(), number))
    return {
        "seats": len(record["hands"]),
        "gone": gone,
        "views": [_view(view) for view in views[: until + 1]],
    }


def _view(view: View) -> Json:
    last = view["last_trick"] or {}
    trick = view["trick"] or []
    turn = view["to_act"]
    playable = [
        action.partition(" ")[2]
        for action in (view["legal"] or {}).get(turn, ())
        if action.startswith("play ")
    ]
    facts = [f"{say.seat_name(turn)} to act"] if turn is not None else ["The deal is over"]
    if view["contract"] is not None:
        contract = view["contract"]
        named = contract_name(contract["name"])
        facts.append(f"{named} by {say.seat_name(contract['declarer'])}")
        if contract.get("factor", 1) != 1:
            facts.append(f"doubled to {contract['factor']}")
    elif view.get("bid"):
        facts.append(f"bid {contract_name(view['bid']['contract'])}")
    if any(view["points"].values()):
        points = view["points"].items()
        facts.append("card points " + ", ".join(f"{say.side_name(s)} {p}" for s, p in points))
    return {
        "t": trick or last.get("cards", []),
        "w": None if trick else last.get("winner"),
        "a": turn,
        "l": playable or None,
        "f": " · ".join(facts),
    }


# --------------------------------------------------------------------------- difference


def _difference(number: int, judgement: Judgement) -> Iterator[str]:
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
        f'<section class="difference" aria-labelledby="difference-{number}">'
        f'<h4 id="difference-{number}">First difference {_when(judgement, first)}</h4>'
        '<div class="scroll"><table><thead><tr><th scope="col">Where</th>'
        '<th scope="col">By the rules</th><th scope="col">By the engine</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    yield from _hands(judgement, first)
    more_of_them = len(judgement.differences) - min(len(here), _MOST_DIFFERENCES)
    if more_of_them:
        plural = "s" if more_of_them > 1 else ""
        yield f"<p>{more_of_them} more difference{plural} from there on.</p>"
    yield "</section>"


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
    if len(first.path) != 2 or first.path[0] != "legal" or not isinstance(first.got, list):
        return
    if not isinstance(first.expected, list | tuple):
        return
    if isinstance(item, PositionCase):
        hand: Sequence[str] = item.hand
    elif prepared is not None:
        record = prepared.deals[first.deal]
        gone = _walk(record, prepared.expected[first.deal], first.view)["gone"]
        hand = [card for card in record["hands"].get(first.path[1], ()) if card not in gone]
    else:
        return
    want, got = (_cards(side) for side in (first.expected, first.got))
    if set(want) == set(got) or not want | got or not set(hand) & (want | got):
        return
    seat = say.seat_name(first.path[1])
    yield f"<p>{seat} may play, by the rules:</p>{_marked(hand, sorted(want))}"
    yield f"<p>by the engine:</p>{_marked(hand, sorted(got))}"


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
        lines = "\n".join(say.text(x) for x in fault.stderr_tail.splitlines()[-_STDERR_LINES:])
        yield f"<p>The adapter’s stderr ended with:</p><pre>{lines}</pre>"


def _commands(judgement: Judgement, repeat: Repeat) -> str:
    said = {"repeat": "Repeat this one", "as here": "Repeat the whole run", "by hand": "By hand"}
    told = []
    for line in repeat.lines(judgement):
        name, _, command = line.strip().partition(": ")
        told.append(f"<p>{said.get(name, name)}:</p><pre>{say.text(command.strip(), 4000)}</pre>")
    return f'<div class="commands">{"".join(told)}</div>'
