"""Running the checks: a new process for each, so that one fault does not hide the others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic

from bauernschnapsen.ruleset import load_ruleset

from ..adapter import AdapterCommand, AdapterError, Hello, Limits, Session
from ..adapter.last_words import in_a_row
from .checks import CHECKS
from .finding import IDENTITY, Finding, Found, Status, Trouble
from .talk import Talk

# When so many checks were broken off, or they took so long, the rest would say the same.
_MOST_BROKEN_OFF = 6
_MOST_SILENT = 4


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings. `hello` is None if the adapter did not start."""

    hello: Hello | None
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong; notes are allowed."""
        return not any(finding.status is Status.WRONG for finding in self.findings)


def examine(
    command: AdapterCommand,
    *,
    limits: Limits | None = None,
    told: Callable[[Finding], None] | None = None,
    checks: Collection[str] = CHECKS,
) -> Diagnosis:
    """Examine an adapter; `checks` are all by default.

    `told` gets each finding as it is made. One cause is one finding: which other checks it was seen
    in is known at the end.
    """
    limits = limits or Limits()
    found = Found(told)
    hello = _start(command, limits, found.note)
    if hello is None:
        return Diagnosis(None, found.all())
    ruleset = load_ruleset("pagat")
    broken_off, lost = 0, 0.0
    patience = _MOST_SILENT * limits.scaled(limits.request)
    for name, check in CHECKS.items():
        if name not in checks:
            continue
        if broken_off >= _MOST_BROKEN_OFF or lost >= patience:
            text = "not examined: too much goes wrong before it"
            found.note(Finding(name, Status.NOTE, text))
            continue
        begun = monotonic()
        try:
            with Talk(command, limits) as talk:
                now = talk.shake_hands(ruleset)
                unlike = hello.unlike(now)
                if unlike is not None:
                    text = f"after a restart {unlike}"
                    hint = "No time stamp and no process number in names and versions."
                    found.note(Finding(IDENTITY, Status.WRONG, text, hint))
                for finding in check(talk, now):
                    found.note(finding)
        except Trouble as trouble:
            broken_off, lost = broken_off + 1, lost + monotonic() - begun
            found.note(Finding(name, Status.WRONG, trouble.text, trouble.hint))
        except AdapterError as error:
            broken_off, lost = broken_off + 1, lost + monotonic() - begun
            text = f"after a restart: {error.message}{in_a_row(error.stderr_tail)}"
            found.note(Finding(name, Status.WRONG, text, error.hint))
    return Diagnosis(hello, found.all())


def _start(
    command: AdapterCommand, limits: Limits, note: Callable[[Finding], None]
) -> Hello | None:
    """Start as a run does, for its explanations of what goes wrong at the beginning."""
    begun = monotonic()
    try:
        with Session(command, limits=limits) as session:
            hello = session.start()
            seconds = monotonic() - begun
    except AdapterError as error:
        said = in_a_row(error.stderr_tail)
        note(Finding("start", Status.WRONG, f"{error.message}{said}", error.hint))
        return None
    who = f"{hello.engine.name} {hello.engine.version}"
    note(Finding("start", Status.OK, f"{who} answers hello after {seconds:.2f} s"))
    if seconds > 1.0:
        hint = "After every crash it is started again; load what is big only when it is needed."
        note(Finding("start", Status.NOTE, "starting takes long", hint))
    return hello
