"""`bauernschnapsen serve`: the reference engine as an adapter on standard input and output."""

from __future__ import annotations

import json
import sys
from typing import Any

import click


@click.command("serve")
@click.option("--ruleset", default="pagat", help="Shipped ruleset to play until rules are sent.")
def command(ruleset: str) -> None:
    """Serve the reference engine over the adapter protocol.

    \b
    Example, the engine certifying itself in another process:
      bauernschnapsen certify -- bauernschnapsen serve
    """
    from ..reference_adapter import ReferenceAdapter

    adapter = ReferenceAdapter(ruleset)
    read, write, flush = sys.stdin.buffer, sys.stdout.buffer.write, sys.stdout.buffer.flush
    for line in read:
        reply = _answer(adapter, line)
        if reply is not None:
            write(json.dumps(reply, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            flush()


def _answer(adapter: Any, line: bytes) -> dict[str, Any] | None:
    """Return the reply to a line, or None where it has no readable id."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    number = message.get("id") if isinstance(message, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        return None
    return {"id": number, **adapter.handle(message)}
