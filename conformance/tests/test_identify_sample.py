"""`identify` finds eight random house rules again, and, as a gate, two hundred."""

from __future__ import annotations

import pytest
from identifying import check_profile

_IN_A_PART = 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(500, 508))
def test_random_house_rules_are_found_again(seed: int) -> None:
    check_profile(seed)


@pytest.mark.gates
@pytest.mark.parametrize("first", range(2000, 2200, _IN_A_PART))
def test_two_hundred_random_house_rules_are_found_again(first: int) -> None:
    """As the command does it, with the scenarios of the suite."""
    for seed in range(first, first + _IN_A_PART):
        check_profile(seed, suite=True)


@pytest.mark.gates
@pytest.mark.parametrize(
    "seed",
    [
        pytest.param("fault 4009", id="a new contract out of place beside others of its value"),
        pytest.param(7026, id="a new contract for opponents only"),
        pytest.param(7044, id="a lead that shows only where forehand alone bids"),
    ],
)
def test_what_was_not_found_once_is_found(seed: int | str) -> None:
    check_profile(seed, suite=True)
