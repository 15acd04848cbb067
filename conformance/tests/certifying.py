"""Running the suite against engines in process, for several test modules."""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus, load_corpus
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.verdicts import Judgement, Verdict

HERE = Path(__file__).resolve().parent
BROKEN = HERE.parent / "broken_adapters"
PROGRAM = [sys.executable, "-m", "bauernschnapsen_conformance"]


@lru_cache
def fixture_module(name: str) -> ModuleType:
    """A module of the broken adapters, which lie in no package."""
    spec = importlib.util.spec_from_file_location(name, BROKEN / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kind(**hidden: Any) -> Any:
    """The reference engine with something hidden."""
    return fixture_module("kinds").Kind(**hidden)


@lru_cache
def corpus(step: int = 2) -> Corpus:
    """Every `step`-th scenario of the main ruleset, and some positions: what a test can afford."""
    whole = load_corpus()
    scenarios = tuple(item for item in whole.scenarios if not item.under)
    positions = tuple(case for case in whole.positions if not case.under)
    return Corpus(scenarios[::step], positions[:: 10 * step], whole.digest)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process: its exit code, and the lines of stderr."""

    def run(*arguments: str) -> tuple[int, list[str]]:
        code = main(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return code, captured.err.splitlines()

    return run


@pytest.fixture
def small_suite(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Commands find only a part of the suite, and take it for all there is."""
    part = corpus(6)
    monkeypatch.setattr("bauernschnapsen_conformance.corpus.load_corpus", lambda: part)
    return part


def certified(engine: Any, *, ruleset: str = "pagat", step: int = 2, **how: Any) -> Report:
    """The report on an engine in process."""
    resolved = load_ruleset(ruleset)
    asked = PythonEngine(engine, rules=resolved)
    asked.start()
    return certify(corpus(step), resolved, asked, **how)


def by_verdict(report: Report) -> dict[Verdict, list[Judgement]]:
    """The judgements of each verdict."""
    found: dict[Verdict, list[Judgement]] = {}
    for judgement in report.judgements:
        found.setdefault(judgement.verdict, []).append(judgement)
    return found
