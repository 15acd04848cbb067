"""Writing what a run has found out to the files that were asked for."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bauernschnapsen.errors import SpecError

from ..bounded import read_bounded
from ..run.outcome import Report
from .badge import badge_file, check_badge_name
from .machine import certificate
from .repeat import Repeat

Json = dict[str, Any]


def write_reports(
    report: Report,
    whole: Json,
    repeat: Repeat,
    *,
    json_file: Path | None = None,
    junit_file: Path | None = None,
    html_file: Path | None = None,
    certificate_file: Path | None = None,
    badges: Sequence[Path] = (),
) -> None:
    """Write the files that are named. `whole` is the JSON report. SpecError if one cannot be."""
    # What writes a form is loaded for that form only: most runs ask for none.
    if json_file is not None:
        write(json_file, json_bytes(whole))
    if junit_file is not None:
        from .junit import junit_xml

        write(junit_file, junit_xml(report, repeat))
    if html_file is not None:
        from ..corpus.rules import load_rules
        from .html import html_report

        write(html_file, html_report(report, whole, load_rules(), repeat))
    if certificate_file is not None:
        write(certificate_file, json_bytes(certificate(whole)))
    for path in badges:
        write(path, badge_file(whole, path))


def check_targets(
    *paths: Path | None, badges: Sequence[Path] = (), inputs: Sequence[Path | None] = ()
) -> None:
    """Make sure, before a long run, that files can be written. SpecError for one that cannot.

    No file is written twice, nor over one of the `inputs`.
    """
    # Not Path.is_file: a word of a command may be too long for any path.
    read = [one for one in inputs if one is not None and os.path.isfile(one)]  # noqa: PTH113
    taken = {one.resolve(): "is read" for one in read}
    for path in paths:
        if path is None:
            continue
        try:
            _check_target(path, taken)
        except OSError as error:
            raise SpecError(f"cannot be written: {error.strerror}", str(path)) from None
    for path in badges:
        check_badge_name(path)


def _check_target(path: Path, taken: dict[Path, str]) -> None:
    place = path.resolve()
    if path.is_dir():
        raise SpecError("cannot be written: it is a directory", str(path))
    if not path.parent.is_dir():
        raise SpecError("cannot be written: its directory does not exist", str(path))
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise SpecError("cannot be written: permission denied", str(path))
    if place in taken and not path.is_char_device():
        raise SpecError(f"{taken[place]} by this command", str(path), hint="name another file")
    taken[place] = "is written already"


def write(path: Path, content: bytes) -> None:
    """Write a file; SpecError with the reason if that is impossible."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise SpecError(f"cannot be written: {error.strerror}", str(path)) from None


def json_bytes(value: Any) -> bytes:
    """JSON for people and programs: indented, UTF-8, with a line end."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def read_json(path: Path, *, most_bytes: int = 1 << 28) -> Any:
    """Read a JSON file that may be anything. SpecError naming file, line and column."""
    shown = str(path)
    try:
        return json.loads(
            read_bounded(path, most_bytes), parse_constant=_refused, parse_float=_finite
        )
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror}", shown) from None
    except json.JSONDecodeError as error:
        raise SpecError(f"is no JSON: {error.msg}", shown, error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise SpecError("is no JSON that can be read", shown) from None
