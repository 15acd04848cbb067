"""Answers one request in Latin-1; with `--how surrogate` with half of a surrogate pair."""

from base import Message, arguments, serve, write_raw


def latin(request: Message, _: Message) -> None:
    """Write the reply in a wrong encoding."""
    text = rb'"\ud83d"' if arguments().how == "surrogate" else '"Königsgang"'.encode("latin-1")
    write_raw(b'{"id":%d,"ok":[[%b]]}\n' % (request["id"], text))


serve(latin)
