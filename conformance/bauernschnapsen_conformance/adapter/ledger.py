"""The books of a session: faults and whom they are charged to, warnings, noise, the breaker."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..counting import counted
from .channel import Channel
from .faults import DEFAULT_HINTS, Breaker, Fault, FaultKind, printable
from .process import AdapterProcess


class Ledger:
    """What has been observed over all processes of one session."""

    def __init__(self, breaker: Breaker) -> None:
        self.breaker = breaker
        self.faults: list[Fault] = []
        self.late_faults: dict[Hashable, Fault] = {}
        self.stderr_tail = ""
        self._warnings: list[str] = []
        self._noise_lines = 0
        self._noise_sample = ""

    def charge(self, fault: Fault) -> Fault:
        """Count the fault of a request, unless the adapter has no part in it."""
        if fault.kind is FaultKind.NOT_RUN:
            return fault
        fault = _with_hint(fault)
        self.faults.append(fault)
        # A reply of the wrong form came in time and under its id: nothing is lost by going on.
        if fault.kind is not FaultKind.PROTOCOL:
            self.breaker.fault()
        return fault

    def charge_late(self, fault: Fault) -> None:
        """Count a fault of a request whose answer has been handed out already.

        A fault of no request is not listed any more once the run is stopped: there may be many.
        """
        if fault.key is None:
            if self.breaker.reason is None:
                self.note(fault)
        else:
            self.late_faults[fault.key] = self.charge(fault)

    def note(self, fault: Fault) -> None:
        """Count a fault that no request is to blame for."""
        self.faults.append(_with_hint(fault))
        self.breaker.fault(counts_in_row=False)

    def warn(self, *texts: str) -> None:
        """Keep what is odd but costs nothing, once."""
        self._warnings.extend(text for text in texts if text not in self._warnings)

    def take_late(self, channel: Channel) -> None:
        """Charge what a channel has seen of requests that were already answered."""
        for fault in channel.late_faults:
            self.charge_late(fault)
        channel.late_faults.clear()

    def take_over(self, channel: Channel) -> None:
        """Keep what a finished process leaves to know."""
        process = channel.process
        self._noise_lines += process.noise_lines
        self._noise_sample = self._noise_sample or _sample(process)
        self.stderr_tail = process.stderr_tail()
        if process.strays:
            self.warn("the adapter left processes behind; they were ended")
        self.take_late(channel)

    def noise_lines(self, running: AdapterProcess | None) -> int:
        """Lines on stdout that were no messages, over all processes and the running one."""
        return self._noise_lines + (running.noise_lines if running is not None else 0)

    def warnings(self, running: AdapterProcess | None) -> tuple[str, ...]:
        """All warnings so far."""
        noise = self.noise_lines(running)
        if not noise:
            return tuple(self._warnings)
        sample = self._noise_sample or (_sample(running) if running is not None else "")
        return (*self._warnings, noise_warning(noise, sample))


def noise_warning(number: int, sample: str) -> str:
    """Return what is said of lines on stdout that are no messages."""
    lines = counted(number, "line that is no message", "lines that are no messages")
    return f"stdout had {lines}, such as: {sample}"


def _with_hint(fault: Fault) -> Fault:
    return fault if fault.hint else replace(fault, hint=DEFAULT_HINTS[fault.kind])


def _sample(process: AdapterProcess) -> str:
    return printable(process.noise[0], 80) if process.noise else ""
