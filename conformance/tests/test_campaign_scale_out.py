"""A campaign is the same wherever it is run: in one process, in many, on a cluster."""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import os
import pickle
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterError
from bauernschnapsen_conformance.campaign import executors
from bauernschnapsen_conformance.campaign.chunks import Chunk, Prior, Result, run_chunk
from bauernschnapsen_conformance.campaign.keeping import FILE, Keeper, load
from bauernschnapsen_conformance.campaign.running import (
    Campaign,
    Extent,
    State,
    wave_chunks,
    wave_of,
)
from bauernschnapsen_conformance.campaign.workers import Subject, close_engines
from bauernschnapsen_conformance.run.engine import Engine

PAGAT = load_ruleset("pagat")
SERVE = (sys.executable, "-m", "bauernschnapsen_conformance", "serve")
FAULTY = Subject.of(PAGAT, Engine((*SERVE, "--mutant", "play.beat.nobody")))
RIGHT = Subject.of(
    PAGAT, Engine(python="bauernschnapsen_conformance.reference_adapter:ReferenceAdapter")
)
CASES, SIZE = 240, 20


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    yield
    close_engines()


def campaign(subject: Subject, state: State, where: Any = None, **how: Any) -> Campaign:
    return Campaign(
        subject, state, Extent(CASES), where or (lambda: executors.local(1)), shrinks=False, **how
    )


def asked(subject: Subject, where: Any = None, **how: Any) -> Any:
    """Everything a campaign has found out, without shrinking it."""
    state = State(3, SIZE)
    one = campaign(subject, state, where, **how)
    one.run()
    return one.result().as_json()


@pytest.fixture(scope="module")
def alone() -> Any:
    """What one process finds out."""
    found = asked(FAULTY)
    assert found["cases"] == CASES
    assert found["findings"]
    return found


# --------------------------------------------------------------------------- merging


def parts() -> list[Result]:
    return [run_chunk(FAULTY, 3, Chunk(number, 20)) for number in range(3)]


def merged(*results: Result) -> Result:
    whole = Result()
    for result in results:
        whole.add(result)
    return whole


def test_results_merge_in_any_order_and_grouping() -> None:
    one, two, three = parts()
    assert all(len(result.findings) for result in (one, two, three))
    whole = merged(one, two, three).as_json()
    assert merged(three, one, two).as_json() == whole
    assert merged(merged(one, two), three).as_json() == whole
    assert merged(one, merged(two, three)).as_json() == whole
    assert merged(Result(), one).as_json() == one.as_json()
    assert Result.from_json(json.loads(json.dumps(whole))).as_json() == whole


@pytest.mark.slow
def test_a_chunk_is_a_function_of_its_arguments() -> None:
    chunk = Chunk(5, 20)
    once = run_chunk(FAULTY, 3, chunk).as_json()
    run_chunk(FAULTY, 3, Chunk(6, 20))
    assert run_chunk(FAULTY, 3, chunk).as_json() == once
    close_engines()
    assert run_chunk(FAULTY, 3, chunk).as_json() == once


def test_waves_follow_each_other_without_a_gap() -> None:
    numbers = [number for wave in range(12) for number in wave_chunks(wave)]
    assert numbers == list(range(len(numbers)))
    assert len(wave_chunks(0)) == 1
    assert len(wave_chunks(11)) == len(wave_chunks(10)) == 256
    assert all(wave_of(number) == wave for wave in range(12) for number in wave_chunks(wave))


