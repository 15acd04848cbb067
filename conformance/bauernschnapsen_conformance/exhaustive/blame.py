"""Which rule a wrong answer to a query breaks.

A wrong answer of millions is told by its cause, so that one mistake is one line of the report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.cards import SUIT_OF
from bauernschnapsen.errors import printable
from bauernschnapsen.notation import mask_of, parse_card, parse_suit
from bauernschnapsen.play import Duties, beats, broken_duty, trick_duties
from bauernschnapsen.ruleset import Contract, Rules

Json = dict[str, Any]
TOO_MANY = "offers a card that may not be played"
TOO_FEW = "leaves out a card that may be played"
WRONG_SEAT = "names another seat"


@dataclass(frozen=True, slots=True)
class Cause:
    """A rule and in which way it is broken."""

    rule: str
    what: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer: the case of a query, or a deal; what is right, and what was answered."""

    op: str
    case: Mapping[str, Any]
    expected: Any
    got: Any

    @property
    def size(self) -> int:
        """How much there is to look at: cards of a query, actions of a deal."""
        if "actions" in self.case:
            return len(self.case["actions"])
        return len(self.case["trick"]) + len(self.case.get("hand", ()))

    @property
    def request(self) -> Json:
        """What to ask again, without the operation."""
        return {"deals" if "actions" in self.case else "cases": [dict(self.case)]}

    def __str__(self) -> str:
        """The case in the notation of positions, with both answers."""
        case = self.case
        if "actions" in case:
            hands = " / ".join(f"{seat} {' '.join(hand)}" for seat, hand in case["hands"].items())
            said = ", ".join(f"{seat} {action}" for seat, action in case["actions"])
            return f"{hands}; {said}: expected {self.expected}, answered {_shown(self.got)}"
        trick = " ".join(f"{seat} {card}" for seat, card in case["trick"]) or "nothing on the table"
        start = f"{case['contract']} by {case['declarer']}, trump {case['trump']}: {trick}"
        if self.op == "trick_winner":
            return f"{start}; it is won by {self.expected}, answered {_shown(self.got)}"
        hand = " ".join(case["hand"])
        legal = " ".join(self.expected)
        return f"{start}; {case['seat']} holds {hand}: legal {legal}, answered {_shown(self.got)}"


def _shown(answer: Any) -> str:
    if isinstance(answer, list):
        return printable(" ".join(str(one)[:8] for one in answer[:8])) or "no card"
    return printable(str(answer)[:120])


def cause_of(wrong: Wrong, rules: Rules) -> Cause:
    """Return which rule a wrong answer breaks; of several the most basic one."""
    contract = rules.by_name[wrong.case["contract"]]
    trump = parse_suit(wrong.case["trump"]) if contract.trump == "named" else None
    cards = [parse_card(card) for _, card in wrong.case["trick"]]
    if wrong.op == "trick_winner":
        ruffed = any(SUIT_OF[card] == trump for card in cards)
        return Cause("play.trump-wins" if ruffed else "play.suit-wins", WRONG_SEAT)
    hand = mask_of([parse_card(card) for card in wrong.case["hand"]])
    extra = sorted(set(wrong.got) - set(wrong.expected))
    if any(card not in wrong.case["hand"] for card in extra):
        return Cause("play.own-cards", TOO_MANY)
    if not cards:
        return Cause("play.lead-free", TOO_FEW)
    best = _best(cards, contract, trump)
    asked = trick_duties(contract, trump, cards, best)
    if extra:
        broken = [broken_duty(hand, parse_card(card), asked) for card in extra]
        return Cause(min(broken, key=_place), TOO_MANY)
    return Cause(_right_denied(hand, asked, led=cards[0], best=best), TOO_FEW)


_BASIC = ("play.follow", "play.ruff", "play.beat", "play.head-after-ruff", "play.over-ruff")


def _place(rule: str) -> int:
    return _BASIC.index(rule) if rule in _BASIC else len(_BASIC)


def _best(cards: Sequence[int], contract: Contract, trump: int | None) -> int:
    best = cards[0]
    for card in cards[1:]:
        if beats(card, best, contract, trump):
            best = card
    return best


def _right_denied(hand: int, asked: Duties, *, led: int, best: int) -> str:
    """Return the rule by which the cards are free that an engine leaves out."""
    ruffed = SUIT_OF[best] != SUIT_OF[led]
    if asked.suit and hand & asked.suit[-1].if_held:
        bound = [duty for duty in asked.suit if hand & duty.if_held]
        if ruffed:
            return "play.follow-ruffed"
        return "play.beat" if bound[0].rule == "play.beat" else "play.cannot-beat"
    if asked.trumps and hand & asked.trumps[-1].if_held:
        bound = [duty for duty in asked.trumps if hand & duty.if_held]
        if bound[0].rule == "play.over-ruff":
            return "play.over-ruff"
        return "play.under-ruff" if ruffed else "play.ruff"
    return "play.discard"
