"""An example under a rule: a scenario in words, and as data to play with.

On the site `<bs-example>` says in words what the example shows; its data is in a script that all
languages share (`data_script`), from which `play/` lays out the table. In a book without that
player (`full_example_html`) the hands lie around the table, with every step:
`<bs-hand cards="KH AS">` and `<bs-chip card="KH">` hold plain text until a script draws them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from ..views import Statement
from .model import Book, Example
from .page import link
from .play import example_data
from .tongue import Tongue

Json = dict[str, Any]


def example_html(example: Example, book: Book, tongue: Tongue, *, more: bool = False) -> str:
    """Return the example for the player; `more`: folded away behind its title."""
    inside = f'<div class="bs-example-text">{_why(example, book, tongue)}</div>'
    return _box(example, inside, tongue, more=more)


def full_example_html(example: Example, book: Book, tongue: Tongue, *, more: bool = False) -> str:
    """Return the example with its table and steps, for a page without a player."""
    parts = [_why(example, book, tongue)]
    for number in range(len(example.prepared.deals)):
        parts.append(_deal_number(example, number, tongue))
        parts.append(facts_html(example, number, tongue) + deal_html(example, number, tongue))
        parts.append(steps_html(example, number, book, tongue))
    return _box(example, f'<div class="bs-example-text">{"".join(parts)}</div>', tongue, more=more)


def data_script(examples: Iterable[Example]) -> str:
    """Return a script that leaves the data of examples where `play/` looks for it."""
    data = {example.scenario.id: example_data(example) for example in examples}
    return (
        "{ const play = (globalThis.bauernschnapsenPlay ??= {});\n"
        f"Object.assign((play.examples ??= {{}}), {_json(data)}); }}\n"
    )


def script_of(chapter: str) -> str:
    """Return the path of the script with the examples of a chapter's page."""
    return f"assets/examples/{chapter}.js"


def _box(example: Example, inside: str, tongue: Tongue, *, more: bool) -> str:
    title = tongue.html(tongue.of(example.title))
    named = escape(example.scenario.id)
    label = f'<span class="bs-example-label">{tongue("example.title")}</span> '
    body = f'<bs-example data-scenario="{named}">{inside}</bs-example>'
    opening = f'class="bs-example-box" id="{named}" data-search-exclude'
    if more:
        return f"<details {opening}><summary>{label}{title}</summary>{body}</details>"
    return f'<div {opening}><p class="bs-example-title">{label}{title}</p>{body}</div>'


def _why(example: Example, book: Book, tongue: Tongue) -> str:
    why = f'<p class="bs-why">{tongue.html(tongue.of(example.why))}</p>'
    if example.scenario.under and book.is_main:
        why += under_html(example.scenario.under, tongue)
    return why


def _deal_number(example: Example, number: int, tongue: Tongue) -> str:
    if len(example.prepared.deals) == 1:
        return ""
    return f'<p class="bs-deal-no">{tongue("example.deal", number=number + 1)}</p>'


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
        case "bid" | "raise" | "bid-without-talon":
            return tongue(f"action.{verb}", contract=escape(tongue.contract(rest)))
        case "turn-up":
            return tongue("action.turn-up", card=_unseen(rest, tongue))
        case _:
            return _said(action, tongue)


def _said(action: str, tongue: Tongue) -> str:
    """Return what is only said: a word that is an action, or one that is none, such as `wait`."""
    key = f"action.{action.replace(' ', '-')}"
    return (
        tongue(key) if tongue.interface.has(key) else tongue("action.other", words=escape(action))
    )


def _unseen(number: str, tongue: Tongue) -> str:
    """Return which of the unseen cards is turned up: the number of the action in words."""
    place = {"1": "first", "2": "second", "3": "third"}[number]
    return tongue(f"example.{place}-card")


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
            return f"{tongue.action(verb)} ({_unseen(rest, tongue)})"
        case _:
            return tongue.action(verb)


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def under_html(under: Json, tongue: Tongue) -> str:
    """Return the house rules that an example belongs to."""
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
    return f'<p class="bs-under">{tongue.labelled(tongue("example.under"), listed)}</p>'


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, list | dict) else str(value)


def facts_html(example: Example, number: int, tongue: Tongue) -> str:
    """Return contract, declarer, trump and score of a deal, or how it begins."""
    deal = example.prepared.deals[number]
    first = example.prepared.expected[number][0]
    start = deal.get("contract")
    facts = []
    if start is not None:
        facts.append(f"<b>{escape(tongue.contract(start['name']))}</b>")
        declarer = escape(tongue.seat(start["declarer"]))
        facts.append(tongue.labelled(tongue("example.declarer"), declarer))
        trump = (first.get("contract") or {}).get("trump")
        key = "example.trump" if trump is not None else "example.named"
        facts.append(tongue.labelled(tongue(key), tongue.suit(start["trump"])))
    else:
        facts.append(tongue("example.auction" if deal.get("dealer") else "example.follows"))
    scores = deal.get("scores")
    if scores and any(scores.values()):
        shown = ", ".join(f"{escape(tongue.side(side))} {have}" for side, have in scores.items())
        facts.append(tongue.labelled(tongue("example.score"), shown))
    return f'<p class="bs-facts">{" · ".join(facts)}</p>'


