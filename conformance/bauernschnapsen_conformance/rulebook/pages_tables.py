"""Pages that are tables: contracts, options, rulesets side by side, glossary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from bauernschnapsen.ruleset import Resolved

from ..corpus.options import Field, Value, load_options
from ..corpus.wording import glossary, value_key
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
    name = escape(tongue.of(book.ruleset["title"]).text)
    page.add(f"<p>{tongue('contracts.intro', ruleset=name)}</p>", contracts_table(book, tongue))
    page.add(*_without_rules(book, tongue))
    if any(not fields["played"] for fields in book.ruleset["contracts"].values()):
        page.add(
            Heading(2, tongue("contracts.regional"), "regional"),
            f"<p>{tongue('contracts.regional-intro')}</p>",
            contracts_table(book, tongue, played=False),
        )
    return page


def _without_rules(book: Book, tongue: Tongue) -> list[str]:
    """Say in sentences how contracts are played that only this table has, or that are regional."""
    catalogue, parts = load_options(), []
    for name, fields in book.ruleset["contracts"].items():
        if fields["played"] and f"contracts.{name}" not in book.entries:
            here = _written(tongue)
            said = " ".join(catalogue.about_contract(book.ruleset, name, here))
            shown = f"<b>{escape(tongue.contract(name, book.ruleset))}</b>"
            foreign = "" if here == tongue.code else f' lang="{here}"'
            about = f"<span{foreign}>{escape(said, quote=False)}</span>"
            parts.append(f"<p>{tongue.labelled(shown, about)}</p>")
    return parts


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
    return table(head, rows, "bs-data bs-stack bs-contracts", labelled=True)


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
    """Return the catalogue: every option and contract field, its values, and who plays them."""
    page = Page("options.md", tongue("options.title"))
    page.add(f"<p>{tongue('options.intro')}</p>")
    catalogue = load_options()
    if not catalogue.is_whole(tongue.code):
        page.add(f'<p class="bs-stale">{tongue("note.english-page")}</p>')
    for kind in ("options", "contracts"):
        heading = "options.game" if kind == "options" else "options.contract"
        page.add(Heading(2, tongue(heading), kind))
        rows = []
        for field in catalogue.fields.values():
            if field.path.split(".")[0] != kind:
                continue
            # The anchor of an option is its name; fields of contracts have a prefix.
            anchor = field.name if kind == "options" else f"field-{field.name}"
            meaning = _in_language(field.meaning, tongue)
            if field.because:
                meaning += f"<br><small>{_in_language(field.because, tongue)}</small>"
            row = [f'<code id="{anchor}">{field.name}</code>', meaning]
            values = [_value(value, field, book, tongue) for value in field.values.values()]
            if field.other:
                values.append(_in_language(field.other, tongue).replace("{value}", "n"))
            row.append("".join(f'<p class="bs-value">{value}</p>' for value in values))
            rows.append(row)
        head = [tongue(f"options.{key}") for key in ("name", "meaning", "values")]
        page.add(table(head, rows, "bs-data bs-stack bs-options"))
    return page


def _value(value: Value, field: Field, book: Book, tongue: Tongue) -> str:
    """Return one value: as written, what it means, its sources, and the rulesets that have it."""
    parts = [f"<code>{escape(value.key)}</code> {_in_language(value.text, tongue)}"]
    if value.sources:
        parts.append(f"<small>{escape(' '.join(value.sources))}</small>")
    if field.path.startswith("options."):
        main, *_ = book.rulesets.values()
        usual = value_key(main["options"].get(field.name))
        # The main ruleset, and those that differ from it.
        having = [
            name
            for name, ruleset in book.rulesets.items()
            if (own := value_key(ruleset["options"].get(field.name))) == value.key
            and (ruleset is main or own != usual)
        ]
        parts += [f'<span class="bs-kind">{escape(name)}</span>' for name in having]
    return " ".join(parts)


def _in_language(texts: Mapping[str, str], tongue: Tongue) -> str:
    """Return a text; one that is only there in English says so to those who hear the page."""
    said = tongue.of(texts)
    shown = escape(said.text, quote=False)
    return shown if said.language == tongue.code else f'<span lang="en">{shown}</span>'


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
        changed = differences(main, ruleset)
        if changed:
            page.add(differences_table(changed, name, next(iter(book.rulesets)), tongue))
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


def differences_table(
    changed: list[tuple[str, Any, Any]], name: str, main: str, tongue: Tongue
) -> str:
    """Return what `differences` found as a table, the ruleset's own value first."""
    catalogue = load_options()

    def said(path: str, value: Any) -> str:
        field = catalogue.field(path)
        text = "" if field is None or value is None else field.text(value, _written(tongue))
        shown = _plain(value)
        lang = "" if _written(tongue) == tongue.code else ' lang="en"'
        return f"<code>{shown}</code><br><small{lang}>{escape(text)}</small>" if text else shown

    rows = [
        [f"<code>{escape(path)}</code>", said(path, theirs), said(path, ours)]
        for path, ours, theirs in changed
    ]
    head = [tongue("rulesets.what"), escape(name), escape(main)]
    return table(head, rows, "bs-data bs-stack", labelled=True)


