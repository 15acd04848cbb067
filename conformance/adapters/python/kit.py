"""Everything about an adapter that is not the game.

The loop over stdin and stdout, the handshake, the mapping of exceptions to replies, and the
notation of cards and actions. Protocol version 1.

Copy this file beside your engine, write one function per operation, and call `run`:

    run(
        hello={"adapter": {...}, "engine": {...}, "capabilities": {...}, "window": 8},
        operations={"legal_plays": lambda request: each_case(request["cases"], judge), ...},
    )

A function returns what goes into `ok`. It raises `Unsupported` for what the engine has not;
anything else that is raised becomes an `error` reply with its traceback. Python 3.10 or later.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, NoReturn

PROTOCOL = 1
MAX_LINE = 1048576
MAX_INTEGER = 2**53
SUITS = ("H", "D", "S", "C")
RANKS = ("A", "T", "K", "Q", "J")
# Names of the seats, clockwise, by the number of players.
SEATS = {3: ("N", "E", "S"), 4: ("N", "E", "S", "W")}

Json = dict[str, Any]
Operation = Callable[[Json], Any]


class Unsupported(Exception):
    """Raised for an operation, a start or a contract that the engine does not have."""


# ---------------------------------------------------------------------------- notation


class Card(NamedTuple):
    """A card in two letters: `TH` is the ten of hearts."""

    rank: str
    suit: str


class Action(NamedTuple):
    """A verb and the words after it."""

    verb: str
    words: tuple[str, ...]


def is_suit(word: object) -> bool:
    """Whether this is the letter of a suit."""
    return isinstance(word, str) and word in SUITS


def is_card(word: object) -> bool:
    """Whether this is rank and suit in two letters."""
    return isinstance(word, str) and len(word) == 2 and word[0] in RANKS and word[1] in SUITS


def parse_card(word: Any) -> Card:
    """`TH` -> rank `T`, suit `H`; ValueError for anything else."""
    if not is_card(word):
        raise ValueError(f'{word!r} is not a card, expected rank and suit as in "TH"')
    return Card(word[0], word[1])


def _is_contract(word: str) -> bool:
    return re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", word) is not None


def _is_place(word: str) -> bool:
    return word in ("1", "2", "3")


VERBS: dict[str, tuple[Callable[[str], bool], ...]] = {
    "trump": (is_suit,), "turn-up": (_is_place,), "redeal": (),
    "bid": (_is_contract,), "bid-without-talon": (_is_contract,), "pass": (),
    "kontra": (), "rekontra": (), "subkontra": (),
    "play": (is_card,), "marry": (is_card,), "enough": (), "show": (),
    "talon": (), "keep": (), "discard": (is_card, is_card), "raise": (_is_contract,),
}  # fmt: skip


def parse_action(text: object) -> Action | None:
    """`play KH` -> verb `play`, words `KH`; None for what is no action at all."""
    verb, *words = text.split(" ") if isinstance(text, str) else [""]
    takes = VERBS.get(verb)
    if takes is None or len(takes) != len(words):
        return None
    fits = all(fit(word) for fit, word in zip(takes, words, strict=True))
    return Action(verb, tuple(words)) if fits else None


def expect_list(value: Any, name: str) -> list[Any]:
    """The value itself if it is a list; otherwise an error that names it."""
    if not isinstance(value, list):
        raise ValueError(f"{name}: expected a list")
    return value


def check_hands(
    hands: Any, seats: tuple[str, ...], size: int, talon: Any = (), aside: int = 0
) -> None:
    """Check a deal: every seat, the same number of cards each, no card twice.

    Where cards are laid aside as the talon, give them and their number.
    """
    dealt = hands if isinstance(hands, dict) else {}
    packs = [(f"hands.{seat}", dealt.get(seat), size) for seat in seats]
    seen: set[str] = set()
    for name, pack, expected in [*packs, ("talon", talon, aside)]:
        if not isinstance(pack, (list, tuple)) or len(pack) != expected:
            raise ValueError(f"{name}: expected {expected} cards")
        for card in pack:
            parse_card(card)
            if card in seen:
                raise ValueError(f"{name}: the card {card} is there twice")
            seen.add(card)


# ---------------------------------------------------------------------------- requests and replies


class Adapter:
    """What `run` was given, and the longest line that the runner takes."""

    def __init__(self, hello: Json, operations: dict[str, Operation]) -> None:
        self.hello = hello
        self.operations = operations
        self.max_line = MAX_LINE


def answer(line: bytes, adapter: Adapter) -> bytes | None:
    """The reply line to one request line, or None where none is due.

    A line that is not an object with a positive integer as `id` is left unanswered.
    """
    request = _parse_request(line)
    if request is None:
        return None
    if request.get("op") == "hello":
        limits = request.get("limits")
        limit = limits.get("max_line") if isinstance(limits, dict) else None
        if type(limit) is int and limit > 0:
            adapter.max_line = limit
    number = request["id"]
    outcome = _outcome_of(request, adapter)
    try:
        reply = _encode({"id": number, **outcome})
    except (TypeError, ValueError, RecursionError) as problem:  # what it answered is no JSON
        reply = _encode({"id": number, **_complaint(problem)})
    if len(reply) < adapter.max_line:
        return reply
    message = f"the reply would be longer than the limit of {adapter.max_line} bytes"
    return _encode({"id": number, "error": {"message": message}})


def _parse_request(line: bytes) -> Json | None:
    try:
        request = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    number = request.get("id") if isinstance(request, dict) else None
    return request if type(number) is int and 0 < number <= MAX_INTEGER else None


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _encode(reply: Json) -> bytes:
    text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Half of a surrogate pair, echoed from the request, cannot be written: "?" stands for it.
    return text.encode(errors="replace")


def _outcome_of(request: Json, adapter: Adapter) -> Json:
    def work() -> Any:
        op = request.get("op")
        if op == "hello":
            return _greet(request, adapter.hello)
        if not isinstance(op, str) or op not in adapter.operations:
            raise Unsupported(f"no operation {str(op)[:60]!r}")
        return adapter.operations[op](request)

    return _attempt(work)


def _greet(request: Json, hello: Json) -> Json:
    versions = request.get("protocol")
    low, high = (versions.get("min"), versions.get("max")) if isinstance(versions, dict) else (0, 0)
    if not (type(low) is int and type(high) is int and low <= PROTOCOL <= high):
        raise ValueError(f"no common protocol version: this adapter speaks {PROTOCOL}")
    return {"protocol": PROTOCOL, **hello}


def _attempt(work: Callable[[], Any]) -> Json:
    """Run a function; its result, or what it raises, in the form of a reply."""
    try:
        return {"ok": work()}
    except Exception as problem:  # whatever the engine raises is told, not died of
        return _complaint(problem)


def _complaint(problem: Exception) -> Json:
    if isinstance(problem, Unsupported):
        return {"unsupported": str(problem)}
    plain = type(problem) is ValueError and str(problem)
    message = str(problem) if plain else f"{type(problem).__name__}: {problem}"
    lines = traceback.format_exception(type(problem), problem, problem.__traceback__)
    return {"error": {"message": message, "traceback": "".join(lines)}}


def each_case(cases: Any, judge: Callable[[Json], Any]) -> list[Any]:
    """Answer a list of cases one by one: a case that fails spoils only its own element."""
    outcomes = [_attempt(partial(judge, one)) for one in expect_list(cases, "cases")]
    return [outcome.get("ok") if "ok" in outcome else outcome for outcome in outcomes]


# ---------------------------------------------------------------------------- the loop


def run(hello: Json, operations: dict[str, Operation]) -> None:
    """Read requests until the input ends, one per line, and write the replies at once."""
    replies = sys.stdout.buffer
    sys.stdout = sys.stderr  # what the engine prints must not get between the replies
    adapter = Adapter(hello, operations)
    try:
        for line in _lines(adapter):
            reply = answer(line, adapter)
            if reply is not None:
                replies.write(reply + b"\n")
                replies.flush()
    except BrokenPipeError:
        os._exit(0)  # nobody reads any more; a normal exit would try to write the rest


def _lines(adapter: Adapter) -> Iterator[bytes]:
    """What is longer than a line may be is not kept: no such request is ever due a reply."""
    requests = sys.stdin.buffer
    whole = True
    while line := requests.readline(adapter.max_line + 1):
        ended = line.endswith(b"\n")
        if whole and ended:
            yield line
        whole = ended
