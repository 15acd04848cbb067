"""A conversation with one adapter process, line by line, in which anything may be sent."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, Self

from bauernschnapsen.ruleset import Resolved

from ..adapter import AdapterCommand, Hello, Limits
from ..adapter.faults import printable
from ..adapter.handshake import Suite, hello_body, parse_hello
from ..adapter.last_words import in_a_row
from ..adapter.launch import RULES_KEY
from ..adapter.process import AdapterProcess
from ..adapter.wire import WireError, decode
from ..run.plan import engine_ruleset
from .finding import Trouble

Json = dict[str, Any]
_SLICE = 0.05
_OF_THE_GAME = frozenset({"replay", "legal_plays", "trick_winner"})


class Talk:
    """One process; a context manager that ends it. All waiting is bounded.

    Everything raises Trouble where the adapter does not answer as a request asks.
    """

    def __init__(self, command: AdapterCommand, limits: Limits) -> None:
        """Start the process; AdapterDidNotStart if there is no such command."""
        self.limits = limits
        self.process = AdapterProcess(command, limits)
        self._ids = itertools.count(1)
        self._inbox: list[bytes] = []
        self._answered: set[int] = set()
        self.first_hello: Json = {}
        self.rules_reply: Json | None = None
        self._rules: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.end()

    # ---- sending

    def send(self, body: Mapping[str, Any]) -> int:
        """Send a request; its id."""
        return self.send_all([body])[0]

    def send_all(self, bodies: Sequence[Mapping[str, Any]]) -> list[int]:
        """Send several requests in one write; their ids."""
        ids = [next(self._ids) for _ in bodies]
        lines = [
            json.dumps(
                {"id": number, **self._under_rules(body)},
                ensure_ascii=False,
                separators=(",", ":"),
            )
            for number, body in zip(ids, bodies, strict=True)
        ]
        self.process.send("".join(line + "\n" for line in lines).encode())
        return ids

    def _under_rules(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Name the ruleset in what is about the game, if the engine has taken one."""
        if self._rules is None or body["op"] not in _OF_THE_GAME:
            return body
        return {**body, "rules": self._rules}

    def send_line(self, line: bytes) -> None:
        """Send any line."""
        self.process.send(line + b"\n")

    # ---- receiving

    def ask(self, body: Mapping[str, Any], seconds: float | None = None) -> Json:
        """Send a request and return its reply without the id. Trouble as `replies`."""
        try:
            return self.replies([self.send(body)], seconds)[0]
        except Trouble as trouble:
            op = printable(str(body["op"]), 40)
            raise Trouble(f"{trouble.text} (asked was {op})", trouble.hint) from None

    def ask_all(self, bodies: Sequence[Mapping[str, Any]]) -> list[Json]:
        """Send several requests at once and return their replies in the same order."""
        return self.replies(self.send_all(bodies))

    def replies(self, ids: Sequence[int], seconds: float | None = None) -> list[Json]:
        """Wait for the replies to these ids, in any order.

        Trouble if one does not come in time (seconds, before scaling) or is not what it must be.
        """
        patience = self.limits.scaled(self.limits.request if seconds is None else seconds)
        found: dict[int, Json] = {}
        until = monotonic() + patience
        while len(found) < len(ids):
            for line in self._lines(until):
                number, message = _read(line)
                if number in found or number in self._answered:
                    raise Trouble(f"two replies with id {number}", "Send one reply per request.")
                if number not in ids:
                    raise Trouble(
                        f"a reply with id {number}, which was not asked: {printable(line, 100)}",
                        "Copy the id of the request into its reply, and reply once.",
                    )
                found[number] = message
                until = monotonic() + patience
        self._answered.update(ids)
        return [found[number] for number in ids]

    def quiet(self, seconds: float) -> None:
        """Make sure that nothing comes for so many seconds. Trouble if something does."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            lines = self._inbox or self.process.receive(min(left, _SLICE))
            self._inbox = []
            if lines:
                raise Trouble(
                    f"a line that nobody asked for: {printable(lines[0], 120)}",
                    "A line without a readable id gets no reply; any other request gets one.",
                )
            if self.process.eof or self.process.exited():
                raise self._ended()

    def _lines(self, until: float) -> list[bytes]:
        if self._inbox:
            lines, self._inbox = self._inbox, []
            return lines
        while True:
            lines = self.process.receive(_SLICE)
            if lines:
                return lines
            if self.process.oversize:
                raise Trouble(
                    f"a line of more than {self.limits.max_line} bytes",
                    "Keep every line within limits.max_line bytes; is a line end missing?",
                )
            if self.process.eof or (self.process.exited() and self.process.idle):
                raise self._ended()
            if monotonic() >= until:
                raise self._silent()

    def _silent(self) -> Trouble:
        half = self.process.half_line
        if half:
            return Trouble(
                f"only half a line came: {printable(half, 100)}",
                "End every line with a line feed and flush it.",
            )
        return Trouble(
            "no reply in time",
            "Is every reply flushed? Does the loop go on after this request?",
        )

    def _ended(self) -> Trouble:
        self.process.wait_exit(0.3)
        how = str(self.process.exit) if self.process.exit else "closed its output"
        said = in_a_row(self.process.stderr_tail())
        return Trouble(
            f"the adapter {how}{said}", "Catch what goes wrong with a request and answer error."
        )

    # ---- the beginning

    def shake_hands(self, ruleset: Resolved) -> Hello:
        """Send hello and read the answer, and send the ruleset to an engine that is configurable.

        AdapterError if the answer to hello is not what it must be.
        """
        body = hello_body(Suite("0", ""), self.limits.max_line)
        self.first_hello = self.ask(body, self.limits.start_up)
        hello = parse_hello(self.first_hello)
        if hello.capabilities.configurable:
            rules = engine_ruleset(ruleset, hello.capabilities.claims)
            self.rules_reply = self.ask({"op": "rules", "key": RULES_KEY, "rules": rules})
            if "ok" in self.rules_reply:
                self._rules = RULES_KEY
        return hello


def _read(line: bytes) -> tuple[int, Json]:
    try:
        message = decode(line)
    except WireError as error:
        raise Trouble(
            f"a line that is no message ({error}): {printable(line, 100)}",
            "Write one JSON object per line on stdout and everything else on stderr.",
        ) from None
    number = message.pop("id", None)
    if type(number) is not int:
        raise Trouble(
            f"a reply without the id of its request: {printable(line, 100)}",
            "Copy the id of the request into its reply, as a number.",
        )
    return number, message
