"""How long the runner waits for an adapter, and how much it takes from it."""

from __future__ import annotations

from dataclasses import dataclass

from .wire import MAX_LINE


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds (all multiplied by `timeout_scale`), sizes in bytes.

    `request` is the time between two signs of progress: it runs from the moment the adapter could
    begin with a request, that is from its previous reply, not from sending. `settle` is how long a
    suspect is watched after its reply, `moment` how long anybody is after `hello` and at the end.
    """

    start_up: float = 10.0
    request: float = 2.0
    shut_down: float = 2.0
    after_sigterm: float = 0.3
    settle: float = 0.1
    moment: float = 0.02
    timeout_scale: float = 1.0
    max_line: int = MAX_LINE
    stderr_ring: int = 64 * 1024
    faults_in_a_row: int = 5
    faults_in_all: int = 20

    def scaled(self, seconds: float) -> float:
        """A time after `--timeout-scale`."""
        return seconds * self.timeout_scale
