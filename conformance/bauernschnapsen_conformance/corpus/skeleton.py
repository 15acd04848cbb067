"""What a translator of a chapter begins with, and the list of what lags: the command line.

python -m bauernschnapsen_conformance.corpus.translations skeleton ru play
python -m bauernschnapsen_conformance.corpus.translations lagging ru
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError, did_you_mean

from .rules import Rule, load_rules
from .translations import (
    FIELDS,
    check_translations,
    heading_checksum,
    load_chapters,
    scenario_checksum,
    source_checksum,
)


def skeleton(language: str, chapter: str, root: Path | None = None) -> str:
    """Return the file a translator begins with: checksums, the texts as comments, empty fields.

    SpecError if there is no such chapter.
    """
    from .corpus import load_corpus

    chapters = load_chapters(root)
    if chapter not in chapters:
        hint = did_you_mean(chapter, chapters) or ", ".join(chapters)
        raise SpecError(f"there is no chapter {chapter[:40]!r}", hint=hint)
    about = chapters[chapter]
    lines = [
        "# yaml-language-server: $schema=../../../schemas/translation-file.schema.json",
        f"language: {language}",
        f"chapter: {chapter}",
    ]
    if language not in about.title:
        lines.append(f"source: {heading_checksum(about)!r}")
        lines += _asked("title", about.title, 0) + _asked("intro", about.intro, 0)
    entries = []
    for rule in load_rules().values():
        if rule.chapter == chapter:
            fields = list(_rule_fields(rule, language))
            if fields:
                entries += [f"  {rule.id}:", f"    source: {source_checksum(rule)!r}", *fields]
    lines += ["rules:", *entries] if entries else []
    entries = []
    for scenario in load_corpus(root).scenarios:
        if scenario.chapter == chapter and scenario.example and language != "en":
            entries += [f"  {scenario.id}:", f"    source: {scenario_checksum(scenario)!r}"]
            entries += _asked("title", {"en": scenario.title}, 4)
            if language not in scenario.why:
                entries += _asked("why", scenario.why, 4)
    lines += ["scenarios:", *entries] if entries else []
    return "\n".join(lines) + "\n"


def _rule_fields(rule: Rule, language: str) -> Iterator[str]:
    for key in FIELDS:
        given = rule.data.get(key)
        if given is None:
            continue
        if key == "text_by":
            ((name, texts),) = given.items()
            if any(language not in text for text in texts.values()):
                yield from ("    text_by:", f"      {name}:")
                for value, text in texts.items():
                    yield from _asked(str(value), text, 8)
        elif language not in given:
            yield from _asked(key, given, 4)


def _asked(key: str, texts: Mapping[str, str], indent: int) -> list[str]:
    margin = " " * indent
    shown = [
        f"{margin}# {name}: {' '.join(texts[name].split())}"
        for name in ("en", "de")
        if name in texts
    ]
    quoted = f"'{key}'" if key.isdigit() or key in {"true", "false", "null"} else key
    return [*shown, f"{margin}{quoted}:"]


def language_code(text: str) -> str:
    """Return a word of the command line that is the code of a language, or refuse it."""
    if not re.fullmatch("[a-z]{2}", text):
        message = f"{text[:20]!r} is no language: a code of two letters, such as uk"
        raise argparse.ArgumentTypeError(message)
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `skeleton LANGUAGE CHAPTER` or `lagging LANGUAGE`; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bauernschnapsen_conformance.corpus.translations",
        description="Begin the translation of a chapter of the rules, or list what it lacks.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    about = "write the file of a chapter with empty fields, or print it if there is one"
    begin = commands.add_parser("skeleton", help=about, description=about)
    begin.add_argument("language", type=language_code, help="such as uk")
    begin.add_argument("chapter", help="such as play")
    about = "list what is missing or stale; exit code 1 if there is anything"
    lagging = commands.add_parser("lagging", help=about, description=about)
    lagging.add_argument("language", type=language_code, help="such as uk")
    given = parser.parse_args(arguments)
    try:
        if given.command == "skeleton":
            return _begin(given.language, given.chapter)
        return _print_lags(given.language)
    except SpecError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _begin(language: str, chapter: str) -> int:
    text = skeleton(language, chapter)
    path = spec_root() / "translations" / language / f"{chapter}.yaml"
    if path.exists():
        sys.stdout.write(text)
        sys.stderr.write(f"{path} is there already; this is how it would begin\n")
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{path}\n")
    return 0


def _print_lags(language: str) -> int:
    from .corpus import load_corpus

    state = check_translations(load_rules(), load_corpus().scenarios)
    own = [lag for lag in state.lags if lag.language == language]
    for lag in own:
        sys.stdout.write(f"{lag.chapter} {lag.id}: {lag.what}\n")
    return int(bool(own))
