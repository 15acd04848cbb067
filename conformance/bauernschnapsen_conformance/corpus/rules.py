"""The rules as data: id, kind, text, sources; one YAML file per chapter under spec/rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError

from .scenario import Origin


@dataclass(frozen=True, slots=True)
class Rule:
    """One must or may of the game."""

    id: str
    chapter: str
    kind: str
    """`play` (can be observed in an engine), `table` (manners, dealing by hand) or `definition`."""
    text: dict[str, str]
    sources: tuple[str, ...]
    status: str
    data: dict[str, Any] = field(default_factory=dict, compare=False)
    """Everything the file says about it."""
    origin: Origin = field(default_factory=lambda: Origin("", 0))


@lru_cache(maxsize=4)
def load_rules_with_errors(root: Path | None = None) -> tuple[dict[str, Rule], list[SpecError]]:
    """Return all rules by id in the order of their files, and all faults of those files."""
    folder = (root or spec_root()) / "rules"
    rules: dict[str, Rule] = {}
    errors: list[SpecError] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            document = load_yaml(path)
        except SpecError as error:
            errors.append(error)
            continue
        faults = validate(document.value, "rule-file", document=document)
        errors.extend(faults)
        if faults:
            continue
        shown = path.relative_to(folder.parent.parent).as_posix()
        for place, entry in enumerate(document.value["rules"]):
            line = document.where(("rules", place, "id"))[0]
            rule = Rule(
                id=entry["id"],
                chapter=document.value["chapter"],
                kind=entry["kind"],
                text=entry.get("text", {}),
                sources=tuple(entry.get("sources", ())),
                status=entry.get("status", "sourced"),
                data=entry,
                origin=Origin(shown, line),
            )
            if rule.id in rules:
                first = rules[rule.id].origin
                message = f"the rule {rule.id} stands already in {first.file}:{first.line}"
                errors.append(SpecError(message, shown, line, field="id"))
            elif rule.id.split(".")[0] != path.stem or rule.chapter != path.stem:
                message = f"a rule of chapter {path.stem} has an id that begins with {path.stem}."
                errors.append(SpecError(message, shown, line, field="id"))
            rules.setdefault(rule.id, rule)
    return rules, errors


def load_rules() -> dict[str, Rule]:
    """Return all rules by id; SpecError for the first faulty file."""
    rules, errors = load_rules_with_errors()
    if errors:
        raise errors[0]
    return rules
