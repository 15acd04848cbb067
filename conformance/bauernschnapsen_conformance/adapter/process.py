"""The adapter as a child process: lines in, lines out, bounded in size, ended for certain.

One loop over `poll` reads stdout and stderr and writes what the child is ready to take, so that
neither side can block the other, however long the lines are and whether or not the child reads.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import Protocol

from .command import AdapterCommand, spawn
from .faults import Breaker
from .last_words import LastWords
from .limits import Limits
from .strays import MARK, count_strays, end_strays, new_mark

_CHUNK = 1 << 16
_BRACE = ord("{")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NOISE_SAMPLES = 5
_MOST_LEFTOVERS = 1000
_WAIT_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02)
_AFTER_SIGKILL = 5.0
_MOST_AFTER_SIGTERM = 3.0
_WHEN_INTERRUPTED = 0.3
_REST_OF_STREAMS = 0.2


class Recorder(Protocol):
    """What a process tells a transcript; see transcript.py."""

    def started(self, argv: tuple[str, ...]) -> None:
        """A process was started."""

    def sent(self, data: bytes) -> None:
        """Whole lines were written."""

    def received(self, line: bytes) -> None:
        """A line arrived, noise included."""

    def note(self, text: str) -> None:
        """Something that is no line."""

    def input_ended(self) -> None:
        """The child was asked to leave by the end of its input."""

    def ended(self, exit_code: int | None, signal_number: int | None) -> None:
        """The process is gone; both are None if the runner ended it."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended by itself: an exit code, or the number of a signal."""

    code: int | None
    signal: int | None

    def __str__(self) -> str:
        if self.signal is None:
            return f"ended with exit code {self.code}"
        try:
            name = signal.Signals(self.signal).name
        except ValueError:
            name = str(self.signal)
        return f"was ended by signal {name}"


_running: set[AdapterProcess] = set()


