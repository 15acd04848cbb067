"""Known failures: what an engine is known to get wrong, strict both ways.

    [[known]]
    pattern = "claims.false.*"              # an id, or ids with * for any text
    verdict = "fail"                        # or "error", "flaky"
    reason = "the partner may not call it enough in our engine"
    issue = "https://example.org/issues/17" # optional
    expires = 2027-01-31                    # optional: from then on the entry does not count

A scenario with the verdict that is known gets `xfail`; one that passes gets `xpass` and fails the
run, as does an entry that fits nothing any more, or has expired. `fixed` writes what a complete run
has shown to be true.
"""

from __future__ import annotations

import datetime
import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError

from ..bounded import read_bounded
from .selection import matcher
from .verdicts import Judgement, Verdict

MOST_BYTES = 1 << 20
KNOWABLE = (Verdict.FAIL, Verdict.ERROR, Verdict.FLAKY)
NEW_REASON = "not looked into yet"
_MEND = "take it out, or let a complete run with --fix do it"
NEW_EXPIRES_AFTER = datetime.timedelta(days=90)
_HEADER = """\
# Known failures; see `bauernschnapsen certify --known-failures FILE`. Strict both ways: what is
# listed and passes fails the run, so take it out when it is mended (or run with --fix).
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: scenarios, the verdict they are known to get, why, and until when."""

    pattern: str
    verdict: Verdict
    reason: str
    issue: str = ""
    expires: datetime.date | None = None

    def expired(self, today: datetime.date) -> bool:
        """Whether the entry no longer counts."""
        return self.expires is not None and self.expires <= today


@dataclass(frozen=True, slots=True)
class Settled:
    """Judgements with known failures considered, and what is wrong with the list of them."""

    judgements: tuple[Judgement, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownFailures:
    """A file of known failures."""

    entries: tuple[Entry, ...]
    file: str = ""

    @classmethod
    def load(cls, path: Path) -> KnownFailures:
        """Read a file. SpecError naming file, line or field, and what was expected."""
        shown = str(path)
        try:
            data = tomllib.loads(read_bounded(path, MOST_BYTES).decode())
        except OSError as error:
            raise SpecError(f"cannot be read: {error.strerror}", shown) from None
        except UnicodeDecodeError as error:
            raise SpecError(f"byte {error.start + 1} is not valid UTF-8", shown) from None
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise SpecError(f"is no TOML: {error}", shown) from None
        return cls.read(data, shown)

    @classmethod
    def read(cls, data: dict[str, Any], file: str) -> KnownFailures:
        """Make sense of a file's content. SpecError as `load`."""
        errors = validate(_plain(data), "known-failures")
        if errors:
            raise errors[0].located(file)
        entries = []
        seen: set[tuple[str, str]] = set()
        for place, given in enumerate(data.get("known", ())):
            try:
                expires = _date(given.get("expires"))
            except ValueError:
                field = f"known[{place}].expires"
                raise SpecError("there is no such day", file, field=field) from None
            entry = Entry(
                given["pattern"],
                Verdict(given["verdict"]),
                given["reason"],
                given.get("issue", ""),
                expires,
            )
            if (entry.pattern, entry.verdict) in seen:
                raise SpecError(
                    f"{entry.pattern} is listed twice", file, field=f"known[{place}].pattern"
                )
            seen.add((entry.pattern, entry.verdict))
            entries.append(entry)
        return cls(tuple(entries), file)

    def settle(
        self,
        judgements: Iterable[Judgement],
        *,
        complete: bool,
        today: datetime.date | None = None,
    ) -> Settled:
        """Turn known failures into `xfail`, and what passes although listed into `xpass`.

        An entry that fits nothing is a problem only in a complete run; an expired one always.
        """
        today = today or datetime.date.today()
        used: set[int] = set()
        alive = [
            (place, entry, matcher([entry.pattern]))
            for place, entry in enumerate(self.entries)
            if not entry.expired(today)
        ]
        settled = [_settled(judgement, alive, used) for judgement in judgements]
        problems = []
        for place, entry in enumerate(self.entries):
            where = f"{self.file}: known[{place}] {entry.pattern}"
            if entry.expired(today):
                problems.append(f"{where}: expired on {entry.expires}; look again")
            elif complete and place not in used:
                gone = f"no scenario gets the verdict {entry.verdict} any more"
                problems.append(f"{where}: {gone}; {_MEND}")
        return Settled(tuple(settled), tuple(problems))

    def fixed(
        self, judgements: Sequence[Judgement], *, today: datetime.date | None = None
    ) -> KnownFailures:
        """Return the list that a complete run has shown to be true.

        `judgements` are those of the run with this list considered. Entries keep their reason and
        narrow to the ids that still fail; an expired entry goes. What fails and is not listed is
        added for three months, with a reason that asks for a better one.
        """
        today = today or datetime.date.today()
        entries: list[Entry] = []
        listed: set[str] = set()
        for entry in self.entries:
            if entry.expired(today):
                continue
            matches = matcher([entry.pattern])
            here = [j for j in judgements if matches(j.item.id) and j.item.id not in listed]
            failing = [j.item.id for j in here if j.verdict is Verdict.XFAIL]
            listed.update(failing)
            if any(j.verdict is Verdict.XPASS for j in here):
                entries += [replace(entry, pattern=item_id) for item_id in failing]
            elif failing:
                entries.append(entry)
        new = [j for j in judgements if j.verdict in KNOWABLE and j.item.id not in listed]
        until = today + NEW_EXPIRES_AFTER
        entries += [Entry(j.item.id, j.verdict, NEW_REASON, "", until) for j in new]
        return KnownFailures(tuple(entries), self.file)

    def text(self) -> str:
        """Return the file's content."""
        blocks = [_HEADER]
        for entry in self.entries:
            lines = [
                "[[known]]",
                f"pattern = {_quoted(entry.pattern)}",
                f"verdict = {_quoted(entry.verdict)}",
                f"reason = {_quoted(entry.reason)}",
            ]
            if entry.issue:
                lines.append(f"issue = {_quoted(entry.issue)}")
            if entry.expires is not None:
                lines.append(f"expires = {entry.expires.isoformat()}")
            blocks.append("\n".join(lines) + "\n")
        return "\n".join(blocks)


def _settled(
    judgement: Judgement,
    alive: Iterable[tuple[int, Entry, Callable[[str], bool]]],
    used: set[int],
) -> Judgement:
    for place, entry, matches in alive:
        if not matches(judgement.item.id):
            continue
        why = entry.reason + (f" ({entry.issue})" if entry.issue else "")
        if judgement.verdict is entry.verdict:
            used.add(place)
            return replace(judgement, verdict=Verdict.XFAIL, reason=f"known failure: {why}")
        if judgement.verdict is Verdict.PASS:
            used.add(place)
            reason = f"passes, but is listed as a known failure ({entry.verdict}): {why}; {_MEND}"
            return replace(judgement, verdict=Verdict.XPASS, reason=reason)
    return judgement


def _plain(value: Any) -> Any:
    """The data as JSON has it: dates as text."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    return value if isinstance(value, str | bool | int | float) else str(value)


def _date(value: Any) -> datetime.date | None:
    if value is None or isinstance(value, datetime.date):
        return value
    return datetime.date.fromisoformat(value)


def _quoted(text: str) -> str:
    """The text as a TOML basic string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
