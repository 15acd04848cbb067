"""The first exchange: what the runner says of itself, and what an adapter must say in return."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .faults import AdapterDidNotStart, NoCommonProtocol, printable

PROTOCOL_MIN = 1
PROTOCOL_MAX = 1
MAX_WINDOW = 64

STARTS = ("deal", "contract")
CLAIMS = ("called", "automatic", "none")
_FLAGS = {
    "legal_plays": False,
    "trick_winner": False,
    "match": False,
    "enforces": True,
    "reasons": False,
    "configurable": False,
}
_CAPABILITIES = ("players", "starts", "claims", *_FLAGS)


@dataclass(frozen=True, slots=True)
class Party:
    """Who answers: the adapter, or the engine behind it. `language` and `source` may be empty."""

    name: str
    version: str
    language: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the adapter can express; what it leaves out has these defaults."""

    players: tuple[int, ...] = (4,)
    legal_plays: bool = False
    trick_winner: bool = False
    starts: tuple[str, ...] = ()
    match: bool = False
    claims: str = "none"
    enforces: bool = True
    reasons: bool = False
    configurable: bool = False


_ABLE = fields(Capabilities)
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Hello:
    """A validated reply to `hello`. `raw` is the reply's `ok`, for certificates."""

    protocol: int
    adapter: Party
    engine: Party
    capabilities: Capabilities
    window: int
    raw: Mapping[str, Any] = field(repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def identity(self) -> dict[str, object]:
        """Everything that may not change from one start of the adapter to the next, by its place.

        Names and versions are as they came, with whatever else stands beside them: a certificate
        holds them so.
        """
        parties = {
            f"{party}.{name}": value
            for party in ("adapter", "engine")
            for name, value in self.raw[party].items()
        }
        able = {f"capabilities.{one.name}": getattr(self.capabilities, one.name) for one in _ABLE}
        return {"protocol": self.protocol, **parties, **able, "window": self.window}

    def unlike(self, other: Hello) -> str | None:
        """Return what is not the same in another reply of the same adapter, in one line, or None.

        The first place that differs, with what it is here and there.
        """
        here, there = self.identity, other.identity
        for place in (*here, *there):
            before, after = (one.get(place, _MISSING) for one in (here, there))
            if before != after:
                said = f"is {_as_said(after)}, and was {_as_said(before)}"
                return f"{printable(place, 80)} {said}"
        return None


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite that asks, as told to the adapter: its version and the digest of its scenarios."""

    version: str = "0"
    digest: str = ""


def hello_body(suite: Suite, max_line: int) -> dict[str, Any]:
    """The body of the `hello` request, without its id."""
    return {
        "op": "hello",
        "protocol": {"min": PROTOCOL_MIN, "max": PROTOCOL_MAX},
        "suite": {"version": suite.version, "digest": suite.digest},
        "limits": {"max_line": max_line},
    }


def parse_hello(reply: Mapping[str, Any]) -> Hello:
    """Validate the reply to `hello` (without its id).

    Raises NoCommonProtocol if it is an error or names another version, AdapterDidNotStart if it
    is not what the protocol asks for; the message lists every field that is wrong.
    """
    if "error" in reply:
        raise NoCommonProtocol(
            f"the adapter refused the handshake: {_error_text(reply['error'])}",
            hint=f"This runner speaks protocol version {_versions()}.",
        )
    if "unsupported" in reply:
        raise NoCommonProtocol(
            f"the adapter does not support hello: {printable(str(reply['unsupported']))}",
            hint="Every adapter must answer hello; it says who it is and what it can do.",
        )
    problems: list[str] = []
    raw = reply.get("ok")
    if not isinstance(raw, dict):
        raise AdapterDidNotStart(
            'the reply to hello holds no object under "ok"',
            hint="The page on the protocol shows a complete reply.",
        )
    protocol = raw.get("protocol")
    if type(protocol) is not int:
        problems.append("protocol: expected the number of the version spoken, 1")
    elif not PROTOCOL_MIN <= protocol <= PROTOCOL_MAX:
        raise NoCommonProtocol(
            f"the adapter chose protocol version {protocol}",
            hint=f"This runner speaks version {_versions()}; take one it offers.",
        )
    warnings: list[str] = []
    adapter = _party(raw, "adapter", problems)
    engine = _party(raw, "engine", problems)
    capabilities = _capabilities(raw.get("capabilities"), problems, warnings)
    window = _window(raw.get("window", 1), problems, warnings)
    if problems:
        raise AdapterDidNotStart(
            "the reply to hello is not complete: " + "; ".join(problems),
            hint="The page on the protocol shows a complete reply.",
        )
    return Hello(protocol or 0, adapter, engine, capabilities, window, raw, tuple(warnings))


def _as_said(value: object) -> str:
    if value is _MISSING:
        return "missing"
    return printable(json.dumps(value, ensure_ascii=False, sort_keys=True))


def _versions() -> str:
    if PROTOCOL_MIN == PROTOCOL_MAX:
        return str(PROTOCOL_MIN)
    return f"{PROTOCOL_MIN} to {PROTOCOL_MAX}"


def _error_text(error: object) -> str:
    if isinstance(error, dict):
        error = error.get("message", "no message")
    return printable(str(error), 300)


def _party(raw: Mapping[str, Any], key: str, problems: list[str]) -> Party:
    value = raw.get(key)
    if not isinstance(value, dict):
        problems.append(f'{key}: expected an object with "name" and "version"')
        return Party("", "")
    texts = {}
    for name in ("name", "version", "language", "source"):
        text = value.get(name, "" if name in ("language", "source") else None)
        if not isinstance(text, str) or (not text and name in ("name", "version")):
            problems.append(f"{key}.{name}: expected a text")
            text = ""
        texts[name] = printable(text)
    return Party(**texts)


def _capabilities(value: object, problems: list[str], warnings: list[str]) -> Capabilities:
    if not isinstance(value, dict):
        problems.append("capabilities: expected an object, {} if the engine can do nothing yet")
        return Capabilities()
    warnings.extend(
        f"capability {printable(name)!r} is unknown{_did_you_mean(name)}"
        for name in value
        if name not in _CAPABILITIES
    )
    flags = {}
    for name, default in _FLAGS.items():
        flag = value.get(name, default)
        if type(flag) is not bool:
            problems.append(f"capabilities.{name}: expected true or false")
            flag = default
        flags[name] = flag
    claims = value.get("claims", "none")
    if claims not in CLAIMS:
        problems.append(f"capabilities.claims: expected one of {', '.join(CLAIMS)}")
        claims = "none"
    return Capabilities(
        players=_choice(value.get("players", [4]), (3, 4), "players", problems),
        starts=_choice(value.get("starts", []), STARTS, "starts", problems),
        claims=claims,
        **flags,
    )


def _choice(value: object, allowed: tuple[Any, ...], name: str, problems: list[str]) -> Any:
    # `type` is compared as well, since true equals 1 and must not pass for a number.
    listed = {(type(one), one) for one in allowed}
    if isinstance(value, list) and all(
        isinstance(one, str | int) and (type(one), one) in listed for one in value
    ):
        return tuple(one for one in allowed if one in value)
    words = ", ".join(str(one) for one in allowed)
    problems.append(f"capabilities.{name}: expected a list with some of {words}")
    return ()


def _window(value: object, problems: list[str], warnings: list[str]) -> int:
    if type(value) is not int or value < 1:
        problems.append("window: expected a number of requests, 1 or more")
        return 1
    if value > MAX_WINDOW:
        warnings.append(f"window {value} is more than this runner uses; it uses {MAX_WINDOW}")
    return min(value, MAX_WINDOW)


def _did_you_mean(name: str) -> str:
    close = difflib.get_close_matches(name, _CAPABILITIES, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
