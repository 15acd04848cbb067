"""The gates: is the suite any good? Everything in full, resumable, with a result that is kept.

    python -m bauernschnapsen_conformance.gates            run what is still to be run (make gates)
    python -m bauernschnapsen_conformance.gates --jobs 1   one part at a time, in this process
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
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError

from .counting import counted
from .figures import BEGIN, with_figures
from .teeth.parts import KEPT, Part, checkout, part_named, parts

Json = dict[str, Any]
RESULT = "conformance/gates.json"
SURVIVORS = "conformance/mutants/survivors.yaml"
_FORMAT = 1
_SUBJECT = (
    "reference_engine/bauernschnapsen/**/*.py",
    "conformance/mutants/**/*.py",
    "conformance/bauernschnapsen_conformance/teeth/*.py",
    "conformance/bauernschnapsen_conformance/views.py",
    "conformance/bauernschnapsen_conformance/corpus/*.py",
    "schemas/ruleset.schema.json",
    "spec/rules/*.yaml",
    "spec/rulesets/*.yaml",
    "spec/scenarios/**/*.yaml",
    "spec/positions/*.yaml",
)
"""What all gates are about: a change here makes their results stale."""
_MORE = {
    "identify": (
        "conformance/bauernschnapsen_conformance/blaming/*.py",
        "conformance/bauernschnapsen_conformance/identify/*.py",
    ),
    "fuzz": (
        "conformance/bauernschnapsen_conformance/blaming/*.py",
        "conformance/bauernschnapsen_conformance/campaign/*.py",
        "conformance/bauernschnapsen_conformance/identify/deals.py",
        "conformance/bauernschnapsen_conformance/identify/lines.py",
    ),
    "exhaustive": ("conformance/bauernschnapsen_conformance/exhaustive/*.py",),
}
"""What the parts with this word in their title are about besides."""


def subject_digest(title: str | None = None) -> str:
    """Return the digest of what the part with this title is about, or all parts together."""
    patterns = list(_SUBJECT)
    for word, more in _MORE.items():
        if title is None or word in title:
            patterns += more
    root = checkout()
    total = hashlib.sha256(f"gates {_FORMAT}".encode())
    total.update(json.dumps(_explained(root, title)).encode())
    files = {path for pattern in patterns for path in root.glob(pattern)}
    for path in sorted(files, key=lambda one: one.relative_to(root).as_posix()):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return "sha256:" + total.hexdigest()


def _explained(root: Path, title: str | None) -> list[Json]:
    """Return the explained survivors that a part is about: those of its module, or all."""
    listed = load_yaml(root / SURVIVORS).value["survivors"] if (root / SURVIVORS).exists() else []
    if title is None:
        return list(listed)
    module = title.removeprefix("source mutation ")
    return [entry for entry in listed if entry["change"].startswith(f"{module}: ")]


def run_gates(
    only: tuple[str, ...] = (),
    *,
    fresh: bool = False,
    jobs: int = 1,
    partial: bool = False,
    say: Any = print,
) -> bool:
    """Run all parts, or those of some gates, that are not done; return whether all hold.

    With several `jobs` each part runs in a process of its own. The result file is written when
    every part of every gate is done; a `partial` one also before that, and it says what it lacks.
    """
    if fresh and (checkout() / KEPT).exists():
        shutil.rmtree(checkout() / KEPT)
    everything = list(parts())
    chosen = [part for part in everything if not only or part.gate in only]
    for part in everything:
        known = _read(_file(part))
        if known is not None:
            say(f"{part.title:<28} {_tell(known)}  (done before)")
    left = [part for part in chosen if _read(_file(part)) is None]
    if jobs == 1:
        for part in left:
            _run_part(part, say)
    else:
        with ThreadPoolExecutor(jobs) as pool:
            for part, code in zip(left, pool.map(_in_a_process, left), strict=True):
                if code and _read(_file(part)) is None:
                    say(f"{part.title:<28} RED  its process ended with exit code {code}")
    results = {part.title: _read(_file(part)) for part in everything}
    done = {title: result for title, result in results.items() if result is not None}
    lacking = [title for title in results if title not in done]
    if done and (partial or not lacking):
        result = {"format": _FORMAT, "digest": subject_digest(), "gates": done}
        if lacking:
            result["not_run"] = lacking
        text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
        (checkout() / RESULT).write_text(text, encoding="utf-8")
        say(f"written: {RESULT}")
    return all((results[part.title] or {"ok": False})["ok"] for part in chosen)


def _file(part: Part) -> Path:
    """Return where the result of a part is kept as long as what it is about does not change."""
    digest = subject_digest(part.title).removeprefix("sha256:")[:16]
    return checkout() / KEPT / digest / (re.sub(r"[^A-Za-z0-9_.-]+", "-", part.title) + ".json")


def _run_part(part: Part, say: Any) -> None:
    file, begun = _file(part), time.monotonic()  # what it is about when it begins
    result = part.run()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result, ensure_ascii=False), encoding="utf-8")
    say(f"{part.title:<28} {_tell(result)}  {time.monotonic() - begun:.0f} s")


def _in_a_process(part: Part) -> int:
    command = [sys.executable, "-m", __spec__.name, "--part", part.title]
    return subprocess.run(command, cwd=checkout(), check=False).returncode


def run_one(title: str, say: Any = print) -> bool:
    """Run one part by its title and keep its result; return whether it holds.

    SpecError if there is no such part.
    """
    part = part_named(title)
    if part is None:
        raise SpecError(f"the gates have no part {title[:60]!r}", hint="--list names them")
    _run_part(part, say)
    return bool((_read(_file(part)) or {"ok": False})["ok"])


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
    if result.get("not_run"):
        return f"{RESULT} lacks {counted(len(result['not_run']), 'part')}: run 'make gates'"
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
    parser = argparse.ArgumentParser(
        prog="gates", description="Run the gates, which ask whether the suite finds faults."
    )
    parser.add_argument("gate", nargs="*", help="only these gates, such as mutants")
    parser.add_argument("--fresh", action="store_true", help="forget what is done already")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parts at a time")
    parser.add_argument("--partial", action="store_true", help="keep the result though parts lack")
    parser.add_argument("--part", help="one part by its title, as --list prints it")
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
        if options.part:
            return 0 if run_one(options.part, say=say) else 1
        unknown = set(options.gate) - {part.gate for part in parts()}
        if unknown:
            parser.error(f"there is no gate {', '.join(sorted(unknown))}")
        holds = run_gates(
            tuple(options.gate),
            fresh=options.fresh,
            jobs=max(1, options.jobs),
            partial=options.partial,
            say=say,
        )
        return 0 if holds else 1
    except SpecError as error:
        print(f"gates: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except KeyboardInterrupt:
        print("gates: interrupted; run again to go on", file=sys.stderr)  # noqa: T201
        return 4


if __name__ == "__main__":
    raise SystemExit(main())
