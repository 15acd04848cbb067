"""Hints: whether failures look like other house rules rather than like bugs.

After a failing run the recorded views are judged again, in process, under rulesets that differ in a
single field. Where failures vanish, the engine probably plays another house rule, and `identify`
will find out which.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.queries import answer_case
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, vary

from .corpus.options import Catalogue, load_options
from .corpus.scenario import PositionCase
from .corpus.wording import value_key
from .identify.fields import Path, candidates, fields_of
from .run.outcome import Report
from .run.plan import engine_ruleset
from .run.tasks import Query
from .run.verdicts import Judgement, Verdict, judge_views

SECONDS = 6.0
"""How long is looked, in seconds of computing."""
MOST_HINTS = 3
_SAMPLE = 24
_PASSES = 120
_CONTRADICTED = 0.1
PLAYED_SOMEWHERE, PLAYED_NOWHERE = 1 / 10, 1 / 2
"""The least share of all failures that must vanish under a value, if somebody is known to play so,
and if nobody is: what an engine with a fault does resembles a rule of nobody's here and there.
Tried on 19 tables that play by one to many other rules, and on 28 engines with a fault each: every
table is told of a rule that it plays, and of the hints at faults those few are left out."""
FEW = 3
"""Fewer failures than these say nothing, unless they are all there are."""
_AUCTION = ("played", "above", "bidders", "hold", "cancelled_by")
_FOR_ALL_CONTRACTS = (
    "follow", "head", "head_target", "head_after_ruff", "ruff", "overtrump", "undertrump", "kontra",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Flip:
    """One field set otherwise: `path` is `options.NAME`, `contracts.NAME.FIELD` or for all."""

    path: str
    value: Any
    rules: Rules
    contract: str | None
    """The contract it is about; None: it may matter everywhere."""
    auction: bool = False
    """Whether it matters in the auction only."""


@dataclass(frozen=True, slots=True)
class Hint:
    """That failures vanish under a flip."""

    path: str
    value: Any
    vanished: int
    failures: int
    sources: tuple[str, ...]
    """Who plays it so; empty: nobody that is known of."""

    def __str__(self) -> str:
        who = ", ".join(self.sources) if self.sources else "in no source, so probably a bug"
        return (
            f"{self.vanished} of {self.failures} failures vanish with "
            f"{self.path} = {value_key(self.value)} ({who})"
        )


def hint_lines(report: Report, engine: str) -> list[str]:
    """Return what to print after a failing run; `engine` is how `identify` is told of it."""
    hints = find_hints(report)
    if not hints:
        return []
    told = list(map(str, hints))
    if report.ruleset["options"]["talon_cards"]:
        return told  # identify deals to tables without a talon only
    return [*told, f"run: bauernschnapsen identify {engine}"]


def find_hints(report: Report, *, seconds: float = SECONDS) -> list[Hint]:
    """Return the single fields that explain most failures, best first, each without the others'.

    Those that explain few are left out (`helps`): an engine that errs for other reasons is mended
    before house rules are looked for.
    """
    failures = [one for one in report.judgements if one.verdict is Verdict.FAIL]
    if not failures:
        return []
    claims = report.hello.capabilities.claims
    base = engine_ruleset(report.ruleset, claims)
    catalogue = load_options()
    until = time.process_time() + seconds
    sample = _sample(failures)
    promising = [
        flip
        for flip in _flips(base, failures, catalogue)
        if time.process_time() < until and any(_vanishes(one, flip, claims) for one in sample)
    ]
    explained = {
        _name(flip): {
            number
            for number, one in enumerate(failures)
            if time.process_time() < 2 * seconds + until and _vanishes(one, flip, claims)
        }
        for flip in promising
    }
    passes = _passes(report)
    promising = [
        flip
        for flip in promising
        # An engine that played so would fail the scenarios that show the usual rule.
        if sum(not _vanishes(one, flip, claims) for one in passes if _concerns(flip, one))
        <= _CONTRADICTED * len(explained[_name(flip)]) * len(passes) / _PASSES
    ]
    hints: list[Hint] = []
    left = set(range(len(failures)))
    while promising and len(hints) < MOST_HINTS:
        best = max(promising, key=lambda flip: len(explained[_name(flip)] & left))
        vanished = explained[_name(best)] & left
        if not vanished:
            break
        promising.remove(best)
        sources = catalogue.sources(_one_contract(best), best.value)
        if helps(len(vanished), len(failures), known=bool(sources)):
            hints.append(Hint(best.path, best.value, len(vanished), len(failures), sources))
            left -= vanished
    return hints


def helps(vanished: int, failures: int, *, known: bool) -> bool:
    """Whether so many of so many failures make it worth while to look for house rules.

    `known`: somebody plays by the rule under which they vanish.
    """
    share = PLAYED_SOMEWHERE if known else PLAYED_NOWHERE
    return vanished >= max(min(FEW, failures), share * failures)


def _sample(failures: Sequence[Judgement]) -> list[Judgement]:
    """Return failures of every kind: by what differs first, in which contract."""
    kinds: dict[tuple[str, ...], list[Judgement]] = {}
    for one in failures:
        first = one.differences[0].path[0] if one.differences else ""
        kinds.setdefault((first, *sorted(_contracts(one))), []).append(one)
    chosen = [one for kind in kinds.values() for one in kind[:2]]
    return chosen[:: max(1, len(chosen) // _SAMPLE)][:_SAMPLE]


def _passes(report: Report) -> list[Judgement]:
    """Return some of the scenarios that the engine passes."""
    passed = [
        one
        for one in report.judgements
        if one.verdict is Verdict.PASS and one.got and one.prepared is not None
    ]
    return passed[:: max(1, len(passed) // _PASSES)][:_PASSES]


def _contracts(judgement: Judgement) -> set[str]:
    """The contracts that are played, by right, in a judgement's deals."""
    if isinstance(judgement.item, PositionCase):
        return {judgement.item.contract}
    assert judgement.prepared is not None
    last = [deal[-1]["contract"] for deal in judgement.prepared.expected]
    return {contract["name"] for contract in last if contract is not None}


