"""Processes an adapter started and left behind.

Ending the process group catches every ordinary descendant. One that made itself a session of its
own is no longer in the group; it still carries the mark that the runner put into the environment
of the adapter, and where the system shows the environments of processes (Linux) it is found by it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import uuid
from pathlib import Path

MARK = "BAUERNSCHNAPSEN_ADAPTER_MARK"
_PROC = Path("/proc")
_MOST_ENVIRONMENT = 1 << 20
_ROUNDS = 5


def new_mark() -> str:
    """A value for the environment variable MARK that no other process carries."""
    return uuid.uuid4().hex


def count_strays(mark: str, group: int | None) -> int:
    """Return how many processes carry the mark, without those of a process group.

    To be asked before anything is killed: how long a killed process can still be seen is chance.
    """
    return sum(group is None or _group(pid) != group for pid in find_strays(mark))


def end_strays(mark: str) -> None:
    """Kill every process that carries the mark, except this one.

    Looks again after each round, since a process may have started another one meanwhile.
    """
    for _ in range(_ROUNDS):
        found = find_strays(mark)
        for pid in found:
            _kill(pid, mark)
        if not found:
            break


def find_strays(mark: str) -> list[int]:
    """The living processes that carry the mark; always empty where there is no /proc."""
    if not sys.platform.startswith("linux"):
        return []
    entries = [int(name) for name in os.listdir(_PROC) if name.isdecimal()]
    return [pid for pid in entries if pid != os.getpid() and _carries(pid, mark)]


def _carries(pid: int, mark: str) -> bool:
    try:
        with open(_PROC / str(pid) / "environ", "rb") as environment:
            return f"{MARK}={mark}".encode() in environment.read(_MOST_ENVIRONMENT)
    except OSError:
        # It ended meanwhile, or belongs to somebody else.
        return False


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except OSError:
        return None


def _kill(pid: int, mark: str) -> None:
    # Hold on to the process before looking at it again: its number may have been given away.
    with contextlib.suppress(OSError):
        handle = os.pidfd_open(pid)
        try:
            if _carries(pid, mark):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
