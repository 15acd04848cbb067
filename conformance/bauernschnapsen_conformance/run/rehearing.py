"""A second hearing: what was answered wrongly among others is asked again, alone.

An adapter that mixes up requests under way together knows the rules and says them to the wrong
question. What it gets right alone is `flaky`, not `fail`: its author has to look at the pipe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .tasks import Task
from .verdicts import Judgement, Verdict

SAMPLE = 8
"""How many are heard first; the others only if one of these is right alone."""

_HINT = (
    "right when asked alone, wrong while other requests were under way: {reason}. If it cannot "
    'take several requests at once, let it declare "window": 1.'
)


def deserves_it(judgement: Judgement) -> bool:
    """Whether a judgement might be due to the company its question was asked in."""
    wrong = judgement.verdict in (Verdict.FAIL, Verdict.ERROR)
    return wrong and judgement.fault is None


def rehear(
    wrong: Sequence[tuple[Task, Judgement]], ask: Callable[[Task], Judgement | None]
) -> dict[int, Judgement]:
    """Return the judgements that change, by task number; `ask` asks one task alone.

    None from `ask` means that there was no answer; that changes nothing.
    """
    step = max(1, len(wrong) // SAMPLE)
    first = list(wrong[::step][:SAMPLE])
    changed = _flaky(first, ask)
    if changed:
        heard = {task.number for task, _ in first}
        changed |= _flaky([one for one in wrong if one[0].number not in heard], ask)
    return changed


def _flaky(
    wrong: Sequence[tuple[Task, Judgement]], ask: Callable[[Task], Judgement | None]
) -> dict[int, Judgement]:
    found = {}
    for task, before in wrong:
        alone = ask(task)
        if alone is not None and alone.verdict is Verdict.PASS:
            reason = before.reason or "another answer"
            found[task.number] = replace(
                alone, verdict=Verdict.FLAKY, reason=_HINT.format(reason=reason)
            )
    return found
