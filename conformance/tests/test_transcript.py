"""A transcript holds everything that was said, and can stand in for the engine."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    AdapterError,
    Answer,
    Limits,
    Request,
    Session,
)
from bauernschnapsen_conformance.adapter.playback import MISSING, Playback, main, request_key
from bauernschnapsen_conformance.adapter.transcript import KINDS, Transcript
from bauernschnapsen_conformance.adapter.wire import WireError

BROKEN = Path(__file__).resolve().parent.parent / "broken_adapters"
# A busy machine may take its time to end a process that has just replied.
LIMITS = Limits(start_up=100.0, request=1.5, settle=0.4)
MODULE = "bauernschnapsen_conformance.adapter.playback"


def request(number: int, *, trap: bool = False) -> Request:
    hand = ["JS"] if trap else ["ATKQ"[number % 4] + "HDSC"[number // 4 % 4]]
    case: dict[str, Any] = {
        "contract": "gang",
        "trump": "H",
        "declarer": "N",
        "seats": ["N", "E", "S", "W"],
    }
    case |= {"trick": [["N", "K" + "HDSC"[number % 4]]], "seat": "E", "hand": hand}
    return Request(number, {"op": "legal_plays", "cases": [case]})


REQUESTS = [request(number, trap=number == 5) for number in range(12)]


def broken(name: str, how: str = "", window: int = 4) -> AdapterCommand:
    argv = (sys.executable, "-S", "-E", str(BROKEN / name), f"--window={window}", f"--how={how}")
    return AdapterCommand(argv)


def stand_in(path: Path) -> AdapterCommand:
    return AdapterCommand((sys.executable, "-m", MODULE, str(path)))


def ask(command: AdapterCommand, transcript: Transcript | None = None) -> dict[Any, Answer]:
    with Session(command, limits=LIMITS, transcript=transcript) as session:
        answers = {answer.key: answer for answer in session.ask(REQUESTS)}
    assert session.late_faults == {}
    return answers


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def outcome(answer: Answer) -> tuple[Any, ...]:
    fault = answer.fault
    told = fault and (fault.kind, fault.exit_code, fault.signal)
    return answer.reply, told, answer.flaky


# Recording ---------------------------------------------------------------------------------


def test_everything_is_recorded_in_order(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    with Transcript(path) as transcript:
        ask(broken("noise.py"), transcript)
    found = records(path)
    assert {record["dir"] for record in found} == {"start", "->", "<-", "eof", "end"} <= set(KINDS)
    assert [record["dir"] for record in (found[0], found[-2], found[-1])] == ["start", "eof", "end"]
    assert found[0]["argv"] == list(broken("noise.py").argv)
    assert found[-1] == {"ms": found[-1]["ms"], "dir": "end", "exit_code": 0, "signal": None}
    times = [record["ms"] for record in found]
    assert times == sorted(times)
    sent = [json.loads(record["line"]) for record in found if record["dir"] == "->"]
    assert [message["op"] for message in sent] == ["hello"] + ["legal_plays"] * len(REQUESTS)
    assert [message["id"] for message in sent] == list(range(1, len(REQUESTS) + 2))
    lines = [record["line"] for record in found if record["dir"] == "<-"]
    assert "*** Engine 3.1 ***" in lines
    assert sum(line.startswith("{") for line in lines) == len(REQUESTS) + 1


@pytest.mark.slow
def test_lines_that_are_no_utf_8_and_lines_that_are_too_long(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    with Transcript(path) as transcript:
        ask(broken("invalid_utf8.py"), transcript)
    coded = [record["base64"] for record in records(path) if "base64" in record]
    assert all(b"K\xf6nigsgang" in base64.b64decode(text) for text in coded)
    assert coded
    with Transcript(path) as transcript:
        ask(broken("huge_line.py"), transcript)
    assert any("more than 1048576 bytes" in record.get("text", "") for record in records(path))
    assert path.stat().st_size < 100_000


def test_a_transcript_does_not_grow_without_bound(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    with Transcript(path, max_bytes=2000) as transcript:
        ask(broken("correct.py"), transcript)
    assert path.stat().st_size < 2100
    assert records(path)[-1]["text"] == "the transcript is full"


def test_a_transcript_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match="cannot be written"):
        Transcript(tmp_path / "missing" / "run.ndjson")


# Standing in -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("correct.py", ""),
        ("wrong_shape.py", ""),
        ("crash.py", ""),
        ("crash_with_pending.py", ""),
        ("crash_after_reply.py", ""),
        ("hang.py", ""),
        ("hang_after_reply.py", ""),
        ("garbage_line.py", "after"),
        ("wrong_id.py", ""),
        ("wrong_id.py", "next"),
        ("duplicate_id.py", "later"),
        ("invalid_utf8.py", ""),
    ],
)
def test_a_transcript_stands_in_for_the_engine(tmp_path: Path, name: str, how: str) -> None:
    path = tmp_path / "run.ndjson"
    with Transcript(path) as transcript:
        first = ask(broken(name, how), transcript)
    second = ask(stand_in(path))
    assert {key: outcome(answer) for key, answer in second.items()} == {
        key: outcome(answer) for key, answer in first.items()
    }
    # The stand-in's own transcript stands in just as well.
    with Transcript(tmp_path / "again.ndjson") as transcript:
        ask(stand_in(path), transcript)
    third = ask(stand_in(tmp_path / "again.ndjson"))
    assert {key: outcome(answer) for key, answer in third.items()} == {
        key: outcome(answer) for key, answer in first.items()
    }


def test_requests_are_matched_by_what_they_ask(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    with Transcript(path) as transcript:
        ask(broken("correct.py"), transcript)
    with Session(stand_in(path)) as session:
        assert session.hello.adapter.name == "broken"
        reordered = dict(reversed(list(REQUESTS[3].body.items())))
        unknown = Request("unknown", {"op": "replay", "deals": []})
        asked = [REQUESTS[7], Request("reordered", reordered), unknown]
        answers = {answer.key: answer.reply for answer in session.ask(asked)}
    assert answers == {
        7: {"ok": [REQUESTS[7].body["cases"][0]["hand"]]},
        "reordered": {"ok": [REQUESTS[3].body["cases"][0]["hand"]]},
        "unknown": {"error": {"message": MISSING}},
    }


def test_a_repeated_request_gets_the_recorded_replies_in_turn(tmp_path: Path) -> None:
    lines = [
        ("->", {"id": 1, "op": "hello"}),
        ("<-", {"id": 1, "ok": {}}),
        ("->", {"id": 2, "op": "ping"}),
        ("<-", {"id": 2, "ok": "first"}),
        ("->", {"id": 3, "op": "ping"}),
        ("<-", {"id": 3, "ok": "second"}),
    ]
    path = tmp_path / "run.ndjson"
    recorded = [json.dumps({"dir": where, "line": json.dumps(what)}) for where, what in lines]
    path.write_text("\n".join(recorded))
    playback = Playback.load(path)
    source = b"".join(b'{"id":%d,"op":"ping"}\n' % number for number in range(1, 5))
    target = io.BytesIO()
    assert playback.serve(io.BytesIO(b"noise\n{}\n" + source), target) == 0
    said = [json.loads(line) for line in target.getvalue().splitlines()]
    assert said == [
        {"id": 1, "ok": "first"},
        {"id": 2, "ok": "second"},
        {"id": 3, "ok": "second"},
        {"id": 4, "ok": "second"},
    ]


def test_hello_is_matched_whatever_suite_asks() -> None:
    one = {"id": 1, "op": "hello", "suite": {"digest": "a"}}
    other = {"id": 9, "op": "hello", "suite": {"digest": "b"}}
    assert request_key(one) == request_key(other)
    assert request_key({"id": 1, "op": "x", "a": 1}) != request_key({"id": 1, "op": "x", "a": 2})


# Bad transcripts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no handshake"),
        (b"hello\n", "line 1 is not a JSON object"),
        (b"[]\n", "line 1 is not a JSON object"),
        (b"[" * 100_000 + b"\n", "line 1 is not a JSON object"),
        (b'{"dir":"start"}\n{"dir":"sideways"}\n', 'line 2: "dir" is not one of'),
        (b'{"dir":"->"}\n', 'neither "line" nor "base64"'),
        (b'{"dir":"->","base64":"%%%"}\n', 'neither "line" nor "base64"'),
        (b'{"dir":"->","line":"nonsense"}\n', "not JSON"),
    ],
)
def test_a_bad_transcript_gets_one_line_and_exit_code_2(
    tmp_path: Path, content: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.ndjson"
    path.write_bytes(content)
    assert main([str(path)]) == 2
    complaint = capsys.readouterr().err
    assert words in complaint
    assert complaint.count("\n") == 1
    with pytest.raises(WireError):
        Playback.load(path)


def test_usage_and_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["a", "b"], ["--helps"], [str(tmp_path / "missing")], [str(tmp_path)]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_the_command_needs_nothing_but_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    with Transcript(path) as transcript:
        ask(broken("correct.py"), transcript)
    done = subprocess.run(
        [sys.executable, "-m", MODULE, str(path)],
        input=b'{"id":77,"op":"hello"}\n',
        capture_output=True,
        timeout=20,
        check=True,
    )
    assert json.loads(done.stdout)["id"] == 77
    assert done.stderr == b""
