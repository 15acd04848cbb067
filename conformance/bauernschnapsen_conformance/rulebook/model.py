"""What the book says: chapters of numbered rules under one ruleset, with their examples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.ruleset import Resolved, compile_rules, load_ruleset, shipped_rulesets

from ..corpus import Corpus, Item, Prepared, Scenario, applies, home_rules, load_corpus, prepare
from ..corpus.reference import home_of
from ..corpus.rules import Rule, load_rules
from ..corpus.table_texts import in_all_languages
from ..corpus.translations import (
    Chapter,
    Languages,
    heading_checksum,
    load_chapters,
    load_languages,
    load_translations_with_errors,
    scenario_checksum,
    source_checksum,
)
from ..corpus.wording import rule_text

Json = dict[str, Any]
MAIN_RULESET = "pagat"


@dataclass(frozen=True, slots=True)
class Example:
    """A scenario that is printed, in all languages; `prepared`: what the reference makes of it."""

    scenario: Scenario
    prepared: Prepared
    title: Mapping[str, str]
    why: Mapping[str, str]

    @property
    def length(self) -> int:
        """How many actions it has: the smallest example of a rule is printed first."""
        return sum(len(deal["actions"]) for deal in self.prepared.deals)


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule in the book: its number in this edition and what stands around it."""

    rule: Rule
    """With the texts of all languages."""
    number: str
    examples: tuple[Example, ...]
    """The smallest first."""
    scenarios: int
    positions: int
    ruleset: Resolved
    """Under which it is said: that of the book, else the first other that says it."""


@dataclass(frozen=True, slots=True)
class ChapterOfBook:
    """A chapter with its rules in the order of the page."""

    name: str
    number: int
    title: Mapping[str, str]
    intro: Mapping[str, str]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """Everything the pages are made from."""

    languages: Languages
    ruleset: Resolved
    chapters: tuple[ChapterOfBook, ...]
    corpus: Corpus
    examples: Mapping[str, Example]
    stale: frozenset[tuple[str, str]]
    """Language and id of what was translated from an older original."""
    rulesets: Mapping[str, Resolved]
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def is_main(self) -> bool:
        """Whether this is the book of the main ruleset, not of somebody's own."""
        return bool(self.ruleset["ruleset"] == MAIN_RULESET)

    def chapter_of(self, rule_id: str) -> str:
        """Return the chapter a rule stands in."""
        return rule_id.split(".", maxsplit=1)[0]


def load_book(ruleset: str | Path = MAIN_RULESET) -> Book:
    """Read everything under spec/ for one ruleset. SpecError for the first faulty file."""
    resolved = in_all_languages(load_ruleset(ruleset))
    corpus = load_corpus()
    rules, headings, stale = _translated(load_rules(), load_chapters())
    examples = {
        example.scenario.id: example
        for example in _examples(corpus, resolved, stale)
        if example is not None
    }
    counts = _counts(corpus)
    rulesets = {
        name: in_all_languages(load_ruleset(name)) for name in _main_first(shipped_rulesets())
    }
    tables = [resolved]
    homes: dict[str, list[Resolved]] = {}
    if resolved["ruleset"] == MAIN_RULESET:
        # The main book also has what is said at other tables only: the game for three, and what
        # no ruleset plays that comes with the suite, as the scenarios play it that witness it.
        tables += [one for name, one in rulesets.items() if name != MAIN_RULESET]
        for scenario in corpus.scenarios:
            for rule_id in scenario.rules:
                homes.setdefault(rule_id, []).append(home_of(scenario))
    chapters: list[ChapterOfBook] = []
    for name in chapter_order():
        own = [rule for rule in rules.values() if rule.chapter == name]
        said = [
            (rule, table)
            for rule in own
            for table in _first_that_says(rule, [*tables, *homes.get(rule.id, ())])
        ]
        if not said:
            continue
        number = len(chapters) + 1
        entries = tuple(
            Entry(
                rule,
                f"{number}.{place}",
                _of_rule(rule.id, examples),
                *counts.get(rule.id, (0, 0)),
                table,
            )
            for place, (rule, table) in enumerate(said, start=1)
        )
        about = headings[name]
        chapters.append(ChapterOfBook(name, number, about.title, about.intro, entries))
    return Book(
        load_languages(),
        resolved,
        tuple(chapters),
        corpus,
        examples,
        frozenset(stale),
        rulesets,
        {entry.rule.id: entry for chapter in chapters for entry in chapter.entries},
    )


@lru_cache(maxsize=1)
def chapter_order() -> tuple[str, ...]:
    """Return the chapters in the order of the book, as the schema of rule files lists them."""
    schema = json.loads((schemas_root() / "rule-file.schema.json").read_bytes())
    return tuple(schema["properties"]["chapter"]["enum"])


