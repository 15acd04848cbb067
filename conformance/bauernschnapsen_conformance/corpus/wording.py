"""The words of the rules under one ruleset: whole sentences, with nothing left to be filled in.

A rule may have one text for each value of a field (`text_by`), may say nothing under some rulesets
(`where`, and `note_where` for its note), and a text may name fields and lists of contracts:

    {contracts.gang.value}, {options.target}    the value, or the glossary's phrase for it
    {contracts[marriages=all]}                  contracts that are played and have this value, from
                                                the lowest up: "Normal, Gang and Zehner-Gang"
    {contracts[goal=shown]|or}                  the same, joined by "or"

A field may also be that of several contracts, `contracts[trump=named].lead`: its value is the one
they all have, or `mixed`; there is none if there is no such contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.ruleset import Resolved

from .rules import Rule

Json = dict[str, Any]
MIXED = "mixed"
SOME = "some"
"""Condition on a list of contracts: there is one at least."""
_PLACE = re.compile(r"\{([a-z][^{}|]*)(\|or)?\}")
_LIST = re.compile(r"contracts\[([a-z0-9_=!,A-Z-]*)\](?:\.([a-z][a-z0-9_]*))?")


@lru_cache(maxsize=1)
def glossary() -> Json:
    """Return `spec/glossary.yaml`. Not to be changed."""
    value: Json = load_yaml(spec_root() / "glossary.yaml").value
    return value


def rule_text(rule: Rule, ruleset: Resolved, language: str = "en") -> str:
    """Return what a rule says under a ruleset; empty if it says nothing there.

    That is so where its contract is not part of the ruleset, a field has a value without a text,
    or the rule is about contracts or options that this table does not play.
    """
    if not _holds(rule.data.get("where", {}), ruleset):
        return ""
    text = rule.data.get("text", {}).get(language, "")
    for field, texts in rule.data.get("text_by", {}).items():
        value = field_value(ruleset, field)
        text = "" if value is None else texts.get(value_key(value), {}).get(language, "")
    return _filled_or_nothing(text, ruleset, language)


def rule_note(rule: Rule, ruleset: Resolved, language: str = "en") -> str:
    """Return the note of a rule under a ruleset; empty if there is none, or none that is true."""
    said = rule_text(rule, ruleset) and _holds(rule.data.get("note_where", {}), ruleset)
    text = rule.data.get("note", {}).get(language, "") if said else ""
    return _filled_or_nothing(text, ruleset, language)


def fill_in(text: str, ruleset: Resolved, language: str = "en") -> str:
    """Put the values of a ruleset where a text names their fields; unknown fields stay."""

    def filled(match: re.Match[str]) -> str:
        name, word = match[1], match[2]
        listed = _LIST.fullmatch(name)
        if listed is not None and listed[2] is None:
            return _enumerated(ruleset, listed[1], language, "or" if word else "and")
        value = field_value(ruleset, name)
        if value is None:
            return match[0]
        phrases = glossary()["values"].get(name.rpartition(".")[2], {})
        return str(phrases.get(value_key(value), {}).get(language, value))

    return _PLACE.sub(filled, text)


def contract_name(contract: str, language: str = "en", ruleset: Resolved | None = None) -> str:
    """Return the name of a contract, also of one that only this ruleset has; else its id."""
    entry = glossary()["contracts"].get(contract)
    if entry is not None:
        return str(entry[language]["main"])
    own = (ruleset or {}).get("contracts", {}).get(contract, {}).get("name", {})
    return str(own.get(language) or own.get("en") or contract)


def value_key(value: Any) -> str:
    """Return a value as the key that stands for it in texts by value: lists with spaces."""
    if isinstance(value, list | tuple):
        return " ".join(str(one) for one in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def field_value(ruleset: Resolved, path: str) -> Any:
    """Return the value of `options.NAME`, `contracts.NAME.FIELD` or `contracts[...].FIELD`.

    None if there is no such field, or no such contract.
    """
    listed = _LIST.fullmatch(path)
    if listed is not None:
        field = listed[2]
        values = {value_key(one.get(field)) for _, one in _chosen(ruleset, listed[1])}
        return None if not values else values.pop() if len(values) == 1 else MIXED
    value: Any = ruleset
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def _holds(conditions: Mapping[str, list[str]], ruleset: Resolved) -> bool:
    """Whether every field has one of the values named for it."""
    for path, values in conditions.items():
        listed = _LIST.fullmatch(path)
        if listed is not None and listed[2] is None:
            there = any(True for _ in _chosen(ruleset, listed[1]))
            if there != (values == [SOME]):
                return False
        elif value_key(field_value(ruleset, path)) not in values:
            return False
    return True


def _filled_or_nothing(text: str, ruleset: Resolved, language: str) -> str:
    """Return the text; empty where a list of contracts in it would be empty."""
    for match in _PLACE.finditer(text):
        listed = _LIST.fullmatch(match[1])
        if listed is not None and listed[2] is None and not any(_chosen(ruleset, listed[1])):
            return ""
    return fill_in(text, ruleset, language)


def _chosen(ruleset: Resolved, conditions: str) -> Iterator[tuple[str, Json]]:
    """Yield the contracts that are played and meet conditions such as `trump=named,goal!=shown`."""
    wanted = [condition.partition("=") for condition in conditions.split(",") if condition]
    for name, contract in ruleset["contracts"].items():
        if contract["played"] and all(
            (value_key(contract.get(field.removesuffix("!"))) == value) is not field.endswith("!")
            for field, _, value in wanted
        ):
            yield name, contract


def _enumerated(ruleset: Resolved, conditions: str, language: str, word: str) -> str:
    names = [contract_name(name, language, ruleset) for name, _ in _chosen(ruleset, conditions)]
    if len(names) < 2:
        return "".join(names)
    joint = glossary()["languages"][language][word]
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
