"""Writes half a reply and falls silent."""

import json
import time

from base import Message, serve, write_raw


def half(_: Message, reply: Message) -> None:
    """Write half of the line."""
    line = json.dumps(reply).encode()
    write_raw(line[: len(line) // 2])
    time.sleep(3600)


serve(half)
