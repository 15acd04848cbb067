"""Answers in groups, last request first; allowed, and no fault."""

import json

from base import Lines, answering, arguments, greeting, write

options = arguments()
answer = answering(options)
lines = Lines()
for first in lines:
    group = [first]
    while len(group) < 4 and lines.waiting(0.02):
        group.append(lines.next() or b"")
    for line in reversed(group):
        request = json.loads(line)
        if request["op"] == "hello":
            write(greeting(request, options))
        else:
            write({"id": request["id"], **answer(request)})
