"""Queries: trick situations asked statelessly, many in one request.

`legal_plays` and `trick_winner` take lists of cases of one contract, which is up to ten times
cheaper than one per line; a list that faults is split, so that a fault costs one case.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.errors import quoted
from bauernschnapsen.notation import RANKS, SUITS, seat_letters

from ..adapter.messages import Answer
from ..corpus.scenario import Json
from ..views import Difference
from .tasks import Task
from .verdicts import Opinion, Verdict, error_text

CASES_PER_REQUEST = 50
_CARDS = frozenset(rank + suit for rank in RANKS for suit in SUITS)
_SEATS = frozenset(seat_letters(4))


@dataclass(frozen=True, slots=True)
class Group:
    """Queries asked together."""

    tasks: tuple[Task, ...]
    body: Json


def query_body(tasks: Sequence[Task]) -> Json:
    """Return the body of a request with the cases of these tasks, each with its table turned."""
    queries = [(task.query, task.turning) for task in tasks]
    cases = [turning.case(query.case) for query, turning in queries if query and turning]
    assert tasks[0].query is not None and len(cases) == len(tasks)
    return {"op": tasks[0].query.op, "cases": cases}


def group_queries(tasks: Sequence[Task]) -> dict[Hashable, Group]:
    """Put queries of the same operation and contract into lists."""
    kinds: dict[tuple[str, str], list[Task]] = {}
    for task in tasks:
        assert task.query is not None
        kinds.setdefault((task.query.op, task.query.case["contract"]), []).append(task)
    groups: dict[Hashable, Group] = {}
    for (op, contract), members in kinds.items():
        for start in range(0, len(members), CASES_PER_REQUEST):
            part = members[start : start + CASES_PER_REQUEST]
            groups[op, contract, start] = Group(tuple(part), query_body(part))
    return groups


def split_answer(group: Group, answer: Answer) -> list[tuple[Task, Opinion | None]]:
    """Judge each case of a list; None where the list must be asked again case by case."""
    reply = answer.reply
    if answer.fault is None and reply is not None and "unsupported" in reply:
        opinion = Opinion(Verdict.UNSUPPORTED, f"adapter: {error_text(reply['unsupported'])}")
        return [(task, opinion) for task in group.tasks]
    ok = reply.get("ok") if reply is not None else None
    if not isinstance(ok, list) or len(ok) != len(group.tasks):
        return [(task, None) for task in group.tasks]
    return [
        (task, _judge_element(task, element)) for task, element in zip(group.tasks, ok, strict=True)
    ]


def judge_query(task: Task, answer: Answer) -> Opinion:
    """Judge the answer to a query of a single case."""
    reply = answer.reply
    if reply is None:
        return Opinion(Verdict.ERROR)
    if "unsupported" in reply:
        return Opinion(Verdict.UNSUPPORTED, f"adapter: {error_text(reply['unsupported'])}")
    if "error" in reply:
        return Opinion(Verdict.ERROR, error_text(reply["error"]))
    ok = reply.get("ok")
    if not isinstance(ok, list) or len(ok) != 1:
        return Opinion(Verdict.ERROR, "ok must be a list with one answer for each case")
    return _judge_element(task, ok[0])


def _judge_element(task: Task, element: Any) -> Opinion:
    query = task.query
    assert query is not None and task.turning is not None
    if element is None:
        return Opinion(Verdict.UNSUPPORTED, f"not observed: {query.op}")
    if isinstance(element, dict):
        if "unsupported" in element:
            return Opinion(Verdict.UNSUPPORTED, f"adapter: {error_text(element['unsupported'])}")
        return Opinion(Verdict.ERROR, error_text(element.get("error", element)))
    malformed = why_malformed(query.op, element)
    if malformed is not None:
        return Opinion(Verdict.ERROR, malformed)
    element = task.turning.back().element(element)
    want: Any = query.expected
    right = element == want
    if query.op == "legal_plays":
        right = set(element) == set(want)
        want = list(want)
    if right:
        return Opinion(Verdict.PASS)
    difference = Difference(0, len(query.case["trick"]), (query.op,), want, element, stated=True)
    return Opinion(Verdict.FAIL, "", (difference,))


def why_malformed(op: str, element: Any) -> str | None:
    """Return why an element is no answer to a query at all, right or wrong; None if it is one.

    An answer is written in the notation: a card that is none, such as `10H`, is no wrong card.
    """
    if op == "trick_winner":
        if not isinstance(element, str):
            return "an answer to trick_winner is a seat"
        return None if element in _SEATS else f"{quoted(element)} is no seat: N, E, S or W"
    if not isinstance(element, list) or not all(isinstance(card, str) for card in element):
        return "an answer to legal_plays is a list of cards"
    odd = [card for card in element if card not in _CARDS]
    return f"{quoted(odd[0])} is no card: rank and suit, such as TH" if odd else None
