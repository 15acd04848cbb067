"""Writes a line of 100 MB; `--how noise` one that does not begin like a message."""

from base import Message, arguments, serve, write, write_raw


def huge(request: Message, reply: Message) -> None:
    """Write it piece by piece, so that only the reader could need the memory."""
    del request
    noise = arguments().how == "noise"
    write_raw(b"#" if noise else b'{"id":1,"ok":"')
    piece = b"x" * 65536
    for _ in range(1600):
        write_raw(piece)
    write_raw(b"\n" if noise else b'"}\n')
    write(reply)


serve(huge)
