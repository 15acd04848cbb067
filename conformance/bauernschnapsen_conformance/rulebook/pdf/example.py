"""An example in print: the four hands, what happens, and the answer drawn with ticks and crosses.

On the screen the reader tries the cards; on paper he sees which may be played, and under a cross
the rule that forbids it, which the reference engine names.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import compile_rules

from ...corpus import home_rules
from ..examples import facts_html, roles_of, rule_link, step_lines, under_html
from ..model import Book, Example
from ..play import example_data
from ..tongue import Tongue
from .pictures import Pictures

Json = dict[str, Any]
_CARD_VERBS = ("play", "marry")


def example_printer(pictures: Pictures) -> Callable[..., str]:
    """Return what prints an example; only the first of a rule, the others are on the site."""

    def printed(example: Example, book: Book, tongue: Tongue, *, more: bool = False) -> str:
        return "" if more else _example(example, book, tongue, pictures)

    return printed


def _example(example: Example, book: Book, tongue: Tongue, pictures: Pictures) -> str:
    title = tongue.html(tongue.of(example.title))
    named = escape(example.scenario.id)
    parts = [
        f'<div class="example" id="{named}"><p class="example-title">'
        f"<span>{tongue('example.title')}</span> {title}</p>"
        f'<p class="why">{tongue.html(tongue.of(example.why))}</p>'
    ]
    if example.scenario.under and book.is_main:
        parts.append(under_html(example.scenario.under, tongue))
    deals = example.prepared.deals
    for number in range(len(deals)):
        if len(deals) > 1:
            parts.append(f'<p class="deal-no">{tongue("example.deal", number=number + 1)}</p>')
        parts.append(
            f'{facts_html(example, number, tongue)}<div class="deal-and-steps">'
            f'<div class="left">{_deal(example, number, tongue)}</div>'
            f'<div class="right">{_steps(example, number, book, tongue)}</div></div>'
            f"{_answer(example, number, book, tongue, pictures)}"
        )
    return "".join(parts) + "</div>"


def _deal(example: Example, number: int, tongue: Tongue) -> str:
    """Return the hands as they lie around the table, north at the top."""
    deal = example.prepared.deals[number]
    roles = roles_of(deal, tongue)
    boxes = {
        seat: f'<div class="place place-{seat}"><span class="name">{escape(tongue.seat(seat))}'
        f"{roles[seat]}</span>{tongue.hand(cards)}</div>"
        for seat, cards in deal["hands"].items()
    }
    sides = "".join(boxes[seat] for seat in ("W", "E") if seat in boxes)
    talon = deal.get("talon")
    aside = tongue.labelled(escape(str(tongue.term("talon"))), tongue.hand(talon)) if talon else ""
    aside = f'<div class="place">{aside}</div>' if talon else ""
    return (
        f'<div class="deal">{boxes["N"]}<div class="sides">{sides}</div>{boxes["S"]}{aside}</div>'
    )


def _steps(example: Example, number: int, book: Book, tongue: Tongue) -> str:
    """Return what happens, the cards of a trick on one line."""
    lines: list[str] = []
    open_trick: list[str] = []
    nothing = tongue("example.may-nothing")
    for kind, line in step_lines(example, number, book, tongue):
        if kind == "m" and line.endswith(nothing):
            continue
        if kind == "" and "<bs-chip card" in line and line.count("<bs-chip") == 1:
            open_trick.append(line)
        elif kind == "s" and open_trick:
            lines.append(f"<li>{', '.join(open_trick)}. <i>{line}</i></li>")
            open_trick = []
        else:
            if open_trick:
                lines.append(f"<li>{', '.join(open_trick)}</li>")
                open_trick = []
            lines.append(f'<li class="{kind}">{line}</li>' if kind else f"<li>{line}</li>")
    if open_trick:
        lines.append(f"<li>{', '.join(open_trick)}</li>")
    return f'<ol class="steps">{"".join(lines)}</ol>'


def _answer(example: Example, number: int, book: Book, tongue: Tongue, pictures: Pictures) -> str:
    """Return the hand in question with its answer; nothing where no card is in question."""
    ask = example_data(example).get("ask")
    if ask is None or ask[0] != number:
        return ""
    view = example.prepared.expected[number][ask[1]]
    seat = view.get("to_act")
    if view["phase"] != "play" or not seat:
        return ""
    cards = _held(example.prepared.deals[number], example.prepared.expected[number], seat, ask[1])
    legal = {
        action.split()[1]
        for action in view["legal"].get(seat, ())
        if action.split()[0] in _CARD_VERBS
    }
    if len(cards) < 2 or len(legal) == len(cards):
        return ""
    refused = ", ".join(
        f"{tongue.card(card)} ✗ {rule_link(rule, book)}"
        for card, rule in _reasons(example, book, (number, ask[1], seat), cards, legal).items()
    )
    asked = tongue("print.may-play", seat=f"<b>{escape(tongue.seat(seat))}</b>")
    hand = pictures.hand(cards, 9.5, sorted(legal))
    table = ""
    if view["trick"]:
        plays = [(who, card) for who, card in view["trick"]]
        seats = len(example.prepared.deals[number]["hands"])
        table = f'<div class="table">{pictures.trick(plays, 30, seats)}</div>'
    return (
        f'<div class="answer">{table}<div class="choice"><p>{asked}</p>{hand}'
        f'<p class="refused">{refused}</p></div></div>'
    )


def _held(deal: Json, views: list[Json], seat: str, place: int) -> list[str]:
    """Return the cards a seat still has before the action at `place`."""
    gone = {
        action.split()[1]
        for (who, action), view in zip(deal["actions"][:place], views[1:], strict=False)
        if who == seat and action.split()[0] in _CARD_VERBS and not view.get("refused")
    }
    return [card for card in deal["hands"][seat] if card not in gone]


def _reasons(
    example: Example, book: Book, asked: tuple[int, int, str], cards: list[str], legal: set[str]
) -> dict[str, str]:
    """Return the rule that forbids each card, as the reference engine refuses it."""
    number, place, seat = asked
    rules = home_rules(example.scenario) if book.is_main else compile_rules(book.ruleset)
    found = {}
    for card in cards:
        if card not in legal:
            deals = [dict(deal) for deal in example.prepared.deals[: number + 1]]
            deals[number]["actions"] = [*deals[number]["actions"][:place], [seat, f"play {card}"]]
            found[card] = str(replay(rules, deals)[number][-1]["refused"])
    return found
