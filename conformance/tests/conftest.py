"""Which test modules begin first when several workers share them out."""

from __future__ import annotations

import pytest

LONGEST = (
    "test_adapter_kits",
    # The site is built for whichever module asks first, and the next ones wait for it: between
    # them stand others, which the second worker does meanwhile.
    "test_rulebook_site",
    "test_rulebook_print",
    "test_rulebook_pages",
    "test_identify_sample",
    "test_playable_pages",
    "test_playable_table",
)
"""Modules that take tens of seconds of a processor, the longest first.

A module is the work of one worker (`--dist loadfile`): if a long one came last, the other workers
would wait for it. xdist itself would begin with the modules of most tests, so it is told to keep to
this order (`--no-loadscope-reorder`).
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest modules first; all others stay in their order."""
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(LONGEST)))
