"""The gates: is the suite any good? Everything in full, resumable, with a result that is kept.

    python -m bauernschnapsen_conformance.gates            run what is still to be run (make gates)
    python -m bauernschnapsen_conformance.gates --list     say what there is
    python -m bauernschnapsen_conformance.gates --readme   write the figures into README.md

Each gate is cut into parts; a part that is done is kept under build/gates until engine, mutants or
scenarios change, so an interrupted run goes on where it was. When all parts are done the result is
written to conformance/gates.json, which is committed: counts, survivors, and the digest of what
they are about. README and `check` take their figures from there. Only from a checkout.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bauernschnapsen.errors import SpecError

from .figures import BEGIN, with_figures
from .teeth.parts import KEPT, checkout, parts

Json = dict[str, Any]
RESULT = "conformance/gates.json"
_FORMAT = 1
_SUBJECT = (
    "reference_engine/bauernschnapsen/**/*.py",
    "conformance/mutants/**/*.py",
    "conformance/mutants/*.yaml",
    "conformance/bauernschnapsen_conformance/teeth/*.py",
    "conformance/bauernschnapsen_conformance/views.py",
    "conformance/bauernschnapsen_conformance/corpus/*.py",
    "schemas/ruleset.schema.json",
    "spec/rules/*.yaml",
    "spec/rulesets/*.yaml",
    "spec/scenarios/**/*.yaml",
    "spec/positions/*.yaml",
)
"""What the gates are about: a change here makes their result stale."""


def subject_digest() -> str:
    """Return the digest of everything the gates are about."""
    root = checkout()
    total = hashlib.sha256(f"gates {_FORMAT}".encode())
    files = {path for pattern in _SUBJECT for path in root.glob(pattern)}
    for path in sorted(files, key=lambda one: one.relative_to(root).as_posix()):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return "sha256:" + total.hexdigest()


def run_gates(only: tuple[str, ...] = (), *, fresh: bool = False, say: Any = print) -> bool:
    """Run all parts, or those of some gates, that are not done; return whether all hold.

    The result file is written when every part of every gate is done.
    """
    digest = subject_digest()
    kept = checkout() / KEPT / digest.removeprefix("sha256:")[:16]
    if fresh and kept.exists():
        shutil.rmtree(kept)
    kept.mkdir(parents=True, exist_ok=True)
    results: dict[str, Json] = {}
    for part in parts():
        file = kept / (re.sub(r"[^A-Za-z0-9_.-]+", "-", part.title) + ".json")
        known = _read(file)
        if known is None and (not only or part.gate in only):
            begun = time.monotonic()
            known = part.run()
            file.write_text(json.dumps(known, ensure_ascii=False))
            say(f"{part.title:<28} {_tell(known)}  {time.monotonic() - begun:.0f} s")
        elif known is not None:
            say(f"{part.title:<28} {_tell(known)}  (done before)")
        if known is not None:
            results[part.title] = known
    if len(results) == sum(1 for _ in parts()):
        result = {"format": _FORMAT, "digest": digest, "gates": results}
        text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
        (checkout() / RESULT).write_text(text, encoding="utf-8")
        say(f"written: {RESULT}")
    return all(result["ok"] for result in results.values())


def _tell(result: Mapping[str, Any]) -> str:
    figures = [
        f"{value} {key.replace('_', ' ')}" for key, value in result.items() if type(value) is int
    ]
    figures += [
        f"{len(value)} {key.replace('_', ' ')}"
        for key, value in result.items()
        if isinstance(value, list) and value
    ]
    return f"{'ok ' if result['ok'] else 'RED'}  {', '.join(figures)}"


def _read(file: Path) -> Json | None:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def staleness() -> str | None:
    """Say in one line what is wrong with the kept result, or None; None without a checkout."""
    try:
        root = checkout()
    except SpecError:
        return None
    result = _read(root / RESULT)
    if result is None:
        return f"{RESULT} is missing: run 'make gates'"
    if result.get("digest") != subject_digest():
        return f"{RESULT} is stale: engine, mutants or scenarios have changed; run 'make gates'"
    readme = (root / "README.md").read_text(encoding="utf-8")
    if BEGIN in readme and with_figures(readme, result) != readme:
        return "the figures in README.md are stale: run 'make figures'"
    return None


def write_readme() -> None:
    """Write the figures of the kept result into README.md; SpecError if there is none."""
    root = checkout()
    result = _read(root / RESULT)
    if result is None:
        raise SpecError(f"{RESULT} is missing", hint="run 'make gates'")
    readme = root / "README.md"
    readme.write_text(with_figures(readme.read_text(encoding="utf-8"), result), encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    """Run the gates; exit code 0 if all hold, 1 if one is red, 2 for bad usage."""
    parser = argparse.ArgumentParser(prog="gates", description="Is the suite any good?")
    parser.add_argument("gate", nargs="*", help="only these gates, such as mutants")
    parser.add_argument("--fresh", action="store_true", help="forget what is done already")
    parser.add_argument("--list", action="store_true", help="list all parts")
    parser.add_argument("--readme", action="store_true", help="write the figures into README.md")
    options = parser.parse_args(argv)
    say = partial(print, flush=True)
    try:
        if options.list:
            for part in parts():
                say(part.title)
            return 0
        if options.readme:
            write_readme()
            return 0
        unknown = set(options.gate) - {part.gate for part in parts()}
        if unknown:
            parser.error(f"there is no gate {', '.join(sorted(unknown))}")
        return 0 if run_gates(tuple(options.gate), fresh=options.fresh, say=say) else 1
    except SpecError as error:
        print(f"gates: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except KeyboardInterrupt:
        print("gates: interrupted; run again to go on", file=sys.stderr)  # noqa: T201
        return 4


if __name__ == "__main__":
    raise SystemExit(main())
