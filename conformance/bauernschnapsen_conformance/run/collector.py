"""Keep Python's garbage collector from looking at the same views again and again.

A run holds hundreds of thousands of small lists and dicts, and every new one brings the next look
at all of them nearer. None of them is part of a cycle. Left alone, the collector takes three
quarters of the time of comparing deals.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

_THRESHOLDS = (50_000, 20, 20)


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Collect rarely inside, and never what was there before. May be nested."""
    before = gc.get_threshold()
    outermost = before != _THRESHOLDS
    if outermost:
        gc.freeze()
        gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        if outermost:
            gc.set_threshold(*before)
            gc.unfreeze()
