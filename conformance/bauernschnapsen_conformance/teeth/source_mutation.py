"""Mutate the engine's source with a tool; the scenarios and positions are the only tests.

    python -m bauernschnapsen_conformance.teeth.source_mutation [MODULE ...] [--sample N]

cosmic-ray supplies the operators. Each mutant is compiled in a fork of a process that has the
whole corpus ready, and is killed by the first stated expectation that it contradicts; crashing and
hanging count as contradicting. Changes without effect are left out (see `source_changes`). A
survivor is either listed in conformance/mutants/survivors.yaml with the reason why no answer of an
engine can show it, or is a hole in the suite.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.util
import json
import multiprocessing as mp
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.machinery import ModuleSpec
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

from ..views import NOT_OBSERVED, Statement, check_statement
from .source_changes import sampled_mutants, source_mutants

RULE_MODULES = (
    "auction", "cards", "claims", "contracts", "deal", "doubling", "marriages", "match", "play",
    "position", "scoring", "table", "talon",
)  # fmt: skip
_PACKAGE = "bauernschnapsen"
_SECONDS_PER_MUTANT = 30


@dataclass(frozen=True, slots=True)
class Test:
    """One scenario or position: the resolved ruleset, the deals to replay, what is stated."""

    id: str
    ruleset: int
    deals: list[dict[str, Any]]
    statements: list[Statement]


# --------------------------------------------------------------------------- the tests


def prepare_tests() -> tuple[list[dict[str, Any]], list[Test]]:
    """Return the rulesets needed and every scenario and position, prepared by the sound engine."""
    from ..corpus import Scenario, load_corpus, prepare
    from ..corpus.reference import HOME_RULESET, home_rules, home_ruleset

    rulesets: dict[str, int] = {}
    kept: list[dict[str, Any]] = []
    tests = []
    for item in load_corpus().items:
        changes = {key: value for key, value in item.under.items() if key != "ruleset"}
        resolved = home_ruleset(item.under.get("ruleset", HOME_RULESET), changes)
        text = json.dumps(resolved, sort_keys=True)
        if text not in rulesets:
            rulesets[text] = len(kept)
            kept.append(resolved)
        prepared = prepare(item, home_rules(item))
        name = item.id if isinstance(item, Scenario) else f"position {item.id}"
        tests.append(Test(name, rulesets[text], prepared.deals, prepared.statements))
    return kept, tests


def first_killer(
    rulesets: Sequence[dict[str, Any]], tests: Sequence[Test], order: Sequence[int]
) -> int | None:
    """Return the first test that the engine as now imported fails, or None."""
    replay = importlib.import_module(f"{_PACKAGE}.replay").replay
    compile_rules = importlib.import_module(f"{_PACKAGE}.ruleset").compile_rules
    compiled: dict[int, Any] = {}
    for number in order:
        test = tests[number]
        try:
            rules = compiled.get(test.ruleset)
            if rules is None:
                rules = compiled[test.ruleset] = compile_rules(rulesets[test.ruleset])
            views = replay(rules, test.deals)
            for statement in test.statements:
                view = views[statement.deal][statement.view]
                result = check_statement(statement, view, reasons=True)
                if result is not None:
                    return number
                assert result is not NOT_OBSERVED
        except Exception:
            return number
    return None


# --------------------------------------------------------------------------- one mutant


class _Served(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a given source, all others as usual."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, f"<mutant of {self.name}>", "exec"), module.__dict__)  # noqa: S102


def _judge(
    channel: Connection,
    module: str,
    source: str,
    rulesets: Sequence[dict[str, Any]],
    tests: Sequence[Test],
    order: Sequence[int],
) -> None:
    """In a fork: import the mutated engine afresh and send the number of the first killer."""
    signal.alarm(_SECONDS_PER_MUTANT)  # a mutant that hangs dies, and is thereby killed
    for name in [name for name in sys.modules if name.split(".")[0] == _PACKAGE]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Served(f"{_PACKAGE}.{module}", source))
    try:
        killer = first_killer(rulesets, tests, order)
    except BaseException:
        killer = -1
    channel.send(killer)
    channel.close()
    os._exit(0)


class Judge:
    """Judges mutants, asking first what has killed most so far."""

    def __init__(self) -> None:
        """Load and prepare the corpus once."""
        self.rulesets, self.tests = prepare_tests()
        self._kills = [0] * len(self.tests)

    def killed_by(self, module: str, source: str) -> str | None:
        """Return the id of a scenario that kills a mutant, or None if it survives."""
        order = sorted(range(len(self.tests)), key=lambda number: -self._kills[number])
        receiver, sender = mp.Pipe(duplex=False)
        process = mp.get_context("fork").Process(
            target=_judge, args=(sender, module, source, self.rulesets, self.tests, order)
        )
        process.start()
        sender.close()
        try:
            killer: int | None = receiver.recv()
        except EOFError:
            killer = -2
        process.join()
        receiver.close()
        if killer is None:
            return None
        if killer < 0:
            return "does not import" if killer == -1 else "hangs or crashes"
        self._kills[killer] += 1
        return self.tests[killer].id


@dataclass(frozen=True, slots=True)
class Score:
    """The result of a run: how many mutants, which survived, and which of those are explained.

    `outdated` are the explained changes that did not survive, or that the tool no longer makes; a
    sample cannot tell and leaves it empty.
    """

    mutants: int
    killed: int
    explained: list[str]
    survivors: list[dict[str, Any]]
    outdated: list[str]
    seconds: float

    @property
    def share(self) -> float:
        """Killed mutants as a share of those that are not explained as equivalent."""
        relevant = self.mutants - len(self.explained)
        return self.killed / relevant if relevant else 1.0


def run(
    modules: Sequence[str] = RULE_MODULES,
    *,
    sample: int | None = None,
    seed: int = 1,
    judge: Judge | None = None,
) -> Score:
    """Judge all mutants of some modules, or a seeded sample of them.

    Without a judge it makes one of its own, which takes seconds.
    """
    begun = time.monotonic()
    if sample is None:
        found = [pair for module in modules for pair in source_mutants(module)]
    else:
        found = list(sampled_mutants(tuple(modules), sample, seed))
    known = known_survivors()
    judge = judge or Judge()
    killed, explained, survivors = 0, [], []
    for mutant, source in found:
        if judge.killed_by(mutant.module, source) is not None:
            killed += 1
        elif mutant.key in known:
            explained.append(mutant.key)
        else:
            survivors.append(asdict(mutant))
    outdated = []
    if sample is None:
        judged = {change for change in known if change.partition(":")[0] in modules}
        outdated = sorted(judged - set(explained))
    return Score(len(found), killed, explained, survivors, outdated, time.monotonic() - begun)


def known_survivors() -> dict[str, str]:
    """Return the survivors that are listed as equivalent, with the reason of each.

    Raises SpecError if the list is not as schemas/survivors.schema.json says.
    """
    from bauernschnapsen.data.schemas import check
    from bauernschnapsen.data.yaml_loader import load_yaml

    from .registry import mutants_folder

    folder = mutants_folder()
    if folder is None or not (folder / "survivors.yaml").exists():
        return {}
    document = load_yaml(folder / "survivors.yaml")
    check(document.value, "survivors", document=document)
    return {entry["change"]: entry["reason"] for entry in document.value["survivors"]}


def main() -> int:
    """Print the score and every survivor; exit 1 below 95 % or if the list does not match."""
    parser = argparse.ArgumentParser(
        description="Change the engine's source in many places and list what no scenario notices."
    )
    parser.add_argument("modules", nargs="*", default=list(RULE_MODULES))
    parser.add_argument("--sample", type=int, help="Only so many, chosen by the seed.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, dest="file", help="Write the result.")
    options = parser.parse_args()
    score = run(options.modules or RULE_MODULES, sample=options.sample, seed=options.seed)
    for survivor in score.survivors:
        place = f"{survivor['module']}.py:{survivor['line']}"
        print(f"SURVIVES {place} {survivor['operator']}")  # noqa: T201
        print(f"    {survivor['before']}\n    {survivor['after']}")  # noqa: T201
    for change in score.outdated:
        print(f"NO SURVIVOR, though listed: {change}")  # noqa: T201
    print(  # noqa: T201
        f"{score.killed} of {score.mutants} mutants killed, {len(score.explained)} explained, "
        f"{len(score.survivors)} survive: {score.share:.1%} in {score.seconds:.0f} s"
    )
    if options.file is not None:
        options.file.write_text(json.dumps(asdict(score), indent=2) + "\n")
    return 1 if score.survivors or score.outdated or score.share < 0.95 else 0


if __name__ == "__main__":
    raise SystemExit(main())
