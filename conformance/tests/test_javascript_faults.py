"""Each fault of the JavaScript engine fails exactly what the same fault in the reference fails.

The two engines share no code, so equal sets say that the verdicts follow from the fault and not
from the engine.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen import marriages, play, table
from bauernschnapsen.errors import Refusal
from bauernschnapsen.position import Position
from bauernschnapsen.ruleset import load_ruleset
from bauernschnapsen_conformance.adapter import AdapterCommand, Session
from bauernschnapsen_conformance.corpus import load_corpus
from bauernschnapsen_conformance.reference_adapter import ReferenceAdapter
from bauernschnapsen_conformance.run.in_process import PythonEngine
from bauernschnapsen_conformance.run.plan import plan_run
from bauernschnapsen_conformance.run.runner import run_plan
from bauernschnapsen_conformance.run.verdicts import Verdict
from bauernschnapsen_conformance.teeth import Patch

ADAPTER = Path(__file__).parent.parent / "adapters" / "javascript" / "adapter.mjs"
Json = dict[str, Any]


class Misreading(ReferenceAdapter):
    """The reference engine with every ruleset changed before it is read."""

    def __init__(self, change: Callable[[Json], Json]) -> None:
        super().__init__()
        self._change = change

    def handle(self, message: Mapping[str, Any]) -> Json:
        if message.get("op") == "rules":
            message = {**message, "rules": self._change(message["rules"])}
        return super().handle(message)


def _every_contract(rules: Json, change: Callable[[Json], Json]) -> Json:
    contracts = {name: {**data, **change(data)} for name, data in rules["contracts"].items()}
    return {**rules, "contracts": contracts}


@contextmanager
def beats_first_card() -> Iterator[ReferenceAdapter]:
    """Whoever follows has to beat the card led only."""
    yield Misreading(lambda rules: _every_contract(rules, lambda _: {"head_target": "led_card"}))


@contextmanager
def trump_alive_in_gang() -> Iterator[ReferenceAdapter]:
    """The named suit is trump in contracts without trumps as well, though no view says so."""
    dead = {
        name for name, data in load_ruleset("pagat")["contracts"].items() if data["trump"] == "none"
    }

    def view_of(look: Callable[[Position], Json]) -> Callable[[Position], Json]:
        def view(position: Position) -> Json:
            shown = look(position)
            if shown["contract"] is not None and shown["contract"]["name"] in dead:
                shown["contract"]["trump"] = None
            return shown

        return view

    with Patch() as patch:
        patch.wrap(table, "view", view_of)
        yield Misreading(lambda rules: _every_contract(rules, lambda _: {"trump": "named"}))


@contextmanager
def marriage_off_lead() -> Iterator[ReferenceAdapter]:
    """A marriage may be declared, and counts, while following."""

    def listed(mine: Callable[[Position], int]) -> Callable[[Position], int]:
        def marriage_cards(position: Position) -> int:
            trick, position.trick = position.trick, ()
            pairs = mine(position)
            position.trick = trick
            return pairs & play.legal_cards(position)

        return marriage_cards

    def checked(mine: Callable[[Position, int, int], None]) -> Callable[[Position, int, int], None]:
        def check_marriage(position: Position, seat: int, card: int) -> None:
            trick, position.trick = position.trick, ()
            try:
                mine(position, seat, card)
            except Refusal:
                position.trick = trick
                raise
            position.trick = trick

        return check_marriage

    with Patch() as patch:
        patch.wrap(marriages, "marriage_cards", listed)
        patch.wrap(marriages, "check_marriage", checked)
        yield ReferenceAdapter()


FAULTS = {
    "beats-first-card": beats_first_card,
    "trump-alive-in-gang": trump_alive_in_gang,
    "marriage-off-lead": marriage_off_lead,
}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fails_the_same_scenarios_in_both_engines(fault: str) -> None:
    resolved = load_ruleset("pagat")
    items = load_corpus().items
    command = AdapterCommand(("node", str(ADAPTER), "--fault", fault))
    with Session(command, rules=resolved) as session:
        session.start()
        plan = plan_run(items, resolved, session.hello)
        judged = run_plan(plan, session)
    failing = {judgement.item.id for judgement in judged if judgement.verdict is Verdict.FAIL}
    with FAULTS[fault]() as engine:
        asked = PythonEngine(engine, rules=resolved)
        same = run_plan(plan, asked)
    expected = {judgement.item.id for judgement in same if judgement.verdict is Verdict.FAIL}
    assert expected
    assert failing == expected
