"""The whole corpus: find the files, read them, check them against each other, keep them compiled.

YAML costs far more to load than JSON, so what has been read is kept as one JSON bundle, beside the
package when it was built with one, else in the user's cache, under the digest of the files. The
suite's own digest is that of the canonical JSON and is the same either way.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import bauernschnapsen
from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError

from .read import read_position_file, read_scenario_file
from .scenario import (
    DealRecord,
    Do,
    Expect,
    Item,
    Json,
    Origin,
    PositionCase,
    Refuse,
    Scenario,
    Step,
)

_FORMAT = 4
"""Raise when the bundle's shape changes, so that old cache files are not read."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """All scenarios and positions, in the order of their files, and the suite's digest."""

    scenarios: tuple[Scenario, ...]
    positions: tuple[PositionCase, ...]
    digest: str

    @property
    def items(self) -> tuple[Item, ...]:
        """Scenarios first, then positions."""
        return (*self.scenarios, *self.positions)

    def find(self, item_id: str) -> Item:
        """Return the item of an id; SpecError with near misses if there is none."""
        for item in self.items:
            if item.id == item_id:
                return item
        from difflib import get_close_matches

        near = get_close_matches(item_id, [item.id for item in self.items], n=3)
        raise SpecError(
            f"there is no scenario {item_id[:80]!r}",
            hint=f"did you mean {' or '.join(near)}" if near else None,
        )


def load_corpus(root: Path | None = None) -> Corpus:
    """Return the corpus, from the bundle if there is one; SpecError for the first faulty file."""
    corpus, errors = load_corpus_with_errors(root)
    if errors:
        raise errors[0]
    return corpus


def load_corpus_with_errors(root: Path | None = None) -> tuple[Corpus, list[SpecError]]:
    """Return what could be read, and all faults."""
    return _load(root or spec_root(), use_cache=True)


@lru_cache(maxsize=4)
def _load(root: Path, *, use_cache: bool) -> tuple[Corpus, list[SpecError]]:
    files = _files(root)
    key = _digest_of_files(root, files)
    bundle = _read_bundle(key) if use_cache else None
    if bundle is not None:
        return bundle, []
    scenarios: list[Scenario] = []
    positions: list[PositionCase] = []
    errors: list[SpecError] = []
    for path in files:
        shown = path.relative_to(root.parent).as_posix()
        if path.parent.name == "positions":
            cases, faults = read_position_file(path, shown)
            positions.extend(cases)
        else:
            found, faults = read_scenario_file(path, shown)
            scenarios.extend(found)
        errors.extend(faults)
    errors.extend(doubled_ids([*scenarios, *positions]))
    corpus = Corpus(tuple(scenarios), tuple(positions), digest_of(scenarios, positions))
    if not errors and use_cache:
        _write_bundle(key, corpus)
    return corpus, errors


def _files(root: Path) -> list[Path]:
    return sorted(
        [*(root / "scenarios").rglob("*.yaml"), *(root / "positions").glob("*.yaml")],
        key=lambda path: path.relative_to(root).as_posix(),
    )


def doubled_ids(items: Iterable[Item]) -> list[SpecError]:
    """Return a fault for every item whose id another item before it has."""
    seen: dict[str, Origin] = {}
    errors = []
    for item in items:
        if item.id in seen:
            first = seen[item.id]
            message = f"the id {item.id} is used already in {first.file}:{first.line}"
            errors.append(SpecError(message, item.origin.file, item.origin.line, field="id"))
        seen.setdefault(item.id, item.origin)
    return errors


# --------------------------------------------------------------------------- digest and bundle


def digest_of(scenarios: Iterable[Scenario], positions: Iterable[PositionCase]) -> str:
    """Return the digest of the canonical JSON of all items, leaving out where they stand."""
    content = [_dump_scenario(s) for s in scenarios] + [_dump_position(p) for p in positions]
    for entry in content:
        entry.pop("origin")
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _digest_of_files(root: Path, files: list[Path]) -> str:
    total = hashlib.sha256(f"{_FORMAT} {bauernschnapsen.__version__}".encode())
    for path in files:
        try:
            content = path.read_bytes()
        except OSError:
            content = b""
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()


def _bundle_path(key: str) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "bauernschnapsen" / f"corpus-{key[:32]}.json"


def _read_bundle(key: str) -> Corpus | None:
    try:
        data = json.loads(_bundle_path(key).read_bytes())
        return Corpus(
            tuple(_load_scenario(entry) for entry in data["scenarios"]),
            tuple(_load_position(entry) for entry in data["positions"]),
            data["digest"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a cache that cannot be read is as good as none


def _write_bundle(key: str, corpus: Corpus) -> None:
    path = _bundle_path(key)
    data = {
        "digest": corpus.digest,
        "scenarios": [_dump_scenario(scenario) for scenario in corpus.scenarios],
        "positions": [_dump_position(case) for case in corpus.positions],
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
        draft.replace(path)
        stale = sorted(path.parent.glob("corpus-*.json"), key=lambda old: old.stat().st_mtime)
        for old in stale[:-8]:
            old.unlink(missing_ok=True)
    except OSError:
        return  # without a cache it is only slower


def _dump_scenario(scenario: Scenario) -> Json:
    plain = {f.name: getattr(scenario, f.name) for f in fields(scenario) if f.name != "deals"}
    deals = []
    for deal in scenario.deals:
        entry = {f.name: getattr(deal, f.name) for f in fields(deal) if f.name != "steps"}
        deals.append({**entry, "steps": [_dump_step(step) for step in deal.steps]})
    return {**plain, "origin": asdict(scenario.origin), "deals": deals}


def _dump_step(step: Step) -> Json:
    if isinstance(step, Expect):
        return {"expect": step.view, "can": step.can, "cannot": step.cannot}
    if isinstance(step, Refuse):
        return {"refused": [step.seat, step.action], "because": step.because}
    return {"do": [step.seat, step.action]}


def _load_scenario(entry: Json) -> Scenario:
    deals = tuple(
        DealRecord(
            hands={seat: tuple(cards) for seat, cards in deal["hands"].items()},
            steps=tuple(_load_step(step) for step in deal["steps"]),
            dealer=deal["dealer"],
            scores=deal["scores"],
            contract=deal["contract"],
            talon=tuple(deal["talon"]),
        )
        for deal in entry["deals"]
    )
    return Scenario(
        **{
            **entry,
            "deals": deals,
            "rules": tuple(entry["rules"]),
            "origin": Origin(**entry["origin"]),
        }
    )


def _load_step(step: Json) -> Step:
    if "do" in step:
        return Do(*step["do"])
    if "refused" in step:
        seat, action = step["refused"]
        return Refuse(seat, action, step["because"])
    can, cannot = (tuple((seat, action) for seat, action in step[key]) for key in ("can", "cannot"))
    return Expect(step["expect"], can, cannot)


def _dump_position(case: PositionCase) -> Json:
    plain: Json = {f.name: getattr(case, f.name) for f in fields(case)}
    return {**plain, "origin": asdict(case.origin)}


def _load_position(entry: dict[str, Any]) -> PositionCase:
    lists = {key: tuple(entry[key]) for key in ("rules", "hand", "legal")}
    trick = tuple((seat, card) for seat, card in entry["trick"])
    return PositionCase(**{**entry, **lists, "trick": trick, "origin": Origin(**entry["origin"])})
