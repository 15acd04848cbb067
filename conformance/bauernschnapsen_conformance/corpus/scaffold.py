"""Templates for authors: what a new scenario or ruleset file begins as."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from bauernschnapsen.errors import SpecError, did_you_mean
from bauernschnapsen.notation import DEALS, SEATS, deal_of_number, format_card
from bauernschnapsen.ruleset import load_ruleset, rules_of

from .corpus import load_corpus_with_errors
from .rules import load_rules

_ID = re.compile(r"[a-z]+(\.[a-z0-9]+(-[a-z0-9]+)*)+")
_MOST_RULES = 3


def scaffold_scenario(
    scenario_id: str,
    rules: Sequence[str],
    contract: str | None,
    declarer: str,
    number: int | None,
) -> str:
    """Return a scenario file with one scenario; SpecError for ids that cannot be used."""
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
        raise SpecError("a scenario witnesses three rules at most")
    for rule in rules:
        if rule not in known:
            raise SpecError(f"there is no rule {rule[:60]!r}", hint=did_you_mean(rule, known))
    if contract is not None and contract not in rules_of("pagat").by_name:
        played = rules_of("pagat").by_name
        raise SpecError(f"pagat plays no {contract[:40]!r}", hint=did_you_mean(contract, played))
    if number is None:
        number = random.SystemRandom().randrange(DEALS)
    try:
        hands = deal_of_number(number)
    except ValueError as error:
        raise SpecError(str(error), field="--deal") from None
    deal = ", ".join(
        f"{seat}: {' '.join(format_card(card) for card in hand)}"
        for seat, hand in zip(SEATS, hands, strict=True)
    )
    trump = format_card(hands[0][0])[1]
    texts = "\n".join(f"# {rule}: {known[rule].text.get('en', '')}" for rule in rules)
    if contract is None:
        start, first = "", f"      - N trump {trump}\n      - N bid normal\n"
    else:
        start = f"    contract: {{name: {contract}, by: {declarer}, trump: {trump}}}\n"
        first = f"      - N play {format_card(hands[0][0])}\n"
    return f"""\
# yaml-language-server: $schema=../../../schemas/scenario-file.schema.json
{texts}
topic: What these scenarios are about
deals:
  # Deal number {number}; arrange each hand in the order received, forehand's first three first.
  d1: {{dealer: W, {deal}}}
scenarios:
  - id: {scenario_id}
    title: One sentence that says what happens
    why:
      en: Say how the expected answer follows from the rule, for an author whose engine fails here.
    rules: [{", ".join(rules)}]
    deal: d1
{start}    steps:
{first}      # Work every expected value out from the rules by hand before the engine confirms it.
      - expect: {{phase: play}}
"""


def scaffold_ruleset(name: str, extends: str) -> str:
    """Return a ruleset file that extends another and changes nothing yet."""
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name):
        raise SpecError(f"{name[:60]!r} is no ruleset name", hint="small letters, digits and -")
    load_ruleset(extends)
    return f"""\
ruleset: {name}
extends: {extends}
title:
  en: House rules of our table
# Say only what differs. Every field and value is explained by the ruleset schema.
# contracts:
#   bettler: {{value: 5, partner: plays}}
#   zehner-gang: {{played: false}}
# options:
#   claim_by: side
"""
