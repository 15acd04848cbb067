"""Whatever is run with `python -m` says in a sentence what it does, and does nothing else."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

import bauernschnapsen_conformance

PACKAGE = Path(bauernschnapsen_conformance.__file__).parent


def runnable() -> list[str]:
    """Return the names of all modules that do something when they are run."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if '\nif __name__ == "__main__":' in path.read_text("utf-8"):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            found.append(".".join(parts))
    return found


def test_modules_that_can_be_run_are_found() -> None:
    names = {name.partition(".")[2] for name in runnable()}
    assert {"corpus.translations", "corpus.table_texts", "rulebook.release", "gates"} <= names


def run(name: str, arguments: list[str]) -> object:
    """Run a module as `python -m` does; return the exit code that it ends with."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    own = {"__name__": "__main__", "__package__": spec.parent, "__file__": spec.origin}
    before, sys.argv = sys.argv, [name, *arguments]
    try:
        exec(compile(Path(spec.origin).read_text("utf-8"), spec.origin, "exec"), own)
    except SystemExit as ended:
        return ended.code
    finally:
        sys.argv = before
    return None


@pytest.mark.parametrize("name", runnable())
def test_a_module_that_is_run_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(name, ["--help"]) == 0
    told, complained = capsys.readouterr()
    assert complained == ""
    assert re.search(r"(?m)^ *[A-Z][^.]*( [^ ]+){3}[^.]*\.( |$)", told), told


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("corpus.translations", ["skeleton", "klingon", "play"], "'klingon' is no language"),
        ("corpus.translations", [], "the following arguments are required: command"),
        ("corpus.table_texts", ["skeleton", "uk", "cards"], "invalid choice: 'cards'"),
        ("rulebook.release", ["page", "uk", "nowhere.md"], "there is no page docs/nowhere.md"),
        ("rulebook.editions", ["0.1"], "unrecognized arguments: 0.1"),
    ],
)
def test_what_cannot_be_done_is_said(
    name: str, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(f"bauernschnapsen_conformance.{name}", arguments) == 2
    assert told in capsys.readouterr().err
