"""The chapters of the rules, their contents page, and the sources."""

from __future__ import annotations

import re
from html import escape
from typing import Protocol

from ..corpus.wording import MIXED, fill_in, value_key
from .examples import example_html, script_of
from .model import Book, ChapterOfBook, Entry, Example
from .page import Heading, Page, link, relative, table
from .pages_tables import differences
from .tongue import Said, Tongue

_LABEL = 44


class ExampleHtml(Protocol):
    """How examples look; `more`: one that is not the first of its rule."""

    def __call__(self, example: Example, book: Book, tongue: Tongue, *, more: bool = False) -> str:
        """Return an example as HTML."""
        ...


def rules_page(book: Book, tongue: Tongue) -> Page:
    """Return the contents of the rules."""
    page = Page("rules/index.md", tongue("rules.title"), description=tongue("site.description"))
    name = escape(tongue.of(book.ruleset["title"]).text)
    page.add(
        f"<p>{tongue('rules.intro', ruleset=name)}</p>"
        f'<p class="bs-prevails">{tongue("note.prevails")}</p>'
    )
    lines = []
    for chapter in book.chapters:
        title = link(f"rules/{chapter.name}.md", tongue.html(tongue.of(chapter.title)))
        count = tongue("rules.count", count=len(chapter.entries))
        intro = tongue.html(tongue.filled(chapter.intro, chapter.entries[0].ruleset))
        lines.append(
            f'<li><b><span class="bs-no">{chapter.number}</span> {title}</b> '
            f"<small>{count}</small><br>{intro}</li>"
        )
    page.add(f'<ul class="bs-contents">{"".join(lines)}</ul>')
    return page


def chapter_page(
    chapter: ChapterOfBook, book: Book, tongue: Tongue, example: ExampleHtml = example_html
) -> Page:
    """Return a chapter with its rules, each with its smallest example directly under it.

    `example` says how examples look: as on the site if nothing is said.
    """
    title = tongue.of(chapter.title)
    page = Page(f"rules/{chapter.name}.md", f"{chapter.number} {title.text}")
    intro = tongue.filled(chapter.intro, chapter.entries[0].ruleset)
    page.description = intro.text
    page.add(
        f'<p class="bs-intro">{tongue.html(intro)}</p><p class="bs-tools"><bs-deck></bs-deck></p>'
        + _stale(book, tongue, chapter.name)
    )
    here = {entry.rule.id for entry in chapter.entries}
    printed: set[str] = set()
    for entry in chapter.entries:
        page.add(*_rule(entry, book, tongue, printed, here, example))
    data = ""
    if example is example_html and printed:
        up = relative(page.path, "index.md")
        data = (
            f"<noscript><p>{tongue('note.no-script')}</p></noscript>"
            f'<script src="{up}{script_of(chapter.name)}"></script>'
        )
    page.add(f'<p class="bs-prevails">{tongue("note.prevails")}</p>{data}')
    return page


def _rule(
    entry: Entry,
    book: Book,
    tongue: Tongue,
    printed: set[str],
    here: set[str],
    example_of: ExampleHtml,
) -> list[Heading | str]:
    rule = entry.rule
    said = tongue.rule(rule, entry.ruleset)
    label = f"{entry.number} {short(said.text)}"
    shown = f'<span class="bs-no">{entry.number}</span> <code>{rule.id}</code>'
    parts = [f'<p class="bs-text">{tongue.html(said)}</p>', _stale(book, tongue, rule.id)]
    note = tongue.note(rule, entry.ruleset)
    if note is not None:
        about = tongue.html(note)
        parts.append(f'<p class="bs-note"><b>{tongue("rule.note")}{_colon(tongue)}</b> {about}</p>')
    if rule.status == "ruling":
        why = tongue.html(tongue.filled(rule.data["rationale"], entry.ruleset))
        parts.append(
            f'<p class="bs-ruling"><b title="{escape(tongue("rule.ruling-long"))}">'
            f"{tongue('rule.ruling')}{_colon(tongue)}</b> {why}</p>"
        )
    parts.append(_elsewhere(entry, book, tongue))
    parts.append(_about(entry, book, tongue))
    blocks: list[Heading | str] = [Heading(2, shown, rule.id, label), "".join(parts)]
    # An example is printed once in the book, on the page of the first rule it is about and under
    # the first rule there that needs it; elsewhere a line leads to it.
    own = [one for one in entry.examples if one.scenario.rules[0] in here]
    fresh = [one for one in own if one.scenario.id not in printed]
    if fresh:
        printed.add(fresh[0].scenario.id)
        blocks.append(example_of(fresh[0], book, tongue))
        for example in fresh[1:]:
            if example.scenario.rules[0] == rule.id:
                printed.add(example.scenario.id)
                blocks.append(example_of(example, book, tongue, more=True))
    elif entry.examples:
        first = (own or entry.examples)[0]
        place = book.entries[first.scenario.rules[0]].rule.chapter
        named = tongue.html(tongue.of(first.title))
        target = f"rules/{place}.md#{first.scenario.id}"
        seen = tongue.labelled(tongue("example.title"), link(target, named))
        blocks.append(f'<p class="bs-see">{seen}</p>')
    return blocks


