"""Never flushes: replies stay in its buffer until its input ends."""

import json
import sys

from base import arguments, hello, stand_in

for line in sys.stdin:
    request = json.loads(line)
    result = hello(arguments().window) if request["op"] == "hello" else None
    reply = {"ok": result} if result else stand_in(request)
    print(json.dumps({"id": request["id"], **reply}))
