"""Schemas of a test's own in place of those of the project, checked by either validator."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.data import schema_files, schemas
from bauernschnapsen.data.schemas import is_valid, validate
from bauernschnapsen.data.yaml_loader import load_yaml_text


def forget_schemas() -> None:
    for cached in (schema_files.schema_files, schema_files._by_id):
        cached.cache_clear()
    schemas._validator.cache_clear()
    schemas._quick_check.cache_clear()


@pytest.fixture(params=["jsonschema-rs", "jsonschema"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs a test with jsonschema-rs answering first, and as if it were not installed."""
    if request.param == "jsonschema":
        monkeypatch.setattr(schemas, "_quick_check", lambda _name: None)
    else:
        pytest.importorskip("jsonschema_rs")
    return str(request.param)


@pytest.fixture
def own_schemas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> Iterator[Callable[..., None]]:
    """Puts other schemas, given as NAME=schema, in the place of the project's."""

    def write(**files: Any) -> None:
        for name, schema in files.items():
            file = {"$id": f"urn:test:{name}", **schema} if isinstance(schema, dict) else schema
            text = file if isinstance(file, str) else json.dumps(file)
            (tmp_path / f"{name}.schema.json").write_text(text, encoding="utf-8")

    monkeypatch.setattr(schema_files, "schemas_root", lambda: tmp_path)
    for cached in (schema_files.schema_files, schema_files._by_id, schemas._validator):
        cached.cache_clear()
    if engine == "jsonschema-rs":
        schemas._quick_check.cache_clear()
    yield write
    monkeypatch.undo()
    forget_schemas()


def told(text: str, name: str = "t") -> list[str]:
    """The errors of a YAML text, each without the name of the file."""
    document = load_yaml_text(text, "f")
    errors = validate(document.value, name, document=document)
    assert bool(errors) is not is_valid(document.value, name)
    lines = [str(error) for error in errors]
    assert all(line.startswith("f:") and "\n" not in line for line in lines)
    return [line.removeprefix("f:") for line in lines]


# --- One error of each kind -----------------------------------------------------------------------

CONTRACT = {
    "type": "object",
    "properties": {
        "value": {"type": "integer", "minimum": 1, "maximum": 24},
        "played": {"type": "boolean"},
        "partner": {"enum": ["plays", "sits-out"]},
        "ranks": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 2},
        "card": {"type": "string", "title": "a card, rank and suit", "pattern": "^[ATKQJ][HDSC]$"},
        "note": {"type": ["string", "null"], "minLength": 1, "maxLength": 5},
        "kind": {"const": "contract"},
        "old": False,
    },
    "required": ["value"],
    "additionalProperties": False,
}
TABLE = {
    "type": "object",
    "properties": {"contracts": {"type": "object", "additionalProperties": CONTRACT}},
    "propertyNames": {"pattern": "^[a-z]+$", "title": "a name in small letters"},
}