def deal_html(example: Example, number: int, tongue: Tongue) -> str:
    """Return the hands around the table."""
    deal = example.prepared.deals[number]
    roles = roles_of(deal, tongue)
    boxes = [
        f'<div class="bs-place bs-place-{seat}"><span class="bs-name">'
        f"{escape(tongue.seat(seat))}{roles[seat]}</span>{tongue.hand(cards)}</div>"
        for seat, cards in deal["hands"].items()
    ]
    return f'<div class="bs-deal bs-seats-{len(boxes)}">{"".join(boxes)}</div>'


def roles_of(deal: Json, tongue: Tongue) -> dict[str, str]:
    """Return who is forehand, dealer and declarer, as HTML to follow the name of the seat."""
    seats = list(deal["hands"])
    dealer, start = deal.get("dealer"), deal.get("contract")
    forehand = seats[(seats.index(dealer) + 1) % len(seats)] if dealer else None
    found = {}
    for seat in seats:
        roles = [
            tongue(f"example.{role}")
            for role, has in (
                ("forehand", seat == forehand),
                ("dealer", seat == dealer),
                ("declarer", start is not None and seat == start["declarer"]),
            )
            if has
        ]
        found[seat] = f" <small>{escape(', '.join(roles))}</small>" if roles else ""
    return found


def steps_html(example: Example, number: int, book: Book, tongue: Tongue) -> str:
    """Return what happens in a deal as a list; nothing where nothing does."""
    lines = [
        f'<li class="{kind}">{line}</li>' if kind else f"<li>{line}</li>"
        for kind, line in step_lines(example, number, book, tongue)
    ]
    return f'<ol class="bs-steps">{"".join(lines)}</ol>' if lines else ""


def step_lines(
    example: Example, number: int, book: Book, tongue: Tongue
) -> Iterator[tuple[str, str]]:
    """Yield what happens with its kind: refused (r), summed up (s), may be done (m), or ""."""
    actions = example.prepared.deals[number]["actions"]
    views = example.prepared.expected[number]
    asked: dict[int, list[Statement]] = {}
    for statement in example.prepared.statements:
        if statement.deal == number and statement.kind == "legal":
            asked.setdefault(statement.view, []).append(statement)
    yield from (("m", _may(statement, tongue)) for statement in asked.get(0, []))
    for place, (seat, action) in enumerate(actions, start=1):
        view, before = views[place], views[place - 1]
        who = f"<b>{escape(tongue.seat(seat))}</b>"
        if view.get("refused"):
            yield (
                "r",
                f"{tongue.labelled(who, action_html(action, tongue))} "
                f"<span>✗ {tongue('example.refused')}, {tongue('example.because')} "
                f"{rule_link(view['refused'], book)}</span>",
            )
        else:
            yield "", tongue.labelled(who, action_html(action, tongue))
            if view["last_trick"] != before["last_trick"]:
                trick = view["last_trick"]
                winner = escape(tongue.seat(trick["winner"]))
                yield "s", tongue("example.wins", seat=winner, points=trick["points"])
        yield from (("s", line) for line in _ended(view, before, tongue))
        yield from (("m", _may(statement, tongue)) for statement in asked.get(place, []))


def _may(statement: Statement, tongue: Tongue) -> str:
    who = f"<b>{escape(tongue.seat(statement.path[0]))}</b>"
    if not statement.value:
        return f"{who} {tongue('example.may-nothing')}"
    said = ", ".join(may_html(action, tongue) for action in statement.value)
    return tongue.labelled(f"{who} {tongue('example.may')}", said)


def _ended(view: Json, before: Json, tongue: Tongue) -> Iterator[str]:
    outcome = view.get("outcome")
    if outcome is not None and before.get("outcome") is None:
        awards = [
            tongue("example.awards", side=escape(tongue.side(side)), points=points)
            for side, points in outcome["awards"].items()
            if points
        ]
        said = f"{tongue('example.ends')} ({escape(tongue.outcome(outcome['reason']))})"
        yield tongue.labelled(said, tongue("mark.semicolon").join(awards) or "0")
    game = view.get("game")
    if game is not None and before.get("game") is None:
        winners = ", ".join(escape(tongue.side(side)) for side in game["winners"])
        yield tongue("example.game", side=winners)


def rule_link(rule_id: str, book: Book) -> str:
    """Return a link to a rule by its number."""
    entry = book.entries.get(rule_id)
    if entry is None:
        return f"<code>{escape(rule_id)}</code>"
    return link(f"rules/{entry.rule.chapter}.md#{rule_id}", entry.number)
