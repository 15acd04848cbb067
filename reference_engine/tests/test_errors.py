"""How errors read: one line each, whatever the data was."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bauernschnapsen.errors import (
    MAX_QUOTED,
    Refusal,
    SpecError,
    did_you_mean,
    field_path,
    quoted,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (SpecError("is wrong"), "is wrong"),
        (SpecError("is wrong", "a.yaml"), "a.yaml: is wrong"),
        (SpecError("is wrong", "a.yaml", 3, 7), "a.yaml:3: is wrong"),
        (SpecError("is wrong", line=3), "line 3: is wrong"),
        (SpecError("is wrong", field="a.b"), "a.b: is wrong"),
        (
            SpecError("is wrong", "a.yaml", 3, 7, "a.b[1]", "drop it"),
            "a.yaml:3: a.b[1]: is wrong (drop it)",
        ),
    ],
)
def test_the_line_leaves_out_what_is_unknown(error: SpecError, text: str) -> None:
    assert str(error) == text


def test_an_error_survives_copying_and_pickling() -> None:
    error = SpecError("is wrong", "a.yaml", 3, 7, "a", "drop it")
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert again == error
        assert str(again) == str(error)
    refusal = pickle.loads(pickle.dumps(Refusal("play.beat", "A higher card must be played")))
    assert (refusal.rule, str(refusal)) == ("play.beat", "play.beat: A higher card must be played")


def test_an_error_learns_where_it_happened_and_does_not_forget() -> None:
    bare = SpecError("is wrong", field="value")
    placed = bare.within("contracts.gang").located("a.yaml", 3, 7)
    assert str(placed) == "a.yaml:3: contracts.gang.value: is wrong"
    assert placed.located("b.yaml", 9, 9) == placed
    assert SpecError("x", field="[2]").within("steps").field == "steps[2]"
    assert SpecError("x").within("steps").field == "steps"
    assert SpecError("x", "a.yaml").located("b.yaml", 4).located("c.yaml", 5).line == 4


def test_field_paths() -> None:
    assert field_path(()) == ""
    assert field_path(("scenarios", 3, "steps", 0)) == "scenarios[3].steps[0]"
    assert field_path((2, "zehner-gang")) == "[2].zehner-gang"
    assert field_path(("a b", "c.d", "")) == "'a b'.'c.d'.''"


def test_hints_name_a_likely_word_or_nothing() -> None:
    assert did_you_mean("partnr", ["partner", "value"]) == "did you mean 'partner'?"
    assert did_you_mean("xyz", ["partner", "value"]) is None
    assert did_you_mean("partner" * 100_000, ["partner"]) is None


@given(st.text() | st.integers() | st.lists(st.text()))
def test_what_a_message_repeats_is_short_and_printable(value: object) -> None:
    shown = quoted(value)
    assert shown.isprintable()
    assert len(shown) <= MAX_QUOTED + 2
