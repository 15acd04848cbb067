"""What a check can say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

IDENTITY = "identity"
_REQUEST_ID = re.compile(r'\bid"?:? ?\d+')


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
    also: tuple[str, ...] = ()
    """The other checks that found the same."""

    @property
    def cause(self) -> tuple[str, ...]:
        """What makes two findings the same; the number of a request does not tell them apart."""
        if self.check == IDENTITY:
            return (self.status, self.check)
        if self.status is Status.OK:
            return (self.status, self.check, self.text)
        return (self.status, _REQUEST_ID.sub("id", self.text), self.hint)


class Found:
    """Findings as they are made, one for each cause."""

    def __init__(self, told: Callable[[Finding], None] | None) -> None:
        """`told` gets each finding that is new; what is found again is seen at the end only."""
        self._told = told
        self._findings: dict[tuple[str, ...], Finding] = {}

    def note(self, finding: Finding) -> None:
        """Take a finding."""
        first = self._findings.get(finding.cause)
        if first is None:
            self._findings[finding.cause] = finding
            if self._told is not None:
                self._told(finding)
        elif finding.check not in (first.check, *first.also):
            self._findings[finding.cause] = replace(first, also=(*first.also, finding.check))

    def all(self) -> tuple[Finding, ...]:
        """Return them in the order in which they were made first."""
        return tuple(self._findings.values())


class Trouble(Exception):
    """A check cannot go on: what was seen, and a hint."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
