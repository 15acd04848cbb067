"""The doctor: clean for adapters that behave, and plain about what is wrong with the others."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from certifying import BROKEN, PROGRAM

from bauernschnapsen.data.schemas import validate
from bauernschnapsen_conformance.adapter import AdapterCommand, Limits
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.diagnosis import Diagnosis, Finding, Status, examine
from bauernschnapsen_conformance.diagnosis.checks import CHECKS

pytestmark = pytest.mark.slow
QUICK = Limits(request=1.5, shut_down=1.5)

ADAPTER = """
import json, os, sys, time
def write(message):
    os.write(1, json.dumps(message).encode() + b"\\n")
WHO = {"name": "x", "version": "1", "language": "Python"}
ABLE = {"legal_plays": True, "trick_winner": True}
def hello(request):
    if request["protocol"]["min"] > 1:
        return {"error": {"message": "version 1"}}
    return {"ok": {"protocol": 1, "adapter": WHO, "engine": WHO, "capabilities": ABLE, "window": 4}}
def answer(request):
    if request["op"] == "hello":
        return hello(request)
    if request["op"] == "legal_plays":
        return {"ok": [c["hand"] if c["contract"] == "normal" else {"unsupported": "?"}
                       for c in request["cases"]]}
    if request["op"] == "trick_winner":
        return {"ok": [c["trick"][0][0] for c in request["cases"]]}
    return {"unsupported": "unknown op"}
def serve(answer=answer, lines=sys.stdin.buffer, send=write):
    for line in lines:
        try:
            request = json.loads(line)
            number = request["id"]
            assert type(number) is int
        except Exception:
            continue
        send({"id": number, **answer(request)})
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "adapter.py"


def of(script: Path, code: str, checks: Collection[str] = CHECKS) -> Diagnosis:
    """The diagnosis of an adapter that does everything right but for some lines."""
    script.write_text(ADAPTER + code, encoding="utf-8")
    command = AdapterCommand((sys.executable, "-S", str(script)))
    return examine(command, limits=QUICK, checks=checks)


def wrong(diagnosis: Diagnosis) -> dict[str, Finding]:
    return {f.check: f for f in reversed(diagnosis.findings) if f.status is Status.WRONG}


def noted(diagnosis: Diagnosis) -> dict[str, Finding]:
    return {f.check: f for f in diagnosis.findings if f.status is Status.NOTE}


def show(diagnosis: Diagnosis) -> str:
    return "\n".join(f"{f.status} {f.check}: {f.text}" for f in diagnosis.findings)


# Those that behave -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        [*PROGRAM, "serve"],
        [sys.executable, str(BROKEN / "correct.py"), "--window", "8"],
        [sys.executable, str(BROKEN / "kinds.py"), "--starts", "deal", "--claims", "automatic"],
    ],
    ids=["serve", "correct", "kind"],
)
def test_a_good_adapter_is_healthy(command: list[str]) -> None:
    diagnosis = examine(AdapterCommand(tuple(command)))
    assert diagnosis.healthy, show(diagnosis)
    assert wrong(diagnosis) == {}
    seen = {finding.check for finding in diagnosis.findings}
    for check in ("start", "capabilities", "hello again", "unknown op", "unknown key", "unicode",
                  "unreadable line", "1 MB line", "one reply each", "noise", "state", "window",
                  "end of input"):  # fmt: skip
        assert check in seen


def test_the_small_adapter_of_these_tests_is_healthy(script: Path) -> None:
    diagnosis = of(script, "serve()\n")
    assert diagnosis.healthy, show(diagnosis)
    assert set(noted(diagnosis)) <= {"start"}  # a busy machine may take long to start it


