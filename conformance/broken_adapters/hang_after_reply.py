"""Answers one request rightly, and never reads another one."""

import time

from base import Message, serve, write


def hang(_: Message, reply: Message) -> None:
    """Reply, then sleep for longer than anybody waits."""
    write(reply)
    time.sleep(3600)


serve(hang)
