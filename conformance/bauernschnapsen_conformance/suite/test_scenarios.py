"""One test per scenario."""

from __future__ import annotations

import pytest

from bauernschnapsen_conformance.corpus import Item
from bauernschnapsen_conformance.run.verdicts import Verdict
from bauernschnapsen_conformance.suite.engine_run import EngineRun


def test_scenario(scenario: Item, engine_run: EngineRun) -> None:
    """The engine gives the answers that the rules ask for."""
    judgement = engine_run.judgements[scenario.id]
    if judgement.verdict is Verdict.PASS:
        return
    if judgement.conforms:
        pytest.skip(f"{judgement.verdict}: {judgement.reason}")
    pytest.fail(engine_run.text_of(judgement), pytrace=False)
