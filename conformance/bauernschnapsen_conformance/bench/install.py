"""Installing the wheel with all it needs at run time into an empty environment."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from bauernschnapsen.data.locate import spec_root

from .rows import Row, Section

_PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--only-binary", ":all:")


def measure_install() -> Section:
    """Return seconds and megabytes; a reason instead where there is no index or no checkout."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        argv = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", name]
        built = _run([*argv, str(spec_root().parent)])
        if built is not None:
            return _not_measured(f"the wheel could not be built: {built}")
        [wheel] = folder.glob("*.whl")
        venv.create(folder / "venv", with_pip=True)
        python = python_of(folder / "venv")
        before = _megabytes(folder / "venv")
        begun = time.perf_counter()
        failed = _run([str(python), *_PIP, str(wheel)])
        seconds = time.perf_counter() - begun
        if failed is not None:
            return _not_measured(f"the wheel could not be installed: {failed}")
        size = _megabytes(folder / "venv") - before
        own = wheel.stat().st_size / 1e6
    return Section(
        "Installing with pip",
        (
            Row("Wheel and all it needs", f"{seconds:.1f} s", "wall clock, fetching included",
                "10 s", seconds <= 10),
            Row("On the disk", f"{size:.1f} MB", f"the wheel itself packed {own:.1f} MB",
                "25 MB", size <= 25),
        ),
    )  # fmt: skip


def python_of(environment: Path) -> Path:
    """Return the interpreter of a virtual environment."""
    windows = environment / "Scripts" / "python.exe"
    return windows if windows.exists() else environment / "bin" / "python"


def _not_measured(reason: str) -> Section:
    return Section("Installing with pip", (Row("Not measured", "", reason),))


def _run(argv: list[str]) -> str | None:
    """Run a command; the last line it complains with, or None if all is well."""
    ended = subprocess.run(argv, check=False, capture_output=True, text=True)
    if ended.returncode == 0:
        return None
    lines = (ended.stderr or ended.stdout).strip().splitlines()
    return lines[-1][:200] if lines else f"exit code {ended.returncode}"


def _megabytes(folder: Path) -> float:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return sum(path.stat().st_size for path in files) / 1e6
