"""The quick sheet: what one looks up in the middle of a game, in the words of the rules themselves.

It is made from the data alone, so that it is there in every language and for every ruleset; on
paper it fills one A4 page.
"""

from __future__ import annotations

from html import escape

from bauernschnapsen.cards import POINTS
from bauernschnapsen.notation import parse_card

from ..corpus.wording import glossary
from .examples import rule_link
from .model import Book
from .page import Heading, Page, table
from .pages_tables import contracts_table
from .tongue import Tongue

_RULES = (
    "deal.packets", "deal.trump-from-three", "deal.turn-up",
    "auction.must-open", "auction.higher", "auction.hold", "auction.end",
    "play.forehand-leads", "play.declarer-leads", "play.follow", "play.beat", "play.ruff",
    "play.over-ruff", "play.discard", "play.trump-wins", "play.suit-wins",
    "marriages.contracts", "marriages.on-lead", "marriages.twenty", "marriages.forty",
    "marriages.at-once",
    "claims.moment", "claims.one-point", "claims.two-points", "claims.three-points",
    "claims.false",
    "doubling.kontra", "doubling.window", "doubling.factor",
    "match.target", "match.bummerl", "match.schneider",
)  # fmt: skip
"""What stands on the sheet, as far as the book's ruleset says it."""


def sheet_page(book: Book, tongue: Tongue) -> Page:
    """Return the sheet as a page of the site."""
    page = Page("sheet.md", tongue("nav.sheet"))
    page.add('<p class="bs-tools"><bs-deck></bs-deck></p>')
    page.add(Heading(2, tongue("glossary.ranks"), "cards"), ranks_table(tongue))
    short_table = contracts_table(book, tongue, columns=("value", "bidders", "goal"))
    page.add(Heading(2, tongue("contracts.title"), "contracts"), short_table)
    for chapter in book.chapters:
        lines = [
            f"<li>{tongue.html(tongue.rule(entry.rule, entry.ruleset))} "
            f"<small>{rule_link(entry.rule.id, book)}</small></li>"
            for entry in chapter.entries
            if entry.rule.id in _RULES
        ]
        if lines:
            title = tongue.html(tongue.of(chapter.title))
            page.add(Heading(2, title, chapter.name), f"<ul>{''.join(lines)}</ul>")
    return page


def ranks_table(tongue: Tongue) -> str:
    """Return the cards from the highest to the lowest, with their card points."""
    rows = []
    for entry in glossary()["ranks"].values():
        code = entry["code"]
        name = escape(entry["french"][tongue.code]["main"])
        rows.append([name, tongue.hand([f"{code}H"]), str(POINTS[parse_card(f"{code}H")])])
    return table(["", "", escape(str(tongue.term("card-points") or ""))], rows, "bs-data bs-narrow")
