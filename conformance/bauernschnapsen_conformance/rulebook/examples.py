"""An example under a rule: a scenario as a table with its steps, and as data to play with.

`<bs-example>` holds the data as JSON (`play/examples.py` says what is in it) and, for readers
without scripts, for search engines and for print, everything in words inside `.bs-example-text`.
Where scripts run, `play/` takes the element over and hides that text on the screen.

`<bs-hand cards="KH AS">` and `<bs-chip card="KH">` hold plain text and are drawn by the scripts.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from ..views import Statement
from .model import Book, Example
from .page import link
from .play import example_data
from .tongue import Tongue

Json = dict[str, Any]
_CARD_VERBS = ("play", "marry", "discard")


def example_html(example: Example, book: Book, tongue: Tongue, *, more: bool = False) -> str:
    """Return the example as HTML; `more`: folded away behind its title."""
    title = tongue.html(tongue.of(example.title))
    deals = example.prepared.deals
    parts = []
    why = tongue.html(tongue.of(example.why))
    parts.append(f'<p class="bs-why">{why}</p>')
    if example.scenario.under and book.is_main:
        parts.append(_under(example.scenario.under, tongue))
    for number in range(len(deals)):
        if len(deals) > 1:
            parts.append(f'<p class="bs-deal-no">{tongue("example.deal", number=number + 1)}</p>')
        parts.append(_deal(example, number, tongue))
        parts.append(_steps(example, number, book, tongue))
    data = _json(example_data(example))
    inside = (
        f'<script type="application/json">{data}</script>'
        f'<div class="bs-example-text">{"".join(parts)}</div>'
    )
    named = escape(example.scenario.id)
    label = f'<span class="bs-example-label">{tongue("example.title")}</span> '
    body = f'<bs-example data-scenario="{named}" data-search-exclude>{inside}</bs-example>'
    if more:
        return (
            f'<details class="bs-example-box" id="{named}"><summary>{label}{title}</summary>'
            f"{body}</details>"
        )
    return (
        f'<div class="bs-example-box" id="{named}"><p class="bs-example-title">{label}{title}</p>'
        f"{body}</div>"
    )


def action_html(action: str, tongue: Tongue) -> str:
    """Return an action in words and cards, without who acts."""
    verb, _, rest = action.partition(" ")
    match verb:
        case "play":
            return tongue.card(rest)
        case "marry":
            return tongue("action.marry", card=tongue.card(rest))
        case "discard":
            return tongue("action.discard", cards=tongue.chips(rest.split()))
        case "trump":
            return tongue("action.trump", suit=tongue.suit(rest))
        case "bid" | "raise":
            return tongue(f"action.{verb}", contract=escape(tongue.contract(rest)))
        case "turn-up":
            place = tongue("example.first-card" if rest == "1" else "example.second-card")
            return tongue("action.turn-up", card=place)
        case _:
            known = tongue.interface.has(f"action.{verb}")
            return tongue(f"action.{verb}") if known else escape(action)


def may_html(action: str, tongue: Tongue) -> str:
    """Return an action that is only possible: a card, a contract, or what one does."""
    verb, _, rest = action.partition(" ")
    match verb:
        case "play":
            return tongue.card(rest)
        case "bid" | "raise":
            return escape(tongue.contract(rest))
        case "marry" | "discard":
            return f"{tongue.action(verb)} ({tongue.chips(rest.split())})"
        case "trump":
            return f"{tongue.action(verb)} ({tongue.suit(rest)})"
        case "turn-up":
            place = tongue("example.first-card" if rest == "1" else "example.second-card")
            return f"{tongue.action(verb)} ({place})"
        case _:
            return tongue.action(verb)


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _under(under: Json, tongue: Tongue) -> str:
    fields = []
    for name, value in under.get("options", {}).items():
        fields.append(f"options.{name} = {_value(value)}")
    for name, value in under.get("all_contracts", {}).items():
        fields.append(f"{name} = {_value(value)}")
    for contract, changes in under.get("contracts", {}).items():
        fields += [f"{contract}.{name} = {_value(value)}" for name, value in changes.items()]
    if "ruleset" in under:
        fields.insert(0, under["ruleset"])
    listed = ", ".join(f"<code>{escape(text)}</code>" for text in fields)
    return f'<p class="bs-under">{tongue("example.under")}: {listed}</p>'


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, list | dict) else str(value)


def _deal(example: Example, number: int, tongue: Tongue) -> str:
    """Return the four hands around the table, with the trick that the question is about."""
    deal = example.prepared.deals[number]
    first = example.prepared.expected[number][0]
    seats = list(deal["hands"])
    dealer = deal.get("dealer")
    forehand = seats[(seats.index(dealer) + 1) % len(seats)] if dealer else None
    start = deal.get("contract")
    facts = []
    if start is not None:
        facts.append(f"<b>{escape(tongue.contract(start['name']))}</b>")
        facts.append(f"{tongue('example.declarer')}: {escape(tongue.seat(start['declarer']))}")
        trump = (first.get("contract") or {}).get("trump")
        key = "example.trump" if trump is not None else "example.named"
        facts.append(f"{tongue(key)}: {tongue.suit(start['trump'])}")
    elif dealer is not None:
        facts.append(tongue("example.auction"))
    else:
        facts.append(tongue("example.follows"))
    scores = deal.get("scores")
    if scores and any(scores.values()):
        shown = ", ".join(f"{escape(tongue.side(side))} {have}" for side, have in scores.items())
        facts.append(f"{tongue('example.score')}: {shown}")
    boxes = []
    for seat, cards in deal["hands"].items():
        roles = []
        if seat == forehand:
            roles.append(tongue("example.forehand"))
        if seat == dealer:
            roles.append(tongue("example.dealer"))
        if start is not None and seat == start["declarer"]:
            roles.append(tongue("example.declarer"))
        role = f" <small>{escape(', '.join(roles))}</small>" if roles else ""
        shown = tongue.hand(cards)
        boxes.append(
            f'<div class="bs-place bs-place-{seat}"><span class="bs-name">'
            f"{escape(tongue.seat(seat))}{role}</span>"
            f"{shown}</div>"
        )
    return (
        f'<p class="bs-facts">{" · ".join(facts)}</p>'
        f'<div class="bs-deal bs-seats-{len(seats)}">{"".join(boxes)}</div>'
    )


def _steps(example: Example, number: int, book: Book, tongue: Tongue) -> str:
    actions = example.prepared.deals[number]["actions"]
    views = example.prepared.expected[number]
    asked: dict[int, list[Statement]] = {}
    for statement in example.prepared.statements:
        if statement.deal == number and statement.kind == "legal":
            asked.setdefault(statement.view, []).append(statement)
    lines = [_may(statement, tongue) for statement in asked.get(0, [])]
    for place, (seat, action) in enumerate(actions, start=1):
        view, before = views[place], views[place - 1]
        who = f"<b>{escape(tongue.seat(seat))}</b>"
        if view.get("refused"):
            rule = view["refused"]
            lines.append(
                f'<li class="r">{who}: {action_html(action, tongue)} '
                f"<span>✗ {tongue('example.refused')}, {tongue('example.because')} "
                f"{rule_link(rule, book)}</span></li>"
            )
        else:
            lines.append(f"<li>{who}: {action_html(action, tongue)}</li>")
            if view["last_trick"] != before["last_trick"]:
                trick = view["last_trick"]
                said = tongue(
                    "example.wins",
                    seat=escape(tongue.seat(trick["winner"])),
                    points=trick["points"],
                )
                lines.append(f'<li class="s">{said}</li>')
        lines += _ended(view, before, tongue)
        lines += [_may(statement, tongue) for statement in asked.get(place, [])]
    if not lines:
        return ""
    return f'<ol class="bs-steps">{"".join(lines)}</ol>'


def _may(statement: Statement, tongue: Tongue) -> str:
    who = f"<b>{escape(tongue.seat(statement.path[0]))}</b>"
    if not statement.value:
        return f'<li class="m">{who} {tongue("example.may-nothing")}</li>'
    said = ", ".join(may_html(action, tongue) for action in statement.value)
    return f'<li class="m">{who} {tongue("example.may")}: {said}</li>'


def _ended(view: Json, before: Json, tongue: Tongue) -> list[str]:
    lines = []
    outcome = view.get("outcome")
    if outcome is not None and before.get("outcome") is None:
        awards = [
            tongue("example.awards", side=escape(tongue.side(side)), points=points)
            for side, points in outcome["awards"].items()
            if points
        ]
        said = f"{tongue('example.ends')} ({escape(tongue.outcome(outcome['reason']))})"
        lines.append(f'<li class="s">{said}: {"; ".join(awards) or "0"}</li>')
    game = view.get("game")
    if game is not None and before.get("game") is None:
        winners = ", ".join(escape(tongue.side(side)) for side in game["winners"])
        lines.append(f'<li class="s">{tongue("example.game", side=winners)}</li>')
    return lines


def rule_link(rule_id: str, book: Book) -> str:
    """Return a link to a rule by its number."""
    entry = book.entries.get(rule_id)
    if entry is None:
        return f"<code>{escape(rule_id)}</code>"
    return link(f"rules/{entry.rule.chapter}.md#{rule_id}", entry.number)
