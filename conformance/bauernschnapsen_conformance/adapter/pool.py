"""Several processes of one adapter at work side by side (`--jobs`), asked as if they were one.

Each session is driven by a thread of its own and takes its next requests from a common source. All
share one breaker: it counts what the adapter does, whichever of its processes does it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from . import AdapterError, Answer, Breaker, Fault, Hello, Request, Session
from .ledger import noise_warning

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

MOST_JOBS = 64
_BATCH = 32
_NOISE = "stdout had "
_T = TypeVar("_T")


class Pool:
    """Sessions with one adapter each, all the same; started together and asked together."""

    def __init__(self, sessions: Sequence[Session], breaker: Breaker) -> None:
        """Take sessions that have not been started; `breaker` is the one they share."""
        self._sessions = tuple(sessions)
        self._breaker = breaker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            for session in self._sessions:
                session.discard()

    def start(self) -> Hello:
        """Start every process; AdapterError if one does not start or is not like the others."""
        hellos = self._each(Session.start)
        unlike = next(filter(None, (hellos[0].unlike(hello) for hello in hellos)), None)
        if unlike is not None:
            raise AdapterError(
                f"the adapter's processes say different things of themselves: {unlike}",
                hint="Names, versions and capabilities must not change from one start to the next.",
            )
        return hellos[0]

    @property
    def hello(self) -> Hello:
        """What the adapter said of itself."""
        return self._sessions[0].hello

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Ask all requests; yields exactly one answer for each, in any order."""
        source = _Shared(requests)
        inbox: queue.SimpleQueue[list[Answer] | BaseException | None] = queue.SimpleQueue()
        threads = [
            threading.Thread(target=_work, args=(session, source, inbox), daemon=True)
            for session in self._sessions
        ]
        at_work = len(threads)
        finished = False
        try:
            for thread in threads:
                thread.start()
            while at_work:
                news = inbox.get()
                if news is None:
                    at_work -= 1
                elif isinstance(news, BaseException):
                    raise news
                else:
                    yield from news
            finished = True
        finally:
            if not finished:
                # Nobody wants what is still to come, nor to wait for what is under way.
                self._breaker.interrupt()
                source.end()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()

    def close(self) -> None:
        """End every process; may be called twice."""
        self._each(Session.close)

    def _each(self, do: Callable[[Session], _T]) -> list[_T]:
        """Do something with every session, side by side; an interrupt ends it in all of them."""
        with _threads(len(self._sessions)) as threads:
            try:
                return list(threads.map(do, self._sessions))
            except KeyboardInterrupt:
                self._breaker.interrupt()
                raise

    def confirm(self) -> None:
        """Nothing is left to find out: the processes were held against each other at the start."""

    # What is known ------------------------------------------------------------------------

    @property
    def faults(self) -> list[Fault]:
        """Every observation, session by session."""
        return [fault for session in self._sessions for fault in session.faults]

    @property
    def late_faults(self) -> dict[Hashable, Fault]:
        """Faults of requests whose answers had been handed out, by key."""
        return {key: fault for one in self._sessions for key, fault in one.late_faults.items()}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is odd but costs nothing; what several processes did is said once."""
        told: dict[str, None] = {}
        noise: list[str] = []
        for session in self._sessions:
            for text in session.warnings:
                if text.startswith(_NOISE):
                    noise.append(text)
                else:
                    told[text] = None
        if noise:
            total = sum(session.noise_lines for session in self._sessions)
            sample = noise[0].partition(": ")[2]
            told[noise_warning(total, sample)] = None
        return tuple(told)

    @property
    def rules_refused(self) -> str | None:
        """Why the adapter did not take the ruleset, or None."""
        return self._sessions[0].rules_refused

    @property
    def pipelined(self) -> bool:
        """Whether several requests are under way to one process at once."""
        return self.hello.window > 1

    @property
    def stopped(self) -> str | None:
        """Why the run was stopped before its end, or None."""
        return self._breaker.reason


def _threads(number: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor  # only a run with --jobs needs it

    return ThreadPoolExecutor(number)


class _Shared:
    """An iterator that several threads draw from."""

    def __init__(self, requests: Iterable[Request]) -> None:
        self._source = iter(requests)
        self._lock = threading.Lock()
        self._ended = False

    def __iter__(self) -> Iterator[Request]:
        return self

    def __next__(self) -> Request:
        with self._lock:
            if self._ended:
                raise StopIteration
            return next(self._source)

    def end(self) -> None:
        """Give nothing more."""
        self._ended = True


def _work(
    session: Session,
    source: Iterable[Request],
    inbox: queue.SimpleQueue[list[Answer] | BaseException | None],
) -> None:
    batch: list[Answer] = []
    try:
        for answer in session.ask(source):
            batch.append(answer)
            if len(batch) == _BATCH:
                inbox.put(batch)
                batch = []
    except BaseException as error:  # whatever it is, the caller's thread raises it
        inbox.put(batch)
        inbox.put(error)
    else:
        inbox.put(batch)
        inbox.put(None)


def open_sessions(
    make: Callable[[Breaker], Session], jobs: int, breaker: Breaker | None = None
) -> Session | Pool:
    """Return one session, or a pool of several; neither is started."""
    breaker = breaker or Breaker()
    if jobs == 1:
        return make(breaker)
    return Pool([make(breaker) for _ in range(jobs)], breaker)
