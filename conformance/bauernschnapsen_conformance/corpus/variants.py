"""Variants: which scenarios show which value of an option, and how many apply under which ruleset.

A scenario *shows* a value if it holds under rules with it and no longer holds when that one field
is put back to what the main ruleset says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import (
    Resolved,
    compile_rules,
    load_ruleset,
    shipped_rulesets,
    vary,
)

from .corpus import Corpus
from .options import Catalogue
from .reference import HOME_RULESET, applies, home_ruleset
from .scenario import Item, PositionCase
from .wording import value_key

Counts = dict[str, dict[str, dict[str, int]]]
"""Ruleset -> chapter -> kind (`scenarios`, `positions`) -> how many apply."""
_FROZEN = "baselines/applicable.json"
_REFREEZE = "bauernschnapsen check --freeze"
_PER_CONTRACT = "contracts.*."


@dataclass(frozen=True, slots=True)
class Shown:
    """That an item shows a value: `path` is `options.NAME` or `contracts.CONTRACT.FIELD`."""

    path: str
    key: str
    item: str


def differences(ruleset: Resolved, base: Resolved) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield the fields in which a ruleset differs from another: path, value, and how to undo it.

    The last is for `vary`. Contracts that only one of the two knows are left out.
    """
    for name, value in ruleset["options"].items():
        if value != base["options"][name]:
            yield f"options.{name}", value, {"options": {name: base["options"][name]}}
    order = [name for name in ruleset["contracts"] if name in base["contracts"]]
    for name, contract in ruleset["contracts"].items():
        usual = base["contracts"].get(name)
        if usual is None:
            continue
        for field, value in contract.items():
            if field in ("name", "above") or value == usual.get(field):
                continue
            yield (
                f"contracts.{name}.{field}",
                value,
                {"contracts": {name: {field: usual[field]}}},
            )
    usual_order = [name for name in base["contracts"] if name in order]
    if order != usual_order:
        moved = {
            name: {"above": usual_order[place - 1] if place else "none"}
            for place, name in enumerate(usual_order)
            if name != order[place]
        }
        for name in moved:
            yield (
                f"contracts.{name}.above",
                ruleset["contracts"][name]["above"],
                {"contracts": moved},
            )


def shown_by(items: Iterable[Item]) -> list[Shown]:
    """Return what the items that belong to other rules than the main ones show."""
    base = load_ruleset(HOME_RULESET)
    found: list[Shown] = []
    for item in items:
        if not item.under:
            continue
        changes = {key: value for key, value in item.under.items() if key != "ruleset"}
        ruleset = home_ruleset(item.under.get("ruleset", HOME_RULESET), changes)
        # A duty changed for all contracts is undone for all of them together.
        undone: dict[tuple[str, str], dict[str, Any]] = {}
        paths: dict[tuple[str, str], list[str]] = {}
        for path, value, undo in differences(ruleset, base):
            group = (_general(path), value_key(value))
            paths.setdefault(group, []).append(path)
            contracts = {**undone.get(group, {}).get("contracts", {}), **undo.get("contracts", {})}
            undone[group] = {**undo, **({"contracts": contracts} if contracts else {})}
        for (_, key), own in paths.items():
            if not _still_holds(item, ruleset, undone[(_general(own[0]), key)]):
                found += [Shown(path, key, item.id) for path in own]
    return found


def _general(path: str) -> str:
    """`contracts.*.FIELD` for a field of a contract, an option's path as it is."""
    head, _, field = path.rpartition(".")
    return path if head == "options" else f"{_PER_CONTRACT}{field}"


def _still_holds(item: Item, ruleset: Resolved, undo: Mapping[str, Any]) -> bool:
    try:
        rules = compile_rules(vary(ruleset, undo))
    except SpecError:
        return False
    return applies(item, rules) is not None


