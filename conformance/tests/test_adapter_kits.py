"""The adapter kits: built by following their pages, certified, and asked what a kit must stand."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from adapter_kits import (
    KITS,
    PAGES,
    Conversation,
    Kit,
    as_a_new_user,
    console_commands,
    environment,
    missing_tools,
)

from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.run.levels import Level
from bauernschnapsen_conformance.run.outcome import Report
from bauernschnapsen_conformance.run.runner import certify
from bauernschnapsen_conformance.run.selection import Selection
from bauernschnapsen_conformance.run.verdicts import Verdict

KIT_IDS = [kit.language for kit in KITS]


@dataclass(frozen=True, slots=True)
class Built:
    kit: Kit
    folder: Path
    told: str
    """What the commands of the page printed."""

    @property
    def command(self) -> list[str]:
        first = self.kit.argv[0]
        return [str(self.folder / first) if "/" in first else first, *self.kit.argv[1:]]


BUILDING = [pytest.param(kit, marks=pytest.mark.slow) for kit in KITS]


@pytest.fixture(scope="module", params=BUILDING, ids=KIT_IDS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    kit: Kit = request.param
    missing = missing_tools(kit)
    if missing:
        pytest.skip(f"{' and '.join(missing)} not found: the {kit.language} kit is not built here")
    folder = tmp_path_factory.mktemp(kit.language)
    told = as_a_new_user(PAGES / f"{kit.language}.md", folder)
    return Built(kit, folder / "my-adapter", told)


@pytest.fixture
def adapter(built: Built) -> Iterator[Conversation]:
    one = Conversation(built.command, built.folder)
    yield one
    one.kill()


def judged(command: list[str], folder: Path, only: tuple[str, ...] = ()) -> Report:
    with Session(AdapterCommand(tuple(command), folder, environment())) as session:
        selection = Selection(only)
        rules = load_ruleset("pagat")
        return certify(load_corpus(), rules, session, blind=True, seed=7, selection=selection)


# ---------------------------------------------------------------------------- the first verdict


def test_three_commands_of_the_page_give_a_verdict(built: Built) -> None:
    assert len(console_commands(PAGES / f"{built.kit.language}.md")) <= 3
    assert "Levels reached: 1 tricks" in built.told
    assert re.search(r"^1 tricks +reached", built.told, re.M)


def test_a_doctor_finds_nothing(
    built: Built, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built.folder)
    code = main(["doctor", "--", *built.kit.argv])
    told = capfd.readouterr().out
    assert code == 0, told
    findings = [line.split()[0] for line in told.splitlines() if line and line[0].islower()]
    assert set(findings) == {"ok"}, told


def test_level_1_is_reached_by_the_queries(built: Built) -> None:
    report = judged(built.command, built.folder)
    assert report.levels == (Level.TRICKS,)
    assert set(report.counts()) - {Verdict.NOT_APPLICABLE} == {Verdict.PASS, Verdict.UNSUPPORTED}
    assert not report.faults
    assert report.exit_code == 0


DECLARES_REPLAY = """
    import json, subprocess, sys, threading

    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def hand_on():
        for line in sys.stdin.buffer:
            child.stdin.write(line)
            child.stdin.flush()
        child.stdin.close()

    threading.Thread(target=hand_on, daemon=True).start()
    for line in child.stdout:
        reply = json.loads(line)
        if "adapter" in (reply.get("ok") or ()):
            reply["ok"]["capabilities"] |= {
                "starts": ["contract"], "legal_plays": False, "trick_winner": False}
        print(json.dumps(reply), flush=True)
