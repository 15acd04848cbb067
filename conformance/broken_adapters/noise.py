"""Prints a banner at the start and stray lines before replies; a fault of nobody."""

from base import Message, serve, write, write_raw


def chatter(_: Message, reply: Message) -> None:
    """A stray line, an empty one, then the reply."""
    write_raw("thinking about ♠ ...\n\n[debug] done\n".encode())
    write(reply)


write_raw(b"*** Engine 3.1 ***\nready\n")
serve(chatter)
