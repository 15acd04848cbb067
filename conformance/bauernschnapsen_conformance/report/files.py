"""Writing what a run has found out to the files that were asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bauernschnapsen.errors import SpecError

from ..corpus.rules import load_rules
from ..runner import Report
from .badge import badge_file, check_badge_name
from .html import html_report
from .junit import junit_xml
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
    if json_file is not None:
        write(json_file, json_bytes(whole))
    if junit_file is not None:
        write(junit_file, junit_xml(report, repeat))
    if html_file is not None:
        write(html_file, html_report(report, whole, load_rules(), repeat))
    if certificate_file is not None:
        write(certificate_file, json_bytes(certificate(whole)))
    for path in badges:
        write(path, badge_file(whole, path))


def check_targets(*paths: Path | None, badges: Sequence[Path] = ()) -> None:
    """Make sure, before a long run, that files can be written. SpecError for one that cannot."""
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise SpecError("cannot be written: it is a directory", str(path))
        if not path.parent.is_dir():
            raise SpecError("cannot be written: its directory does not exist", str(path))
    for path in badges:
        check_badge_name(path)


def write(path: Path, content: bytes) -> None:
    """Write a file; SpecError with the reason if that is impossible."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise SpecError(f"cannot be written: {error.strerror}", str(path)) from None


def json_bytes(value: Any) -> bytes:
    """JSON for people and programs: indented, UTF-8, with a line end."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def read_json(path: Path, *, most_bytes: int = 1 << 28) -> Any:
    """Read a JSON file that may be anything. SpecError naming file, line and column."""
    shown = str(path)
    try:
        if path.is_file() and path.stat().st_size > most_bytes:
            raise SpecError(f"is larger than {most_bytes} bytes", shown)
        return json.loads(path.read_bytes())
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror}", shown) from None
    except json.JSONDecodeError as error:
        raise SpecError(f"is no JSON: {error.msg}", shown, error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise SpecError("is no JSON that can be read", shown) from None
