"""The commands that repeat a verdict, and that print the raw lines of one scenario."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from bauernschnapsen.notation import SUITS

from ..adapter.handshake import Capabilities
from ..corpus import Item, PositionCase
from ..run.engine import Engine
from ..run.verdicts import Judgement, Verdict

DEFAULT_RULESET = "pagat"
_EVERYTHING = Capabilities(
    starts=("deal", "contract"), claims="called", legal_plays=True, trick_winner=True
)


@dataclass(frozen=True, slots=True)
class Repeat:
    """What a run depended on: engine, ruleset as named, seed, blind or not, capabilities."""

    engine: Engine
    ruleset: str = DEFAULT_RULESET
    seed: int = 1
    blind: bool = False
    able: Capabilities = _EVERYTHING
    house_rules: bool = False
    """Whether this is about a scenario that was asked under the rules it belongs to."""

    def certify(self, judgement: Judgement | None = None) -> str:
        """The command for one scenario with the same seats and suits; without one, for all."""
        words = ["bauernschnapsen certify"]
        if judgement is not None:
            words.append(f"--only {shlex.quote(judgement.item.id)}")
        if self.ruleset != DEFAULT_RULESET:
            words.append(f"--ruleset {shlex.quote(self.ruleset)}")
        if self.house_rules:
            words.append("--house-rules")
        words.append(f"--seed {self.seed}")
        if not self.blind:
            words.append("--no-blind")
        return " ".join([*words, self.engine.arguments])

    def show(self, judgement: Judgement) -> str:
        """The command that prints the lines which were sent, for the handshake and the scenario."""
        words = [f"bauernschnapsen show {shlex.quote(judgement.item.id)} --wire"]
        if self.ruleset != DEFAULT_RULESET and not self.house_rules:
            words.append(f"--ruleset {shlex.quote(self.ruleset)}")
        if judgement.turned:
            words.append(f"--turned {judgement.turned}")
        if judgement.suits != SUITS:
            words.append(f"--suits {judgement.suits}")
        if self.able.claims != "called":
            words.append(f"--claims {self.able.claims}")
        return " ".join([*words, *self._as_deal(judgement.item)])

    def _as_deal(self, item: Item) -> list[str]:
        """The options that say how a deal is asked; a position as a query needs none of them."""
        words = []
        if isinstance(item, PositionCase):
            if self.able.legal_plays if item.seat else self.able.trick_winner:
                return []
            words.append("--replay")
        if len(self.able.starts) == 1:
            words.append(f"--starts {self.able.starts[0]}")
        elif not self.able.starts:
            words.append("--starts none")
        if not self.able.enforces:
            words.append("--not-enforced")
        return words

    def lines(self, judgement: Judgement) -> list[str]:
        """What to say at the end of a failure."""
        lines = [f"  repeat:   {self.certify(judgement)}"]
        if judgement.verdict is Verdict.FLAKY:
            # Alone it passes; what matters is what was asked before.
            lines.append(f"  as here:  {self.certify()}")
        if judgement.turning is not None:
            shell = self.engine.shell
            pipe = f" | {shell}" if shell is not None else ""
            lines.append(f"  by hand:  {self.show(judgement)}{pipe}")
        return lines
