"""The runner: a corpus, a ruleset and an adapter session in; a report out.

It is a library; the command line and the pytest plugin are two fronts of it. Scenario -> prepared
under the ruleset -> fitted to the engine -> turned -> request -> answer -> turned back -> verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Resolved

from .adapter.faults import Fault, FaultKind
from .adapter.handshake import Hello
from .adapter.messages import Answer, Request
from .corpus import Corpus, Item, PositionCase
from .levels import Level
from .plan import DEFAULT_SEED, Plan, Task, plan_run
from .queries import group_queries, judge_query, split_answer
from .verdicts import Judgement, Opinion, Verdict, judge_reply

RULES_KEY = "r1"


class Asked(Protocol):
    """What the runner needs of an adapter session."""

    @property
    def hello(self) -> Hello:
        """What the adapter said of itself."""

    def ask(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Exactly one answer to every request, in any order."""


def run_plan(
    plan: Plan, session: Asked, *, progress: Callable[[Judgement], None] | None = None
) -> list[Judgement]:
    """Ask everything that is to be asked; return one judgement per task, in their order."""
    judgements: dict[int, Judgement] = {
        task.number: task.done for task in plan.tasks if task.done is not None
    }
    asked = [task for task in plan.tasks if task.done is None]
    replays: dict[Hashable, Task] = {
        task.number: task for task in asked if task.query is None
    }
    groups = group_queries([task for task in asked if task.query is not None])
    hello = session.hello
    extra: dict[str, Any] = {"rules": RULES_KEY} if hello.capabilities.configurable else {}

    def requests() -> Iterator[Request]:
        for number, task in replays.items():
            assert task.prepared is not None and task.turning is not None
            deals = task.turning.deals(task.prepared.deals)
            yield Request(number, {"op": "replay", "deals": deals, **extra})
        for key, group in groups.items():
            yield Request(key, {**group.body, **extra})

    def note(task: Task, judgement: Judgement) -> None:
        judgements[task.number] = judgement
        if progress is not None:
            progress(judgement)

    again: list[Request] = []
    for answer in session.ask(requests()):
        if answer.key in replays:
            task = replays[answer.key]
            note(task, judge_answer(task, answer, reasons=hello.capabilities.reasons))
            continue
        group = groups[answer.key]
        for task, opinion in split_answer(group, answer):
            if opinion is None:
                assert task.query is not None
                again.append(Request(task.number, {**task.query.body([task.query.case]), **extra}))
            else:
                note(task, _judgement(task, opinion, answer))
    single: dict[Hashable, Task] = {task.number: task for task in asked if task.query is not None}
    for answer in session.ask(again):
        task = single[answer.key]
        note(task, _judgement(task, judge_query(task, answer), answer))
    return [judgements[task.number] for task in plan.tasks]


def judge_answer(task: Task, answer: Answer, *, reasons: bool) -> Judgement:
    """Judge the answer to a replay request; a fault of the adapter is an error."""
    assert task.prepared is not None and task.turning is not None
    if answer.reply is None:
        return _judgement(task, Opinion(Verdict.ERROR), answer)
    reply = answer.reply
    if not task.turning.is_plain and isinstance(reply.get("ok"), list):
        back = task.turning.back()
        reply = {
            **reply,
            "ok": [
                [back.view(view) if isinstance(view, dict) else view for view in deal]
                if isinstance(deal, list)
                else deal
                for deal in reply["ok"]
            ],
        }
    return _judgement(task, judge_reply(task.prepared, reply, reasons=reasons), answer)


def _judgement(task: Task, opinion: Opinion, answer: Answer) -> Judgement:
    verdict, reason = opinion.verdict, opinion.reason
    if answer.fault is not None:
        not_run = answer.fault.kind is FaultKind.NOT_RUN
        verdict, reason = (Verdict.NOT_RUN if not_run else Verdict.ERROR), str(answer.fault)
    elif answer.flaky and verdict is Verdict.PASS:
        verdict, reason = Verdict.FLAKY, answer.hint
    return Judgement(
        task.item,
        verdict,
        task.level,
        reason,
        opinion.differences,
        task.prepared,
        opinion.got,
        answer.fault,
        task.turning.places if task.turning is not None else 0,
    )


# --------------------------------------------------------------------------- the whole


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a run has found out; the reports of `report/` are views of this."""

    suite_version: str
    suite_digest: str
    hello: Hello
    ruleset: Resolved
    seed: int
    judgements: tuple[Judgement, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    seconds: float
    complete: bool
    """Whether the whole corpus was asked, not a selection."""

    def counts(self) -> dict[Verdict, int]:
        """Return how many scenarios got each verdict."""
        counts = dict.fromkeys(Verdict, 0)
        for judgement in self.judgements:
            counts[judgement.verdict] += 1
        return {verdict: number for verdict, number in counts.items() if number}

    def reached(self, level: Level) -> bool:
        """Whether every applicable scenario of a level passed, and at least one did.

        An engine that declares no start is judged at level 1 by its queries alone.
        """
        queries_only = not self.hello.capabilities.starts
        judged = [
            judgement.verdict
            for judgement in self.judgements
            if judgement.level == level
            and judgement.verdict is not Verdict.NOT_APPLICABLE
            and not (queries_only and not isinstance(judgement.item, PositionCase))
        ]
        passed = (Verdict.PASS,)
        return Verdict.PASS in judged and all(verdict in passed for verdict in judged)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels reached."""
        return tuple(level for level in Level if self.reached(level))

    @property
    def exit_code(self) -> int:
        """0 as expected, 1 not conforming, 4 stopped by the breaker."""
        if any(judgement.verdict is Verdict.NOT_RUN for judgement in self.judgements):
            return 4
        conforms = all(judgement.verdict.conforms for judgement in self.judgements)
        return 0 if conforms and self.levels else 1


def certify(
    corpus: Corpus,
    ruleset: Resolved,
    session: Any,
    *,
    seed: int = DEFAULT_SEED,
    choose: Callable[[Item], bool] | None = None,
    progress: Callable[[Judgement], None] | None = None,
    planned: Callable[[Plan], None] | None = None,
) -> Report:
    """Run the corpus, or the chosen part of it, against a started session."""
    import bauernschnapsen

    begun = time.monotonic()
    items = [item for item in corpus.items if choose is None or choose(item)]
    if not items:
        raise SpecError("no scenario was chosen", hint="look at the patterns given")
    plan = plan_run(items, ruleset, session.hello, seed=seed)
    if planned is not None:
        planned(plan)
    judgements = run_plan(plan, session, progress=progress)
    return Report(
        suite_version=bauernschnapsen.__version__,
        suite_digest=corpus.digest,
        hello=session.hello,
        ruleset=ruleset,
        seed=seed,
        judgements=tuple(judgements),
        faults=tuple(session.faults),
        notes=(*plan.notes, *session.warnings),
        seconds=time.monotonic() - begun,
        complete=len(items) == len(corpus.items),
    )
