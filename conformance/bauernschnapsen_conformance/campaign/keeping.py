"""Keep a campaign on disk, so that it goes on where it was after an interrupt.

One file, written as a whole: what the campaign is about, the results of complete waves merged, and
those of the chunks since. Read back it is data from outside: a schema checks it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bauernschnapsen
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.errors import SpecError

from ..run.engine import Engine
from .chunks import Prior, Result
from .running import State, Wave
from .workers import Subject

Json = dict[str, Any]
FILE = "campaign.json"
FORMAT = 1
_MOST_BYTES = 1 << 29
_EVERY = 2.0
"""Seconds between two times of writing; what is lost with the process is run again."""


class Keeper:
    """Writes the state of a campaign into a folder, now and then."""

    def __init__(self, folder: Path, subject: Subject) -> None:
        """The folder is made when something is kept for the first time."""
        self.folder, self._subject = folder, subject
        self._last: float | None = None

    def now_and_then(self, state: State) -> None:
        """Keep the state, unless that was done a moment ago."""
        if self._last is None or time.monotonic() - self._last >= _EVERY:
            self.keep(state)

    def keep(self, state: State) -> None:
        """Write the state; SpecError if the file cannot be written."""
        data = {"format": FORMAT, **_subject_json(self._subject), **_state_json(state)}
        file = self.folder / FILE
        written = file.with_suffix(".new")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
            written.replace(file)
        except OSError as error:
            raise SpecError(f"cannot write {file}: {error.strerror}") from None
        self._last = time.monotonic()


def load(folder: Path) -> tuple[Subject, State]:
    """Return what a campaign in a folder (or its file) is about, and how far it has come.

    SpecError if there is none, or if the file is none of this version.
    """
    file = folder if folder.is_file() else folder / FILE
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise SpecError(f"more than {_MOST_BYTES} bytes are no campaign", str(file))
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise SpecError(f"there is no campaign in {folder}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SpecError(f"this is no JSON: {error}", str(file)) from None
    errors = validate(data, "campaign")
    if errors:
        raise errors[0].located(str(file))
    if data["version"] != bauernschnapsen.__version__:
        raise SpecError(
            f"this campaign was begun by version {data['version']}",
            str(file),
            hint="other versions play other cases: begin it again",
        )
    return _read_subject(data), _read_state(data)


def _subject_json(subject: Subject) -> Json:
    return {
        "version": bauernschnapsen.__version__,
        "ruleset": subject.resolved,
        "engine": _engine_json(subject.engine),
        "against": None if subject.other is None else _engine_json(subject.other),
        "timeout_scale": subject.timeout_scale,
    }


def _engine_json(engine: Engine) -> Json:
    return {"argv": list(engine.argv), "python": engine.python}


def _read_subject(data: Mapping[str, Any]) -> Subject:
    def engine(about: Json) -> Engine:
        return Engine(tuple(about["argv"]), about["python"])

    other = None if data["against"] is None else engine(data["against"])
    return Subject.of(data["ruleset"], engine(data["engine"]), other, data["timeout_scale"])


def _state_json(state: State) -> Json:
    return {
        "seed": state.seed,
        "size": state.size,
        "blind": state.blind,
        "most_findings": state.most_findings,
        "complete": state.complete,
        "seconds": round(state.seconds, 1),
        "total": state.total.as_json(),
        "priors": {str(wave): prior.as_json() for wave, prior in state.priors.items()},
        "begun": {
            str(wave): {"done": sorted(part.done), "result": part.result.as_json()}
            for wave, part in state.begun.items()
        },
    }


def _read_state(data: Mapping[str, Any]) -> State:
    return State(
        data["seed"],
        data["size"],
        data["blind"],
        data["most_findings"],
        data["complete"],
        Result.from_json(data["total"]),
        {int(wave): Prior.from_json(prior) for wave, prior in data["priors"].items()},
        {
            int(wave): Wave(set(part["done"]), Result.from_json(part["result"]))
            for wave, part in data["begun"].items()
        },
        data["seconds"],
    )
