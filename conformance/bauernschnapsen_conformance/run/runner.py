"""The runner: a corpus, a ruleset and an adapter in; a report out.

It is a library; the command line and the pytest plugin are two fronts of it. Scenario -> prepared
under the ruleset -> fitted to the engine -> turned -> request -> answer -> turned back -> verdict.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import bauernschnapsen
from bauernschnapsen.ruleset import Resolved

from ..adapter.faults import Fault, FaultKind
from ..adapter.handshake import Hello
from ..adapter.messages import Answer, Request
from ..corpus import Corpus
from .asked import Asked
from .collector import rare_collections
from .judging import judge_answer, judgement_of
from .known_failures import KnownFailures, Settled
from .observed import what_is_shown
from .outcome import Report
from .plan import DEFAULT_SEED, Plan, body_of, plan_run
from .queries import Group, group_queries, split_answer
from .rehearing import deserves_it, rehear
from .selection import EVERYTHING, Selection
from .tasks import Task
from .verdicts import Judgement, Opinion, Verdict

if TYPE_CHECKING:
    from ..exhaustive.sweeping import Swept, Ticks

_INTERRUPTED = "interrupted"
_NOT_ASKED = "not asked any more: the run was interrupted"


def run_plan(
    plan: Plan, session: Asked, *, progress: Callable[[Judgement], None] | None = None
) -> list[Judgement]:
    """Ask everything that is to be asked, then end the adapter; a judgement per task, in order.

    An interrupt (Ctrl-C) ends the run: what was not judged by then is `not-run`.
    """
    run = _Run(plan, session.hello, progress)
    try:
        with rare_collections():
            for answer in session.ask(run.requests()):
                run.take(answer)
            again = run.to_ask_again(session.late_faults)
            if again:
                for answer in session.ask(again):
                    run.take(answer)
            if session.pipelined:
                run.rehear(session)
        session.close()
    except KeyboardInterrupt:
        run.interrupted = True
        session.close()
    run.charge(session.late_faults)
    return run.judgements()


class _Run:
    """The state of one run: who was asked what, and what became of it.

    The keys of requests: a task's number for the first question, ("list", ...) for queries asked
    together, ("alone", number) for one of them asked again, ("later", number) for the sample that
    is repeated at the end.
    """

    def __init__(
        self, plan: Plan, hello: Hello, progress: Callable[[Judgement], None] | None
    ) -> None:
        self.interrupted = False
        self._reasons = hello.capabilities.reasons
        self._progress = progress
        self._plan = plan
        self._judged: dict[int, Judgement] = {}
        self._need_not: deque[Judgement] = deque()
        self._groups: dict[Hashable, Group] = {}
        self._to_split: list[Hashable] = []

    # ---- asking

    def requests(self) -> Iterator[Request]:
        """Yield the requests of the first round; a list of queries goes where its first one is.

        What is asked is made as it is asked for, perhaps by another thread than the one that takes
        the answers.
        """
        lists: dict[int, Hashable] | None = None
        for task in self._plan.in_order():
            if task.done is not None:
                self._need_not.append(task.done)
            elif task.query is None:
                yield Request(task.number, body_of(task))
            else:
                lists = self._lists() if lists is None else lists
                if task.number in lists:
                    key = lists[task.number]
                    yield Request(key, self._groups[key].body)
        for task in self._plan.repeated:
            yield Request(("later", task.number), body_of(task))

    def _lists(self) -> dict[int, Hashable]:
        """Make the lists of queries; the key of each by the number of its first one."""
        groups = group_queries(self._plan.queries)
        self._groups = {
            ("list", *key): group for key, group in groups.items() if isinstance(key, tuple)
        }
        return {group.tasks[0].number: key for key, group in self._groups.items()}

    def to_ask_again(self, late: Mapping[Hashable, Fault]) -> list[Request]:
        """Return the queries of lists that faulted, each alone, so that a fault costs one."""
        late_lists = [key for key in late if key in self._groups]
        self._to_split = list(dict.fromkeys([*self._to_split, *late_lists]))
        return [
            Request(("alone", task.number), body_of(task))
            for key in self._to_split
            for task in self._groups[key].tasks
        ]

    # ---- judging

    def take(self, answer: Answer) -> None:
        """Judge an answer."""
        key = answer.key
        group = self._groups.get(key)
        if group is not None:
            self._take_list(key, group, answer)
        elif isinstance(key, int):
            task = self._plan.task(key)
            self._note(task, judge_answer(task, answer, reasons=self._reasons))
        elif isinstance(key, tuple):
            task = self._plan.task(key[1])
            judgement = judge_answer(task, answer, reasons=self._reasons)
            if key[0] == "later":
                self._note_again(task, judgement)
            else:
                self._note(task, judgement)

    def _take_list(self, key: Hashable, group: Group, answer: Answer) -> None:
        for task, opinion in split_answer(group, answer):
            if opinion is not None:
                self._note(task, judgement_of(task, opinion, answer))
            elif answer.fault is not None and answer.fault.kind is FaultKind.NOT_RUN:
                self._note(task, judgement_of(task, Opinion(Verdict.NOT_RUN), answer))
            elif key not in self._to_split:
                self._to_split.append(key)

    def _note(self, task: Task, judgement: Judgement) -> None:
        self._judged[task.number] = judgement
        if self._progress is not None:
            self._progress(judgement)
            while self._need_not:
                self._progress(self._need_not.popleft())

    def _note_again(self, task: Task, second: Judgement) -> None:
        """Hold a repeated question against the first time: an engine must not remember."""
        first = self._judged.get(task.number)
        if first is None or second.verdict is Verdict.NOT_RUN or second.verdict is first.verdict:
            return
        if first.verdict is Verdict.PASS:
            self._judged[task.number] = replace(
                second,
                verdict=Verdict.ERROR if second.verdict is Verdict.ERROR else Verdict.FLAKY,
                reason="right when first asked, but not when asked again at the end: "
                f"{second.reason or second.verdict}. The engine keeps something from one request "
                "to the next.",
            )
        elif second.verdict is Verdict.PASS and first.verdict is Verdict.FAIL:
            reason = "right when asked again: the engine keeps something between requests"
            self._judged[task.number] = replace(first, reason=reason)

    def rehear(self, session: Asked) -> None:
        """Hear again, one at a time, what was answered wrongly among others."""

        def alone(task: Task) -> Judgement | None:
            if session.stopped is not None:
                return None
            (answer,) = session.ask([Request(("alone", task.number), body_of(task))])
            return judge_answer(task, answer, reasons=self._reasons)

        wrong = [
            (task, self._judged[task.number])
            for task in self._plan.asked
            if task.number in self._judged and deserves_it(self._judged[task.number])
        ]
        self._judged |= rehear(wrong, alone)

    def charge(self, late: Mapping[Hashable, Fault]) -> None:
        """Let faults count that were seen only after the answer: a second reply, a crash."""
        for key, fault in late.items():
            group = self._groups.get(key)
            if group is not None:
                tasks = [] if key in self._to_split else list(group.tasks)
            else:
                number = key[1] if isinstance(key, tuple) else key
                tasks = [self._plan.task(number)] if isinstance(number, int) else []
            for task in tasks:
                self._charge(task, fault)

    def _charge(self, task: Task, fault: Fault) -> None:
        judged = self._judged.get(task.number)
        if judged is None or judged.fault is not None:
            return
        if judged.verdict.conforms:
            judged = replace(judged, verdict=Verdict.ERROR, reason=str(fault), excused=False)
        self._judged[task.number] = replace(judged, fault=fault)

    def judgements(self) -> list[Judgement]:
        """Return a judgement per task, in the order of the tasks."""
        reason = _NOT_ASKED if self.interrupted else "no answer was recorded"
        return [
            task.done
            or self._judged.get(task.number)
            or Judgement(task.item, Verdict.NOT_RUN, task.level, reason)
            for task in self._plan.tasks
        ]


# --------------------------------------------------------------------------- the whole


def certify(  # noqa: PLR0913 - how a run may be made
    corpus: Corpus,
    ruleset: Resolved,
    session: Asked,
    *,
    seed: int = DEFAULT_SEED,
    blind: bool = False,
    selection: Selection = EVERYTHING,
    known: KnownFailures | None = None,
    progress: Callable[[Judgement], None] | None = None,
    planned: Callable[[int], None] | None = None,
    exhaustive: bool = False,
    ticks: Ticks | None = None,
) -> Report:
    """Run the corpus, or the chosen part of it, against a started session; ends the session.

    `planned` hears how many items there are, `progress` every judgement. With `exhaustive` all
    situations are asked after that; `ticks` hears how far they are.

    SpecError if nothing is chosen; BrokenSuite (see `plan_run`).
    """
    begun = time.monotonic()
    items = selection.chosen(corpus.items)
    plan = plan_run(
        items,
        ruleset,
        session.hello,
        seed=seed,
        blind=blind,
        rules_refused=session.rules_refused,
    )
    if planned is not None:
        planned(len(plan))
    judgements = run_plan(plan, session, progress=progress)
    stopped = session.stopped
    if stopped is None and any(judgement.reason is _NOT_ASKED for judgement in judgements):
        stopped = _INTERRUPTED
    settled = Settled(tuple(judgements), ())
    if known is not None:
        settled = known.settle(judgements, complete=selection.complete and stopped is None)
    swept = None
    if exhaustive and stopped is None:
        swept = _sweep(ruleset, session, ticks)
        stopped = _INTERRUPTED if swept.interrupted else session.stopped
    notes = (*plan.notes, *session.warnings)
    if stopped is None and not selection.only:
        # Whoever calls himself otherwise at every start cannot be known again by a certificate.
        stopped = _confirmed(session)
    return Report(
        suite_version=bauernschnapsen.__version__,
        suite_digest=corpus.digest,
        hello=session.hello,
        ruleset=ruleset,
        seed=seed,
        judgements=settled.judgements,
        faults=tuple(session.faults),
        notes=notes,
        seconds=time.monotonic() - begun,
        blind=blind,
        selection=selection,
        stopped=stopped,
        stale=settled.problems,
        shown=what_is_shown(judgements),
        exhaustive=swept,
    )


def _confirmed(session: Asked) -> str | None:
    try:
        session.confirm()
    except KeyboardInterrupt:
        session.close()
        return _INTERRUPTED
    return session.stopped


def _sweep(ruleset: Resolved, session: Asked, ticks: Ticks | None) -> Swept:
    from ..exhaustive.sweeping import sweep_engine

    refused = session.rules_refused
    swept = sweep_engine(session, ruleset, session.hello, rules_refused=refused, ticks=ticks)
    session.close()
    return swept
