"""Adapters that know nothing of the game get nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
from bauernschnapsen_conformance.teeth.stubs import MOST, STUBS, Stub, score_of


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.__name__)
def test_a_stub_passes_next_to_nothing(stub: type[Stub]) -> None:
    score = score_of(stub(), load_corpus())
    assert score.scenarios > 500
    assert score.positions > 1500
    assert score.share <= MOST, f"strengthen {', '.join(score.scenarios_passed[:20])}"
    assert score.share_of_positions <= MOST, f"strengthen {', '.join(score.groups_passed)}"
    assert score.levels == ()
    assert score.exit_code == 1, "4 would say that it broke the protocol, not the rules"
    assert not score.too_good


def test_the_family_is_complete() -> None:
    names = {stub.__name__ for stub in STUBS}
    assert {"AcceptsEverything", "RefusesEverything", "Echo", "FirstCard", "RandomCard"} <= names
    assert {"NothingLegal", "EmptyReplies", "AllUnsupported"} <= names


def test_the_measure_gives_a_right_engine_everything() -> None:
    class Right(Stub):
        def __init__(self) -> None:
            self._adapter = ReferenceAdapter()

        def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
            return self._adapter.handle(message)

    score = score_of(Right(), load_corpus())
    assert (score.share, score.share_of_positions) == (1.0, 1.0)
    assert score.too_good
