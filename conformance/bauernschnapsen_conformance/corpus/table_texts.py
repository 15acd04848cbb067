"""What options and rulesets say to readers, in languages other than English and German.

spec/options.yaml and spec/rulesets/ hold English and German side by side; another language has
spec/translations/LANGUAGE/options.yaml and rulesets.yaml, each entry with the checksum of the
English it translates. What is missing is shown in English; what lags stays and is counted.

    python -m bauernschnapsen_conformance.corpus.table_texts skeleton uk options
    python -m bauernschnapsen_conformance.corpus.table_texts skeleton uk interface
    python -m bauernschnapsen_conformance.corpus.table_texts lagging uk
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import SpecError, did_you_mean
from bauernschnapsen.ruleset import Resolved, load_ruleset, shipped_rulesets

from .interface import interface_skeleton
from .skeleton import language_code
from .translations import Lag, load_languages, text_checksum

Json = dict[str, Any]
FILES = ("options.yaml", "rulesets.yaml")
_GROUPS = ("options", "contract_fields")
_VALUE = re.compile(r"\{[^{}]*\}")


def field_checksum(entry: Json) -> str:
    """Checksum of the English that a translator of an option or contract field reads."""
    return text_checksum(dict(_english(entry)))


def ruleset_checksum(ruleset: Resolved) -> str:
    """Checksum of the English title and description of a ruleset."""
    return text_checksum({key: ruleset[key]["en"] for key in ("title", "about") if key in ruleset})


@lru_cache(maxsize=4)
def load_table_texts(
    root: Path | None = None,
) -> tuple[Mapping[tuple[str, str], Document], tuple[SpecError, ...]]:
    """Return the files that are well formed, by language and file name, and all faults."""
    found: dict[tuple[str, str], Document] = {}
    errors: list[SpecError] = []
    for path in sorted(((root or spec_root()) / "translations").glob("*/*.yaml")):
        if path.name not in FILES:
            continue
        try:
            document = load_yaml(path)
        except SpecError as error:
            errors.append(error)
            continue
        faults = validate(document.value, "table-translation", document=document)
        if document.value.get("language") != path.parent.name and not faults:
            message = f"language must be {path.parent.name}, as the file's place"
            faults = [document.error(("language",), message)]
        errors += faults
        if not faults:
            found[path.parent.name, path.name] = document
    return found, tuple(errors)


def field_texts(group: str, name: str, root: Path | None = None) -> dict[str, Json]:
    """Return what the translations say about a field, by language."""
    files, _ = load_table_texts(root)
    return {
        language: document.value[group][name]
        for (language, _), document in files.items()
        if name in document.value.get(group, {})
    }


def in_all_languages(ruleset: Resolved, root: Path | None = None) -> Resolved:
    """Return a shipped ruleset with its title and description in every language there is."""
    files, _ = load_table_texts(root)
    whole = dict(ruleset)
    for (language, _), document in files.items():
        entry = document.value.get("rulesets", {}).get(ruleset["ruleset"], {})
        for key in ("title", "about"):
            if entry.get(key) and key in whole:
                whole[key] = {**whole[key], language: entry[key]}
    return whole


def check_table_texts(options: Json, root: Path | None = None) -> tuple[list[SpecError], list[Lag]]:
    """Hold the translations against `options` (spec/options.yaml) and the shipped rulesets."""
    files, faults = load_table_texts(root)
    errors, lags = list(faults), list[Lag]()
    rulesets = {name: load_ruleset(name) for name in shipped_rulesets()}
    for document in files.values():
        errors += _misfits(document, options, rulesets)
    for language in load_languages(root).published:
        if language in ("en", "de"):
            continue
        texts = {name: files[language, name].value for name in FILES if (language, name) in files}
        for group in _GROUPS:
            own = texts.get("options.yaml", {}).get(group, {})
            for name, entry in options[group].items():
                wanted, given = dict(_english(entry)), _given(own.get(name, {}))
                lags += _lag(language, "options", f"{group}.{name}", wanted, given)
        own = texts.get("rulesets.yaml", {}).get("rulesets", {})
        for name, ruleset in rulesets.items():
            wanted = {key: ruleset[key]["en"] for key in ("title", "about") if key in ruleset}
            lags += _lag(language, "rulesets", name, wanted, own.get(name, {}))
    return errors, lags


def skeleton(language: str, kind: str, root: Path | None = None) -> str:
    """Return the file a translator begins with, `kind` options or rulesets; filled as far as known.

    SpecError if there is no such kind of file.
    """
    if f"{kind}.yaml" not in FILES:
        raise SpecError(f"there is no file {kind[:40]!r}", hint="options or rulesets")
    files, _ = load_table_texts(root)
    document = files.get((language, f"{kind}.yaml"))
    have: Json = {} if document is None else document.value
    lines = [
        "# yaml-language-server: $schema=../../../schemas/table-translation.schema.json",
        f"language: {language}",
    ]
    if kind == "rulesets":
        lines.append("rulesets:")
        for name in shipped_rulesets():
            ruleset, own = load_ruleset(name), have.get("rulesets", {}).get(name, {})
            lines += [f"  {name}:", f"    source: {ruleset_checksum(ruleset)!r}"]
            for key in ("title", "about"):
                if key in ruleset:
                    lines += _asked(key, ruleset[key], own.get(key), 4)
        return "\n".join(lines) + "\n"
    options = load_yaml((root or spec_root()) / "options.yaml").value
    for group in _GROUPS:
        lines.append(f"{group}:")
        for name, entry in options[group].items():
            own = have.get(group, {}).get(name, {})
            lines += [f"  {name}:", f"    source: {field_checksum(entry)!r}"]
            for key in ("meaning", "because", "other"):
                if key in entry:
                    lines += _asked(key, entry[key], own.get(key), 4)
            lines += ["    values:"] if entry["values"] else []
            for value, texts in entry["values"].items():
                lines += _asked(f"'{value}'", texts, own.get("values", {}).get(value), 6)
    return "\n".join(lines) + "\n"


def _asked(key: str, texts: Json, have: str | None, indent: int) -> list[str]:
    margin = " " * indent
    shown = [f"{margin}# {name}: {texts[name]}" for name in ("en", "de") if name in texts]
    own = "" if have is None else " '" + have.replace("'", "''") + "'"
    return [*shown, f"{margin}{key}:{own}"]


def _english(entry: Json) -> Iterator[tuple[str, str]]:
    for key in ("meaning", "because", "other"):
        if key in entry:
            yield key, entry[key]["en"]
    for value, texts in entry["values"].items():
        yield f"values.{value}", texts["en"]


def _given(entry: Json) -> Json:
    values = {f"values.{value}": text for value, text in entry.get("values", {}).items()}
    return {**{key: text for key, text in entry.items() if key != "values"}, **values}


def _lag(
    language: str, kind: str, name: str, wanted: Mapping[str, str], given: Mapping[str, Any]
) -> Iterator[Lag]:
    if not all(given.get(key) for key in wanted):
        yield Lag(language, kind, name, "missing")
    elif given["source"] != text_checksum(dict(wanted)):
        yield Lag(language, kind, name, "stale")


def _misfits(
    document: Document, options: Json, rulesets: Mapping[str, Resolved]
) -> Iterator[SpecError]:
    for group in _GROUPS:
        for name, own in document.value.get(group, {}).items():
            entry = options[group].get(name)
            if entry is None:
                hint = did_you_mean(name, options[group])
                yield document.error((group, name), "there is no such field", hint, at_key=True)
                continue
            stale = own["source"] != field_checksum(entry)
            wanted = dict(_english(entry))
            for key, text in _given(own).items():
                where: tuple[str | int, ...] = (group, name, *key.split(".", 1))
                if key == "source" or text is None or stale:
                    continue
                if key not in wanted:
                    yield document.error(where, "English has no such text", at_key=True)
                elif sorted(_VALUE.findall(text)) != sorted(_VALUE.findall(wanted[key])):
                    yield document.error(where, "the words in braces must be those of English")
    for name in document.value.get("rulesets", {}):
        if name not in rulesets:
            hint = did_you_mean(name, rulesets)
            message = "no such ruleset comes with the suite"
            yield document.error(("rulesets", name), message, hint, at_key=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `skeleton LANGUAGE FILE` or `lagging LANGUAGE`; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bauernschnapsen_conformance.corpus.table_texts",
        description="Begin the translation of options, of rulesets or of the words of the pages, "
        "or list what options and rulesets lack.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    about = "print the file, filled in as far as it is translated"
    begin = commands.add_parser("skeleton", help=about, description=about)
    begin.add_argument("language", type=language_code, help="such as uk")
    kinds = [name.removesuffix(".yaml") for name in FILES]
    begin.add_argument("kind", choices=[*kinds, "interface"])
    about = "list what is missing or stale; exit code 1 if there is anything"
    lagging = commands.add_parser("lagging", help=about, description=about)
    lagging.add_argument("language", type=language_code, help="such as uk")
    given = parser.parse_args(arguments)
    try:
        if given.command == "skeleton":
            if given.kind == "interface":
                sys.stdout.write(interface_skeleton(given.language))
            else:
                sys.stdout.write(skeleton(given.language, given.kind))
            return 0
        options = load_yaml(spec_root() / "options.yaml").value
        own = [lag for lag in check_table_texts(options)[1] if lag.language == given.language]
    except SpecError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for lag in own:
        sys.stdout.write(f"{lag.chapter} {lag.id}: {lag.what}\n")
    return int(bool(own))


if __name__ == "__main__":
    sys.exit(main())
