"""What the runner needs of whoever it asks: a process, several, or an engine in process."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Protocol

from ..adapter.faults import Fault
from ..adapter.handshake import Hello
from ..adapter.messages import Answer, Request


class Asked(Protocol):
    """What the runner needs of an adapter: a session, several of them, or an engine in process.

    Requests go without the key of a ruleset; whoever is asked knows which rules were sent.
    """

    @property
    def hello(self) -> Hello:
        """What the adapter said of itself."""

    @property
    def faults(self) -> list[Fault]:
        """Every observation so far."""

    @property
    def late_faults(self) -> dict[Hashable, Fault]:
        """Faults of requests whose answers had been handed out, by key."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is odd but costs nothing."""

    @property
    def pipelined(self) -> bool:
        """Whether several requests are under way at once."""

    @property
    def stopped(self) -> str | None:
        """Why the run was stopped before its end, or None."""

    @property
    def rules_refused(self) -> str | None:
        """Why the adapter did not take the ruleset, or None."""

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Exactly one answer to every request, in any order."""

    def close(self) -> None:
        """End the adapter; may be called twice."""

    def confirm(self) -> None:
        """See that the adapter, started once more, says the same of itself; a fault if not."""
