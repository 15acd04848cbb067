"""From a command to a process that has shaken hands: start, `hello`, and `rules` if wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .channel import Broken, Channel
from .command import AdapterCommand
from .faults import AdapterDidNotStart, Breaker, FaultKind, printable
from .handshake import Hello, Suite, hello_body, parse_hello
from .limits import Limits
from .messages import Request
from .process import AdapterProcess, Recorder

RULES_KEY = "r1"
_PATIENCE_AFTER_SILENCE = 1.0
_ENDS = (FaultKind.CRASH, FaultKind.MISSING_REPLY)


@dataclass(frozen=True, slots=True)
class Launched:
    """A process ready for requests. `rules_refused` says why it did not take the ruleset."""

    channel: Channel
    hello: Hello
    rules_refused: str | None


@dataclass(frozen=True, slots=True)
class Launcher:
    """Everything that is the same for each start of one adapter."""

    command: AdapterCommand
    limits: Limits
    ids: Iterator[int]
    suite: Suite
    rules: Mapping[str, Any] | None
    recorder: Recorder | None
    breaker: Breaker

    def launch(self, *, first: bool = False) -> Launched:
        """Start the adapter. Raises AdapterDidNotStart or NoCommonProtocol; leaves nothing then.

        The first time it waits a moment for what should not come: a second reply to hello.
        """
        process = AdapterProcess(self.command, self.limits, self.recorder, self.breaker)
        try:
            moment = self.limits.scaled(self.limits.moment) if first else 0.0
            return self._shake_hands(process, moment)
        except Broken as broken:
            raise _did_not_start(process, broken, self.limits) from None
        except BaseException as error:
            process.end()
            if isinstance(error, AdapterDidNotStart):
                error.stderr_tail = process.stderr_tail()
            raise

    def _shake_hands(self, process: AdapterProcess, settle: float) -> Launched:
        channel = Channel(process, self.ids, window=1)
        channel.configure(patience=self.limits.scaled(self.limits.start_up))
        body = hello_body(self.suite, self.limits.max_line)
        hello = parse_hello(_exchange(channel, body, settle))
        refused = None
        prefix = b""
        if self.rules is not None and hello.capabilities.configurable:
            rules = {"op": "rules", "key": RULES_KEY, "rules": self.rules}
            reply = _exchange(channel, rules, settle)
            if "ok" in reply:
                prefix = b'"rules":"%b",' % RULES_KEY.encode()
            else:
                refused = _reason(reply)
        channel.configure(
            patience=self.limits.scaled(self.limits.request), window=hello.window, prefix=prefix
        )
        return Launched(channel, hello, refused)


def _exchange(channel: Channel, body: dict[str, Any], settle: float) -> dict[str, Any]:
    """One request of the handshake; a fault that is no Broken is one of the reply's form."""
    channel.post([Request(None, body)])
    while channel.under_way:
        channel.collect()
    (answer,) = channel.flush()
    try:
        channel.settle(settle)
    except Broken as broken:
        if broken.kind not in _ENDS:
            raise
        # That it has ended is seen again with the first request, whenever it happens.
    fault = channel.late_faults[0] if channel.late_faults else answer.fault
    if answer.reply is not None and fault is None:
        return answer.reply
    raise AdapterDidNotStart(
        f"the reply to {body['op']} is not usable: {fault.detail if fault else ''}",
        hint='Answer {"id":1,"ok":{...}}, once, with the id of the request.',
    )


def _did_not_start(process: AdapterProcess, broken: Broken, limits: Limits) -> AdapterDidNotStart:
    hint = broken.hint or "Run the command by hand and type a hello line to see what it does."
    if broken.kind is FaultKind.TIMEOUT:
        message = f"the adapter did not answer hello within {limits.scaled(limits.start_up):g} s"
        # Does the reply come once the input ends? Then it sat in a buffer all the time.
        process.end(_PATIENCE_AFTER_SILENCE)
        if process.leftovers:
            hint = "It answered only when its input ended: flush standard output after every line."
        elif process.noise:
            hint = f"It printed text that is no message: {printable(process.noise[0], 80)}"
    elif broken.kind in _ENDS:
        message = f"the adapter {broken.detail} before it answered hello"
    else:
        message = f"the adapter's answer to hello is not usable: {broken.detail}"
        if broken.excerpt:
            message += f": {broken.excerpt}"
        hint = broken.hint or "Write one JSON object per line on stdout, all else on stderr."
    process.end()
    return AdapterDidNotStart(message, hint=hint, stderr_tail=process.stderr_tail())


def _reason(reply: Mapping[str, Any]) -> str:
    reason = reply.get("unsupported", reply.get("error"))
    if isinstance(reason, dict):
        reason = reason.get("message", reason)
    return printable(str(reason), 300)
