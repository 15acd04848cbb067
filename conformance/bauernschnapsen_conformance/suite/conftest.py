"""The items of the suite, and the run of the engine behind them."""

from __future__ import annotations

import shlex

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.adapter import AdapterError
from bauernschnapsen_conformance.corpus import PositionCase, Scenario, load_corpus
from bauernschnapsen_conformance.run.engine import Engine
from bauernschnapsen_conformance.run.plan import BrokenSuite
from bauernschnapsen_conformance.suite.engine_run import EngineRun


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one item per scenario and position."""
    if "scenario" not in metafunc.fixturenames:
        return
    if not metafunc.config.getoption("engine"):
        pytest.exit('name the adapter to test: --engine "CMD"', returncode=2)
    try:
        items = load_corpus().items
    except SpecError as error:
        pytest.exit(str(error), returncode=2)
    metafunc.parametrize("scenario", items, ids=[item.id for item in items])


@pytest.fixture(scope="session")
def engine_run(request: pytest.FixtureRequest) -> EngineRun:
    """Ask the engine every chosen scenario, once."""
    config = request.config
    chosen = []
    for one in request.session.items:
        if isinstance(one, pytest.Function) and hasattr(one, "callspec"):
            scenario = one.callspec.params.get("scenario")
            if isinstance(scenario, Scenario | PositionCase):
                chosen.append(scenario)
    try:
        return EngineRun.of(
            Engine(tuple(shlex.split(config.getoption("engine")))),
            config.getoption("ruleset"),
            chosen,
            seed=config.getoption("suite_seed"),
            blind=config.getoption("suite_blind"),
            timeout_scale=config.getoption("timeout_scale"),
        )
    except AdapterError as error:
        pytest.exit(str(error), returncode=3)
    except (SpecError, BrokenSuite) as error:
        pytest.exit(str(error), returncode=2)
