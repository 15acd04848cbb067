"""Indexes of rules, terms and scenarios, and the list of changes."""

from __future__ import annotations

from html import escape

import bauernschnapsen

from ..corpus.wording import glossary
from .examples import rule_link
from .model import Book
from .page import Heading, Page, link, table
from .tongue import Tongue


def rule_index_page(book: Book, tongue: Tongue) -> Page:
    """Return all rules by permanent name."""
    page = Page("index/rules.md", tongue("index-rules.title"))
    page.add(f"<p>{tongue('index-rules.intro')}</p>")
    rows = []
    for name in sorted(book.entries):
        entry = book.entries[name]
        target = f"rules/{entry.rule.chapter}.md#{name}"
        scenarios = link(f"index/scenarios.md#s-{entry.rule.chapter}", str(entry.scenarios))
        rows.append(
            [
                f'<span id="i-{name}">{link(target, f"<code>{name}</code>")}</span>',
                entry.number,
                f"{scenarios} + {entry.positions}",
                tongue.html(tongue.rule(entry.rule, book.ruleset)),
            ]
        )
    head = [tongue(f"index.{key}") for key in ("rule", "number", "tests", "text")]
    page.add(table(head, rows, "bs-data bs-index"))
    return page


def term_index_page(book: Book, tongue: Tongue) -> Page:
    """Return where each term is laid down."""
    page = Page("index/terms.md", tongue("index-terms.title"))
    page.add(f"<p>{tongue('index-terms.intro')}</p>")
    rules: dict[str, list[str]] = {}
    for name, entry in book.entries.items():
        for term in entry.rule.data.get("terms", ()):
            rules.setdefault(term, []).append(name)
    terms = glossary()["terms"]
    rows = []
    for term in sorted(terms, key=lambda name: terms[name][tongue.code]["main"].casefold()):
        if term in rules:
            name = link(f"glossary.md#term-{term}", escape(terms[term][tongue.code]["main"]))
            rows.append([name, " · ".join(rule_link(rule, book) for rule in rules[term])])
    page.add(table([tongue("index.term"), tongue("nav.rules")], rows))
    return page


def scenario_index_page(book: Book, tongue: Tongue) -> Page:
    """Return all scenarios by chapter, with the rules they witness."""
    page = Page("index/scenarios.md", tongue("index-scenarios.title"))
    page.add(f"<p>{tongue('index-scenarios.intro')}</p>")
    for chapter in book.chapters:
        title = tongue.of(chapter.title).text
        page.add(Heading(2, f"{chapter.number} {escape(title)}", f"s-{chapter.name}"))
        rows = []
        for scenario in book.corpus.scenarios:
            if scenario.chapter != chapter.name:
                continue
            example = book.examples.get(scenario.id)
            # Only examples are translated; of the others the name says enough.
            said = escape(scenario.title) if tongue.code == "en" else ""
            if example is not None:
                said = tongue.html(tongue.of(example.title))
            name = f"<code>{escape(scenario.id)}</code>"
            if example is not None and scenario.rules[0] in book.entries:
                # An example stands on the page of the first rule it is about.
                place = book.entries[scenario.rules[0]].rule.chapter
                name = link(f"rules/{place}.md#{scenario.id}", name)
            rules = " ".join(rule_link(rule, book) for rule in scenario.rules)
            rows.append([name, said, rules])
        page.add(
            table(
                [tongue(f"index.{key}") for key in ("scenario", "text", "rule")],
                rows,
                "bs-data bs-index",
            )
        )
        count = sum(case.chapter == chapter.name for case in book.corpus.positions)
        if count:
            page.add(f"<p>{tongue('index.positions', count=count)}</p>")
    return page


def changes_page(book: Book, tongue: Tongue) -> Page:
    """Return the list of changes by rule. Every rule of the first edition is new in it."""
    page = Page("changes.md", tongue("changes.title"))
    page.add(f"<p>{tongue('changes.intro')}</p>")
    edition = edition_of(bauernschnapsen.__version__)
    page.add(
        Heading(2, tongue("changes.edition", edition=edition), f"edition-{edition}"),
        f"<p>{tongue('changes.first', count=len(book.entries))}</p>",
    )
    return page


def edition_of(version: str) -> str:
    """Return the edition of the book that belongs to a version of the suite.

    >>> edition_of("0.1.3")
    '0.1'
    """
    return ".".join(version.split(".")[:2])
