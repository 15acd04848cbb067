"""The rulebook as one HTML document for print: title, contents, rules, tables, indexes.

Parts are h1, chapters h2, rules h3: bookmarks and running heads follow from that. Links lead to
places in the document; where the place is not printed the words stay without a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from ...cards import Deck
from ...cards.faces import default_deck
from ...corpus.wording import glossary
from ..editions import this_edition
from ..examples import rule_link
from ..handwritten import put_in
from ..model import Book, ChapterOfBook
from ..page import Heading, Page, resolve
from ..pages_rules import chapter_page, short, sources_page
from ..pages_tables import (
    contracts_page,
    differences,
    differences_table,
    glossary_page,
    options_page,
    rulesets_page,
)
from ..tongue import Tongue
from .example import example_printer
from .pictures import Pictures

ASSETS = Path(__file__).parent
_LINK = re.compile(r'<a [^>]*?href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
_NARROW_SPACE = "\u202f"
_FAN = ("AH", "TH", "KH", "QH", "JH")


def book_html(
    book: Book, tongue: Tongue, *, learn: str | None = None, deck: Deck | None = None
) -> tuple[str, Pictures]:
    """Return the document and its pictures.

    `learn`: the tutorial as Markdown, which is true for the main ruleset only. `deck`: the cards
    to print, else those of the language.
    """
    pictures = Pictures(tongue.cards, deck or default_deck(tongue.code))
    parts = list(_parts(book, tongue, pictures, learn))
    title = escape(_title(book, tongue))
    edition = tongue("changes.edition", edition=this_edition())
    lines = title.replace(": ", "<br>")
    body = (
        f'<section class="cover"><div class="fan">{_fan(pictures)}</div>'
        f'<p class="title">{lines}</p><p class="subtitle">{tongue("print.subtitle")}</p>'
        f'<p class="edition">{edition}</p></section>'
        f"{_about(book, tongue)}{_contents(parts, tongue)}" + "".join(html for _, _, html in parts)
    )
    body = linked(pictures.printed(body)).replace(_NARROW_SPACE, "\u00a0")
    return page_html(body, title, tongue, ("type.css", "book.css")), pictures


def page_html(body: str, title: str, tongue: Tongue, styles: tuple[str, ...]) -> str:
    """Return a whole document for print."""
    style = "".join((ASSETS / name).read_text("utf-8") for name in styles)
    return (
        f'<!doctype html>\n<html lang="{tongue.code}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        f'<meta name="description" content="{escape(tongue("site.description"))}">\n'
        '<meta name="author" content="The Bauernschnapsen project">\n'
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _title(book: Book, tongue: Tongue) -> str:
    if book.is_main:
        return tongue("site.title")
    name = book.ruleset.get("title")
    return tongue.of(name).text if name else str(book.ruleset["ruleset"])


def _fan(pictures: Pictures) -> str:
    return "".join(pictures.card(card, 26) for card in _FAN)


def _about(book: Book, tongue: Tongue) -> str:
    ruleset = escape(tongue.of(book.ruleset.get("title", {"en": book.ruleset["ruleset"]})).text)
    about = book.ruleset.get("about")
    lines = [
        tongue.html(tongue.of(about)) if about else "",
        tongue("rules.intro", ruleset=ruleset),
        tongue("print.more"),
        tongue("note.prevails"),
        tongue("print.licence"),
    ]
    shown = "".join(f"<p>{line}</p>" for line in lines if line)
    return f'<section class="about"><h1>{tongue("print.about")}</h1>{shown}</section>'


Part = tuple[str, str, str]
"""Anchor, title and HTML. Chapters are parts of their own in the contents."""


def _parts(book: Book, tongue: Tongue, pictures: Pictures, learn: str | None) -> Iterator[Part]:
    if learn is not None and book.is_main:
        yield "part-learn", tongue("nav.learn"), _tutorial(learn, book, tongue, pictures)
    changed = differences(next(iter(book.rulesets.values())), book.ruleset)
    if changed:
        main = next(iter(book.rulesets))
        table = differences_table(changed, str(book.ruleset["ruleset"]), main, tongue)
        title = tongue("rulesets.differences")
        yield "part-differences", title, f'<h1 id="part-differences">{title}</h1>{table}'
    title = tongue("rules.title")
    chapters = "".join(_chapter(one, book, tongue, pictures) for one in book.chapters)
    yield "part-rules", title, f'<h1 id="part-rules">{title}</h1>{chapters}'
    yield _as_part("contracts", contracts_page(book, tongue))
    if book.is_main:
        yield _as_part("rulesets", rulesets_page(book, tongue))
        yield _as_part("options", options_page(book, tongue))
    yield _as_part("glossary", glossary_page(tongue))
    yield "part-index-rules", tongue("index-rules.title"), _rule_index(book, tongue)
    yield "part-index-terms", tongue("index-terms.title"), _term_index(book, tongue)
    yield _as_part("sources", sources_page(book, tongue))


def _as_part(name: str, page: Page) -> Part:
    """Return a page as a part. Its headings get the part's name: pages use the same ones."""
    title = escape(page.title)
    heading = f'<h1 id="part-{name}">{title}</h1>'
    blocks = _blocks(page, of=f"{name}-")
    return f"part-{name}", title, f'<section class="{name}">{heading}{blocks}</section>'


