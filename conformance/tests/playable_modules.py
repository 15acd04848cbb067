"""The modules of the playable pages without a page: questions to them, asked by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen_conformance.rulebook.model import Book, load_book
from bauernschnapsen_conformance.rulebook.play.bundle import FOLDER, engine_path
from bauernschnapsen_conformance.rulebook.play.data import rulesets_script, words_script
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

NODE = shutil.which("node")
Ask = Callable[..., Any]
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed on this machine")


@pytest.fixture(scope="module")
def book() -> Book:
    return load_book()


@pytest.fixture(scope="module")
def ask(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Put one question to the modules, in a process of its own."""
    data = tmp_path_factory.mktemp("play") / "data.js"
    data.write_text(words_script(book, tongue_of("de")) + rulesets_script(book), "utf-8")

    def answer(question: str, **about: object) -> Any:
        assert NODE is not None
        done = subprocess.run(
            [NODE, "conformance/tests/playable.mjs", str(FOLDER), str(engine_path()), str(data)],
            input=json.dumps([{"ask": question, **about}]),
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)[0]

    return answer
