"""The conversation with one process: ids out, ids in, and who is suspect when it breaks.

A channel never restarts anything. When the process or its lines can no longer be trusted it raises
Broken, which names the requests that may have caused it; the session finds out which one did.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, NoReturn

from .faults import Fault, FaultKind, Stopped, printable
from .messages import Answer, EncodedBody, Request, encode_body
from .process import AdapterProcess
from .wire import WireError, decode

_OUTCOMES = ("ok", "unsupported", "error")
_WAIT_SLICE = 0.1
_WAIT_FOR_EXIT = 0.3
_REMEMBERED = 1024
_MOST_LATE_FAULTS = 100
_LONGEST_REQUEST_SHOWN = 1 << 16


def request_text(request: Request) -> str:
    """A request as a line to repeat it by hand; its id does not matter. Bounded in length."""
    line = b'{"id":1,' + encode_body(request.body)[1:]
    return line.decode() if len(line) <= _LONGEST_REQUEST_SHOWN else printable(line, 2000)


class Broken(Exception):
    """The process must be ended. `detail` says what was seen.

    `unanswered` are the requests under way, oldest first; `earlier` is a request that had been
    answered and may be to blame all the same, with its answer if that was still held back;
    `others` were answered shortly before it, oldest first; `fresh` is true if nothing
    had been answered.
    """

    def __init__(  # noqa: PLR0913 - one parameter per fact
        self,
        kind: FaultKind,
        detail: str,
        *,
        unanswered: list[Request],
        earlier: Request | None = None,
        earlier_answer: Answer | None = None,
        others: list[Request] | None = None,
        fresh: bool = False,
        excerpt: str = "",
        hint: str = "",
        seconds: float = 0.0,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.unanswered = unanswered
        self.earlier = earlier
        self.earlier_answer = earlier_answer
        self.others = others or []
        self.fresh = fresh
        self.excerpt = excerpt
        self.hint = hint
        self.seconds = seconds


class Channel:
    """Requests under way with one process.

    The last `window` answers are held back until later ones arrive: a second reply with the same
    id then still meets its request before its answer has been handed out.
    """

    def __init__(self, process: AdapterProcess, ids: Iterator[int], *, window: int = 1) -> None:
        self.process = process
        self.late_faults: list[Fault] = []
        self._ids = ids
        self._window = window
        self._prefix = b""
        self._unanswered: dict[int, tuple[Request, float]] = {}
        self._held: dict[int, tuple[Request, Answer]] = {}
        self._handed_out: dict[int, Request] = {}
        self._ready: list[Answer] = []
        self._last: Request | None = None
        limits = process.limits
        self._patience = limits.scaled(limits.request)
        # The clock of this channel: the time spent waiting for the adapter, and nothing else. What
        # the caller does with the answers is not on the adapter's account.
        self._time = 0.0
        self._progress = 0.0

    def configure(self, *, patience: float, window: int | None = None, prefix: bytes = b"") -> None:
        """Set the seconds to wait for a reply, the window, and what stands before each body.

        The prefix names the ruleset; a body that names one itself goes without.

        What was said so far is forgotten: it was the handshake, which is never a suspect.
        """
        self._patience = patience
        self._window = self._window if window is None else window
        self._prefix = prefix
        self._last = None
        self._held.clear()
        self._handed_out.clear()

    def configure_window(self, window: int) -> None:
        """Set how many answers are held back; the session keeps to the window when it sends."""
        self._window = window

    @property
    def under_way(self) -> int:
        """Number of requests that are sent and not answered."""
        return len(self._unanswered)

    def unanswered(self) -> list[Request]:
        """The requests under way, oldest first."""
        return [request for request, _ in self._unanswered.values()]

    def post(self, requests: list[Request]) -> None:
        """Send requests, in one write. One that is too long is answered with a fault unsent."""
        now = self._time
        if not self._unanswered:
            self._progress = now
        lines = []
        limit = self.process.limits.max_line
        for request in requests:
            number = next(self._ids)
            body = request.body
            encoded = type(body) is EncodedBody
            prefix = b"" if not encoded and "rules" in body else self._prefix
            line = b'{"id":%d,%b%b' % (number, prefix, encode_body(body)[1:])
            if len(line) > limit:
                self._ready.append(_too_long(request, len(line), limit))
                continue
            self._unanswered[number] = (request, now)
            lines.append(line)
        lines.append(b"")
        self.process.send(b"\n".join(lines))

    def collect(self, timeout: float | None = None) -> list[Answer]:
        """Wait for news, up to `timeout` or the deadline; the answers that are final.

        Raises Broken; the answers that were final by then are still to be had from `flush`. Raises
        Stopped once the run is interrupted.
        """
        if not self._unanswered and timeout is None:
            # Only requests that could not be sent: nothing to wait for.
            return self._take_ready()
        process = self.process
        if process.interrupted:
            raise Stopped
        wait = _WAIT_SLICE
        if self._unanswered:
            wait = min(wait, max(self._progress + self._patience - self._time, 0.0))
        if timeout is not None:
            wait = min(wait, timeout)
        before = monotonic()
        lines = process.receive(wait)
        self._time += monotonic() - before
        if not lines and process.exited():
            # All it wrote is in the pipe by now. If nothing is and the pipe has not ended either,
            # something that it started holds the other end open.
            lines = process.receive(0)
            if process.idle:
                self._break_ended()
        replies = 0
        for line in lines:
            replies += self._accept(line)
        if replies:
            self._progress = self._time
        if process.oversize:
            self._break_oversize()
        if process.eof:
            self._break_ended()
        if not replies or self._window > 1:
            self._look_at_the_clock()
        return self._take_ready()

    def flush(self) -> list[Answer]:
        """Hand out everything that is answered, held back or not."""
        for number, (request, answer) in self._held.items():
            self._remember(number, request)
            self._ready.append(answer)
        self._held.clear()
        return self._take_ready()

    def finish(self) -> None:
        """After the end of the process: the lines that nobody had read yet."""
        for line in self.process.leftovers:
            try:
                self._accept(line)
            except Broken as broken:
                fault = Fault(broken.kind, broken.detail, excerpt=broken.excerpt)
                self.late_faults.append(fault)
                break

    def settle(self, seconds: float) -> None:
        """Look whether more comes after the last reply: a second one, garbage, an end."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            self._ready.extend(self.collect(left))

    def _take_ready(self) -> list[Answer]:
        ready = self._ready
        if ready:
            self._ready = []
        return ready

    # One line -----------------------------------------------------------------------------

    def _accept(self, line: bytes) -> int:
        """Take one message; 1 if it is the reply to a request under way."""
        try:
            message = decode(line)
        except WireError as error:
            self._break(FaultKind.MALFORMED, str(error), line, earlier=self._last)
        number = message.pop("id", None)
        if type(number) is not int or number < 1:
            detail = 'an object whose "id" is no positive integer'
            self._break(FaultKind.MALFORMED, detail, line, earlier=self._last)
        entry = self._unanswered.pop(number, None)
        if entry is None:
            self._unexpected(number, line)
            return 0
        request = self._last = entry[0]
        outcomes = ("ok" in message) + ("unsupported" in message) + ("error" in message)
        if outcomes == 1:
            answer = Answer(request.key, message)
        else:
            answer = Answer(request.key, None, self._wrong_shape(request, message, line))
        held = self._held
        held[number] = (request, answer)
        if len(held) > self._window:
            oldest = next(iter(held))
            settled, final = held.pop(oldest)
            self._remember(oldest, settled)
            self._ready.append(final)
        return 1

    def _remember(self, number: int, request: Request) -> None:
        handed_out = self._handed_out
        handed_out[number] = request
        if len(handed_out) > 2 * _REMEMBERED:
            for old in list(handed_out)[:_REMEMBERED]:
                del handed_out[old]

    def _unexpected(self, number: int, line: bytes) -> None:
        earlier = self._held[number][0] if number in self._held else self._handed_out.get(number)
        if earlier is None:
            detail = "a reply with an id that no request under way has"
            if self._unanswered:
                self._break(FaultKind.STALE_ID, detail, line, earlier=self._last)
            key = None
            fault = Fault(FaultKind.STALE_ID, detail, excerpt=printable(line))
        else:
            detail = "a second reply with the same id"
            if self._unanswered:
                # It may be the reply to another request under the wrong id.
                self._break(FaultKind.DUPLICATE_ID, detail, line, earlier=earlier)
            key = earlier.key
            fault = Fault(
                FaultKind.DUPLICATE_ID,
                detail,
                key=key,
                excerpt=printable(line),
                request_line=request_text(earlier),
            )
        if number in self._held:
            self._held[number] = (self._held[number][0], Answer(key, None, fault))
        elif len(self.late_faults) < _MOST_LATE_FAULTS:
            self.late_faults.append(fault)

    def _wrong_shape(self, request: Request, message: dict[str, Any], line: bytes) -> Fault:
        found = [name for name in _OUTCOMES if name in message]
        what = "none" if not found else "more than one (" + ", ".join(found) + ")"
        return Fault(
            FaultKind.PROTOCOL,
            f'a reply must hold one of "ok", "unsupported" and "error"; this one holds {what}',
            key=request.key,
            excerpt=printable(line),
            request_line=request_text(request),
        )

    # The end of trust ---------------------------------------------------------------------

    def _look_at_the_clock(self) -> None:
        if not self._unanswered:
            return
        now = self._time
        waited = now - self._progress
        # Nor may one request wait for ever while later ones are answered.
        _, sent = next(iter(self._unanswered.values()))
        if waited < self._patience and now - sent < self._patience * (self._window + 1):
            return
        half = self.process.half_line
        detail = f"no reply within {self._patience:g} s"
        hint = ""
        if half:
            detail += f", only the beginning of a line ({len(half)} bytes) without its end"
            hint = "End every line with a line feed and flush it."
        elif any(b'{"id"' in line for line in self.process.noise):
            hint = "A reply stands behind other text on its line: print logs on stderr."
        self._break(FaultKind.TIMEOUT, detail, half, earlier=self._last, hint=hint, seconds=waited)

    def _break_oversize(self) -> NoReturn:
        limit = self.process.limits.max_line
        detail = f"a line of more than {limit} bytes"
        self._break(FaultKind.OVERSIZE, detail, earlier=self._last)

    def _break_ended(self) -> NoReturn:
        process = self.process
        half = process.half_line
        if not process.wait_exit(_WAIT_FOR_EXIT):
            kind, detail = FaultKind.MISSING_REPLY, "closed its stdout but goes on running"
        else:
            ended = process.exit
            clean = ended is not None and ended.code == 0
            kind = FaultKind.MISSING_REPLY if clean else FaultKind.CRASH
            detail = str(ended)
        if half:
            detail += f", in the middle of a line of {len(half)} bytes"
        self._break(kind, detail, half, earlier=self._last)

    def _break(
        self,
        kind: FaultKind,
        detail: str,
        excerpt: bytes = b"",
        *,
        earlier: Request | None = None,
        hint: str = "",
        seconds: float = 0.0,
    ) -> NoReturn:
        held = next((n for n, (one, _) in self._held.items() if one is earlier), None)
        raise Broken(
            kind,
            detail,
            unanswered=self.unanswered(),
            earlier=earlier,
            earlier_answer=None if held is None else self._held.pop(held)[1],
            others=[one for one, _ in self._held.values() if one is not earlier],
            fresh=self._last is None,
            excerpt=printable(excerpt),
            hint=hint,
            seconds=seconds or self._time - self._progress,
        )


def _too_long(request: Request, length: int, limit: int) -> Answer:
    # Not the adapter's doing, so this is no fault of the kind that counts.
    detail = f"not sent: the request has {length} bytes and a line may have {limit}"
    return Answer(request.key, None, Fault(FaultKind.NOT_RUN, detail, key=request.key))
