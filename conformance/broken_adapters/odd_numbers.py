"""Answers one request with a number that the protocol does not know; `--how` is that number."""

from base import Message, arguments, serve, write_raw


def number(request: Message, _: Message) -> None:
    """Write the reply with the number in it."""
    text = arguments().how or "NaN"
    if text == "endless":
        text = "9" * 500_000
    write_raw(b'{"id":%d,"ok":[[%b]]}\n' % (request["id"], text.encode()))


serve(number)
