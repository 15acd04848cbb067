"""Faulty engines of the chapter "Play": the four duties, and following suit."""

from __future__ import annotations

from typing import Any

from bauernschnapsen.cards import SUIT_MASKS, SUIT_OF, higher_cards
from bauernschnapsen.play import Duties
from bauernschnapsen.position import Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import (
    declarer_on_turn,
    drop_duty,
    hand_number,
    on_allowed,
    on_declarers_side,
    on_duties,
    over,
    partner_wins,
    ruffed,
    suit_held,
    trumps,
    without,
)

# --------------------------------------------------------------------------- the four duties

_WHEN: tuple[tuple[str, str, hooks.When], ...] = (
    ("nobody", "nobody", lambda p: True),
    ("second-hand", "the second player", lambda p: hand_number(p) == 2),
    ("third-hand", "the third player", lambda p: hand_number(p) == 3),
    ("fourth-hand", "the fourth player", lambda p: hand_number(p) == 4),
    ("partner-wins", "a player whose partner wins the trick", partner_wins),
    ("opponent-wins", "a player whose opponent wins the trick", lambda p: not partner_wins(p)),
    ("declarer", "the declarer", declarer_on_turn),
    ("opponents", "the declarer's opponents", lambda p: not on_declarers_side(p)),
    ("declarers-partner", "the declarer's partner",
     lambda p: on_declarers_side(p) and not declarer_on_turn(p)),
    ("after-first-trick", "any player after the first trick", lambda p: p.tricks_done > 0),
    ("last-tricks", "any player from the third trick on", lambda p: p.tricks_done >= 2),
)  # fmt: skip
_DUTY = {
    "play.follow": "follow suit",
    "play.beat": "beat the trick when following suit",
    "play.ruff": "ruff when void",
    "play.over-ruff": "over-ruff when ruffing",
}


def _duty(rule: str, slug: str, who: str, when: hooks.When) -> None:
    none = who == "nobody"
    sentence = f"Nobody has to {_DUTY[rule]}." if none else f"It is not for {who} to {_DUTY[rule]}."

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        drop_duty(patch, rule, when)


for _rule in _DUTY:
    for _slug, _who, _when in _WHEN:
        if (_rule, _slug) != ("play.over-ruff", "second-hand"):  # nobody has ruffed before
            _duty(_rule, _slug, _who, _when)


# --------------------------------------------------------------------------- following suit


@mutant("play.follow", "trump-instead", "Whoever holds the suit led may play a trump instead.")
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        return mask | (trumps(position) if position.trick else 0)

    on_allowed(patch, change)


@mutant("play.follow", "only-when-trump-led", "The suit has to be followed only if it is trump.")
def _(patch: Patch) -> None:
    drop_duty(patch, "play.follow", lambda p: SUIT_OF[p.trick[0][1]] != p.trump_in_force)


@mutant("play.follow", "not-when-trump-led", "A lead of trumps need not be followed.")
def _(patch: Patch) -> None:
    drop_duty(patch, "play.follow", lambda p: SUIT_OF[p.trick[0][1]] == p.trump_in_force)


@mutant("play.follow", "last-card-suit", "The suit of the card played last has to be followed.")
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        if len(position.trick) < 2:
            return mask
        last = SUIT_MASKS[SUIT_OF[position.trick[-1][1]]]
        return position.hands[position.turn or 0] & last or mask

    on_allowed(patch, change)


def _beat(slug: str, sentence: str, choose: Any) -> None:
    """Change what whoever follows suit, and can beat, may play: cards that beat, of the suit."""

    @mutant("play.beat", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, mask: int) -> int:
            winning = position.winning
            if winning is None or position.contract is None:
                return mask
            led = SUIT_MASKS[SUIT_OF[position.trick[0][1]]]
            suit = position.hands[position.turn or 0] & led
            higher = suit & higher_cards(position.contract.ranks)[winning[1]]
            return choose(position, higher, suit) if higher else mask

        on_allowed(patch, change)


_beat("highest", "Whoever beats has to play his highest card.",
      lambda p, higher, suit: hooks.highest(higher))  # fmt: skip
_beat("cheapest", "Whoever beats has to play the lowest card that does.",
      lambda p, higher, suit: hooks.lowest(higher))  # fmt: skip
_beat("trumps-only", "Only a lead of trumps has to be beaten.",
      lambda p, higher, suit: higher if suit & trumps(p) else suit)  # fmt: skip
