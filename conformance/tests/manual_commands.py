"""The commands of the manual as they are typed, and a place where they can be typed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = f'exec "{sys.executable}" -m bauernschnapsen_conformance'
_FENCE = re.compile(r"^```(\S*)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`((?:bauernschnapsen|make) [^`\n]*)`")
_SHELLS = ("", "sh", "bash", "console")
_OURS = ("bauernschnapsen", ".venv/bin/bauernschnapsen")


@dataclass(frozen=True, slots=True)
class Typed:
    """A line for a shell, without its comment, and the page it stands on."""

    page: str
    text: str
    inline: bool = False
    """Within a sentence: it may leave out what the sentence says."""

    def __str__(self) -> str:
        return f"{self.page}: {self.text}"

    @property
    def parts(self) -> list[list[str]]:
        """The words of every command of the line."""
        lexer = shlex.shlex(self.text, posix=True, punctuation_chars="|&;")
        lexer.whitespace_split = True
        found: list[list[str]] = [[]]
        for word in lexer:
            if set(word) <= set("|&;"):
                found.append([])
            else:
                found[-1].append(word)
        return found

    def of(self, *programs: str) -> list[list[str]]:
        """The words after the name of a program, for every command of the line that runs it."""
        return [words[1:] for words in self.parts if words and words[0] in programs]

    @property
    def ours(self) -> list[list[str]]:
        """The words after `bauernschnapsen`."""
        return self.of(*_OURS)

    @property
    def make(self) -> list[list[str]]:
        """The words after `make`."""
        return self.of("make")

    @property
    def usual(self) -> str:
        """The line as another page may have it: the same command, the same adapter."""
        return self.text.replace(".venv/bin/bauernschnapsen", "bauernschnapsen").replace(
            "-- ./my-adapter", "-- ./adapter"
        )


def pages() -> list[Path]:
    """The manual in English, and the first pages of the project."""
    manual = [page for page in (ROOT / "docs").rglob("*.md") if "translations" not in page.parts]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(manual)]


def typed() -> Iterator[Typed]:
    """Yield every line that runs `bauernschnapsen` or `make`, page after page."""
    for path in pages():
        page = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        for language, _, body in _FENCE.findall(text):
            if language in _SHELLS:
                for line in _lines(language, body):
                    one = Typed(page, line)
                    if one.ours or one.make:
                        yield one
        for line in _INLINE.findall(_FENCE.sub("", text)):
            yield Typed(page, line, inline=True)


def _lines(language: str, body: str) -> Iterator[str]:
    for line in re.sub(r"\\\n\s*", "", body).splitlines():
        if language == "console" and not line.startswith("$ "):
            continue  # what is printed
        command = re.sub(r"\s+#.*", "", line.removeprefix("$ ")).strip()
        if command.startswith((*_OURS, "make", "cp ")):
            yield command


def files() -> dict[str, str]:
    """The files that the pages show with their names."""
    return {
        name[1]: body
        for page in pages()
        for _, title, body in _FENCE.findall(page.read_text(encoding="utf-8"))
        if (name := re.search(r'title="([^"]+)"', title))
    }


def furnish(place: Path) -> dict[str, str]:
    """Make a folder one in which the lines can be typed; return the environment for it.

    `bauernschnapsen` is this checkout's, `./my-adapter` and the like the reference as an adapter;
    the files that the pages show are there.
    """
    bin_folder = place / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    for name in ("my-adapter", "adapter"):
        _script(place / name, f'{PROGRAM} serve "$@"')
    _script(bin_folder / "bauernschnapsen", f'{PROGRAM} "$@"')
    # The same goals, but nothing is made: what a goal does is what other tests do themselves.
    make = shutil.which("make") or "/usr/bin/make"
    _script(bin_folder / "make", f'unset MAKEFLAGS; cd "{ROOT}" && exec "{make}" -n "$@"')
    (place / "rulesets").mkdir()
    for name, text in files().items():
        (place / name).write_text(text, encoding="utf-8")
        (place / "rulesets" / name).write_text(text, encoding="utf-8")
    return {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"}


def _script(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)
