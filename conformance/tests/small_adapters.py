"""Adapters of a few lines, in Python, for tests of the session."""

from __future__ import annotations

import sys
from typing import Any

from bauernschnapsen_conformance.adapter import (
    AdapterCommand,
    Request,
)

GREETING = """
import json, os, sys, time
def reply(request, **outcome):
    os.write(1, json.dumps({"id": request["id"], **outcome}).encode() + b"\\n")
def greet(request, window=1, **capabilities):
    reply(request, ok={"protocol": 1, "adapter": {"name": "a", "version": "1"},
          "engine": {"name": "e", "version": "2"}, "capabilities": capabilities, "window": window})
requests = map(json.loads, sys.stdin)
"""


def adapter(code: str) -> AdapterCommand:
    """An adapter of a few lines, in which `requests`, `greet` and `reply` are at hand."""
    return AdapterCommand((sys.executable, "-S", "-E", "-c", GREETING + code))


def ping(key: object, **fields: Any) -> Request:
    return Request(key, {"op": "ping", **fields})


ECHO = """
greet(next(requests), window=8)
for request in requests:
    reply(request, ok=request.get("say"))
"""
