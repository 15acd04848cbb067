"""What tests of house rules have in common: how rulesets differ, a command run in process."""

from __future__ import annotations

import contextlib
import io
from typing import Any

from bauernschnapsen.ruleset import (
    load_ruleset,
)
from bauernschnapsen_conformance.commands import main

PAGAT = load_ruleset("pagat")


def run_command(*arguments: str) -> tuple[int, str]:
    """Run a command in this process; what it wrote to stdout, then to stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue() + err.getvalue()


def differing(name: str) -> dict[str, Any]:
    ruleset = load_ruleset(name)
    found = {
        f"options.{key}": value
        for key, value in ruleset["options"].items()
        if value != PAGAT["options"][key]
    }
    for contract, fields in ruleset["contracts"].items():
        for key, value in fields.items():
            if key != "above" and value != PAGAT["contracts"][contract][key] and fields["played"]:
                found[f"contracts.{contract}.{key}"] = value
    return found
