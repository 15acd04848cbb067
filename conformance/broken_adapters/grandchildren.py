"""Starts processes that outlive it, then crashes on one request.

One stays in the process group, one makes itself a session of its own, and both keep stdout open.
"""

import os
import subprocess
import sys

from base import serve

STAY = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)"
SLEEP = [sys.executable, "-S", "-c", STAY]


def crash(*_: object) -> None:
    """End, leaving the others behind."""
    os._exit(9)


subprocess.Popen(SLEEP)
subprocess.Popen(SLEEP, start_new_session=True)
serve(crash)
