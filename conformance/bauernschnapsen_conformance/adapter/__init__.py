"""The adapter side of the runner: a child process, its handshake, and asking it requests.

`Session` is the way in; the page docs/protocol.md says what is spoken.
"""

from __future__ import annotations

from .command import AdapterCommand
from .faults import (
    AdapterDidNotStart,
    AdapterError,
    Breaker,
    Fault,
    FaultKind,
    NoCommonProtocol,
)
from .handshake import Capabilities, Hello, Party, Suite
from .limits import Limits
from .messages import Answer, EncodedBody, Request
from .session import Session

__all__ = [
    "AdapterCommand",
    "AdapterDidNotStart",
    "AdapterError",
    "Answer",
    "Breaker",
    "Capabilities",
    "EncodedBody",
    "Fault",
    "FaultKind",
    "Hello",
    "Limits",
    "NoCommonProtocol",
    "Party",
    "Request",
    "Session",
    "Suite",
]
