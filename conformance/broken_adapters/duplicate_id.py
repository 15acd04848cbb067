"""Answers one request twice; with `--how later` the second reply comes after a while."""

import time

from base import Message, arguments, serve, write


def twice(_: Message, reply: Message) -> None:
    """Reply, and reply again."""
    write(reply)
    if arguments().how == "later":
        time.sleep(0.03)
    write(reply)


serve(twice)
