"""`bauernschnapsen doctor`: the first day of an adapter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import options

if TYPE_CHECKING:
    from ..diagnosis import Diagnosis, Finding


@click.command("doctor")
@options.timeout_scale
@options.as_json
@click.argument("adapter", nargs=-1, required=True)
def command(timeout_scale: float, as_json: bool, adapter: tuple[str, ...]) -> int:
    """Examine ADAPTER step by step: does it speak the protocol? Each finding with a hint.

    \b
    Exit code: 0 nothing is wrong, 1 something is, 3 the adapter did not start.
    Example:
      bauernschnapsen doctor -- ./my-adapter
    """
    import json
    import shlex

    from bauernschnapsen.errors import printable

    from ..adapter import AdapterCommand, Limits
    from ..diagnosis import examine
    from . import running

    running.check_numbers(timeout_scale=timeout_scale)

    def tell(finding: Finding) -> None:
        status = finding.status.value
        shown = status.upper() if status == "wrong" else status
        click.echo(f"{shown:<6} {finding.check:<24} {printable(finding.text)}")
        if finding.hint:
            click.echo(f"{'':<31} -> {printable(finding.hint)}")

    with running.sigterm_interrupts():
        diagnosis = examine(
            AdapterCommand(adapter),
            limits=Limits(timeout_scale=timeout_scale),
            told=None if as_json else tell,
        )
    if as_json:
        found = {
            "format": "bauernschnapsen-doctor/1",
            "healthy": diagnosis.healthy,
            "findings": [
                {
                    "check": finding.check,
                    "status": finding.status.value,
                    "text": finding.text,
                    "hint": finding.hint,
                    "also": list(finding.also),
                }
                for finding in diagnosis.findings
            ],
        }
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return _exit_code(diagnosis)
    for finding in diagnosis.findings:
        if finding.also:
            click.echo(f"{'also':<6} {finding.check:<24} the same in: {', '.join(finding.also)}")
    if diagnosis.healthy:
        click.echo(f"\nNothing is wrong. Next: bauernschnapsen certify -- {shlex.join(adapter)}")
    elif diagnosis.hello is not None:
        number = sum(finding.status.value == "wrong" for finding in diagnosis.findings)
        many = f"{number} findings are wrong; mend the first ones first."
        click.echo("\n1 finding is wrong." if number == 1 else f"\n{many}")
    return _exit_code(diagnosis)


def _exit_code(diagnosis: Diagnosis) -> int:
    if diagnosis.hello is None:
        return 3
    return 0 if diagnosis.healthy else 1
