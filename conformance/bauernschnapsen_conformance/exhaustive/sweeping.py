"""Everything at once: all trick situations, all complete tricks, all auctions of one engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from ..adapter.handshake import Capabilities, Hello
from ..run.collector import rare_collections
from ..run.levels import Level
from ..run.plan import engine_ruleset
from .asking import LEGAL, WINNER, Asks, Tally, batches, sweep
from .auction_asking import ask_auctions
from .auctions import all_auctions
from .lines import AUCTIONS, auction_counts
from .published import published_for
from .situations import count_keys, kinds

Json = dict[str, Any]
Ticks = Callable[[str, int], None]
"""Called with a section and how many more of its situations have been judged."""
_LEVELS = {LEGAL: Level.TRICKS, WINNER: Level.TRICKS, AUCTIONS: Level.AUCTION}


@dataclass(slots=True)
class Part:
    """What became of one section."""

    tally: Tally | None
    """None if it was not asked."""
    reason: str = ""
    """Why it was not."""
    counts: Json = field(default_factory=dict)
    """How many keys or classes there are."""
    sha256: list[str] = field(default_factory=list)
    """The published digests of all right answers, one for each kind of contracts."""


@dataclass(slots=True)
class Swept:
    """What became of everything."""

    parts: dict[str, Part]
    seconds: float
    interrupted: bool = False

    @property
    def conforms(self) -> bool:
        """Whether nothing was answered wrongly."""
        return all(part.tally is None or part.tally.conforms for part in self.parts.values())

    @property
    def withheld(self) -> frozenset[Level]:
        """The levels that are not reached because of it."""
        return frozenset(
            _LEVELS[name]
            for name, part in self.parts.items()
            if part.tally is not None and not part.tally.conforms
        )

    def as_json(self) -> Json:
        """Return it as it stands in reports and certificates."""
        return {
            "conforms": self.conforms,
            "withheld": sorted(level.title for level in self.withheld),
            **{name: _part(part) for name, part in self.parts.items()},
        }


def sweep_engine(
    session: Asks,
    ruleset: Resolved,
    hello: Hello,
    *,
    rules_refused: str | None = None,
    ticks: Ticks | None = None,
) -> Swept:
    """Ask an engine everything; the session is not ended.

    An interrupt (Ctrl-C) ends the sweep: what was not asked by then is counted as such.
    """
    begun = time.monotonic()
    able = hello.capabilities
    rules = compile_rules(ruleset)
    known = published_for(ruleset) or {}
    parts: dict[str, Part] = {}
    swept = Swept(parts, 0.0)
    for name in (LEGAL, WINNER, AUCTIONS):
        reason = _why_not(name, rules, able, rules_refused)
        part = parts[name] = Part(None, reason)
        if reason:
            continue
        part.sha256 = [entry["sha256"] for entry in known.get(name, ())]
        part.tally = Tally()
        try:
            with rare_collections():
                _ask(name, part, session, rules, ruleset, able, ticks)
        except KeyboardInterrupt:
            swept.interrupted = True
            part.tally.give_up()
            break
    swept.seconds = time.monotonic() - begun
    return swept


def _ask(
    name: str,
    part: Part,
    session: Asks,
    rules: Rules,
    ruleset: Resolved,
    able: Capabilities,
    ticks: Ticks | None,
) -> None:
    def tick(number: int) -> None:
        if ticks is not None:
            ticks(name, number)

    assert part.tally is not None
    if name == AUCTIONS:
        played = compile_rules(engine_ruleset(ruleset, able.claims))
        found = all_auctions(played)
        part.counts = auction_counts(found)
        ask_auctions(session, found.walks, played, able, part.tally, progress=tick)
        return
    if name == LEGAL:
        part.counts = {"keys": sum(count_keys(rules, kind) for kind in kinds(rules))}
    source = batches(rules, kinds(rules), name)
    sweep(session, source, rules, part.tally, progress=tick)


def _why_not(name: str, rules: Rules, able: Capabilities, rules_refused: str | None) -> str:
    if rules_refused is not None:
        return f"the ruleset is not taken: {rules_refused}"
    if rules.seats not in able.players:
        return f"the engine has no deals for {rules.seats} players"
    if name == LEGAL and not able.legal_plays:
        return "the engine does not answer the query legal_plays"
    if name == WINNER and not able.trick_winner:
        return "the engine does not answer the query trick_winner"
    if name == AUCTIONS and "deal" not in able.starts:
        return "the engine does not start from the deal"
    return ""


def _part(part: Part) -> Json:
    tally = part.tally
    if tally is None:
        return {"asked": False, "reason": part.reason}
    found: Json = {
        "asked": True,
        **part.counts,
        "cases": tally.cases,
        "right": tally.right,
        "wrong": tally.wrong,
        "unsupported": tally.unsupported,
        "errors": tally.errors,
        "not_asked": tally.not_asked,
        "complete": tally.complete,
    }
    if part.sha256:
        found["sha256"] = part.sha256
    if tally.reasons:
        found["reasons"] = tally.reasons
    if tally.causes:
        order = sorted(tally.causes, key=lambda cause: -tally.causes[cause])
        found["causes"] = [
            {
                "rule": cause.rule,
                "what": cause.what,
                "count": tally.causes[cause],
                "example": str(tally.examples[cause]),
                "request": {"op": tally.examples[cause].op, **tally.examples[cause].request},
            }
            for cause in order
        ]
    return found
