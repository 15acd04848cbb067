"""One plain script out of the modules: for pages on any server, and for pages without one.

A browser does not load modules from a folder (`file://`), so the modules are put into one script,
each as a function that returns what it exports, and what one imports from another becomes a
constant. They keep to two forms for that: `import { a, b } from "./x.mjs";` and `export` in front
of a `const`, `function` or `class`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from bauernschnapsen.errors import SpecError

FOLDER = Path(__file__).resolve().parent
ENGINE = "rules.mjs"
_MAIN = "main.mjs"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|function|class) ([A-Za-z_$][\w$]*))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)


@lru_cache(maxsize=1)
def play_script() -> str:
    """Return the script that brings the elements of `play/` to life, the engine included."""
    done: dict[str, str] = {}
    _add(FOLDER / _MAIN, done)
    return '(() => {\n"use strict";\nconst modules = {};\n' + "".join(done.values()) + "})();\n"


@lru_cache(maxsize=1)
def play_style() -> str:
    """Return the style sheet of the elements."""
    return (FOLDER / "play.css").read_text("utf-8")


def engine_path() -> Path:
    """Return the file of the engine: beside the other adapters, or in an installed wheel here.

    SpecError if it is in neither place.
    """
    for path in (FOLDER.parents[2] / "adapters" / "javascript" / ENGINE, FOLDER / ENGINE):
        if path.is_file():
            return path
    raise SpecError("the JavaScript engine is missing", str(FOLDER / ENGINE))


def bundled(name: str, text: str) -> tuple[str, list[str]]:
    """Return a module as a statement, and the paths it imports.

    SpecError for an import or export in another form, and for a text over several lines, which
    would not survive that blanks are dropped.
    """
    imported = []

    def constants(found: re.Match[str]) -> str:
        imported.append(found[2])
        names = re.sub(r"\s+as\s+", ": ", " ".join(found[1].split()).rstrip(","))
        return f'const {{ {names} }} = modules["{Path(found[2]).name}"];\n'

    plain = _COMMENT.sub("", text)
    for number, line in enumerate(plain.splitlines(), start=1):
        if line.count("`") % 2:
            raise SpecError("a text over several lines cannot be bundled", name, number)
    exported = _EXPORT.findall(plain)
    body = _EXPORT.sub("", _IMPORT.sub(constants, plain))
    other = _OTHER.search(body)
    if other is not None:
        raise SpecError(f"{other[0]!r} is a form that cannot be bundled", name)
    lines = "\n".join(line.strip() for line in body.splitlines() if line.strip())
    given = ", ".join(exported)
    return f'modules["{name}"] = (() => {{\n{lines}\nreturn {{ {given} }};\n}})();\n', imported


def _add(path: Path, done: dict[str, str]) -> None:
    """Add a module after everything that it imports."""
    if path.name in done:
        return
    statement, imported = bundled(path.name, path.read_text("utf-8"))
    for address in imported:
        _add(engine_path() if Path(address).name == ENGINE else FOLDER / address, done)
    done[path.name] = statement
