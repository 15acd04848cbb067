"""Indexes of rules, terms and scenarios, and the list of changes."""

from __future__ import annotations

from html import escape

from ..corpus import Scenario
from ..corpus.rules import load_rules
from ..corpus.wording import glossary
from .editions import changes_by_edition
from .examples import rule_link
from .model import Book
from .page import Heading, Page, link, table
from .pages_rules import short
from .tongue import Tongue


def rule_index_page(book: Book, tongue: Tongue) -> Page:
    """Return all rules by permanent name."""
    page = Page("index/rules.md", tongue("index-rules.title"))
    page.add(f"<p>{tongue('index-rules.intro')}</p>")
    rows = []
    for name in sorted(book.entries):
        entry = book.entries[name]
        target = f"rules/{entry.rule.chapter}.md#{name}"
        rows.append(
            [
                link(target, f"<code>{name.replace('.', '.<wbr>')}</code>"),
                entry.number,
                f"{entry.scenarios} + {entry.positions}",
                escape(short(tongue.rule(entry.rule, entry.ruleset).text), quote=False),
            ]
        )
    head = [tongue(f"index.{key}") for key in ("rule", "number", "tests", "text")]
    page.add(table(head, rows, "bs-data bs-index bs-rules"))
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


def scenario_index_page(book: Book, tongue: Tongue, whole: str | None = None) -> Page:
    """Return the scenarios by chapter: what is printed in the book, then the others by rule.

    `whole`: the address of the same page in English; where it is given only what is printed, and
    so translated, is listed.
    """
    page = Page("index/scenarios.md", tongue("index-scenarios.title"))
    page.add(f"<p>{tongue('index-scenarios.intro')}</p>")
    if whole is not None:
        page.add(f'<p><a href="{whole}" hreflang="en">{tongue("index-scenarios.whole")}</a></p>')
    for chapter in book.chapters:
        title = tongue.of(chapter.title).text
        page.add(Heading(2, f"{chapter.number} {escape(title)}", f"s-{chapter.name}"))
        own = [one for one in book.corpus.scenarios if one.chapter == chapter.name]
        lines = [_printed(one, book, tongue) for one in own if one.id in book.examples]
        page.add(f'<ul class="bs-printed">{"".join(lines)}</ul>')
        if whole is None:
            page.add(_others(own, book, tongue))
        count = sum(case.chapter == chapter.name for case in book.corpus.positions)
        if count:
            page.add(f"<p>{tongue('index.positions', count=count)}</p>")
    return page


def _printed(scenario: Scenario, book: Book, tongue: Tongue) -> str:
    """Return the line of an example, which stands on the page of the first rule it is about."""
    place = book.entries[scenario.rules[0]].rule.chapter
    title = link(
        f"rules/{place}.md#{scenario.id}", tongue.html(tongue.of(book.examples[scenario.id].title))
    )
    # In English the names stand there, too: reports name scenarios so.
    name = f" <code>{scenario.id}</code>" if tongue.code == "en" else ""
    return f"<li>{title}{name} {' '.join(_number(rule, book) for rule in scenario.rules)}</li>"


def _number(rule: str, book: Book) -> str:
    """Return the number of a rule, which links nowhere: there are thousands in an index."""
    return book.entries[rule].number if rule in book.entries else rule


def _others(scenarios: list[Scenario], book: Book, tongue: Tongue) -> str:
    """Return the scenarios that are not printed, by the first rule each is about."""
    others: dict[str, list[Scenario]] = {}
    for one in scenarios:
        if one.id not in book.examples:
            others.setdefault(one.rules[0], []).append(one)
    lines = [
        f"<dt>{rule_link(rule, book)} <code>{rule}</code></dt>"
        f"<dd>{_named(others[rule], book, tongue)}</dd>"
        for rule in sorted(others, key=list(book.entries).index)
    ]
    return f'<dl class="bs-others">{"".join(lines)}</dl>'


def _named(scenarios: list[Scenario], book: Book, tongue: Tongue) -> str:
    """Return scenarios by name, each with the other rules it is about.

    Only examples are translated; in English the titles of the others stand there, too.
    """
    lines = []
    for one in scenarios:
        more = "".join(f" {_number(rule, book)}" for rule in one.rules[1:])
        said = f" {escape(one.title, quote=False)}" if tongue.code == "en" else ""
        lines.append(f"<code>{one.id}</code>{said}{more}")
    return "<br>".join(lines)


def changes_page(book: Book, tongue: Tongue) -> Page:
    """Return the list of changes by rule, the newest edition first."""
    page = Page("changes.md", tongue("changes.title"))
    page.add(f"<p>{tongue('changes.intro')}</p>")
    for changes in changes_by_edition(load_rules()):
        edition = changes.edition
        page.add(Heading(2, tongue("changes.edition", edition=edition), f"edition-{edition}"))
        if changes.before is None:
            page.add(f"<p>{tongue('changes.first', count=len(changes.new))}</p>")
            continue
        lists = {
            "changes.new": changes.new,
            "changes.reworded": changes.reworded,
            "changes.withdrawn": changes.withdrawn,
        }
        for key, names in lists.items():
            if names:
                lines = "".join(f"<li>{_changed(name, book, tongue)}</li>" for name in names)
                page.add(f"<p><b>{tongue(key)}</b></p><ul>{lines}</ul>")
        if not any(lists.values()):
            page.add(f"<p>{tongue('changes.none')}</p>")
    return page


def _changed(name: str, book: Book, tongue: Tongue) -> str:
    entry = book.entries.get(name)
    if entry is None:
        return f"<code>{name}</code>"
    said = tongue.html(tongue.rule(entry.rule, entry.ruleset))
    return f"{rule_link(name, book)} <code>{name}</code> {said}"


def contract_index_page(book: Book, tongue: Tongue) -> Page:
    """Return where each contract is laid down, what it is worth, and at which tables."""
    page = Page("index/contracts.md", tongue("index-contracts.title"))
    page.add(f"<p>{tongue('index-contracts.intro')}</p>")
    rows = []
    for name, fields in book.ruleset["contracts"].items():
        own = [
            rule
            for rule in book.entries
            if rule == f"contracts.{name}" or f".{name}." in f"{rule}."
        ]
        tables = [
            key
            for key, ruleset in book.rulesets.items()
            if ruleset["contracts"].get(name, {}).get("played")
        ]
        rows.append(
            [
                link(f"contracts.md#c-{name}", escape(tongue.contract(name, book.ruleset))),
                str(fields["value"]),
                " ".join(rule_link(rule, book) for rule in own),
                " ".join(link(f"rulesets.md#{key}", f"<code>{key}</code>") for key in tables),
            ]
        )
    head = [tongue(key) for key in ("field.name", "field.value", "nav.rules", "nav.rulesets")]
    page.add(table(head, rows, "bs-data bs-index"))
    return page
