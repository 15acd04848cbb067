"""Breaks as soon as a second request is sent before the first is answered.

`--how crash` ends, `--how mixed` answers with the cards of the other request, otherwise it keeps
the first for itself.
"""

import json
import os

from base import Lines, arguments, hello, stand_in, write

lines = Lines()
how = arguments().how
for line in lines:
    request = json.loads(line)
    if request["op"] == "hello":
        write({"id": request["id"], "ok": hello(arguments().window)})
        continue
    if lines.waiting():
        if how == "crash":
            os._exit(6)
        other = lines.next()
        if how != "mixed" or other is None:
            continue
        following = json.loads(other)
        write({"id": request["id"], **stand_in(following)})
        write({"id": following["id"], **stand_in(request)})
        continue
    write({"id": request["id"], **stand_in(request)})
