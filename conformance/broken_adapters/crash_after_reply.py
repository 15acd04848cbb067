"""Answers one request rightly and crashes a moment later, when others may be under way."""

import os
import time

from base import Message, arguments, serve, write


def crash(_: Message, reply: Message) -> None:
    """Reply, then end; with `--how later` after a while."""
    write(reply)
    if arguments().how == "later":
        time.sleep(0.03)
    os._exit(5)


serve(crash)
