"""jsonschema's errors in plain words: which field, what is there, what was expected.

Where a value may have several forms, `schema_forms` says which one was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import SpecError, did_you_mean, field_path, quoted
from .schema_forms import ValidationError, fields_needed, known_to, meant, properties, unknown_keys

if TYPE_CHECKING:
    from .yaml_loader import Document

Pointer = tuple[str | int, ...]

# Longest list of allowed values or known fields that a message spells out.
MAX_LISTED = 14

# Longer whole numbers are not printed (Python refuses to print really long ones).
_MAX_BITS = 200

_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*").fullmatch

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


_BOUNDS = {
    "minItems": "at least",
    "minProperties": "at least",
    "minLength": "at least",
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maxItems": "at most",
    "maxProperties": "at most",
    "maxLength": "at most",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, at a pointer into the value.

    `at_key` says that the key is at fault, not the value.
    """

    pointer: Pointer
    message: str
    hint: str | None = None
    at_key: bool = False

    def spec_error(self, document: Document | None) -> SpecError:
        """As an error for people, with file and line where the document is known."""
        if document is not None:
            return document.error(self.pointer, self.message, self.hint, at_key=self.at_key)
        return SpecError(self.message, field=field_path(self.pointer) or None, hint=self.hint)


def told(error: ValidationError) -> Iterator[Fault]:
    """The faults that one of jsonschema's errors stands for.

    None for fields that are only left over because another one is wrong, which has its own error.
    """
    for leaf in meant(error):
        yield from _explained(leaf)


def told_briefly(error: ValidationError) -> Fault:
    """One fault for an error that `told` finds nothing to say about, so that none is lost."""
    return Fault(tuple(error.absolute_path), f"is not as the schema says ({error.validator})")


# --- What to say ----------------------------------------------------------------------------------


def _explained(error: ValidationError) -> Iterator[Fault]:
    pointer: Pointer = tuple(error.absolute_path)
    value, wanted = error.instance, error.validator_value
    if "propertyNames" in error.relative_schema_path and isinstance(value, str):
        # jsonschema reports a bad key at the mapping; people look for the key.
        inner = Fault(pointer, *_of_value(error))
        yield Fault((*pointer, value), f"as a key: {inner.message}", inner.hint, at_key=True)
    elif error.validator == "required":
        missing = [key for key in wanted if key not in value]
        named = ", ".join(quoted(key) for key in missing)
        yield Fault(pointer, f"the field{'s' * (len(missing) > 1)} {named} {_is(missing)} missing")
    elif error.validator in ("additionalProperties", "unevaluatedProperties"):
        known = sorted(known_to(error))
        for key in unknown_keys(error):
            hint = _belongs_under(key, error.schema) or did_you_mean(key, known)
            hint = hint or _listed("the fields here are", known)
            yield Fault((*pointer, key), "unknown field", hint, at_key=True)
    elif error.validator == "dependentRequired":
        for key, others in wanted.items():
            missing = [other for other in others if key in value and other not in value]
            if missing:
                named = ", ".join(quoted(other) for other in missing)
                yield Fault(pointer, f"with the field {quoted(key)}, {named} {_is(missing)} needed")
    else:
        yield Fault(pointer, *_of_value(error))


def _belongs_under(key: str, schema: Any) -> str | None:
    """A hint for a field that is known one level deeper: mostly it is not indented."""
    for name, part in schema.get("properties", {}).items():
        if key in properties(part):
            return f"it belongs under {quoted(name)}, indented"
    return None


def _is(things: list[str]) -> str:
    return "are" if len(things) > 1 else "is"


def _of_value(error: ValidationError) -> tuple[str, str | None]:
    """Message and hint about one value that is of a wrong kind, form or size."""
    value, wanted = error.instance, error.validator_value
    shown = _shown(value)
    match error.validator:
        case "type":
            kinds = _as_list(wanted)
            expected = _or(_TYPES[kind] for kind in kinds)
            return f"expected {expected}, found {shown}", _how_to_write(error, kinds)
        case "enum":
            hint = did_you_mean(value, map(_word, wanted)) if isinstance(value, str) else None
            return f"{shown} is not allowed here", hint or _listed("expected one of", wanted)
        case "const":
            return f"expected {_shown(wanted)}, found {shown}", None
        case "pattern":
            return _not_of_form(shown, error.schema)
        case "anyOf" | "oneOf" if error.context:
            return _no_form_fits(error)
        case "oneOf":
            return _several_forms_fit(error, shown), None
        case bound if bound in _BOUNDS:
            return _out_of_bounds(_BOUNDS[bound], wanted, value), None
        case "uniqueItems":
            return f"has {_repeated(value)} twice; every item may be given once", None
        case "contains":
            return "lacks an item that must be there" + _named(wanted, " ({})"), None
        case "not":
            return _of_forbidden(value, shown, wanted), None
        case "items":  # that is `false`: nothing may follow the first items
            most = len(error.schema.get("prefixItems", ()))
            return _out_of_bounds("at most", most, value), None
    return f"is not as the schema says ({error.validator})", None


