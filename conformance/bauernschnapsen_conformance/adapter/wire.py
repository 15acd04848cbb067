"""JSON lines: encoding requests, and decoding replies that may be hostile.

A reply line is accepted only if it is one UTF-8 JSON object, nested at most `MAX_DEPTH` deep, with
integers within +-2**53 as its only numbers. When a key is repeated the last one counts, as in
nearly every JSON library. Decoding never recurses deeper than that limit, so that neither it nor
any code that walks the result afterwards can exhaust the stack.

The common line passes a few searches that run at the speed of memory and then the plain parser.
A line with anything unusual in it (an escape, a long run of digits, a point after a digit, a
bracket inside a string) takes the slow road, which looks at every value.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

MAX_LINE = 1 << 20
MAX_DEPTH = 32
MAX_INTEGER = 1 << 53

_DIGITS_TO_ZERO = bytes.maketrans(b"123456789E", b"000000000e")
_LONG_NUMBER = b"0" * 16
_BRACES_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NOT_STRUCTURE = bytes(c for c in range(256) if c not in b'[]{}"')


class WireError(ValueError):
    """A line that is not a message; the text says what is wrong with it."""


def _load_orjson() -> Any:
    # An optional extra; the standard library gives the same results. On the fast road no line
    # contains an escape, a float, a long number or deep nesting, which is where the two differ.
    try:
        return importlib.import_module("orjson")
    except ImportError:
        return None


_orjson: Any = _load_orjson()


def _refuse_number(text: str) -> NoReturn:
    raise WireError(f"the number {text[:40]} is not an integer; only integers are used")


def _bounded_integer(text: str) -> int:
    # The length is looked at first: converting a million digits takes time.
    if len(text) > len(str(MAX_INTEGER)) + 1 or abs(value := int(text)) > MAX_INTEGER:
        raise WireError(f"the integer {text[:40]} is outside +-2^53")
    return value


_plain = json.JSONDecoder(parse_float=_refuse_number, parse_constant=_refuse_number)
_strict = json.JSONDecoder(
    parse_float=_refuse_number, parse_constant=_refuse_number, parse_int=_bounded_integer
)
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _encode_plainly(body: Mapping[str, Any]) -> bytes:
    return _encoder.encode(body).encode()


def _parse_plainly(line: bytes) -> Any:
    return _plain.decode(line.decode())


encode: Callable[[Mapping[str, Any]], bytes] = _encode_plainly if _orjson is None else _orjson.dumps
"""One compact JSON object as UTF-8, without a line end."""

_fast_parse: Callable[[bytes], Any] = _parse_plainly if _orjson is None else _orjson.loads


def decode(line: bytes) -> dict[str, Any]:
    """The JSON object on a line. Raises WireError, and nothing else, for any other bytes."""
    if _is_ordinary(line):
        try:
            return _object(_fast_parse(line))
        except ValueError:
            # The other parser finds the same fault; its words do not depend on what is installed.
            pass
    try:
        return _object(_slow_parse(line))
    except WireError:
        raise
    except UnicodeDecodeError as error:
        raise WireError(f"byte {error.start + 1} is not valid UTF-8") from None
    except RecursionError:
        raise WireError(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as error:
        raise WireError(f"not JSON: {error}") from None


def _object(message: Any) -> dict[str, Any]:
    if type(message) is not dict:
        raise WireError("not a JSON object")
    return message


def _is_ordinary(line: bytes) -> bool:
    """True if no value of the line needs a closer look, whatever parser reads it."""
    if b"\\" in line:
        return False
    digits = line.translate(_DIGITS_TO_ZERO)
    if b"0." in digits or b"0e" in digits or _LONG_NUMBER in digits:
        return False
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return True
    # Without escapes every quote opens or closes a string. Pairs of quotes that touch once all
    # other characters are gone are strings without brackets; any other string keeps a quote here.
    structure = line.translate(_BRACES_TO_BRACKETS, _NOT_STRUCTURE).replace(b'""', b"")
    if b'"' in structure:
        return False
    for _ in range(MAX_DEPTH):
        if not structure:
            return True
        structure = structure.replace(b"[]", b"")
    return not structure


def _slow_parse(line: bytes) -> Any:
    message = _strict.decode(line.decode())
    _check_values(message)
    return message


def _check_values(message: object) -> None:
    """Refuse deep nesting and lone surrogates (which no output can encode), without recursion."""
    level: list[object] = [message]
    depth = 0
    while level:
        below: list[object] = []
        for value in level:
            if isinstance(value, str):
                _check_text(value)
            elif isinstance(value, dict | list):
                if depth == MAX_DEPTH:
                    raise WireError(f"nested deeper than {MAX_DEPTH} levels")
                below.extend(value)
                if isinstance(value, dict):
                    below.extend(value.values())
        level = below
        depth += 1


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WireError("a string holds half of a surrogate pair") from None
