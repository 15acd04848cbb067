"""Never answers one request, nor any after it."""

import time

from base import serve


def hang(*_: object) -> None:
    """Sleep for longer than anybody waits."""
    time.sleep(3600)


serve(hang)
