"""Takes every request that has been sent, then crashes on one and loses the rest."""

import os

from base import Lines, serve

lines = Lines()


def crash(*_: object) -> None:
    """Swallow what is waiting, then end."""
    while lines.waiting(0.05):
        lines.next()
    os._exit(3)


serve(crash, lines=lines)
