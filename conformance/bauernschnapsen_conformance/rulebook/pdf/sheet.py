"""The quick sheet in print: one A4 page, the contracts across it and the rest in two columns."""

from __future__ import annotations

from html import escape

from ...cards import Deck
from ...cards.faces import default_deck
from ..model import Book
from ..page import Heading
from ..pages_sheet import sheet_page
from ..tongue import Tongue
from .book import linked, page_html
from .pictures import Pictures


def sheet_html(book: Book, tongue: Tongue, *, deck: Deck | None = None) -> tuple[str, Pictures]:
    """Return the sheet as a document for print, and its pictures."""
    pictures = Pictures(tongue.cards, deck or default_deck(tongue.code))
    sections: dict[str, str] = {}
    name = ""
    for block in sheet_page(book, tongue).blocks:
        if isinstance(block, Heading):
            name = block.id
            sections[name] = f'<h2 id="{name}">{block.html}</h2>'
        elif name:
            sections[name] += block
    across = sections.pop("contracts")
    columns = "".join(f'<section class="block">{one}</section>' for one in sections.values())
    title = tongue("nav.sheet")
    table = escape(tongue.of(book.ruleset.get("title", {"en": str(book.ruleset["ruleset"])})).text)
    body = (
        f'<header><h1>Bauernschnapsen</h1><p class="what">{title} · {table}</p></header>'
        f'<section class="block">{across}</section><div class="columns">{columns}</div>'
    )
    body = linked(pictures.printed(body)).replace("\u202f", "\u00a0")
    styles = ("type.css", "sheet.css")
    return page_html(body, f"Bauernschnapsen: {title}", tongue, styles), pictures
