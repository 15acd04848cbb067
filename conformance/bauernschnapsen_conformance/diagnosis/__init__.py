"""First-day diagnosis of an adapter: the protocol step by step, each finding with a hint.

`examine` is the way in; `bauernschnapsen doctor` prints what it finds. Whether the engine plays by
the rules is not asked here: that is what `certify` is for.
"""

from __future__ import annotations

from .finding import Finding, Status
from .ward import Diagnosis, examine

__all__ = ["Diagnosis", "Finding", "Status", "examine"]
