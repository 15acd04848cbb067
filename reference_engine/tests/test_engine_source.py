"""The source of the engine: what it may not know, and how long its parts may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bauernschnapsen
from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml

ROOT = Path(bauernschnapsen.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
CHAPTERS = [
    *("notation", "cards", "deal", "auction", "doubling", "play", "marriages"),
    *("contracts", "claims", "scoring", "match", "talon"),
]
# Contract ids and the letters of seats are data or notation, so no decision can hang on them.
KNOWS_LETTERS = {"notation.py"}
LONGEST_FUNCTION = 40
LONGEST_MODULE = 400
# One loop over the parser's events: cut up, it would need its state in an object, twice as slow.
# The fields of a position are one list of assignments.
LONG_ON_PURPOSE = {("data/yaml_loader.py", "read"), ("position.py", "__init__")}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string that is not a docstring."""
    module = tree(path)
    remarks = {
        id(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(module):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Constant) and isinstance(text, str) and id(node) not in remarks:
            yield node.lineno, text


@cache
def contract_ids() -> list[str]:
    found: set[str] = set()
    for path in (spec_root() / "rulesets").glob("*.yaml"):
        found |= set(load_yaml(path).value.get("contracts", {}))
    return sorted(found)


def contract_named_in(text: str) -> str | None:
    words = re.findall(r"[a-z0-9]+(?:[-_][a-z0-9]+)*", text)
    return next((word for word in words if word in contract_ids()), None)


def test_the_tests_look_at_the_whole_engine() -> None:
    assert {f"{chapter}.py" for chapter in CHAPTERS} <= {name(path) for path in MODULES}
    assert {"normal", "bettler", "zehner-gang", "freundschaftsschnapser"} <= set(contract_ids())
    assert contract_named_in("x is gang?") == "gang"
    assert contract_named_in("zehner-gang") == "zehner-gang"
    assert contract_named_in("pass_means_normal") is None


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_contract_and_no_seat_is_named(path: Path) -> None:
    if name(path) in KNOWS_LETTERS:
        return
    for line, text in strings(path):
        assert contract_named_in(text) is None, f"{name(path)}:{line}: {text!r}"
        assert not re.fullmatch(r"[NESW]{1,4}", text), f"{name(path)}:{line}: {text!r}"


def test_notation_names_no_contract_but_in_its_messages() -> None:
    named = [text for _, text in strings(ROOT / "notation.py") if contract_named_in(text)]
    assert all("as in 'bid gang'" in text for text in named)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef) and (name(path), node.name) not in LONG_ON_PURPOSE:
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{name(path)}: {node.name} has {length} lines"


def test_what_is_long_on_purpose_is_long() -> None:
    for module, function in LONG_ON_PURPOSE:
        lengths = [
            (node.end_lineno or 0) - node.lineno + 1
            for node in ast.walk(tree(ROOT / module))
            if isinstance(node, ast.FunctionDef) and node.name == function
        ]
        assert max(lengths) > LONGEST_FUNCTION


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < LONGEST_MODULE


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_the_engine_has_no_chance_no_clock_and_no_conformance_suite(path: Path) -> None:
    imported = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported.add((node.module or "").split(".")[0])
    assert not imported & {"random", "secrets", "time", "datetime", "bauernschnapsen_conformance"}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapters_read_and_write_nothing(chapter: str) -> None:
    for node in ast.walk(tree(ROOT / f"{chapter}.py")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input"}
        if isinstance(node, ast.Global | ast.Nonlocal):
            pytest.fail(f"{chapter}.py:{node.lineno} changes a variable outside the function")
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = {alias.name for alias in node.names}
            assert not names & {"os", "sys", "io", "pathlib", "Path"}


def rule_ids() -> set[str]:
    rules = set()
    for path in (spec_root() / "rules").glob("*.yaml"):
        rules |= {rule["id"] for rule in load_yaml(path).value["rules"]}
    return rules


def test_every_reason_for_a_refusal_is_a_rule() -> None:
    reason = re.compile(rf"(?:{'|'.join(CHAPTERS)})\.[a-z-]+")
    reasons = {text for path in MODULES for _, text in strings(path) if reason.fullmatch(text)}
    assert len(reasons) > 30
    assert reasons <= rule_ids()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_every_rule_that_is_mentioned_exists(path: Path) -> None:
    """A hyphen marks a rule id: `play.legal_cards` is a function, `play.over-ruff` a rule."""
    mentioned = re.compile(rf"\b(?:{'|'.join(CHAPTERS)})\.[a-z.]*[a-z]+-[a-z.-]*[a-z]\b")
    assert set(mentioned.findall(path.read_text(encoding="utf-8"))) <= rule_ids()
