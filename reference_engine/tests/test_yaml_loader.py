"""What the YAML loader accepts, what it refuses, and how clearly it says so."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bauernschnapsen.data import yaml_parser, yaml_positions
from bauernschnapsen.data.yaml_loader import Document, Limits, load_yaml, load_yaml_text
from bauernschnapsen.errors import SpecError


@pytest.fixture(params=["libyaml", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs a test with each of the two parsers."""
    if request.param == "python":
        monkeypatch.setattr(yaml_parser, "new_parser", yaml_parser.PurePythonParser)
    yaml_positions._places.cache_clear()
    return str(request.param)


def value_of(text: str) -> Any:
    return load_yaml_text(text, "x.yaml").value


def complaint(text: str, **limits: int) -> SpecError:
    with pytest.raises(SpecError) as caught:
        load_yaml_text(text, "x.yaml", limits=Limits(**limits))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("x.yaml")
    return caught.value


def test_libyaml_is_what_runs_here() -> None:
    # Otherwise both halves of every test below would test the same parser.
    assert yaml_parser.new_parser is not yaml_parser.PurePythonParser


# --- Scalars --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("7", 7),
        ("-12", -12),
        ("123456789012345678", 123456789012345678),
    ],
)
@pytest.mark.usefixtures("parser")
def test_words_and_whole_numbers_have_their_values(text: str, value: object) -> None:
    found = value_of(f"k: {text}\n")["k"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text",
    # What YAML 1.1 reads as a truth value, a number in another base, a time, a date, a float.
    [
        *("on", "off", "On", "yes", "no", "Yes", "NO", "y", "n", "True", "TRUE", "False"),
        *("Null", "NULL", "22:0", "1:30", "0x1F", "0o17", "017", "007", "00", "-0", "+1"),
        *("1_000", "1.5", "1e3", "-1.0", ".5", ".inf", ".nan", "2024-01-01"),
        *("'-'", "--", "-a", "1a", "<", "<=", "="),
    ],
)
@pytest.mark.usefixtures("parser")
def test_everything_else_is_text(text: str) -> None:
    assert value_of(f"k: {text}") == {"k": text.strip("'")}


@pytest.mark.usefixtures("parser")
def test_quoted_and_block_scalars_are_text_whatever_they_look_like() -> None:
    assert value_of("a: '1'\nb: \"true\"\nc: |\n  12\nd: >-\n  null\ne: ''\n") == {
        "a": "1",
        "b": "true",
        "c": "12\n",
        "d": "null",
        "e": "",
    }


@pytest.mark.usefixtures("parser")
def test_a_quoted_key_may_look_like_anything() -> None:
    assert value_of("'1': a\n'true': b\n'<<': c\n'': d\n") == {
        "1": "a",
        "true": "b",
        "<<": "c",
        "": "d",
    }


