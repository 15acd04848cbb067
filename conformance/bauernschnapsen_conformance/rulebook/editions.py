"""What changed from edition to edition, rule by rule.

spec/editions/EDITION.json keeps for each rule the checksum of its English text as that edition was
published; `python -m bauernschnapsen_conformance.rulebook.editions` writes the one of the edition
at hand, when it is published. The list of changes holds each edition against the one before it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import bauernschnapsen
from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError

from ..corpus.rules import Rule, load_rules
from ..corpus.translations import source_checksum


@dataclass(frozen=True, slots=True)
class Changes:
    """What an edition changed, each list in the order of the names."""

    edition: str
    before: str | None
    """The edition it is held against; None for the first."""
    new: tuple[str, ...]
    reworded: tuple[str, ...]
    withdrawn: tuple[str, ...]


def edition_of(version: str) -> str:
    """Return the edition of the book that belongs to a version of the suite.

    >>> edition_of("0.1.3")
    '0.1'
    """
    return ".".join(version.split(".")[:2])


def this_edition() -> str:
    """Return the edition at hand."""
    return edition_of(bauernschnapsen.__version__)


def sums_of(rules: Mapping[str, Rule]) -> dict[str, str]:
    """Return what an edition keeps of its rules."""
    return {name: source_checksum(rule) for name, rule in sorted(rules.items())}


def kept_editions(root: Path | None = None) -> dict[str, dict[str, str]]:
    """Return the editions that were published, the oldest first. SpecError for a faulty file."""
    found: dict[str, dict[str, str]] = {}
    for path in ((root or spec_root()) / "editions").glob("*.json"):
        try:
            value = json.loads(path.read_bytes())
        except ValueError as error:
            raise SpecError(f"this is no JSON: {error}", str(path)) from None
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            raise SpecError("an edition is an object: rule -> checksum", str(path))
        found[path.stem] = value
    return dict(sorted(found.items(), key=lambda one: _in_order(one[0])))


def changes_by_edition(
    rules: Mapping[str, Rule], root: Path | None = None, edition: str | None = None
) -> list[Changes]:
    """Return what each edition changed, the newest first; the one at hand as it now stands."""
    editions = kept_editions(root)
    editions[edition or this_edition()] = sums_of(rules)
    names = sorted(editions, key=_in_order)
    found = []
    for place, name in enumerate(names):
        before = names[place - 1] if place else None
        old, own = editions[before] if before else {}, editions[name]
        found.append(
            Changes(
                name,
                before,
                tuple(sorted(set(own) - set(old))),
                tuple(sorted(rule for rule in own if rule in old and own[rule] != old[rule])),
                tuple(sorted(set(old) - set(own))),
            )
        )
    return found[::-1]


def keep_edition(root: Path | None = None) -> Path:
    """Write the file of the edition at hand; return it."""
    path = (root or spec_root()) / "editions" / f"{this_edition()}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(sums_of(load_rules()), indent=0) + "\n", encoding="utf-8")
    return path


def _in_order(name: str) -> list[int]:
    return [int(part) for part in name.split(".") if part.isdigit()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file of the edition at hand and print where it stands; return the exit code."""
    argparse.ArgumentParser(
        prog="python -m bauernschnapsen_conformance.rulebook.editions",
        description="Write spec/editions/EDITION.json, the checksums of the rules of the edition "
        "at hand; done once, when it is published.",
    ).parse_args(arguments)
    sys.stdout.write(f"{keep_edition()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
