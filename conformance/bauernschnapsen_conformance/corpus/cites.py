"""Cites: a shipped ruleset that extends another says for every difference who plays it so.

A cite begins with the tags of its sources, as rules have them: ``W22: he plays``, ``U7, A28: ...``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import SpecError, did_you_mean
from bauernschnapsen.ruleset import Resolved, load_ruleset

_NOT_DATA = ("name", "like")


def check_cites(path: Path) -> list[SpecError]:
    """Return what is wrong with the cites of a ruleset file that could be loaded."""
    document = load_yaml(path)
    if "extends" not in document.value:
        return []
    return list(_faults(document, load_ruleset(document.value["extends"])))


def _faults(document: Document, parent: Resolved) -> Iterator[SpecError]:
    cites = document.value.get("cites", {})
    written = dict(_written(document.value))
    for path, (pointer, value) in written.items():
        if path not in cites:
            yield document.error(pointer, f"say in cites who plays {path} so", at_key=True)
        if _usual(parent, pointer) == value:
            message = f"is what {parent['ruleset']} says anyway"
            yield document.error(pointer, message, at_key=True)
    for path, sentences in cites.items():
        if path not in written:
            hint = did_you_mean(path, list(written))
            message = "this ruleset does not change that"
            yield document.error(("cites", path), message, hint, at_key=True)
        for place, sentence in enumerate(sentences):
            tags, colon, _ = sentence.partition(": ")
            wrong = [tag for tag in tags.split(", ") if not _tag().match(tag)]
            if wrong or not colon:
                message = "begin with the tags of the sources and a colon, such as 'W22: '"
                yield document.error(("cites", path, place), message)


def _written(data: dict[str, Any]) -> Iterator[tuple[str, tuple[tuple[str, ...], Any]]]:
    """Yield every field that the file itself sets: its path, and pointer and value."""
    groups: list[tuple[tuple[str, ...], Any]] = [(("options",), data.get("options", {}))]
    groups += [(("all_contracts",), data.get("all_contracts", {}))]
    groups += [(("contracts", name), own) for name, own in data.get("contracts", {}).items()]
    for pointer, fields in groups:
        for field, value in fields.items():
            if field not in _NOT_DATA:
                yield ".".join((*pointer, field)), ((*pointer, field), value)


def _usual(parent: Resolved, pointer: tuple[str, ...]) -> Any:
    """What the parent has there; for a field of all contracts what they all have, or None."""
    if pointer[0] == "all_contracts":
        values = [contract[pointer[1]] for contract in parent["contracts"].values()]
        return values[0] if all(value == values[0] for value in values) else None
    value: Any = parent
    for key in pointer:
        value = value.get(key) if isinstance(value, dict) else None
    return value


@lru_cache(maxsize=1)
def _tag() -> re.Pattern[str]:
    schema = json.loads((schemas_root() / "rule-file.schema.json").read_text(encoding="utf-8"))
    return re.compile(schema["$defs"]["source"]["pattern"])