def is_said(rule: Rule, ruleset: Resolved) -> bool:
    """Whether a rule says anything under a ruleset: rules of contracts not played say nothing."""
    parts = rule.id.split(".")
    if parts[0] == "contracts":
        contract = ruleset["contracts"].get(parts[1])
        if contract is not None and not contract["played"]:
            return False
    return bool(rule_text(rule, ruleset, "en"))


def _first_that_says(rule: Rule, tables: list[Resolved]) -> list[Resolved]:
    """Return the first ruleset under which a rule says anything, or nothing."""
    return next(([one] for one in tables if is_said(rule, one)), [])


def _main_first(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: (name != MAIN_RULESET, name))


def _counts(corpus: Corpus) -> dict[str, tuple[int, int]]:
    """Count scenarios and trick situations by rule."""
    counts: dict[str, list[int]] = {}
    kinds: tuple[tuple[Item, ...], ...] = (corpus.scenarios, corpus.positions)
    for kind, items in enumerate(kinds):
        for item in items:
            for rule in item.rules:
                counts.setdefault(rule, [0, 0])[kind] += 1
    return {rule: (found[0], found[1]) for rule, found in counts.items()}


def _of_rule(rule_id: str, examples: Mapping[str, Example]) -> tuple[Example, ...]:
    """Return the examples of a rule: those that are about it before all first, then by length."""
    own = [example for example in examples.values() if rule_id in example.scenario.rules]
    own.sort(key=lambda one: (one.scenario.rules[0] != rule_id, one.length, one.scenario.id))
    return tuple(own)


def _examples(
    corpus: Corpus, ruleset: Resolved, stale: set[tuple[str, str]]
) -> list[Example | None]:
    files, _ = load_translations_with_errors()
    main = ruleset["ruleset"] == MAIN_RULESET
    said = {rule.id for rule in load_rules().values() if main or is_said(rule, ruleset)}
    compiled = compile_rules(ruleset)
    found: list[Example | None] = []
    for scenario in corpus.scenarios:
        if not scenario.example:
            continue
        # In somebody's own book only what is true at his table; in the main book each example
        # under the rules it is about, which are said beside it.
        if main:
            prepared: Prepared | None = prepare(scenario, home_rules(scenario))
        else:
            prepared = applies(scenario, compiled)
        if prepared is None or not said.issuperset(scenario.rules):
            found.append(None)
            continue
        title, why = {"en": scenario.title}, dict(scenario.why)
        for (language, chapter), document in files.items():
            entry = document.value.get("scenarios", {}).get(scenario.id)
            if chapter != scenario.chapter or entry is None:
                continue
            if entry["source"] != scenario_checksum(scenario):
                stale.add((language, scenario.id))
            if entry.get("title"):
                title[language] = entry["title"]
            if entry.get("why"):
                why[language] = entry["why"]
        found.append(Example(scenario, prepared, title, why))
    return found


def _translated(
    rules: Mapping[str, Rule], chapters: Mapping[str, Chapter]
) -> tuple[dict[str, Rule], dict[str, Chapter], set[tuple[str, str]]]:
    """Put the translations beside the originals, and find what lags."""
    files, _ = load_translations_with_errors()
    stale: set[tuple[str, str]] = set()
    headings = {
        name: replace(about, title={**about.title}, intro={**about.intro})
        for name, about in chapters.items()
    }
    whole = dict(rules)
    for (language, chapter), document in files.items():
        if chapter not in headings:
            continue
        value = document.value
        for key, texts in (("title", headings[chapter].title), ("intro", headings[chapter].intro)):
            if value.get(key):
                texts.setdefault(language, value[key])
                if value.get("source") != heading_checksum(chapters[chapter]):
                    stale.add((language, chapter))
        for rule_id, entry in value.get("rules", {}).items():
            if rule_id not in rules:
                continue
            if entry["source"] != source_checksum(rules[rule_id]):
                stale.add((language, rule_id))
            data = _joined(whole[rule_id].data, entry, language)
            whole[rule_id] = replace(whole[rule_id], data=data, text=data.get("text", {}))
    return whole, headings, stale


def _joined(data: Json, entry: Json, language: str) -> Json:
    """Return a copy of a rule's data with the texts of one more language."""
    joined = dict(data)
    for key in ("text", "note", "rationale"):
        if key in joined and entry.get(key):
            joined[key] = {**joined[key], language: entry[key]}
    if "text_by" in joined and entry.get("text_by"):
        ((name, texts),) = joined["text_by"].items()
        own = entry["text_by"].get(name, {})
        joined["text_by"] = {
            name: {
                value: {**text, language: own[value]} if own.get(value) else text
                for value, text in texts.items()
            }
        }
    return joined
