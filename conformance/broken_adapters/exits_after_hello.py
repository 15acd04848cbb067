"""Reads one line, answers it, and ends: made for being started once per question."""

import json

from base import Lines, arguments, hello, write

request = json.loads(Lines().next() or b"{}")
write({"id": request["id"], "ok": hello(arguments().window)})
