"""The rulebook of one ruleset in one HTML file that needs nothing else: for a table of one's own.

It has what the site has for players: how the table differs from the main ruleset, the contracts,
and every rule that is said there, with the examples that are true there.
"""

from __future__ import annotations

import re
from html import escape

from ..cards import page_script, page_style
from .examples import data_script, full_example_html
from .model import Book
from .page import Heading, Page, resolve
from .pages_rules import chapter_page
from .pages_tables import contracts_table, differences, differences_table
from .play.bundle import play_script, play_style
from .play.data import rulesets_script, words_script
from .publish import OWN_ASSETS
from .tongue import Tongue

_LINK = re.compile(
    r'<a href="\{\{([a-z0-9./_-]+)(#[A-Za-z0-9._:-]*)?\}\}"[^>]*>(.*?)</a>', re.DOTALL
)


def single_html(book: Book, tongue: Tongue) -> str:
    """Return the whole book as one HTML document."""
    title = escape(tongue.of(book.ruleset["title"]).text) if "title" in book.ruleset else ""
    title = title or escape(str(book.ruleset["ruleset"]))
    chapters = [
        (chapter, chapter_page(chapter, book, tongue, full_example_html))
        for chapter in book.chapters
    ]
    contents = "".join(
        f'<li><a href="#chapter-{chapter.name}">{escape(page.title)}</a></li>'
        for chapter, page in chapters
    )
    parts = [f"<header><h1>{title}</h1>"]
    if book.ruleset.get("about"):
        parts.append(f"<p>{tongue.html(tongue.of(book.ruleset['about']))}</p>")
    parts.append("<p><bs-deck></bs-deck></p></header><main>")
    changed = differences(next(iter(book.rulesets.values())), book.ruleset)
    if changed:
        main = next(iter(book.rulesets))
        parts.append(f"<section><h2>{tongue('rulesets.differences')}</h2>")
        parts.append(differences_table(changed, str(book.ruleset["ruleset"]), main, tongue))
        parts.append("</section>")
    parts.append(f"<nav><h2>{tongue('nav.rules')}</h2><ol>{contents}</ol></nav>")
    parts.append(f'<section id="contracts"><h2>{tongue("contracts.title")}</h2>')
    parts.append(f"{contracts_table(book, tongue)}</section>")
    for chapter, page in chapters:
        parts.append(_section(f"chapter-{chapter.name}", page))
    body = "".join(parts) + "</main>"
    pages = {page.path for _, page in chapters}
    body = _LINK.sub(lambda found: _linked(found, pages), body)
    body = resolve(body, lambda _: "")
    style = (OWN_ASSETS / "rulebook.css").read_text("utf-8") + play_style()
    style = page_style() + style.replace(".md-typeset ", "")
    frame = (OWN_ASSETS / "single.css").read_text("utf-8")
    script = page_script(tongue.cards) + (OWN_ASSETS / "rulebook.js").read_text("utf-8")
    script += words_script(book, tongue) + data_script(book.examples.values())
    script += rulesets_script(book) + play_script()
    return (
        f'<!doctype html>\n<html lang="{tongue.code}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}{frame}</style>\n</head>\n<body>\n{body}\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _section(name: str, page: Page) -> str:
    parts = [f'<section id="{name}"><h2>{escape(page.title)}</h2>']
    for block in page.blocks:
        if isinstance(block, Heading):
            parts.append(f'<h3 id="{block.id}">{block.html}</h3>')
        else:
            parts.append(block)
    # The choice of cards stands once, at the top.
    return "".join(parts).replace("<bs-deck></bs-deck>", "") + "</section>"


def _linked(found: re.Match[str], pages: set[str]) -> str:
    """Lead to the place in this file, or leave the words where there is none."""
    if found[1] in pages and found[2]:
        return f'<a href="{found[2]}">{found[3]}</a>'
    return found[3]
