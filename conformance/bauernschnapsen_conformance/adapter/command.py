"""Starting the command that the user named, and saying in plain words why it cannot be done."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .faults import AdapterDidNotStart, printable

_SYSTEM = os.name


@dataclass(frozen=True, slots=True)
class AdapterCommand:
    """How to start an adapter. `env` is added to the environment of the runner."""

    argv: tuple[str, ...]
    cwd: Path | None = None
    env: Mapping[str, str] | None = None


def spawn(command: AdapterCommand, extra: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start the command in a session of its own, with pipes. Raises AdapterDidNotStart."""
    if _SYSTEM != "posix":
        raise AdapterDidNotStart(
            "adapters cannot be driven from Windows itself",
            hint="Use the Windows Subsystem for Linux (WSL); macOS and Linux work as they are.",
        )
    if not command.argv:
        raise AdapterDidNotStart(
            "no adapter command is given", hint="Write it after --, as in: certify -- ./my-adapter"
        )
    try:
        return subprocess.Popen(
            command.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=command.cwd,
            env={**os.environ, **(command.env or {}), **extra},
            start_new_session=True,
        )
    except OSError as error:
        raise _explained(command, error) from None
    except ValueError as error:
        raise AdapterDidNotStart(f"the adapter command cannot be used: {error}") from None


def _explained(command: AdapterCommand, error: OSError) -> AdapterDidNotStart:
    program = printable(command.argv[0])
    if command.cwd is not None and not command.cwd.is_dir():
        return AdapterDidNotStart(
            f"the directory {printable(str(command.cwd))} does not exist",
            hint="It is where the adapter was to be started.",
        )
    path = (command.cwd or Path()) / command.argv[0]
    if path.is_dir() and "/" in command.argv[0]:
        return AdapterDidNotStart(f"{program} is a directory", hint="Name the program in it.")
    hints = {
        errno.ENOENT: "Is the path right? A file in this directory is named ./file."
        if not path.is_file()
        else "The file exists, but the interpreter named in its first line does not.",
        errno.EACCES: "Make it executable (chmod +x), or name the interpreter: python3 FILE.",
        errno.ENOEXEC: "It has no #! line: name the interpreter, as in: python3 FILE.",
        errno.E2BIG: "The command line is too long.",
    }
    reason = os.strerror(error.errno) if error.errno else str(error)
    return AdapterDidNotStart(
        f"the adapter {program} cannot be started: {reason}", hint=hints.get(error.errno or 0, "")
    )
