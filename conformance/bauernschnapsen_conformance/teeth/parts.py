"""The gates in parts: what each of them runs and which figures it gives."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError

Json = dict[str, Any]
KEPT = "build/gates"
"""Where the results of parts are kept."""
_LONG_TESTS = "long tests"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a gate: what it is called and how it is run; the result has a key `ok`."""

    gate: str
    name: str
    run: Callable[[], Json]

    @property
    def title(self) -> str:
        """Gate and part."""
        return f"{self.gate} {self.name}".strip()


def checkout() -> Path:
    """Return the root of the checkout; SpecError if this is none."""
    root = spec_root().parent
    if not (root / "conformance" / "mutants").is_dir():
        raise SpecError(
            "the gates come with a checkout of the project only",
            hint="clone the repository and run them there",
        )
    return root


def parts() -> Iterator[Part]:
    """Yield all parts of all gates, in the order in which they are run."""
    yield Part("stubs", "", _stubs)
    for chapter in _chapters():
        yield Part("mutants", chapter, partial(_mutants, chapter))
    yield Part("fuzz", "", _fuzz)
    yield Part("coverage", "", _coverage)
    yield Part("sole killers", "", _sole_killers)
    yield Part("option flips", "", _flips)
    yield Part("variants", "", _variants)
    drills = ("conformance/tests/test_fault_drill.py", "conformance/tests/test_fault_drill_runs.py")
    yield Part("fault drill", "", partial(_pytest, *drills))
    from .source_mutation import RULE_MODULES

    for module in RULE_MODULES:
        yield Part("source mutation", module, partial(_source, module))
    for test in _gates_tests():
        yield _long_test(test)


def part_named(title: str) -> Part | None:
    """Return a part by its title, or None."""
    test = title.removeprefix(f"{_LONG_TESTS} ")
    if test != title:
        return _long_test(test)
    return next((part for part in parts() if part.title == title), None)


def _long_test(test: str) -> Part:
    return Part(_LONG_TESTS, test, partial(_pytest, "-m", "gates", test))


def _chapters() -> list[str]:
    from . import load_mutants

    return list(dict.fromkeys(mutant.chapter for mutant in load_mutants().values()))


@lru_cache(maxsize=1)
def _bench() -> Any:
    from ..corpus import load_corpus
    from . import Bench

    return Bench(load_corpus().items)


@lru_cache(maxsize=16)
def _matrix(chapter: str) -> Any:
    from . import load_mutants
    from .matrix import compute

    chosen = {name: one for name, one in load_mutants().items() if one.chapter == chapter}
    return compute(_bench(), chosen)


def _whole_matrix() -> Any:
    from .matrix import Matrix

    mutants: dict[str, Any] = {}
    killers: dict[str, tuple[str, ...]] = {}
    for chapter in _chapters():
        matrix = _matrix(chapter)
        mutants |= matrix.mutants
        killers |= matrix.killers
    return Matrix(mutants, killers)


def _mutants(chapter: str) -> Json:
    matrix = _matrix(chapter)
    equivalent = [one for one in matrix.mutants.values() if one.equivalent is not None]
    return {
        "ok": matrix.gate_holds,
        "mutants": len(matrix.mutants) - len(equivalent),
        "killed": len(matrix.mutants) - len(equivalent) - len(matrix.survivors),
        "equivalent": len(equivalent),
        "survivors": [mutant.name for mutant in matrix.survivors],
        "wrongly_equivalent": [mutant.name for mutant in matrix.wrongly_equivalent],
    }


def _fuzz() -> Json:
    """Look whether `fuzz` notices the mutants, each in the cases of a minute on one core."""
    from . import load_mutants
    from .noticing import A_MINUTE, notice

    found = notice(load_mutants().values())
    return {
        "ok": found.share >= 0.99,
        "mutants": len(found.cases) + len(found.missed),
        "noticed": len(found.cases),
        "cases_for_half": found.within(0.5),
        "cases_for_99_in_100": found.within(0.99),
        "most_cases": A_MINUTE,
        "missed": list(found.missed),
    }