def test_a_chunk_is_told_what_was_covered_two_waves_before() -> None:
    state = State(3, SIZE)
    for number in range(3):
        state.take(number, run_chunk(RIGHT, 3, state.chunk(number, (number + 1) // 2, SIZE)))
    assert state.complete == 2
    assert set(state.priors) == {2, 3}
    first = Result()
    first.add(run_chunk(RIGHT, 3, Chunk(0, SIZE)))
    assert state.priors[2] == Prior.of(first.coverage)


# --------------------------------------------------------------------------- many at work


@pytest.mark.slow
def test_a_killed_process_of_a_pool_loses_nothing(alone: Any) -> None:
    pools: list[Executor] = []

    @contextlib.contextmanager
    def where() -> Iterator[tuple[Executor, int]]:
        with executors.local(2) as (executor, width):
            pools.append(executor)
            yield executor, width

    def kill_one(state: State) -> None:
        if len(pools) == 1 and sum(one.cases for one in state.parts) >= 3 * SIZE:
            processes = getattr(pools[0], "_processes", None)
            if processes:
                os.kill(next(iter(processes)), signal.SIGKILL)

    assert asked(FAULTY, where, progress=kill_one) == alone
    assert len(pools) > 1


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # a cluster that loses a worker warns, and may
def test_a_killed_worker_of_a_dask_cluster_loses_nothing(alone: Any) -> None:
    distributed: Any = importlib.import_module("distributed")
    killed: list[int] = []
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
    with cluster, distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        assert len(set(pids)) == 2

        @contextlib.contextmanager
        def where() -> Iterator[tuple[Executor, int]]:
            yield client.get_executor(), 2

        def kill_one(state: State) -> None:
            done = sum(one.cases for one in state.parts)
            if not killed and 3 * SIZE <= done < CASES - 3 * SIZE:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        found = asked(FAULTY, where, progress=kill_one)
    assert killed
    assert found == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_without_a_scheduler_there_is_one_line() -> None:
    with pytest.raises(SpecError, match="no Dask scheduler answers"):  # noqa: SIM117
        with executors.dask("tcp://127.0.0.1:9", timeout=1):
            pass


def test_an_engine_that_does_not_start_is_told_by_any_executor() -> None:
    subject = Subject.of(PAGAT, Engine((sys.executable, "-c", "raise SystemExit(3)")))
    with pytest.raises(AdapterError) as raised:
        asked(subject)
    there = pickle.loads(pickle.dumps(raised.value))  # as it comes from another process
    assert (str(there), there.hint) == (str(raised.value), raised.value.hint)


# --------------------------------------------------------------------------- interrupts


@pytest.mark.slow
def test_interrupted_and_resumed_it_finds_the_same(alone: Any, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "kept", FAULTY)
    state = State(3, SIZE)
    interrupts = 0
    while True:
        left = 3

        def interrupt(_: State) -> None:
            nonlocal left, interrupts
            left -= 1
            if not left:
                interrupts += 1
                raise KeyboardInterrupt

        one = campaign(FAULTY, state, keep=keeper.keep, progress=interrupt)
        one.run()
        if not one.interrupted:
            break
        close_engines()
        again, state = load(tmp_path / "kept")
        assert again == FAULTY
    assert interrupts >= 3
    assert one.result().as_json() == alone


@pytest.mark.slow
def test_with_enough_findings_it_ends_the_same_however_many_work() -> None:
    def ended(where: Any) -> Any:
        state = State(3, SIZE, most_findings=1)
        one = campaign(FAULTY, state, where)
        one.run()
        assert one.result().cases < CASES
        return one.findings().as_json(), one.result().as_json()

    assert ended(lambda: executors.local(1)) == ended(lambda: executors.local(2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no JSON"),
        ("[]", "expected a mapping"),
        ('{"format": 1}', "version"),
        ("[" * 100_000, "this is no JSON"),
    ],
)
def test_a_campaign_that_is_none_costs_one_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(SpecError, match=message):
        load(tmp_path)


def test_there_is_no_campaign_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no campaign"):
        load(tmp_path / "nowhere")


def test_a_campaign_of_another_version_is_not_taken_up(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, RIGHT)
    keeper.keep(State(3))
    data = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**data, "version": "0.0.0"}))
    with pytest.raises(SpecError, match=r"begun by version 0\.0\.0"):
        load(tmp_path)