_beat("plain-only", "A lead of trumps need not be beaten.",
      lambda p, higher, suit: suit if suit & trumps(p) else higher)  # fmt: skip
_beat("not-with-ace", "Nobody has to spend an ace to beat.",
      lambda p, higher, suit: suit if higher == hooks.cards("AH", "AD", "AS", "AC") & suit
      else higher)  # fmt: skip
_beat("partner-leads", "A card the partner has led need not be beaten.",
      lambda p, higher, suit: suit if hooks.partners(p, p.trick[0][0], p.turn)
      else higher)  # fmt: skip
_beat("first-trick", "In the first trick nobody has to beat.",
      lambda p, higher, suit: higher if p.tricks_done else suit)  # fmt: skip


rules_mutant(
    "play.beat",
    "led-card",
    "Only the card led has to be beaten, however high the trick already stands.",
    every_contract={"head_target": "led_card"},
)


@mutant("play.beat", "last-card", "The card played last has to be beaten, not the best one.")
def _(patch: Patch) -> None:
    def change(position: Position, asked: Duties) -> Duties:
        contract, (led, last) = position.contract, (position.trick[0][1], position.trick[-1][1])
        if contract is None or SUIT_OF[last] != SUIT_OF[led]:
            return asked
        over = hooks.duty(higher_cards(contract.ranks)[last], "play.beat")
        return asked._replace(suit=(over, *without(asked, "play.beat").suit))

    on_duties(patch, change)


@mutant("play.beat", "enemy-cards-only", "Only the best card of the opponents has to be beaten.")
def _(patch: Patch) -> None:
    def change(position: Position, asked: Duties) -> Duties:
        contract, led = position.contract, position.trick[0][1]
        if contract is None or not any(duty.rule == "play.beat" for duty in asked.suit):
            return asked
        higher = higher_cards(contract.ranks)
        enemy = [
            card
            for seat, card in position.trick
            if not hooks.partners(position, seat, position.turn) and SUIT_OF[card] == SUIT_OF[led]
        ]
        rest = without(asked, "play.beat").suit
        if not enemy:
            return asked._replace(suit=rest)
        best = min(enemy, key=lambda card: higher[card].bit_count())
        return asked._replace(suit=(hooks.duty(higher[best], "play.beat"), *rest))

    on_duties(patch, change)


def must(rule: str, slug: str, sentence: str, situation: Any, choose: Any) -> None:
    """Narrow or widen the cards that may be played in a situation (position, hand)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, mask: int) -> int:
            if position.winning is None or position.turn is None or not mask:
                return mask
            hand = position.hands[position.turn]
            if not situation(position, hand):
                return mask
            return choose(position, mask, hand) or mask

        on_allowed(patch, change)


def _cannot_beat(position: Position, hand: int) -> bool:
    held = bool(suit_held(position, hand))
    return held and not ruffed(position) and not over(position, hand)


must("play.cannot-beat", "lowest", "Whoever cannot beat has to play his lowest card of the suit.",
      _cannot_beat, lambda p, mask, hand: hooks.lowest(mask))  # fmt: skip
must("play.cannot-beat", "highest", "Whoever cannot beat has to play his highest of the suit.",
      _cannot_beat, lambda p, mask, hand: hooks.highest(mask))  # fmt: skip
must("play.cannot-beat", "ruff", "Whoever follows suit but cannot beat has to ruff if he can.",
      _cannot_beat, lambda p, mask, hand: hand & trumps(p))  # fmt: skip
must("play.cannot-beat", "may-ruff", "Whoever follows suit but cannot beat may ruff.",
      _cannot_beat, lambda p, mask, hand: mask | hand & trumps(p))  # fmt: skip
must("play.cannot-beat", "free", "Whoever cannot beat may play any card.",
      _cannot_beat, lambda p, mask, hand: hand)  # fmt: skip
must("play.cannot-beat", "most-points", "Whoever cannot beat has to add points if his side wins.",
      lambda p, hand: _cannot_beat(p, hand) and partner_wins(p),
      lambda p, mask, hand: hooks.highest(mask))  # fmt: skip
must("play.cannot-beat", "keeps-tens", "Whoever cannot beat may keep back tens and aces only.",
      _cannot_beat, lambda p, mask, hand: mask & ~hooks.cards("TH", "TD", "TS", "TC")
      )  # fmt: skip
