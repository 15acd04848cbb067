"""Which of several allowed forms (`anyOf`, `oneOf`) a value was probably meant to have.

The errors of that form are told, instead of "is not valid under any of the given schemas".
"""

from __future__ import annotations

import re
from typing import Any

from .schema_files import NEVER, referenced

# A jsonschema.ValidationError. Its stubs say that any attribute may be unset, which is true only of
# errors still being built.
ValidationError = Any


def meant(error: ValidationError) -> list[ValidationError]:
    """The errors of the form that was probably meant; the error itself where none stands out."""
    if error.validator not in ("anyOf", "oneOf") or not error.context or fields_needed(error):
        return [error]
    likely = {
        index: errors
        for index, errors in _by_form(error).items()
        if not any(_is_another_thing(inner) for inner in errors)
    }
    if not likely or (len(likely) > 1 and not isinstance(error.instance, dict | list)):
        return [error]
    best = min(likely.values(), key=lambda errors: _distance(errors, error.instance))
    return [leaf for inner in best for leaf in meant(inner)]


def fields_needed(error: ValidationError) -> list[str]:
    """The fields of which one would do, if nothing but the lack of one is wrong; else none."""
    if error.validator == "required" and not error.path:
        return [key for key in error.validator_value if key not in error.instance]
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        return []
    fields: list[str] = []
    for errors in _by_form(error).values():
        missing = [fields_needed(inner) if not inner.path else [] for inner in errors]
        if not all(missing) or len(missing) > 1:
            return []
        if len(missing[0]) > 1 and errors[0].validator == "required":
            return []  # this form needs several at once
        fields += missing[0]
    return list(dict.fromkeys(fields))


def _by_form(error: ValidationError) -> dict[object, list[ValidationError]]:
    forms: dict[object, list[ValidationError]] = {}
    for inner in error.context:
        forms.setdefault(inner.schema_path[0], []).append(inner)
    return forms


def _is_another_thing(error: ValidationError) -> bool:
    """Whether the value as a whole is no such thing as the form asks for."""
    return not error.path and error.validator in ("type", "enum", "const")


def _distance(errors: list[ValidationError], instance: object) -> tuple[int, int, int]:
    """How far the instance is from a form: distinguishing fields, keys, number of errors."""
    told_apart = sum(inner.validator == "const" and len(inner.path) == 1 for inner in errors)
    keys = 0
    for inner in errors:
        if not inner.path and isinstance(instance, dict):
            if inner.validator in ("required", "not", "anyOf", "oneOf"):
                keys += 1
            elif inner.validator in ("additionalProperties", "unevaluatedProperties"):
                keys += len(unknown_keys(inner))
    return told_apart, keys, len(errors)


# --- Which fields a schema knows ------------------------------------------------------------------


def known_to(error: ValidationError) -> set[str]:
    """Fields that the keyword complaining about unknown ones takes for known."""
    if error.validator == "additionalProperties":  # sees only its own schema
        return set(error.schema.get("properties", ()))
    return properties(error.schema)


def unknown_keys(error: ValidationError) -> list[str]:
    """Keys of the instance that the schema does not mention.

    A known field whose value is wrong is "unevaluated" as well, but that is told at the field.
    """
    known = known_to(error)
    patterns = error.schema.get("patternProperties", {})
    return [
        key
        for key in error.instance
        if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    ]


def properties(schema: Any, seen: frozenset[str] = frozenset()) -> set[str]:
    """Names of the fields that a schema and all it applies to the same value mention."""
    if not isinstance(schema, dict):
        return set()
    names = {name for name, part in schema.get("properties", {}).items() if part != NEVER}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        names |= properties(referenced(reference), seen | {reference})
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(keyword, ()):
            names |= properties(part, seen)
    for keyword in ("if", "then", "else"):
        names |= properties(schema.get(keyword), seen)
    for part in schema.get("dependentSchemas", {}).values():
        names |= properties(part, seen)
    return names
