"""Translations of the rules, spec/translations/LANGUAGE/CHAPTER.yaml, held to the original.

Rules are written in English and German side by side; every other language translates the English
text and remembers its checksum, so that a translation whose original has changed is found out.
What is missing or lags is shown in English and marked; in a required language it is a fault.

    python -m bauernschnapsen_conformance.corpus.translations skeleton ru play
    python -m bauernschnapsen_conformance.corpus.translations lagging ru

print what a translator begins with and what is left to do: see `skeleton.py`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import check, validate
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import SpecError, did_you_mean

from .rules import Rule
from .scenario import Scenario

_DIGITS = 12
_PLACEHOLDER = re.compile(r"\{[^{}]+\}")
FIELDS = ("text", "text_by", "note", "rationale")
"""The fields of a rule that a translator writes."""
OTHERS = ("interface.yaml", "options.yaml", "rulesets.yaml")
"""Files beside those of the chapters: see `interface.py` and `table_texts.py`."""


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages of the rulebook, the first being the one that others fall back to."""

    published: tuple[str, ...]
    required: tuple[str, ...]
    """In which nothing may lag at any time."""
    prevails: str
    released: tuple[str, ...] = ()
    """In which nothing may lag when an edition is published."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """The title and the introduction of a chapter, by language."""

    name: str
    title: dict[str, str]
    intro: dict[str, str]


@dataclass(frozen=True, slots=True)
class Lag:
    """A text that a language lacks, or has in a form older than the original."""

    language: str
    chapter: str
    id: str
    what: str
    """`missing` or `stale`."""


@dataclass(frozen=True, slots=True)
class TranslationState:
    """Faults of the files, and what is missing or lags in each language."""

    errors: tuple[SpecError, ...]
    lags: tuple[Lag, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for each language that lags."""
        lines = []
        for language in dict.fromkeys(lag.language for lag in self.lags):
            own = [lag for lag in self.lags if lag.language == language]
            stale = sum(lag.what == "stale" for lag in own)
            lines.append(f"translation {language}: {len(own) - stale} missing, {stale} stale")
        return tuple(lines)


def source_checksum(rule: Rule) -> str:
    """Checksum of what a translator of the rule reads: its English text, note and rationale."""
    return text_checksum({key: _english(rule.data[key]) for key in FIELDS if key in rule.data})


def scenario_checksum(scenario: Scenario) -> str:
    """Checksum of the English title and reason of an example."""
    return text_checksum({"title": scenario.title, "why": scenario.why.get("en", "")})


def heading_checksum(chapter: Chapter) -> str:
    """Checksum of the English title and introduction of a chapter."""
    return text_checksum({"title": chapter.title["en"], "intro": chapter.intro["en"]})


@lru_cache(maxsize=4)
def load_languages(root: Path | None = None) -> Languages:
    """Return the languages of the rulebook; SpecError if the file is faulty."""
    document = load_yaml((root or spec_root()) / "translations" / "languages.yaml")
    check(document.value, "languages", document=document)
    value = document.value
    published = tuple(value["published"])
    for name in ("required", "prevails", "released"):
        if name not in value:
            continue
        named = value[name] if isinstance(value[name], list) else [value[name]]
        unknown = [language for language in named if language not in published]
        if unknown:
            raise document.error((name,), f"{unknown[0]} is not among the published languages")
    required, released = value["required"], value.get("released", value["required"])
    return Languages(published, tuple(required), value["prevails"], tuple(released))


@lru_cache(maxsize=4)
def load_chapters(root: Path | None = None) -> dict[str, Chapter]:
    """Return title and introduction of every chapter that has rules, in no order of the book."""
    chapters = {}
    for path in sorted(((root or spec_root()) / "rules").glob("*.yaml")):
        document = load_yaml(path)
        check(document.value, "rule-file", document=document)
        value = document.value
        chapters[value["chapter"]] = Chapter(value["chapter"], value["title"], value["intro"])
    return chapters


def load_translations_with_errors(
    root: Path | None = None,
) -> tuple[dict[tuple[str, str], Document], list[SpecError]]:
    """Return the files that are well formed, by language and chapter, and the faults of others."""
    found: dict[tuple[str, str], Document] = {}
    errors: list[SpecError] = []
    for path in sorted(((root or spec_root()) / "translations").glob("*/*.yaml")):
        if path.name in OTHERS:
            continue
        try:
            document = load_yaml(path)
        except SpecError as error:
            errors.append(error)
            continue
        faults = validate(document.value, "translation-file", document=document)
        errors += faults
        if faults:
            continue
        for key, place in (("language", path.parent.name), ("chapter", path.stem)):
            if document.value[key] != place:
                errors.append(document.error((key,), f"{key} must be {place}, as the file's place"))
        found[path.parent.name, path.stem] = document
    return found, errors


