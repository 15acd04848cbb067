"""Pages that are tables: contracts, options, rulesets side by side, glossary."""

from __future__ import annotations

import json
from functools import lru_cache
from html import escape
from typing import Any

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.ruleset import Resolved

from ..corpus.wording import glossary
from .examples import rule_link
from .model import Book
from .page import Heading, Page, table
from .tongue import Tongue

Json = dict[str, Any]
_COLUMNS = ("value", "bidders", "goal", "trump", "ranks", "lead", "partner", "marriages", "hold")
_NOT_PLAYED = ("trump", "ranks", "lead", "partner", "marriages")
"""What means nothing in a contract that is only laid down."""


def contracts_page(book: Book, tongue: Tongue) -> Page:
    """Return the table of contracts of the book's ruleset, and the regional ones."""
    page = Page("contracts.md", tongue("contracts.title"))
    name = tongue.html(tongue.of(book.ruleset["title"]))
    page.add(f"<p>{tongue('contracts.intro', ruleset=name)}</p>", contracts_table(book, tongue))
    if any(not fields["played"] for fields in book.ruleset["contracts"].values()):
        page.add(
            Heading(2, tongue("contracts.regional"), "regional"),
            f"<p>{tongue('contracts.regional-intro')}</p>",
            contracts_table(book, tongue, played=False),
        )
    return page


def contracts_table(
    book: Book, tongue: Tongue, *, played: bool = True, columns: tuple[str, ...] = _COLUMNS
) -> str:
    """Return the contracts from the lowest to the highest."""
    rows = []
    for name, fields in book.ruleset["contracts"].items():
        if fields["played"] == played:
            shown = f'<span id="c-{name}">{escape(tongue.contract(name, book.ruleset))}</span>'
            main = f"contracts.{name}"
            if main in book.entries:
                shown += f" {rule_link(main, book)}"
            rows.append([shown, *(_field(column, fields, tongue) for column in columns)])
    head = [tongue("field.name"), *(tongue(f"field.{column}") for column in columns)]
    return table(head, rows, "bs-data bs-contracts")


def _field(column: str, fields: Json, tongue: Tongue) -> str:
    value = fields[column]
    if fields["goal"] == "shown" and column in _NOT_PLAYED:
        return "—"
    if column == "value":
        tiers = (value, 2 * value, 3 * value)
        return " / ".join(map(str, tiers)) if fields["goal"] == "claim_66" else str(value)
    phrase = tongue.phrase(column, str(value))
    if phrase is None:
        return escape(str(value))
    return escape(phrase.replace("{tricks}", str(fields["tricks"])))


def options_page(book: Book, tongue: Tongue) -> Page:
    """Return every option and contract field with its meaning, values and who plays them."""
    page = Page("options.md", tongue("options.title"))
    page.add(f"<p>{tongue('options.intro')}</p>")
    schema = ruleset_schema()
    names = list(book.rulesets)
    for heading, part, kind in (
        ("options.game", "options", "options"),
        ("options.contract", "contract", "contract"),
    ):
        page.add(Heading(2, tongue(heading), kind))
        rows = []
        for name, about in schema["$defs"][part]["properties"].items():
            if name in ("name", "like"):
                continue
            # The anchor of an option is its name; fields of contracts have a prefix.
            anchor = name if part == "options" else f"field-{name}"
            row = [f'<code id="{anchor}">{name}</code>', _meaning(part, name, about, tongue)]
            row.append(_values(about, schema, tongue))
            if part == "options":
                row += [_plain(book.rulesets[one]["options"].get(name)) for one in names]
            rows.append(row)
        head = [tongue("options.name"), tongue("options.meaning"), tongue("options.values")]
        if part == "options":
            head += [escape(one) for one in names]
        page.add(table(head, rows))
    return page


def _meaning(part: str, name: str, about: Json, tongue: Tongue) -> str:
    text = about.get("description", "")
    if not text and part == "options":
        text = name.replace("_", " ").capitalize() + "."
    shown = escape(text, quote=False)
    return shown if tongue.code == "en" else f'<span lang="en">{shown}</span>'


def _values(about: Json, schema: Json, tongue: Tongue) -> str:
    if "$ref" in about and about["$ref"].startswith("#/$defs/"):
        about = schema["$defs"][about["$ref"].removeprefix("#/$defs/")]
    if "enum" in about:
        return ", ".join(f"<code>{_plain(value)}</code>" for value in about["enum"])
    if about.get("type") == "boolean":
        return "<code>true</code>, <code>false</code>"
    if about.get("type") == "integer" or "anyOf" in about:
        return tongue("options.any-number")
    return ""


