"""Witnesses: deals in which a mutant shows something else than a right engine.

A mutant that survives is either a hole in the suite or no fault at all. A witness settles which,
and gives whoever closes the hole a smallest deal to begin with. It is what `fuzz` finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..campaign.findings import cut_off
from ..campaign.shrinking import ask_all, shortest_prefix, shrink
from ..campaign.workers import ready
from ..run.in_process import PythonEngine
from ..views import Difference
from .noticing import first_case, tables_of
from .registry import Mutant
from .serving import BesideReference

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Witness:
    """A record of play that ends where the mutant first differs, and how it differs there."""

    deals: list[Json]
    difference: Difference


def find_witness(mutant: Mutant, tries: int) -> Witness | None:
    """Return a smallest record in which a mutant differs from the reference, or None.

    The records that are tried, at most so many under each ruleset, are the same in every run. A
    mutant that only falls over, and shows nothing else, has none.
    """
    for resolved in tables_of(mutant):
        deals = first_case(mutant, resolved, most=tries)
        if deals is None:
            continue
        engine = ready(PythonEngine(BesideReference(mutant), rules=resolved), resolved)
        (wrong,) = ask_all(engine, [deals])
        if wrong is None:
            continue
        if wrong.difference is None:
            deals, wrong = shortest_prefix(engine, deals) or (deals, wrong)
        shrunk = shrink(engine, cut_off(deals, wrong), wrong)
        if shrunk.discrepancy.difference is not None:
            return Witness(shrunk.deals, shrunk.discrepancy.difference)
    return None