@pytest.mark.usefixtures("parser")
def test_the_shapes_authors_write() -> None:
    text = """\
topic: Holding an equal bid    # a comment
deals:
  d1: {dealer: W, N: AH TH KC AS QD}
steps:
- expect: {legal: {N: [trump H, turn-up 1]}}
- N trump H
-
  - nested
empty:
"""
    assert value_of(text) == {
        "topic": "Holding an equal bid",
        "deals": {"d1": {"dealer": "W", "N": "AH TH KC AS QD"}},
        "steps": [{"expect": {"legal": {"N": ["trump H", "turn-up 1"]}}}, "N trump H", ["nested"]],
        "empty": None,
    }


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18) + 1, 10**18 - 1)
    | st.text(st.characters(min_codepoint=0x20, max_codepoint=0x24F, exclude_categories=["Cc"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcüß <-1:#", max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_json_is_read_as_what_it_says(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    for new_parser in (yaml_parser.new_parser, yaml_parser.PurePythonParser):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_parser, "new_parser", new_parser)
            assert load_yaml_text(text, "x.yaml").value == value


@given(st.text("ab:- \n[]{},#'\"&*!|>%@?~1\\", max_size=30))
def test_any_text_gives_a_value_or_one_clear_error(text: str) -> None:
    outcomes = []
    for new_parser in (yaml_parser.new_parser, yaml_parser.PurePythonParser):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_parser, "new_parser", new_parser)
            try:
                document: Document | SpecError = load_yaml_text(text, "x.yaml")
            except SpecError as error:
                document = error
            outcomes.append(document)
    for outcome in outcomes:
        if isinstance(outcome, Document):
            assert min(outcome.where(("a", 0, "b"))) >= 1
        else:
            assert outcome.message
            assert "\n" not in str(outcome)
    values = [outcome.value for outcome in outcomes if isinstance(outcome, Document)]
    assert all(value == values[0] for value in values)


# --- Refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, 1, "the key 'a' is given twice"),
        ("k: {a: 1, a: 2}", 1, 11, "k: the key 'a' is given twice"),
        ("k: {a: 1, 'a': 2}", 1, 11, "'a' is given twice"),
        ("a:\n- x\n- &x 1\n", 3, 3, "an anchor"),
        ("a: &x {b: 1}\n", 1, 4, "an anchor"),
        ("a: &x [b]\n", 1, 4, "an anchor"),
        ("a: *x\n", 1, 4, "an alias"),
        ("a: !!str 1\n", 1, 4, "a tag"),
        ("a: !thing {b: 1}\n", 1, 4, "a tag"),
        ("a: ! b\n", 1, 4, "a tag"),
        ("a: !!python/object/apply:os.system [true]\n", 1, 4, "a tag"),
        ("b: 1\n<<: {a: 1}\n", 2, 1, "a merge key"),
        ("1: a\n", 1, 1, "'1' is used as a key; expected text (put it in quotes)"),
        ("a: 1\ntrue: a\n", 2, 1, "'true' is used as a key"),
        ("~: a\n", 1, 1, "'~' is used as a key"),
        ("? [a]\n: b\n", 1, 3, "a list or mapping is used as a key"),
        ("{{a: 1}: b}\n", 1, 2, "a list or mapping is used as a key"),
        ("--- a\n--- b\n", 2, 1, "a second document"),
        ("%YAML 1.2\n---\na\n", 1, 1, "a directive"),
        ("%TAG ! tag:x,1:\n---\na\n", 1, 1, "a directive"),
        ("a: 1234567890123456789\n", 1, 4, "a number with more than 18 digits"),
        ("a:\n\t- b\n", 2, 1, "a tab is not allowed (use spaces)"),
        ("a: 'b\tc'\n", 1, 6, "a tab is not allowed"),
        ("a: b\n\x00", 2, 1, "character U+0000"),
        ("a: b\x1b[31m\n", 1, 5, "character U+001B"),
        ("a: b\n  \u2028\n", 2, 3, "character U+2028"),
        ("a: b\x85c", 1, 5, "character U+0085"),
        ("a: \ud800", 1, 4, "character U+D800"),
        ("a: \ufeff", 1, 4, "character U+FEFF"),
    ],
)
@pytest.mark.usefixtures("parser")
def test_refused_with_line_and_column(text: str, line: int, column: int, words: str) -> None:
    error = complaint(text)
    assert (error.line, error.column) == (line, column)
    assert words in str(error)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: b: c\n", 1),
        ("a: 1\nb: @x\n", 2),
        ("a:\n  - x\n - y\n", 3),
        ("a: 'b\n", 1),
        ("a: [1, 2\nb: 3\n", 2),
        ("a: }\n", 1),
        ("a: 1\nb\nc: 2\n", 2),
        ('a: "\\q"\n', 1),
    ],
)
@pytest.mark.usefixtures("parser")
def test_syntax_errors_name_a_line_and_keep_the_parsers_words(text: str, line: int) -> None:
    error = complaint(text)
    assert "YAML syntax: " in str(error)
    # The two parsers may notice an unclosed quote at its beginning or at the end of the text.
    assert error.line in (line, line + 1)


def test_hints_for_the_usual_slips() -> None:
    assert "must be in quotes" in str(complaint("title: Gang: the second\n"))
    assert "a sign must be in quotes" in str(complaint("a: @b\n"))
    assert "not closed" in str(complaint("a: [b\nc: d\n"))


@pytest.mark.usefixtures("parser")
def test_an_alias_bomb_goes_off_at_its_first_anchor() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(20)
    )
    error = complaint(bomb)
    assert "an anchor" in error.message
    assert error.line == 1


@pytest.mark.parametrize("deep", ["[" * 100_000, "{a: " * 50_000, "- " * 100_000])
def test_depth_is_bounded_long_before_it_hurts(deep: str) -> None:
    error = complaint(deep)
    assert "nested more than 40 levels deep" in error.message
    assert len(str(error)) < 200


def test_exactly_the_depth_allowed_is_read() -> None:
    assert value_of("[" * 40 + "]" * 40)
    assert complaint("[" * 41 + "]" * 41).line == 1


def test_the_number_of_values_is_bounded() -> None:
    assert len(load_yaml_text("- a\n" * 9, "x.yaml", limits=Limits(values=10)).value) == 9
    error = complaint("- a\n" * 10, values=10)
    assert (error.line, error.message) == (10, "more than 10 values")


