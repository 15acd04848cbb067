"""The words of the rules under one ruleset: whole sentences, with nothing left to be filled in.

A rule may have one text for each value of a field (`text_by`), and a text may name fields
(`{contracts.gang.value}`); the glossary has the phrases that stand for values.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.ruleset import Resolved

from .rules import Rule

Json = dict[str, Any]
_FIELD = re.compile(r"\{([a-z][a-z0-9_.-]*)\}")


@lru_cache(maxsize=1)
def glossary() -> Json:
    """Return `spec/glossary.yaml`. Not to be changed."""
    value: Json = load_yaml(spec_root() / "glossary.yaml").value
    return value


def rule_text(rule: Rule, ruleset: Resolved, language: str = "en") -> str:
    """Return what a rule says under a ruleset; empty if it says nothing there.

    That is so where its contract is not part of the ruleset, or a field has a value without a text.
    """
    text = rule.data.get("text", {}).get(language, "")
    for field, texts in rule.data.get("text_by", {}).items():
        value = _field(ruleset, field)
        text = "" if value is None else texts.get(str(value), {}).get(language, "")
    return fill_in(text, ruleset, language)


def fill_in(text: str, ruleset: Resolved, language: str = "en") -> str:
    """Put the values of a ruleset where a text names their fields; unknown fields stay."""

    def filled(match: re.Match[str]) -> str:
        value = _field(ruleset, match[1])
        if value is None:
            return match[0]
        phrases = glossary()["values"].get(match[1].rpartition(".")[2], {})
        return str(phrases.get(str(value), {}).get(language, value))

    return _FIELD.sub(filled, text)


def contract_name(contract: str, language: str = "en") -> str:
    """Return the name of a contract; its id if the glossary does not know it."""
    entry = glossary()["contracts"].get(contract)
    return str(entry[language]["main"]) if entry is not None else contract


def _field(ruleset: Resolved, path: str) -> Any:
    """The value of `options.NAME` or `contracts.CONTRACT.FIELD`, or None."""
    value: Any = ruleset
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value
