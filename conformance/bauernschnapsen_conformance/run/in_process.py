"""A Python engine asked in process: `certify --python module:factory`.

The factory takes no argument and returns an object with `handle(message) -> reply`: messages are
those of the wire without their ids. What the engine does is bounded as in a process of its own, as
far as that is possible here: an exception or a reply that could not go over the wire is a fault of
the one request, and so is silence, where signals can end it.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from bauernschnapsen.errors import SpecError, quoted
from bauernschnapsen.ruleset import Resolved

from ..adapter import (
    AdapterDidNotStart,
    AdapterError,
    Answer,
    Breaker,
    Fault,
    FaultKind,
    Hello,
    Limits,
    Request,
    Suite,
)
from ..adapter.channel import request_text
from ..adapter.faults import DEFAULT_HINTS, printable
from ..adapter.handshake import hello_body, parse_hello
from ..adapter.launch import RULES_KEY
from ..adapter.messages import encode_body
from ..adapter.wire import WireError, decode, encode
from .plan import engine_ruleset

Json = dict[str, Any]
_OUTCOMES = ("ok", "unsupported", "error")


class TooSlow(BaseException):
    """The time for a request is over. No Exception: an engine must not swallow it."""


class PythonEngine:
    """An engine behind a Python object, asked as a session is."""

    def __init__(
        self,
        engine: Any,
        *,
        rules: Resolved | None = None,
        suite: Suite | None = None,
        limits: Limits | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        """Take what the factory returned; `rules` are sent to an engine that is configurable."""
        self._engine = engine
        self._rules = rules
        self._suite = suite or Suite()
        self._limits = limits or Limits()
        self._breaker = breaker or Breaker()
        self._hello: Hello | None = None
        self._key: str | None = None
        self.faults: list[Fault] = []
        self.late_faults: dict[Hashable, Fault] = {}
        self.rules_refused: str | None = None

    @property
    def hello(self) -> Hello:
        """What the engine said of itself."""
        return self._hello or self.start()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is odd but costs nothing."""
        return self._hello.warnings if self._hello is not None else ()

    @property
    def pipelined(self) -> bool:
        """Whether several requests are under way at once: never, in process."""
        return False

    @property
    def stopped(self) -> str | None:
        """Why the run was stopped before its end, or None."""
        return self._breaker.reason

    def start(self) -> Hello:
        """Shake hands, and send the ruleset if it is wanted; AdapterError as for a process."""
        body = hello_body(self._suite, self._limits.max_line)
        self._hello = parse_hello(self._exchange(body))
        if self._rules is not None and self._hello.capabilities.configurable:
            rules = engine_ruleset(self._rules, self._hello.capabilities.claims)
            reply = self._exchange({"op": "rules", "key": RULES_KEY, "rules": rules})
            if "ok" in reply:
                self._key = RULES_KEY
            else:
                reason = reply.get("unsupported", reply.get("error"))
                text = reason.get("message", reason) if isinstance(reason, dict) else reason
                self.rules_refused = printable(str(text), 300)
        return self._hello

    def _exchange(self, body: Json) -> Json:
        answer = self._ask(Request(None, body), self._limits.start_up)
        if answer.reply is not None:
            return answer.reply
        fault = answer.fault
        assert fault is not None
        raise AdapterDidNotStart(
            f"the engine's reply to {body['op']} is not usable: {fault.detail}",
            hint=fault.hint,
            stderr_tail=fault.stderr_tail,
        )

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Ask all requests, one after the other; yields exactly one answer for each."""
        for request in requests:
            if self._breaker.reason is not None:
                detail = f"not asked any more, the run was stopped: {self._breaker.reason}"
                left = Fault(FaultKind.NOT_RUN, detail, key=request.key)
                yield Answer(request.key, None, left)
                continue
            answer = self._ask(request, self._limits.request)
            fault = answer.fault
            if fault is None:
                self._breaker.row = 0
            else:
                self.faults.append(fault)
                if fault.kind is FaultKind.TIMEOUT:
                    # Anything else costs no time, and there is nothing to start anew.
                    self._breaker.fault()
            yield answer

    def close(self) -> None:
        """There is nothing to end."""

    def confirm(self) -> None:
        """See that the engine, asked hello once more, says the same of itself."""
        body = hello_body(self._suite, self._limits.max_line)
        try:
            unlike = self.hello.unlike(parse_hello(self._exchange(body)))
        except AdapterError as error:
            unlike = error.message
        if unlike is not None:
            self.faults.append(Fault(FaultKind.IDENTITY, f"when asked again {unlike}"))
            self._breaker.open(f"the engine is another one when asked again: {unlike}")

    def _ask(self, request: Request, seconds: float) -> Answer:
        body = request.body if self._key is None else {"rules": self._key, **request.body}
        # The engine gets a copy, as over the wire, so that what it does to it stays with it.
        message = decode(encode_body(body))
        try:
            with _deadline(self._limits.scaled(seconds)):
                reply = self._engine.handle(message)
        except TooSlow:
            detail = f"no reply within {self._limits.scaled(seconds):g} s"
            return self._fault(request, FaultKind.TIMEOUT, detail)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit is a crash, too
            told = traceback.format_exc(limit=-8).splitlines()
            detail = f"raised {type(error).__name__}: {printable(str(error))}"
            tail = "\n".join(printable(line) for line in told)
            return self._fault(request, FaultKind.CRASH, detail, stderr_tail=tail)
        return self._read(request, reply)

    def _read(self, request: Request, reply: Any) -> Answer:
        if not isinstance(reply, dict):
            detail = f"returned {printable(type(reply).__name__)} instead of a dict"
            return self._fault(request, FaultKind.MALFORMED, detail)
        try:
            line = encode(reply)
            if len(line) > self._limits.max_line:
                detail = f"a reply of more than {self._limits.max_line} bytes"
                return self._fault(request, FaultKind.OVERSIZE, detail)
            message = decode(line)
        except (WireError, TypeError, ValueError, RecursionError) as error:
            detail = f"the reply is no message: {printable(str(error))}"
            return self._fault(request, FaultKind.MALFORMED, detail)
        message.pop("id", None)
        if sum(name in message for name in _OUTCOMES) != 1:
            detail = 'a reply must hold one of "ok", "unsupported" and "error"'
            return self._fault(request, FaultKind.PROTOCOL, detail)
        return Answer(request.key, message)

    def _fault(
        self, request: Request, kind: FaultKind, detail: str, stderr_tail: str = ""
    ) -> Answer:
        hint = DEFAULT_HINTS[kind] if kind is FaultKind.PROTOCOL else ""
        fault = Fault(
            kind,
            detail,
            hint,
            request.key,
            stderr_tail=stderr_tail,
            request_line=request_text(request),
        )
        return Answer(request.key, None, fault)


def load_engine(name: str) -> Any:
    """Import `module:factory` (also from the current directory) and call the factory.

    SpecError if that is impossible or what it returns has no `handle`.
    """
    module_name, colon, factory_name = name.partition(":")
    if not colon or not module_name or not factory_name:
        raise SpecError(f"{quoted(name)} is no factory", hint="it is written module:factory")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # a module may raise anything while it is imported
        reason = f"{type(error).__name__}: {printable(str(error))}"
        raise SpecError(f"the module {quoted(module_name)} cannot be imported: {reason}") from None
    factory: Any = module
    for part in factory_name.split("."):
        factory = getattr(factory, part, None)
    if not callable(factory):
        raise SpecError(f"the module {quoted(module_name)} has no {quoted(factory_name)} to call")
    try:
        engine = factory()
    except Exception as error:  # likewise
        reason = f"{type(error).__name__}: {printable(str(error))}"
        raise SpecError(f"{quoted(name)} cannot be called without arguments: {reason}") from None
    if not callable(getattr(engine, "handle", None)):
        raise SpecError(
            f"what {quoted(name)} returns has no method handle", hint="handle(message) -> reply"
        )
    return engine


@contextlib.contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raise TooSlow when the time is over; without signals (in a thread) there is no end."""
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not usable:
        yield
        return

    def over(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signal wants it
        raise TooSlow

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
