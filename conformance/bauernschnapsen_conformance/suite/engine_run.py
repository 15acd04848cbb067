"""One run of an engine over chosen scenarios, and the text for each failing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bauernschnapsen
from bauernschnapsen.ruleset import Resolved

from ..adapter import AdapterCommand, Limits, Session, Suite
from ..corpus import Item, load_corpus
from ..corpus.rules import Rule, load_rules
from ..report.failure import describe_failure
from ..runner import certify
from ..verdicts import Judgement


@dataclass(frozen=True, slots=True)
class EngineRun:
    """The judgements of a run by scenario id."""

    judgements: Mapping[str, Judgement]
    rules: Mapping[str, Rule]
    command: tuple[str, ...]
    seed: int

    @classmethod
    def of(
        cls,
        command: tuple[str, ...],
        ruleset: Resolved,
        items: Sequence[Item],
        *,
        seed: int,
        timeout_scale: float,
    ) -> EngineRun:
        """Start the adapter and ask it the items; AdapterError if it does not start."""
        corpus = load_corpus()
        chosen = {item.id for item in items}
        suite = Suite(bauernschnapsen.__version__, corpus.digest)
        limits = Limits(timeout_scale=timeout_scale)
        with Session(AdapterCommand(command), limits=limits, rules=ruleset, suite=suite) as session:
            session.start()
            report = certify(
                corpus, ruleset, session, seed=seed, choose=lambda item: item.id in chosen
            )
        judgements = {judgement.item.id: judgement for judgement in report.judgements}
        return cls(judgements, load_rules(), command, seed)

    def text_of(self, judgement: Judgement) -> str:
        """Return what to say about a failing scenario."""
        return "\n".join(describe_failure(judgement, self.rules, self.command, self.seed))