def not_shown(catalogue: Catalogue, shown: Iterable[Shown]) -> list[str]:
    """Return the values of the catalogue that differ from the main ruleset and that nothing shows.

    Values without effect in play are left out. Of a field with open values one must be shown. What
    some contract of the main ruleset has anyway is shown by the scenarios of that one; what is
    known of a single contract has to be shown with that one.
    """
    base = load_ruleset(HOME_RULESET)
    usual = {f"options.{name}": {value_key(value)} for name, value in base["options"].items()}
    for contract in base["contracts"].values():
        for field, value in contract.items():
            usual.setdefault(f"{_PER_CONTRACT}{field}", set()).add(value_key(value))
    seen: dict[str, set[str]] = {}
    for one in shown:
        seen.setdefault(one.path, set()).add(one.key)
        seen.setdefault(_general(one.path), set()).add(one.key)
    missing = [
        f"contracts.{name}.{field}: {key}"
        for name, known in catalogue.contracts.items()
        for field, values in known.items()
        for key in values
        if key not in seen.get(f"contracts.{name}.{field}", ())
    ]
    for path, field in catalogue.fields.items():
        if field.effect != "play":
            continue
        have = seen.get(path, set())
        for key, value in field.values.items():
            if key not in usual.get(path, set()) and key not in have and not value.talon_only:
                missing.append(f"{path}: {key}")
        if field.other and not have:
            missing.append(f"{path}: any other value")
    return missing


# --------------------------------------------------------------------------- how many apply


def count_applicable(corpus: Corpus, *, positions: bool = True) -> Counts:
    """Count what applies under each shipped ruleset, by chapter."""
    counts: Counts = {}
    for name in shipped_rulesets():
        rules = compile_rules(load_ruleset(name))
        own = counts.setdefault(name, {})
        items: list[Item] = [*corpus.scenarios, *(corpus.positions if positions else ())]
        for item in items:
            chapter = own.setdefault(item.chapter, {})
            kind = "positions" if isinstance(item, PositionCase) else "scenarios"
            chapter[kind] = chapter.get(kind, 0) + (applies(item, rules) is not None)
    return {name: dict(sorted(own.items())) for name, own in counts.items()}


def frozen_path(root: Path | None = None) -> Path:
    """Return the file of the frozen counts."""
    return (root or spec_root()) / _FROZEN


def freeze_counts(counts: Counts, root: Path | None = None) -> None:
    """Write the counts, one line for each chapter."""
    lines = []
    for name, chapters in counts.items():
        inner = ",\n".join(
            f"    {json.dumps(chapter)}: {json.dumps(kinds, sort_keys=True)}"
            for chapter, kinds in chapters.items()
        )
        lines.append(f"  {json.dumps(name)}: {{\n{inner}\n  }}")
    path = frozen_path(root)
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def compare_counts(counts: Counts, root: Path | None = None) -> tuple[list[SpecError], list[str]]:
    """Hold counts against the frozen ones: faults where fewer apply, notes where more do."""
    shown = f"spec/{_FROZEN}"
    try:
        frozen: Any = json.loads(frozen_path(root).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [SpecError(f"cannot be read: {error}", shown, hint=f"write it: {_REFREEZE}")], []
    errors, more = [], 0
    for name in [*frozen, *(name for name in counts if name not in frozen)]:
        before, now = frozen.get(name, {}), counts.get(name, {})
        for chapter in [*before, *(chapter for chapter in now if chapter not in before)]:
            for kind in ("scenarios", "positions"):
                had = before.get(chapter, {}).get(kind, 0)
                has = now.get(chapter, {}).get(kind)
                if has is None:
                    has = had if chapter in now else 0
                if has < had:
                    message = f"under {name} only {has} {kind} of {chapter} apply, {had} did before"
                    hint = f"if that is meant, run '{_REFREEZE}'"
                    errors.append(SpecError(message, shown, field=f"{name}.{chapter}", hint=hint))
                more += max(0, has - had)
    notes = [f"{more} more scenarios apply to rulesets than are frozen ({_REFREEZE})"] * bool(more)
    return errors, notes