def check_translations(
    rules: Mapping[str, Rule], scenarios: Iterable[Scenario], root: Path | None = None
) -> TranslationState:
    """Hold all translations against the rules and examples they translate."""
    try:
        languages, chapters = load_languages(root), load_chapters(root)
    except SpecError as error:
        return TranslationState((error,), ())
    examples = {scenario.id: scenario for scenario in scenarios if scenario.example}
    files, errors = load_translations_with_errors(root)
    lags: list[Lag] = []
    for (language, chapter), document in files.items():
        if chapter not in chapters:
            hint = did_you_mean(chapter, chapters)
            errors.append(document.error(("chapter",), "there is no such chapter", hint))
        if language not in languages.published:
            hint = "name it in spec/translations/languages.yaml"
            errors.append(document.error(("language",), "this language is not published", hint))
        errors += _misfits(document, rules, examples)
    for language in languages.published:
        for about in chapters.values():
            file = files.get((language, about.name))
            lags += _lags(language, about, rules, examples, file.value if file else {})
    hint = "python -m bauernschnapsen_conformance.corpus.translations skeleton LANGUAGE CHAPTER"
    for lag in lags:
        if lag.language in languages.required:
            place = f"spec/translations/{lag.language}/{lag.chapter}.yaml"
            errors.append(
                SpecError(f"the translation is {lag.what}", place, field=lag.id, hint=hint)
            )
    return TranslationState(tuple(errors), tuple(lags))


def text_checksum(value: object) -> str:
    """Return what an entry of a translation remembers of the English it translates."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _english(value: Any) -> Any:
    if isinstance(value, dict) and "en" in value:
        return value["en"]
    return {key: _english(inner) for key, inner in value.items()}


def _misfits(
    document: Document, rules: Mapping[str, Rule], examples: Mapping[str, Scenario]
) -> Iterator[SpecError]:
    chapter = document.value["chapter"]
    for rule_id, entry in document.value.get("rules", {}).items():
        rule = rules.get(rule_id)
        if rule is None or rule.chapter != chapter:
            yield document.error(
                ("rules", rule_id),
                f"the chapter {chapter} has no such rule",
                did_you_mean(rule_id, [name for name in rules if name.startswith(chapter)]),
                at_key=True,
            )
            continue
        if entry["source"] != source_checksum(rule):
            continue  # stale: it translates an older text and need not fit this one
        for key in FIELDS:
            if key in entry and key not in rule.data:
                yield document.error(("rules", rule_id, key), f"the rule has no {key}", at_key=True)
            elif key in entry:
                yield from _unlike(document, ("rules", rule_id, key), rule.data[key], entry[key])
    for scenario_id in document.value.get("scenarios", {}):
        scenario = examples.get(scenario_id)
        if scenario is None or scenario.chapter != chapter:
            message = f"the chapter {chapter} has no such example"
            yield document.error(
                ("scenarios", scenario_id),
                message,
                "only scenarios with example: true are translated",
                at_key=True,
            )


def _unlike(
    document: Document, pointer: tuple[str | int, ...], original: Any, text: Any
) -> Iterator[SpecError]:
    """Yield what keeps a translated text from taking the place of its original."""
    if isinstance(text, dict):
        for key, inner in text.items():
            if key not in original:
                hint = did_you_mean(key, list(original))
                yield document.error((*pointer, key), f"the rule has no {key}", hint, at_key=True)
            else:
                yield from _unlike(document, (*pointer, key), original[key], inner)
    elif isinstance(text, str):
        wanted = sorted(_PLACEHOLDER.findall(original["en"]))
        if sorted(_PLACEHOLDER.findall(text)) != wanted:
            expected = " ".join(wanted) or "none"
            yield document.error(pointer, f"the placeholders must be those of English: {expected}")


def _lags(
    language: str,
    chapter: Chapter,
    rules: Mapping[str, Rule],
    examples: Mapping[str, Scenario],
    file: Mapping[str, Any],
) -> Iterator[Lag]:
    def lag(name: str, wanted: Sequence[bool], source: object, checksum: str) -> Iterator[Lag]:
        """Compare one entry; `wanted` holds for each text asked of it whether it is there."""
        if not all(wanted):
            yield Lag(language, chapter.name, name, "missing")
        elif wanted and source != checksum:
            yield Lag(language, chapter.name, name, "stale")

    if language not in chapter.title:
        there = [bool(file.get("title")), bool(file.get("intro"))]
        yield from lag(chapter.name, there, file.get("source"), heading_checksum(chapter))
    for rule in rules.values():
        if rule.chapter == chapter.name:
            entry = file.get("rules", {}).get(rule.id, {})
            there = [
                bool(_inner(entry, path)) for path, text in _texts(rule) if language not in text
            ]
            yield from lag(rule.id, there, entry.get("source"), source_checksum(rule))
    for scenario in examples.values():
        if scenario.chapter == chapter.name and language != "en":
            entry = file.get("scenarios", {}).get(scenario.id, {})
            there = [bool(entry.get("title"))]
            if language not in scenario.why:
                there.append(bool(entry.get("why")))
            yield from lag(scenario.id, there, entry.get("source"), scenario_checksum(scenario))


def _texts(rule: Rule) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    for key in FIELDS:
        given = rule.data.get(key)
        if given is None:
            continue
        if key == "text_by":
            ((name, texts),) = given.items()
            for value, text in texts.items():
                yield (key, name, value), text
        else:
            yield (key,), given


def _inner(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


if __name__ == "__main__":
    from .skeleton import main

    sys.exit(main())
