"""The whole suite as questions: what the scenarios were made for, an engine may get wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..corpus import Item, load_corpus
from ..corpus.reference import Unplayable, home_rules, prepare
from ..corpus.scenario import PositionCase
from .asking import SEATS, Observer
from .records import line_of
from .seen import Seen

_MOST_POSITIONS = 400


def suite_questions(observer: Observer, *, positions: int = _MOST_POSITIONS) -> Iterator[Seen]:
    """Yield the suite's deals with what the engine shows of them, as far as it takes them."""
    corpus = load_corpus()
    step = max(1, len(corpus.positions) // max(positions, 1))
    wanted: list[Seen] = []
    items: list[Item] = [*corpus.scenarios, *corpus.positions[::step]]
    for item in items:
        rules = home_rules(item)
        if rules.seats != SEATS:
            continue
        try:
            deals: list[dict[str, Any]] = prepare(item, rules).deals
        except Unplayable:
            continue
        kinds = {"contract" if "contract" in deal else "deal" for deal in deals}
        if kinds <= set(observer.starts) and _can_be_asked(deals, observer):
            title = item.id if not isinstance(item, PositionCase) else f"position {item.id}"
            line = line_of(deals[0]) if len(deals) == 1 else None
            wanted.append(Seen(deals, line, title, tuple(item.rules)))
    observer.ask(wanted)
    yield from wanted


def _can_be_asked(deals: list[dict[str, Any]], observer: Observer) -> bool:
    return observer.claims == "called" or all(
        action != "enough" for deal in deals for _, action in deal["actions"]
    )
