"""Transcripts: everything that went over the wire, for `playback` to play back.

A transcript is a text file of JSON lines. Each has `ms`, milliseconds since the first line, and
`dir`, what it is about:

    {"ms":0.0,"dir":"start","argv":["./my-adapter"]}
    {"ms":0.4,"dir":"->","line":"{\"id\":1,\"op\":\"hello\", ...}"}
    {"ms":71.3,"dir":"<-","line":"{\"id\":1,\"ok\":{ ... }}"}
    {"ms":90.1,"dir":"note","text":"a line of more than 1048576 bytes is not kept"}
    {"ms":98.0,"dir":"eof"}
    {"ms":99.0,"dir":"end","exit_code":0,"signal":null}

A line that is no UTF-8 stands under `base64` instead of `line`. `eof` is the end of the adapter's
input; `end` without code and signal means that the runner ended the process.
"""

from __future__ import annotations

import base64
import contextlib
import time
from pathlib import Path
from typing import IO, Any, Self

from .faults import AdapterError
from .wire import encode

KINDS = ("start", "->", "<-", "note", "eof", "end")
MAX_BYTES = 1 << 30
ASKED_AFTER = "the next request only shows whether the adapter goes on after its last reply"


class Transcript:
    """Records a session into a file. Never grows beyond `max_bytes`.

    `problem` says why nothing more could be written; the run goes on without.
    """

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        try:
            self._file: IO[bytes] = open(path, "wb")  # noqa: SIM115 - closed by close
        except OSError as error:
            raise AdapterError(
                f"the transcript {path} cannot be written: {error.strerror}",
                hint="Is its directory there, and may you write in it?",
            ) from None
        self._left = max_bytes
        self._begin: float | None = None
        self.problem: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is buffered and close the file. May be called twice."""
        try:
            self._file.close()
        except OSError as error:
            self._give_up(error)

    def started(self, argv: tuple[str, ...]) -> None:
        """A process was started with this command."""
        self._write({"dir": "start", "argv": [str(word) for word in argv]})

    def sent(self, data: bytes) -> None:
        """Whole lines were written to the adapter."""
        for line in data.splitlines():
            self._write({"dir": "->", "line": line.decode()})

    def received(self, line: bytes) -> None:
        """A line came from the adapter, noise included."""
        try:
            self._write({"dir": "<-", "line": line.decode()})
        except UnicodeDecodeError:
            self._write({"dir": "<-", "base64": base64.b64encode(line).decode()})

    def note(self, text: str) -> None:
        """Something happened that is no line."""
        self._write({"dir": "note", "text": text})

    def input_ended(self) -> None:
        """The adapter was asked to leave by the end of its input."""
        self._write({"dir": "eof"})

    def ended(self, exit_code: int | None, signal_number: int | None) -> None:
        """The process is gone; both are None if the runner ended it."""
        self._write({"dir": "end", "exit_code": exit_code, "signal": signal_number})
        if not self._file.closed:
            try:
                self._file.flush()
            except OSError as error:
                self._give_up(error)

    def _write(self, record: dict[str, Any]) -> None:
        if self._file.closed or self._left <= 0:
            return
        now = time.monotonic()
        self._begin = now if self._begin is None else self._begin
        line = encode({"ms": round((now - self._begin) * 1000, 1), **record}) + b"\n"
        self._left -= len(line)
        if self._left <= 0:
            line = encode({"ms": 0.0, "dir": "note", "text": "the transcript is full"}) + b"\n"
        try:
            self._file.write(line)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Write no more: the disk is full, or gone."""
        self.problem = self.problem or error.strerror or "it cannot be written"
        with contextlib.suppress(OSError):
            self._file.close()
