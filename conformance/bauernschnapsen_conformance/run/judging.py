"""From an answer to a judgement: what an adapter said, turned back and held against the rules."""

from __future__ import annotations

import bauernschnapsen

from ..adapter.faults import FaultKind
from ..adapter.messages import Answer
from ..corpus.scenario import Scenario
from .queries import judge_query
from .tasks import Task
from .verdicts import Judgement, Opinion, Verdict, judge_reply

_PROVISIONAL = "provisional: new in this version of the suite, it withholds no level yet"


def judge_answer(task: Task, answer: Answer, *, reasons: bool) -> Judgement:
    """Judge the answer to a question that a task was asked alone; a fault is an error."""
    if answer.reply is None:
        return judgement_of(task, Opinion(Verdict.ERROR), answer)
    if task.query is not None:
        return judgement_of(task, judge_query(task, answer), answer)
    assert task.prepared is not None and task.turning is not None
    reply = task.turning.back().reply(answer.reply)
    opinion = judge_reply(task.prepared, reply, reasons=reasons, skip=task.skip)
    return judgement_of(task, opinion, answer)


def judgement_of(task: Task, opinion: Opinion, answer: Answer) -> Judgement:
    """Make a judgement of an opinion: a fault weighs more, a provisional scenario nothing yet."""
    verdict, reason = opinion.verdict, opinion.reason
    if answer.fault is not None:
        not_run = answer.fault.kind is FaultKind.NOT_RUN
        verdict, reason = (Verdict.NOT_RUN if not_run else Verdict.ERROR), str(answer.fault)
    elif answer.flaky and verdict is Verdict.PASS:
        verdict, reason = Verdict.FLAKY, answer.hint
    excused = opinion.excused
    if verdict is Verdict.FAIL and _is_provisional(task):
        excused, reason = True, f"{reason}; {_PROVISIONAL}" if reason else _PROVISIONAL
    return Judgement(
        task.item,
        verdict,
        task.level,
        reason,
        opinion.differences,
        task.prepared,
        opinion.got,
        answer.fault,
        task.turning,
        excused,
    )


def _is_provisional(task: Task) -> bool:
    item = task.item
    return isinstance(item, Scenario) and not item.counts_in(bauernschnapsen.__version__)
