"""One run of an engine over chosen scenarios, and the text for each failing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bauernschnapsen.ruleset import load_ruleset

from ..corpus import Item, load_corpus
from ..report.failure import Texts, describe_failure, rule_texts
from ..report.repeat import Repeat
from ..run.engine import Engine, started
from ..run.runner import certify
from ..run.selection import Selection
from ..run.verdicts import Judgement


@dataclass(frozen=True, slots=True)
class EngineRun:
    """The judgements of a run by scenario id."""

    judgements: Mapping[str, Judgement]
    rules: Texts
    repeat: Repeat

    @classmethod
    def of(
        cls,
        engine: Engine,
        ruleset: str,
        items: Sequence[Item],
        *,
        seed: int,
        blind: bool,
        timeout_scale: float,
    ) -> EngineRun:
        """Start the adapter and ask it the items; AdapterError if it does not start.

        `ruleset` is a name or a file; SpecError if there is none.
        """
        corpus = load_corpus()
        resolved = load_ruleset(ruleset)
        selection = Selection(tuple(item.id for item in items))
        with started(
            engine, resolved, suite_digest=corpus.digest, timeout_scale=timeout_scale
        ) as session:
            report = certify(corpus, resolved, session, seed=seed, blind=blind, selection=selection)
        judgements = {judgement.item.id: judgement for judgement in report.judgements}
        repeat = Repeat(engine, ruleset, seed, blind, report.hello.capabilities)
        return cls(judgements, rule_texts(resolved), repeat)

    def text_of(self, judgement: Judgement) -> str:
        """Return what to say about a failing scenario."""
        return "\n".join(describe_failure(judgement, self.rules, self.repeat))
