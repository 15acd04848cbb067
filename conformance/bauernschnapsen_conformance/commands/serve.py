"""`bauernschnapsen serve`: the reference engine as an adapter on standard input and output."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from . import options


@click.command("serve")
@options.ruleset("Rules to play by until others are sent.")
@click.option("--fixed", is_flag=True, help="Play that ruleset only, as an engine of its own does.")
@click.option("--mutant", metavar="NAME", help="Break one rule (see 'bauernschnapsen mutants').")
def command(ruleset: str, fixed: bool, mutant: str | None) -> None:
    """Serve the reference engine over the adapter protocol.

    \b
    Examples: the engine certifying itself in another process, and a faulty one:
      bauernschnapsen certify -- bauernschnapsen serve
      bauernschnapsen certify -- bauernschnapsen serve --mutant play.beat.third-hand
    An engine with house rules that nobody has been told:
      bauernschnapsen identify -- bauernschnapsen serve --ruleset my-house.yaml --fixed
    """
    adapter = _adapter(ruleset, mutant)
    if fixed:
        from ..identify.served import Fixed

        adapter = Fixed(adapter)
    read, write, flush = sys.stdin.buffer, sys.stdout.buffer.write, sys.stdout.buffer.flush
    for line in read:
        reply = _answer(adapter, line)
        if reply is not None:
            write(json.dumps(reply, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            flush()


def _adapter(ruleset: str, mutant: str | None) -> Any:
    if mutant is None:
        from ..reference_adapter import ReferenceAdapter

        return ReferenceAdapter(ruleset)
    from ..teeth.serving import mutant_adapter

    return mutant_adapter(mutant, ruleset)


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
