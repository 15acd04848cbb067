"""Writes 1 GB to stderr before it answers one request."""

import os

from base import Message, serve, write


def flood(request: Message, reply: Message) -> None:
    """Flood, a last word, and the reply."""
    del request
    piece = b"warning: something is odd\n" * 2500
    for _ in range(1_000_000_000 // len(piece)):
        os.write(2, piece)
    write(reply)


serve(flood)
