"""What the tests of `identify` share."""

from __future__ import annotations

import time
from typing import Any

from bauernschnapsen.ruleset import Resolved, load_ruleset
from bauernschnapsen_conformance.adapter import Limits
from bauernschnapsen_conformance.comparing import compare_rulesets
from bauernschnapsen_conformance.identify.alike import same_form
from bauernschnapsen_conformance.identify.profiles import random_profile
from bauernschnapsen_conformance.identify.running import Findings, identify_started
from bauernschnapsen_conformance.identify.served import fixed_engine
from bauernschnapsen_conformance.run.in_process import PythonEngine

PAGAT = load_ruleset("pagat")
HOUSE: dict[str, Any] = {
    "contracts": {"bettler": {"value": 5, "partner": "plays"}, "zehner-gang": {"played": False}},
    "options": {"claim_by": "side", "loser_33": "tricks_only", "equal_bids": "never"},
}
SECONDS = 20
"""Of processor time, within which an engine must be identified."""
_PATIENT = Limits(timeout_scale=30)  # other tests may be running at the same time


def identified(engine: Any, *, suite: bool = False, seconds: float = 3 * SECONDS) -> Findings:
    """Identify an engine in this process; `seconds` of processor time are the most it may take."""
    asked = PythonEngine(engine, limits=_PATIENT)
    asked.start()
    return identify_started(asked, PAGAT, seconds=seconds, suite=suite, clock=time.process_time)


def plays_the_same(found: Resolved, profile: Resolved) -> bool:
    """Whether two rulesets play the same: of one form, or no deal tells them apart."""
    return same_form(found, profile) or compare_rulesets(profile, found).same


def check_profile(seed: int | str, *, suite: bool = False) -> None:
    """Serve a random profile and have it found again."""
    profile = random_profile(seed)
    began = time.process_time()
    found = identified(fixed_engine(profile), suite=suite)
    took = time.process_time() - began
    assert plays_the_same(found.ruleset, profile), f"profile {seed} was not found"
    assert not found.bugs
    assert not found.troubles
    assert took < SECONDS
