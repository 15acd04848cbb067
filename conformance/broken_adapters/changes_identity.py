"""Has its process number in its version, and crashes on one request."""

import os

from base import serve


def crash(*_: object) -> None:
    """End at once."""
    os._exit(2)


serve(crash, version=f"1.0-{os.getpid()}")
