"""Checks of what an adapter declares: that it answers, in the right shape, and forgets."""

from __future__ import annotations

from typing import Any

from bauernschnapsen.data.schemas import validate

from ..adapter import Hello
from ..counting import counted
from . import examples
from .finding import Finding, Status
from .saying import PROBE, Findings, Json, canonical, note, ok, outcome_of, shown, wrong
from .talk import Talk


def declared(talk: Talk, hello: Hello) -> Findings:
    """Every declared capability answers, and in the right shape."""
    able = hello.capabilities
    if able.configurable and talk.rules_reply is not None:
        if "ok" in talk.rules_reply:
            yield ok("rules", "the main ruleset is taken")
        else:
            yield wrong(
                "rules",
                f"configurable, but the main ruleset is answered {shown(talk.rules_reply)}",
                'Declare "configurable":false, or take the ruleset and answer {"ok":true}.',
            )
    told: dict[Finding, None] = {}
    for body in examples.questions(able):
        reply = talk.ask(body)
        told.update(dict.fromkeys(_shape(reply, body)))
        told.update(dict.fromkeys(_claim_listed(reply, able.claims)))
    spoiled = {finding.check for finding in told if finding.status is not Status.OK}
    for finding in told:
        if finding.status is not Status.OK or finding.check not in spoiled:
            yield finding


def _shape(reply: Json, body: Json) -> Findings:
    op = body["op"]
    name = op if op != "replay" else _replay_name(body)
    if "ok" not in reply:
        yield wrong(
            name,
            f"declared, but answered {shown(reply)}",
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
        yield wrong(name, f"the answer is not as it must be: {errors[0]}", hint)
    elif sizes != wanted:
        what = "a view before and after each action" if op == "replay" else "one for each case"
        yield wrong(name, f"{sizes} answers instead of {wanted}", f"Return {what}.")
    elif op != "replay" and (failed := [one for one in got if _is_outcome(one, "error")]):
        hint = "These are plain cases; ask the engine one of them in a debugger."
        yield wrong(name, f"{_of(failed, got)} an error: {shown(failed[0])}", hint)
    elif op != "replay" and (unable := [one for one in got if _is_outcome(one, "unsupported")]):
        yield note(
            name,
            f"{_of(unable, got)} unsupported: {shown(unable[0])}",
            "Right if the engine has no such contract; then only the others are certified.",
        )
    elif op == "replay" and any("error" in view for view in got[0]):
        hint = "Catch it by hand: send the same deal to the engine in a debugger."
        yield wrong(name, f"a view is an error: {shown(got[0][-1])}", hint)
    elif op == "replay" and any(view.get("refused") for view in got[0]):
        yield note(
            name,
            "an action of a plain deal was refused",
            "Perhaps a house rule; if not, compare with: bauernschnapsen certify.",
        )
    else:
        yield ok(name, "answers in the right shape")


def _claim_listed(reply: Json, claims: str) -> Findings:
    """Whether `enough` is offered by an adapter that says nobody can say it."""
    deals = reply.get("ok")
    views = [view for deal in deals if isinstance(deal, list) for view in deal] if deals else []
    legal = [view["legal"] for view in views if isinstance(view, dict) and "legal" in view]
    offered = [actions for seats in legal if isinstance(seats, dict) for actions in seats.values()]
    if claims != "called" and any("enough" in actions for actions in offered if actions):
        yield wrong(
            "claims",
            f'claims are declared "{claims}", but `legal` offers `enough`',
            'Declare "claims":"called", or leave `enough` out of `legal`.',
        )


def _of(some: list[Any], all_of_them: list[Any]) -> str:
    cases = counted(len(all_of_them), "case")
    return f"{len(some)} of {cases} {'is' if len(some) == 1 else 'are'}"


def _is_outcome(answer: Any, kind: str) -> bool:
    return isinstance(answer, dict) and kind in answer


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
            yield ok("a bad case", "does not spoil the others of its list")
        else:
            yield note(
                "a bad case",
                f"spoils the whole list: {shown(reply)}",
                'Put {"unsupported":...} or {"error":...} in its place; else the list is asked '
                "again case by case, which is slower.",
            )
    if able.starts:
        body = examples.replays(able)[0]
        if "contract" in body["deals"][0]:
            body["deals"][0]["contract"]["name"] = "no-such-contract"
            kind = outcome_of(talk.ask(body))
            if kind == "ok":
                hint = 'Answer {"unsupported":"contract ..."} for a contract you do not have.'
                yield wrong("unknown contract", "is played as if it were known", hint)
            else:
                yield ok("unknown contract", f"is answered {kind}")


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
        yield wrong(
            "refused actions",
            f"{counted(len(views), 'view')} for {counted(len(actions), 'action')}: {shown(reply)}",
            'A refused action gets a view with "refused":true; then go on with the next one.',
        )
        return
    *tried, last = views[-4:]
    names = ("a card out of turn", "a card of another seat", "words that are no action")
    fine = True
    for name, view in zip(names, tried, strict=True):
        if "error" in view or not view.get("refused"):
            fine = False
            told = shown(view["error"]) if "error" in view else "accepted"
            hint = 'Whatever the engine does not know or allow gets "refused":true.'
            yield wrong("refused actions", f"{name}: {told}", hint)
    if last.get("refused"):
        fine = False
        yield wrong(
            "refused actions",
            "a legal card after them is refused, too",
            "A refused action must leave the table as it was.",
        )
    if fine:
        yield ok("refused actions", "change nothing, and the next action is tried")


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
            if canonical(was) != canonical(now):
                yield wrong(
                    "state",
                    f"{name}, {body['op']} is answered otherwise: first {shown(was)}, "
                    f"then {shown(now)}",
                    "Set up everything anew for each request; is something static or global?",
                )
                return
    yield ok("state", "the same requests get the same answers, in any order")


def window(talk: Talk, hello: Hello) -> Findings:
    """As many requests at once as the adapter declares."""
    bodies = examples.questions(hello.capabilities) or [PROBE]
    alone = [talk.ask(body) for body in bodies]
    number = hello.window
    many = [bodies[place % len(bodies)] for place in range(number)]
    for place, reply in enumerate(talk.ask_all(many)):
        if canonical(reply) != canonical(alone[place % len(bodies)]):
            yield wrong(
                "window",
                f"with {number} requests under way, an answer is not the one given alone",
                'If the engine cannot take several requests at once, declare "window":1.',
            )
            return
    if number == 1:
        yield note(
            "window",
            "one request at a time is safe, and slow",
            "An adapter that reads, answers and reads on can declare any window, such as 16.",
        )
    else:
        yield ok("window", f"{number} requests at once are answered as one by one")