def _name(flip: Flip) -> str:
    return f"{flip.path} = {value_key(flip.value)}"


def _one_contract(flip: Flip) -> str:
    """A path the catalogue knows sources for: a field of all contracts is that of the lowest."""
    lowest = flip.rules.contracts[0].name
    return flip.path.replace("all_contracts.", f"contracts.{lowest}.")


# --------------------------------------------------------------------------- other rules


def _flips(base: Resolved, failures: Sequence[Judgement], catalogue: Catalogue) -> Iterator[Flip]:
    """Yield rulesets that differ in one field, those of all contracts together among them."""
    played = [name for name, contract in base["contracts"].items() if contract["played"]]
    for field in _FOR_ALL_CONTRACTS:
        now = base["contracts"][played[0]][field]
        for value in candidates(base, ("contracts", played[0], field)):
            if value != now:
                changes = {"contracts": {name: {field: value} for name in played}}
                yield from _flip(base, f"all_contracts.{field}", value, changes, None)
    paid = _values_paid(failures)
    involved = Counter(name for one in failures for name in _contracts(one))

    def place(path: Path) -> tuple[bool, int]:
        """Options first, then the contracts that most failures are about."""
        return path[0] == "contracts", -involved[path[1]]

    for path in sorted(fields_of(base), key=place):
        values = candidates(base, path)
        if path[-1] in ("value", "target"):
            known = catalogue.contracts.get(path[1], {}).get(path[-1], {})
            wanted = {*map(int, known), *paid.get(path[1], ())}
            values = [value for value in values if value in wanted]
        for value in values:
            stored = list(value) if isinstance(value, tuple) else value
            if path[0] == "options":
                yield from _flip(base, ".".join(path), stored, {"options": {path[1]: stored}}, None)
            else:
                changes = {"contracts": {path[1]: {path[2]: stored}}}
                yield from _flip(
                    base, ".".join(path), stored, changes, path[1], auction=path[2] in _AUCTION
                )


def _flip(
    base: Resolved,
    path: str,
    value: Any,
    changes: dict[str, Any],
    contract: str | None,
    *,
    auction: bool = False,
) -> Iterator[Flip]:
    try:
        yield Flip(path, value, compile_rules(vary(base, changes)), contract, auction)
    except SpecError:
        return  # this field alone makes no ruleset


def _values_paid(failures: Sequence[Judgement]) -> dict[str, set[int]]:
    """Return, for each contract, the game points an engine gave it, without the factor."""
    found: dict[str, set[int]] = {}
    for judgement in failures:
        for deal in judgement.got:
            for view in deal[-1:]:
                outcome, contract = view.get("outcome"), view.get("contract")
                awards = outcome.get("awards") if isinstance(outcome, dict) else None
                if isinstance(awards, dict) and isinstance(contract, dict):
                    numbers = [one for one in awards.values() if isinstance(one, int)]
                    factor = contract.get("factor", 1)
                    if numbers and isinstance(factor, int) and factor > 0:
                        name = str(contract.get("name"))
                        found.setdefault(name, set()).add(max(numbers) // factor)
    return found


# --------------------------------------------------------------------------- judged again


def _vanishes(judgement: Judgement, flip: Flip, claims: str) -> bool:
    """Whether what the engine showed is right under other rules."""
    item = judgement.item
    if isinstance(item, PositionCase) and not judgement.got:
        if flip.auction or flip.contract not in (None, item.contract):
            return False
        return _query_vanishes(judgement, item, flip.rules)
    prepared = judgement.prepared
    if prepared is None or not judgement.got or not _concerns(flip, judgement):
        return False
    got = [list(deal) for deal in judgement.got]
    if judgement.verdict is Verdict.FAIL:
        bare = replace(prepared, statements=[])
        if judge_views(bare, got, reasons=False).verdict is Verdict.PASS:
            return False  # only a reason is wrong, which no view shows
    try:
        expected = replay(flip.rules, prepared.deals)
    except SpecError:
        return False
    if claims != "called":
        for deal in expected:
            for view in deal:
                legal = {
                    seat: [action for action in actions if action != "enough"]
                    for seat, actions in view["legal"].items()
                }
                view["legal"] = {seat: actions for seat, actions in legal.items() if actions}
    again = replace(prepared, expected=expected, statements=[])
    return judge_views(again, got, reasons=False).verdict is Verdict.PASS


def _concerns(flip: Flip, judgement: Judgement) -> bool:
    """Whether a flip can matter: by its contract, or where there is an auction."""
    assert judgement.prepared is not None
    if flip.auction:
        return any("contract" not in deal for deal in judgement.prepared.deals)
    return flip.contract is None or flip.contract in _contracts(judgement)


def _query_vanishes(judgement: Judgement, item: PositionCase, rules: Rules) -> bool:
    if not judgement.differences:
        return False
    query = Query.of(item, rules)
    answer, got = answer_case(query.op, query.case, rules), judgement.differences[0].got
    if isinstance(answer, list) and isinstance(got, list):
        return set(answer) == set(got)
    return bool(answer == got)
