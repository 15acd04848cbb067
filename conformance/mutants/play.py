"""Faulty engines of the chapter "Play": turns, who leads, and who sits out."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, table
from bauernschnapsen import play as rules_of_play
from bauernschnapsen.cards import SUIT_MASKS, SUIT_OF
from bauernschnapsen.notation import Action, cards_in
from bauernschnapsen.position import AUCTION, PLAY, SHOW, Position, Trick
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import (
    declarer_on_turn,
    on_allowed,
    trumps,
)

# --------------------------------------------------------------------------- who leads, whose turn


@mutant("play.when", "before-auction-ends", "Forehand may put a card down before the auction ends.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        held = isinstance(action.value, int) and position.hands[seat] >> action.value & 1
        if position.phase == AUCTION and seat == position.forehand and held:
            assert isinstance(action.value, int)
            position.trick += ((seat, action.value),)
            return True
        return False

    hooks.accept(patch, "play.when", do)


@mutant("play.when", "unplayed-contracts", "A contract that is to be shown may be played as well.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != SHOW or action.verb != "play" or seat != position.turn:
            return False
        assert isinstance(action.value, int)
        if not position.hands[seat] >> action.value & 1:
            return False
        rules_of_play.put_card(position, seat, action.value)
        return True

    def offer(position: Position) -> hooks.Legal:
        if position.phase != SHOW or position.turn is None:
            return {}
        hand = position.hands[position.turn]
        return {position.turn: [Action("play", card) for card in cards_in(hand)]}

    hooks.accept(patch, "play.when", do, offer)


@mutant("play.when", "with-a-bid-standing", "Whoever has made the last bid may lead at once.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != AUCTION or position.bid is None or action.verb != "play":
            return False
        position.contract, position.declarer = position.bid, position.bidder or 0
        position.bid = position.bidder = None
        position.phase = PLAY
        contracts.begin_play(position)
        if position.turn != seat:
            return False
        table._play(position, seat, action.value)  # type: ignore[arg-type]
        return True

    hooks.accept(patch, "play.when", do)


for _name in ("schnapser", "kontra-schnapser", "bauern-schnapser", "kontra-bauern-schnapser"):
    rules_mutant(
        "play.forehand-leads",
        f"declarer-leads-{_name}",
        f"In {_name} the declarer leads.",
        contracts={_name: {"lead": "declarer"}},
    )


@mutant("play.forehand-leads", "kontra-contracts-left-of-declarer", "Left of the declarer leads.")
def _(patch: Patch) -> None:
    def make(begin: Any) -> Any:
        def begin_play(position: Position) -> None:
            begin(position)
            if position.phase == PLAY and position.trump_in_force is not None:
                position.turn = position.after(position.declarer)

        return begin_play

    patch.wrap(contracts, "begin_play", make)


@mutant("play.forehand-leads", "dealer-leads", "With trumps the dealer leads to the first trick.")
def _(patch: Patch) -> None:
    def make(begin: Any) -> Any:
        def begin_play(position: Position) -> None:
            begin(position)
            if position.phase == PLAY and position.trump_in_force is not None:
                position.turn = position.dealer

        return begin_play

    patch.wrap(contracts, "begin_play", make)


@mutant("play.forehand-leads", "fixed-seat", "The seat that led the first deal leads every deal.")
def _(patch: Patch) -> None:
    first: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        if last is None:
            first[:] = [position.forehand]
        elif position.phase == PLAY and position.trump_in_force is not None:
            position.turn = first[0]

    def make(begin: Any) -> Any:
        def begin_play(position: Position) -> None:
            begin(position)
            if first and position.phase == PLAY and position.trump_in_force is not None:
                position.turn = first[0]

        return begin_play

    hooks.on_start(patch, start)
    patch.wrap(contracts, "begin_play", make)


for _name in ("bettler", "gang", "zehner-gang"):
    rules_mutant(
        "play.declarer-leads",
        f"forehand-leads-{_name}",
        f"In {_name} forehand leads, whoever is the declarer.",
        contracts={_name: {"lead": "forehand"}},
    )


@mutant("play.declarer-leads", "left-of-declarer", "Without trumps left of the declarer leads.")
def _(patch: Patch) -> None:
    def make(begin: Any) -> Any:
        def begin_play(position: Position) -> None:
            begin(position)
            if position.phase == PLAY and position.trump_in_force is None:
                position.turn = position.after(position.declarer)

        return begin_play

    patch.wrap(contracts, "begin_play", make)


@mutant("play.turn", "counter-clockwise", "Play goes counter-clockwise.")
def _(patch: Patch) -> None:
    def after(self: Position, seat: int) -> int:
        seats = self.rules.seats
        place = (seat - 1) % seats
        return place if place != self.out else (place - 1) % seats

    patch.attribute(Position, "after", after)


def _out_of_turn(patch: Patch, when: Any) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if not when(position, seat) or action.verb != "play" or position.phase != PLAY:
            return False
        if any(seat == other for other, _ in position.trick):
            return False
        turn, position.turn = position.turn, seat
        table._play(position, seat, action.value)  # type: ignore[arg-type]
        if position.trick:
            position.turn = turn
        return True

    hooks.accept(patch, "play.turn", do)


@mutant("play.turn", "anybody", "A seat may play although it is not its turn.")
def _(patch: Patch) -> None:
    _out_of_turn(patch, lambda position, seat: True)


@mutant("play.turn", "anybody-follows", "Once a card is led, the others play in any order.")
def _(patch: Patch) -> None:
    _out_of_turn(patch, lambda position, seat: bool(position.trick))


@mutant("play.turn", "anybody-leads", "Anybody may lead to a trick.")
def _(patch: Patch) -> None:
    _out_of_turn(patch, lambda position, seat: not position.trick)


@mutant("play.turn", "partner-leads", "The partner of the winner may lead in his place.")
def _(patch: Patch) -> None:
    _out_of_turn(
        patch,
        lambda position, seat: (
            not position.trick
            and position.tricks_done
            and hooks.partners(position, seat, position.turn)
        ),
    )


@mutant("play.turn", "opponents-first", "Both opponents of the leader play before his partner.")
def _(patch: Patch) -> None:
    put = rules_of_play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        trick: Trick | None = put(position, seat, card)
        if trick is None and position.out < 0:
            leader = position.trick[0][0]
            position.turn = (leader + (0, 1, 3, 2)[len(position.trick)]) % 4
        return trick

    patch.swap(rules_of_play, "put_card", put_card)


def _foreign_card(patch: Patch, when: Any) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        card = action.value
        if not isinstance(card, int) or action.verb != "play" or not when(position, seat, card):
            return False
        position.hands[seat] |= 1 << card
        table._play(position, seat, card)
        return True

    hooks.accept(patch, "play.own-cards", do)


@mutant("play.own-cards", "any-card", "A card need not be in the hand of the player.")
def _(patch: Patch) -> None:
    _foreign_card(patch, lambda position, seat, card: True)


@mutant("play.own-cards", "once-dealt", "A card may be played again after it has been played.")
def _(patch: Patch) -> None:
    _foreign_card(patch, lambda position, seat, card: card in position.dealt[seat])


@mutant("play.own-cards", "partners-card", "A card of the partner may be played.")
def _(patch: Patch) -> None:
    _foreign_card(
        patch,
        lambda position, seat, card: position.hands[hooks.partner_of(position, seat)] >> card & 1,
    )


@mutant("play.own-cards", "stays-in-hand", "A card that is played stays in the hand.")
def _(patch: Patch) -> None:
    put = rules_of_play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        trick: Trick | None = put(position, seat, card)
        position.hands[seat] |= 1 << card
        return trick

    patch.swap(rules_of_play, "put_card", put_card)


def _lead(slug: str, sentence: str, choose: Any) -> None:
    @mutant("play.lead-free", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, mask: int) -> int:
            if position.trick or not mask:
                return mask
            return choose(position, mask) or mask

        on_allowed(patch, change)


_lead("no-trump-first", "To the first trick no trump may be led.",
      lambda p, mask: mask & ~trumps(p) if not p.tricks_done else mask)  # fmt: skip
_lead("no-trump", "A trump is led only by who has nothing else.", lambda p, m: m & ~trumps(p))
_lead("trump", "Whoever holds a trump has to lead one.", lambda p, mask: mask & trumps(p))
_lead("highest", "Whoever leads has to lead the highest card of some suit.",
      lambda p, mask: sum(hooks.highest(mask & suit) for suit in SUIT_MASKS))  # fmt: skip
_lead("declarer-trump", "The declarer has to lead a trump.",
      lambda p, mask: mask & trumps(p) if declarer_on_turn(p) else mask)  # fmt: skip
_lead("same-suit", "The suit of the last trick must be led again.",
      lambda p, mask: mask & SUIT_MASKS[SUIT_OF[p.last_trick.cards[0][1]]]
      if p.last_trick else mask)  # fmt: skip

# --------------------------------------------------------------------------- sitting out

rules_mutant(
    "play.sitting-out",
    "partner-plays",
    "In a Bettler the declarer's partner plays along.",
    contracts={"bettler": {"partner": "plays"}},
)
for _name in ("gang", "zehner-gang"):
    rules_mutant(
        "play.sitting-out",
        f"out-in-{_name}",
        f"The declarer's partner sits out in {_name} as well.",
        contracts={_name: {"partner": "out"}},
    )


def _out(slug: str, sentence: str, choose: Any) -> None:
    @mutant("play.sitting-out", slug, sentence)
    def _(patch: Patch) -> None:
        def make(begin: Any) -> Any:
            def begin_play(position: Position) -> None:
                begin(position)
                if position.out >= 0:
                    position.out = choose(position)

            return begin_play

        patch.wrap(contracts, "begin_play", make)


_out("dealer-sits-out", "In a Bettler an opponent left of the declarer sits out.",
     lambda p: (p.declarer + 1) % 4)  # fmt: skip
_out("only-forehands-partner", "Only forehand's own partner sits out, nobody else's.",
     lambda p: p.out if p.declarer == p.forehand else -1)  # fmt: skip


@mutant("play.sitting-out", "may-join", "The partner who sits out may put a card into a trick.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        card = action.value
        if action.verb == "play" and isinstance(card, int) and position.hands[seat] >> card & 1:
            position.hands[seat] ^= 1 << card
            return True
        return False

    hooks.accept(patch, "play.sitting-out", do)


@mutant("play.sitting-out", "leaks", "Whoever sat out in one deal sits out in the next as well.")
def _(patch: Patch) -> None:
    last_out: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        last_out[:] = [last.out] if last is not None else [-1]
        if position.phase == PLAY and position.out < 0 and position.turn != last_out[0]:
            position.out = last_out[0]

    hooks.on_start(patch, start)


@mutant("play.three-card-tricks", "four-cards", "The trick waits for a fourth card.")
def _(patch: Patch) -> None:
    put = rules_of_play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        out, position.out = position.out, -1
        trick: Trick | None = put(position, seat, card)
        position.out = out
        if trick is None and position.turn == out:
            position.turn = position.after(out)
        return trick

    patch.swap(rules_of_play, "put_card", put_card)


@mutant("play.three-card-tricks", "turn-stops", "The turn comes to the partner who sits out.")
def _(patch: Patch) -> None:
    patch.attribute(Position, "after", lambda self, seat: (seat + 1) % self.rules.seats)


@mutant("play.three-card-tricks", "two-cards", "A trick is complete with two cards.")
def _(patch: Patch) -> None:
    put = rules_of_play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        trick: Trick | None = put(position, seat, card)
        if trick is None and position.out >= 0 and len(position.trick) == 2:
            assert position.winning is not None
            trick = rules_of_play._complete_trick(position, position.winning[0])
        return trick

    patch.swap(rules_of_play, "put_card", put_card)


@mutant(
    "play.three-card-tricks", "skips-two", "The seat after the one who sits out is skipped too."
)
def _(patch: Patch) -> None:
    def after(self: Position, seat: int) -> int:
        place = (seat + 1) % self.rules.seats
        return place if place != self.out else (place + 2) % self.rules.seats

    patch.attribute(Position, "after", after)


# --------------------------------------------------------------------------- reasons


hooks.wrong_reason("play.when", "play.turn", "A card before the play")
hooks.wrong_reason("play.sitting-out", "play.turn", "A card of the partner who sits out")
hooks.wrong_reason("play.turn", "play.own-cards", "A card out of turn")
hooks.wrong_reason("play.own-cards", "play.follow", "A card that is not held")
hooks.wrong_reason("play.follow", "play.ruff", "A card of another suit")
hooks.wrong_reason("play.beat", "play.follow", "A card of the suit that does not beat")
hooks.wrong_reason("play.ruff", "play.follow", "A discard that should be a ruff")
hooks.wrong_reason("play.over-ruff", "play.ruff", "A trump that does not beat the other trump")
