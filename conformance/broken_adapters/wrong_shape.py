"""Answers one request with its id and nothing else; with `--how both` with two outcomes."""

from base import Message, arguments, serve, write


def shapeless(_: Message, reply: Message) -> None:
    """Reply without an outcome, or with two."""
    if arguments().how == "both":
        write({**reply, "unsupported": "not sure"})
    else:
        write({"id": reply["id"]})


serve(shapeless)
