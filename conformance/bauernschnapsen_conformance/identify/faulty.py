"""House rules and a fault at once, in this process: to test that neither hides the other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from bauernschnapsen.ruleset import Resolved, compile_rules

from ..adapter import Limits
from ..corpus import load_corpus
from ..corpus.reference import Unplayable, home_rules, prepare
from ..in_process import PythonEngine
from ..reference_adapter import ReferenceAdapter
from ..teeth.patch import Patch
from ..teeth.registry import Mutant
from .asking import Observer
from .fields import Path, changed
from .pools import LARGE, Pools
from .served import HouseAdapter

Json = dict[str, Any]
_DEALS, _PATIENT = 16, 10.0


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
    for item in load_corpus().items:
        if mutant.rule not in item.rules or home_rules(item).seats != ruleset["options"]["seats"]:
            continue
        try:
            deals = prepare(item, home_rules(item)).deals
        except Unplayable:
            continue
        question = {"op": "replay", "deals": deals}
        right = whole.handle(question)
        if "ok" in right and without_reasons(broken.handle(question)) != without_reasons(right):
            return True
    return False


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
