"""Validation: the schema files themselves, and how errors are told."""

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

from bauernschnapsen.data import locate, schema_files, schemas
from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.data.schemas import check, is_valid, validate
from bauernschnapsen.data.yaml_loader import load_yaml_text
from bauernschnapsen.errors import SpecError

SCHEMA_FILES = sorted(schemas_root().glob("*"))


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


# --- One error of each kind -----------------------------------------------------------------------

CONTRACT = {
    "type": "object",
    "properties": {
        "value": {"type": "integer", "minimum": 1, "maximum": 24},
        "played": {"type": "boolean"},
        "partner": {"enum": ["plays", "sits-out"]},
        "ranks": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 2},
        "card": {"type": "string", "title": "card, rank and suit", "pattern": "^[ATKQJ][HDSC]$"},
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
    "propertyNames": {"pattern": "^[a-z]+$", "title": "name in small letters"},
}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("value: five", "value: expected a whole number, found 'five'"),
        ("value: 1.5", "value: expected a whole number, found '1.5'"),
        ("value: true", "value: expected a whole number, found true"),
        ("value: [1]", "value: expected a whole number, found a list"),
        ("value: {a: 1}", "value: expected a whole number, found a mapping"),
        ("value:", "value: expected a whole number, found null"),
        ("value: 0", "value: expected at least 1, found 0"),
        ("value: 25", "value: expected at most 24, found 25"),
        ("played: on", "played: expected true or false, found 'on'"),
        ("partner: sitsout", "partner: 'sitsout' is not allowed here (did you mean 'sits-out'?)"),
        (
            "partner: x",
            "partner: 'x' is not allowed here (expected one of: plays, sits-out)",
        ),
        ("ranks: [A, T, A]", "ranks: has 'A' twice; every item may be given once"),
        ("ranks: [A]", "ranks: expected at least 2 items, found 1"),
        ("ranks: [A, 9]", "ranks[1]: expected text, found 9 (put it in quotes)"),
        ("ranks: [A, true]", "ranks[1]: expected text, found true (put it in quotes)"),
        ("card: XH", "card: 'XH' is not of the form: card, rank and suit"),
        (
            'card: "AH\\n"',
            "card: 'AH\N{REPLACEMENT CHARACTER}' is not of the form: card, rank and suit",
        ),
        ('note: ""', "note: must not be empty"),
        ("note: abcdef", "note: expected at most 5 characters, found 6"),
        ("note: 7", "note: expected text or null, found 7 (put it in quotes)"),
        ("kind: deal", "kind: expected 'contract', found 'deal'"),
        ("old: 1", "old: 1 is not allowed here"),
        ("parner: plays", "parner: unknown field (did you mean 'partner'?)"),
    ],
)
def test_told_with_path_line_and_expectation(
    own_schemas: Callable[..., None], line: str, message: str
) -> None:
    own_schemas(t=TABLE)
    first = "" if line.startswith("value") else "    value: 1\n"
    number = 3 if not first else 4
    text = f"contracts:\n  bettler:\n{first}    {line}\n"
    assert told(text) == [f"{number}: contracts.bettler.{message}"]


def test_what_is_missing_or_of_the_wrong_kind_altogether(own_schemas: Callable[..., None]) -> None:
    own_schemas(t=TABLE, u={"required": ["a", "b", "c"]})
    assert told("contracts:\n  bettler: {}\n") == [
        "2: contracts.bettler: the field 'value' is missing"
    ]
    assert told("b: 1\n", "u") == ["1: the fields 'a', 'c' are missing"]
    assert told("") == ["1: expected a mapping, found null"]
    assert told("- a\n") == ["1: expected a mapping, found a list"]


def test_a_bad_key_is_told_at_the_key(own_schemas: Callable[..., None]) -> None:
    own_schemas(t=TABLE)
    assert told("ok:\n  x\nNo good: 1\n") == [
        "3: 'No good': as a key: 'No good' is not of the form: name in small letters"
    ]


def test_an_unknown_field_is_told_at_its_key_and_the_known_ones_are_listed(
    own_schemas: Callable[..., None],
) -> None:
    own_schemas(t={"properties": {"b": {}, "a": {}}, "additionalProperties": False})
    assert told("a: 1\nzzzz:\n  - 1\n") == ["2: zzzz: unknown field (the fields here are: a, b)"]


def test_several_errors_come_in_the_order_of_the_lines(own_schemas: Callable[..., None]) -> None:
    own_schemas(t=TABLE)
    found = told("contracts:\n  a: {value: 0, x: 1}\n  b:\n    value: 1\n    played: 3\n  c: 3\n")
    assert [int(line.partition(":")[0]) for line in found] == [2, 2, 5, 6]
    assert "unknown field" in found[1]


def test_a_file_wrong_throughout_gives_a_bounded_number_of_errors(
    own_schemas: Callable[..., None],
) -> None:
    own_schemas(t={"items": {"type": "integer"}})
    assert len(told("- x\n" * 5000)) == schemas.MAX_ERRORS


