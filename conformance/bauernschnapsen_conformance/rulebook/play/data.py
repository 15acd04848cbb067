"""What the script of `play/` knows: words and rules in one language, and rulesets, for all."""

from __future__ import annotations

import json
import re
from typing import Any

from ...corpus.options import load_options
from ...corpus.wording import glossary
from ..model import Book, Entry
from ..page import folder
from ..tongue import Tongue
from .bundle import engine_path

Json = dict[str, Any]
_NAME = re.compile(r'"([a-z]+\.[a-z-]+)"')
_WORDS = ("play.", "action.", "example.", "mark.", "field.name")
TRICK_FIELDS = (
    "follow",
    "head",
    "head_target",
    "head_after_ruff",
    "ruff",
    "overtrump",
    "undertrump",
)
"""Fields of a contract that the reader may change one by one: what may be played to a trick."""


def words_script(book: Book, tongue: Tongue) -> str:
    """Return the script with everything in one language; it stands before that of the elements."""
    return _assigned(
        {
            "language": tongue.code,
            "words": {
                key: text for key, text in tongue.interface.words.items() if key.startswith(_WORDS)
            },
            "names": _names(book, tongue),
            "rules": {
                name: [
                    entry.number,
                    tongue.rule(entry.rule, entry.ruleset).text,
                    f"{folder(f'rules/{entry.rule.chapter}.md')}/",
                ]
                for name, entry in _reasons(book).items()
            },
            "texts": _other_texts(book, tongue),
            "options": _options(tongue),
        }
    )


def rulesets_script(book: Book) -> str:
    """Return the script with the rulesets, which is the same in all languages."""
    main = book.ruleset
    others = {
        name: _changes(main, ruleset)
        for name, ruleset in _playable(book).items()
        if name != main["ruleset"]
    }
    return _assigned({"rulesets": {"main": _needed(main), "others": others}})


def _reasons(book: Book) -> dict[str, Entry]:
    """Return the rules that the engine can give as the reason for a refusal."""
    named = set(_NAME.findall(engine_path().read_text("utf-8")))
    named |= {f"doubling.{step}" for step in ("kontra", "rekontra", "subkontra")}
    return {name: entry for name, entry in book.entries.items() if name in named}


def _playable(book: Book) -> dict[str, Json]:
    """Return the book's own ruleset and, in the main book, all others."""
    own = {str(book.ruleset["ruleset"]): book.ruleset}
    return own | dict(book.rulesets) if book.is_main else own


def _needed(ruleset: Json) -> Json:
    contracts = {
        name: {key: value for key, value in fields.items() if key != "name"}
        for name, fields in ruleset["contracts"].items()
    }
    return {
        "ruleset": ruleset["ruleset"],
        "contracts": contracts,
        "options": ruleset["options"],
    }


def _changes(main: Json, other: Json) -> Json:
    """Return the fields in which a ruleset differs from the main one."""
    ours, theirs = _needed(main), _needed(other)
    contracts = {}
    for name, fields in theirs["contracts"].items():
        have = ours["contracts"].get(name, {})
        changed = {key: value for key, value in fields.items() if have.get(key) != value}
        if changed:
            contracts[name] = changed
    options = {
        key: value for key, value in theirs["options"].items() if ours["options"].get(key) != value
    }
    return {"contracts": contracts, "options": options}


def _names(book: Book, tongue: Tongue) -> Json:
    rulesets = _playable(book)
    contracts: dict[str, str] = {}
    for ruleset in rulesets.values():
        for name in ruleset["contracts"]:
            contracts[name] = tongue.contract(name, ruleset)
    return {
        "seats": dict(tongue.cards.seats),
        "sides": {side: tongue.side(side) for side in glossary()["sides"]},
        "outcomes": {reason: tongue.outcome(reason) for reason in glossary()["outcomes"]},
        "contracts": contracts,
        "rulesets": {
            name: tongue.of(ruleset["title"]).text if "title" in ruleset else name
            for name, ruleset in rulesets.items()
        },
    }


def _other_texts(book: Book, tongue: Tongue) -> Json:
    """Return what rules say otherwise in other rulesets, by ruleset and rule."""
    texts: Json = {}
    for name, ruleset in _playable(book).items():
        if ruleset is book.ruleset:
            continue
        changed = {}
        for rule_id, entry in _reasons(book).items():
            said = tongue.rule(entry.rule, ruleset).text
            if said and said != tongue.rule(entry.rule, entry.ruleset).text:
                changed[rule_id] = said
        texts[name] = changed
    return texts


def _options(tongue: Tongue) -> Json:
    """Return what may be changed about a trick: name and values of each field in few words."""
    catalogue = load_options()
    return {
        name: {
            "meaning": tongue(f"play.field.{name}"),
            "values": {
                key: tongue(f"play.value.{key}")
                for key in catalogue.fields[f"contracts.*.{name}"].values
            },
        }
        for name in TRICK_FIELDS
    }


def _assigned(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"globalThis.bauernschnapsenPlay = Object.assign(globalThis.bauernschnapsenPlay ?? {{}}, {text});\n"  # noqa: E501