# Those that do not start -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("sys.exit(9)\n", "ended with exit code 9 before it answered"),
        ("time.sleep(60)\n", "did not answer hello within"),
        ("print('Engine 3000')\ntime.sleep(60)\n", "did not answer hello within"),
        ("write(['no'])\nwrite({'id': 1, 'ok': {}})\n", "is not complete"),
        ("import sys\nprint('{broken', flush=True)\ntime.sleep(9)\n", "is not usable"),
        (
            "kept = []\nserve(send=kept.append)\nfor message in kept: write(message)\n",
            "did not answer hello within",
        ),
    ],
)
def test_what_goes_wrong_at_the_start(script: Path, code: str, told: str) -> None:
    script.write_text(ADAPTER + code, encoding="utf-8")
    # Who is silent is not waited for long; who says something must have said it by then.
    start_up = 0.8 if "sleep(60)" in code else 3.0 if "kept" in code else 10.0
    limits = Limits(start_up=start_up, request=0.5, shut_down=0.5)
    diagnosis = examine(AdapterCommand((sys.executable, "-S", str(script))), limits=limits)
    (finding,) = diagnosis.findings
    assert (finding.check, finding.status) == ("start", Status.WRONG)
    assert told in finding.text
    assert finding.hint
    assert diagnosis.hello is None
    if "kept" in code:
        assert "flush" in finding.hint


# One thing wrong ---------------------------------------------------------------------------