"""


def test_level_1_is_reached_by_replay_alone(built: Built, tmp_path: Path) -> None:
    script = tmp_path / "declares_replay.py"
    script.write_text(textwrap.dedent(DECLARES_REPLAY), encoding="utf-8")
    # What is left out belongs to other levels, which a toy fails.
    report = judged([sys.executable, str(script), *built.command], built.folder, ("play.*",))
    tricks = [one for one in report.judgements if one.level == Level.TRICKS]
    assert {one.verdict for one in tricks} - {Verdict.NOT_APPLICABLE} == {Verdict.PASS}
    assert len(tricks) > 1000
    assert any(one.prepared is not None and len(one.got[0]) > 5 for one in tricks)
    assert not report.faults


# ---------------------------------------------------------------------------- what a kit must stand

CASE: dict[str, Any] = {
    "contract": "normal",
    "trump": "H",
    "declarer": "N",
    "seats": ["N", "E", "S", "W"],
    "trick": [["N", "KH"]],
    "seat": "E",
    "hand": ["AH", "JH"],
}
TRICK = [["N", "KH"], ["E", "AH"], ["S", "TH"], ["W", "QH"]]


def test_it_ends_with_the_input(adapter: Conversation) -> None:
    assert adapter.end() == (0, b"")


def test_it_finishes_what_was_sent_before_the_end(adapter: Conversation) -> None:
    for number in (5, 7, 6):
        adapter.send(json.dumps({"id": number, "op": "legal_plays", "cases": [CASE]}).encode())
        adapter.send(b"\n")
    code, rest = adapter.end()
    assert code == 0
    assert sorted(json.loads(line)["id"] for line in rest.splitlines()) == [5, 6, 7]


def test_hello_tells_who_it_is(adapter: Conversation, built: Built) -> None:
    told = adapter.hello()["ok"]
    assert told["protocol"] == 1
    assert told["adapter"] == {"name": "my-adapter", "version": "1"}
    assert told["capabilities"]["starts"] == []
    assert adapter.hello(2)["ok"] == told
    other = Conversation(built.command, built.folder)
    assert other.hello()["ok"] == told
    other.end()


@pytest.mark.parametrize(
    "versions", [{"min": 2, "max": 3}, {"min": 0, "max": 0}, {"min": "1", "max": 1}, {}, None, [1]]
)
def test_no_common_version_is_an_error(adapter: Conversation, versions: object) -> None:
    reply = adapter.ask(1, "hello", protocol=versions)
    assert set(reply) == {"error"}
    assert "1" in reply["error"]["message"]


def test_the_queries(adapter: Conversation) -> None:
    assert adapter.ask(3, "legal_plays", cases=[CASE, {**CASE, "trick": []}]) == {
        "ok": [["AH"], ["AH", "JH"]]
    }
    assert adapter.ask(4, "trick_winner", cases=[{**CASE, "trick": TRICK}]) == {"ok": ["E"]}
    assert adapter.ask(2**53 - 1, "legal_plays", cases=[]) == {"ok": []}


@pytest.mark.parametrize("op", ["deal_me_in", "", "rules", "toString", None, 7, ["hello"], {}])
def test_an_unknown_operation_is_unsupported(adapter: Conversation, op: Any) -> None:
    reply = adapter.ask(1, op, key="r1", rules={})
    assert set(reply) == {"unsupported"}
    assert isinstance(reply["unsupported"], str)


UNREADABLE = [
    b"",
    b"   ",
    b"hello",
    b"[]",
    b"7",
    b'{"op":"hello"}',
    b'{"id":0,"op":"hello"}',
    b'{"id":-1,"op":"hello"}',
    b'{"id":"1","op":"hello"}',
    b'{"id":null,"op":"hello"}',
    b'{"id":true,"op":"hello"}',
    b'{"id":1.5,"op":"hello"}',
    b'{"id":[1],"op":"hello"}',
    b'{"id":123456789012345678901234567890,"op":"hello"}',
    b'{"id":1,"op":"hello"',
    b'{"id":1,"op":"hello"}}',
    b'{"id":1,"op":"hel\tlo"}',
    b'{"id":1 "op":"hello"}',
    b'{"id":1,"op":hello}',
    b"{'id':1}",
    b'{"id":1,"op":"\\x"}',
    b'{"id":1,"op":"\\u12"}',
    b'{"id":1,"x":01}',
    b'{"id":1,"x":-}',
    b'{"id":1,"x":1.}',
    b'{"id":1,"x":NaN}',
    b'{"id":1,"x":Infinity}',
    b"[" * 100_000,
    b'{"id":1,"x":' * 20_000,
    b"\x00\x00\x00",
]


def test_an_unreadable_line_gets_no_reply(adapter: Conversation) -> None:
    for line in UNREADABLE:
        adapter.send(line + b"\n")
        # The next line that comes is the reply to this request.
        assert adapter.ask(9, "legal_plays", cases=[CASE]) == {"ok": [["AH"]]}, line[:40]


def test_bytes_that_are_no_utf8_get_no_reply(adapter: Conversation) -> None:
    for text in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"):
        adapter.send(b'{"id":1,"op":"' + text + b'"}\n')
        assert adapter.ask(9, "legal_plays", cases=[CASE]) == {"ok": [["AH"]]}, text


def test_a_case_that_goes_wrong_spoils_only_itself(adapter: Conversation) -> None:
    wrong: list[Any] = [
        {**CASE, "hand": ["XX"]},
        {**CASE, "hand": "AH"},
        {**CASE, "trick": [["N"]]},
        {**CASE, "trick": None},
        {},
    ]
    foreign = {**CASE, "contract": "plauderer"}
    reply = adapter.ask(1, "legal_plays", cases=[CASE, *wrong, foreign, CASE])
    first, *faults, unsupported, last = reply["ok"]
    assert first == last == ["AH"]
    assert "plauderer" in unsupported["unsupported"]
    assert len(faults) == len(wrong)
    for fault in faults[:-1]:
        assert isinstance(fault["error"]["message"], str)
        assert fault["error"]["message"]
    assert "XX" in faults[0]["error"]["message"]
    assert set(faults[-1]) < {"error", "unsupported"}
    assert set(adapter.ask(2, "trick_winner", cases=[{**CASE, "trick": []}])["ok"][0]) == {"error"}


@pytest.mark.parametrize("cases", [None, {}, "AH", 7])
def test_cases_that_are_no_list_are_an_error(adapter: Conversation, cases: object) -> None:
    reply = adapter.ask(1, "legal_plays", cases=cases)
    assert set(reply) == {"error"}
    assert "cases" in reply["error"]["message"]


def test_unknown_and_repeated_keys(adapter: Conversation) -> None:
    odd = {"a": [1, -0.5, 2e300, {"b": None}], "c": "♠ 🂡 \u0007", "d": 10**30, "e": True}
    reply = adapter.ask(1, "legal_plays", cases=[{**CASE, "odd": odd}], odd=odd)
    assert reply == {"ok": [["AH"]]}
    first = json.dumps([{**CASE, "hand": ["QH"]}])
    second = json.dumps([CASE])
    adapter.send(f'{{"id":1,"cases":{first},"op":"x","op":"legal_plays",'.encode())
    adapter.send(f'"id":2,"cases":{second}}}\r\n'.encode())
    assert json.loads(adapter.reply_line()) == {"id": 2, "ok": [["AH"]]}


def test_escapes_and_unicode(adapter: Conversation) -> None:
    hand = '["\\u0041\\u0048","J\\u0048"]'
    body = json.dumps({**CASE, "hand": 0}).replace('"hand": 0', f'"hand":{hand}')
    adapter.send(f'{{"id":1,"op":"legal_plays","cases":[{body}]}}\n'.encode())
    assert json.loads(adapter.reply_line()) == {"id": 1, "ok": [["AH"]]}
    for op in ('"\\ud83c\\udca1"', '"🂡 ♠ ä"', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000"'):
        adapter.send(f'{{"id":1,"op":{op}}}\n'.encode())
        assert set(json.loads(adapter.reply_line().decode("utf-8"))) == {"id", "unsupported"}


def test_half_of_a_surrogate_pair_is_not_sent_back(adapter: Conversation) -> None:
    for op in ('"\\ud83c"', '"\\udca1x"', '"\\ud83c\\u0041"'):
        adapter.send(f'{{"id":1,"op":{op}}}\n'.encode())
        reply = json.loads(adapter.reply_line().decode("utf-8"))
        assert set(reply) == {"id", "unsupported"}
        reply["unsupported"].encode("utf-8")


def test_a_reply_is_never_longer_than_the_limit(adapter: Conversation) -> None:
    limit = 400
    adapter.hello(max_line=limit)
    adapter.send(b'{"id":2,"op":"legal_plays","cases":[' + b"0," * 40 + b"0]}\n")
    line = adapter.reply_line()
    assert len(line) <= limit
    reply = json.loads(line)
    assert reply["id"] == 2
    assert str(limit) in reply["error"]["message"]
    assert adapter.ask(3, "trick_winner", cases=[]) == {"ok": []}


def test_a_line_of_the_greatest_length_is_read(adapter: Conversation) -> None:
    begin = b'{"id":2,"op":"trick_winner","cases":[],"pad":"'
    adapter.send(begin + b"x" * ((1 << 20) - len(begin) - 2) + b'"}\n')
    assert json.loads(adapter.reply_line()) == {"id": 2, "ok": []}


def test_a_longer_line_is_passed_over(adapter: Conversation) -> None:
    adapter.send(b'{"id":2,"op":"trick_winner","cases":[],"pad":"' + b"x" * (3 << 20) + b'"}\n')
    assert adapter.ask(3, "trick_winner", cases=[]) == {"ok": []}


def test_an_odd_limit_does_not_silence_it(adapter: Conversation) -> None:
    for limit in (0, -5, "400", None, 1.5, True):
        adapter.hello(max_line=limit)
        assert adapter.ask(3, "trick_winner", cases=[]) == {"ok": []}, limit


# ---------------------------------------------------------------------------- replay

DEAL: dict[str, Any] = {
    "dealer": "W",
    "hands": {
        "N": ["KH", "QH", "TS", "KC", "JD"],
        "E": ["AH", "JH", "QS", "AC", "TD"],
        "S": ["TH", "AS", "JS", "QC", "KD"],
        "W": ["KS", "TC", "JC", "AD", "QD"],
    },
    "scores": {"NS": 0, "EW": 0},
    "contract": {"name": "normal", "declarer": "N", "trump": "H"},
    "actions": [],
}


def test_what_is_refused_changes_nothing(adapter: Conversation) -> None:
    odd: list[Any] = ["play XX", "play  KH", "play", "PLAY KH", "dance", "", "pass KH", None, 7, []]
    refused = [
        *(["N", text] for text in odd),
        *(["E", "play AH"], ["N", "play AH"], ["X", "play KH"]),
        *(["N", text] for text in ("bid gang", "bid Gang", "enough", "turn-up 3", "discard AH TH")),
    ]
    record = {**DEAL, "actions": [*refused, ["N", "play KH"], ["E", "play JH"], ["E", "play AH"]]}
    (views,) = adapter.ask(1, "replay", deals=[record])["ok"]
    before, *rest = views
    assert len(rest) == len(refused) + 3
    for view in rest[: len(refused)]:
        assert view == {**before, "refused": True}
    led, wrong, followed = rest[len(refused) :]
    assert "refused" not in led
    assert (led["to_act"], led["trick"], led["legal"]) == ("E", [["N", "KH"]], {"E": ["play AH"]})
    assert wrong == {**led, "refused": True}
    assert followed["trick"] == [["N", "KH"], ["E", "AH"]]


def test_starts_that_the_engine_has_not(adapter: Conversation) -> None:
    def outcome(**changes: Any) -> str:
        record = {key: value for key, value in {**DEAL, **changes}.items() if value != "absent"}
        return next(iter(adapter.ask(1, "replay", deals=[record])))

    assert outcome() == "ok"
    assert outcome(contract="absent") == "unsupported"
    assert outcome(dealer="absent") == "unsupported"
    gang = {"name": "farben-gang", "declarer": "N", "trump": "H"}
    assert outcome(contract=gang) == "unsupported"
    hands = DEAL["hands"]
    assert outcome(hands={**hands, "N": hands["N"][:4]}) == "error"
    assert outcome(hands={**hands, "N": hands["E"]}) == "error"
    assert outcome(hands=None) == "error"
    assert outcome(dealer="X") == "error"
    assert outcome(actions="play KH") == "error"
    assert next(iter(adapter.ask(1, "replay", deals={}))) == "error"
