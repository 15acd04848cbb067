"""Crashes on one request and does not start again: it leaves a lock file, named by `--how`."""

import os
from pathlib import Path

from base import arguments, serve

lock = Path(arguments().how)
if lock.exists():
    os._exit(1)
lock.touch()


def crash(*_: object) -> None:
    """End at once."""
    os._exit(2)


serve(crash)
