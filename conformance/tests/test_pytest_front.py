"""The suite as pytest items in an engine author's own run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from certifying import BROKEN, PROGRAM

pytestmark = pytest.mark.slow
SUITE = "bauernschnapsen_conformance.suite"
KINDS = f"{sys.executable} {BROKEN / 'kinds.py'}"


def run(
    tmp_path: Path, *arguments: str, keyword: str = "heart"
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--pyargs", SUITE]
    return subprocess.run(
        [*command, "-k", keyword, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_one_item_per_scenario(tmp_path: Path) -> None:
    done = run(tmp_path, "--engine", " ".join([*PROGRAM, "serve"]), "-v", "--suite-blind")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_scenario[play.heart-trick] PASSED" in done.stdout
    assert "failed" not in done.stdout


def test_what_an_engine_cannot_show_is_skipped(tmp_path: Path) -> None:
    done = run(
        tmp_path, "--engine", f"{KINDS} --claims none", "-rs", keyword="claims.false.with-twenty"
    )
    assert done.returncode == 0, done.stdout
    assert "unsupported: no claims" in done.stdout
    assert "passed" not in done.stdout


def test_a_failure_tells_what_certify_tells(tmp_path: Path) -> None:
    stub = f"{sys.executable} {BROKEN / 'stubs.py'} --how nothing"
    done = run(tmp_path, "--engine", stub, "--suite-seed", "7")
    assert done.returncode == 1
    assert "FAIL play.heart-trick" in done.stdout
    assert "First difference" in done.stdout
    assert "--seed 7 --no-blind -- " in done.stdout
    assert "engine_run.py" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "name the adapter to test: --engine"),
        (["--engine", "./no-such-adapter"], 3, "cannot be started"),
        (["--engine", "true", "--ruleset", "nobody"], 2, "nobody"),
    ],
)
def test_what_cannot_be_run(arguments: list[str], code: int, words: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
