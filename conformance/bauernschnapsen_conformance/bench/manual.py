"""The page of the manual that shows the figures, each table between two markers."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from pathlib import Path

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError

from .rows import Section, as_table, yardstick

PAGE = "docs/performance.md"


def page() -> Path:
    """Return where the page stands; SpecError if this is no checkout."""
    path = spec_root().parent / PAGE
    if not path.exists():
        raise SpecError(f"{PAGE} is missing", hint="only a checkout of the project has it")
    return path


def markers(name: str) -> tuple[str, str]:
    """Return what stands before and after a table."""
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def with_table(text: str, name: str, table: str) -> str:
    """Return a text with a table between its markers; SpecError where they are missing."""
    begin, end = markers(name)
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SpecError(f"there is no place for the table: {begin} and {end}", PAGE)
    return f"{before}{begin}\n{table}\n{end}{after}"


def write(name: str, sections: Sequence[Section], *, today: datetime.date | None = None) -> None:
    """Write the rows into the page."""
    path = page()
    table = f"{about(today)}\n\n{as_table(sections)}"
    path.write_text(with_table(path.read_text(encoding="utf-8"), name, table), encoding="utf-8")


def about(today: datetime.date | None = None) -> str:
    """Say when, and on what kind of machine, the figures were taken."""
    day = (today or datetime.date.today()).isoformat()
    python = platform.python_version()
    busy = ""
    if hasattr(os, "getloadavg"):
        busy = f" {os.cpu_count()} processors had a load of {os.getloadavg()[1]:.0f}."
    return (
        f"Measured on {day} with Python {python} on {platform.system()} {platform.machine()}, "
        f"where the yardstick makes {yardstick() / 1e6:.0f} million turns per CPU second.{busy}"
    )
