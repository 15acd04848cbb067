"""Asking an adapter many things, whatever it does: every request gets exactly one answer.

While all goes well, requests flow through a window of several at once. When the process crashes,
hangs or writes garbage, it is ended and started anew, and the requests that may be to blame are
asked one at a time: the one that faults alone is the culprit and keeps the fault, the others keep
their replies. If none does, the replies are `flaky`: they depend on what else is under way.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Self

from .channel import Broken, Channel, request_text
from .command import AdapterCommand
from .faults import DEFAULT_HINTS, AdapterError, Breaker, Fault, FaultKind, Stopped
from .handshake import Hello, Suite
from .inquiry import Inquiry
from .launch import Launcher
from .ledger import Ledger
from .limits import Limits
from .messages import Answer, Request
from .process import AdapterProcess, Recorder

_RESTARTS_TRIED = 2
_FLAKY_EPISODES = 3


class Session:
    """One adapter, one process at a time. Not thread-safe; use as a context manager.

    `faults` lists every observation; those whose `key` is None touch no single request.
    `late_faults` holds faults of requests that had been answered before (a second reply, a crash
    right after the reply): whoever keeps verdicts must look at it after `close`.
    """

    def __init__(
        self,
        command: AdapterCommand,
        *,
        limits: Limits | None = None,
        transcript: Recorder | None = None,
        rules: Mapping[str, Any] | None = None,
        suite: Suite | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.breaker = breaker or Breaker(
            in_a_row=self.limits.faults_in_a_row, in_all=self.limits.faults_in_all
        )
        self._ledger = Ledger(self.breaker)
        self.rules_refused: str | None = None
        self.starts = 0
        self._launcher = Launcher(
            command,
            self.limits,
            itertools.count(1),
            suite or Suite(),
            rules,
            transcript,
            self.breaker,
        )
        self._hello: Hello | None = None
        self._channel: Channel | None = None
        self._window = 1
        self._flaky_episodes = 0
        self._asking = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    # Starting and ending ------------------------------------------------------------------

    @property
    def hello(self) -> Hello:
        """What the adapter said of itself. Starts the adapter if that has not happened yet."""
        return self._hello or self.start()

    def start(self) -> Hello:
        """Start the adapter and shake hands.

        Raises AdapterDidNotStart or NoCommonProtocol, both with a message for people.
        """
        if self._hello is None:
            launched = self._launcher.launch(first=True)
            self.starts += 1
            self._hello = launched.hello
            self._channel = launched.channel
            self._window = launched.hello.window
            self.rules_refused = launched.rules_refused
            self._ledger.warn(*launched.hello.warnings)
        return self._hello

    def close(self) -> None:
        """End the adapter: end of input, a moment of patience, then its whole process group."""
        channel, self._channel = self._channel, None
        if channel is None:
            return
        process = channel.process
        try:
            channel.settle(self.limits.scaled(self.limits.moment))
        except Broken as broken:
            self._channel = channel
            fault = self._end(broken)
            key = broken.earlier.key if broken.earlier is not None else None
            self._ledger.charge_late(replace(fault, key=key))
            return
        except Stopped:
            process.end()
            self._ledger.take_over(channel)
            return
        ended = process.end(self.limits.scaled(self.limits.shut_down))
        channel.finish()
        self._ledger.take_over(channel)
        if ended is None:
            self._ledger.warn("the adapter did not exit when its input ended; it was ended")
        elif ended.code != 0:
            self._ledger.warn(f"when its input ended, the adapter {ended}")

    def confirm(self) -> None:
        """See that the adapter, started once more after the run, says the same of itself.

        If not, or if it does not start, that is a fault, and the run counts as stopped.
        """
        self.close()
        if self.breaker.reason is None and self._hello is not None:
            with contextlib.suppress(Stopped):
                self._open()
            self.discard()

    def discard(self) -> None:
        """End the process at once, with whatever is under way."""
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.process.end()
            self._ledger.take_over(channel)

    def _open(self) -> Channel:
        """The running channel; after a fault, that of a new process of the same identity."""
        if self._channel is not None:
            return self._channel
        if self._hello is None:
            self.start()
            return self._open()
        for _ in range(_RESTARTS_TRIED):
            try:
                launched = self._launcher.launch()
            except AdapterError as error:
                self._ledger.note(
                    Fault(FaultKind.STARTUP, str(error), stderr_tail=error.stderr_tail)
                )
                continue
            self.starts += 1
            self._channel = launched.channel
            unlike = self._hello.unlike(launched.hello)
            if unlike is None and launched.rules_refused != self.rules_refused:
                unlike = "the ruleset is answered otherwise"
            if unlike is not None:
                self.discard()
                self._ledger.note(Fault(FaultKind.IDENTITY, f"after a restart {unlike}"))
                self.breaker.open(f"the adapter is another one after a restart: {unlike}")
                raise Stopped
            self._channel.configure_window(self._window)
            return self._channel
        self.breaker.open("the adapter did not start again")
        raise Stopped

    # Asking -------------------------------------------------------------------------------

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Ask all requests; yields exactly one answer for each, in any order.

        Requests are taken from the iterable as the window has room, and the last few answers are
        held back until later ones have arrived, so a request must not wait for an answer. If the
        caller stops early the adapter is ended and starts anew with the next call.
        """
        if self._asking:
            raise RuntimeError("requests are being asked already; take all their answers first")
        self._asking = True
        finished = False
        source = iter(requests)
        try:
            while self.breaker.reason is None:
                try:
                    yield from self._stream(source)
                    finished = True
                    return
                except Broken as broken:
                    yield from self._find_culprit(broken)
                except Stopped:
                    pass
            yield from self._not_run(source)
        finally:
            self._asking = False
            if not finished:
                # Nobody wants what is still to come.
                self.discard()

    def _stream(self, source: Iterator[Request]) -> Iterator[Answer]:
        channel = self._open()
        window = self._window
        more = True
        while True:
            room = window - channel.under_way
            if more and room:
                requests = list(itertools.islice(source, room))
                more = len(requests) == room
                if requests:
                    channel.post(requests)
            if not channel.under_way and not more:
                break
            answers = channel.collect()
            if answers:
                yield from self._hand_out(answers)
                if self.breaker.reason is not None:
                    yield from self._stop(channel)
                    raise Stopped
        yield from self._hand_out(channel.flush())
        self._ledger.take_late(channel)

    def _hand_out(self, answers: list[Answer]) -> Iterator[Answer]:
        breaker = self.breaker
        for answer in answers:
            if answer.fault is None:
                breaker.row = 0
            else:
                answer.fault = self._ledger.charge(answer.fault)
            yield answer

    def _stop(self, channel: Channel) -> Iterator[Answer]:
        """The breaker has opened while requests were under way."""
        unanswered = channel.unanswered()
        yield from self._hand_out(channel.flush())
        self.discard()
        yield from self._not_run(unanswered)

    def _not_run(self, requests: Iterable[Request]) -> Iterator[Answer]:
        reason = self.breaker.reason or "it was interrupted"
        for request in requests:
            detail = f"not asked any more, the run was stopped: {reason}"
            yield Answer(request.key, None, Fault(FaultKind.NOT_RUN, detail, key=request.key))

    # Finding the culprit ------------------------------------------------------------------

    def _find_culprit(self, broken: Broken) -> Iterator[Answer]:
        """End the process, then ask the suspects one at a time until one faults alone."""
        channel = self._channel
        assert channel is not None
        final = channel.flush()
        seen = self._end(broken)
        yield from self._hand_out(final)
        suspects, earlier = broken.unanswered, broken.earlier
        if broken.fresh and len(suspects) == 1:
            yield self._blame(seen, suspects[0])
            return
        inquiry = Inquiry(self._open, self._end, self._ledger, self.limits)
        asked = 0
        try:
            for request in suspects:
                inquiry.ask_suspect(request)
                asked += 1
            if earlier is not None and inquiry.blamed and broken.kind is FaultKind.TIMEOUT:
                inquiry.keep(earlier, broken.earlier_answer)
            elif earlier is not None:
                inquiry.ask_earlier(earlier, broken.earlier_answer)
                # Not before: if the run stops here, that answer is still to be handed out.
                broken.earlier_answer = None
                inquiry.ask_others(broken.others)
        except Stopped:
            yield from self._cut_short(broken, seen, suspects[asked:], blamed=inquiry.blamed)
        else:
            if broken.kind is FaultKind.DUPLICATE_ID and earlier is not None and self._window == 1:
                # It did not happen again, but the id says whose second reply it was.
                inquiry.blame_earlier(earlier, seen)
            if not inquiry.blamed:
                calm = [answer for request, answer in inquiry.answers if request is not earlier]
                self._nobody_to_blame(seen, calm)
        for _, answer in inquiry.answers:
            yield answer

    def _cut_short(
        self, broken: Broken, seen: Fault, rest: list[Request], *, blamed: bool
    ) -> Iterator[Answer]:
        """The run was stopped while the culprit was looked for."""
        if broken.earlier_answer is not None:
            yield from self._hand_out([broken.earlier_answer])
        if len(rest) == len(broken.unanswered) == 1 and not blamed:
            yield self._blame(seen, rest[0])
        else:
            if not blamed:
                self._ledger.note(seen)
            yield from self._not_run(rest)

    def _nobody_to_blame(self, seen: Fault, calm: list[Answer]) -> None:
        """Every suspect behaves when asked alone: the replies depend on what is around them."""
        self._ledger.note(seen)
        many = self._window > 1
        advice = "Does the engine keep state from one request to the next?"
        if many:
            advice = 'If it cannot take several requests at once, let it declare "window": 1.'
        for answer in calm:
            answer.flaky = True
            answer.hint = f"answered only when asked again, alone; before that: {seen}. {advice}"
        self._flaky_episodes += bool(calm)
        if many and self._flaky_episodes >= _FLAKY_EPISODES:
            self._ledger.warn(
                f"the adapter declares window {self._window} but fails when several requests are "
                "under way; the rest was asked one at a time"
            )
            self._window = 1
            if self._channel is not None:
                self._channel.configure_window(1)

    def _end(self, broken: Broken) -> Fault:
        """End the broken process; what was seen, as a fault that still names no request."""
        channel, self._channel = self._channel, None
        assert channel is not None
        process = channel.process
        ended = process.end()
        self._ledger.take_over(channel)
        return Fault(
            broken.kind,
            broken.detail,
            hint=broken.hint or DEFAULT_HINTS[broken.kind],
            exit_code=ended.code if ended else None,
            signal=ended.signal if ended else None,
            stderr_tail=process.stderr_tail(),
            excerpt=broken.excerpt,
            seconds=broken.seconds,
        )

    def _blame(self, seen: Fault, request: Request) -> Answer:
        fault = replace(seen, key=request.key, request_line=request_text(request))
        return Answer(request.key, None, self._ledger.charge(fault))

    # What is known ------------------------------------------------------------------------

    @property
    def faults(self) -> list[Fault]:
        """Every observation, in the order they were made."""
        return self._ledger.faults

    @property
    def late_faults(self) -> dict[Hashable, Fault]:
        """Faults of requests whose answers had been handed out, by key."""
        return self._ledger.late_faults

    @property
    def _process(self) -> AdapterProcess | None:
        return self._channel.process if self._channel is not None else None

    @property
    def noise_lines(self) -> int:
        """Lines on stdout that were no messages, over all processes."""
        return self._ledger.noise_lines(self._process)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is odd but costs nothing."""
        return self._ledger.warnings(self._process)

    @property
    def stderr_tail(self) -> str:
        """The last lines the adapter wrote on stderr, for showing with a verdict that fails."""
        process = self._process
        return process.stderr_tail() if process is not None else self._ledger.stderr_tail

    @property
    def pipelined(self) -> bool:
        """Whether several requests are under way at once, as long as that goes well."""
        return self.hello.window > 1

    @property
    def stopped(self) -> str | None:
        """Why the run was stopped before its end, or None; exit code 4 if it was."""
        return self.breaker.reason
