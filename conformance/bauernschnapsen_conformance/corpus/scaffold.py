"""Templates for authors: what a new scenario or ruleset file begins as."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

from bauernschnapsen.errors import SpecError, did_you_mean
from bauernschnapsen.notation import CARDS, DEALS, deal_of_number, format_card, seat_letters
from bauernschnapsen.ruleset import (
    Resolved,
    Rules,
    is_shipped,
    load_ruleset,
    rules_of,
    shipped_rulesets,
)

from .corpus import load_corpus_with_errors
from .reference import HOME_RULESET
from .rules import Rule, load_rules
from .wording import rule_text

_ID = re.compile(r"[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)+")
_RULESET_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_MOST_RULES = 3
# What is to be written instead; `check` refuses a scenario that still has one of these.
TEMPLATE_TOPIC = "What these scenarios are about"
TEMPLATE_TITLE = "One sentence that says what happens"
TEMPLATE_WHY = (
    "Say how the expected answer follows from the rule, for an author whose engine fails here."
)


def scaffold_scenario(
    scenario_id: str,
    rules: Sequence[str],
    contract: str | None,
    declarer: str,
    number: int | None,
    ruleset: str = HOME_RULESET,
) -> str:
    """Return a scenario file with one scenario; SpecError for ids that cannot be used.

    `ruleset` is a shipped one; where it lays cards aside, the deal has a talon and no number.
    """
    known = load_rules()
    if not _ID.fullmatch(scenario_id):
        raise SpecError(
            f"{scenario_id[:60]!r} is no scenario id",
            hint="an id is the chapter and kebab words, as in claims.false.too-early",
        )
    chapters = {rule.chapter for rule in known.values()}
    if scenario_id.split(".", maxsplit=1)[0] not in chapters:
        raise SpecError("an id begins with a chapter", hint=", ".join(sorted(chapters)))
    if scenario_id in {item.id for item in load_corpus_with_errors()[0].scenarios}:
        raise SpecError(f"the id {scenario_id} is taken", hint="ids are never used again")
    if len(rules) > _MOST_RULES:
        raise SpecError("a scenario witnesses three rules at most", field="--rule")
    for place, rule in enumerate(rules):
        if rule in rules[:place]:
            raise SpecError(f"{rule[:60]} is given twice", field="--rule", hint="leave one out")
        if rule not in known:
            raise SpecError(f"there is no rule {rule[:60]!r}", hint=did_you_mean(rule, known))
    if ruleset not in shipped_rulesets():
        known_rulesets = did_you_mean(ruleset, shipped_rulesets()) or ", ".join(shipped_rulesets())
        raise SpecError(f"the suite has no ruleset {ruleset[:40]!r}", hint=known_rulesets)
    table = rules_of(ruleset)
    if contract is not None and contract not in table.by_name:
        hint = did_you_mean(contract, table.by_name)
        raise SpecError(f"{ruleset} plays no {contract[:40]!r}", hint=hint)
    if declarer not in seat_letters(table.seats):
        raise SpecError(f"nobody sits at {declarer}", field="--by")
    about, dealt = _dealt(table, number)
    deal = ", ".join(f"{owner}: {cards}" for owner, cards in dealt.items())
    trump = dealt["N"][1]
    under = "" if ruleset == HOME_RULESET else f"    under: {{ruleset: {ruleset}}}\n"
    texts = "\n".join(f"# {rule}: {_said(known[rule], ruleset)}" for rule in rules)
    if contract is None:
        start, first = "", f"      - N trump {trump}\n      - N bid normal\n"
    else:
        start = f"    contract: {{name: {contract}, by: {declarer}, trump: {trump}}}\n"
        begun = table.by_name[contract]
        leader = declarer if begun.lead == "declarer" else "N"
        offered = "talon" in dealt and begun.talon == "offered"
        first = f"      - {declarer} keep\n" if offered else ""
        opening = "show" if begun.goal == "shown" else f"play {dealt[leader][:2]}"
        first += f"      - {declarer if begun.goal == 'shown' else leader} {opening}\n"
    return f"""\
# yaml-language-server: $schema=../../../schemas/scenario-file.schema.json
{texts}
topic: {TEMPLATE_TOPIC}
deals:
  # {about}; arrange each hand in the order received, forehand's first three first.
  d1: {{dealer: {seat_letters(table.seats)[-1]}, {deal}}}
scenarios:
  - id: {scenario_id}
    title: {TEMPLATE_TITLE}
    why:
      en: {TEMPLATE_WHY}
    rules: [{", ".join(rules)}]
{under}    deal: d1
{start}    steps:
{first}      # Work every expected value out from the rules by hand before the engine confirms it.
      - expect: {{phase: play}}
