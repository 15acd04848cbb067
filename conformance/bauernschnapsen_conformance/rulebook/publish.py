"""All pages of one language, with navigation and assets; what the hook hands to mkdocs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cards import page_script, page_style, words_script
from ..corpus.interface import ORIGINAL
from ..corpus.rules import load_rules
from ..corpus.translations import source_checksum
from .examples import data_script, script_of
from .handwritten import fill
from .model import Book, Example, load_book
from .page import Page, folder, relative
from .pages_index import (
    changes_page,
    contract_index_page,
    rule_index_page,
    scenario_index_page,
    term_index_page,
)
from .pages_manual import engines_page, schemas_page
from .pages_rules import chapter_page, rules_page, sources_page
from .pages_sheet import sheet_page
from .pages_tables import contracts_page, glossary_page, options_page, rulesets_page
from .play.bundle import play_script, play_style
from .play.data import rulesets_script
from .play.data import words_script as play_words_script
from .play.pages import MAY, TABLE, may_page, table_page
from .release import page_checksum, split_page
from .tongue import Tongue, tongue_of

Json = dict[str, Any]
OWN_ASSETS = Path(__file__).parent / "assets"
READERS_PAGES = ("index.md", "learn.md")
"""Hand-written pages for players, which are translated."""
_MANUAL_FIRST = ("manual/", "adapters/", "house-rules", "protocol", "identify", "ci-recipes")


@dataclass(frozen=True, slots=True)
class Site:
    """One language of the site."""

    book: Book
    tongue: Tongue
    pages: dict[str, Page]
    assets: dict[str, str | bytes]
    nav: list[Any]
    docs: Path
    edition: str | None
    """None: this language is built alone."""

    def alternates(self) -> list[Json]:
        """Return the choice of languages; none where this language is built alone."""
        if self.edition is None:
            return []
        return [
            {
                "name": tongue_name(code),
                "link": f"../../{code}/{self.edition}/",
                "lang": code,
            }
            for code in self.book.languages.published
        ]

    def handwritten(self, path: str, markdown: str) -> str:
        """Return a hand-written page in this language, else in English with a remark."""
        language = self.tongue.code
        if path not in READERS_PAGES:
            return markdown
        if language == ORIGINAL:
            return fill(markdown, path, self.book, self.tongue)
        own = self.docs / "translations" / language / path
        source, text = split_page(own.read_text("utf-8")) if own.exists() else (None, markdown)
        filled = self._led_out(fill(text, path, self.book, self.tongue), path)
        if not own.exists():
            return _remarked(filled, self.tongue("note.english-page"))
        stale = source != page_checksum((self.docs / path).read_text("utf-8"))
        return _remarked(filled, self.tongue("note.stale")) if stale else filled

    def _led_out(self, markdown: str, path: str) -> str:
        """Lead links to the manual to where it is: in the English book."""
        manual = set(manual_files(self.docs))

        def led(found: re.Match[str]) -> str:
            if found[2] not in manual:
                return found[0]
            if self.edition is None:
                return f"[{found[1]}](engines.md)"
            up = relative(path, "index.md") or "./"
            address = f"{up}../../{ORIGINAL}/{self.edition}/{folder(found[2])}/"
            return f'<a href="{address}" hreflang="{ORIGINAL}">{found[1]}</a>'

        return re.sub(r"\[([^\[\]]+)\]\(([a-z0-9/_-]+\.md)\)", led, markdown)

    def write_rule_ids(self, site: Path) -> None:
        """Write rule-ids.json: each permanent name, its number, address and checksum."""
        rules = load_rules()
        ids = {
            name: {
                "number": entry.number,
                "address": f"{folder(f'rules/{entry.rule.chapter}.md')}/#{name}",
                "checksum": source_checksum(rules[name]),
            }
            for name, entry in self.book.entries.items()
        }
        text = json.dumps(ids, separators=(",", ":"), sort_keys=True) + "\n"
        (site / "rule-ids.json").write_text(text, encoding="utf-8")


def tongue_name(code: str) -> str:
    """Return what a language calls itself."""
    from ..corpus.wording import glossary

    return str(glossary()["languages"][code]["name"])


def make_site(language: str, docs: Path, edition: str | None) -> Site:
    """Make all pages of a language. SpecError where the data is faulty."""
    book, tongue = load_book(), tongue_of(language)
    pages = [
        sheet_page(book, tongue),
        rules_page(book, tongue),
        *(chapter_page(chapter, book, tongue) for chapter in book.chapters),
        contracts_page(book, tongue),
        options_page(book, tongue),
        rulesets_page(book, tongue),
        glossary_page(tongue),
        rule_index_page(book, tongue),
        contract_index_page(book, tongue),
        term_index_page(book, tongue),
        scenario_index_page(book, tongue, _whole(tongue, edition)),
        changes_page(book, tongue),
        sources_page(book, tongue),
        engines_page(tongue, docs / "engines"),
        table_page(tongue),
        may_page(tongue),
    ]
    if language == ORIGINAL:
        pages.append(schemas_page(tongue))
    assets: dict[str, str | bytes] = {
        "assets/words.js": words_script(tongue.cards),
        "assets/cards.js": page_script(None),
        "assets/cards.css": page_style(),
        "assets/rulebook.css": (OWN_ASSETS / "rulebook.css").read_text("utf-8"),
        "assets/rulebook.js": (OWN_ASSETS / "rulebook.js").read_text("utf-8"),
        "assets/play.css": play_style(),
        "assets/play-words.js": play_words_script(book, tongue),
        "assets/play.js": rulesets_script(book) + play_script(),
    }
    assets |= font_assets()
    for chapter in book.chapters:
        own = [one for one in book.examples.values() if _place(one, book) == chapter.name]
        assets[script_of(chapter.name)] = data_script(own)
    by_path = {page.path: page for page in pages}
    return Site(book, tongue, by_path, assets, _nav(book, tongue, docs, edition), docs, edition)


def font_assets() -> dict[str, str | bytes]:
    """Return our fonts, their licence and style sheet: no page asks another host for one."""
    folder = OWN_ASSETS / "fonts"
    files = {f"assets/fonts/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}
    return {"assets/fonts.css": (OWN_ASSETS / "fonts.css").read_text("utf-8"), **files}


def _whole(tongue: Tongue, edition: str | None) -> str | None:
    """Return where the complete index of scenarios is, which have English titles only."""
    if tongue.code == ORIGINAL or edition is None:
        return None
    up = relative("index/scenarios.md", "index.md")
    return f"{up}../../{ORIGINAL}/{edition}/index/scenarios/"


def _place(example: Example, book: Book) -> str:
    """Return the chapter on whose page an example is printed."""
    return book.entries[example.scenario.rules[0]].rule.chapter


def _nav(book: Book, tongue: Tongue, docs: Path, edition: str | None) -> list[Any]:
    chapters = [
        {f"{chapter.number} {tongue.of(chapter.title).text}": f"rules/{chapter.name}.md"}
        for chapter in book.chapters
    ]
    return [
        {tongue("nav.home"): "index.md"},
        {tongue("nav.learn"): "learn.md"},
        {tongue("nav.sheet"): "sheet.md"},
        {tongue("nav.rules"): ["rules/index.md", *chapters]},
        {tongue("nav.play"): [{tongue("nav.table"): TABLE}, {tongue("nav.may"): MAY}]},
        {tongue("nav.contracts"): "contracts.md"},
        {
            tongue("nav.variants"): [
                {tongue("nav.rulesets"): "rulesets.md"},
                {tongue("nav.options"): "options.md"},
            ]
        },
        {
            tongue("nav.reference"): [
                {tongue("nav.glossary"): "glossary.md"},
                {tongue("nav.index-rules"): "index/rules.md"},
                {tongue("nav.index-contracts"): "index/contracts.md"},
                {tongue("nav.index-terms"): "index/terms.md"},
                {tongue("nav.index-scenarios"): "index/scenarios.md"},
                {tongue("nav.sources"): "sources.md"},
                {tongue("nav.changes"): "changes.md"},
            ]
        },
        {tongue("nav.engines"): "engines.md"},
        {tongue("nav.manual"): _manual(tongue, docs, edition)},
    ]


def _manual(tongue: Tongue, docs: Path, edition: str | None) -> Any:
    """Return the pages for engine authors: in English only, other languages lead there."""
    names = manual_files(docs)
    if tongue.code != ORIGINAL:
        first = folder(names[0]) if names else "manual/schemas"
        return f"../../{ORIGINAL}/{edition}/{first}/" if edition else "engines.md"
    pages: list[Any] = [{_title(docs / name): name} for name in names]
    return [*pages, {tongue("nav.schemas"): "manual/schemas.md"}]


def manual_files(docs: Path) -> list[str]:
    """Return every file under docs/ that is not for players, in the order of the navigation."""
    found = []
    for path in sorted(docs.rglob("*.md")):
        name = path.relative_to(docs).as_posix()
        if name not in READERS_PAGES and not name.startswith("translations/"):
            found.append(name)

    def place(name: str) -> tuple[int, bool, str]:
        order = [i for i, start in enumerate(_MANUAL_FIRST) if name.startswith(start)]
        first = name in {"manual/index.md", "adapters/index.md"}
        return (order[0] if order else len(_MANUAL_FIRST), not first, name)

    return sorted(found, key=place)


def _title(path: Path) -> str:
    found = re.search(r"^# (.+?)\s*(?:\{.*\})?$", path.read_text("utf-8"), re.MULTILINE)
    return found[1].replace("`", "") if found else path.stem


def _remarked(markdown: str, remark: str) -> str:
    """Put a remark under the title of a page that is not in the reader's language."""
    note = f'<p class="bs-stale">{remark}</p>'
    head, newline, rest = markdown.partition("\n")
    if head.startswith("# "):
        return f"{head}\n\n{note}\n{newline}{rest}"
    return f"{note}\n\n{markdown}"
