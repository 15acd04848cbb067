"""Answers one request with brackets nested a hundred thousand deep.

`--how shallow` nests 40 deep, which no parser minds; `--how hidden` hides that behind brackets in
strings.
"""

from base import Message, arguments, serve, write_raw


def deep(request: Message, _: Message) -> None:
    """Write the nested reply."""
    how = arguments().how
    start = b'{"id":%d,"ok":' % request["id"]
    if how == "hidden":
        write_raw(start + b'["]",' * 40 + b'"["' + b',"["]' * 40 + b"}\n")
    else:
        depth = 40 if how == "shallow" else 100_000
        write_raw(start + b"[" * depth + b"]" * depth + b"}\n")


serve(deep)