def _coverage() -> Json:
    from ..corpus import load_corpus
    from ..corpus.coverage import compute_coverage
    from ..corpus.locks import check_locks
    from ..corpus.rules import load_rules

    corpus, rules = load_corpus(), load_rules()
    coverage = compute_coverage(rules, corpus.items, _whole_matrix())
    locks = check_locks(rules, corpus.scenarios)
    errors = [str(error) for error in (*coverage.errors, *locks.errors)]
    errors += [f"not locked: {one}" for one in locks.unlocked]
    return {
        "ok": not errors,
        "rules": len(rules),
        "observable": len(coverage.rules),
        "scenarios": len(corpus.scenarios),
        "positions": len(corpus.positions),
        "holes": errors,
        "unconfirmed": [f"{scenario}: {rule}" for scenario, rule in coverage.unconfirmed],
    }


def _sole_killers() -> Json:
    """Take away each item that alone kills some mutant, and see the gate turn red."""
    from .matrix import compute

    matrix = _whole_matrix()
    sole = matrix.sole_killers()
    green = []
    for item, names in sole.items():
        bench = _bench().without(item)
        again = compute(bench, {name: matrix.mutants[name] for name in names})
        if again.gate_holds:
            green.append(item)
    return {"ok": not green, "sole_killers": len(sole), "not_missed": green}


def _flips() -> Json:
    from .flips import all_flips, notices

    bench = _bench()
    unnoticed, wrong, excused, total = [], [], 0, 0
    for flip in all_flips():
        total += 1
        noticed = notices(bench, flip)
        if flip.reason is not None:
            excused += 1
            if noticed is not None:
                wrong.append(f"{flip.name}: noticed by {noticed}, though '{flip.reason}'")
        elif noticed is None:
            unnoticed.append(flip.name)
    return {
        "ok": not unnoticed and not wrong,
        "flips": total - excused,
        "noticed": total - excused - len(unnoticed),
        "excused": excused,
        "unnoticed": unnoticed,
        "wrongly_excused": wrong,
    }


def _variants() -> Json:
    from .flips import witnessed_variants

    found = witnessed_variants(_bench())
    idle = [variant for variant, items in found.items() if not items]
    return {"ok": not idle, "variants": len(found), "not_witnessed": idle}


def _stubs() -> Json:
    from ..corpus import load_corpus
    from .flips import BASE, OWN_GAMES
    from .stubs import score_stubs

    scores = [one for name in (BASE, *OWN_GAMES) for one in score_stubs(load_corpus(), name)]
    return {
        "ok": not any(score.too_good for score in scores),
        "stubs": {
            score.stub if score.ruleset == BASE else f"{score.stub}, {score.ruleset}": {
                "scenarios": f"{len(score.scenarios_passed)}/{score.scenarios}",
                "positions": f"{score.positions_counted}/{score.positions}",
                "single_positions": f"{score.positions_passed}/{score.positions}",
            }
            for score in scores
        },
        "best_share": round(max(max(s.share, s.share_of_positions) for s in scores), 4),
        "given_away": sorted({one for score in scores for one in score.scenarios_passed}),
    }


def _source(module: str) -> Json:
    from .source_mutation import run

    try:
        score = run([module])
    except ModuleNotFoundError as error:
        hint = "'make gates' installs it"
        raise SpecError(f"the tool that mutates source is missing: {error}", hint=hint) from None
    survivors = [
        f"{one['module']}.py:{one['line']}: {one['before']}  ->  {one['after']}"
        for one in score.survivors
    ]
    return {
        "ok": not survivors and not score.outdated and score.share >= 0.95,
        "mutants": score.mutants,
        "killed": score.killed,
        "equivalent": len(score.explained),
        "survivors": survivors,
        "explained_but_gone": list(score.outdated),
    }


@lru_cache(maxsize=1)
def _gates_tests() -> tuple[str, ...]:
    """Return the tests that are marked as gates, by the name pytest has for them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "gates"]
    ended = subprocess.run(
        command, cwd=checkout(), check=False, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    return tuple(line for line in ended.stdout.splitlines() if "::" in line)


def _pytest(*arguments: str) -> Json:
    report = checkout() / KEPT / f"tests-{os.getpid()}.xml"  # several parts run at a time
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *arguments]
    ended = subprocess.run(command, cwd=checkout(), check=False, stdout=subprocess.DEVNULL)
    if not report.exists():
        return {"ok": False, "tests": 0, "failed": [f"pytest ended with {ended.returncode}"]}
    cases = list(ET.parse(report).getroot().iter("testcase"))  # noqa: S314 - written just now
    failed = [
        f"{case.get('classname')}.{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    report.unlink()
    return {"ok": ended.returncode == 0, "tests": len(cases), "failed": failed}
