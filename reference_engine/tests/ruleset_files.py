"""Writing ruleset files, and the mistake in one, for several test modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset


def write(folder: Path, text: str, name: str = "mine") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def mistake(path: Path) -> SpecError:
    """Load a file whose mistake is marked by a comment, and return the error if it points there."""
    lines = path.read_text(encoding="utf-8").splitlines()
    marked = [number for number, line in enumerate(lines, 1) if line.endswith("# here")]
    with pytest.raises(SpecError) as caught:
        load_ruleset(path)
    error = caught.value
    assert error.file == str(path)
    assert error.line == marked[0], str(error)
    assert str(error).startswith(f"{path}:{marked[0]}: {error.field}: ")
    assert "\n" not in str(error)
    return error
