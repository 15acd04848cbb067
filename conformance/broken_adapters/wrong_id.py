"""Answers one request under a wrong id.

`--how earlier` takes the id of the request before, `--how next` that of the one after, `--how text`
the right number as text, `--how missing` none at all; otherwise it is one that was never given.
"""

from base import Message, arguments, serve, write


def wrong(_: Message, reply: Message) -> None:
    """Reply under a wrong id."""
    how = arguments().how
    number = reply.pop("id")
    if how == "missing":
        write(reply)
    else:
        ids = {"earlier": number - 1, "next": number + 1, "text": str(number)}
        write({"id": ids.get(how, number + 1000), **reply})


serve(wrong)
