"""Validation: how errors are told, and which form was probably meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from own_schemas import TABLE, told
from own_schemas import engine as engine  # noqa: PLC0414 - a fixture
from own_schemas import own_schemas as own_schemas  # noqa: PLC0414 - a fixture

from bauernschnapsen.data import schemas
from bauernschnapsen.data.schemas import validate


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
        ("card: XH", "card: expected a card, rank and suit, found 'XH'"),
        (
            'card: "AH\\n"',
            "card: expected a card, rank and suit, found 'AH\N{REPLACEMENT CHARACTER}'",
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
        "3: 'No good': as a key: expected a name in small letters, found 'No good'"
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
        ("X bid gang", ["1: expected an action such as 'N bid gang', found 'X bid gang'"]),
        ("5", ["1: expected an action such as 'N bid gang' or a mapping, found 5"]),
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
