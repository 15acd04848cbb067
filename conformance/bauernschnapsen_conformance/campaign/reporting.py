"""What is kept and told of a finding: its smallest case, a scenario file, and a transcript."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bauernschnapsen.replay import replay

from ..adapter import Request, Suite
from ..adapter.faults import printable
from ..adapter.handshake import hello_body
from ..adapter.transcript import Transcript
from ..adapter.wire import MAX_LINE, encode
from ..report.deal_table import action_sign, draw_deal
from ..report.differences import what_differs
from .findings import Witness
from .shrinking import Shrunk, ask_all, shrink
from .workers import Opened, Subject, opened
from .writing import scenario_file, scenario_id

Json = dict[str, Any]
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause with its smallest case, ready to be written and told."""

    shrunk: Shrunk
    count: int
    id: str
    scenario: str
    """A scenario file."""
    transcript: bytes
    lines: tuple[str, ...]
    """The case for a person: deal, actions, what was expected and what was shown."""

    @property
    def cause(self) -> str:
        """The rule and the first differing field."""
        return str(self.shrunk.discrepancy.cause)

    def as_json(self) -> Json:
        """Return it for a program to read."""
        found = self.shrunk.discrepancy
        first = found.difference
        return {
            "cause": {"rule": found.cause.rule or None, "field": found.cause.field},
            "rules": list(found.rules),
            "count": self.count,
            "id": self.id,
            "deals": self.shrunk.deals,
            "view": list(found.place),
            "expected": first.expected if first else None,
            "got": first.got if first else None,
            "said": found.said or None,
            "smallest": self.shrunk.finished,
            "scenario": self.scenario,
        }


def report(subject: Subject, witness: Witness, count: int) -> Finding:
    """Shrink a witness and write it down; a function of its arguments, run by any executor."""
    with opened(subject, patient=True) as engine:
        shrunk = shrink(engine, witness.deals, witness.discrepancy)
        text = scenario_file(shrunk, engine.resolved, *engine.names)
        lines = drawn(shrunk, engine)
        in_process = _transcript_of_object(engine, shrunk) if subject.engine.python else b""
    transcript = in_process or _transcript(subject, shrunk)
    return Finding(shrunk, count, scenario_id(shrunk), text, transcript, lines)


def drawn(shrunk: Shrunk, engine: Opened) -> tuple[str, ...]:
    """Return the case for a person: printable lines of bounded length."""
    return tuple(printable(line, _LONGEST) for line in _draw(shrunk, engine))


def _draw(shrunk: Shrunk, engine: Opened) -> Iterator[str]:
    found = shrunk.discrepancy
    deal, view = found.place
    for number, record in enumerate(shrunk.deals):
        yield from draw_deal(record, number + 1 if len(shrunk.deals) > 1 else None)
        for place, (seat, action) in enumerate(record["actions"], start=1):
            yield f"  {place:>3}  {seat} {action_sign(action)}"
    if found.difference is None:
        yield f"  the engine: {found.said}"
        return
    right = replay(engine.rules, shrunk.deals)[deal][view]
    path = found.difference.path
    labels = ("expected", "engine") if len(engine.names) == 1 else engine.names[::-1]
    want = _with(right, path, found.difference.expected)
    have = _with(right, path, found.difference.got)
    if path[0] == "refused":
        for label, refused in zip(labels, (want, have), strict=True):
            yield f"  {label}: {_refusal(refused.get('refused'))}"
    else:
        yield from what_differs((labels[0], labels[1]), ([want], [have]))


def _refusal(refused: Any) -> str:
    return f"refused for {refused}" if isinstance(refused, str) else str(refused or "accepted")


def _with(view: Any, path: tuple[str, ...], value: Any) -> Any:
    """Return a view with another value at a path."""
    if not path:
        return value
    inner = view if isinstance(view, dict) else {}
    return {**inner, path[0]: _with(inner.get(path[0]), path[1:], value)}


# --------------------------------------------------------------------------- transcripts


def _transcript(subject: Subject, shrunk: Shrunk) -> bytes:
    """Ask the smallest case once more in a new process, and return what went over the wire."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "transcript.ndjson"
        with (
            Transcript(file) as recorder,
            opened(subject, patient=True, recorder=recorder) as engine,
        ):
            ask_all(engine, [shrunk.deals])
        return file.read_bytes()


def _transcript_of_object(engine: Opened, shrunk: Shrunk) -> bytes:
    """Return what would have gone over the wire to an engine in this process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "transcript.ndjson"
        with Transcript(file) as recorder:
            recorder.started(("python",))
            recorder.sent(encode({"id": 1, **hello_body(Suite(), MAX_LINE)}) + b"\n")
            recorder.received(encode({"id": 1, "ok": engine.hello.raw}))
            asked = engine.question(shrunk.deals)
            if asked is not None:
                recorder.sent(encode({"id": 2, **asked.body}) + b"\n")
                (answer,) = engine.asked.ask([Request(None, asked.body)])
                if answer.reply is not None:
                    recorder.received(encode({"id": 2, **answer.reply}))
            recorder.input_ended()
        return file.read_bytes()