def _no_form_fits(error: ValidationError) -> tuple[str, str | None]:
    """Message where a value has none of the allowed forms and none was clearly meant."""
    needed = fields_needed(error)
    if needed:
        return f"{_or(map(quoted, needed))} is needed", None
    expected: list[str] = []
    words: list[object] = []
    for inner in error.context:
        if inner.path:
            continue
        if inner.validator in ("enum", "const"):
            value = inner.validator_value
            words.extend(value if inner.validator == "enum" else [value])
        elif inner.validator == "type":
            kinds = _as_list(inner.validator_value)
            title = _title(inner.schema)
            expected.extend([title] if title else [_TYPES[kind] for kind in kinds])
        else:
            title = _title(inner.schema)
            if title:
                expected.append(title)
    value = error.instance
    hint = did_you_mean(value, map(_word, words)) if isinstance(value, str) else None
    if words:
        listed = ", ".join(map(_word, words[:MAX_LISTED]))
        more = ", ..." if len(words) > MAX_LISTED else ""
        expected.append(f"one of {listed}{more}" if len(words) > 1 else f"the word {listed}")
    shown = _shown(value)
    if not expected:
        return f"{shown} has none of the forms allowed here", hint
    return f"expected {_or(dict.fromkeys(expected))}, found {shown}", hint


def _how_to_write(error: ValidationError, kinds: list[str]) -> str | None:
    """A hint for a value of the wrong type: quotes, or what the schema calls such a thing."""
    value = error.instance
    if "string" in kinds and isinstance(value, bool | int):
        return "put it in quotes"
    if "integer" in kinds and isinstance(value, str) and _WHOLE_NUMBER(value):
        return "without quotes"
    if {"object", "array"} & set(kinds) and value is None and error.absolute_path:
        return "indent what belongs to it, or leave it out"
    return (_named(error.schema, "write {}") or None) if error.absolute_path else None


def _of_forbidden(value: object, shown: str, forbidden: Any) -> str:
    """Message about a value that is as it must not be: which of its fields must not be there."""
    forms = forbidden.get("anyOf", [forbidden])
    keys = [key for form in forms for key in form.get("required", ()) if key in _keys(value)]
    if not keys:
        return f"{shown} is not allowed here" + _named(forbidden, ": it has {}")
    named = ", ".join(map(quoted, keys))
    return f"the field{'s' * (len(keys) > 1)} {named} {_is(keys)} not allowed here"


def _keys(value: object) -> Iterable[str]:
    return value if isinstance(value, dict) else ()


def _several_forms_fit(error: ValidationError, shown: str) -> str:
    """Message about a value that has two of the forms of which it may have one."""
    needed = [form.get("required", ()) for form in error.validator_value]
    there = [quoted(keys[0]) for keys in needed if keys and set(keys) <= set(_keys(error.instance))]
    if len(there) > 1:
        return f"either {_or(there)} may be given, not both"
    return f"{shown} fits more than one of the forms allowed here"


def _not_of_form(shown: str, schema: Any) -> tuple[str, str | None]:
    expected = _title(schema) or f"text of the form {quoted(schema['pattern'])}"
    return f"expected {expected}, found {shown}", None


def _title(schema: Any) -> str:
    """What the schema calls such a value, as 'a card': its title. A description is no name."""
    return str(schema.get("title") or "") if isinstance(schema, dict) else ""


def _named(schema: Any, form: str) -> str:
    title = _title(schema)
    return form.format(title) if title else ""


def _shown(value: object) -> str:
    """The value, or what it is where that would be long."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return quoted(value)
        case int() if value.bit_length() > _MAX_BITS:
            return "a number of great length"
    return str(value)


def _word(value: object) -> str:
    """A value as a list of allowed values names it: text without quotes, lists written out."""
    if isinstance(value, list):
        return f"[{', '.join(map(_word, value))}]"
    return value if isinstance(value, str) else _shown(value)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _or(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _listed(lead: str, words: Iterable[object]) -> str | None:
    known = [_word(word) for word in words]
    if not known or len(known) > MAX_LISTED:
        return None
    return f"{lead}: {', '.join(known)}" if len(known) > 1 else f"{lead} '{known[0]}'"


def _out_of_bounds(bound: str, wanted: Any, value: Any) -> str:
    match value:
        case list():
            thing, found = " item", str(len(value))
        case dict():
            thing, found = " field", str(len(value))
        case str():
            if not value:
                return "must not be empty"
            thing, found = " character", str(len(value))
        case _:
            return f"expected {bound} {wanted}, found {_shown(value)}"
    return f"expected {bound} {wanted}{thing}{'' if wanted == 1 else 's'}, found {found}"


def _repeated(items: list[Any]) -> str:
    seen: list[Any] = []
    for item in items[:1000]:
        if isinstance(item, str | int) and item in seen:
            return _shown(item)
        seen.append(item)
    return "an item"
