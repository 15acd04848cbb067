"""The checks. Each gets a fresh, shaken-hands process and says what it finds.

A check that is broken off by Trouble (silence, an end, garbage) is a finding by itself.
"""

from __future__ import annotations

import json
from time import monotonic

from bauernschnapsen.data.schemas import validate

from ..adapter import Hello
from ..adapter.faults import printable
from ..adapter.handshake import Suite, hello_body
from ..counting import counted
from . import examples
from .abilities import bad_cases, declared, refusals, twice, window
from .finding import Trouble
from .saying import PROBE, Check, Findings, note, ok, outcome_of, shown, wrong
from .talk import Talk

_QUIET = 0.25
_UNICODE = "Grüße ♥♠ 10♥ Ω 🂡 \u2028 Ober"


def capabilities(talk: Talk, hello: Hello) -> Findings:
    """What the adapter says it can do."""
    able = hello.capabilities
    can = [name for name in ("legal_plays", "trick_winner") if getattr(able, name)]
    can += [f"replay from the {start}" for start in able.starts]
    if not can:
        yield wrong(
            "capabilities",
            "the adapter declares nothing that can be asked",
            'Begin with "legal_plays":true under capabilities; level 1 needs no more than that '
            "and trick_winner.",
        )
    else:
        more = [f"claims {able.claims}", f"window {hello.window}"]
        more += [name for name in ("match", "reasons", "configurable") if getattr(able, name)]
        yield ok("capabilities", ", ".join([*can, *more]))
    if able.match and not able.starts:
        yield note("capabilities", "match without starts means nothing", "Declare a start.")
    if not hello.engine.language:
        yield note("capabilities", "the engine does not say its language", "engine.language")
    for warning in hello.warnings:
        yield note("capabilities", warning)
    errors = validate({"id": 1, **talk.first_hello}, "wire-hello-reply")
    for error in errors[:3]:
        hint = "schemas/wire-hello-reply.schema.json says how it must be."
        yield wrong("capabilities", f"the reply to hello is not as it must be: {error}", hint)


def unknown_op(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """An operation that does not exist."""
    kind = outcome_of(talk.ask(PROBE))
    if kind == "unsupported":
        yield ok("unknown op", "is answered unsupported")
    elif kind == "error":
        yield note(
            "unknown op", "is answered error", 'Later versions may ask more: answer "unsupported".'
        )
    else:
        yield wrong("unknown op", f"is answered {kind}", 'Answer {"unsupported":"unknown op"}.')


def unknown_key(talk: Talk, hello: Hello) -> Findings:
    """Keys that a later version may bring."""
    extra = {"later": {"version": [1, None, True, -3]}, "note": "ignore me"}
    for body in examples.questions(hello.capabilities)[:1] or [PROBE]:
        plain, other = talk.ask(body), talk.ask({**body, **extra})
        if plain == other:
            yield ok("unknown key", "is ignored")
        else:
            yield wrong(
                "unknown key",
                f"changes the answer: {shown(other)} instead of {shown(plain)}",
                "Ignore keys you do not know.",
            )


def unicode_text(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """UTF-8, raw and escaped."""
    talk.ask({**PROBE, "text": _UNICODE})
    number = talk.send(PROBE)
    talk.replies([number])
    escaped = json.dumps({"id": number + 1000, **PROBE, "text": _UNICODE})
    talk.send_line(escaped.encode())
    talk.replies([number + 1000])
    yield ok("unicode", "letters, suits and emoji are read, raw and escaped")


def long_line(talk: Talk, hello: Hello) -> Findings:
    """A line as long as a line may be."""
    room = talk.limits.max_line - 200
    body = {**(examples.questions(hello.capabilities) or [PROBE])[0]}
    plain = talk.ask(body)
    begun = monotonic()
    reply = talk.ask({**body, "padding": "x" * (room - len(json.dumps(body)))})
    if reply == plain:
        yield ok("1 MB line", f"is read and answered after {monotonic() - begun:.2f} s")
    else:
        yield wrong(
            "1 MB line",
            f"is answered {shown(reply)}",
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
            yield wrong("unreadable line", f"{name}: {trouble.text}", hint)
            if talk.process.exited() or talk.process.eof:
                return
    talk.ask(PROBE)
    if fine:
        yield ok("unreadable line", "gets no reply, and the next request is answered")


def stays_quiet(talk: Talk, hello: Hello) -> Findings:
    """Exactly one reply, at once, and nothing else on stdout."""
    begun = monotonic()
    for body in [PROBE, *examples.questions(hello.capabilities)]:
        talk.ask(body)
    each = (monotonic() - begun) / (1 + len(examples.questions(hello.capabilities)))
    talk.quiet(_QUIET)
    yield ok("one reply each", f"flushed at once, {each * 1000:.1f} ms each")
    if talk.process.noise_lines:
        sample = printable(talk.process.noise[0], 80)
        lines = counted(
            talk.process.noise_lines,
            "line on stdout is no message",
            "lines on stdout are no messages",
        )
        yield note(
            "noise",
            f"{lines}, such as: {sample}",
            "Print banners and logs on stderr; behind such text a reply can get lost.",
        )
    else:
        yield ok("noise", "nothing but messages on stdout")


def hello_again(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """A second hello, of a later runner: protocol versions and limits."""
    body = hello_body(Suite("0", ""), talk.limits.max_line)
    again = talk.ask(body)
    if again != talk.first_hello:
        yield wrong(
            "hello again",
            "a second hello is answered otherwise",
            "Names, versions and capabilities must always be the same: no time, no process number.",
        )
    later = talk.ask({**body, "protocol": {"min": 1, "max": 9}})
    if "ok" not in later:
        yield wrong(
            "hello again",
            "a runner that speaks versions 1 to 9 is refused",
            "Choose the highest version you know between min and max.",
        )
    never = talk.ask({**body, "protocol": {"min": 98, "max": 99}})
    if "error" not in never:
        yield wrong(
            "hello again",
            f"a runner that speaks only versions 98 and 99 is answered {outcome_of(never)}",
            "Where no version is common, answer error.",
        )
    elif again == talk.first_hello and "ok" in later:
        yield ok("hello again", "the same answer; other versions are handled")


def end_of_input(talk: Talk, hello: Hello) -> Findings:  # noqa: ARG001
    """The end of stdin."""
    talk.ask(PROBE)
    process = talk.process
    patience = talk.limits.scaled(talk.limits.shut_down)
    ended = process.end(patience)
    if ended is None:
        yield wrong(
            "end of input",
            f"the adapter goes on running {patience:g} s after its input has ended",
            "Leave the loop when there are no more lines, and exit with code 0.",
        )
    elif ended.code != 0:
        yield note("end of input", f"the adapter {ended}", "Exit with code 0.")
    else:
        yield ok("end of input", "the adapter exits with code 0")
    if process.strays:
        yield note(
            "end of input",
            f"{counted(process.strays, 'process was', 'processes were')} left behind and ended",
            "Wait for the processes you start, or end them.",
        )
    if process.leftovers:
        yield wrong(
            "end of input",
            f"more lines came at the end: {printable(process.leftovers[0], 80)}",
            "One reply per request, flushed at once.",
        )


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
