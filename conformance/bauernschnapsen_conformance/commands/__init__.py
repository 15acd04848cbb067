"""The command line."""

from __future__ import annotations

import click


@click.group()
def main() -> None:
    """Rules, reference engine and conformance suite for Bauernschnapsen."""
