"""Stops reading on one request while it writes more than a pipe holds, and never reads again."""

import time

from base import Message, serve, write_raw


def block(*_: Message) -> None:
    """Fill the pipe with noise, then stay."""
    write_raw(b"still busy ...\n" * 20_000)
    time.sleep(3600)


serve(block)
