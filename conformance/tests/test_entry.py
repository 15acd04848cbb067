"""An interrupt while the command line is loaded, or after its work, shows nothing of Python."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bauernschnapsen
from bauernschnapsen_conformance import __main__, entry

# Each child interrupts itself at a known place, so that nothing here depends on how fast it is.
INTERRUPT = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
AS_USUAL = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
FOR_EVER = "while True:\n    pass\n"


def child(code: str, *arguments: str, path: Path | None = None) -> tuple[int, str, str]:
    """Run a program that sets interrupts as a terminal has them; exit code, stdout, stderr."""
    first = f"import sys\nsys.path.insert(0, {str(path)!r})\n" if path else ""
    ended = subprocess.run(
        [sys.executable, "-c", AS_USUAL + first + code, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize("start", ["entry import main", "__main__ import main"])
def test_an_interrupt_while_modules_are_loaded_is_quiet(tmp_path: Path, start: str) -> None:
    # Instead of click, which the command line loads first.
    (tmp_path / "click.py").write_text(INTERRUPT + FOR_EVER)
    code = f"from bauernschnapsen_conformance.{start}\nsys.exit(main())\n"
    assert child(code, "certify", path=tmp_path) == (130, "", "")


def test_an_interrupt_while_python_ends_is_quiet() -> None:
    code = (
        "import atexit, os, sys\n"
        "from bauernschnapsen_conformance.entry import main\n"
        "atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
        "sys.exit(main())\n"
    )
    version = f"bauernschnapsen {bauernschnapsen.__version__}\n"
    assert child(code, "--version") == (130, version, "")


def test_an_interrupt_before_a_command_takes_it_is_quiet() -> None:
    code = (
        "import os, sys\n"
        "from bauernschnapsen_conformance import commands, entry\n"
        "commands.main = lambda: os.kill(os.getpid(), signal.SIGINT) or 0\n"
        "sys.exit(entry.main())\n"
    )
    assert child(code) == (130, "", "")


def test_a_command_that_runs_says_that_it_was_interrupted(tmp_path: Path) -> None:
    # Instead of the module of a command.
    (tmp_path / "check.py").write_text(INTERRUPT + FOR_EVER)
    code = (
        "from bauernschnapsen_conformance import commands, entry\n"
        f"commands.__path__.insert(0, {str(tmp_path)!r})\n"
        "sys.exit(entry.main())\n"
    )
    told = child("import sys\n" + code, "check")
    assert told == (4, "", "bauernschnapsen: interrupted\n")


def test_interrupts_that_are_ignored_stay_ignored() -> None:
    code = (
        "import os, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from bauernschnapsen_conformance.entry import main\n"
        "code = main()\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "print(signal.getsignal(signal.SIGINT).name)\n"
        "sys.exit(code)\n"
    )
    status, out, err = child(code, "--version")
    assert (status, out.splitlines()[1:], err) == (0, ["SIG_IGN"], "")


def test_the_command_and_the_module_begin_there() -> None:
    root = Path(__file__).resolve().parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"bauernschnapsen": "bauernschnapsen_conformance.entry:main"}
    assert vars(__main__)["main"] is entry.main
