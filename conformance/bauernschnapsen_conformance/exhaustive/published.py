"""The published digests of all right answers under the rulesets that come with the suite.

    python -m bauernschnapsen_conformance.exhaustive.published [RULESET ...]

writes spec/exhaustive.yaml and the table in docs/exhaustive.md anew, for the rulesets named or for
all. Only from a checkout.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import check
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved, load_ruleset, rules_of, shipped_rulesets

from .asking import LEGAL, WINNER
from .lines import AUCTIONS, SECTIONS, section

Json = dict[str, Any]
PAGE = "docs/exhaustive.md"
_HEAD = """\
# yaml-language-server: $schema=../schemas/exhaustive-file.schema.json
# How many situations there are in tricks and auctions, and the digest of all right answers; what
# the lines are that it is made of stands in docs/exhaustive.md. Written by 'make digests'.
"""


def published_path(root: Path | None = None) -> Path:
    """Return where the file stands."""
    return (root or spec_root()) / "exhaustive.yaml"


def published(root: Path | None = None) -> Json:
    """Return the file: ruleset -> section -> entries. SpecError if it is none."""
    document = load_yaml(published_path(root))
    check(document.value, "exhaustive-file", document=document)
    found: Json = document.value["rulesets"]
    return found


def published_for(ruleset: Resolved) -> Json | None:
    """Return what is published for a ruleset, or None if it is none that comes with the suite."""
    name = ruleset["ruleset"]
    if name not in shipped_rulesets() or load_ruleset(name) != ruleset:
        return None
    try:
        entry: Json | None = published().get(name)
    except SpecError:
        return None
    return entry


def digests(name: str) -> Json:
    """Return counts and digests of a shipped ruleset, worked out anew."""
    rules = rules_of(name)
    return {one: list(section(rules, one)) for one in SECTIONS}


def write(names: Sequence[str], root: Path | None = None) -> None:
    """Work out some rulesets anew and write the file."""
    try:
        known = published(root)
    except SpecError:
        known = {}
    for name in names:
        known[name] = digests(name)
        published_path(root).write_text(_text(known), encoding="utf-8")
    page = (root or spec_root()).parent / PAGE
    if page.exists():
        text = page.read_text(encoding="utf-8")
        page.write_text(with_table(text, known), encoding="utf-8")


def with_table(text: str, rulesets: Mapping[str, Json]) -> str:
    """Return the text of the manual's page with the table of these digests."""
    begin, end = "<!-- digests -->", "<!-- end of digests -->"
    before, _, rest = text.partition(begin)
    lines = [
        "| Ruleset | Trick situations | Complete tricks | Auctions: classes, situations, calls |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, sections in sorted(rulesets.items()):
        tricks, won = (sum(entry["lines"] for entry in sections[one]) for one in (LEGAL, WINNER))
        auctions = sections[AUCTIONS][0]
        counts = ", ".join(f"{auctions[key]:,}" for key in ("classes", "situations", "calls"))
        lines.append(f"| `{name}` | {tricks:,} | {won:,} | {counts} |")
    return f"{before}{begin}\n" + "\n".join(lines) + f"\n{end}{rest.partition(end)[2]}"


def _text(rulesets: Mapping[str, Json]) -> str:
    lines = [_HEAD + "rulesets:"]
    for name in sorted(set(rulesets) & set(shipped_rulesets())):
        lines.append(f"  {name}:")
        for one in SECTIONS:
            lines.append(f"    {one}:")
            lines += [f"      - {{{_flow(entry)}}}" for entry in rulesets[name][one]]
    return "\n".join(lines) + "\n"


def _flow(entry: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key}: [{', '.join(value)}]" if isinstance(value, list) else f"{key}: {value}"
        for key, value in entry.items()
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file; exit code 0, or 2 for a ruleset that is not there."""
    parser = argparse.ArgumentParser(
        prog="python -m bauernschnapsen_conformance.exhaustive.published",
        description="Compute the digests of all right answers anew and write them into "
        f"spec/exhaustive.yaml and {PAGE}.",
    )
    about = "a ruleset that comes with the suite; all of them if none is named"
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help=about)
    names = parser.parse_args(argv).rulesets or shipped_rulesets()
    unknown = set(names) - set(shipped_rulesets())
    if unknown:
        print(f"there is no ruleset {', '.join(sorted(unknown))}", file=sys.stderr)  # noqa: T201
        return 2
    write(names)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
