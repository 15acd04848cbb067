"""Writes something that only begins like a message.

`--how after` writes it behind the right reply, `--how pretty` spreads the reply over lines,
`--how log` writes a log record before the reply.
"""

import json

from base import Message, arguments, serve, write, write_raw


def garbage(_: Message, reply: Message) -> None:
    """Write the garbage."""
    how = arguments().how
    if how == "after":
        write(reply)
        write_raw(b"{oops\n")
    elif how == "pretty":
        write_raw(json.dumps(reply, indent=2).encode() + b"\n")
    elif how == "log":
        write_raw(b'{"level":"info","text":"thinking"}\n')
        write(reply)
    else:
        write_raw(b'{"id":1,"ok":[[}\n')


serve(garbage)
