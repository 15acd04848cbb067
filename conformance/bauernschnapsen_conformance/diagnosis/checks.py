"""The checks. Each gets a fresh, shaken-hands process and says what it finds.

A check that is broken off by Trouble (silence, an end, garbage) is a finding by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from bauernschnapsen.data.schemas import validate

from ..adapter import Hello
from ..adapter.faults import printable
from ..adapter.handshake import Suite, hello_body
from . import examples
from .finding import Finding, Status, Trouble
from .talk import Talk

Json = dict[str, Any]
Findings = Iterator[Finding]
Check = Callable[[Talk, Hello], Findings]
_QUIET = 0.25
_PROBE = {"op": "no-such-operation"}
_UNICODE = "Grüße ♥♠ 10♥ Ω 🂡 \u2028 Ober"
_OUTCOMES = ("ok", "unsupported", "error")


def _ok(check: str, text: str) -> Finding:
    return Finding(check, Status.OK, text)


def _note(check: str, text: str, hint: str = "") -> Finding:
    return Finding(check, Status.NOTE, text, hint)


def _wrong(check: str, text: str, hint: str = "") -> Finding:
    return Finding(check, Status.WRONG, text, hint)


def _kind(reply: Json) -> str:
    found = [name for name in _OUTCOMES if name in reply]
    return found[0] if len(found) == 1 else f"{len(found)} of ok, unsupported and error"


def capabilities(talk: Talk, hello: Hello) -> Findings:
    """What the adapter says it can do."""
    able = hello.capabilities
    can = [name for name in ("legal_plays", "trick_winner") if getattr(able, name)]
    can += [f"replay from the {start}" for start in able.starts]
    if not can:
        yield _wrong(
            "capabilities",
            "the adapter declares nothing that can be asked",
            'Begin with "legal_plays":true under capabilities; level 1 needs no more than that '
            "and trick_winner.",
        )
    else:
        more = [f"claims {able.claims}", f"window {hello.window}"]
        more += [name for name in ("match", "reasons", "configurable") if getattr(able, name)]
        yield _ok("capabilities", ", ".join([*can, *more]))
    if able.match and not able.starts:
        yield _note("capabilities", "match without starts means nothing", "Declare a start.")
    if not hello.engine.language:
        yield _note("capabilities", "the engine does not say its language", "engine.language")
    for warning in hello.warnings:
        yield _note("capabilities", warning)
    errors = validate({"id": 1, **talk.first_hello}, "wire-hello-reply")
    for error in errors[:3]:
        hint = "schemas/wire-hello-reply.schema.json says how it must be."
        yield _wrong("capabilities", f"the reply to hello is not as it must be: {error}", hint)


def unknown_op(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """An operation that does not exist."""
    kind = _kind(talk.ask(_PROBE))
    if kind == "unsupported":
        yield _ok("unknown op", "is answered unsupported")
    elif kind == "error":
        yield _note(
            "unknown op", "is answered error", 'Later versions may ask more: answer "unsupported".'
        )
    else:
        yield _wrong("unknown op", f"is answered {kind}", 'Answer {"unsupported":"unknown op"}.')


def unknown_key(talk: Talk, hello: Hello) -> Findings:
    """Keys that a later version may bring."""
    extra = {"later": {"version": [1, None, True, -3]}, "note": "ignore me"}
    for body in examples.questions(hello.capabilities)[:1] or [_PROBE]:
        plain, other = talk.ask(body), talk.ask({**body, **extra})
        if plain == other:
            yield _ok("unknown key", "is ignored")
        else:
            yield _wrong(
                "unknown key",
                f"changes the answer: {_shown(other)} instead of {_shown(plain)}",
                "Ignore keys you do not know.",
            )


def unicode_text(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """UTF-8, raw and escaped."""
    talk.ask({**_PROBE, "text": _UNICODE})
    number = talk.send(_PROBE)
    talk.replies([number])
    escaped = json.dumps({"id": number + 1000, **_PROBE, "text": _UNICODE})
    talk.send_line(escaped.encode())
    talk.replies([number + 1000])
    yield _ok("unicode", "letters, suits and emoji are read, raw and escaped")


def long_line(talk: Talk, hello: Hello) -> Findings:
    """A line as long as a line may be."""
    room = talk.limits.max_line - 200
    body = {**(examples.questions(hello.capabilities) or [_PROBE])[0]}
    plain = talk.ask(body)
    begun = monotonic()
    reply = talk.ask({**body, "padding": "x" * (room - len(json.dumps(body)))})
    if reply == plain:
        yield _ok("1 MB line", f"is read and answered after {monotonic() - begun:.2f} s")
    else:
        yield _wrong(
            "1 MB line",
            f"is answered {_shown(reply)}",
            "Read whole lines of up to limits.max_line bytes, not a fixed buffer.",
        )


def unreadable(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """Lines without a readable id."""
    lines = {
        "an empty line": b"",
        "a line that is no JSON": b"this is no JSON",
        "a list": b"[1,2,3]",
        "an object without id": b'{"op":"hello"}',
        "an id that is a text": b'{"id":"7","op":"hello"}',
        "bytes that are no UTF-8": b'{"id":7,"op":"\xff\xfe"',
        "half an object": b'{"id":7,"op":"hel',
    }
    fine = True
    for name, line in lines.items():
        talk.send_line(line)
        try:
            talk.quiet(_QUIET / 5)
        except Trouble as trouble:
            fine = False
            hint = "Leave such a line without a reply, and go on reading."
            yield _wrong("unreadable line", f"{name}: {trouble.text}", hint)
            if talk.process.exited() or talk.process.eof:
                return
    talk.ask(_PROBE)
    if fine:
        yield _ok("unreadable line", "gets no reply, and the next request is answered")


def stays_quiet(talk: Talk, hello: Hello) -> Findings:
    """Exactly one reply, at once, and nothing else on stdout."""
    begun = monotonic()
    for body in [_PROBE, *examples.questions(hello.capabilities)]:
        talk.ask(body)
    each = (monotonic() - begun) / (1 + len(examples.questions(hello.capabilities)))
    talk.quiet(_QUIET)
    yield _ok("one reply each", f"flushed at once, {each * 1000:.1f} ms each")
    if talk.process.noise_lines:
        sample = printable(talk.process.noise[0], 80)
        yield _note(
            "noise",
            f"{talk.process.noise_lines} lines on stdout are no messages, such as: {sample}",
            "Print banners and logs on stderr; behind such text a reply can get lost.",
        )
    else:
        yield _ok("noise", "nothing but messages on stdout")


def declared(talk: Talk, hello: Hello) -> Findings:
    """Every declared capability answers, and in the right shape."""
    able = hello.capabilities
    if able.configurable and talk.rules_reply is not None:
        if "ok" in talk.rules_reply:
            yield _ok("rules", "the main ruleset is taken")
        else:
            yield _wrong(
                "rules",
                f"configurable, but the main ruleset is answered {_shown(talk.rules_reply)}",
                'Declare "configurable":false, or take the ruleset and answer {"ok":true}.',
            )
    told: dict[Finding, None] = {}
    for body in examples.questions(able):
        told.update(dict.fromkeys(_shape(talk.ask(body), body)))
    spoiled = {finding.check for finding in told if finding.status is not Status.OK}
    for finding in told:
        if finding.status is not Status.OK or finding.check not in spoiled:
            yield finding


def _shape(reply: Json, body: Json) -> Findings:
    op = body["op"]
    name = op if op != "replay" else _replay_name(body)
    if "ok" not in reply:
        yield _wrong(
            name,
            f"declared, but answered {_shown(reply)}",
            "Answer it, or leave the capability out of hello.",
        )
        return
    errors = validate({"id": 1, **reply}, f"wire-{op.replace('_', '-')}-reply")
    wanted = (
        [len(body["cases"])]
        if op != "replay"
        else [1 + len(deal["actions"]) for deal in body["deals"]]
    )
    got = reply["ok"]
    sizes = _sizes(got, op)
    if errors:
        hint = f"schemas/wire-{op.replace('_', '-')}-reply.schema.json says how it must be."
        yield _wrong(name, f"the answer is not as it must be: {errors[0]}", hint)
    elif sizes != wanted:
        what = "a view before and after each action" if op == "replay" else "one for each case"
        yield _wrong(name, f"{sizes} answers instead of {wanted}", f"Return {what}.")
    elif op == "replay" and any("error" in view for view in got[0]):
        hint = "Catch it by hand: send the same deal to the engine in a debugger."
        yield _wrong(name, f"a view is an error: {_shown(got[0][-1])}", hint)
    elif op == "replay" and any(view.get("refused") for view in got[0]):
        yield _note(
            name,
            "an action of a plain deal was refused",
            "Perhaps a house rule; if not, compare with: bauernschnapsen certify.",
        )
    else:
        yield _ok(name, "answers in the right shape")


def _sizes(got: Any, op: str) -> list[int]:
    if not isinstance(got, list):
        return []
    if op != "replay":
        return [len(got)]
    return [len(deal) if isinstance(deal, list) else -1 for deal in got]


def _replay_name(body: Json) -> str:
    return f"replay from the {'contract' if 'contract' in body['deals'][0] else 'deal'}"


def bad_cases(talk: Talk, hello: Hello) -> Findings:
    """One bad case in a list, and things an engine does not know."""
    able = hello.capabilities
    if able.legal_plays:
        good, other, _rest = examples.LEGAL_CASES
        bad = {**other, "contract": "no-such-contract"}
        alone = talk.ask({"op": "legal_plays", "cases": [good]})
        reply = talk.ask({"op": "legal_plays", "cases": [good, bad]})
        answers = reply.get("ok")
        if isinstance(answers, list) and len(answers) == 2 and answers[:1] == alone.get("ok"):
            yield _ok("a bad case", "does not spoil the others of its list")
        else:
            yield _note(
                "a bad case",
                f"spoils the whole list: {_shown(reply)}",
                'Put {"unsupported":...} or {"error":...} in its place; else the list is asked '
                "again case by case, which is slower.",
            )
    if able.starts:
        body = examples.replays(able)[0]
        if "contract" in body["deals"][0]:
            body["deals"][0]["contract"]["name"] = "no-such-contract"
            kind = _kind(talk.ask(body))
            if kind == "ok":
                hint = 'Answer {"unsupported":"contract ..."} for a contract you do not have.'
                yield _wrong("unknown contract", "is played as if it were known", hint)
            else:
                yield _ok("unknown contract", f"is answered {kind}")


def refusals(talk: Talk, hello: Hello) -> Findings:
    """Actions that must be refused and change nothing."""
    able = hello.capabilities
    body = examples.refusals(able)
    if body is None or not able.enforces:
        return
    reply = talk.ask(body)
    deal = (reply.get("ok") or [[]])[0]
    actions = body["deals"][0]["actions"]
    views = [view for view in deal if isinstance(view, dict)]
    if len(views) != len(actions) + 1:
        yield _wrong(
            "refused actions",
            f"{len(views)} views for {len(actions)} actions: {_shown(reply)}",
            'A refused action gets a view with "refused":true; then go on with the next one.',
        )
        return
    *tried, last = views[-4:]
    names = ("a card out of turn", "a card of another seat", "words that are no action")
    fine = True
    for name, view in zip(names, tried, strict=True):
        if "error" in view or not view.get("refused"):
            fine = False
            told = _shown(view["error"]) if "error" in view else "accepted"
            hint = 'Whatever the engine does not know or allow gets "refused":true.'
            yield _wrong("refused actions", f"{name}: {told}", hint)
    if last.get("refused"):
        fine = False
        yield _wrong(
            "refused actions",
            "a legal card after them is refused, too",
            "A refused action must leave the table as it was.",
        )
    if fine:
        yield _ok("refused actions", "change nothing, and the next action is tried")


def twice(talk: Talk, hello: Hello) -> Findings:
    """The same request twice, and many in another order: nothing is remembered."""
    bodies = examples.questions(hello.capabilities)
    if not bodies:
        return
    first = [talk.ask(body) for body in bodies]
    again = [talk.ask(body) for body in bodies]
    backward = [talk.ask(body) for body in reversed(bodies)][::-1]
    for name, other in (("asked twice", again), ("asked in another order", backward)):
        for body, was, now in zip(bodies, first, other, strict=True):
            if _canonical(was) != _canonical(now):
                yield _wrong(
                    "state",
                    f"{name}, {body['op']} is answered otherwise: first {_shown(was)}, "
                    f"then {_shown(now)}",
                    "Set up everything anew for each request; is something static or global?",
                )
                return
    yield _ok("state", "the same requests get the same answers, in any order")


def window(talk: Talk, hello: Hello) -> Findings:
    """As many requests at once as the adapter declares."""
    bodies = examples.questions(hello.capabilities) or [_PROBE]
    alone = [talk.ask(body) for body in bodies]
    number = hello.window
    many = [bodies[place % len(bodies)] for place in range(number)]
    for place, reply in enumerate(talk.ask_all(many)):
        if _canonical(reply) != _canonical(alone[place % len(bodies)]):
            yield _wrong(
                "window",
                f"with {number} requests under way, an answer is not the one given alone",
                'If the engine cannot take several requests at once, declare "window":1.',
            )
            return
    if number == 1:
        yield _note(
            "window",
            "one request at a time is safe, and slow",
            "An adapter that reads, answers and reads on can declare any window, such as 16.",
        )
    else:
        yield _ok("window", f"{number} requests at once are answered as one by one")


def hello_again(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """A second hello, of a later runner: protocol versions and limits."""
    body = hello_body(Suite("0", ""), talk.limits.max_line)
    again = talk.ask(body)
    if again != talk.first_hello:
        yield _wrong(
            "hello again",
            "a second hello is answered otherwise",
            "Names, versions and capabilities must always be the same: no time, no process number.",
        )
    later = talk.ask({**body, "protocol": {"min": 1, "max": 9}})
    if "ok" not in later:
        yield _wrong(
            "hello again",
            "a runner that speaks versions 1 to 9 is refused",
            "Choose the highest version you know between min and max.",
        )
    never = talk.ask({**body, "protocol": {"min": 98, "max": 99}})
    if "error" not in never:
        yield _wrong(
            "hello again",
            f"a runner that speaks only versions 98 and 99 is answered {_kind(never)}",
            "Where no version is common, answer error.",
        )
    elif again == talk.first_hello and "ok" in later:
        yield _ok("hello again", "the same answer; other versions are handled")


def end_of_input(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """The end of stdin."""
    talk.ask(_PROBE)
    process = talk.process
    patience = talk.limits.scaled(talk.limits.shut_down)
    ended = process.end(patience)
    if ended is None:
        yield _wrong(
            "end of input",
            f"the adapter goes on running {patience:g} s after its input has ended",
            "Leave the loop when there are no more lines, and exit with code 0.",
        )
    elif ended.code != 0:
        yield _note("end of input", f"the adapter {ended}", "Exit with code 0.")
    else:
        yield _ok("end of input", "the adapter exits with code 0")
    if process.strays:
        yield _note(
            "end of input",
            f"{process.strays} processes were left behind and ended",
            "Wait for the processes you start, or end them.",
        )
    if process.leftovers:
        yield _wrong(
            "end of input",
            f"more lines came at the end: {printable(process.leftovers[0], 80)}",
            "One reply per request, flushed at once.",
        )


def _canonical(reply: Any) -> Any:
    """The reply with what is a set in order."""
    if isinstance(reply, dict):
        return {key: _canonical(value) for key, value in sorted(reply.items())}
    if isinstance(reply, list):
        inner = [_canonical(one) for one in reply]
        texts = bool(inner) and all(isinstance(one, str) for one in inner)
        return sorted(inner) if texts else inner
    return reply


def _shown(value: Any) -> str:
    return printable(json.dumps(value, ensure_ascii=False), 160)


CHECKS: dict[str, Check] = {
    "capabilities": capabilities,
    "hello again": hello_again,
    "unknown op": unknown_op,
    "unknown key": unknown_key,
    "unicode": unicode_text,
    "unreadable line": unreadable,
    "1 MB line": long_line,
    "one reply each": stays_quiet,
    "declared": declared,
    "a bad case": bad_cases,
    "refused actions": refusals,
    "state": twice,
    "window": window,
    "end of input": end_of_input,
}
