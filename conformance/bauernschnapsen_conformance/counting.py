"""Numbers with what is counted, in the singular and the plural."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 scenario` or `2 scenarios`; `many` where the plural is not made with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
