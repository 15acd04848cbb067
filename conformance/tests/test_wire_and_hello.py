"""The wire and the handshake: what is accepted, what is refused, and in which words."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bauernschnapsen_conformance.adapter import (
    AdapterDidNotStart,
    NoCommonProtocol,
    wire,
)
from bauernschnapsen_conformance.adapter.faults import printable, printable_lines
from bauernschnapsen_conformance.adapter.handshake import MAX_WINDOW, parse_hello

# The wire ----------------------------------------------------------------------------------

ACCEPTED = [
    b'{"id":1,"ok":[]}',
    b'{"id":1,"ok":null}\r',
    b'  {"id" : 1}',
    b'{"id":9007199254740992,"a":-9007199254740992}',
    '{"id":1,"error":{"message":"K\\u00f6nig \\"♠\\" \\ud83c\\udca1 [1.5] {x}"}}'.encode(),
    '{"id":1,"ok":"K♠ 3.14 12345678901234567890 1e9"}'.encode(),
    b'{"id":1,"id":2}',
    b'{"a":' + b"[" * 31 + b"]" * 31 + b"}",
    b'{"a":' + b"[" * 30 + b'"]"' + b"]" * 30 + b"}",
]
REFUSED = [
    b"",
    b"{",
    b"{}x",
    b"[]",
    b'"text"',
    b"null",
    b'{"a":1,}',
    b"{'a':1}",
    b'{"a":01}',
    b'{"a":1.0}',
    b'{"a":-0.5}',
    b'{"a":1e2}',
    b'{"a":1E2}',
    b'{"a":NaN}',
    b'{"a":Infinity}',
    b'{"a":-Infinity}',
    b'{"a":9007199254740993}',
    b'{"a":-9007199254740993}',
    b'{"a":' + b"1" * 100_000 + b"}",
    b'{"a":"\xff"}',
    b'{"a":"\xed\xa0\x80"}',
    b'{"a":"\\ud800"}',
    b'{"\\ud800":1}',
    b'{"a":"\x01"}',
    b'{"a":' + b"[" * 32 + b"]" * 32 + b"}",
    b'{"a":' + b"[" * 1_000_000,
    b'{"a":' * 500_000,
    b'{"a":' + b'["]",' * 40 + b'"["' + b',"["]' * 40 + b"}",
    b'{"a":' + b'["\\"",' * 40 + b"1" + b"]" * 40 + b"}",
    b"\xef\xbb\xbf{}",
]


@pytest.fixture(params=["fast", "standard library"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "standard library":
        monkeypatch.setattr(wire, "_fast_parse", wire._parse_plainly)


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize("line", ACCEPTED)
def test_a_message_is_accepted(line: bytes) -> None:
    assert wire.decode(line) == json.loads(line)


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize("line", REFUSED, ids=lambda line: repr(line[:24]))
def test_anything_else_is_refused_with_a_short_reason(line: bytes) -> None:
    with pytest.raises(wire.WireError) as caught:
        wire.decode(line)
    assert 0 < len(str(caught.value)) < 200


@pytest.mark.usefixtures("either_parser")
def test_no_bytes_raise_anything_but_a_wire_error() -> None:
    chance = random.Random(1)
    pieces = [bytes([byte]) for byte in b'{}[]"\\1.e,:u \xff']
    seed = b'{"id":12,"ok":[["AH","KH"],{"a":null,"b":true}]}'
    for _ in range(3000):
        line = bytearray(seed)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(line))
            line[at : at + chance.randrange(3)] = chance.choice(pieces)
        try:
            decoded = wire.decode(bytes(line))
        except wire.WireError:
            continue
        assert decoded == json.loads(bytes(line))


@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_depth_is_judged_alike_on_both_roads(brackets: str) -> None:
    """The slow road is taken because of an escape; the limit must not depend on it."""
    for depth in range(25, 40):
        inner = "1"
        for _ in range(depth - 1):
            inner = f"[{inner},[]]" if brackets == "[]" else f'{{"a":{inner}}}'
        lines = [f'{{"x":"{text}","a":{inner}}}'.encode() for text in ("plain", "\\u0041")]
        results = set()
        for line in lines:
            try:
                wire.decode(line)
                results.add("accepted")
            except wire.WireError:
                results.add("refused")
        deepest = depth + (brackets == "[]" and depth > 1)
        assert results == {"accepted" if deepest <= wire.MAX_DEPTH else "refused"}, depth


def test_encoding_is_compact_utf_8_without_a_line_end() -> None:
    assert wire.encode({"a": [1, None], "b": "♠\n"}) == '{"a":[1,null],"b":"♠\\n"}'.encode()


def test_printable_text_cannot_drive_a_terminal() -> None:
    assert printable("a\x1b[2Jb\u202ec") == "a\\x1b[2Jb\\u202ec"
    assert printable(b"\xffok") == "\\xffok"
    assert printable("x" * 500).endswith("x ...")
    last = printable_lines(b"old\n" * 30 + b"new\x07\nlast").splitlines()
    assert (len(last), last[-2:]) == (20, ["new\\x07", "last"])


# The handshake -----------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "protocol": 1,
    "adapter": {"name": "a", "version": "1"},
    "engine": {"name": "e", "version": "2", "language": "c++", "source": "example"},
    "capabilities": {"players": [4, 3], "starts": ["contract", "deal"], "claims": "automatic"},
    "window": 8,
}


def hello_with(**changes: Any) -> dict[str, Any]:
    return {"ok": {**GOOD, **changes}}


def test_a_complete_hello() -> None:
    hello = parse_hello({"ok": {**GOOD, "mood": "unknown keys are ignored"}})
    assert hello.engine.language == "c++"
    assert hello.capabilities.players == (3, 4)
    assert hello.capabilities.starts == ("deal", "contract")
    assert hello.capabilities.enforces is True
    assert hello.capabilities.match is False
    assert (hello.window, hello.warnings) == (8, ())


def test_what_is_left_out_has_its_default() -> None:
    hello = parse_hello({"ok": {**GOOD, "capabilities": {}, "window": 1}})
    assert hello.capabilities.players == (4,)
    assert hello.capabilities.starts == ()
    assert hello.capabilities.claims == "none"
    without = {key: value for key, value in GOOD.items() if key != "window"}
    assert parse_hello({"ok": without}).window == 1


@pytest.mark.parametrize(
    ("reply", "field"),
    [
        ({"ok": []}, '"ok"'),
        ({"ok": {}}, "protocol"),
        (hello_with(protocol="1"), "protocol"),
        (hello_with(protocol=True), "protocol"),
        (hello_with(adapter="me"), "adapter"),
        (hello_with(adapter={"name": "a"}), "adapter.version"),
        (hello_with(engine={"name": "", "version": "1"}), "engine.name"),
        (hello_with(engine={"name": "e", "version": "1", "language": 7}), "engine.language"),
        (hello_with(capabilities=None), "capabilities"),
        (hello_with(capabilities={"players": 4}), "capabilities.players"),
        (hello_with(capabilities={"players": [5]}), "capabilities.players"),
        (hello_with(capabilities={"players": [[4]]}), "capabilities.players"),
        (hello_with(capabilities={"starts": ["cards"]}), "capabilities.starts"),
        (hello_with(capabilities={"claims": ["called"]}), "capabilities.claims"),
        (hello_with(capabilities={"match": "yes"}), "capabilities.match"),
        (hello_with(window=0), "window"),
        (hello_with(window=True), "window"),
    ],
)
def test_a_hello_that_is_wrong_names_the_field(reply: dict[str, Any], field: str) -> None:
    with pytest.raises(AdapterDidNotStart, match=field.replace(".", r"\.")):
        parse_hello(reply)


@pytest.mark.parametrize(
    "reply",
    [hello_with(protocol=2), {"error": {"message": "no"}}, {"error": 7}, {"unsupported": "hello"}],
)
def test_no_common_protocol(reply: dict[str, Any]) -> None:
    with pytest.raises(NoCommonProtocol):
        parse_hello(reply)


def test_odd_but_harmless_things_in_a_hello_are_warned_about() -> None:
    hello = parse_hello(hello_with(capabilities={"legal_play": True}, window=1000))
    assert hello.window == MAX_WINDOW
    assert any("did you mean 'legal_plays'" in warning for warning in hello.warnings)
    assert any("window 1000" in warning for warning in hello.warnings)
