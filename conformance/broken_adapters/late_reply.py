"""Answers one request rightly, but long after the deadline."""

import time

from base import Message, serve, write


def late(_: Message, reply: Message) -> None:
    """Sleep, then reply."""
    time.sleep(4.0)
    write(reply)


serve(late)
