"""Draw a scenario as text: the deal as a table, then what happened step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bauernschnapsen.ruleset import Rules
from bauernschnapsen.sheet import written

from ..corpus.reference import Prepared
from ..corpus.scenario import PositionCase

Json = dict[str, Any]
SUIT_SIGNS = {"H": "♥", "D": "♦", "S": "♠", "C": "♣"}


def card_sign(card: str) -> str:
    """Print a card for people: 10♥ rather than TH."""
    return ("10" if card[0] == "T" else card[0]) + SUIT_SIGNS.get(card[1:], card[1:])


def action_sign(action: str) -> str:
    """Print an action for people, with card signs."""
    verb, _, argument = action.partition(" ")
    if verb in ("play", "marry", "discard"):
        return f"{verb} {' '.join(card_sign(card) for card in argument.split())}"
    if verb == "trump":
        return f"trump {SUIT_SIGNS.get(argument, argument)}"
    return action


def draw_deal(
    deal: Mapping[str, Any], number: int | None = None, rules: Rules | None = None
) -> list[str]:
    """Return the lines of a deal: seats, hands in the order received, start and score.

    With `rules` the score is what stands on the sheet of that table, where it may count down.
    """
    dealer = deal.get("dealer")
    seats = list(deal["hands"])
    lines = [] if number is None else [f"deal {number}"]
    forehand = None
    if dealer is not None:
        forehand = seats[(seats.index(dealer) + 1) % len(seats)]
    for seat, cards in deal["hands"].items():
        role = {dealer: "dealer", forehand: "forehand"}.get(seat, "") if dealer else ""
        hand = " ".join(f"{card_sign(card):>3}" for card in cards)
        lines.append(f"  {seat}  {hand}   {role}".rstrip())
    if deal.get("talon"):
        lines.append(f"     {' '.join(f'{card_sign(card):>3}' for card in deal['talon'])}   talon")
    facts = []
    if deal.get("contract"):
        start = deal["contract"]
        named = SUIT_SIGNS.get(start["trump"], "no suit")
        facts.append(f"{start['name']} by {start['declarer']}, {named} was named")
    scores = deal.get("scores")
    if scores and any(scores.values()):
        sheet = {side: written(rules, have) if rules else have for side, have in scores.items()}
        down = rules is not None and rules.options.score_direction == "down"
        said = ", ".join(f"{side} {have}" for side, have in sheet.items())
        facts.append(f"score {said}{', counting down' if down else ''}")
    if dealer is None:
        facts.append("dealer and score follow from the deal before")
    if facts:
        lines.append("  " + "; ".join(facts))
    return lines


def draw_steps(prepared: Prepared, deal: int, until: int | None = None) -> list[str]:
    """Return the actions of a deal with what the reference says to each, numbered from 1."""
    lines = []
    actions = prepared.deals[deal]["actions"]
    for number, (seat, action) in enumerate(actions, start=1):
        if until is not None and number > until:
            break
        view = prepared.expected[deal][number]
        remark = ""
        if view.get("refused"):
            remark = f"refused: {view['refused']}"
        elif view["outcome"] is not None and prepared.expected[deal][number - 1]["outcome"] is None:
            awards = ", ".join(
                f"{side} {points}" for side, points in view["outcome"]["awards"].items()
            )
            remark = f"ends the deal: {view['outcome']['reason']}, {awards}"
        elif view["last_trick"] != prepared.expected[deal][number - 1]["last_trick"]:
            trick = view["last_trick"]
            remark = f"{trick['winner']} wins the trick, {trick['points']} card points"
        lines.append(f"  {number:>3}  {seat} {action_sign(action):<20} {remark}".rstrip())
    return lines


def draw_position(case: PositionCase) -> list[str]:
    """Return the lines of a trick situation."""
    trick = "  ".join(f"{seat} {card_sign(card)}" for seat, card in case.trick)
    lines = [
        f"  {case.contract} by {case.declarer}, {SUIT_SIGNS[case.trump]} was named",
        f"  trick: {trick}",
    ]
    if case.seat is not None:
        hand = " ".join(card_sign(card) for card in case.hand)
        legal = " ".join(card_sign(card) for card in case.legal)
        lines.append(f"  {case.seat} holds {hand}; legal: {legal}")
    else:
        lines.append(f"  won by {case.winner}")
    return lines
