"""jsonschema's errors in plain words: which field, what is there, what was expected.

Where a value may have several forms (`anyOf`, `oneOf`) the form that was probably meant is chosen,
and its errors are told instead of "is not valid under any of the given schemas".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import SpecError, did_you_mean, field_path, quoted
from .schema_files import NEVER, referenced

if TYPE_CHECKING:
    from .yaml_loader import Document

# A jsonschema.ValidationError. Its stubs say that any attribute may be unset, which is true only of
# errors still being built.
ValidationError = Any

Pointer = tuple[str | int, ...]

# Longest list of allowed values or known fields that a message spells out.
MAX_LISTED = 14

# Longer whole numbers are not printed (Python refuses to print really long ones).
_MAX_BITS = 200

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
    for leaf in _meant(error):
        yield from _explained(leaf)


def told_briefly(error: ValidationError) -> Fault:
    """One fault for an error that `told` finds nothing to say about, so that none is lost."""
    return Fault(tuple(error.absolute_path), f"is not as the schema says ({error.validator})")


# --- Which form was meant -------------------------------------------------------------------------


def _meant(error: ValidationError) -> list[ValidationError]:
    """The errors of the form that was probably meant; the error itself where none stands out."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        return [error]
    forms: dict[object, list[ValidationError]] = {}
    for inner in error.context:
        forms.setdefault(inner.schema_path[0], []).append(inner)
    likely = {
        index: errors
        for index, errors in forms.items()
        if not any(inner.validator == "type" and not inner.path for inner in errors)
    }
    if not likely or (len(likely) > 1 and not isinstance(error.instance, dict | list)):
        return [error]
    best = min(likely.values(), key=lambda errors: _distance(errors, error.instance))
    return [leaf for inner in best for leaf in _meant(inner)]


def _distance(errors: list[ValidationError], instance: object) -> tuple[int, int, int]:
    """How far the instance is from a form: distinguishing fields, keys, number of errors."""
    told_apart = sum(
        inner.validator in ("const", "enum") and len(inner.path) == 1 for inner in errors
    )
    keys = 0
    for inner in errors:
        if not inner.path and isinstance(instance, dict):
            if inner.validator == "required":
                keys += 1
            elif inner.validator in ("additionalProperties", "unevaluatedProperties"):
                keys += len(_unknown_keys(inner))
    return told_apart, keys, len(errors)


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
        known = sorted(_known_to(error))
        for key in _unknown_keys(error):
            hint = did_you_mean(key, known) or _listed("the fields here are", known)
            yield Fault((*pointer, key), "unknown field", hint, at_key=True)
    elif error.validator == "dependentRequired":
        for key, others in wanted.items():
            missing = [other for other in others if key in value and other not in value]
            if missing:
                named = ", ".join(quoted(other) for other in missing)
                yield Fault(pointer, f"with the field {quoted(key)}, {named} {_is(missing)} needed")
    else:
        yield Fault(pointer, *_of_value(error))


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
            text_wanted = "string" in kinds and isinstance(value, bool | int | None)
            hint = "put it in quotes" if text_wanted and value is not None else None
            return f"expected {expected}, found {shown}", hint
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
            return f"{shown} fits more than one of the forms allowed here", None
        case bound if bound in _BOUNDS:
            return _out_of_bounds(_BOUNDS[bound], wanted, value), None
        case "uniqueItems":
            return f"has {_repeated(value)} twice; every item may be given once", None
        case "contains":
            return "lacks an item that must be there" + _described(error.schema, " ({})"), None
        case "not":
            return f"{shown} is not allowed here" + _described(error.schema, ": {}"), None
        case "items":  # that is `false`: nothing may follow the first items
            most = len(error.schema.get("prefixItems", ()))
            return _out_of_bounds("at most", most, value), None
    return f"is not as the schema says ({error.validator})", None


def _no_form_fits(error: ValidationError) -> tuple[str, str | None]:
    """Message where a value has none of the allowed forms and none was clearly meant."""
    expected: list[str] = []
    words: list[object] = []
    for inner in error.context:
        if inner.path:
            continue
        if inner.validator in ("enum", "const"):
            value = inner.validator_value
            words.extend(value if inner.validator == "enum" else [value])
        elif inner.validator == "type":
            kinds = inner.validator_value
            expected.extend(_TYPES[kind] for kind in _as_list(kinds))
        else:
            title = _title(inner.schema)
            if title:
                expected.append(title)
    value = error.instance
    hint = did_you_mean(value, map(_word, words)) if isinstance(value, str) else None
    if words:
        listed = ", ".join(map(_word, words[:MAX_LISTED]))
        expected.append(f"one of {listed}{', ...' if len(words) > MAX_LISTED else ''}")
    shown = _shown(value)
    if not expected:
        return f"{shown} has none of the forms allowed here", hint
    return f"expected {_or(dict.fromkeys(expected))}, found {shown}", hint


def _not_of_form(shown: str, schema: Any) -> tuple[str, str | None]:
    title = _title(schema)
    if title:
        return f"{shown} is not of the form: {title}", None
    return f"{shown} is not of the form {quoted(schema['pattern'])}", None


def _title(schema: Any) -> str:
    """What the schema calls the thing: its title, else the first sentence of its description."""
    if not isinstance(schema, dict):
        return ""
    text = schema.get("title") or schema.get("description") or ""
    return str(text).strip().split(". ")[0].rstrip(".")


def _described(schema: Any, form: str) -> str:
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
    """A value as a list of allowed values names it: text without quotes."""
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


# --- Which fields a schema knows ------------------------------------------------------------------


def _known_to(error: ValidationError) -> set[str]:
    """Fields that the keyword complaining about unknown ones takes for known."""
    if error.validator == "additionalProperties":  # sees only its own schema
        return set(error.schema.get("properties", ()))
    return _properties(error.schema)


def _unknown_keys(error: ValidationError) -> list[str]:
    """Keys of the instance that the schema does not mention.

    A known field whose value is wrong is "unevaluated" as well, but that is told at the field.
    """
    known = _known_to(error)
    patterns = error.schema.get("patternProperties", {})
    return [
        key
        for key in error.instance
        if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    ]


def _properties(schema: Any, seen: frozenset[str] = frozenset()) -> set[str]:
    """Names of the fields that a schema and all it applies to the same value mention."""
    if not isinstance(schema, dict):
        return set()
    names = {name for name, part in schema.get("properties", {}).items() if part != NEVER}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        names |= _properties(referenced(reference), seen | {reference})
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(keyword, ()):
            names |= _properties(part, seen)
    for keyword in ("if", "then", "else"):
        names |= _properties(schema.get(keyword), seen)
    for part in schema.get("dependentSchemas", {}).values():
        names |= _properties(part, seen)
    return names
