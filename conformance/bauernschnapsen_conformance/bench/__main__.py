"""Measure what can be measured in one run, and print it as ratios.

    python -m bauernschnapsen_conformance.bench [--quick] [--write] [SECTION ...]

Absolute figures drift with the machine, so each is also said in relation to something measured
beside it: for the engine in iterations of a small integer loop, for the pipe as a share of what the
bare pipe can do. Times are CPU time wherever one process does the work.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from bauernschnapsen.errors import SpecError

from . import manual
from .rows import Section, as_text

NAMES = ("engine", "pipe", "suite", "start", "site", "install")


def measure(name: str, scale: float) -> Section:
    """Measure one section; imports only what it needs."""
    from .engine import measure_engine
    from .install import measure_install
    from .pipe import measure_pipe
    from .rulebook import measure_site
    from .suite import measure_starting, measure_suite

    work: dict[str, Callable[[], Section]] = {
        "engine": lambda: measure_engine(scale),
        "pipe": lambda: measure_pipe(scale),
        "suite": measure_suite,
        "start": measure_starting,
        "site": lambda: measure_site(scale),
        "install": measure_install,
    }
    return work[name]()


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; exit code 0, or 2 for bad usage. A missed target is no failure."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure how fast everything is.")
    parser.add_argument("section", nargs="*", help=f"only these: {', '.join(NAMES)}")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, no installing")
    parser.add_argument("--write", action="store_true", help=f"the table into {manual.PAGE}")
    options = parser.parse_args(argv)
    if unknown := set(options.section) - set(NAMES):
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    if options.write and (options.quick or options.section):
        parser.error("only a whole run is written")
    chosen = options.section or [
        name for name in NAMES if not (options.quick and name == "install")
    ]
    sections = []
    try:
        for name in chosen:
            sections.append(measure(name, 0.1 if options.quick else 1.0))
            print(as_text(sections[-1:]), flush=True)  # noqa: T201
        if options.write:
            manual.write("bench", sections)
    except SpecError as error:
        print(f"bench: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