def _colon(tongue: Tongue) -> str:
    """Return the colon that ends a label in bold."""
    return tongue("mark.colon").rstrip()


def _elsewhere(entry: Entry, book: Book, tongue: Tongue) -> str:
    """Return the other wordings of a rule that a variant changes."""
    lines = []
    for field, texts in entry.rule.data.get("text_by", {}).items():
        said = tongue.rule(entry.rule, entry.ruleset).text
        for value, text in texts.items():
            own = tongue.of(text)
            filled = Said(fill_in(own.text, entry.ruleset, own.language), own.language)
            if filled.text != said and value != MIXED:
                name = field.rpartition(".")[2]
                target = f"options.md#{name}" if field.startswith("options.") else "contracts.md"
                option = link(target, f"<code>{escape(name)} = {escape(str(value))}</code>")
                lines.append(f"<li>{option} {tongue.html(filled)}</li>")
    if not lines or not book.is_main:
        return ""
    return (
        '<details class="bs-elsewhere" data-search-exclude>'
        f"<summary>{tongue('rule.elsewhere')}</summary><ul>{''.join(lines)}</ul></details>"
    )


def _about(entry: Entry, book: Book, tongue: Tongue) -> str:
    rule = entry.rule
    facts = [f'<span class="bs-kind">{tongue(f"rule.kind.{rule.kind}")}</span>']
    if entry.ruleset is not book.ruleset:
        facts.append(_table(entry, book, tongue))
    sources = link("sources.md", tongue("rule.sources"))
    facts.append(tongue.labelled(sources, escape(" ".join(rule.sources))))
    count = entry.scenarios + entry.positions
    if count:
        facts.append(tongue("rule.tested", count=count))
    return f'<p class="bs-about" data-search-exclude>{" · ".join(facts)}</p>'


def _table(entry: Entry, book: Book, tongue: Tongue) -> str:
    """Return at which table a rule is said that the main ruleset does not have."""
    name = str(entry.ruleset["ruleset"])
    shown = escape(tongue.of(book.rulesets[name]["title"]).text)
    said = shown if name == book.ruleset["ruleset"] else link(f"rulesets.md#{name}", shown)
    for field, _, value in differences(book.rulesets[name], entry.ruleset):
        said += f" <code>{escape(field.partition('.')[2])} = {escape(value_key(value))}</code>"
    return said


def family_of(tag: str) -> str:
    """Return the source a tag belongs to.

    >>> family_of("R29"), family_of("PAGAT-DE"), family_of("WP-3")
    ('R', 'PAGAT-DE', 'WP-3')
    """
    found = re.fullmatch(r"([RWUTAdLE])\d+", tag)
    return found[1] if found else tag


def sources_page(book: Book, tongue: Tongue) -> Page:
    """Return the list of sources, each with the rules that cite it."""
    page = Page("sources.md", tongue("sources.title"))
    page.add(f"<p>{tongue('sources.intro')}</p>")
    cited: dict[str, list[str]] = {}
    for entry in book.entries.values():
        for family in dict.fromkeys(family_of(tag) for tag in entry.rule.sources):
            cited.setdefault(family, []).append(entry.rule.id)
    order = [
        key.removeprefix("source.") for key in tongue.interface.words if key.startswith("source.")
    ]
    rows = []
    for family in order:
        if family in cited:
            # Numbers only: there are hundreds, and the index of rules leads to each.
            rules = " ".join(book.entries[rule].number for rule in cited[family])
            name = f'<span id="{family}">{family}</span>'
            rows.append([name, escape(tongue(f"source.{family}")), rules])
    head = [tongue("nav.sources"), tongue("options.meaning"), tongue("source.cited")]
    page.add(table(head, rows, "bs-data bs-stack", labelled=True))
    return page


def _stale(book: Book, tongue: Tongue, name: str) -> str:
    if (tongue.code, name) not in book.stale:
        return ""
    return f'<p class="bs-stale">{tongue("note.stale")}</p>'


def short(text: str) -> str:
    """Cut a rule's text for the table of contents, between words."""
    if len(text) <= _LABEL:
        return text.rstrip(".")
    return text[:_LABEL].rsplit(" ", 1)[0].rstrip(",;:") + " …"
