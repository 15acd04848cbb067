"""Where the command `bauernschnapsen` begins: an interrupt before or after its work stays quiet.

While modules are loaded there is nothing to tidy up and nothing to report, and a traceback would be
all that Ctrl-C shows. So this module loads almost nothing itself. Once the command line is there it
takes interrupts as it always does (`commands.main`).
"""

from __future__ import annotations

import os
import signal
from types import FrameType

EXIT_TOO_EARLY = 130
"""What shells say of a process that Ctrl-C has ended."""


def main() -> int:
    """Load the command line and run it; return its exit code."""
    # Whoever runs this in the background has interrupts ignored, and so it stays.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, _leave)
    from .commands import main as run

    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return run()
    except KeyboardInterrupt:  # between two lines, where `run` could not take it
        return EXIT_TOO_EARLY
    finally:
        if ours:
            signal.signal(signal.SIGINT, _leave)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - its form
    """End at once: neither the rest of an import nor what Python does at its end is waited for."""
    os._exit(EXIT_TOO_EARLY)
