"""The suite itself: loading it, running it against the reference engine, starting, memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from statistics import median

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.ruleset import load_ruleset

from ..adapter import AdapterCommand, Session
from ..corpus.corpus import load_corpus
from ..run.runner import certify
from .rows import Row, Section

_SERVE = (sys.executable, "-m", "bauernschnapsen_conformance", "serve")
_PROGRAM = (sys.executable, "-m", "bauernschnapsen_conformance")
_STARTS = 9
_LOADING = """
import sys, time
wall = time.perf_counter()
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.run.runner import certify
begun = time.process_time()
corpus = load_corpus()
load = time.process_time() - begun
class First(Exception): pass
def judged(judgement):
    raise First
rules = load_ruleset("pagat")
command = AdapterCommand((sys.executable, "-m", "bauernschnapsen_conformance", "serve"))
try:
    with Session(command, rules=rules) as session:
        session.start()
        certify(corpus, rules, session, progress=judged)
except First:
    print(load, time.process_time(), time.perf_counter() - wall)
"""


def measure_suite() -> Section:
    """Return what a run of the whole suite costs."""
    corpus = load_corpus()  # bundles it, if that has not been done
    resolved = load_ruleset("pagat")
    with Session(AdapterCommand(_SERVE), rules=resolved) as session:
        session.start()
        begun = time.process_time()
        report = certify(corpus, resolved, session)
        cpu = time.process_time() - begun
    loading = [_told(_LOADING) for _ in range(3)]
    load, first, first_wall = (median(one[place] for one in loading) for place in range(3))
    number = len(corpus.items)
    per_2000 = cpu * 2000 / number
    return Section(
        "The suite against the reference engine",
        (
            Row("Loading it", f"{load * 1000:,.0f} ms", f"{number} scenarios and positions"),
            Row("Running it, CPU of the runner", f"{cpu:.2f} s",
                f"{number / cpu:,.0f} verdicts/s", "2 s for 2,000", per_2000 <= 2),
            Row("Running it, wall clock", f"{report.seconds:.2f} s",
                f"{len(report.levels)} levels reached"),
            Row("Time to the first verdict", f"{first:.2f} s",
                f"CPU of the runner; wall {first_wall:.2f} s", "0.5 s", first <= 0.5),
            *_through_pytest(),
            Row("Memory of the runner", f"{_peak(resource.RUSAGE_SELF):,.0f} MB", "peak"),
            Row("Memory of `serve` and others", f"{_peak(resource.RUSAGE_CHILDREN):,.0f} MB",
                "peak of the largest"),
        ),
    )  # fmt: skip


def measure_starting() -> Section:
    """Return CPU and wall seconds of the shortest commands, beside Python doing nothing."""
    nothing, _ = _started((sys.executable, "-c", "pass"))
    rows = []
    for argument in ("--version", "--help"):
        cpu, wall = _started((*_PROGRAM, argument))
        rows.append(
            Row(
                f"`bauernschnapsen {argument}`",
                f"{cpu * 1000:.0f} ms",
                f"CPU, {cpu / nothing:.1f} times Python doing nothing; wall {wall * 1000:.0f} ms",
                "200 ms",
                cpu <= 0.2,
            )
        )
    return Section("Starting", tuple(rows))


def _started(argv: tuple[str, ...]) -> tuple[float, float]:
    """Return the median of CPU seconds and the least of wall seconds of some runs."""
    spent, walls = [], []
    for _ in range(_STARTS):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
        walls.append(time.perf_counter() - begun)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(spent), min(walls)


def _through_pytest() -> list[Row]:
    """Return the row of the pytest front; none where pytest is not installed."""
    argv = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        *("--pyargs", "bauernschnapsen_conformance.suite"),
        *("--engine", " ".join(_SERVE)),
    ]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ended = subprocess.run(
        argv, check=False, capture_output=True, text=True, cwd=spec_root().parent
    )
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if ended.returncode not in (0, 1):
        return []
    last = ended.stdout.strip().splitlines()[-1].strip("= ").partition(" in ")[0]
    number = sum(int(word) for word in last.split() if word.isdigit())
    within = number > 0 and cpu * 2000 / number <= 6
    told = f"wall {wall:.1f} s; {last}"
    target = "6 s for 2,000"
    return [Row("Through pytest, CPU of all processes", f"{cpu:.1f} s", told, target, within)]


def _told(code: str) -> list[float]:
    """Run a program that prints a line of figures."""
    ended = subprocess.run((sys.executable, "-c", code), check=True, capture_output=True, text=True)
    return [float(word) for word in ended.stdout.split()]


def _peak(who: int) -> float:
    peak = resource.getrusage(who).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
