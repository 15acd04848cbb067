"""Proof that the suite has teeth: faulty engines it must notice, and know-nothings it must fail.

`Patch` breaks the reference engine for a while, `Mutant` says how and which rule that breaks,
`Bench` plays scenarios with it and holds the result against what their authors stated.
"""

from .bench import Bench, Kill
from .patch import Patch
from .registry import Mutant, equivalent, load_mutants, mutant, rules_mutant

__all__ = [
    "Bench",
    "Kill",
    "Mutant",
    "Patch",
    "equivalent",
    "load_mutants",
    "mutant",
    "rules_mutant",
]
