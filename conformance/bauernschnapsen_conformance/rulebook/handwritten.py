"""Pages that people write: docs/*.md in English, docs/translations/LANGUAGE/ for the others.

What the data says is never repeated in them. They name it, and it is put in:

    [[play.beat]]                a link to a rule by its number
    [[play.beat|words]]          the same with these words
    {contracts.bettler.value}    a value of the ruleset
    {contract:bettler}           the name of a contract, {term:forehand} that of a term
    {card:ace-hearts}            a card for running text, {suit:hearts} a suit
    {cards:ace-hearts ten-hearts}  cards side by side
    {seat:south}                 the name of a seat
    {word:play.start}            what a button or field of the page is called
    {table:contracts}            the table of contracts, short; {table:ranks} cards and their points
    {example:play.beat.cannot}   an example, as under its rule

Links to other pages are those of Markdown: [words](rules/index.md).
"""

from __future__ import annotations

import re
from html import escape

from bauernschnapsen.errors import SpecError, did_you_mean

from ..corpus.wording import fill_in, glossary
from .examples import example_html, script_of
from .model import Book
from .page import link, relative, resolve
from .pages_rules import ExampleHtml
from .pages_sheet import ranks_table
from .pages_tables import contracts_table
from .tongue import Tongue

_RULE = re.compile(r"\[\[([a-z.0-9-]+)(?:\|([^\]]+))?\]\]")
_DIRECTIVE = re.compile(r"\{(card|cards|suit|contract|term|seat|word|table|example):([^{}\n]+)\}")
_FENCE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def fill(text: str, path: str, book: Book, tongue: Tongue) -> str:
    """Return the Markdown of a hand-written page with the data put in; code stays as it is.

    SpecError for a name that the data does not have, with the file and line.
    """
    whole = put_in(text, path, book, tongue, example_html) + _scripts(text, path, book)
    return resolve(whole, lambda target: relative(path, target))


def put_in(text: str, path: str, book: Book, tongue: Tongue, example: ExampleHtml) -> str:
    """Return the same with addresses still as `{{page.md}}`; `example` says how examples look."""
    pieces = _FENCE.split(text)
    line = 1
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            pieces[place] = _filled(piece, (path, line), book, tongue, example)
        line += piece.count("\n")
    return "".join(pieces)


def _scripts(text: str, path: str, book: Book) -> str:
    """Return what loads the data of the examples that a page shows."""
    chapters = dict.fromkeys(
        book.entries[book.examples[name].scenario.rules[0]].rule.chapter
        for kind, name in _DIRECTIVE.findall(text)
        if kind == "example" and name in book.examples
    )
    up = relative(path, "index.md")
    return "".join(f'\n\n<script src="{up}{script_of(one)}"></script>\n' for one in chapters)


def _filled(
    text: str, place: tuple[str, int], book: Book, tongue: Tongue, example: ExampleHtml
) -> str:
    path, line = place

    def fault(found: re.Match[str], message: str, hint: str | None = None) -> SpecError:
        at = line + text.count("\n", 0, found.start())
        return SpecError(message, f"docs/{path} ({tongue.code})", at, hint=hint)

    def rule(found: re.Match[str]) -> str:
        entry = book.entries.get(found[1])
        if entry is None:
            raise fault(
                found, f"there is no rule {found[1]!r}", did_you_mean(found[1], book.entries)
            )
        shown = escape(found[2]) if found[2] else entry.number
        return link(f"rules/{entry.rule.chapter}.md#{found[1]}", shown)

    def directive(found: re.Match[str]) -> str:
        try:
            if found[1] == "example":
                return example(book.examples[found[2].strip()], book, tongue)
            return _put(found[1], found[2].strip(), book, tongue)
        except KeyError:
            raise fault(found, f"{found[1]}:{found[2]} names nothing in the data") from None

    return fill_in(_DIRECTIVE.sub(directive, _RULE.sub(rule, text)), book.ruleset, tongue.code)


def _put(kind: str, name: str, book: Book, tongue: Tongue) -> str:
    match kind:
        case "card":
            return tongue.card(_card(name))
        case "cards":
            drawn = tongue.hand([_card(one) for one in name.split()], 64)
            return f'<div class="bs-row" data-search-exclude>{drawn}</div>'
        case "suit":
            return tongue.suit(glossary()["suits"][name]["code"])
        case "contract":
            return escape(str(glossary()["contracts"][name][tongue.code]["main"]))
        case "term":
            return escape(str(glossary()["terms"][name][tongue.code]["main"]))
        case "seat":
            return escape(tongue.seat(glossary()["seats"][name]["code"]))
        case "word":
            return escape(tongue(name))
        case "table" if name == "contracts":
            return contracts_table(book, tongue, columns=("value", "bidders", "goal"))
        case "table" if name == "ranks":
            return ranks_table(tongue)
    raise KeyError(name)


def _card(name: str) -> str:
    rank, suit = name.split("-")
    return f"{glossary()['ranks'][rank]['code']}{glossary()['suits'][suit]['code']}"
