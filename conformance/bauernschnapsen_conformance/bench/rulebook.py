"""Building the rulebook as a site, in all its languages."""

from __future__ import annotations

import importlib.util
import resource
import tempfile
import time
from pathlib import Path

from bauernschnapsen.errors import SpecError

from .rows import Row, Section

_TITLE = "The rulebook as a site"
_JOBS = 2


def measure_site(scale: float) -> Section:
    """Return what a build takes: all languages, or one if `scale` is less than 1.

    A reason instead where mkdocs is not installed, or there is no checkout to build from.
    """
    from ..corpus.translations import load_languages
    from ..rulebook.site import build

    if importlib.util.find_spec("mkdocs") is None:
        return _not_measured("the site needs the extra `docs`: make docs")
    languages = load_languages().published
    if scale < 1:
        languages = languages[:1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        before, begun = _processor_seconds(), time.perf_counter()
        try:
            faults = build(folder, languages, _JOBS)
        except SpecError as error:
            return _not_measured(str(error))
        seconds, wall = _processor_seconds() - before, time.perf_counter() - begun
        if faults:
            return _not_measured(f"the site has a fault: {faults[0]}")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    what = f"{len(languages)} languages" if len(languages) > 1 else "one language"
    return Section(
        _TITLE,
        (
            Row("Building it, CPU of all processes", f"{seconds:.0f} s",
                f"{what}; wall {wall:.0f} s", "120 s", seconds <= 120),
            Row("On the disk", f"{size:.1f} MB", what),
        ),
    )  # fmt: skip


def _processor_seconds() -> float:
    """Return what this process and its children have used of processors so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _not_measured(reason: str) -> Section:
    return Section(_TITLE, (Row("Not measured", "", reason),))
