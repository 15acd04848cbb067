"""Headings, labels and phrases of the rulebook: spec/translations/LANGUAGE/interface.yaml.

English is the original. Every other file repeats the English it translates, so that an entry whose
original has changed is found out; what lags is shown in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError, did_you_mean

ORIGINAL = "en"
FILE = "interface.yaml"
_BLANK = re.compile(r"\{[a-z_]+\}")


@dataclass(frozen=True, slots=True)
class Interface:
    """The words of one language; `lacking` are the keys that are shown in English."""

    language: str
    words: Mapping[str, str]
    lacking: frozenset[str]
    stale: frozenset[str] = field(default=frozenset())

    def __call__(self, key: str, **blanks: object) -> str:
        """Return a phrase with its blanks filled in. KeyError for an unknown key: a bug of ours."""
        return self.words[key].format(**blanks) if blanks else self.words[key]

    def has(self, key: str) -> bool:
        """Whether there is such a phrase."""
        return key in self.words


def load_interface(language: str, root: Path | None = None) -> Interface:
    """Return the words of a language; SpecError if a file is faulty."""
    interface, errors = load_interface_with_errors(language, root or spec_root())
    if errors:
        raise errors[0]
    return interface


@lru_cache(maxsize=16)
def load_interface_with_errors(language: str, root: Path) -> tuple[Interface, list[SpecError]]:
    """Return what could be read of a language, completed with English, and all faults."""
    original, errors = _read(root, ORIGINAL)
    words = {key: text for key, text in original.items() if isinstance(text, str)}
    if language == ORIGINAL:
        return Interface(language, words, frozenset()), errors
    given, faults = _read(root, language)
    errors = errors + faults
    lacking, stale = set(words), set()
    for key, entry in given.items():
        if key not in words:
            place = f"spec/translations/{language}/{FILE}"
            hint = did_you_mean(key, words)
            errors.append(SpecError("English has no such entry", place, field=key, hint=hint))
            continue
        text = entry.get("text") if isinstance(entry, dict) else None
        if text is None:
            continue
        if entry["en"] != words[key]:
            stale.add(key)
        elif sorted(_BLANK.findall(text)) != sorted(_BLANK.findall(words[key])):
            place = f"spec/translations/{language}/{FILE}"
            errors.append(
                SpecError("the words in braces must be those of English", place, field=key)
            )
        else:
            words[key] = text
            lacking.discard(key)
    return Interface(language, words, frozenset(lacking), frozenset(stale)), errors


def interface_skeleton(language: str) -> str:
    """Return an interface file for a translator, with what the language has already."""
    import yaml

    original = load_interface(ORIGINAL)
    own = load_interface_with_errors(language, spec_root())[0]
    lines = [
        "# yaml-language-server: $schema=../../../schemas/interface-file.schema.json",
        f"language: {language}",
        "words:",
    ]

    def flow(text: str) -> str:
        dumped = yaml.safe_dump(
            text, allow_unicode=True, width=10_000, default_style="'", explicit_end=False
        )
        return str(dumped).strip()

    for key, text in original.words.items():
        mine = "" if key in own.lacking else f" {flow(own.words[key])}"
        lines += [f"  {key}:", f"    en: {flow(text)}", f"    text:{mine}"]
    return "\n".join(lines) + "\n"


def _read(root: Path, language: str) -> tuple[Mapping[str, Any], list[SpecError]]:
    path = root / "translations" / language / FILE
    if not path.exists() and language != ORIGINAL:
        return {}, []
    try:
        document = load_yaml(path)
    except SpecError as error:
        return {}, [error]
    faults = validate(document.value, "interface-file", document=document)
    if faults:
        return {}, faults
    if document.value["language"] != language:
        return {}, [document.error(("language",), f"language must be {language}")]
    words: Mapping[str, Any] = document.value["words"]
    return words, []
