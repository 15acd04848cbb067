"""The option catalogue, spec/options.yaml: every value of every field, and who plays it so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import schemas_root, spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, load_ruleset

from .reference import HOME_RULESET
from .table_texts import field_texts
from .wording import contract_name, value_key

Json = dict[str, Any]
NOT_DATA = ("name", "like")
"""Fields of a contract that say nothing about how it is played."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a field; `key` is the value as a string, see `value_key`."""

    key: str
    text: Mapping[str, str]
    sources: tuple[str, ...]
    """Who plays it so; empty: nobody that is known of, so that in an engine it is likely a bug."""
    talon_only: bool = False
    """Whether only tables with a talon have a use for it."""


@dataclass(frozen=True, slots=True)
class Field:
    """An option of a ruleset, or a field that each of its contracts has."""

    path: str
    """`options.NAME` or `contracts.*.NAME`."""
    chapter: str
    meaning: Mapping[str, str]
    values: Mapping[str, Value]
    other: Mapping[str, str]
    """What other values mean, with `{value}`; empty where there are no others."""
    effect: str
    """`play`, or where else a difference shows: `display`, `table` or `talon_only`."""
    because: Mapping[str, str]

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    def text(self, value: Any, language: str = "en", ruleset: Resolved | None = None) -> str:
        """Return the sentence for a value; of a contract, its name in that ruleset."""
        known = self.values.get(value_key(value))
        if known is not None:
            return known.text.get(language) or known.text["en"]
        shown = value_key(value)
        if self.name == "above":
            shown = contract_name(shown, language, ruleset)
        said = self.other.get(language) or self.other.get("en", "")
        return said.replace("{value}", shown)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All fields by path, and what is known of single contracts."""

    fields: Mapping[str, Field]
    contracts: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]
    """CONTRACT -> FIELD -> VALUE -> sources, beside the main ruleset."""

    def is_whole(self, language: str) -> bool:
        """Whether everything the catalogue says is there in a language."""
        return all(
            language in texts
            for field in self.fields.values()
            for texts in (
                field.meaning,
                *(one for one in (field.other, field.because) if one),
                *(value.text for value in field.values.values()),
            )
        )

    def field(self, path: str) -> Field | None:
        """Return the field of `options.NAME`, `contracts.CONTRACT.NAME` or `all_contracts.NAME`."""
        group, _, name = path.partition(".")
        if group in ("contracts", "all_contracts"):
            return self.fields.get(f"contracts.*.{name.rpartition('.')[2]}")
        return self.fields.get(path)

    def about_contract(self, ruleset: Resolved, name: str, language: str = "en") -> list[str]:
        """Return sentences that say how a contract is played, for one that no rule is about."""
        contract = ruleset["contracts"][name]
        sentences = []
        for field in _IN_THIS_ORDER:
            value = value_key(contract[field])
            if contract["goal"] == "shown" and field not in _SAID_OF_EVERY_CONTRACT:
                continue
            if _USUAL.get(field) != value:
                sentences.append(self.fields[f"contracts.*.{field}"].text(value, language, ruleset))
        return sentences

    def sources(self, path: str, value: Any) -> tuple[str, ...]:
        """Return who plays a value at `options.NAME` or `contracts.CONTRACT.FIELD`.

        What the main ruleset plays, and what is known of that very contract; for contracts the
        catalogue does not name, and fields it has no numbers for, what is known of the field.
        """
        found = self.field(path)
        if found is None:
            return ()
        group, _, rest = path.partition(".")
        key = value_key(value)
        general = found.values[key].sources if key in found.values else ()
        if group != "contracts":
            return general
        contract, _, name = rest.rpartition(".")
        main = _main_ruleset()["contracts"].get(contract)
        if main is None:
            return general
        if value_key(main[name]) == key:
            return general or ("PAGAT",)
        own = self.contracts.get(contract, {}).get(name, {})
        return own.get(key, general if name in _DUTIES else ())


_IN_THIS_ORDER = (
    "goal", "tricks", "value", "bidders", "hold", "trump", "ranks", "lead", "partner", "won_by",
    "marriages", "marriages_as_tricks", "ends_early", "exposed", "cancelled_by", "kontra",
)  # fmt: skip
_SAID_OF_EVERY_CONTRACT = ("goal", "value", "bidders", "hold", "kontra")
"""Also of one that is not played out."""
_USUAL = {
    "tricks": "all", "hold": "none", "ranks": "ATKQJ", "partner": "plays", "won_by": "declarer",
    "marriages": "none", "marriages_as_tricks": "never", "ends_early": "when_lost",
    "exposed": "nothing", "cancelled_by": "nothing", "kontra": "allowed",
}  # fmt: skip
_DUTIES = (
    "follow", "head", "head_target", "head_after_ruff", "ruff", "overtrump", "undertrump",
    "exposed", "ends_early",
)  # fmt: skip
"""What tables settle for all contracts alike, so that sources rarely name a single one."""


def load_options() -> Catalogue:
    """Return the catalogue; SpecError for its first fault."""
    catalogue, errors = load_options_with_errors()
    if errors:
        raise errors[0]
    return catalogue


@lru_cache(maxsize=4)
def load_options_with_errors(root: Path | None = None) -> tuple[Catalogue, list[SpecError]]:
    """Return the catalogue and everything that is wrong with it."""
    path = (root or spec_root()) / "options.yaml"
    try:
        document = load_yaml(path)
    except SpecError as error:
        return Catalogue({}, {}), [error]
    errors = validate(document.value, "option-catalogue", document=document)
    if errors:
        return Catalogue({}, {}), errors
    data: Json = document.value
    fields = {
        field.path: field
        for group, prefix in (("options", "options."), ("contract_fields", "contracts.*."))
        for field in _read(group, data[group], prefix, root)
    }
    contracts = {
        name: {
            field: {key: tuple(sources) for key, sources in values.items()}
            for field, values in known.items()
        }
        for name, known in data["contracts"].items()
    }
    return Catalogue(fields, contracts), list(_gaps(document))


def _read(group: str, entries: Json, prefix: str, root: Path | None) -> Iterator[Field]:
    for name, entry in entries.items():
        more = field_texts(group, name, root)

        def also(texts: Json, key: str, more: Json = more) -> Json:
            """Return texts with those of other languages, as far as they are there."""
            return {**texts, **{code: own[key] for code, own in more.items() if own.get(key)}}

        by_value = {code: own.get("values", {}) for code, own in more.items()}
        values = {
            key: Value(
                key,
                also({"en": value["en"], "de": value["de"]}, key, by_value),
                tuple(value["sources"]),
                value.get("talon_only", False),
            )
            for key, value in entry["values"].items()
        }
        yield Field(
            path=prefix + name,
            chapter=entry["chapter"],
            meaning=also(entry["meaning"], "meaning"),
            values=values,
            other=also(entry["other"], "other") if "other" in entry else {},
            effect=entry.get("effect", "play"),
            because=also(entry["because"], "because") if "because" in entry else {},
        )


# --------------------------------------------------------------------------- against the schema


def _gaps(document: Document) -> Iterator[SpecError]:
    """Yield where the catalogue and the ruleset schema do not know the same fields and values."""
    for group, part in (("options", "options"), ("contract_fields", "contract")):
        known = _vocabulary()[part]["properties"]
        for name in known:
            if name not in document.value[group] and name not in NOT_DATA:
                yield document.error((group,), f"{name} is missing")
        for name, entry in document.value[group].items():
            if name not in known or name in NOT_DATA:
                message = "the ruleset schema has no such field"
                yield document.error((group, name), message, at_key=True)
                continue
            values, is_open = allowed_values(known[name])
            where = (group, name, "values")
            for key in values:
                if key not in entry["values"]:
                    yield document.error(where, f"the value {key} is missing")
            for key in entry["values"]:
                if key not in values and not is_open:
                    message = "the ruleset schema does not allow this value"
                    yield document.error((*where, key), message, at_key=True)
            if is_open != ("other" in entry):
                message = "say what other values mean" if is_open else "there are no other values"
                yield document.error((group, name), f"{message} (other)")
    main = _main_ruleset()["contracts"]
    for contract, known in document.value["contracts"].items():
        if contract not in main:
            yield document.error(("contracts", contract), "no such contract", at_key=True)
            continue
        for name, values in known.items():
            if name not in main[contract]:
                yield document.error(("contracts", contract, name), "no such field", at_key=True)
            elif value_key(main[contract][name]) in values:
                message = "is what the main ruleset plays; only what differs stands here"
                yield document.error(("contracts", contract, name), message)


def allowed_values(schema: Json) -> tuple[tuple[str, ...], bool]:
    """Return the values a field of the ruleset schema lists, as keys, and whether it has others."""
    if "$ref" in schema:
        part = schema["$ref"].rpartition("/")[2]
        return allowed_values(_vocabulary()[part])
    if "anyOf" in schema:
        parts = [allowed_values(one) for one in schema["anyOf"]]
        return tuple(key for keys, _ in parts for key in keys), any(more for _, more in parts)
    if "const" in schema:
        return (value_key(schema["const"]),), False
    if "enum" in schema:
        return tuple(value_key(value) for value in schema["enum"]), False
    return (("true", "false"), False) if schema["type"] == "boolean" else ((), True)


@lru_cache(maxsize=1)
def _vocabulary() -> Json:
    text = (schemas_root() / "ruleset.schema.json").read_text(encoding="utf-8")
    vocabulary: Json = json.loads(text)["$defs"]
    return vocabulary


@lru_cache(maxsize=1)
def _main_ruleset() -> Resolved:
    return load_ruleset(HOME_RULESET)
