"""Adapters that know nothing of the game get nothing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from bauernschnapsen_conformance.corpus import Corpus, load_corpus
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
from bauernschnapsen_conformance.teeth.stubs import MOST, STUBS, Stub, score_of

SHARE = 4
"""One scenario and one table of positions in so many; `make gates` takes them all."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    whole = load_corpus()
    home = [scenario for scenario in whole.scenarios if not scenario.under]
    scenarios = random.Random("stubs").sample(home, len(home) // SHARE)
    files = sorted({case.origin.file for case in whole.positions})[::SHARE]
    positions = [case for case in whole.positions if case.origin.file in files]
    return Corpus(tuple(scenarios), tuple(positions), whole.digest)


@pytest.mark.parametrize(
    "stub",
    [
        pytest.param(stub, marks=[pytest.mark.slow] if place % 5 else [])
        for place, stub in enumerate(STUBS)
    ],
    ids=lambda stub: stub.__name__,
)
def test_a_stub_passes_next_to_nothing(stub: type[Stub], corpus: Corpus) -> None:
    score = score_of(stub(), corpus)
    assert score.scenarios > 100
    assert score.positions > 300
    assert score.share <= MOST, f"strengthen {', '.join(score.scenarios_passed[:20])}"
    assert score.share_of_positions <= MOST, f"strengthen {', '.join(score.groups_passed)}"
    assert score.levels == ()
    assert score.exit_code == 1, "4 would say that it broke the protocol, not the rules"
    assert not score.too_good


@pytest.mark.slow
@pytest.mark.parametrize("stub", STUBS[::4], ids=lambda stub: stub.__name__)
def test_a_stub_passes_next_to_nothing_at_a_table_of_three(stub: type[Stub]) -> None:
    whole = load_corpus()
    scenarios = [one for one in whole.scenarios if one.under == {"ruleset": "talon"}]
    score = score_of(stub(), Corpus(tuple(scenarios), whole.positions, whole.digest), "talon")
    assert score.scenarios > 50
    assert score.positions > 300
    assert max(score.share, score.share_of_positions) <= MOST, score.scenarios_passed[:20]
    assert not score.too_good


def test_the_family_is_complete() -> None:
    names = {stub.__name__ for stub in STUBS}
    assert {"AcceptsEverything", "RefusesEverything", "Echo", "FirstCard", "RandomCard"} <= names
    assert {"NothingLegal", "EmptyReplies", "AllUnsupported"} <= names


def test_the_measure_gives_a_right_engine_everything(corpus: Corpus) -> None:
    class Right(Stub):
        def __init__(self) -> None:
            self._adapter = ReferenceAdapter()

        def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
            return self._adapter.handle(message)

    score = score_of(Right(), corpus)
    assert (score.share, score.share_of_positions) == (1.0, 1.0)
    assert score.too_good
