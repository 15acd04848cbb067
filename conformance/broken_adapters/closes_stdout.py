"""Closes its stdout on one request, but lives on."""

import os
import time

from base import serve


def close(*_: object) -> None:
    """Close and stay."""
    os.close(1)
    time.sleep(3600)


serve(close)