def test_a_message_repeats_only_the_beginning_of_a_monstrous_key() -> None:
    key = "k" * 5000
    error = complaint(f"? {key}\n: 1\n? {key}\n: 2\n")
    assert "given twice" in error.message
    assert len(str(error)) < 200


# --- Files ----------------------------------------------------------------------------------------


def file_complaint(path: Path | str) -> str:
    with pytest.raises(SpecError) as caught:
        load_yaml(path)
    return str(caught.value)


def test_a_file_is_read_and_named_as_given(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xe2\x99\xa5\r\nb: x\r\n")  # byte order mark, Windows lines
    document = load_yaml(path)
    assert document.value == {"a": "♥", "b": "x"}
    assert document.file == str(path)
    assert document.where(("b",)) == (2, 4)


def test_what_is_no_file(tmp_path: Path) -> None:
    assert file_complaint(tmp_path).endswith("is a directory, expected a YAML file")
    assert "no such file" in file_complaint(tmp_path / "missing.yaml")
    assert "not an ordinary file" in file_complaint("/dev/zero")
    assert "cannot be read" in file_complaint("a\0b")
    (tmp_path / "file").write_text("a", encoding="utf-8")
    assert "cannot be read: Not a directory" in file_complaint(tmp_path / "file" / "x.yaml")
    assert "cannot be read" in file_complaint("x" * 5000)


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not an ordinary file" in file_complaint(tmp_path / "pipe")


def test_fifty_megabytes_are_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    tracemalloc.start()
    try:
        assert "is larger than 1048576 bytes" in file_complaint(path)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_other_encodings_are_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("a: 1\nb: Krähe\n".encode("latin-1"))
    assert file_complaint(path) == f"{path}:2: is not UTF-8 (save the file as UTF-8)"
    path.write_bytes("a: 1\n".encode("utf-16"))
    assert "is not UTF-8" in file_complaint(path)


# --- Positions ------------------------------------------------------------------------------------

TEXT = """\
a: 1
b:
  - x
  - {k: v,
     m: w}
c: ""
"""


@pytest.mark.parametrize(
    ("pointer", "value_at", "key_at"),
    [
        ((), (1, 1), (1, 1)),
        (("a",), (1, 4), (1, 1)),
        (("b",), (3, 3), (2, 1)),
        (("b", 0), (3, 5), (3, 5)),
        (("b", 1, "m"), (5, 9), (5, 6)),
        (("c",), (6, 4), (6, 1)),
        # What is not there is looked for where it would be.
        (("b", 1, "zz"), (4, 5), (4, 5)),
        (("b", 7), (3, 3), (3, 3)),
        (("zz", "y"), (1, 1), (1, 1)),
        (("a", "y"), (1, 4), (1, 4)),
    ],
)
@pytest.mark.usefixtures("parser")
def test_positions(
    pointer: tuple[str | int, ...], value_at: tuple[int, int], key_at: tuple[int, int]
) -> None:
    document = load_yaml_text(TEXT, "x.yaml")
    assert document.where(pointer) == value_at
    assert document.where_key(pointer) == key_at


@given(JSON_VALUES)
def test_every_value_of_a_document_has_a_position_of_its_own(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    document = load_yaml_text(text, "x.yaml")

    def walk(part: object, pointer: tuple[str | int, ...]) -> list[tuple[int, int]]:
        found = [document.where(pointer)]
        if isinstance(part, dict | list):
            for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
                found += walk(inner, (*pointer, key))
        return found

    places = walk(value, ())
    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_document_error_says_file_line_and_field() -> None:
    document = load_yaml_text(TEXT, "x.yaml")
    assert str(document.error(("b", 1, "m"), "is wrong")) == "x.yaml:5: b[1].m: is wrong"
    assert str(document.error(("b",), "is odd", "drop it", at_key=True)) == (
        "x.yaml:2: b: is odd (drop it)"
    )


def test_an_empty_file_is_an_empty_document() -> None:
    assert load_yaml_text("", "x.yaml") == Document("x.yaml", None, "")
    assert load_yaml_text("# nothing\n", "x.yaml").where(("a",)) == (1, 1)


def test_files_are_parsed_by_libyaml_where_there_is_one() -> None:
    """It is about ten times quicker; `make bench` measures what loading the corpus takes."""
    slow = yaml_parser.new_parser is yaml_parser.PurePythonParser
    assert slow == (not yaml.__with_libyaml__)
