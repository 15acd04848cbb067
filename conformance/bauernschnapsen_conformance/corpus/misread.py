"""Steps of scenarios in a form that is none: one sentence that says how they are written.

The schema knows what a step may be, but of a mapping such as `{seat: N, action: play AH}` it can
only tell which keys are missing and which are too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bauernschnapsen.data.yaml_loader import Document
from bauernschnapsen.errors import SpecError, field_path
from bauernschnapsen.notation import SEATS

_FORMS = "an action is a text such as N play AH, and a mapping has the key expect or refused"
Pointer = tuple[str | int, ...]


def in_words(document: Document, errors: Sequence[SpecError]) -> list[SpecError]:
    """Return the faults of a scenario file with one for each step that is written in another form.

    `errors` are those that the schema has found; what they say of such a step is left out.
    """
    told = {field_path(where): (where, step) for where, step in _odd_steps(document.value)}
    found: list[SpecError] = []
    said = set()
    for error in errors:
        field = error.field or ""
        about = next((name for name in told if _is_within(field, name)), None)
        if about is None:
            found.append(error)
        elif about not in said:
            said.add(about)
            where, step = told[about]
            found.append(document.error(where, "this is no step of a scenario", _hint(step)))
    return found


def _is_within(field: str, step: str) -> bool:
    return field == step or field.startswith((f"{step}.", f"{step}["))


def _odd_steps(data: Any) -> Iterator[tuple[Pointer, Any]]:
    """Yield every step that is neither a text nor a mapping with one of its keys."""
    for number, scenario in _entries(data, "scenarios"):
        here: Pointer = ("scenarios", number)
        records = [(here, scenario)]
        records += [((*here, "play_on", at), deal) for at, deal in _entries(scenario, "play_on")]
        for where, record in records:
            for place, step in _entries(record, "steps"):
                keyed = isinstance(step, dict) and ("expect" in step or "refused" in step)
                if isinstance(step, dict | list) and not keyed:
                    yield (*where, "steps", place), step


def _entries(data: Any, key: str) -> Iterator[tuple[int, Any]]:
    inner = data.get(key) if isinstance(data, dict) else None
    return iter(enumerate(inner if isinstance(inner, list) else ()))


def _hint(step: Any) -> str:
    """Say how the step is written, if a seat and an action can be made out in it."""
    words = step
    if isinstance(step, dict):
        words = (
            [*step.values()] if len(step) > 1 else [word for pair in step.items() for word in pair]
        )
    match words:
        case [seat, str(action)] if seat in [*SEATS] and action.isprintable():
            return f"write it as - {seat} {action[:40]}"
    return _FORMS
