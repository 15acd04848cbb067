"""Speaks only a protocol version of the future; `--how error` says so in an error."""

import json

from base import Lines, arguments, hello, write

for line in Lines():
    request = json.loads(line)
    if arguments().how == "error":
        write({"id": request["id"], "error": {"message": "I speak versions 7 to 9"}})
    else:
        write({"id": request["id"], "ok": {**hello(1), "protocol": 7}})
