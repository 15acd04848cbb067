"""The suite's options for pytest; an entry point, since a package's conftest comes too late.

It is imported by every pytest run where the project is installed, so it imports nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say which engine is tested, and how."""
    group = parser.getgroup("bauernschnapsen")
    group.addoption("--engine", metavar="CMD", help="Command of the adapter to test.")
    group.addoption("--ruleset", default="pagat", metavar="NAME|FILE", help="Rules it plays by.")
    group.addoption("--suite-seed", type=int, default=1, help="Turns the tables.")
    group.addoption("--suite-blind", action="store_true", help="Other suits and order, too.")
    group.addoption("--timeout-scale", type=float, default=1.0, help="Multiplies all deadlines.")
