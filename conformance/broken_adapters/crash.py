"""Crashes on one request, with a word on stderr; `--how signal` dies by a signal."""

import os
import signal

from base import arguments, complain, serve


def crash(*_: object) -> None:
    """End at once."""
    complain("index out of range: 13")
    if arguments().how == "signal":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(11)


serve(crash)
