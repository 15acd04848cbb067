"""Breaks as soon as a second request is sent before the first is answered.

`--how crash` ends, `--how mixed` answers with the cards of the other request, otherwise it keeps
the first for itself.
"""

import json
import os

from base import Lines, answering, arguments, greeting, write

options = arguments()
answer = answering(options)
lines = Lines()
for line in lines:
    request = json.loads(line)
    if request["op"] == "hello":
        write(greeting(request, options))
        continue
    if lines.waiting():
        if options.how == "crash":
            os._exit(6)
        other = lines.next()
        if options.how != "mixed" or other is None:
            continue
        following = json.loads(other)
        write({"id": request["id"], **answer(following)})
        write({"id": following["id"], **answer(request)})
        continue
    write({"id": request["id"], **answer(request)})
