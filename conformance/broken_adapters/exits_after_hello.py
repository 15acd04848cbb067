"""Answers what starts it, hello and the rules, and ends: made to be started once per question."""

import json

from base import Lines, answering, arguments, greeting, write

options = arguments()
lines = Lines()
write(greeting(json.loads(lines.next() or b"{}"), options))
request = json.loads(lines.next() or b"{}")
if request.get("op") == "rules":
    write({"id": request["id"], **answering(options)(request)})