"""


def _dealt(table: Rules, number: int | None) -> tuple[str, dict[str, str]]:
    """Return what to call a deal, and its cards by owner; a random one without a number."""
    chance = random.SystemRandom()
    letters = seat_letters(table.seats)
    if table.options.talon_cards:
        if number is not None:
            raise SpecError("only deals of four hands have numbers", field="--deal")
        pack = chance.sample(CARDS, len(CARDS))
        size = table.hand_size
        dealt = {seat: pack[size * at : size * at + size] for at, seat in enumerate(letters)}
        dealt["talon"] = pack[size * len(letters) :]
        return "A random deal", {owner: " ".join(cards) for owner, cards in dealt.items()}
    number = chance.randrange(DEALS) if number is None else number
    try:
        hands = deal_of_number(number)
    except ValueError as error:
        raise SpecError(str(error), field="--deal") from None
    return f"Deal number {number}", {
        seat: " ".join(format_card(card) for card in hand)
        for seat, hand in zip(letters, hands, strict=True)
    }


def _said(rule: Rule, ruleset: str) -> str:
    """Return what a rule says under a ruleset, on one line."""
    text = " ".join(rule_text(rule, load_ruleset(ruleset)).split())
    return text or f"says nothing under {ruleset}; see bauernschnapsen explain {rule.id}"


def scaffold_ruleset(name: str, extends: str, folder: Path | None = None) -> str:
    """Return a ruleset file that extends another and changes nothing yet.

    `folder` is where the file will be: a ruleset of one's own that it extends must be there, too.
    SpecError for a name that no ruleset of one's own may have, and if there is no such parent.
    """
    if not _RULESET_NAME.fullmatch(name):
        raise SpecError(f"{name[:60]!r} is no ruleset name", hint="small letters, digits and -")
    if is_shipped(name):
        hint = f"such as: bauernschnapsen new ruleset my-{name} --extends {name}"
        raise SpecError(f"{name} is a ruleset of the suite; yours needs another name", hint=hint)
    parent = load_ruleset(extends)
    lines = _possible_changes(parent)
    changes = "\n".join(f"# {line}" for line in lines)
    word = lines[-1].strip().split(":")[0]
    return f"""\
ruleset: {name}
extends: {_name_to_extend(name, extends, folder)}
title:
  en: House rules of our table
# Say only what differs, such as this; what a word means: bauernschnapsen explain {word}
{changes}
"""


def _name_to_extend(name: str, extends: str, folder: Path | None) -> str:
    """Return what stands after `extends`: a name, which is that of a file beside if not shipped."""
    if is_shipped(extends):
        return extends
    file = Path(extends)
    if file.suffix != ".yaml" or not _RULESET_NAME.fullmatch(file.stem) or is_shipped(file.stem):
        hint = "call the file as a ruleset is called, such as our-club.yaml"
        raise SpecError("no ruleset can extend a file of this name", extends, hint=hint)
    if file.stem == name:
        raise SpecError("a ruleset cannot extend itself", extends, hint="give it another name")
    if folder is not None and folder.resolve() != file.parent.resolve():
        hint = f"write it there: --file {file.with_name(f'{name}.yaml')}"
        raise SpecError("a ruleset extends files in its own folder", extends, hint=hint)
    return file.stem


def _possible_changes(parent: Resolved) -> list[str]:
    """Return lines that change something a table may well have agreed on otherwise."""
    lines = ["contracts:"]
    for name in ("bettler", "zehner-gang"):
        fields = parent["contracts"].get(name)
        if fields is None:
            continue
        if not fields["played"]:
            lines.append(f"  {name}: {{played: true}}")
        elif name == "zehner-gang":
            lines.append(f"  {name}: {{played: false}}")
        else:
            other = {"plays": "out", "out": "plays"}[fields["partner"]]
            partner = f", partner: {other}" if parent["options"]["sides"] == "partners" else ""
            lines.append(f"  {name}: {{value: {fields['value'] + 1}{partner}}}")
    options = parent["options"]
    lines = lines if len(lines) > 1 else []
    if options["talon_cards"]:
        other = {"allowed": "refused", "refused": "allowed"}[options["talon_raise"]]
        return [*lines, "options:", f"  talon_raise: {other}"]
    other = {"leader": "side", "side": "leader"}[options["claim_by"]]
    return [*lines, "options:", f"  claim_by: {other}"]
