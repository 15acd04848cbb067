"""The adapter kits as their authors meet them: copied and built by the commands of their pages."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ADAPTERS = ROOT / "conformance" / "adapters"
PAGES = ROOT / "docs" / "adapters"
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Kit:
    """A language: its folder and page, what building needs, and what stands where in a copy."""

    language: str
    tools: tuple[str, ...]
    argv: tuple[str, ...]
    kit: str
    skeleton: str


KITS = (
    Kit("python", ("make", "python3"), ("python3", "adapter.py"), "kit.py", "adapter.py"),
    Kit("javascript", ("node",), ("node", "skeleton.mjs"), "kit.mjs", "skeleton.mjs"),
    Kit(
        "java",
        ("make", "javac", "java"),
        ("java", "-cp", "build", "Adapter"),
        "Kit.java",
        "Adapter.java",
    ),
    Kit("cpp", ("make", "c++"), ("./adapter",), "kit.hpp", "adapter.cpp"),
    Kit("rust", ("make", "cargo"), ("target/release/adapter",), "src/kit.rs", "src/main.rs"),
)

# A warning of a compiler is an error here, though not for those who build it elsewhere.
STRICT = {
    "CXXFLAGS": "-O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror",
    "JAVACFLAGS": "-Xlint:all -Werror",
    "RUSTFLAGS": "-D warnings",
    "PYTHONWARNINGS": "error",
}


def environment() -> dict[str, str]:
    """An environment with the command `bauernschnapsen` on the path."""
    own = str(Path(sys.executable).parent)
    return {**os.environ, **STRICT, "PATH": os.pathsep.join((own, os.environ.get("PATH", "")))}


def missing_tools(kit: Kit) -> list[str]:
    """What building this kit needs and is not on this machine."""
    return [tool for tool in kit.tools if shutil.which(tool) is None]


def console_commands(page: Path) -> list[str]:
    """The commands that a page tells its reader to type."""
    blocks = re.findall(r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def as_a_new_user(page: Path, folder: Path) -> str:
    """Type the commands of a page in a checkout, here one of links; what they print.

    The reader's own copy is then in `folder / "my-adapter"`.
    """
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in ("conformance", "docs"):
        (checkout / name).symlink_to(ROOT / name)
    done = subprocess.run(
        ["bash", "-euc", "\n".join(console_commands(page))],
        cwd=checkout,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Conversation:
    """An adapter that is talked to line by line."""

    def __init__(self, argv: Sequence[str], folder: Path) -> None:
        self._child = subprocess.Popen(
            argv,
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[bytes] = []
        self._readers = (
            threading.Thread(target=self._read_replies, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        )
        for reader in self._readers:
            reader.start()

    def _read_replies(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            self._lines.put(line)

    def _read_errors(self) -> None:
        assert self._child.stderr is not None
        self._errors.extend(self._child.stderr)

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        assert self._child.stdin is not None
        self._child.stdin.write(data)
        self._child.stdin.flush()

    def reply_line(self) -> bytes:
        """The next line, its end included; the input stays open, so it must have been flushed."""
        return self._lines.get(timeout=PATIENCE)

    def ask(self, number: int, op: str, **body: Any) -> dict[str, Any]:
        """Send a request; the reply without its id, which must be the one sent."""
        self.send(json.dumps({"id": number, "op": op, **body}).encode() + b"\n")
        reply: dict[str, Any] = json.loads(self.reply_line())
        assert reply.pop("id") == number
        return reply

    def hello(self, number: int = 1, **limits: Any) -> dict[str, Any]:
        """The handshake."""
        return self.ask(number, "hello", protocol={"min": 1, "max": 1}, limits=limits)

    def end(self) -> tuple[int, bytes]:
        """Close the input; the exit code and everything that was still written after it."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        code = self._child.wait(timeout=PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self._child.stdout, self._child.stderr):
            assert stream is not None
            stream.close()
        rest = b""
        while not self._lines.empty():
            rest += self._lines.get()
        return code, rest

    def kill(self) -> None:
        """End it whatever its state; does nothing after `end`."""
        if self._child.poll() is None:
            self._child.kill()
            self.end()