def glossary_page(tongue: Tongue) -> Page:
    """Return the words of the game, all languages side by side, the reader's own first."""
    page = Page("glossary.md", tongue("glossary.title"))
    page.add(f"<p>{tongue('glossary.intro')}</p>")
    words = glossary()
    languages = sorted(words["languages"], key=lambda code: code != tongue.code)
    names = [words["languages"][code]["name"] for code in languages]
    for part in ("terms", "contracts", "positions", "actions"):
        page.add(Heading(2, tongue(f"glossary.{part}"), part))
        entries = words[part].items()
        if part != "contracts":
            entries = sorted(entries, key=lambda one: one[1][tongue.code]["main"].casefold())
        mark = {"terms": "term", "contracts": "contract"}.get(part, part)
        page.add(_side_by_side({f"{mark}-{name}": one for name, one in entries}, languages, names))
    for part in ("suits", "ranks"):
        page.add(Heading(2, tongue(f"glossary.{part}"), part))
        for deck in ("french", "german"):
            cards = {f"{part}-{deck}-{name}": one[deck] for name, one in words[part].items()}
            page.add(
                f"<p><b>{tongue(f'glossary.{deck}')}</b></p>",
                _side_by_side(cards, languages, names),
            )
    return page


def _side_by_side(entries: Mapping[str, Json], languages: list[str], names: list[str]) -> str:
    head = "".join(
        f'<th lang="{code}">{escape(name)}</th>'
        for code, name in zip(languages, names, strict=True)
    )
    rows = []
    for mark, entry in entries.items():
        own, *others = (_word(entry[code]) for code in languages)
        cells = "".join(
            f'<td lang="{code}">{word}</td>'
            for code, word in zip(languages[1:], others, strict=True)
        )
        rows.append(f'<tr><th id="{mark}">{own}</th>{cells}</tr>')
    return (
        '<div class="bs-scroll" tabindex="0"><table class="bs-data bs-glossary"><thead>'
        f"<tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _word(entry: Json) -> str:
    text = escape(entry["main"], quote=False) + ("°" if entry.get("proposed") else "")
    if entry.get("index"):
        text += f" ({escape(entry['index'])})"
    others = [*entry.get("aliases", ())] + [
        f"{word}°" for word in entry.get("proposed_aliases", ())
    ]
    if others:
        text += f"<br><small>{escape(', '.join(others), quote=False)}</small>"
    return text


def _written(tongue: Tongue) -> str:
    """Return the language of the catalogue that a reader gets: his own, else English."""
    return tongue.code if load_options().is_whole(tongue.code) else "en"


def _plain(value: object) -> str:
    """Return a value of a ruleset as one writes it in a file."""
    if value is None:
        return "—"
    if isinstance(value, str):
        return escape(value)
    return escape(json.dumps(value).replace('"', ""))