class AdapterProcess:
    """One child in a process group of its own. Not thread-safe; use it from one thread.

    `eof` is set when stdout has ended, `oversize` when a line that began like a message grew too
    long (it is not kept), `idle` if the last wait ended with nothing. `noise_lines` counts stdout
    lines that are no messages.
    """

    def __init__(
        self,
        command: AdapterCommand,
        limits: Limits,
        recorder: Recorder | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        self.limits = limits
        self.eof = False
        self.oversize = False
        self.idle = False
        self.noise_lines = 0
        self.noise: list[bytes] = []
        self.exit: Exit | None = None
        self.leftovers: list[bytes] = []
        self.strays = 0
        self.recorder = recorder
        self._breaker = breaker
        self._mark = new_mark()
        self._popen = spawn(command, {MARK: self._mark})
        self._owner = os.getpid()
        self.pid = self._popen.pid
        _running.add(self)
        if recorder is not None:
            recorder.started(command.argv)
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        self._stdin, self._stdout, self._stderr = stdin.fileno(), stdout.fileno(), stderr.fileno()
        self._files = (stdin, stdout, stderr)
        self._poll = select.poll()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._unsent = bytearray()
        self._stdin_open = True
        self._partial = bytearray()
        self._skipping = False
        self._last_words = LastWords(limits.stderr_ring)
        self._ended = False

    # Writing ------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Write whole lines, now as far as the child takes them, the rest while receiving."""
        if self.recorder is not None:
            self.recorder.sent(data)
        if not self._stdin_open:
            return
        if self._unsent:
            self._unsent += data
            return
        written = self._write(data)
        if written < len(data) and self._stdin_open:
            self._unsent += data[written:]
            self._poll.register(self._stdin, select.POLLOUT)

    def _write(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            # Nobody reads any more. What that means is seen on stdout: its end, or replies.
            self._close_stdin()
            return 0

    def _flush(self) -> None:
        written = self._write(self._unsent)
        del self._unsent[:written]
        if not self._unsent and self._stdin_open:
            self._poll.unregister(self._stdin)

    def _close_stdin(self) -> None:
        if self._stdin_open:
            self._stdin_open = False
            if self._unsent:
                self._unsent.clear()
                self._poll.unregister(self._stdin)
            self._files[0].close()

    # Reading ------------------------------------------------------------------------------

    def receive(self, timeout: float) -> list[bytes]:
        """Wait until something happens, at most `timeout` seconds; the messages that arrived.

        Something may be a message, noise, stderr, room for writing or the end of a stream, so an
        empty list does not mean that the time is over.
        """
        lines: list[bytes] = []
        events = self._poll.poll(math.ceil(timeout * 1000))
        self.idle = not events
        for descriptor, _ in events:
            if descriptor == self._stdout:
                lines = self._read_stdout()
            elif descriptor == self._stderr:
                self._read_stderr()
            elif self._unsent:
                self._flush()
        return lines

    def _read_stdout(self) -> list[bytes]:
        try:
            chunk = os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        if not chunk:
            self.eof = True
            self._poll.unregister(self._stdout)
            return []
        if self._skipping:
            start = chunk.find(b"\n") + 1
            if not start:
                return []
            self._skipping = False
            chunk = chunk[start:]
        end = chunk.rfind(b"\n")
        if end < 0:
            self._partial += chunk
            self._bound_partial()
            return []
        if self._partial:
            whole = bytes(self._partial + chunk[:end])
            self._partial.clear()
        else:
            whole = chunk[:end]
        if end + 1 < len(chunk):
            self._partial += chunk[end + 1 :]
        return self._messages(whole.split(b"\n"))

    def _messages(self, lines: list[bytes]) -> list[bytes]:
        limit = self.limits.max_line
        for line in lines:
            # One look at each line; the loop below runs only if something is unusual.
            if line[:1] != b"{" or len(line) > limit:
                break
        else:
            if self.recorder is not None:
                for line in lines:
                    self.recorder.received(line)
            return lines
        messages: list[bytes] = []
        for line in lines:
            if self.recorder is not None:
                self.recorder.received(line[:limit])
            text = line.removeprefix(_BYTE_ORDER_MARK) if not messages else line
            if text[:1] != b"{":
                self._note_noise(line)
            elif len(text) > limit:
                self.oversize = True
                break
            else:
                messages.append(text)
        return messages

    def _bound_partial(self) -> None:
        if len(self._partial) <= self.limits.max_line:
            return
        if self._partial[0] == _BRACE:
            self.oversize = True
        else:
            self._note_noise(bytes(self._partial[: self.limits.max_line]))
        if self.recorder is not None:
            self.recorder.note(f"a line of more than {self.limits.max_line} bytes is not kept")
        self._partial.clear()
        self._skipping = True

    def _note_noise(self, line: bytes) -> None:
        if line.strip():
            self.noise_lines += 1
            if len(self.noise) < _NOISE_SAMPLES:
                self.noise.append(line[:1000])

    @property
    def interrupted(self) -> bool:
        """Whether nobody wants to wait for this child any more."""
        return self._breaker is not None and self._breaker.interrupted

    @property
    def half_line(self) -> bytes:
        """The beginning of a line whose end has not arrived."""
        return bytes(self._partial)

    def _read_stderr(self) -> None:
        try:
            chunk = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if chunk:
            self._last_words.add(chunk)
        else:
            self._poll.unregister(self._stderr)
            self._stderr = -1

    def stderr_tail(self) -> str:
        """The first and the last lines on stderr as printable text; see `LastWords`."""
        return self._last_words.text()

    # Ending -------------------------------------------------------------------------------

    def exited(self) -> bool:
        """True once the child itself has ended, even if others still hold its stdout."""
        if self.exit is None and not self._ended:
            self.exit = self._look_for_exit()
        return self.exit is not None

    def _look_for_exit(self) -> Exit | None:
        if self._popen.returncode is None and hasattr(os, "waitid"):
            # The child is left unreaped: as long as it is there, its group number is its own.
            try:
                seen = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                seen = None
            if seen is not None:
                by_itself = seen.si_code == os.CLD_EXITED
                return Exit(seen.si_status, None) if by_itself else Exit(None, seen.si_status)
            return None
        code = self._popen.poll()
        if code is None:
            return None
        return Exit(code, None) if code >= 0 else Exit(None, -code)

    def wait_exit(self, seconds: float) -> bool:
        """Wait for the child to end (not long if interrupted); what comes is in `leftovers`."""
        begun = time.monotonic()
        steps = iter(_WAIT_STEPS)
        step = 0.0
        while not self.exited():
            most = min(seconds, _WHEN_INTERRUPTED) if self.interrupted else seconds
            left = begun + most - time.monotonic()
            if left <= 0:
                return False
            step = next(steps, step)
            self._keep(self.receive(min(step, left)))
        return True

    def end(self, patience: float = 0.0) -> Exit | None:
        """End the child and everything it started; returns how it ended if it did so by itself.

        Closes its input, gives it `patience` seconds to leave, asks the group with SIGTERM, and
        then ends all of it with SIGKILL. Nothing survives, whatever interrupts this call.
        """
        if self._ended:
            return self.exit
        try:
            by_itself = self.exited()
            if self.recorder is not None and not by_itself:
                self.recorder.input_ended()
            self._close_stdin()
            if patience:
                by_itself = self.wait_exit(patience)
            if not by_itself:
                self._signal_group(signal.SIGTERM)
                after = self.limits.scaled(self.limits.after_sigterm)
                self.wait_exit(min(after, _MOST_AFTER_SIGTERM))
                # An end that we brought about is not how the adapter ended.
                self.exit = None
        finally:
            self.kill()
        return self.exit

    def _read_rest(self) -> None:
        """What the child wrote before it ended: its last words are often the explanation.

        The streams end at once, unless a process holds them that nobody could find.
        """
        until = time.monotonic() + _REST_OF_STREAMS
        while (self._stderr >= 0 or not self.eof) and (left := until - time.monotonic()) > 0:
            self._keep(self.receive(left))

    def _keep(self, lines: list[bytes]) -> None:
        self.leftovers.extend(lines[: _MOST_LEFTOVERS - len(self.leftovers)])

    def kill(self) -> None:
        """End the child and everything it started at once. May be called twice."""
        if self._ended or os.getpid() != self._owner:
            return
        # Who ends by itself has left behind all that still runs; who is ended has left only what
        # has gone out of its group.
        self.strays = count_strays(self._mark, self.pid if self.exit is None else None)
        self._ended = True
        self._signal_group(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_AFTER_SIGKILL)
        end_strays(self._mark)
        try:
            self._close_stdin()
            self._read_rest()
        finally:
            for file in self._files:
                file.close()
            _running.discard(self)
            if self.recorder is not None:
                found = self.exit or Exit(None, None)
                self.recorder.ended(found.code, found.signal)

    def _signal_group(self, number: signal.Signals) -> None:
        # The group may be empty already; macOS says so with EPERM.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


@atexit.register
def _kill_all() -> None:
    for process in list(_running):
        process.kill()
