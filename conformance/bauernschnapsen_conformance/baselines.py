"""Baselines: what a ruleset plays today, frozen in a file, so that every later change shows.

A baseline holds deals chosen so that every other value of every field would change at least one of
them, each with its result and a short digest of every view, and which scenarios of the suite apply.
It stands in spec/baselines/NAME.yaml for a shipped ruleset, else beside the user's own file as
NAME.baseline.yaml.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules, load_ruleset, shipped_rulesets

from .corpus import load_corpus
from .corpus.read import no_scores
from .corpus.reference import applies
from .identify.alike import same_form, without_effect
from .identify.fields import alternatives, changed, fields_of
from .identify.lines import Played, whole_lines
from .identify.pools import Pools
from .identify.telling import first_split
from .report.deal_table import action_sign, draw_deal

Json = dict[str, Any]
_FORM = 1
_WHOLE_DEALS = 12
_DIGITS = 3
_SUFFIX = ".baseline.yaml"
_LARGEST = 4096


class PlaysOtherwise(SpecError):
    """Told where bad data is told, but it is none: a ruleset does not play as it was frozen."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change since the baseline was frozen: what, and the lines of its witness."""

    what: str
    witness: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join((self.what, *self.witness))


def baseline_path(ruleset: str) -> Path:
    """Return where the baseline of a ruleset stands, given by name or file."""
    if ruleset in shipped_rulesets():
        return spec_root() / "baselines" / f"{ruleset}.yaml"
    path = Path(ruleset)
    return path.with_name(path.stem + _SUFFIX)


# --------------------------------------------------------------------------- freezing


def freeze(ruleset: Resolved) -> str:
    """Return the text of a baseline of what a ruleset plays now."""
    rules = compile_rules(ruleset)
    corpus = load_corpus()
    idle = [item.id for item in corpus.scenarios if applies(item, rules) is None]
    lines = [
        f"# What {ruleset['ruleset']} plays, frozen by bauernschnapsen baseline; check it by",
        "# bauernschnapsen baseline --check. `views` holds a digest of every view, in order.",
        f"baseline: {ruleset['ruleset']}",
        f"form: {_FORM}",
        f"suite: {json.dumps(corpus.digest)}",
        f"applicable: {len(corpus.scenarios) - len(idle)}",
        "not_applicable:" if idle else "not_applicable: []",
        *(f"  - {name}" for name in idle),
        "deals:",
    ]
    for played in chosen_deals(ruleset):
        lines += _written(played.line.record(), rules)
    return "\n".join(lines) + "\n"


def chosen_deals(ruleset: Resolved) -> list[Played]:
    """Return deals of which at least one changes with any single field that has an effect."""
    pools = Pools(ruleset)
    chosen = list(whole_lines(pools.rules, _WHOLE_DEALS, "baseline"))
    idle = without_effect(ruleset)
    for path in dict.fromkeys(fields_of(ruleset)):
        if path in idle:
            continue
        for value in alternatives(ruleset, path):
            other = changed(ruleset, path, value)
            if same_form(other, ruleset):
                continue
            rules = compile_rules(other)
            if any(first_split(one, rules) is not None for one in reversed(chosen)):
                continue
            new = _first_changed(pools, path, rules)
            if new is not None:
                chosen.append(new)
    return chosen


def _first_changed(pools: Pools, path: tuple[str, ...], other: Rules) -> Played | None:
    for purpose in pools.purposes(path):
        for one in pools.lines(purpose, 126):
            if first_split(one, other) is not None:
                return one
    return None


def _written(record: Json, rules: Rules) -> list[str]:
    views = replay(rules, [record])[0]
    hands = ", ".join(f"{seat}: {' '.join(cards)}" for seat, cards in record["hands"].items())
    scores = ", ".join(f"{side}: {points}" for side, points in record["scores"].items())
    lines = [f"  - hands: {{{hands}}}", f"    dealer: {record['dealer']}"]
    if "talon" in record:
        lines.insert(1, f"    talon: {' '.join(record['talon'])}")
    if any(record["scores"].values()):
        lines.append(f"    scores: {{{scores}}}")
    if "contract" in record:
        start = record["contract"]
        lines.append(
            f"    contract: {{name: {start['name']}, declarer: {start['declarer']}, "
            f"trump: {start['trump']}}}"
        )
    moves = ", ".join(f"{seat} {action}" for seat, action in record["actions"])
    lines += [
        f"    actions: {moves}" if moves else "    actions: ''",
        f"    result: {result_of(views[-1])}",
        f"    views: {' '.join(digests(views))}",
    ]
    return lines


def result_of(view: Json) -> str:
    """Return the end of a deal in a few words."""
    contract = view["contract"]
    name = f"{contract['name']} by {contract['declarer']}" if contract else "no contract"
    if view["outcome"] is None:
        return f"{name}, {view['phase']}"
    outcome = view["outcome"]
    paid = ", ".join(f"{side} {points}" for side, points in outcome["awards"].items())
    return f"{name}, {outcome['reason']}, {paid}"


def digests(views: list[Json]) -> list[str]:
    """Return a short digest of every view; the order of actions and cards does not matter."""
    return [_digest(view) for view in views]


