"""Prints without a line end, so that one reply stands behind other text on its line."""

import json

from base import Message, serve, write_raw


def chatter(_: Message, reply: Message) -> None:
    """Text and reply on one line."""
    write_raw(b"thinking ... " + json.dumps(reply).encode() + b"\n")


serve(chatter)
