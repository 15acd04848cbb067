"""Validation against schemas/NAME.schema.json (JSON Schema 2020-12), with errors told to people.

Where jsonschema-rs is installed (extra `fast`) it says quickly that a value is valid. Errors are
always found by jsonschema and worded by `schema_messages`, so verdicts and messages do not depend
on what is installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import SpecError
from .schema_files import referenced, schema_files, schema_id

# jsonschema and jsonschema-rs are imported by the functions that need them: they cost tens of
# milliseconds, and most commands start without validating anything.
if TYPE_CHECKING:
    from .schema_messages import Fault
    from .yaml_loader import Document

# A file that is wrong throughout is explained by its first errors.
MAX_ERRORS = 50


def validate(
    value: object, schema_name: str, *, document: Document | None = None
) -> list[SpecError]:
    """Everything that is wrong with `value`, in the order of the text; empty if it is valid.

    `schema_name` is NAME of schemas/NAME.schema.json, or `NAME#/$defs/PART` for a part of one.
    With `document`, whose value `value` is, the errors carry file, line and column.
    Raises SpecError if there is no such schema.
    """
    if is_valid(value, schema_name):
        return []
    from .schema_messages import told, told_briefly

    found = list(islice(_validator(schema_name).iter_errors(value), MAX_ERRORS))
    faults: dict[Fault, None] = {}  # without repetitions, in order
    for error in found:
        faults.update(dict.fromkeys(told(error)))
    if found and not faults:
        faults[told_briefly(found[0])] = None
    errors = [fault.spec_error(document) for fault in faults]
    return sorted(errors, key=lambda error: (error.line or 0, error.column or 0))


def check(value: object, schema_name: str, *, document: Document | None = None) -> None:
    """Raise the first of `validate`'s errors, if there are any."""
    errors = validate(value, schema_name, document=document)
    if errors:
        raise errors[0]


def is_valid(value: object, schema_name: str) -> bool:
    """Whether `value` is as the schema says, without a reason. Raises SpecError as `validate`."""
    quick = _quick_check(schema_name)
    if quick is not None and quick(value):
        return True
    return bool(_validator(schema_name).is_valid(value))


def _schema_of(schema_name: str) -> dict[str, Any]:
    name, hash_sign, pointer = schema_name.partition("#")
    reference = schema_id(name) + hash_sign + pointer
    referenced(reference)  # complains if there is no such part
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": reference}


@cache
def _validator(schema_name: str) -> Any:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    # A registry without a `retrieve` of its own fetches nothing: what is not here is an error.
    registry: Any = Registry().with_resources(
        (schema["$id"], DRAFT202012.create_resource(schema)) for schema in schema_files().values()
    )
    return _validator_class()(_schema_of(schema_name), registry=registry)


@cache
def _validator_class() -> Any:
    """The validator of jsonschema with two keywords of our own making."""
    from jsonschema import Draft202012Validator, validators

    extend: Any = validators.extend
    return extend(Draft202012Validator, {"pattern": _pattern, "uniqueItems": _unique_items})


@cache
def _quick_check(schema_name: str) -> Callable[[object], bool] | None:
    """jsonschema-rs' answer for this schema, or None where it is not installed."""
    try:
        import jsonschema_rs
    except ImportError:
        return None
    registry = jsonschema_rs.Registry(
        [(schema["$id"], schema) for schema in schema_files().values()]
    )
    validator = jsonschema_rs.Draft202012Validator(_schema_of(schema_name), registry=registry)

    def quick(value: object) -> bool:
        try:
            return validator.is_valid(value)
        except ValueError:  # nested deeper than it goes: the other one decides
            return False

    return quick


@cache
def _searcher(pattern: str) -> Callable[[str], object]:
    # In JSON Schema `$` is the very end of the text; in Python also before a newline at the end,
    # so that "AH\n" would pass for a card.
    ends = re.sub(r"(\\.|\[(?:\\.|[^\]\\])*\])|\$", lambda m: m[1] or r"\Z", pattern, flags=re.S)
    return re.compile(ends, re.ASCII).search


def _pattern(
    _validator: object, pattern: str, instance: object, _schema: object
) -> Iterator[Exception]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not _searcher(pattern)(instance):
        yield ValidationError(f"does not match {pattern!r}")


def _unique_items(
    _validator: object, unique: bool, instance: object, _schema: object
) -> Iterator[Exception]:
    # jsonschema compares every pair; a list from outside may be long.
    from jsonschema import ValidationError

    if unique and isinstance(instance, list):
        seen = set()
        for item in instance:
            key = _comparable(item)
            if key in seen:
                yield ValidationError("has an item twice")
                return
            seen.add(key)


def _comparable(value: object) -> object:
    """A hashable stand-in, equal where JSON Schema calls the values equal (true is not 1)."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(_comparable(item) for item in value)
    return (type(value), value) if isinstance(value, bool) else value
