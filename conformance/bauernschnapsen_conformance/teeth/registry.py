"""Mutants: faulty engines with a name, the rule they break and a sentence that says how.

They stand in conformance/mutants/CHAPTER.py and CHAPTER_PART.py, in a checkout only. A mutant is a
function that breaks the engine through a `Patch`; `rules_mutant` is the short form for one that
only misreads the ruleset, `equivalent` for one that cannot be told from a right engine, with the
reason why.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.errors import SpecError
from bauernschnapsen.ruleset import Contract, Options, Rules

from .patch import Patch, with_contracts

Fault = Callable[[Patch], None]
_PACKAGE = "bauernschnapsen_mutants"


@dataclass(frozen=True, slots=True)
class Mutant:
    """An engine with one thing wrong."""

    name: str
    """Rule id and a slug: ``play.beat.third-hand``."""
    rule: str
    """The rule it breaks; only scenarios that cite it can kill the mutant."""
    sentence: str
    """What the engine does, as its author might have believed it."""
    fault: Fault
    by_reason: bool = False
    """Only the reason of a refusal is wrong, so only a stated reason can tell."""
    equivalent: str | None = None
    """Why no observation can tell it from a right engine; None for all others."""

    @property
    def chapter(self) -> str:
        """The chapter of the rule it breaks."""
        return self.rule.split(".")[0]

    @contextmanager
    def installed(self) -> Iterator[Patch]:
        """Break the engine of this process for the length of a `with` block."""
        with Patch() as patch:
            self.fault(patch)
            yield patch


_FOUND: dict[str, Mutant] = {}


def mutant(
    rule: str, slug: str, sentence: str, *, by_reason: bool = False
) -> Callable[[Fault], Fault]:
    """Register the decorated function as a mutant that breaks `rule`."""

    def register(fault: Fault) -> Fault:
        _add(Mutant(f"{rule}.{slug}", rule, sentence, fault, by_reason))
        return fault

    return register


def rules_mutant(
    rule: str,
    slug: str,
    sentence: str,
    *,
    options: Mapping[str, Any] | None = None,
    contracts: Mapping[str, Mapping[str, Any]] | None = None,
    every_contract: Mapping[str, Any] | None = None,
    unless: str | None = None,
) -> None:
    """Register a mutant that reads some options or contract fields otherwise.

    Values are those of the compiled ruleset (`bauernschnapsen.ruleset`). `unless`: the reason
    why the mutant is equivalent, see `equivalent`.
    """

    def misread(rules: Rules) -> Rules:
        if options:
            changed: Options = replace(rules.options, **options)
            rules = replace(rules, options=changed)
        if contracts or every_contract:
            rules = with_contracts(rules, [change(contract) for contract in rules.contracts])
        return rules

    def change(contract: Contract) -> Contract:
        fields = {**(every_contract or {}), **(contracts or {}).get(contract.name, {})}
        return replace(contract, **fields) if fields else contract

    def fault(patch: Patch) -> None:
        patch.change_rules(misread)

    _add(Mutant(f"{rule}.{slug}", rule, sentence, fault, equivalent=unless))


def equivalent(rule: str, slug: str, sentence: str, why: str) -> Callable[[Fault], Fault]:
    """Register a mutant of which nobody can tell that it is one, and say why.

    It has to survive: if something kills it, the reason is wrong.
    """

    def register(fault: Fault) -> Fault:
        _add(Mutant(f"{rule}.{slug}", rule, sentence, fault, equivalent=why))
        return fault

    return register


def _add(new: Mutant) -> None:
    if new.name in _FOUND:
        raise ValueError(f"there are two mutants {new.name}")
    _FOUND[new.name] = new


def mutants_folder() -> Path | None:
    """Return the folder of the mutants, or None where there is no checkout."""
    folder = spec_root().parent / "conformance" / "mutants"
    return folder if (folder / "__init__.py").is_file() else None


def load_mutants() -> dict[str, Mutant]:
    """Return all mutants by name, chapter by chapter; SpecError where there is no checkout."""
    folder = mutants_folder()
    if folder is None:
        raise SpecError(
            "mutants come with a checkout of the project only",
            hint="clone the repository and run it there",
        )
    if _PACKAGE not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            _PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None and spec.loader is not None
        package = importlib.util.module_from_spec(spec)
        sys.modules[_PACKAGE] = package
        spec.loader.exec_module(package)
        for path in sorted(folder.glob("*.py")):
            importlib.import_module(f"{_PACKAGE}.{path.stem}")
    return dict(sorted(_FOUND.items(), key=lambda entry: entry[1].chapter))
