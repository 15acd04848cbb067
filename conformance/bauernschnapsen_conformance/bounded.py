"""Reading files of which nothing is known yet, not even whether they end."""

from __future__ import annotations

from pathlib import Path

from bauernschnapsen.errors import SpecError


def read_bounded(path: Path, most_bytes: int) -> bytes:
    """Read a file that may be anything, a device without an end included.

    SpecError if it is larger than that; OSError if it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise SpecError(f"is larger than {most_bytes} bytes", str(path))
    return content
