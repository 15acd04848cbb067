"""What a check can say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    NOTE = "note"
    """Odd, or not done as well as it could be; costs nothing in a run."""
    WRONG = "wrong"
    """Costs scenarios in a run, or all of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a check, in plain words, and what to do about it."""

    check: str
    status: Status
    text: str
    hint: str = ""


class Trouble(Exception):
    """A check cannot go on: what was seen, and a hint."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
