"""The profile that was found, as a ruleset file: what differs from another one, and no more."""

from __future__ import annotations

from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, load_ruleset, resolve, shipped_rulesets

from ..report.differences import shown_value
from .alike import differing, value_in_file

_MAIN = "pagat"


def is_sensible(ruleset: Resolved) -> bool:
    """Whether a ruleset file could say so: somebody can open, every contract can be bid."""
    try:
        resolve({"ruleset": "found"}, ruleset)
    except SpecError:
        return False
    return True


def base_of_file(base: Resolved) -> Resolved:
    """Return what the file extends: the base, if everybody has it, else the main ruleset."""
    return base if base["ruleset"] in shipped_rulesets() else load_ruleset(_MAIN)


def as_file(ruleset: Resolved, base: Resolved, name: str, engine: str) -> str:
    """Return a ruleset as the text of a file that extends `base`."""
    contracts: dict[str, dict[str, Any]] = {}
    options: dict[str, Any] = {}
    for path in differing(ruleset, base):
        value = value_in_file(ruleset, path)
        if path[0] == "options":
            options[path[1]] = value
        else:
            contracts.setdefault(path[1], {})[path[2]] = value
    title = ("House rules of " + engine).replace("'", "''")
    lines = [
        f"# The house rules of {engine}, found out by bauernschnapsen identify.",
        f"ruleset: {name}",
        f"extends: {base['ruleset']}",
        "title:",
        f"  en: '{title}'",
    ]
    if contracts:
        lines.append("contracts:")
        for contract, fields in contracts.items():
            inner = ", ".join(f"{key}: {_scalar(value)}" for key, value in fields.items())
            lines.append(f"  {contract}: {{{inner}}}")
    if options:
        lines.append("options:")
        lines += [f"  {key}: {_scalar(value)}" for key, value in options.items()]
    return "\n".join(lines) + "\n"


def _scalar(value: Any) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(str, value)) + "]"
    return shown_value(value)
