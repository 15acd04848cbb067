"""Judging: whether what an engine answers to a case is what the reference or another engine says.

A case is fitted to the engine first, as a scenario is (`fitting`), so its limits are honoured: how
a deal may start, whether claims are called, whether it enforces anything. What it does not show is
never a difference.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules

from ..adapter import Answer, Capabilities, FaultKind
from ..adapter.faults import printable
from ..blaming import blame
from ..corpus import Prepared, Scenario
from ..run.fitting import CannotBeAsked, NotApplicable, fit
from ..run.verdicts import Verdict, judge_reply
from ..views import Difference, Statement, View
from .generators import Abilities, Case

Json = dict[str, Any]
ENGINE_ERROR = "engine error"
OTHER_ERROR = "engine error of the other"
_LONGEST = 4000
_ITEM = Scenario("campaign.case", "", "", {}, (), ())


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """What findings are grouped by: the rule that seems broken and the first differing field.

    An engine that answers with an error, or whose process misbehaves, breaks no rule; then `rule`
    is empty and `field` says what it does.
    """

    rule: str
    field: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.field}" if self.rule else self.field


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """That an engine is wrong in a case: the cause, where, and what it showed there."""

    cause: Cause
    rules: tuple[str, ...] = ()
    """One to three rules that may be broken, the likeliest first."""
    difference: Difference | None = None
    said: str = ""
    """What the engine says in an error, or what its process did."""

    @property
    def place(self) -> tuple[int, int]:
        """Deal and view of the first difference; (0, 0) where there is none."""
        return (self.difference.deal, self.difference.view) if self.difference else (0, 0)


@dataclass(frozen=True, slots=True)
class Question:
    """A case as it is asked: fitted to the engine, with all that is expected."""

    prepared: Prepared
    skip: tuple[int, ...] = ()

    @property
    def deals(self) -> Case:
        """The deals of the request."""
        return self.prepared.deals

    @property
    def body(self) -> Json:
        """The body of the request."""
        return {"op": "replay", "deals": self.prepared.deals}


def question(
    deals: Case, rules: Rules, able: Capabilities, expected: list[list[View]] | None = None
) -> Question | None:
    """Return a case as this engine can be asked it, or None where it cannot.

    `rules` are those the engine plays by. `expected`: the views of the reference if they are known.
    """
    try:
        views = replay(rules, deals) if expected is None else expected
    except SpecError:
        return None
    prepared = Prepared(_ITEM, deals, views, refusals_stated(deals, views))
    try:
        fitted = fit(prepared, rules, able)
    except (CannotBeAsked, NotApplicable):
        return None
    return Question(fitted.prepared, fitted.skip)


def refusals_stated(deals: Case, expected: Sequence[Sequence[View]]) -> list[Statement]:
    """State every refusal with its reason, for engines that tell why they refuse."""
    return [
        Statement(number, place, "refused", tuple(deals[number]["actions"][place - 1]), rule)
        for number, views in enumerate(expected)
        for place, view in enumerate(views)
        if (rule := view.get("refused")) is not None
    ]


def judge(asked: Question, answer: Answer, rules: Rules, able: Capabilities) -> Discrepancy | None:
    """Return how an answer is wrong, or None: it is right, or says that it is not supported."""
    if answer.fault is not None:
        kind = answer.fault.kind
        if kind is FaultKind.NOT_RUN:
            return None
        return Discrepancy(Cause("", kind.value), said=str(answer.fault))
    return judge_answer(asked, answer.reply or {}, rules, reasons=able.reasons)


def judge_answer(
    asked: Question, reply: Mapping[str, Any], rules: Rules, *, reasons: bool
) -> Discrepancy | None:
    """Return how a reply is wrong, or None."""
    opinion = judge_reply(asked.prepared, reply, reasons=reasons, skip=asked.skip)
    if opinion.verdict is Verdict.FAIL:
        return discrepancy(asked, opinion.differences[0], rules)
    if opinion.verdict is Verdict.ERROR:
        return Discrepancy(Cause("", ENGINE_ERROR), said=opinion.reason)
    return None


def discrepancy(asked: Question, first: Difference, rules: Rules) -> Discrepancy:
    """Return a difference with the rules that are probably broken."""
    prepared = asked.prepared
    blamed = blame(rules, prepared.deals, prepared.expected, first)
    first = replace(first, expected=_bounded(first.expected), got=_bounded(first.got))
    return Discrepancy(Cause(blamed[0], field_of(first)), blamed, first)


def field_of(first: Difference) -> str:
    """Return the field that differs, as `outcome.awards`: seats and sides tell no causes apart."""
    if first.path[0] in ("legal", "sees"):
        return first.path[0]  # what follows are seats, and an engine may make some up
    return ".".join(part for part in first.path if not part.isupper())


def _bounded(value: Any) -> Any:
    """Return a value that an engine showed, or only its beginning where it is beyond measure."""
    text = json.dumps(value)
    return value if len(text) <= _LONGEST else printable(text, _LONGEST)


def is_unsupported(answer: Answer) -> bool:
    """Whether an engine said that it does not know what it was asked."""
    return answer.reply is not None and "unsupported" in answer.reply


# --------------------------------------------------------------------------- one engine, another


def judge_pair(
    asked: Question, reply: Mapping[str, Any], other: Mapping[str, Any], rules: Rules
) -> Discrepancy | None:
    """Hold a reply against that of another engine; None where they agree as far as both show.

    The other engine's error counts as one, too; what either does not support is not compared.
    """
    if "unsupported" in reply or "unsupported" in other:
        return None
    opinion = judge_reply(asked.prepared, other, reasons=False, skip=asked.skip)
    if opinion.verdict is Verdict.ERROR:
        return Discrepancy(Cause("", OTHER_ERROR), said=opinion.reason)
    if judge_reply(asked.prepared, reply, reasons=False).verdict is Verdict.ERROR:
        return judge_answer(asked, reply, rules, reasons=False)
    shown: list[list[View]] = [
        [_as_expected(*pair) for pair in zip(*deals, strict=True)]
        for deals in zip(asked.prepared.expected, other["ok"], reply["ok"], strict=True)
    ]
    prepared = replace(asked.prepared, expected=shown, statements=[])
    opinion = judge_reply(prepared, reply, reasons=False, skip=asked.skip)
    return discrepancy(asked, opinion.differences[0], rules) if opinion.differences else None


def _as_expected(right: View, shown: Json, other: Json) -> View:
    """Return what an engine showed in the form in which views are expected.

    Of `sees` only what both show is compared: what is left out there says nothing.
    """
    view = {"phase": right["phase"], **shown}
    if view.get("legal") is None:
        view.pop("legal", None)
    elif isinstance(other.get("legal"), dict):
        hidden = [seat for seat, actions in view["legal"].items() if actions is None]
        view["legal"] = {
            **{seat: other["legal"].get(seat, []) for seat in hidden},
            **{seat: actions for seat, actions in view["legal"].items() if actions is not None},
        }
    sees, others = view.get("sees"), other.get("sees")
    if isinstance(others, dict):
        known = sees if isinstance(sees, dict) else {}
        view["sees"] = {
            viewer: {**(owners or {}), **(known.get(viewer) or {})}
            for viewer, owners in others.items()
        }
    return view


def common_abilities(one: Capabilities, other: Capabilities) -> Capabilities | str:
    """Return what two engines have in common, or a sentence that says why they cannot be compared.

    What only one of them tells (reasons) or does (match) is not asked.
    """
    starts = tuple(start for start in one.starts if start in other.starts)
    if not starts:
        return "one engine starts from the deal only, the other from the contract only"
    claims = one.claims
    if one.claims != other.claims:
        if "automatic" in (one.claims, other.claims):
            return "one engine ends deals by itself, for the other somebody has to say enough"
        claims = "none"
    return replace(
        one,
        players=tuple(number for number in one.players if number in other.players),
        starts=starts,
        claims=claims,
        match=one.match and other.match,
        enforces=one.enforces and other.enforces,
        reasons=False,
    )


def abilities(able: Capabilities) -> Abilities:
    """Return what decides which cases are made for an engine."""
    return Abilities(
        starts=able.starts,
        claims=able.claims == "called",
        enforces=able.enforces,
        match=able.match,
    )
