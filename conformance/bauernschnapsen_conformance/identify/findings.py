"""What `identify` says: the profile as a ruleset file, how sure it is, and the bugs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import parse_action, parse_seat
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, Rules, compile_rules

from ..report.differences import shown_value, what_differs
from .alike import differing
from .asking import Miss, Seen
from .fields import Path, name_of, value_at
from .known import suspicion
from .lines import step
from .result import Result

_MOST_WITNESSES = 3


@dataclass(slots=True)
class Bug:
    """What fits no house rule: the rule it seems to break, a shortest witness, how often."""

    rule: str
    seen: Seen
    miss: Miss
    count: int = 1


def as_file(result: Result, base: Resolved, name: str, engine: str) -> str:
    """Return the profile as the text of a ruleset file that extends the base."""
    ruleset = result.ruleset
    contracts: dict[str, dict[str, Any]] = {}
    options: dict[str, Any] = {}
    for path in differing(ruleset, base):
        value = value_at(ruleset, path)
        if path[0] == "options":
            options[path[1]] = value
        else:
            contracts.setdefault(path[1], {})[path[2]] = value
    lines = [
        f"# The house rules of {engine}, found out by bauernschnapsen identify.",
        f"ruleset: {name}",
        f"extends: {base['ruleset']}",
        "title:",
        f"  en: {_quoted('House rules of ' + engine)}",
    ]
    if contracts:
        lines.append("contracts:")
        for contract, fields in contracts.items():
            inner = ", ".join(f"{key}: {_scalar(value)}" for key, value in fields.items())
            lines.append(f"  {contract}: {{{inner}}}")
    if options:
        lines.append("options:")
        lines += [f"  {key}: {_scalar(value)}" for key, value in options.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _scalar(value: Any) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(str, value)) + "]"
    return shown_value(value)


# --------------------------------------------------------------------------- how sure


def sureness(result: Result, base: Resolved) -> Iterator[tuple[Path, str, Seen | None, str]]:
    """Yield each field that is not that of the base: how sure, a witness, and a suspicion."""
    for path in differing(result.ruleset, base):
        against = [
            one
            for (other, _), one in result.witnesses.items()
            if other == path and one.seen.fault is None
        ]
        votes = result.votes.get(path)
        if votes is not None:
            speaking = f"{votes[0]} deals speak for it, {votes[1]} against it"
        else:
            speaking = "it follows from other fields"
        witness = min((one.seen for one in against), key=lambda seen: seen.moves, default=None)
        yield path, speaking, witness, suspicion(result.ruleset, base, path)


# --------------------------------------------------------------------------- bugs


def bugs_of(result: Result) -> list[Bug]:
    """Return the bugs, most frequent first, each with its shortest witness."""
    rules = compile_rules(result.ruleset)
    by_rule: dict[str, Bug] = {}
    for seen, miss in result.bugs:
        rule = broken_rule(seen, miss, rules)
        known = by_rule.get(rule)
        if known is None:
            by_rule[rule] = Bug(rule, seen, miss)
        else:
            known.count += 1
            if seen.moves < known.seen.moves:
                known.seen, known.miss = seen, miss
    return sorted(by_rule.values(), key=lambda bug: (-bug.count, bug.rule))


_BY_PATH = {
    "points": "marriages.value", "tricks": "play.winner-leads", "to_act": "play.winner-leads",
    "last_trick": "play.suit-wins", "outcome": "scoring.factor", "scores": "match.add-score",
    "next_dealer": "match.next-dealer", "game": "match.target", "trump": "deal.trump-once",
    "bid": "auction.last-bid", "contract": "auction.last-bid", "phase": "auction.end",
    "trick": "play.turn", "sees": "marriages.shown", "refused": "notation.action",
}  # fmt: skip
_BY_VERB = {
    "play": "play.discard", "marry": "marriages.pair", "bid": "auction.higher",
    "pass": "auction.must-open", "enough": "claims.moment", "show": "contracts.show",
    "trump": "deal.trump-from-three", "turn-up": "deal.turn-up", "redeal": "deal.no-redeal",
    "kontra": "doubling.kontra", "rekontra": "doubling.rekontra",
    "subkontra": "doubling.subkontra",
}  # fmt: skip
_BY_REASON = {
    "claim": "claims.true", "false_claim": "claims.false", "last_trick": "scoring.last-trick",
    "made": "scoring.success", "failed": "scoring.failure", "shown": "contracts.show-wins",
}  # fmt: skip


def broken_rule(seen: Seen, miss: Miss, rules: Rules) -> str:
    """Return the rule that an engine seems to break; where it is a scenario's, that one."""
    if seen.rules:
        return seen.rules[0]
    if not miss.differences:
        return "notation.action"
    first = miss.differences[0]
    if first.path[0] == "legal" and isinstance(first.got, list):
        return _rule_of_legal(seen, miss, rules)
    if first.path[0] in ("outcome", "scores"):
        for one in miss.differences:
            if one.path[0] == "outcome":
                return _rule_of_outcome(seen, miss, rules)
    if first.path[0] == "refused":
        return _rule_of_refusal(seen, miss, rules)
    return _BY_PATH.get(first.path[0], "notation.action")


