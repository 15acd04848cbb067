"""Hangs on one request and does not listen to SIGTERM."""

import signal
import time

from base import serve

signal.signal(signal.SIGTERM, signal.SIG_IGN)


def hang(*_: object) -> None:
    """Sleep for longer than anybody waits."""
    time.sleep(3600)


serve(hang)
