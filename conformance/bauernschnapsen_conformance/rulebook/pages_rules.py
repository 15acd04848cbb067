"""The chapters of the rules, their contents page, and the sources."""

from __future__ import annotations

import re
from html import escape

from ..corpus.wording import MIXED, fill_in
from .examples import example_html, rule_link
from .model import Book, ChapterOfBook, Entry
from .page import Heading, Page, link, table
from .tongue import Said, Tongue

_LABEL = 44


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
        intro = tongue.html(tongue.filled(chapter.intro, book.ruleset))
        lines.append(
            f'<li><b><span class="bs-no">{chapter.number}</span> {title}</b> '
            f"<small>{count}</small><br>{intro}</li>"
        )
    page.add(f'<ul class="bs-contents">{"".join(lines)}</ul>')
    return page


def chapter_page(chapter: ChapterOfBook, book: Book, tongue: Tongue) -> Page:
    """Return a chapter with its rules, each with its smallest example directly under it."""
    title = tongue.of(chapter.title)
    page = Page(f"rules/{chapter.name}.md", f"{chapter.number} {title.text}")
    intro = tongue.filled(chapter.intro, book.ruleset)
    page.description = intro.text
    page.add(
        f'<p class="bs-intro">{tongue.html(intro)}</p><p class="bs-tools"><bs-deck></bs-deck></p>'
        + _stale(book, tongue, chapter.name)
    )
    here = {entry.rule.id for entry in chapter.entries}
    printed: set[str] = set()
    for entry in chapter.entries:
        page.add(*_rule(entry, book, tongue, printed, here))
    page.add(f'<p class="bs-prevails">{tongue("note.prevails")}</p>')
    return page


def _rule(
    entry: Entry, book: Book, tongue: Tongue, printed: set[str], here: set[str]
) -> list[Heading | str]:
    rule = entry.rule
    said = tongue.rule(rule, book.ruleset)
    label = f"{entry.number} {_short(said.text)}"
    shown = f'<span class="bs-no">{entry.number}</span> <code>{rule.id}</code>'
    parts = [f'<p class="bs-text">{tongue.html(said)}</p>', _stale(book, tongue, rule.id)]
    note = tongue.note(rule, book.ruleset)
    if note is not None:
        about = tongue.html(note)
        parts.append(f'<p class="bs-note"><b>{tongue("rule.note")}:</b> {about}</p>')
    if rule.status == "ruling":
        why = tongue.html(tongue.filled(rule.data["rationale"], book.ruleset))
        parts.append(
            f'<p class="bs-ruling"><b title="{escape(tongue("rule.ruling-long"))}">'
            f"{tongue('rule.ruling')}:</b> {why}</p>"
        )
    parts.append(_elsewhere(entry, book, tongue))
    parts.append(_about(entry, tongue))
    blocks: list[Heading | str] = [Heading(2, shown, rule.id, label), "".join(parts)]
    # An example is printed once in the book, on the page of the first rule it is about and under
    # the first rule there that needs it; elsewhere a line leads to it.
    own = [one for one in entry.examples if one.scenario.rules[0] in here]
    fresh = [one for one in own if one.scenario.id not in printed]
    if fresh:
        printed.add(fresh[0].scenario.id)
        blocks.append(example_html(fresh[0], book, tongue))
        for example in fresh[1:]:
            if example.scenario.rules[0] == rule.id:
                printed.add(example.scenario.id)
                blocks.append(example_html(example, book, tongue, more=True))
    elif entry.examples:
        first = (own or entry.examples)[0]
        place = book.entries[first.scenario.rules[0]].rule.chapter
        named = tongue.html(tongue.of(first.title))
        target = f"rules/{place}.md#{first.scenario.id}"
        blocks.append(f'<p class="bs-see">{tongue("example.title")}: {link(target, named)}</p>')
    return blocks


def _elsewhere(entry: Entry, book: Book, tongue: Tongue) -> str:
    """Return the other wordings of a rule that a variant changes."""
    lines = []
    for field, texts in entry.rule.data.get("text_by", {}).items():
        said = tongue.rule(entry.rule, book.ruleset).text
        for value, text in texts.items():
            own = tongue.of(text)
            filled = Said(fill_in(own.text, book.ruleset, own.language), own.language)
            if filled.text != said and value != MIXED:
                name = field.rpartition(".")[2]
                target = f"options.md#{name}" if field.startswith("options.") else "contracts.md"
                option = link(target, f"<code>{escape(name)} = {escape(str(value))}</code>")
                lines.append(f"<li>{option} {tongue.html(filled)}</li>")
    if not lines or not book.is_main:
        return ""
    return (
        f'<details class="bs-elsewhere"><summary>{tongue("rule.elsewhere")}</summary>'
        f"<ul>{''.join(lines)}</ul></details>"
    )


def _about(entry: Entry, tongue: Tongue) -> str:
    rule = entry.rule
    facts = [f'<span class="bs-kind">{tongue(f"rule.kind.{rule.kind}")}</span>']
    tags = " ".join(source_tag(tag, tongue) for tag in rule.sources)
    facts.append(f"{tongue('rule.sources')}: {tags}")
    count = entry.scenarios + entry.positions
    if count:
        facts.append(link(f"index/rules.md#i-{rule.id}", tongue("rule.tested", count=count)))
    names = [
        link(f"glossary.md#term-{term}", escape(name))
        for term in rule.data.get("terms", ())
        if (name := tongue.term(term)) is not None
    ]
    if names:
        facts.append(f"{tongue('rule.terms')}: {', '.join(names)}")
    return f'<p class="bs-about" data-search-exclude>{" · ".join(facts)}</p>'


def source_tag(tag: str, tongue: Tongue) -> str:
    """Return the tag of a source, which says what it is when pointed at, as a link to the list."""
    family = family_of(tag)
    said = escape(tongue(f"source.{family}"))
    return link(f"sources.md#{family}", f'<abbr title="{said}">{escape(tag)}</abbr>', "bs-source")


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
            rules = " ".join(rule_link(rule, book) for rule in cited[family])
            name = f'<span id="{family}">{family}</span>'
            rows.append([name, escape(tongue(f"source.{family}")), rules])
    head = [tongue("nav.sources"), tongue("options.meaning"), tongue("source.cited")]
    page.add(table(head, rows))
    return page


def _stale(book: Book, tongue: Tongue, name: str) -> str:
    if (tongue.code, name) not in book.stale:
        return ""
    return f'<p class="bs-stale">{tongue("note.stale")}</p>'


def _short(text: str) -> str:
    """Cut a rule's text for the table of contents, between words."""
    if len(text) <= _LABEL:
        return text.rstrip(".")
    return text[:_LABEL].rsplit(" ", 1)[0].rstrip(",;:") + " …"
