"""Where a ruleset is: one that comes with the project, by name; one of a user's own, by its file.

The names of the shipped ones are taken. Reports and certificates say only the name of the rules, so
that a name must mean the same rules everywhere.
"""

from __future__ import annotations

import os
from pathlib import Path

from .data.locate import spec_root
from .errors import SpecError, did_you_mean, quoted


def shipped_rulesets() -> list[str]:
    """Return the names of the rulesets that come with the project."""
    return sorted(path.stem for path in (spec_root() / "rulesets").glob("*.yaml"))


def is_shipped(name: str) -> bool:
    """Whether a ruleset of this name comes with the project; no other may be called so."""
    return "/" not in name and "\\" not in name and _exists(shipped_file(name))


def shipped_file(name: str) -> Path:
    """Return where the shipped ruleset of this name stands, or would stand."""
    return spec_root() / "rulesets" / f"{name}.yaml"


def find_ruleset(name_or_file: str) -> Path:
    """Return the file of a ruleset that a user names: a shipped one, or a file of his own.

    Raises SpecError if there is none.
    """
    if is_shipped(name_or_file):
        return shipped_file(name_or_file)
    path = Path(name_or_file)
    if path.suffix in (".yaml", ".yml") or _exists(path):
        return path
    known = shipped_rulesets()
    hint = did_you_mean(name_or_file, known)
    raise SpecError(
        f"there is no ruleset {quoted(name_or_file)}",
        hint=hint or f"name one of {', '.join(known)}, or a file ending in .yaml",
    )


def find_extended(name: str, folder: Path) -> Path:
    """Return the file of a ruleset that one in `folder` extends: one beside it, or a shipped one.

    Raises SpecError if there is none, or where it could be either.
    """
    beside = folder / f"{name}.yaml"
    if not _exists(beside):
        if is_shipped(name):
            return shipped_file(name)
        known = shipped_rulesets()
        hint = did_you_mean(name, known) or f"the suite has {', '.join(known)}"
        message = f"there is no ruleset {quoted(name)}, and no file {beside.name} beside this one"
        raise SpecError(message, hint=hint)
    if is_shipped(name) and os.path.realpath(beside) != os.path.realpath(shipped_file(name)):
        raise SpecError(
            f"{name} is a ruleset of the suite, and there is a file {beside.name} here, too",
            hint=f"call the file otherwise, such as my-{name}.yaml, and its ruleset likewise",
        )
    if not beside.is_file():
        raise SpecError(f"{beside.name} beside this one is no file")
    return beside


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long
        return False
