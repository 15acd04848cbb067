"""The schemas of the wire agree with the protocol page, the reference engine and the suite."""

from __future__ import annotations

import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.adapter.transcript import Transcript
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"
VIEW_SCHEMA = PAGE.parents[1] / "schemas" / "wire-view.schema.json"
VIEW_KEYS = set(json.loads(VIEW_SCHEMA.read_text(encoding="utf-8"))["properties"])


def schema_of(op: str, direction: str) -> str:
    return f"wire-{op.replace('_', '-')}-{direction}"


def told(value: object, schema: str) -> list[str]:
    return [str(error) for error in validate(value, schema)]


def conversations() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The pairs of request and reply on the page; those with an ellipsis are left out."""
    lines = re.findall(r"^(->|<-) (\{.*\})$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    pairs = []
    for (arrow, request), (back, reply) in itertools.pairwise(lines):
        if (arrow, back) == ("->", "<-") and "{ the" not in request:
            pairs.append((json.loads(request), json.loads(reply)))
    return pairs


# The page ----------------------------------------------------------------------------------


def test_the_page_shows_every_operation() -> None:
    assert [request["op"] for request, _ in conversations()] == [
        "hello",
        "legal_plays",
        "trick_winner",
        "replay",
        "replay",
    ]


@pytest.mark.parametrize("number", range(5))
def test_what_the_page_shows_is_valid(number: int) -> None:
    request, reply = conversations()[number]
    assert told(request, schema_of(request["op"], "request")) == []
    assert told(reply, schema_of(request["op"], "reply")) == []


def contained(part: Any, whole: Any) -> bool:
    """Whether a view says nothing that another does not say too."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and contained(part[key], whole[key]) for key in part)
    if isinstance(part, list) and isinstance(whole, list):
        return sorted(map(repr, part)) == sorted(map(repr, whole))
    return bool(part == whole)


@pytest.mark.parametrize("number", range(1, 5))
def test_what_the_page_shows_is_what_the_reference_answers(number: int) -> None:
    request, reply = conversations()[number]
    answer = ReferenceAdapter().handle(request)
    if request["op"] != "replay":
        assert answer == {"ok": reply["ok"]}
        return
    for shown, views in zip(reply["ok"], answer["ok"], strict=True):
        for part, view in zip(shown, views, strict=True):
            # The page's engine gives no reasons.
            known = {**view, "refused": True} if "refused" in view else view
            assert contained(part, known), (part, view)


def test_the_page_shows_every_outcome_and_every_view_key() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for outcome in ("ok", "unsupported", "error"):
        assert re.search(rf'^<- {{"id":\d+,"{outcome}"', page, re.MULTILINE)
    example = re.search(r'^\{"phase".*?\}$', page, re.MULTILINE | re.DOTALL)
    assert example is not None
    view = json.loads(example.group())
    assert told(view, "wire-view") == []
    assert set(view) | {"refused"} == VIEW_KEYS
    for key in VIEW_KEYS:
        assert f"| `{key}` |" in page


# The suite and the reference engine --------------------------------------------------------


@pytest.mark.slow
def test_every_message_of_a_whole_run_is_valid(tmp_path: Path) -> None:
    from bauernschnapsen_conformance.corpus import load_corpus
    from bauernschnapsen_conformance.run.runner import certify

    serve = AdapterCommand((sys.executable, "-m", "bauernschnapsen_conformance", "serve"))
    rules = load_ruleset("pagat")
    path = tmp_path / "run.ndjson"
    with (
        Transcript(path) as transcript,
        Session(serve, transcript=transcript, rules=dict(rules)) as session,
    ):
        report = certify(load_corpus(), rules, session)
    requests: dict[int, str] = {}
    for text in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(text)
        if record["dir"] not in ("->", "<-"):
            continue
        message = json.loads(record["line"])
        if record["dir"] == "->":
            requests[message["id"]] = message["op"]
            assert told(message, schema_of(message["op"], "request")) == [], message
        else:
            assert told(message, schema_of(requests[message["id"]], "reply")) == [], message
    assert {"hello", "rules", "replay"} <= set(requests.values())
    assert report.judgements
    assert len(requests) > 100


# What must not pass ------------------------------------------------------------------------

CASE = {"contract": "normal", "trump": "H", "declarer": "N", "seats": ["N", "E", "S", "W"]}
DEAL = {
    "dealer": "W",
    "scores": {"NS": 0, "EW": 0},
    "hands": {"N": ["KH"], "E": ["AH"], "S": ["TH"], "W": ["QH"]},
    "actions": [["N", "play KH"]],
}


@pytest.mark.parametrize(
    ("message", "schema"),
    [
        ({"op": "replay", "deals": [DEAL]}, "wire-replay-request"),
        ({"id": 0, "op": "replay", "deals": [DEAL]}, "wire-replay-request"),
        ({"id": 1, "op": "replay", "deals": []}, "wire-replay-request"),
        ({"id": 1, "op": "replay", "deals": [{**DEAL, "dealer": "X"}]}, "wire-replay-request"),
        (
            {"id": 1, "op": "replay", "deals": [{k: DEAL[k] for k in ("hands", "actions")}]},
            "wire-replay-request",
        ),
        ({"id": 1, "op": "legal_plays", "cases": [CASE]}, "wire-legal-plays-request"),
        ({"id": 1, "ok": [["AH"]], "error": "both"}, "wire-legal-plays-reply"),
        ({"id": 1}, "wire-legal-plays-reply"),
        ({"id": 1, "ok": [["10H"]]}, "wire-legal-plays-reply"),
        ({"id": 1, "ok": "AH"}, "wire-legal-plays-reply"),
        ({"id": 1, "unsupported": True}, "wire-replay-reply"),
        ({"id": 1, "ok": [{"phase": "play"}]}, "wire-replay-reply"),
        ({"id": 1, "ok": ["X"]}, "wire-trick-winner-reply"),
        ({"phase": "bidding"}, "wire-view"),
        ({"phase": None}, "wire-view"),
        ({"legal": {"N": ["play the king"]}}, "wire-view"),
        ({"legal": {"N": "play KH"}}, "wire-view"),
        ({"points": {"NS": 3}}, "wire-view"),
        ({"points": {"NS": 1.5, "EW": 0}}, "wire-view"),
        ({"contract": {"factor": 3}}, "wire-view"),
        ({"outcome": {"reason": "luck"}}, "wire-view"),
        ({"refused": False}, "wire-view"),
        ({"sees": {"N": {"X": ["AH"]}}}, "wire-view"),
    ],
)
def test_what_must_not_pass(message: dict[str, Any], schema: str) -> None:
    assert told(message, schema) != []


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"legal": None},
        {"legal": {"N": None, "E": []}},
        {"contract": {"name": "gang"}, "mood": "unknown keys are ignored"},
        {"outcome": {"awards": {"N": 0, "E": 3, "S": 0}}},
        {"refused": "play.beat"},
        {"last_trick": {"winner": "E"}},
    ],
)
def test_a_view_may_leave_out_anything(view: dict[str, Any]) -> None:
    assert told(view, "wire-view") == []
