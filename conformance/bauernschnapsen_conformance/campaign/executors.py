"""Where the parts of a campaign are run: here, in processes of this machine, or on many machines.

Any `concurrent.futures` executor will do. A part whose process is lost is run again: by Dask
itself, which gives it to another worker, and here by `running` with a new pool.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

from bauernschnapsen.errors import SpecError

from .workers import close_engines


class Here(Executor):
    """Runs what is submitted at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function and return its result in a future; an interrupt is raised at once."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # whatever it is, whoever asks the future gets it
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """End the engines of this process."""
        close_engines()


@contextlib.contextmanager
def local(jobs: int) -> Iterator[tuple[Executor, int]]:
    """Processes of this machine; with one job everything is run in this one."""
    executor: Executor
    if jobs == 1:
        executor = Here()
    else:
        # A new interpreter each: nothing of this one, neither its threads nor its engines.
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_deaf)
    try:
        yield executor, jobs
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _deaf() -> None:
    """Leave Ctrl-C to the process that gave the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def dask(address: str | None, *, timeout: float = 20.0) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask cluster; without an address, a cluster of this machine.

    SpecError where Dask is not installed or nobody answers.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise SpecError(
            "Dask is not installed", hint="pip install 'bauernschnapsen[distributed]'"
        ) from None
    with contextlib.ExitStack() as stack:
        if address is None:
            made = distributed.LocalCluster(threads_per_worker=1, dashboard_address=None)
            client = stack.enter_context(distributed.Client(stack.enter_context(made)))
        else:
            try:
                client = stack.enter_context(distributed.Client(address, timeout=timeout))
            except (OSError, ValueError) as error:
                raise SpecError(f"no Dask scheduler answers at {address}: {error}") from None
        cores = sum(client.ncores().values())
        if not cores:
            raise SpecError(f"the Dask scheduler at {address} has no workers")
        yield client.get_executor(), cores