def _rule_of_legal(seen: Seen, miss: Miss, rules: Rules) -> str:
    first = miss.differences[0]
    expected = first.expected if isinstance(first.expected, list) else []
    extra = [action for action in first.got if action not in expected]
    if extra and seen.line is not None:
        position = seen.line.start.position(rules)
        if position is not None:
            for move in seen.line.moves[: miss.view]:
                position, _ = step(position, move)
            rule = _refused_by(position, first.path[1], extra[0])
            if rule is not None:
                return rule
    missing = [action for action in expected if action not in first.got]
    verb = (extra or missing or ["play"])[0].split(" ")[0]
    return _BY_VERB.get(verb, "notation.action")


def _refused_by(position: Any, seat: str, action: str) -> str | None:
    from bauernschnapsen import table

    try:
        table.apply(position, parse_seat(seat), parse_action(action))
    except Refusal as refusal:
        return refusal.rule
    except ValueError:
        return None
    return None


def _rule_of_outcome(seen: Seen, miss: Miss, rules: Rules) -> str:
    try:
        expected = replay(rules, seen.deals)[miss.deal][miss.view]["outcome"]
    except (SpecError, IndexError):
        return "scoring.factor"
    if expected is None:
        return "contracts.not-played"
    return _BY_REASON.get(expected["reason"], "scoring.factor")


def _rule_of_refusal(seen: Seen, miss: Miss, rules: Rules) -> str:
    try:
        refused = replay(rules, seen.deals)[miss.deal][miss.view].get("refused")
    except (SpecError, IndexError):
        refused = None
    if refused:
        return str(refused)
    action = seen.deals[miss.deal]["actions"][miss.view - 1][1] if miss.view else "play"
    return _BY_VERB.get(action.split(" ")[0], "notation.action")


def draw_bug(bug: Bug, rules: Rules) -> Iterator[str]:
    """Yield the witness of a bug as a table."""
    from ..report.deal_table import action_sign, draw_deal

    for number, deal in enumerate(bug.seen.deals[: bug.miss.deal + 1]):
        yield from draw_deal(deal, number + 1 if len(bug.seen.deals) > 1 else None)
        last = bug.miss.view if number == bug.miss.deal else len(deal["actions"])
        for place, (seat, action) in enumerate(deal["actions"][:last], start=1):
            yield f"  {place:>3}  {seat} {action_sign(action)}"
    try:
        right = replay(rules, bug.seen.deals)[bug.miss.deal]
    except SpecError:
        right = None
    got = None if bug.seen.views is None else bug.seen.views[bug.miss.deal]
    if right is not None and got is not None:
        right, got = right[bug.miss.view :], got[bug.miss.view :]
        yield from what_differs(("expected", "engine"), (right[:1], got[:1]))
    else:
        yield f"  the engine gave no views: {bug.seen.said or 'nothing'}"


def name_list(paths: list[Path]) -> str:
    """Print fields, separated by commas."""
    return ", ".join(name_of(path) for path in paths)