def test_keywords_without_words_of_their_own_are_still_told(
    own_schemas: Callable[..., None],
) -> None:
    own_schemas(
        t={
            "dependentRequired": {"a": ["b", "c"]},
            "properties": {
                "n": {"not": {"const": 1}},
                "l": {"contains": {"const": 1}},
                "m": {"multipleOf": 2},
                "e": {"minProperties": 1},
                "x": {"exclusiveMinimum": 0, "exclusiveMaximum": 9},
                "p": {"prefixItems": [{}, {}], "items": False},
            },
        }
    )
    assert told("a: 1\n") == ["1: with the field 'a', 'b', 'c' are needed"]
    assert told("n: 1\n") == ["1: n: 1 is not allowed here"]
    assert told("l: []\n") == ["1: l: lacks an item that must be there"]
    assert told("m: 3\n") == ["1: m: is not as the schema says (multipleOf)"]
    assert told("e: {}\n") == ["1: e: expected at least 1 field, found 0"]
    assert told("p: [1, 2, 3]\n") == ["1: p: expected at most 2 items, found 3"]
    assert told("x: 0\n") == ["1: x: expected more than 0, found 0"]
    assert told("x: 9\n") == ["1: x: expected less than 9, found 9"]


def test_hostile_values_make_short_messages(own_schemas: Callable[..., None]) -> None:
    own_schemas(t={"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}})
    assert all(len(line) < 200 for line in told(f"a: {'x' * 9999}\n"))
    errors = validate({"b": 10**4000, "a": "\x1b[2J"}, "t")
    assert [str(error) for error in errors] == [
        "a: expected a whole number, found '\N{REPLACEMENT CHARACTER}[2J'",
        "b: expected text, found a number of great length (put it in quotes)",
    ]


# --- The form that was meant ----------------------------------------------------------------------

STEP = {
    "anyOf": [
        {"type": "string", "title": "an action such as 'N bid gang'", "pattern": "^[NESW] "},
        {
            "type": "object",
            "properties": {"expect": {"type": "object", "properties": {"bid": {"type": "string"}}}},
            "required": ["expect"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"refused": {"type": "string"}, "because": {"type": "string"}},
            "required": ["refused", "because"],
            "additionalProperties": False,
        },
    ]
}
MESSAGE = {
    "oneOf": [
        {
            "properties": {"op": {"const": op}, "n": {"type": kind}},
            "required": ["op"],
            "additionalProperties": False,
        }
        for op, kind in [("hello", "integer"), ("replay", "string")]
    ]
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X bid gang", ["1: 'X bid gang' is not of the form: an action such as 'N bid gang'"]),
        ("5", ["1: expected text or a mapping, found 5"]),
        ("{expect: {bid: 3}}", ["1: expect.bid: expected text, found 3 (put it in quotes)"]),
        ("{refused: N pass}", ["1: the field 'because' is missing"]),
        (
            "{refused: N pass, becuase: x}",
            [
                "1: the field 'because' is missing",
                "1: becuase: unknown field (did you mean 'because'?)",
            ],
        ),
        ("{expct: {}}", ["1: the field 'expect' is missing", "1: expct: unknown field "]),
    ],
)
def test_the_form_that_was_probably_meant_is_explained(
    own_schemas: Callable[..., None], text: str, expected: list[str]
) -> None:
    own_schemas(t=STEP)
    found = told(text)
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))


def test_the_form_is_chosen_by_the_field_that_tells_forms_apart(
    own_schemas: Callable[..., None],
) -> None:
    own_schemas(t=MESSAGE)
    assert told("{op: replay, n: 1}") == ["1: n: expected text, found 1 (put it in quotes)"]
    assert told("{op: hello, n: x, z: 1}")[0] == "1: n: expected a whole number, found 'x'"


def test_where_no_form_stands_out_all_are_named(own_schemas: Callable[..., None]) -> None:
    own_schemas(
        t={"anyOf": [{"enum": ["plays", "sits-out"]}, {"const": 5}, {"type": ["null", "array"]}]},
        u={"oneOf": [{"type": "integer"}, {"minimum": 3}]},
        v={"anyOf": [False, False]},
    )
    assert told("sits-ou") == [
        "1: expected null, a list or one of plays, sits-out, 5, found 'sits-ou' "
        "(did you mean 'sits-out'?)"
    ]
    assert told("5") == []
    assert told("7", "u") == ["1: 7 fits more than one of the forms allowed here"]
    assert told("7", "v") == ["1: 7 has none of the forms allowed here"]


def test_unevaluated_fields_are_told_without_accusing_known_ones(
    own_schemas: Callable[..., None],
) -> None:
    own_schemas(
        base={"$defs": {"b": {"properties": {"seat": {"type": "integer"}}}}},
        t={
            "$ref": "urn:test:base#/$defs/b",
            "if": {"properties": {"kind": {"const": "x"}}},
            "then": {"properties": {"extra": {}}},
            "unevaluatedProperties": False,
        },
    )
    assert told("seat: 1\nkind: x\nextra: 2\n") == []
    assert told("seet: 1\n") == ["1: seet: unknown field (did you mean 'seat'?)"]
    # `seat` is known and wrong: one error, not a second one that calls it unknown.
    assert told("seat: a\n") == ["1: seat: expected a whole number, found 'a'"]
    # `extra` is known and out of place: no field is unknown, and yet something must be said.
    assert told("kind: y\nextra: 1\n") == ["1: is not as the schema says (unevaluatedProperties)"]


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
    assert told("XX", "card#/$defs/card") == ["1: 'XX' is not of the form '^[AT][HD]$'"]


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
