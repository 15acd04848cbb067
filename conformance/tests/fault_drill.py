"""A drill: requests sent to an adapter with a fault, and what became of each."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    Answer,
    Fault,
    FaultKind,
    Limits,
    Request,
    Session,
)

BROKEN = Path(__file__).resolve().parent.parent / "broken_adapters"
TOKEN = "BAUERNSCHNAPSEN_DRILL"
COUNT = 24
TRAPS = (7, 16)
# A busy machine may take its time to end a process that has just replied.
CALM = Limits(start_up=100.0, request=300.0, settle=0.3)

DECK = [rank + suit for suit in "HDSC" for rank in "ATKQ"]


def ask_for(number: int, traps: tuple[int, ...] = TRAPS) -> Request:
    """A query whose right answer is its own hand; the trap is the hand JS alone."""
    hand = (
        ["JS"] if number in traps else [DECK[number % 16], DECK[(number + 1 + number // 16) % 16]]
    )
    table = {"contract": "normal", "trump": "H", "declarer": "N", "seats": ["N", "E", "S", "W"]}
    # The lead makes two requests with the same hand different.
    case = {**table, "trick": [["N", DECK[number % 16]]], "seat": "E", "hand": hand}
    return Request(number, {"op": "legal_plays", "cases": [case]})


def right(number: int, traps: tuple[int, ...] = TRAPS) -> dict[str, Any]:
    return {"ok": [ask_for(number, traps).body["cases"][0]["hand"]]}


def survivors(token: str) -> list[int]:
    """Living processes started by a run with this token, found without the code under test."""
    if not sys.platform.startswith("linux"):
        listed = subprocess.check_output(["ps", "-E", "-axo", "pid=,command="], text=True)
        return [int(line.split()[0]) for line in listed.splitlines() if token in line]
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and entry.name != str(os.getpid()):
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if token.encode() in environment:
                found.append(int(entry.name))
    return found


@dataclass
class Drill:
    answers: dict[Any, Answer]
    session: Session

    @property
    def faults(self) -> dict[Any, FaultKind]:
        late = {key: fault.kind for key, fault in self.session.late_faults.items()}
        return late | {
            key: answer.fault.kind for key, answer in self.answers.items() if answer.fault
        }

    def fault(self, number: int) -> Fault:
        fault = self.answers[number].fault
        assert fault is not None
        return fault

    def wrong(self, traps: tuple[int, ...] = TRAPS) -> list[Any]:
        """Requests that have a reply, but not the right one."""
        return [
            key
            for key, answer in self.answers.items()
            if answer.reply is not None and answer.reply != right(key, traps)
        ]

    @property
    def flaky(self) -> list[Any]:
        return [key for key, answer in self.answers.items() if answer.flaky]


Run = Callable[..., Drill]


@pytest.fixture
def token() -> Iterator[str]:
    value = uuid.uuid4().hex
    yield value
    assert survivors(value) == []


def command(name: str, token: str, *, window: int = 1, how: str = "") -> AdapterCommand:
    argv = (sys.executable, "-S", "-E", str(BROKEN / name), f"--window={window}", f"--how={how}")
    return AdapterCommand(argv, env={TOKEN: token})


@pytest.fixture
def run(token: str) -> Run:
    def run_drill(
        name: str,
        *,
        window: int = 1,
        how: str = "",
        limits: Limits = CALM,
        traps: tuple[int, ...] = TRAPS,
        count: int = COUNT,
    ) -> Drill:
        answers: dict[Any, Answer] = {}
        with Session(command(name, token, window=window, how=how), limits=limits) as session:
            for answer in session.ask(ask_for(number, traps) for number in range(count)):
                assert answer.key not in answers, "two answers to one request"
                assert (answer.reply is None) == (answer.fault is not None)
                answers[answer.key] = answer
        assert sorted(answers) == list(range(count))
        return Drill(answers, session)

    return run_drill


BOTH_WINDOWS = pytest.mark.parametrize("window", [1, 8])
