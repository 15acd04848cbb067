"""Validation: the schema files themselves, references between them, two validators that agree."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from own_schemas import TABLE, forget_schemas, told
from own_schemas import engine as engine  # noqa: PLC0414 - a fixture
from own_schemas import own_schemas as own_schemas  # noqa: PLC0414 - a fixture

from bauernschnapsen.data import locate, schema_files, schemas
from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.data.schemas import check, is_valid, validate
from bauernschnapsen.errors import SpecError

SCHEMA_FILES = sorted(schemas_root().glob("*"))


# --- The project's own files ----------------------------------------------------------------------


def test_the_folder_of_schemas_holds_nothing_else() -> None:
    assert SCHEMA_FILES
    assert [path.name for path in SCHEMA_FILES if not path.name.endswith(".schema.json")] == []


@pytest.mark.parametrize("path", SCHEMA_FILES, ids=lambda path: path.name)
def test_every_schema_is_one(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    name = path.name.removesuffix(".schema.json")
    assert schema["$id"] == f"urn:bauernschnapsen:{name}"
    Draft202012Validator.check_schema(schema)


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from references(item)


@pytest.mark.parametrize("path", SCHEMA_FILES, ids=lambda path: path.name)
def test_every_reference_leads_somewhere_here(path: Path) -> None:
    forget_schemas()
    schema = schema_files.schema_files()[path.name.removesuffix(".schema.json")]
    for reference in references(schema):
        assert reference.startswith("urn:bauernschnapsen:")
        assert isinstance(schema_files.referenced(reference), dict | bool)


def patterns(part: Any) -> Iterator[str]:
    """The patterns that a value has to match, not those of what it must not contain."""
    if isinstance(part, dict):
        part = {key: inner for key, inner in part.items() if key != "not"}
        if isinstance(part.get("pattern"), str):
            yield part["pattern"]
        if isinstance(part.get("patternProperties"), dict):
            yield from part["patternProperties"]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from patterns(item)


@pytest.mark.parametrize("path", SCHEMA_FILES, ids=lambda path: path.name)
def test_every_pattern_compiles_and_says_where_it_begins_and_ends(path: Path) -> None:
    for pattern in patterns(json.loads(path.read_text(encoding="utf-8"))):
        re.compile(pattern)
        # An open end lets any rubbish through after a good beginning.
        assert pattern.startswith("^"), pattern
        assert pattern.endswith("$") or pattern in {"^[^.]", "^."}, pattern


# --- References and files -------------------------------------------------------------------------


def test_references_by_id_by_file_name_and_within_the_file(
    own_schemas: Callable[..., None],
) -> None:
    own_schemas(
        card={
            "$defs": {
                "card": {"pattern": "^[AT][HD]$"},
                "pair": {"items": {"$ref": "#/$defs/card"}},
            }
        },
        t={
            "properties": {
                "a": {"$ref": "urn:test:card#/$defs/card"},
                "b": {"$ref": "card.schema.json#/$defs/pair"},
                "c": {"$ref": "#"},
            }
        },
    )
    assert told("{a: AH, b: [TD], c: {a: AD}}") == []
    assert len(told("{a: x, b: [TD, y], c: {c: {a: z}}}")) == 3
    assert told("XX", "card#/$defs/card") == [
        "1: expected text of the form '^[AT][HD]$', found 'XX'"
    ]


def test_nothing_is_fetched(own_schemas: Callable[..., None], monkeypatch: Any) -> None:
    own_schemas(t={"$ref": "http://localhost:9/x.json"})

    def caught(*_arguments: object, **_options: object) -> None:
        raise AssertionError("opened a connection")

    monkeypatch.setattr("socket.socket.connect", caught)
    monkeypatch.setattr("socket.create_connection", caught)
    with pytest.raises(Exception, match="localhost:9") as failure:
        validate(1, "t")
    assert not isinstance(failure.value, AssertionError)


def test_an_unknown_schema_or_part_is_named(own_schemas: Callable[..., None]) -> None:
    own_schemas(ruleset={}, report={})
    with pytest.raises(SpecError, match=r"no schema 'rulset' \(did you mean 'ruleset'\?\)"):
        validate(1, "rulset")
    for part in ("ruleset#/$defs/x", "ruleset#/$defs/0/1"):
        with pytest.raises(SpecError, match="there is no schema"):
            is_valid(1, part)


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"$id": 5}', "\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_a_broken_schema_file_is_named(own_schemas: Callable[..., None], content: str) -> None:
    own_schemas(broken=content)
    with pytest.raises(SpecError, match=r"broken\.schema\.json"):
        validate(1, "broken")


def test_check_raises_the_first(own_schemas: Callable[..., None]) -> None:
    own_schemas(t={"items": {"type": "string"}})
    check(["a"], "t")
    with pytest.raises(SpecError, match=r"^\[0\]: expected text, found 1"):
        check([1, 2], "t")


# --- The same with jsonschema-rs and without ------------------------------------------------------

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 26)
    | st.sampled_from(["plays", "AH", "AH\n", "A", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["contracts", "value", "card", "ranks", "a"]), inner, max_size=3
        )
    ),
    max_leaves=10,
)


@given(VALUES)
def test_both_validators_agree(value: Any) -> None:
    quick = pytest.importorskip("jsonschema_rs").Draft202012Validator(TABLE)
    slow = schemas._validator_class()(TABLE)
    assert quick.is_valid(value) == slow.is_valid(value)


@given(st.lists(VALUES, max_size=6))
def test_repetitions_are_found_as_json_schema_defines_them(items: list[Any]) -> None:
    slow = schemas._validator_class()({"uniqueItems": True})
    assert slow.is_valid(items) == Draft202012Validator({"uniqueItems": True}).is_valid(items)


def test_deep_values_do_not_break_either_validator(own_schemas: Callable[..., None]) -> None:
    own_schemas(t={"type": "array"})
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    assert validate(deep, "t") == []


# --- Where the files are --------------------------------------------------------------------------


def test_folders_are_found_in_the_package_else_in_the_checkout(tmp_path: Path) -> None:
    package = tmp_path / "reference_engine" / "bauernschnapsen"
    package.mkdir(parents=True)
    (tmp_path / "spec").mkdir()
    assert locate._folder("spec", package) == tmp_path / "spec"
    (package / "spec").mkdir()
    assert locate._folder("spec", package) == package / "spec"


def test_a_folder_of_somebody_else_is_not_taken_for_ours(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "bauernschnapsen"
    package.mkdir(parents=True)
    (tmp_path / "spec").mkdir()
    with pytest.raises(SpecError, match=r"'spec' of bauernschnapsen was not found .*install"):
        locate._folder("spec", package)


def test_here_both_are_found() -> None:
    assert (locate.spec_root() / "rulesets" / "pagat.yaml").is_file()
    assert (locate.schemas_root() / "ruleset.schema.json").is_file()
