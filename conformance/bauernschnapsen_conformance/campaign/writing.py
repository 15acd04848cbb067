"""Write a finding as a scenario file: a deal, what is done, what must be true then.

`check FILE` accepts it as it is; when it has been looked at, its scenario goes into a file of the
suite, with the reason worked out from the rule. What is stated is what the engine showed otherwise.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Resolved, compile_rules, load_ruleset, shipped_rulesets, vary

from ..adapter.faults import printable
from ..blaming import FALLBACK
from ..corpus.reference import HOME_RULESET
from ..report.deal_table import action_sign
from ..views import View
from .shrinking import Shrunk

Json = dict[str, Any]
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ .-][A-Za-z0-9]+)*")
_NO_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
_WHOLE = frozenset({"awards", "bummerl", "points", "tricks", "scores", "cards", "winners"})
"""Values that are stated whole, though only a part of them differs."""
_LONGEST_WHY = 600


def scenario_id(shrunk: Shrunk) -> str:
    """Return an id that says chapter, rule and field, and is the same for the same deals."""
    rule = (shrunk.discrepancy.rules or (FALLBACK,))[0]
    chapter, _, rest = rule.partition(".")
    field = shrunk.discrepancy.cause.field
    words = re.findall(r"[a-z0-9]+", f"{rest} {field}".lower().replace("_", " "))
    canonical = json.dumps(shrunk.deals, sort_keys=True)
    digest = hashlib.sha256(canonical.encode()).hexdigest()[:8]
    return f"{chapter}.fuzz.{'-'.join(words)[:60].rstrip('-')}-{digest}"


def scenario_file(shrunk: Shrunk, resolved: Resolved, engine: str, other: str | None = None) -> str:
    """Return a scenario file; `resolved` are the rules by which the engine plays.

    `engine` is its name, `other` that of the engine it was held against instead of the reference.
    """
    expected = replay(compile_rules(resolved), shrunk.deals)
    rules = list(shrunk.discrepancy.rules or (FALLBACK,))
    under = under_of(resolved)
    lines = [
        "# Found by bauernschnapsen fuzz. Work the right answer out from the rule before this",
        "# scenario goes into the suite; the rules that it names are guessed.",
        "topic: Found by a campaign",
        "deals:",
    ]
    for number, deal in enumerate(shrunk.deals, start=1):
        lines.append(f"  d{number}: {_flow(_deal(deal))}")
    lines += [
        "scenarios:",
        f"  - id: {scenario_id(shrunk)}",
        f"    title: {_scalar(_title(shrunk))}",
        "    why:",
        f"      en: {_scalar(_why(shrunk, engine, other))}",
        f"    rules: {_flow(rules)}",
    ]
    if under:
        lines.append(f"    under: {_flow(under)}")
    if len(shrunk.deals) == 1:
        lines += [f"    {line}" for line in _record(shrunk, 0, expected[0])]
    else:
        lines.append("    play_on:")
        for number, views in enumerate(expected):
            first, *rest = _record(shrunk, number, views)
            lines += [f"      - {first}", *(f"        {line}" for line in rest)]
    return "\n".join(lines) + "\n"


def _deal(deal: Json) -> Json:
    shown = {"dealer": deal["dealer"]} if "dealer" in deal else {}
    shown |= {seat: " ".join(cards) for seat, cards in deal["hands"].items()}
    if "talon" in deal:
        shown["talon"] = " ".join(deal["talon"])
    return shown


def _record(shrunk: Shrunk, number: int, views: list[View]) -> Iterator[str]:
    """Yield the lines of one deal: which, its start, its steps."""
    deal = shrunk.deals[number]
    yield f"{'deal' if 'dealer' in deal else 'hands'}: d{number + 1}"
    if any(deal.get("scores", {}).values()):
        yield f"scores: {_flow(deal['scores'])}"
    if "contract" in deal:
        start = deal["contract"]
        shown = {"name": start["name"], "by": start["declarer"], "trump": start["trump"]}
        yield f"contract: {_flow(shown)}"
    yield "steps:"
    stated = False
    for place, (seat, action) in enumerate(deal["actions"], start=1):
        refused = views[place].get("refused")
        if refused:
            yield f"  - {_flow({'refused': f'{seat} {action}', 'because': refused})}"
            stated = True
        else:
            yield f"  - {_scalar(f'{seat} {action}')}"
    last = number == len(shrunk.deals) - 1
    expect = _expect(shrunk, views[-1]) if last else {}
    if last and not expect and not (stated and deal["actions"] and views[-1].get("refused")):
        expect = {"phase": views[-1]["phase"]}
    if not expect and (not stated or not deal["actions"]):
        expect = {"phase": views[-1]["phase"]}  # every deal states something
    if expect:
        yield f"  - expect: {_flow(expect)}"


def _expect(shrunk: Shrunk, view: View) -> Json:
    """Return what is true where the engine showed something else; empty if that is a refusal."""
    first = shrunk.discrepancy.difference
    if first is None:
        return {"phase": view["phase"], "to_act": view["to_act"]}
    key, *inner = first.path
    if key == "refused":
        return {}
    if key in ("legal", "sees") and (not inner or inner[0] not in shrunk.deals[-1]["hands"]):
        return {"phase": view["phase"], "to_act": view["to_act"]}  # a seat that is none
    if key == "legal":
        return {"legal": {inner[0]: view["legal"].get(inner[0], [])}}
    if key == "sees":
        known = view["sees"].get(inner[0], {})
        return {"sees": {inner[0]: {owner: " ".join(cards) for owner, cards in known.items()}}}
    path = [key]
    for part in inner:
        if path[-1] in _WHOLE:
            break
        path.append(part)
    value: Any = view
    for part in path:
        value = value[part]
    if path[-1] == "cards" or key == "trick":
        value = " ".join(f"{seat} {card}" for seat, card in value)
    for part in reversed(path):
        value = {part: value}
    stated: Json = value
    return stated


# --------------------------------------------------------------------------- words


def _title(shrunk: Shrunk) -> str:
    field = shrunk.discrepancy.cause.field
    last = shrunk.deals[-1]["actions"][-1:]
    when = f"after {last[0][0]} {last[0][1]}" if last else "before the first action"
    return printable(f"What {field} is {when}", 150)


def _why(shrunk: Shrunk, engine: str, other: str | None) -> str:
    found = shrunk.discrepancy
    if found.difference is None:
        what = f"Here {engine} does not answer as an engine: {found.said}."
    else:
        want = _said(found.difference.expected, found.difference.path[0])
        have = _said(found.difference.got, found.difference.path[0])
        right = "The reference engine" if other is None else other
        what = f"{found.difference.where}: {right} says {want}; {engine} says {have}."
    return printable(what, _LONGEST_WHY)


_REFUSED = ("accepted", "refused")


def _said(value: Any, key: str) -> str:
    if key == "refused":
        return f"refused ({value})" if isinstance(value, str) else _REFUSED[bool(value)]
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(map(action_sign, value)) or "nothing"
    return json.dumps(value, ensure_ascii=False)


# --------------------------------------------------------------------------- YAML


def _flow(value: Any) -> str:
    """Print a value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """Print a text, number, truth value or nothing; what is not plainly a text is quoted."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _NO_TEXT:
        return value
    return json.dumps(value, ensure_ascii=False)


# --------------------------------------------------------------------------- the rules


def under_of(resolved: Resolved) -> Json:
    """Return what a scenario says of the rules it belongs to: a shipped ruleset and what differs.

    Empty for the main ruleset. The shipped ruleset that differs least is taken.
    """
    best: Json | None = None
    for name in dict.fromkeys([resolved["ruleset"], HOME_RULESET, *shipped_rulesets()]):
        if name not in shipped_rulesets():
            continue
        base = load_ruleset(name)
        if base["options"]["seats"] != resolved["options"]["seats"]:
            continue
        changes = _changes(base, resolved)
        if best is None or _number(changes) < _number(best):
            best = ({} if name == HOME_RULESET else {"ruleset": name}) | changes
    return best or {}


def _changes(base: Resolved, other: Resolved) -> Json:
    contracts = {}
    for name, fields in other["contracts"].items():
        own = base["contracts"].get(name, {})
        differ = {key: value for key, value in fields.items() if own.get(key) != value}
        if differ:
            contracts[name] = differ
    options = {
        key: value for key, value in other["options"].items() if base["options"].get(key) != value
    }
    changes: Json = {"contracts": contracts} if contracts else {}
    if options:
        changes["options"] = options
    return _ordered(base, other, changes)


def _ordered(base: Resolved, other: Resolved, changes: Json) -> Json:
    """Add where contracts stand, if their order is not that of the base."""
    try:
        same = list(vary(base, changes)["contracts"]) == list(other["contracts"])
    except SpecError:
        same = True  # it cannot be said as a variant of this base
    if same:
        return changes
    names = list(other["contracts"])
    contracts = {name: dict(fields) for name, fields in changes.get("contracts", {}).items()}
    for below, name in pairwise(names):
        contracts.setdefault(name, {})["above"] = below
    return {**changes, "contracts": contracts}


def _number(changes: Json) -> int:
    fields = sum(map(len, changes.get("contracts", {}).values()))
    return fields + len(changes.get("options", {}))
