"""The files of schemas/, read once and brought into one form.

Files refer to parts of themselves (`#/$defs/card`), to each other by `$id`
(`urn:bauernschnapsen:ruleset`), or by file name (`ruleset.schema.json`, which editors understand).
All three become `$id#/...` here, so that a reference means the same wherever a schema is looked at,
and nothing is ever fetched. The schema `false` becomes `{"not": {}}` where jsonschema would forget
which field it was about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import SpecError, did_you_mean, quoted
from .locate import schemas_root

_SUFFIX = ".schema.json"
# What no value fits.
NEVER: dict[str, Any] = {"not": {}}


@cache
def schema_files() -> Mapping[str, dict[str, Any]]:
    """Every schema by the NAME of its file, in that form. Raises SpecError."""
    files = {
        path.name.removesuffix(_SUFFIX): _read(path)
        for path in sorted(schemas_root().glob(f"*{_SUFFIX}"))
    }
    ids = {f"{name}{_SUFFIX}": schema["$id"] for name, schema in files.items()}
    for schema in files.values():
        _bring_into_form(schema, schema["$id"], ids)
    return files


def schema_id(name: str) -> str:
    """The `$id` of schemas/NAME.schema.json. Raises SpecError if there is no such file."""
    files = schema_files()
    if name not in files:
        raise SpecError(f"there is no schema {quoted(name)}", hint=did_you_mean(name, files))
    return str(files[name]["$id"])


@cache
def _by_id() -> Mapping[str, dict[str, Any]]:
    return {schema["$id"]: schema for schema in schema_files().values()}


def referenced(reference: str) -> Any:
    """The schema that an absolute reference (`$id` or `$id#/...`) names. Raises SpecError."""
    file_id, _, pointer = reference.partition("#")
    found: Any = _by_id().get(file_id)
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            found = found[int(key)] if key.isdecimal() and int(key) < len(found) else None
        else:
            found = found.get(key) if isinstance(found, dict) else None
    if found is None:
        raise SpecError(f"there is no schema {quoted(reference)}")
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        schema = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:  # ValueError: neither JSON nor UTF-8
        raise SpecError(f"is no readable JSON Schema: {error}", file=str(path)) from None
    if not isinstance(schema, dict) or not isinstance(schema.get("$id"), str):
        raise SpecError("has no $id, by which other schemas refer to it", file=str(path))
    return schema


def _bring_into_form(part: Any, base: str, ids: Mapping[str, str]) -> None:
    if isinstance(part, list):
        for item in part:
            _bring_into_form(item, base, ids)
    elif isinstance(part, dict):
        reference = part.get("$ref")
        if isinstance(reference, str):
            file, hash_sign, pointer = reference.partition("#")
            part["$ref"] = (ids.get(file, file) or base) + hash_sign + pointer
        for keyword in ("properties", "patternProperties"):
            fields = part.get(keyword)
            if isinstance(fields, dict):
                part[keyword] = {k: NEVER if v is False else v for k, v in fields.items()}
        for keyword in ("anyOf", "oneOf", "allOf"):
            forms = part.get(keyword)
            if isinstance(forms, list):
                part[keyword] = [NEVER if form is False else form for form in forms]
        for item in part.values():
            _bring_into_form(item, base, ids)
