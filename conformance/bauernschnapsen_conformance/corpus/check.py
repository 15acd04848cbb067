"""Check spec data: everything that comes with the suite, or single files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import load_ruleset, shipped_rulesets

from ..counting import counted
from .cites import check_cites
from .corpus import doubled_ids, load_corpus, load_corpus_with_errors
from .lint import lint_items
from .locks import check_locks
from .options import load_options, load_options_with_errors
from .read import read_position_file, read_scenario_file
from .rules import load_rules_with_errors
from .scenario import Item
from .table_texts import check_table_texts, load_table_texts
from .translations import check_translations
from .variants import compare_counts, count_applicable, not_shown, shown_by


@dataclass(frozen=True, slots=True)
class Findings:
    """All faults, and one line to say when there are none."""

    errors: tuple[SpecError, ...]
    summary: str
    notes: tuple[str, ...] = ()
    """What is to be done some time, but is no fault."""


def check_everything() -> Findings:
    """Check all rules, rulesets, scenarios, positions and the glossary of the suite."""
    rules, errors = load_rules_with_errors()
    errors = list(errors)
    for name in shipped_rulesets():
        path = spec_root() / "rulesets" / f"{name}.yaml"
        errors += _try_ruleset(path) or check_cites(path)
    errors += load_options_with_errors()[1]
    glossary = spec_root() / "glossary.yaml"
    if glossary.exists():
        errors += _validated(glossary, "glossary")
    corpus, faults = load_corpus_with_errors()
    errors += faults
    if not errors:
        from ..baselines import faults_of_baselines

        errors += faults_of_baselines()
    errors += lint_items(corpus.items, rules)
    locks = check_locks(rules, corpus.scenarios)
    errors += locks.errors
    notes = []
    if locks.unlocked:
        new = counted(len(locks.unlocked), "new id is", "new ids are")
        notes.append(f"{new} not locked yet (check --lock)")
    translations = check_translations(rules, corpus.scenarios)
    errors += translations.errors
    notes += translations.notes
    errors += load_table_texts()[1]
    if not errors:
        # A file that fits nothing is a fault; what is not translated yet is one of `--release`.
        errors += check_table_texts(load_yaml(spec_root() / "options.yaml").value)[0]
    summary = (
        f"{counted(len(rules), 'rule')}, {counted(len(shipped_rulesets()), 'ruleset')}, "
        f"{counted(len(corpus.scenarios), 'scenario')} and "
        f"{counted(len(corpus.positions), 'position')} are in order"
    )
    return Findings(tuple(errors), summary, tuple(notes))


def check_variants(*, positions: bool = False) -> Findings:
    """Check that scenarios show every option value, and that no ruleset has lost any of them."""
    corpus = load_corpus()
    unshown = [
        SpecError(f"no scenario shows {value}", "spec/options.yaml", hint="write one with `under`")
        for value in not_shown(load_options(), shown_by(corpus.items))
    ]
    lost, notes = compare_counts(count_applicable(corpus, positions=positions))
    return Findings((*unshown, *lost), "", tuple(notes))


def check_files(files: Sequence[Path]) -> Findings:
    """Check single files; what each is follows from its content."""
    rules, _ = load_rules_with_errors()
    errors: list[SpecError] = []
    items: list[Item] = []
    for path in files:
        kind, fault = _kind(path)
        if fault is not None:
            errors.append(fault)
        elif kind == "ruleset":
            errors += _try_ruleset(path) or _baseline_beside(path)
        elif kind == "positions":
            cases, faults = read_position_file(path, path.as_posix())
            items.extend(cases)
            errors += faults
        elif kind == "scenarios":
            scenarios, faults = read_scenario_file(path, path.as_posix())
            items.extend(scenarios)
            errors += faults
        else:
            errors += _validated(path, "rule-file")
    errors += _ids_taken(files, items)
    if not errors:
        ours = all(path.resolve().is_relative_to(spec_root().resolve()) for path in files)
        errors += lint_items(items, rules, starts=ours)
    return Findings(tuple(errors), f"{len(files)} file{'s' if len(files) > 1 else ''} in order")


def _ids_taken(files: Sequence[Path], items: list[Item]) -> list[SpecError]:
    """Return the items whose ids stand twice here or belong to other files of the suite."""
    own = {os.path.realpath(path) for path in files}
    suite = load_corpus_with_errors()[0].scenarios
    root = spec_root().parent
    others = [item for item in suite if os.path.realpath(root / item.origin.file) not in own]
    return doubled_ids([*others, *items])


def _kind(path: Path) -> tuple[str, SpecError | None]:
    try:
        data = load_yaml(path).value
    except SpecError as error:
        return "", error
    for key in ("ruleset", "positions", "scenarios", "rules"):
        if isinstance(data, dict) and key in data and not _only_together(path):
            return key, None
    return "", _not_checked(path, data)


def _only_together(path: Path) -> bool:
    """Whether a file is one of the suite's that means nothing by itself, such as the glossary."""
    file, root = Path(os.path.realpath(path)), spec_root().resolve()
    alone = ("rulesets", "positions", "scenarios", "rules")
    return root in file.parents and file.relative_to(root).parts[0] not in alone


def _not_checked(path: Path, data: object) -> SpecError:
    """Say what a file is that cannot be checked by itself, and what can be done with it."""
    if isinstance(data, dict) and "baseline" in data:
        name = path.name.removesuffix(".yaml").removesuffix(".baseline")
        run = f"bauernschnapsen baseline --check {path.with_name(f'{name}.yaml')}"
        message = "this is a baseline: what a ruleset played when it was frozen"
        return SpecError(message, str(path), 1, hint=f"compare: {run}")
    if _only_together(path):
        hint = "bauernschnapsen check, without names of files, looks at it"
        return SpecError(
            "this file is checked together with the whole suite", str(path), 1, hint=hint
        )
    return SpecError(
        "this is none of our files",
        str(path),
        1,
        hint="a file has a key ruleset, scenarios, positions or rules",
    )


def _try_ruleset(path: Path) -> list[SpecError]:
    errors = _validated(path, "ruleset")
    if errors:
        return errors  # all of them; loading would tell only the first
    try:
        load_ruleset(path)
    except SpecError as error:
        return [error]
    return []


def _baseline_beside(path: Path) -> list[SpecError]:
    """A ruleset of one's own that was frozen must still be played as it was."""
    from ..baselines import baseline_path, fault_of_baseline

    file = baseline_path(str(path))
    return fault_of_baseline(load_ruleset(path), file) if file.exists() else []


def _validated(path: Path, schema: str) -> list[SpecError]:
    try:
        document = load_yaml(path)
    except SpecError as error:
        return [error]
    return validate(document.value, schema, document=document)
