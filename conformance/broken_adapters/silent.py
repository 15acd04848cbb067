"""Drops one request and goes on with the next: that reply never comes."""

from base import serve


def drop(*_: object) -> None:
    """Say nothing."""


serve(drop)
