"""What messages call a value: by the title its schema gives it, never by a description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bauernschnapsen.data.locate import schemas_root
from bauernschnapsen.data.schemas import validate

FILES = sorted(schemas_root().glob("*.schema.json"))
# A title is read in "expected TITLE, found 'x'".
ARTICLES = ("a ", "an ", "the ", "one ", "four ", "seats ", "text ", "MODULE")


def parts(schema: Any, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from parts(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for place, value in enumerate(schema):
            yield from parts(value, f"{path}/{place}")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.split(".")[0])
def test_every_pattern_is_called_something(file: Any) -> None:
    for path, part in parts(json.loads(file.read_text(encoding="utf-8"))):
        if isinstance(part.get("pattern"), str) and not path.endswith("/properties"):
            assert part.get("title", "").startswith(ARTICLES), (path, part.get("title"))
            assert not part["title"].endswith("."), path


VIEW: dict[str, Any] = {"phase": "foo", "legal": {"N": ["play 10H"]}}
DEAL = {"topic": "Any", "scenarios": []}
SCENARIO = {"id": "play.x", "title": "Any", "why": {"en": "Any."}, "rules": ["play.beat"]}


@pytest.mark.parametrize(
    ("schema", "value", "messages"),
    [
        (
            "wire-legal-plays-reply",
            {"id": 1, "ok": [["10H"]]},
            ["ok[0][0]: expected a card as rank and suit, such as AH, found '10H'"],
        ),
        (
            "wire-legal-plays-reply",
            {"id": 1, "ok": [5]},
            ["ok[0]: expected a list, null or a mapping, found 5"],
        ),
        ("wire-legal-plays-reply", {"id": 1}, ["'ok', 'unsupported' or 'error' is needed"]),
        (
            "wire-trick-winner-reply",
            {"id": 1, "ok": ["X", {"unsupported": 3}]},
            [
                "ok[0]: expected null, a mapping or one of N, E, S, W, found 'X'",
                "ok[1].unsupported: expected text, found 3 (put it in quotes)",
            ],
        ),
        (
            "wire-replay-reply",
            {"id": 1, "ok": [[VIEW]]},
            [
                "ok[0][0].phase: 'foo' is not allowed here "
                "(expected one of: trump, auction, play, show, talon, over)",
                "ok[0][0].legal.N[0]: expected an action such as 'play KH', found 'play 10H'",
            ],
        ),
        (
            "wire-hello-reply",
            {"id": 1, "ok": {}},
            ["ok: the fields 'protocol', 'adapter', 'engine', 'capabilities' are missing"],
        ),
        (
            "wire-hello-reply",
            {"id": 1, "ok": {}, "unsupported": "no"},
            ["the field 'ok' is not allowed here"],
        ),
        (
            "ruleset",
            {"ruleset": "mine", "extends": "club.yaml", "title": "Ours", "options": ["x"]},
            [
                "extends: expected the name of a ruleset, without folder and ending, "
                "found 'club.yaml'",
                "title: expected a mapping, found 'Ours' "
                "(write a text for each language, such as {en: House rules})",
                "options: expected a mapping, found a list (write options such as {target: 24})",
            ],
        ),
        (
            "ruleset",
            {"ruleset": "mine", "contracts": {"gang": {"value": "9", "tricks": "x", "above": 7}}},
            [
                "contracts.gang.value: expected a whole number, found '9' (without quotes)",
                "contracts.gang.above: expected a name in small letters such as my-house "
                "or the word none, found 7",
                "contracts.gang.tricks: expected a whole number or the word all, found 'x'",
            ],
        ),
        (
            "ruleset",
            {"ruleset": "mine", "options": {"phases": ["play"]}},
            [
                "options.phases: a list is not allowed here (expected one of: "
                "[trump, auction, play], [auction, trump, play], [trump, auction, talon, play])"
            ],
        ),
        (
            "scenario-file",
            DEAL | {"scenarios": [SCENARIO | {"steps": ["N pass"]}]},
            ["scenarios[0]: 'deal' or 'play_on' is needed"],
        ),
        (
            "scenario-file",
            DEAL | {"scenarios": [SCENARIO | {"deal": "d", "steps": ["N pass"], "play_on": []}]},
            [
                "scenarios[0]: either 'deal' or 'play_on' may be given, not both",
                "scenarios[0].play_on: expected at least 1 item, found 0",
            ],
        ),
    ],
)
def test_messages_say_what_was_found_and_what_was_expected(
    schema: str, value: object, messages: list[str]
) -> None:
    assert sorted(map(str, validate(value, schema))) == sorted(messages)
