"""Faulty engines of the chapter "Auction": when bids are made and by whom, opening and passing."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import auction, contracts
from bauernschnapsen.cards import five_of_a_suit
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, PLAY, SHOW, TRUMP, Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import could_bid, forbid_bid, place

# --------------------------------------------------------------------------- when and whose turn


@mutant("auction.when", "before-trump", "Forehand may bid before the trump is fixed.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        contract = position.rules.by_name.get(str(action.value))
        if position.phase != TRUMP or seat != position.turn or contract is None:
            return False
        if place(position, seat) not in contract.bidders or contract.hold != "none":
            return False
        position.bid, position.bidder, position.phase = contract, seat, AUCTION
        position.turn = position.after(seat)
        return True

    hooks.accept(patch, "auction.when", do)


@mutant("auction.when", "after-the-end", "Until the first lead a higher contract may be bid.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        contract = position.rules.by_name.get(str(action.value))
        waiting = position.phase == PLAY and not position.trick and not position.tricks_done
        if not waiting or contract is None or position.contract is None:
            return False
        if contract.rank <= position.contract.rank or contract.hold != "none":
            return False
        position.contract, position.declarer = contract, seat
        contracts.begin_play(position)
        return True

    hooks.accept(patch, "auction.when", do)


@mutant("auction.when", "declarer-raises", "The declarer may raise his contract before the lead.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        contract = position.rules.by_name.get(str(action.value))
        waiting = position.phase == PLAY and not position.trick and not position.tricks_done
        if not waiting or seat != position.declarer or contract is None:
            return False
        if position.contract is None or contract.rank <= position.contract.rank:
            return False
        if place(position, seat) not in contract.bidders or contract.hold != "none":
            return False
        position.contract = contract
        contracts.begin_play(position)
        return True

    hooks.accept(patch, "auction.when", do)


@mutant("auction.when", "pass-in-play", "A pass is taken at any time and means nothing.")
def _(patch: Patch) -> None:
    hooks.accept(
        patch,
        "auction.when",
        lambda position, seat, action: action.verb == "pass" and position.phase in (PLAY, SHOW),
    )


def _first(slug: str, sentence: str, who: int) -> None:
    @mutant("auction.turn", slug, sentence)
    def _(patch: Patch) -> None:
        def change(before: Position, after: Position, seat: int, action: Action) -> None:
            if before.phase == TRUMP and after.phase == AUCTION:
                after.turn = (after.forehand + who) % 4

        hooks.on_accepted(patch, change)


_first("dealer-first", "The dealer bids first.", 3)
_first("dealers-partner-first", "The dealer's partner bids first.", 1)


@mutant("auction.turn", "counter-clockwise", "The auction goes counter-clockwise.")
def _(patch: Patch) -> None:
    _next(patch, lambda position, seat: [(seat - step) % 4 for step in (1, 2, 3)])


@mutant("auction.turn", "back-to-forehand", "After every bid forehand is asked first.")
def _(patch: Patch) -> None:
    def order(position: Position, seat: int) -> list[int]:
        if position.bidder == seat:
            return [s for s in ((position.forehand + k) % 4 for k in range(4)) if s != seat]
        return [(seat + step) % 4 for step in (1, 2, 3)]

    _next(patch, order)


@mutant("auction.turn", "partners-answer", "After a bid the bidder's partner is asked next.")
def _(patch: Patch) -> None:
    def order(position: Position, seat: int) -> list[int]:
        if position.bidder == seat:
            return [(seat + step) % 4 for step in (2, 1, 3)]
        return [(seat + step) % 4 for step in (1, 2, 3)]

    _next(patch, order)


def _next(patch: Patch, order: Any) -> None:
    """Ask the seats in another order after each call."""

    def next_bidder(position: Position, seat: int) -> None:
        for other in order(position, seat):
            if not position.passed >> other & 1 and other != position.bidder:
                position.turn = other
                return
        auction._conclude(position)

    patch.swap(auction, "_next_bidder", next_bidder)


@mutant("auction.turn", "asks-the-passed", "Whoever has passed is asked again and passes again.")
def _(patch: Patch) -> None:
    def next_bidder(position: Position, seat: int) -> None:
        out = position.passed | (1 << position.bidder if position.bidder is not None else 0)
        if out == 0b1111:
            auction._conclude(position)
            return
        position.turn = (seat + 1) % 4
        if position.turn == position.bidder:
            position.turn = (seat + 2) % 4

    patch.swap(auction, "_next_bidder", next_bidder)
    check = auction._check_turn

    def check_turn(position: Position, seat: int) -> None:
        try:
            check(position, seat)
        except Refusal as refusal:
            if refusal.rule != "auction.pass-final" or seat != position.turn:
                raise

    patch.swap(auction, "_check_turn", check_turn)
    forbid_bid(patch, "auction.pass-final", lambda p, seat, contract: bool(p.passed >> seat & 1))


@mutant("auction.turn", "bids-out-of-turn", "Any seat still in the auction may bid at any time.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "bid" or position.bid is None:
            return False
        position.turn = seat
        auction.bid(position, seat, str(action.value))
        return True

    hooks.accept(patch, "auction.turn", do)


@mutant("auction.turn", "passes-out-of-turn", "A pass may be said before one's turn comes.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "pass" or position.bid is None or seat == position.bidder:
            return False
        turn, position.turn = position.turn, seat
        auction.pass_by(position, seat)
        if position.phase == AUCTION:
            position.turn = turn
        elif position.phase == PLAY:
            contracts.begin_play(position)
        return True

    hooks.accept(patch, "auction.turn", do)


@mutant("auction.turn", "fixed-seat", "The seat that opened the first auction opens them all.")
def _(patch: Patch) -> None:
    first: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        if last is None or not first:
            first[:] = [position.forehand]

    def change(before: Position, after: Position, seat: int, action: Action) -> None:
        if before.phase == TRUMP and after.phase == AUCTION and first:
            after.turn = first[0]

    hooks.on_start(patch, start)
    hooks.on_accepted(patch, change)


# --------------------------------------------------------------------------- opening and passing

rules_mutant(
    "auction.must-open",
    "pass-means-normal",
    "Forehand may pass at first, which bids Normal.",
    options={"opening": "pass_means_normal"},
)


@mutant("auction.must-open", "may-pass", "Forehand may pass; then the next player has to open.")
def _(patch: Patch) -> None:
    may, pass_by = auction._may_pass, auction.pass_by

    def may_pass(position: Position) -> bool:
        return may(position) or position.turn == position.forehand

    def pass_(position: Position, seat: int) -> None:
        if position.bid is None and position.phase == AUCTION and seat == position.forehand:
            position.passed |= 1 << seat
            position.turn = position.after(seat)
            return
        pass_by(position, seat)

    patch.swap(auction, "_may_pass", may_pass)
    patch.swap(auction, "pass_by", pass_)


@mutant("auction.must-open", "thrown-in", "If forehand passes at first, the deal is thrown in.")
def _(patch: Patch) -> None:
    may, pass_by = auction._may_pass, auction.pass_by

    def pass_(position: Position, seat: int) -> None:
        if position.bid is None and position.phase == AUCTION and seat == position.turn:
            position.phase, position.turn = "over", None
            position.next_dealer = position.after(position.dealer)
            return
        pass_by(position, seat)

    patch.swap(auction, "_may_pass", lambda p: may(p) or p.turn == p.forehand)
    patch.swap(auction, "pass_by", pass_)


def _no_pass(slug: str, sentence: str, when: Any) -> None:
    @mutant("auction.may-pass", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda position: right(position) and not when(position)

        patch.wrap(auction, "_may_pass", make)


_no_pass("forehand-never", "Forehand may never pass as long as he can bid.",
         lambda p: p.turn == p.forehand and could_bid(p))  # fmt: skip
_no_pass("must-announce-five", "Whoever holds five cards of one suit may not pass.",
         lambda p: five_of_a_suit(p.hands[p.turn]) is not None and could_bid(p))  # fmt: skip
_no_pass("must-hold", "Whoever can hold the last bid may not pass.",
         lambda p: p.bid is not None
         and auction._objection(p, p.turn, p.bid) is None)  # fmt: skip
_no_pass("opponents-answer", "The first opponent may not pass over Normal.",
         lambda p: place(p, p.turn) == 1 and not p.passed and p.bid is not None
         and p.bid.rank == 0)  # fmt: skip


def _may_return(slug: str, sentence: str, when: Any) -> None:
    """Let seats bid again that have passed: when(position, seat, contract)."""

    @mutant("auction.pass-final", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            contract = position.rules.by_name.get(str(action.value))
            if action.verb != "bid" or contract is None or not when(position, seat, contract):
                return False
            if auction._objection(position, seat, contract) is not None:
                return False
            position.passed &= ~(1 << seat)
            position.bid, position.bidder = contract, seat
            auction._next_bidder(position, seat)
            return True

        hooks.accept(patch, "auction.pass-final", do)


_may_return("may-return", "Whoever has passed may bid again.", lambda p, seat, c: True)
_may_return("may-hold", "Whoever has passed may still hold a bid.", lambda p, seat, c: c is p.bid)
_may_return("forehand-returns", "Forehand may bid again after a pass.",
            lambda p, seat, c: seat == p.forehand)  # fmt: skip
_may_return("over-opponents", "Whoever has passed may outbid an opponent who bids later.",
            lambda p, seat, c: not hooks.partners(p, seat, p.bidder))  # fmt: skip


@mutant("auction.pass-final", "new-round", "A new bid brings everybody back into the auction.")
def _(patch: Patch) -> None:
    right = auction.bid

    def bid(position: Position, seat: int, name: str) -> None:
        right(position, seat, name)
        if position.phase == AUCTION and position.bidder == seat:
            position.passed = 0
            position.turn = position.after(seat)

    patch.swap(auction, "bid", bid)


@mutant("auction.pass-final", "forehand-stays-in", "A pass of forehand is for this turn only.")
def _(patch: Patch) -> None:
    right = auction.pass_by

    def pass_by(position: Position, seat: int) -> None:
        right(position, seat)
        others = position.passed & ~(1 << seat)
        if seat == position.forehand and position.phase == AUCTION and others.bit_count() < 2:
            position.passed = others

    patch.swap(auction, "pass_by", pass_by)


@mutant("auction.pass-final", "leaks", "Whoever has passed in one deal is out in the next.")
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is not None and position.phase == TRUMP:
            position.passed = last.passed & ~(1 << position.forehand)

    hooks.on_start(patch, change)