CASES: dict[str, tuple[str, str]] = {
    "hello again, another name": (
        "hello again",
        "count = [0]\ndef changed(r):\n    reply = answer(r)\n    if r['op'] == 'hello':\n"
        "        count[0] += 1\n"
        "        reply['ok' if 'ok' in reply else 'error']['n'] = count[0]\n    return reply\n"
        "serve(changed)\n",
    ),
    "any version is accepted": (
        "hello again",
        "def changed(r):\n    if r['op'] == 'hello': r['protocol'] = {'min': 1}\n"
        "    return answer(r)\nserve(changed)\n",
    ),
    "unknown op": (
        "unknown op",
        "def changed(r):\n    reply = answer(r)\n"
        "    return {'ok': []} if 'unsupported' in reply else reply\nserve(changed)\n",
    ),
    "unknown key": (
        "unknown key",
        "def changed(r):\n    return {'error': {'message': '?'}} if 'later' in r else answer(r)\n"
        "serve(changed)\n",
    ),
    "no unicode": (
        "unicode",
        "serve(lines=(l.decode('ascii').encode() for l in sys.stdin.buffer))\n",
    ),
    "an answer to garbage": (
        "unreadable line",
        "def lines():\n    for line in sys.stdin.buffer:\n        try: json.loads(line)\n"
        "        except Exception: write({'id': 0, 'error': {'message': 'no JSON'}})\n"
        "        yield line\nserve(lines=lines())\n",
    ),
    "an end over garbage": (
        "unreadable line",
        "def lines():\n    for line in sys.stdin.buffer:\n        json.loads(line)\n"
        "        yield line\nserve(lines=lines())\n",
    ),
    "a short buffer": (
        "1 MB line",
        "serve(lines=iter(lambda: sys.stdin.buffer.readline(65536), b''))\n",
    ),
    "two replies": (
        "one reply each",
        "def twice(m):\n    write(m)\n    if 'ok' in m and 'protocol' not in str(m): write(m)\n"
        "serve(send=twice)\n",
    ),
    "an empty promise": (
        "capabilities",
        "ABLE.clear()\nserve()\n",
    ),
    "a capability that is not there": (
        "trick_winner",
        "def changed(r):\n    return {'unsupported': 'soon'} if r['op'] == 'trick_winner' "
        "else answer(r)\nserve(changed)\n",
    ),
    "a wrong shape": (
        "legal_plays",
        "def changed(r):\n    return {'ok': [' '.join(c['hand']) for c in r['cases']]} "
        "if r['op'] == 'legal_plays' else answer(r)\nserve(changed)\n",
    ),
    "nothing but errors": (
        "legal_plays",
        "def changed(r):\n    return {'ok': [{'error': {'message': 'boom'}} for c in r['cases']]} "
        "if r['op'] == 'legal_plays' else answer(r)\nserve(changed)\n",
    ),
    "too many answers": (
        "trick_winner",
        "def changed(r):\n    return {'ok': ['N', 'E']} if r['op'] == 'trick_winner' "
        "else answer(r)\nserve(changed)\n",
    ),
    "memory": (
        "state",
        "seen = []\ndef changed(r):\n    if r['op'] != 'legal_plays': return answer(r)\n"
        "    seen.append(r['cases'])\n"
        "    return {'ok': [[] for c in r['cases']]} if seen.count(r['cases']) > 1 "
        "else answer(r)\nserve(changed)\n",
    ),
    "one at a time": (
        "window",
        "import select\ndef lines():\n    rest = b''\n    while True:\n"
        "        rest += os.read(0, 1 << 21)\n        if not rest: return\n"
        "        line, _, rest = rest.partition(b'\\n')\n        rest = b''\n        yield line\n"
        "serve(lines=lines())\n",
    ),
    "no end": (
        "end of input",
        "serve()\ntime.sleep(60)\n",
    ),
    "a last word": (
        "end of input",
        "serve()\nwrite({'id': 1, 'ok': 'bye'})\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_one_thing_that_is_wrong_is_found_and_explained(name: str, script: Path) -> None:
    check, code = CASES[name]
    others = ["unknown op", "hello again", "end of input"]
    diagnosis = of(script, code, [check if check in CHECKS else "declared", *others])
    found = wrong(diagnosis)
    assert check in found, show(diagnosis)
    assert found[check].hint
    assert not diagnosis.healthy
    # One fault does not hide everything else.
    assert sum(f.status is Status.OK for f in diagnosis.findings) >= 2, show(diagnosis)


def test_a_replay_that_refuses_wrongly() -> None:
    for how, told in {
        "accepts": "a card out of turn: accepted",
        "stops": "views for",
        "stuck": "a legal card after them is refused, too",
    }.items():
        code = (
            (
                "import sys; sys.path[:0] = [BROKEN]\n"
                "from kinds import Kind\nfrom base import Lines, read, write\n"
                "kind = Kind(configurable=False, queries=False)\n"
                "def change(r, how):\n"
                "    reply = kind.handle(r)\n"
                "    if r['op'] != 'replay' or 'ok' not in reply: return reply\n"
                "    for deal in reply['ok']:\n"
                "        places = [n for n, view in enumerate(deal) if view.get('refused')]\n"
                "        if not places: continue\n"
                "        if how == 'accepts': [view.pop('refused', 0) for view in deal]\n"
                "        if how == 'stops': del deal[places[0] + 1:]\n"
                "        if how == 'stuck': [v.update(refused=True) for v in deal[places[0]:]]\n"
                "    return reply\n"
                "for line in Lines():\n"
                "    r = read(line)\n"
                "    if r: write({'id': r['id'], **change(r, HOW)})\n"
            )
            .replace("BROKEN", repr(str(BROKEN)))
            .replace("HOW", repr(how))
        )
        command = AdapterCommand((sys.executable, "-c", code))
        diagnosis = examine(command, limits=QUICK, checks=["refused actions"])
        assert told in wrong(diagnosis)["refused actions"].text, show(diagnosis)


def test_a_claim_is_offered_only_where_claims_are_called() -> None:
    code = (
        "import copy, sys; sys.path[:0] = [BROKEN]\n"
        "from kinds import Kind\nfrom base import Lines, read, write\n"
        "kind = Kind(configurable=False, queries=False)\n"
        "for line in Lines():\n"
        "    r = read(line)\n"
        "    reply = kind.handle(r) if r else None\n"
        "    if r and r['op'] == 'hello':\n"
        "        reply = copy.deepcopy(reply)\n"
        "        assert reply['ok']['capabilities']['claims'] == 'called'\n"
        "        reply['ok']['capabilities']['claims'] = CLAIMS\n"
        "    if r: write({'id': r['id'], **reply})\n"
    ).replace("BROKEN", repr(str(BROKEN)))
    for claims in ("none", "called"):
        program = code.replace("CLAIMS", repr(claims))
        command = AdapterCommand((sys.executable, "-c", program))
        diagnosis = examine(command, limits=QUICK, checks=["declared"])
        assert ("claims" in wrong(diagnosis)) == (claims == "none"), show(diagnosis)


@pytest.mark.parametrize(
    ("name", "check", "told"),
    [
        ("noise.py", "noise", "lines on stdout are no messages"),
        ("grandchildren.py", "end of input", "2 processes were left behind"),
    ],
)
def test_what_costs_nothing_is_a_note(name: str, check: str, told: str) -> None:
    command = AdapterCommand((sys.executable, str(BROKEN / name)))
    diagnosis = examine(command, checks=["one reply each", "end of input"])
    assert told in noted(diagnosis)[check].text
    assert noted(diagnosis)[check].hint


def test_a_restart_under_another_name_is_told_once(script: Path) -> None:
    checks = ["unknown op", "unknown key", "end of input"]
    diagnosis = of(script, "WHO['version'] = str(os.getpid())\nserve()\n", checks)
    (finding,) = [f for f in diagnosis.findings if f.status is Status.WRONG]
    assert finding.check == "identity"
    assert "adapter.version is " in finding.text


def test_one_cause_is_one_finding_wherever_it_is_seen(script: Path) -> None:
    code = (
        "def changed(r):\n    if r['op'] == 'no-such-operation': raise KeyError(r['op'])\n"
        "    return answer(r)\nserve(changed)\n"
    )
    told: list[Finding] = []
    script.write_text(ADAPTER + code, encoding="utf-8")
    command = AdapterCommand((sys.executable, "-S", str(script)))
    diagnosis = examine(command, limits=QUICK, told=told.append)
    (finding,) = [f for f in diagnosis.findings if f.status is Status.WRONG]
    assert finding.check == "unknown op"
    assert "KeyError: 'no-such-operation'" in finding.text
    assert finding.also == ("unicode", "unreadable line", "one reply each", "end of input")
    assert [f.check for f in told if f.status is Status.WRONG] == ["unknown op"]
    # What does not depend on it is examined all the same.
    fine = {f.check for f in diagnosis.findings if f.status is Status.OK}
    assert {"legal_plays", "trick_winner", "a bad case", "state", "window"} <= fine
    assert not any("not examined" in f.text for f in diagnosis.findings)


def test_two_causes_are_two_findings(script: Path) -> None:
    code = (
        "def changed(r):\n    if r['op'] == 'no-such-operation': raise KeyError(r['op'])\n"
        "    if r['op'] == 'trick_winner': raise ValueError('no seat')\n"
        "    return answer(r)\nserve(changed)\n"
    )
    diagnosis = of(script, code, ["unknown op", "unicode", "declared", "state"])
    first, second = (f for f in diagnosis.findings if f.status is Status.WRONG)
    assert (first.check, first.also) == ("unknown op", ("unicode",))
    assert (second.check, second.also) == ("declared", ("state",))


def test_what_breaks_everything_is_not_examined_for_ever(script: Path) -> None:
    code = "def changed(r):\n    if r['op'] != 'hello': os._exit(3)\n    return answer(r)\n"
    diagnosis = of(script, code + "serve(changed)\n")
    assert any("not examined" in f.text for f in diagnosis.findings)
    assert len(wrong(diagnosis)) <= 6


# The command -------------------------------------------------------------------------------


def test_the_command(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    good = ["doctor", "--", sys.executable, str(BROKEN / "correct.py")]
    assert main(good) == 0
    shown = capsys.readouterr().out
    assert "Nothing is wrong. Next: bauernschnapsen certify -- " in shown
    assert main(["doctor", "--", "./no-such-program"]) == 3
    assert "cannot be started" in capsys.readouterr().out
    script.write_text(ADAPTER + CASES["unknown op"][1], encoding="utf-8")
    assert main(["doctor", "--json", "--", sys.executable, str(script)]) == 1
    found: Any = json.loads(capsys.readouterr().out)
    assert validate(found, "doctor") == []
    assert found["healthy"] is False
    assert {f["check"] for f in found["findings"] if f["status"] == "wrong"} == {"unknown op"}
    code = "def changed(r):\n    if r['op'] != 'hello': os._exit(3)\n    return answer(r)\n"
    script.write_text(ADAPTER + code + "serve(changed)\n", encoding="utf-8")
    assert main(["doctor", "--", sys.executable, str(script)]) == 1
    shown = capsys.readouterr().out
    again = re.search(r"^also +unknown op +the same in: (.*)$", shown, re.MULTILINE)
    assert again is not None, shown
    assert "unicode" in again[1]
    assert shown.count("not examined") <= 1
    assert main(["doctor", "--json", "--", sys.executable, str(script)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert validate(found, "doctor") == []
    assert any("unicode" in f["also"] for f in found["findings"] if f["check"] == "unknown op")


def test_every_check_has_a_name_and_a_sentence() -> None:
    for name, check in CHECKS.items():
        assert name
        assert check.__doc__
