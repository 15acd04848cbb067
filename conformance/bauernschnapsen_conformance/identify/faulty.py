"""House rules and a fault at once, in this process: to test that neither hides the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from bauernschnapsen.ruleset import Resolved, compile_rules

from ..adapter import Limits
from ..corpus import load_corpus
from ..corpus.reference import Unplayable, home_rules, prepare
from ..reference_adapter import ReferenceAdapter
from ..run.in_process import PythonEngine
from ..teeth.patch import Patch
from ..teeth.registry import Mutant
from .alike import without_effect
from .asking import Observer
from .fields import Path, alternatives, changed, fields_of, played
from .houses import AUCTION, Houses
from .lines import Line, whole_lines
from .pools import LARGE, Pools
from .served import HouseAdapter

Json = dict[str, Any]
_DEALS, _PATIENT = 16, 10.0
_FRESH = "proof "
"""Deals other cards than a search does."""
_UNAIMED, _AIMED = 84, 4
"""Lines of each purpose, and for each other value of a field."""


class MutantHouse(ReferenceAdapter):
    """The reference engine under any ruleset, broken by a mutant while it answers."""

    def __init__(self, mutant: Mutant, ruleset: Resolved) -> None:
        """Between two requests the engine of this process is whole again."""
        super().__init__()
        self._house = compile_rules(ruleset)
        self._mutant = mutant

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Return the reply of the broken engine, without its id."""
        if message.get("op") == "hello":
            return super().handle(message)
        patch: Patch
        with self._mutant.installed() as patch:
            self._default = patch.rules(self._house)
            try:
                return super().handle(message)
            except Exception as error:  # a broken engine may stumble
                return {"error": {"message": f"{type(error).__name__}: {error}"}}


def shows(mutant: Mutant, ruleset: Resolved) -> bool:
    """Whether a fault shows under some house rules in any deal of a scenario about its rule."""
    whole, broken = HouseAdapter(ruleset), MutantHouse(mutant, ruleset)
    for deals in _scenarios(ruleset, mutant.rule):
        question = {"op": "replay", "deals": deals}
        right = whole.handle(question)
        if "ok" in right and without_reasons(broken.handle(question)) != without_reasons(right):
            return True
    return False


def _scenarios(ruleset: Resolved, rule: str = "") -> Iterator[list[Json]]:
    """Yield the deals of all scenarios and positions, or of those about a rule."""
    for item in load_corpus().items:
        if rule and rule not in item.rules:
            continue
        if home_rules(item).seats != ruleset["options"]["seats"]:
            continue
        try:
            yield prepare(item, home_rules(item)).deals
        except Unplayable:
            continue


def plays_as(mutant: Mutant, profile: Resolved, found: Resolved) -> bool:
    """Whether a faulty engine plays exactly like other house rules; see `told_apart`."""
    return told_apart(mutant, profile, found) is None


def told_apart(mutant: Mutant, profile: Resolved, found: Resolved) -> list[Json] | None:
    """Return deals to which a fault beside a profile and other house rules answer differently.

    The whole answers are compared, only the reasons for refusals put aside: all deals of the suite,
    and, made under both rulesets with cards that no search has seen, lines for the auction, for
    every contract, of whole deals, and for every other value of every field that has an effect.
    None where all answers are the same: the fault is a house rule then.
    """
    broken = MutantHouse(mutant, {**profile, "ruleset": found["ruleset"]})
    whole = HouseAdapter(found)
    asked: set[Line] = set()
    for deals in chain(_scenarios(found), _lines(found, asked), _lines(profile, asked)):
        question = {"op": "replay", "deals": deals}
        if without_reasons(broken.handle(question)) != without_reasons(whole.handle(question)):
            return deals
    return None


def _lines(ruleset: Resolved, asked: set[Line]) -> Iterator[list[Json]]:
    """Yield fresh lines for every purpose and every field of a ruleset, those asked left out."""
    houses = Houses()
    pools = Pools(ruleset, houses=houses, seed=_FRESH)
    idle = without_effect(ruleset)
    unaimed = chain(
        *(pools.lines(purpose, _UNAIMED) for purpose in (AUCTION, *played(ruleset))),
        whole_lines(pools.rules, _UNAIMED, f"{_FRESH}whole"),
    )
    aimed = (
        tell
        for path in fields_of(ruleset)
        if path not in idle
        for value in alternatives(ruleset, path)
        for tell in islice(
            pools.tells(path, houses.rules(changed(ruleset, path, value)), LARGE), _AIMED
        )
    )
    lines = chain((made.line for made in unaimed), (tell.line for tell in aimed))
    for line in lines:
        if line not in asked:
            asked.add(line)
            yield [line.record()]


def without_reasons(reply: Json) -> Json:
    """Return a reply in which refusals have no reasons."""
    deals = reply.get("ok")
    if deals is None:
        return reply
    views = [
        [{**view, "refused": True} if view.get("refused") else view for view in deal]
        for deal in deals
    ]
    return {"ok": views}


def touches(mutant: Mutant, ruleset: Resolved, path: Path, value: Any) -> bool:
    """Whether a fault touches a field.

    That is so if it changes at least half of the deals that would show another value of it, at or
    before the moment where they show it.
    """
    pools = Pools(ruleset)
    other = compile_rules(changed(ruleset, path, value))
    asked = PythonEngine(MutantHouse(mutant, ruleset), limits=Limits(timeout_scale=_PATIENT))
    asked.start()
    observer = Observer(asked)
    tells = [
        tell
        for purpose in pools.purposes(path)
        for tell in islice(pools.tells_of(purpose, other, LARGE), _DEALS)
    ]
    seen = observer.lines(tell.line for tell in tells)
    hit = 0
    for tell, one in zip(tells, seen, strict=True):
        miss = observer.miss(one, pools.rules)
        hit += bool(one.fault) or (miss is not None and miss.view <= tell.view)
    return bool(tells) and 2 * hit >= len(tells)
