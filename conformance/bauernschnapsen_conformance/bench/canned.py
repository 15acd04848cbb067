"""An engine as fast as one can be: an adapter that has its replies ready."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..adapter import AdapterCommand
from ..adapter.wire import encode

WINDOW = 16
_ADAPTER = """
import sys
replies = open(sys.argv[1], "rb").read().split(b"\\n")
who = b'{"name":"canned","version":"1"}'
hello = b'"ok":{"protocol":1,"adapter":%b,"engine":%b,' % (who, who)
hello += b'"capabilities":{"starts":["deal"],"legal_plays":true},"window":WINDOW}}'
number = -1
for line in sys.stdin.buffer:
    reply = hello if number < 0 else replies[number % len(replies)]
    sys.stdout.buffer.write(b'{"id":%b,%b\\n' % (line[6 : line.index(b",")], reply))
    sys.stdout.buffer.flush()
    number += 1
""".replace("WINDOW", str(WINDOW))


@contextlib.contextmanager
def canned_adapter(replies: Sequence[Mapping[str, Any]]) -> Iterator[AdapterCommand]:
    """The command of an adapter that gives these replies in turn, whatever it is asked."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replies"
        file.write_bytes(b"\n".join(encode(reply)[1:] for reply in replies))
        yield AdapterCommand((sys.executable, "-S", "-E", "-c", _ADAPTER, str(file)))
