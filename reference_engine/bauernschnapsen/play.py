"""Chapter "Play": following suit, beating, ruffing, and who wins the trick.

Legality is a list of duties: those of the suit led bind a hand that can meet one of them, else
those of trumps do; a hand that can meet none may discard anything (play.discard).
Rule ids: play.when, play.sitting-out, play.turn, play.own-cards, play.follow, play.beat,
play.ruff, play.over-ruff, play.under-ruff, play.discard, play.follow-ruffed, play.cannot-beat,
play.head-after-ruff, play.trump-wins, play.suit-wins, play.trick-points, play.winner-leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from .cards import PACK_SIZE, POINTS, SUIT_MASKS, SUIT_OF, higher_cards
from .errors import Refusal
from .position import PLAY, Position, Trick
from .ruleset import Contract

_ANYTHING = (1 << PACK_SIZE) - 1


class Duty(NamedTuple):
    """Whoever holds a card of `if_held` must play a card of `then_play` (card masks)."""

    if_held: int
    then_play: int
    rule: str


class Duties(NamedTuple):
    """What a trick asks of the next player: duties of the suit led, else duties of trumps.

    The last duty of either is the most basic one: a hand that cannot meet it is bound by none.
    """

    suit: tuple[Duty, ...]
    trumps: tuple[Duty, ...]


@lru_cache(maxsize=4096)
def duties(contract: Contract, trump: int | None, led: int, winning: int) -> Duties:
    """Return the duties towards a trick, given the card led and the card that wins so far.

    `trump` is the suit in force in `contract`, or None.
    """
    ruffed = SUIT_OF[winning] != SUIT_OF[led]
    # Where nobody has to ruff, whoever does beats the trump in the trick if he can.
    if_ruffing: tuple[Duty, ...] = ()
    if ruffed and trump is not None and contract.overtrump == "forced":
        over = higher_cards(contract.ranks)[winning]
        if_ruffing = (Duty(over, ~SUIT_MASKS[trump] | over, "play.over-ruff"),)
    suit = _duties_of_suit(contract, led, winning, if_ruffing)
    if trump is None or SUIT_OF[led] == trump:
        return Duties(suit, ())
    if contract.ruff == "free":
        return Duties(suit, if_ruffing)
    return Duties(suit, _duties_of_trumps(contract, trump, winning, ruffed=ruffed))


def _duties_of_suit(
    contract: Contract, led: int, winning: int, if_ruffing: tuple[Duty, ...]
) -> tuple[Duty, ...]:
    """Return what binds a hand that holds the suit led."""
    higher = higher_cards(contract.ranks)
    led_suit = SUIT_MASKS[SUIT_OF[led]]
    duties = []
    if contract.head == "forced":
        if SUIT_OF[winning] == SUIT_OF[led]:
            # play.beat: also when the partner is winning.
            target = led if contract.head_target == "led_card" else winning
            duties.append(_beat(higher[target], led_suit, contract, "play.beat"))
        elif contract.head_after_ruff == "forced":
            duties.append(_beat(higher[led], led_suit, contract, "play.head-after-ruff"))
    if contract.follow == "forced":
        # play.follow, play.follow-ruffed: being unable to win releases nobody.
        return (*duties, Duty(led_suit, led_suit, "play.follow"))
    return (*duties, *if_ruffing, Duty(led_suit, _ANYTHING, "play.follow"))


def _duties_of_trumps(
    contract: Contract, trump: int, winning: int, *, ruffed: bool
) -> tuple[Duty, ...]:
    """Return what binds a hand that is void in the suit led and has to ruff."""
    all_trumps = SUIT_MASKS[trump]
    if not ruffed:
        return (Duty(all_trumps, all_trumps, "play.ruff"),)
    over = higher_cards(contract.ranks)[winning]
    # play.under-ruff: a trump is due although it cannot win.
    due = all_trumps if contract.undertrump == "forced" else over
    ruff = Duty(due, all_trumps, "play.ruff")
    if contract.overtrump == "forced":
        return (Duty(over, over, "play.over-ruff"), ruff)
    return (ruff,)


def _beat(better: int, led_suit: int, contract: Contract, rule: str) -> Duty:
    """Where following is free, only whoever does follow has to beat."""
    allowed = better if contract.follow == "forced" else better | ~led_suit
    return Duty(better, allowed, rule)


def trick_duties(
    contract: Contract, trump: int | None, cards: Sequence[int], winning: int
) -> Duties:
    """Return the duties towards the cards of a trick, of which `winning` is the best."""
    led = cards[0]
    if SUIT_OF[winning] != SUIT_OF[led] and contract.head_after_ruff == "forced":
        # Once ruffed, the card to beat is the highest of the suit led.
        for card in cards:
            if SUIT_OF[card] == SUIT_OF[led] and higher_cards(contract.ranks)[led] >> card & 1:
                led = card
    return duties(contract, trump, led, winning)


def allowed_cards(hand: int, asked: Duties) -> int:
    """Return the mask of the cards of a hand that meet the duties of a trick."""
    for group in asked:
        if group and hand & group[-1].if_held:
            allowed = hand
            for duty in group:
                if hand & duty.if_held:
                    allowed &= duty.then_play
            return allowed
    return hand  # play.discard


def broken_duty(hand: int, card: int, asked: Duties) -> str:
    """Return the id of the rule that a refused card breaks; the more basic duty comes first."""
    for group in asked:
        if group and hand & group[-1].if_held:
            binding = [duty for duty in group if hand & duty.if_held]
            return [duty.rule for duty in binding if not duty.then_play >> card & 1][-1]
    raise AssertionError("a card that breaks no duty was refused")


def beats(card: int, winning: int, contract: Contract, trump: int | None) -> bool:
    """Whether a card takes the trick from the card that wins so far (play.winner)."""
    if SUIT_OF[card] == SUIT_OF[winning]:
        return bool(higher_cards(contract.ranks)[winning] >> card & 1)
    return SUIT_OF[card] == trump


def legal_cards(position: Position) -> int:
    """Return the mask of the cards the seat to act may play."""
    assert position.turn is not None
    assert position.contract is not None
    hand = position.hands[position.turn]
    if position.winning is None:
        return hand
    return allowed_cards(hand, _asked(position, position.winning[1]))


def check_card(position: Position, seat: int, card: int) -> None:
    """Raise Refusal unless the seat may put this card on the table now."""
    if position.phase != PLAY:
        raise Refusal("play.when", "cards are played only after the auction")
    if seat == position.out:
        raise Refusal("play.sitting-out", "the declarer's partner takes no part in this contract")
    if seat != position.turn:
        raise Refusal("play.turn", "another seat is to play")
    hand = position.hands[seat]
    if not hand >> card & 1:
        raise Refusal("play.own-cards", "the card is not in this seat's hand")
    winning = position.winning
    if winning is not None:
        asked = _asked(position, winning[1])
        if not allowed_cards(hand, asked) >> card & 1:
            raise Refusal(broken_duty(hand, card, asked), "the trick asks for another card")


def _asked(position: Position, winning: int) -> Duties:
    contract, trick = position.contract, position.trick
    assert contract is not None
    if contract.head_after_ruff == "forced":
        cards = [card for _, card in trick]
        return trick_duties(contract, position.trump_in_force, cards, winning)
    return duties(contract, position.trump_in_force, trick[0][1], winning)


def put_card(position: Position, seat: int, card: int) -> Trick | None:
    """Put a checked card on the table; return the trick if this completes it."""
    position.hands[seat] ^= 1 << card
    position.shown[seat] &= ~(1 << card)
    position.trick += ((seat, card),)
    position.may_claim = None
    contract = position.contract
    assert contract is not None
    winning = position.winning
    if winning is None or beats(card, winning[1], contract, position.trump_in_force):
        position.winning = winning = (seat, card)
    players = position.rules.seats - (position.out >= 0)
    if len(position.trick) < players:
        position.turn = position.after(seat)
        return None
    return _complete_trick(position, winning[0])


def _complete_trick(position: Position, winner: int) -> Trick:
    trick = Trick(position.trick, winner, sum(POINTS[card] for _, card in position.trick))
    side = position.side(winner)
    position.points[side] += trick.points
    position.tricks[side] += 1
    position.tricks_by_seat[winner] += 1
    position.tricks_done += 1
    position.last_trick = trick
    position.trick = ()
    position.winning = None
    position.turn = winner  # play.winner-leads
    return trick