def _blocks(page: Page, deeper: int = 0, of: str = "") -> str:
    parts = []
    for block in page.blocks:
        if isinstance(block, Heading):
            level = block.level + deeper
            label = f' data-label="{escape(block.label)}"' if block.label else ""
            parts.append(f'<h{level} id="{of}{block.id}"{label}>{block.html}</h{level}>')
        else:
            parts.append(block)
    return "".join(parts)


def _chapter(chapter: ChapterOfBook, book: Book, tongue: Tongue, pictures: Pictures) -> str:
    page = chapter_page(chapter, book, tongue, example_printer(pictures))
    # Who prevails is said once, at the front.
    blocks = re.sub(r'<p class="bs-prevails">.*?</p>', "", _blocks(page, 1))
    return (
        f'<section class="chapter"><h2 id="chapter-{chapter.name}">{escape(page.title)}</h2>'
        f"{blocks}</section>"
    )


def _tutorial(text: str, book: Book, tongue: Tongue, pictures: Pictures) -> str:
    html = from_markdown(text, "learn.md", book, tongue, pictures)
    html = re.sub(r"<h1[^>]*>(.*?)</h1>", r'<h1 id="part-learn">\1</h1>', html, count=1)
    return f'<section class="learn">{html}</section>'


def from_markdown(text: str, path: str, book: Book, tongue: Tongue, pictures: Pictures) -> str:
    """Return a hand-written page as HTML for print.

    The deal at the free table is left out, which only the screen can show, and so are anchors: the
    same example stands under its rule.
    """
    import markdown

    printer = example_printer(pictures)
    html = markdown.markdown(
        put_in(text, path, book, tongue, printer), extensions=["attr_list", "md_in_html", "tables"]
    )
    html = re.sub(r'<h2 id="first-deal".*?(?=<h2|\Z)', "", html, flags=re.DOTALL)
    return re.sub(r' id="[^"]*"', "", html)


def _contents(parts: list[Part], tongue: Tongue) -> str:
    lines = []
    for anchor, title, html in parts:
        lines.append(f'<li><a href="#{anchor}">{title}</a></li>')
        if anchor == "part-rules":
            lines += [
                f'<li class="of-chapter"><a href="#{name}">{words}</a></li>'
                for name, words in re.findall(r'<h2 id="(chapter-[a-z]+)">(.*?)</h2>', html)
            ]
    return (
        f'<section class="contents"><h1>{tongue("print.contents")}</h1>'
        f"<ol>{''.join(lines)}</ol></section>"
    )


def _rule_index(book: Book, tongue: Tongue) -> str:
    title = tongue("index-rules.title")
    rows = []
    for name in sorted(book.entries):
        entry = book.entries[name]
        said = escape(short(tongue.rule(entry.rule, entry.ruleset).text), quote=False)
        rows.append(
            f'<li><a href="#{name}"><code>{name}</code> {entry.number}</a>'
            f"<br><small>{said}</small></li>"
        )
    return (
        f'<section class="index"><h1 id="part-index-rules">{title}</h1>'
        f"<ol>{''.join(rows)}</ol></section>"
    )


def _term_index(book: Book, tongue: Tongue) -> str:
    title = tongue("index-terms.title")
    rules: dict[str, list[str]] = {}
    for name, entry in book.entries.items():
        for term in entry.rule.data.get("terms", ()):
            rules.setdefault(term, []).append(name)
    terms = glossary()["terms"]
    rows = []
    for term in sorted(rules, key=lambda one: terms[one][tongue.code]["main"].casefold()):
        places = " · ".join(rule_link(rule, book) for rule in rules[term])
        rows.append(f"<li><b>{escape(terms[term][tongue.code]['main'])}</b> {places}</li>")
    return (
        f'<section class="terms"><h1 id="part-index-terms">{title}</h1>'
        f"<ol>{''.join(rows)}</ol></section>"
    )


def linked(body: str) -> str:
    """Lead every link to its place in the document, or leave the words where there is none."""
    ids = set(re.findall(r' id="([^"]+)"', body))

    def led(found: re.Match[str]) -> str:
        page, _, anchor = found[1].replace("{{", "").replace("}}", "").partition("#")
        part = _PAGES.get(page, "")
        wanted = [anchor, f"{part}-{anchor}"] if anchor else [f"part-{part}"]
        target = next((one for one in wanted if one in ids), None)
        return found[2] if target is None else f'<a href="#{target}">{found[2]}</a>'

    return resolve(_LINK.sub(led, body), lambda _: "")


_PAGES = {
    "rules/index.md": "rules",
    "contracts.md": "contracts",
    "glossary.md": "glossary",
    "options.md": "options",
    "rulesets.md": "rulesets",
    "sources.md": "sources",
    "index/rules.md": "index-rules",
    "index/terms.md": "index-terms",
}