def rulesets_page(book: Book, tongue: Tongue) -> Page:
    """Return what each shipped ruleset says otherwise than the main one."""
    page = Page("rulesets.md", tongue("rulesets.title"))
    page.add(f"<p>{tongue('rulesets.intro')}</p>")
    main = next(iter(book.rulesets.values()))
    for name, ruleset in book.rulesets.items():
        title = tongue.of(ruleset["title"])
        about = ruleset.get("about")
        page.add(Heading(2, f"{escape(title.text)} <code>{name}</code>", name, title.text))
        if about:
            page.add(f"<p>{tongue.html(tongue.of(about))}</p>")
        if ruleset is main:
            continue
        rows = [
            [f"<code>{escape(path)}</code>", _plain(theirs), _plain(ours)]
            for path, ours, theirs in differences(main, ruleset)
        ]
        if rows:
            main_name = next(iter(book.rulesets))
            page.add(table([tongue("rulesets.what"), name, main_name], rows))
        else:
            page.add(f"<p>{tongue('rulesets.same')}</p>")
    return page


def differences(main: Resolved, other: Resolved) -> list[tuple[str, Any, Any]]:
    """Return (field, value in `main`, value in `other`) wherever two rulesets differ."""
    found = []
    for name in dict.fromkeys((*main["options"], *other["options"])):
        pair = main["options"].get(name), other["options"].get(name)
        if pair[0] != pair[1]:
            found.append((f"options.{name}", *pair))
    for contract in dict.fromkeys((*main["contracts"], *other["contracts"])):
        ours = main["contracts"].get(contract, {})
        theirs = other["contracts"].get(contract, {})
        if not ours.get("played") and not theirs.get("played"):
            continue
        found += [
            (f"contracts.{contract}.{field}", ours.get(field), theirs.get(field))
            for field in dict.fromkeys((*ours, *theirs))
            if ours.get(field) != theirs.get(field) and field != "name"
        ]
    return found


def glossary_page(tongue: Tongue) -> Page:
    """Return the words of the game, all languages side by side."""
    page = Page("glossary.md", tongue("glossary.title"))
    page.add(f"<p>{tongue('glossary.intro')}</p>")
    words = glossary()
    languages = list(words["languages"])
    head = [
        "",
        *(f'<span lang="{code}">{words["languages"][code]["name"]}</span>' for code in languages),
    ]
    for part in ("terms", "contracts", "positions", "actions"):
        page.add(Heading(2, tongue(f"glossary.{part}"), part))
        entries = words[part].items()
        if part != "contracts":
            entries = sorted(entries, key=lambda one: one[1][tongue.code]["main"].casefold())
        rows = []
        for name, entry in entries:
            mark = {"terms": f"term-{name}", "contracts": f"contract-{name}"}.get(
                part, f"{part}-{name}"
            )
            own = f'<span id="{mark}">{escape(entry[tongue.code]["main"])}</span>'
            rows.append([own, *(_word(entry[code], code) for code in languages)])
        page.add(table(head, rows, "bs-data bs-glossary"))
    for part in ("suits", "ranks"):
        page.add(Heading(2, tongue(f"glossary.{part}"), part))
        for deck in ("french", "german"):
            rows = []
            for entry in words[part].values():
                own = escape(entry[deck][tongue.code]["main"])
                rows.append([own, *(_word(entry[deck][code], code) for code in languages)])
            page.add(
                f"<p><b>{tongue(f'glossary.{deck}')}</b></p>",
                table(head, rows, "bs-data bs-glossary"),
            )
    return page


def _word(entry: Json, language: str) -> str:
    mark = "°" if entry.get("proposed") else ""
    text = f"<b>{escape(entry['main'])}</b>{mark}"
    others = [*entry.get("aliases", ())] + [
        f"{word}°" for word in entry.get("proposed_aliases", ())
    ]
    if others:
        text += f"<br><small>{escape(', '.join(others))}</small>"
    if entry.get("index"):
        text += f" ({escape(entry['index'])})"
    return f'<span lang="{language}">{text}</span>'


def _plain(value: object) -> str:
    """Return a value of a ruleset as one writes it in a file."""
    if value is None:
        return "—"
    if isinstance(value, str):
        return escape(value)
    return escape(json.dumps(value).replace('"', ""))


@lru_cache(maxsize=1)
def ruleset_schema() -> Json:
    """Return the schema of rulesets, which is the vocabulary of options and fields."""
    schema: Json = json.loads((schemas_root() / "ruleset.schema.json").read_bytes())
    return schema
