"""Id locks: every id ever released, so that none is lost, renamed or silently given another sense.

spec/ids/CHAPTER.lock has one line for each rule and scenario, sorted:

    rule play.beat sha256:0123456789ab       with the checksum of its English and German text
    scenario play.heart-trick
    scenario play.old-trick retired          withdrawn; the id is never used again

Positions have no ids: the content of a position is its key. The files are written by
`bauernschnapsen check --lock` and by nothing else, after whoever changed a text has looked at the
scenarios of its rule. An id is withdrawn by hand, by adding `retired` to its line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError, quoted

from .rules import Rule
from .scenario import Scenario

RETIRED = "retired"
_RELOCK = "bauernschnapsen check --lock"
_DIGITS = 12
_LINE = re.compile(
    r"(?P<kind>rule|scenario) (?P<id>[a-z0-9]+(?:[.-][a-z0-9]+)*)"
    r"(?: (?P<mark>retired|sha256:[0-9a-f]{12}))?"
)
_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Lock:
    """One line: a rule with the checksum of its text, or a scenario; `mark` may be `retired`."""

    kind: str
    id: str
    mark: str | None
    file: str
    line: int

    @property
    def chapter(self) -> str:
        """The chapter, which begins every id."""
        return self.id.split(".")[0]


@dataclass(frozen=True, slots=True)
class LockState:
    """What the locks say about rules and scenarios as they are now."""

    errors: tuple[SpecError, ...]
    unlocked: tuple[str, ...]
    """Ids that no lock has yet, with their kind: ``scenario play.new``."""


def checksum(rule: Rule) -> str:
    """Return the checksum of a rule's English and German text, or texts by option."""
    text = rule.data.get("text_by") or rule.data.get("text")
    canonical = json.dumps(text, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()[:_DIGITS]}"


def locks_folder(root: Path | None = None) -> Path:
    """Return the folder of the lock files."""
    return (root or spec_root()) / "ids"


def read_locks(root: Path | None = None) -> tuple[list[Lock], list[SpecError]]:
    """Return all locks, and what is wrong with the files themselves."""
    locks: list[Lock] = []
    errors: list[SpecError] = []
    folder = locks_folder(root)
    for path in sorted(folder.glob("*.lock")):
        shown = f"spec/ids/{path.name}"
        try:
            if path.stat().st_size > _LONGEST:
                raise SpecError("is too long for a lock file", shown)
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            errors.append(SpecError(f"cannot be read: {error}", shown))
            continue
        except SpecError as error:
            errors.append(error)
            continue
        here, faults = _read_lines(lines, path.stem, shown)
        locks += here
        errors += faults
    return locks, errors


def _read_lines(lines: list[str], chapter: str, shown: str) -> tuple[list[Lock], list[SpecError]]:
    locks: list[Lock] = []
    errors: list[SpecError] = []
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            hint = "a line is 'rule ID sha256:...', 'scenario ID' or one of these with 'retired'"
            errors.append(SpecError(f"{quoted(line)} locks nothing", shown, number, hint=hint))
            continue
        lock = Lock(match["kind"], match["id"], match["mark"], shown, number)
        if lock.chapter != chapter:
            errors.append(SpecError(f"{lock.id} belongs to another file", shown, number))
        locks.append(lock)
    keys = [(lock.kind, lock.id) for lock in locks]
    for place, key in enumerate(keys):
        if place and key <= keys[place - 1]:
            message = "lines are not sorted, or one is there twice"
            errors.append(SpecError(message, shown, locks[place].line, hint=_RELOCK))
            break
    return locks, errors


def check_locks(
    rules: Mapping[str, Rule], scenarios: Iterable[Scenario], root: Path | None = None
) -> LockState:
    """Hold rules and scenarios against the locks.

    A fault is: an id that is gone or renamed, a retired id that is back, a rule whose text is
    another one than when its scenarios were last looked at.
    """
    known = {scenario.id: scenario for scenario in scenarios}
    citing: dict[str, int] = {}
    for scenario in known.values():
        for rule in scenario.rules:
            citing[rule] = citing.get(rule, 0) + 1
    locks, errors = read_locks(root)
    locked = {(lock.kind, lock.id) for lock in locks}
    for lock in locks:
        errors += _check_lock(lock, rules, known, citing)
    unlocked = [f"rule {rule}" for rule in rules if ("rule", rule) not in locked]
    unlocked += [f"scenario {one}" for one in known if ("scenario", one) not in locked]
    return LockState(tuple(errors), tuple(unlocked))


def _check_lock(
    lock: Lock,
    rules: Mapping[str, Rule],
    scenarios: Mapping[str, Scenario],
    citing: Mapping[str, int],
) -> list[SpecError]:
    present = lock.id in (rules if lock.kind == "rule" else scenarios)
    if lock.mark == RETIRED:
        if not present:
            return []
        message = f"the {lock.kind} id {lock.id} is retired and may not be used again"
        return [SpecError(message, lock.file, lock.line, hint="choose another id")]
    if not present:
        message = f"the {lock.kind} {lock.id} is gone; ids are never lost, renamed or reused"
        hint = f"put it back, or add {RETIRED!r} to its line if it has to be withdrawn"
        return [SpecError(message, lock.file, lock.line, hint=hint)]
    if lock.kind == "rule" and lock.mark != checksum(rules[lock.id]):
        origin = rules[lock.id].origin
        number = citing.get(lock.id, 0)
        message = (
            f"the text of {lock.id} is not the one its {number} scenarios were last held against"
        )
        hint = f"look at its scenarios (bauernschnapsen explain {lock.id}), then run '{_RELOCK}'"
        return [SpecError(message, origin.file, origin.line, field=lock.id, hint=hint)]
    return []


def write_locks(
    rules: Mapping[str, Rule], scenarios: Iterable[Scenario], root: Path | None = None
) -> list[str]:
    """Lock all ids and texts as they are now; return one line for each that is new or changed.

    Raises SpecError, and writes nothing, if an id is gone or a retired one is back.
    """
    scenarios = list(scenarios)
    locks, errors = read_locks(root)
    known = {scenario.id: scenario for scenario in scenarios}
    errors += [
        fault
        for lock in locks
        for fault in _check_lock(lock, rules, known, {})
        if lock.mark == RETIRED or lock.id not in (rules if lock.kind == "rule" else known)
    ]
    if errors:
        raise errors[0]
    wanted = {("rule", rule.id): checksum(rule) for rule in rules.values()}
    lines: dict[tuple[str, str], str | None] = {
        (lock.kind, lock.id): lock.mark for lock in locks if lock.mark == RETIRED
    }
    lines |= wanted
    lines |= {("scenario", scenario.id): None for scenario in scenarios}
    before = {(lock.kind, lock.id): lock.mark for lock in locks}
    folder = locks_folder(root)
    folder.mkdir(exist_ok=True)
    by_chapter: dict[str, list[str]] = {}
    for (kind, name), mark in sorted(lines.items()):
        text = f"{kind} {name}" + (f" {mark}" if mark else "")
        by_chapter.setdefault(name.split(".")[0], []).append(text)
    for chapter, texts in by_chapter.items():
        content = "\n".join(texts) + "\n"
        (folder / f"{chapter}.lock").write_text(content, encoding="utf-8")
    return [
        f"{kind} {name}: {'locked' if (kind, name) not in before else 'text changed'}"
        for (kind, name), mark in sorted(lines.items())
        if (kind, name) not in before or before[kind, name] != mark
    ]
