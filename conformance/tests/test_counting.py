"""Numbers and what is counted agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bauernschnapsen_conformance
from bauernschnapsen_conformance.adapter.ledger import noise_warning
from bauernschnapsen_conformance.counting import counted

# What the program says of itself, to people: where a number may be 1, the word after it must know.
_SOURCES = ("commands", "report", "diagnosis", "adapter", "campaign", "corpus")
_NAIVE = re.compile(
    r"\{len\([^{}]*\)\} (?:differences|findings|faults|scenarios|positions|causes|cases|rules|"
    r"others|mutants|holes|lines|entries)\b"
)


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 cases"), (1, "1 case"), (2, "2 cases"), (1234567, "1,234,567 cases")],
)
def test_singular_and_plural(number: int, words: str) -> None:
    assert counted(number, "case") == words


def test_what_has_another_plural() -> None:
    assert counted(1, "class is", "classes are") == "1 class is"
    assert counted(3, "class is", "classes are") == "3 classes are"
    assert noise_warning(1, "x") == "stdout had 1 line that is no message, such as: x"
    assert noise_warning(2, "x") == "stdout had 2 lines that are no messages, such as: x"


def test_no_plural_is_put_behind_any_number() -> None:
    root = Path(bauernschnapsen_conformance.__file__).parent
    files = [file for name in _SOURCES for file in sorted((root / name).rglob("*.py"))]
    assert len(files) > 50
    found = [
        f"{file.name}: {hit[0]}" for file in files for hit in _NAIVE.finditer(file.read_text())
    ]
    assert found == []