def _digest(view: Json) -> str:
    legal = {seat: sorted(actions) for seat, actions in view["legal"].items()}
    plain = {**view, "legal": legal, "refused": bool(view.get("refused"))}
    text = json.dumps(plain, sort_keys=True).encode()
    # The letter keeps YAML from reading a number.
    return "x" + hashlib.sha256(text).hexdigest()[:_DIGITS]


# --------------------------------------------------------------------------- checking


def changes_since(ruleset: Resolved, file: Path) -> Iterator[Change]:
    """Yield what a ruleset plays otherwise than when its baseline was frozen.

    Raises SpecError for a file that is no baseline.
    """
    document = load_yaml(file)
    rules = compile_rules(ruleset)
    deals = _deals(document)
    for number, frozen in enumerate(deals):
        try:
            yield from _deal_changed(frozen, number, rules)
        except (KeyError, AttributeError, TypeError, ValueError) as error:
            raise _no_baseline(document, ("deals", number), f"cannot be read: {error}") from None
    yield from _scenarios_changed(document, rules)


def _deals(document: Document) -> list[Json]:
    data = document.value
    if not isinstance(data, dict) or data.get("form") != _FORM or "baseline" not in data:
        raise _no_baseline(document, (), "this is no baseline, or of another version")
    deals = data.get("deals")
    if not isinstance(deals, list) or len(deals) > _LARGEST:
        raise _no_baseline(document, ("deals",), "a baseline has a list of deals")
    return deals


def _no_baseline(document: Document, where: tuple[str | int, ...], text: str) -> SpecError:
    line, column = document.where(where)
    field = ".".join(map(str, where)) or None
    hint = "freeze it again: bauernschnapsen baseline RULESET"
    return SpecError(text, document.file, line, column, field, hint)


def _record(frozen: Json) -> Json:
    hands = {seat: cards.split() for seat, cards in frozen["hands"].items()}
    actions = [pair.split(" ", 1) for pair in frozen["actions"].split(", ") if pair]
    record: Json = {
        "dealer": frozen["dealer"],
        "hands": hands,
        "scores": frozen.get("scores", no_scores(hands)),
        "actions": actions,
    }
    if "talon" in frozen:
        record["talon"] = frozen["talon"].split()
    if "contract" in frozen:
        record["contract"] = frozen["contract"]
    return record


def _deal_changed(frozen: Json, number: int, rules: Rules) -> Iterator[Change]:
    record = _record(frozen)
    try:
        views = replay(rules, [record])[0]
    except SpecError as error:
        yield Change(f"deal {number + 1} cannot be played any more: {error}", _drawn(record, 0))
        return
    for place, (was, now) in enumerate(zip(frozen["views"].split(), digests(views), strict=False)):
        if was != now:
            result = result_of(views[-1])
            ends = f"; it ended: {frozen['result']}; now: {result}"
            same = "" if frozen["result"] == result else ends
            what = f"deal {number + 1} is played otherwise from step {place} on{same}"
            yield Change(what, (*_drawn(record, place), *_now(views[place])))
            return


def _drawn(record: Json, steps: int) -> tuple[str, ...]:
    moves = (
        f"  {place:>3}  {seat} {action_sign(action)}"
        for place, (seat, action) in enumerate(record["actions"][:steps], start=1)
    )
    return (*draw_deal(record), *moves)


def _now(view: Json) -> list[str]:
    legal = "; ".join(
        f"{seat}: {', '.join(map(action_sign, actions))}" for seat, actions in view["legal"].items()
    )
    refused = [f"  refused now: {view['refused']}"] if view.get("refused") else []
    return [*refused, f"  now: {result_of(view)}", f"  now legal: {legal or 'nothing'}"]


def _scenarios_changed(document: Document, rules: Rules) -> Iterator[Change]:
    frozen = document.value.get("not_applicable") or []
    if not isinstance(frozen, list):
        raise _no_baseline(document, ("not_applicable",), "is a list of scenarios")
    corpus = load_corpus()
    if document.value.get("suite") != corpus.digest:
        return  # scenarios have come or changed since; the deals speak for themselves
    for item in corpus.scenarios:
        holds = applies(item, rules) is not None
        if holds == (item.id in frozen):
            now = "applies now" if holds else "does not hold any more"
            yield Change(f"scenario {item.id} {now}: {item.title}")


def faults_of_baselines() -> list[SpecError]:
    """Return PlaysOtherwise for every shipped ruleset that does not play as its baseline says."""
    faults = []
    for path in sorted((spec_root() / "baselines").glob("*.yaml")):
        if path.stem in shipped_rulesets():
            faults += fault_of_baseline(load_ruleset(path.stem), path)
    return faults


def fault_of_baseline(ruleset: Resolved, path: Path) -> list[SpecError]:
    """Return at most one fault: what is wrong with the baseline, else PlaysOtherwise."""
    try:
        first = next(changes_since(ruleset, path), None)
    except SpecError as error:
        return [error]
    if first is None:
        return []
    hint = "if that is meant, freeze it again: bauernschnapsen baseline RULESET"
    return [PlaysOtherwise(first.what, str(path), hint=hint)]
