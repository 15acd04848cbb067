"""What a campaign says: progress while it runs, findings and figures at its end."""

from __future__ import annotations

import shlex
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never, Self

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved

from ..adapter.faults import printable
from ..counting import counted
from ..report.failure import rule_texts
from ..report.progress import on_terminal, told
from .chunks import Result
from .keeping import FILE
from .reporting import Finding
from .running import State

if TYPE_CHECKING:
    from tqdm import tqdm

Json = dict[str, Any]
_WIDTH = 96
_MANY = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """A campaign at its end, or where it was interrupted."""

    result: Result
    findings: list[Finding]
    resolved: Resolved
    seed: int
    seconds: float
    folder: Path
    arguments: str
    """The engine as the command line names it."""
    against: bool
    interrupted: bool

    @property
    def compared(self) -> int:
        """How many cases were held against what they should be."""
        return self.result.cases - self.result.not_asked - self.result.unsupported

    @property
    def exit_code(self) -> int:
        """0 no difference, 1 differences or nothing compared, 4 interrupted or stopped."""
        if self.interrupted or self.result.stopped:
            return 4
        return 1 if self.findings or not self.compared else 0

    def as_json(self) -> Json:
        """Return it for a program to read (fuzz.schema.json)."""
        result = self.result
        return {
            "engine": result.engine,
            "ruleset": self.resolved["ruleset"],
            "seed": self.seed,
            "cases": result.cases,
            "compared": self.compared,
            "unsupported": result.unsupported,
            "views": result.views,
            "situations": len(result.coverage),
            "situations_by_kind": result.coverage.by_kind(),
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
            "stopped": result.stopped or None,
            "folder": str(self.folder),
            "findings": [finding.as_json() for finding in self.findings],
        }


def write_findings(folder: Path, findings: list[Finding]) -> None:
    """Write scenario and transcript of each finding into a folder; SpecError if one cannot be."""
    for finding in findings:
        for file, data in (
            (folder / f"{finding.id}.yaml", finding.scenario.encode()),
            (folder / f"{finding.id}.ndjson", finding.transcript),
        ):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            except OSError as error:
                raise SpecError(f"cannot write {file}: {error.strerror}") from None


def lines(outcome: Outcome) -> Iterator[str]:
    """Yield what is printed at the end."""
    texts = rule_texts(outcome.resolved) if outcome.findings else {}
    for number, finding in enumerate(outcome.findings, start=1):
        times = f"{finding.count} case{'s' if finding.count > 1 else ''}"
        yield f"{number}. {finding.cause} ({times})"
        rules = finding.shrunk.discrepancy.rules
        if rules and rules[0] in texts:
            said = f"Probably {rules[0]}: {texts[rules[0]]}"
            yield textwrap.indent(textwrap.fill(said, _WIDTH), "  ")
        if len(rules) > 1:
            yield f"  or {' or '.join(rules[1:])}"
        yield from finding.lines
        if not finding.shrunk.finished:
            yield "  (not the smallest: too many questions for this engine)"
        yield f"  scenario: {outcome.folder / finding.id}.yaml, transcript beside it"
        yield ""
    yield from _figures(outcome)


def _figures(outcome: Outcome) -> Iterator[str]:
    result, seconds = outcome.result, max(outcome.seconds, 0.001)
    what = "Engines " if outcome.against else "Engine  "
    rules = outcome.resolved["ruleset"]
    yield f"{what}  {printable(result.engine, 120)}, ruleset {rules}, seed {outcome.seed}"
    rate = f"{result.cases / seconds:,.0f} cases/s"
    asked = f"{counted(result.cases, 'case')} with {counted(result.views, 'view')}"
    yield f"Asked     {asked} in {seconds:.1f} s ({rate})"
    kinds = counted(len(result.coverage), "situation")
    yield f"Met       {kinds} (contract x rule x place in the trick x ...)"
    if result.unsupported:
        unsupported = counted(result.unsupported, "case is", "cases are")
        yield f"          {unsupported} unsupported by the engine"
    if result.stopped:
        yield f"Stopped   {result.stopped}"
    if not outcome.compared and not outcome.interrupted:
        yield "Nothing could be compared: the engine supports none of these deals"
    elif outcome.findings:
        causes = counted(len(outcome.findings), "cause")
        yield f"Found     {causes}, in {outcome.folder}"
        if len(outcome.findings) >= _MANY and not outcome.against:
            yield "          so many are often another house rule; which one is found out by:"
            yield f"          bauernschnapsen identify {outcome.arguments}"
    elif not outcome.interrupted:
        yield "Found     no difference"
    if not outcome.interrupted:
        yield f"Kept      {outcome.folder / FILE}: what has been played, so that it can go on"
    yield f"go on:    bauernschnapsen fuzz --resume {shlex.quote(str(outcome.folder))}"


class Progress:
    """A line on a terminal that says how far a campaign has come; nothing in a pipe."""

    def __init__(self, *, quiet: bool = False) -> None:
        """`quiet`: say nothing on a terminal either."""
        self._quiet = quiet or not on_terminal()
        self._line: tqdm[Never] | None = None
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        if not self._quiet:
            self._line = told()
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.close()

    def tell(self, state: State) -> None:
        """Say where the campaign is."""
        if self._line is None:
            return
        parts = state.parts
        cases = sum(part.cases for part in parts)
        causes = {cause for part in parts for cause, _ in part.findings}
        rate = cases / max(time.monotonic() - self._began, 0.001)
        self._line.set_description_str(
            f"{counted(cases, 'case')}, {rate:,.0f}/s, "
            f"{counted(len(state.total.coverage), 'situation')}, {counted(len(causes), 'cause')}"
        )
