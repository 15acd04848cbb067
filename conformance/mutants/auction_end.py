"""Faulty engines of the chapter "Auction": its end, and Kontra on Normal."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import auction
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, PLAY, Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import could_bid

# --------------------------------------------------------------------------- the end


def _after_bid(rule: str, slug: str, sentence: str, ends: Any) -> None:
    """End the auction early: ends(position, seat) after a bid or pass."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = auction._next_bidder

        def next_bidder(position: Position, seat: int) -> None:
            if position.bid is not None and ends(position, seat):
                auction._conclude(position)
            else:
                right(position, seat)

        patch.swap(auction, "_next_bidder", next_bidder)


_after_bid("auction.forced-pass", "highest-ends", "A Herren-Schnapser ends the auction at once.",
           lambda p, seat: p.bid.rank == len(p.rules.contracts) - 1)  # fmt: skip
_after_bid("auction.forced-pass", "twenty-four-ends", "A bid of 24 ends the auction at once.",
           lambda p, seat: p.bid.value >= 24)  # fmt: skip
_after_bid("auction.forced-pass", "target-ends", "A bid that would win the game ends the auction.",
           lambda p, seat: p.score.points[p.side(p.bidder)] + p.bid.value >= 24)  # fmt: skip


@mutant("auction.forced-pass", "skipped", "Seats that can bid nothing are not asked.")
def _(patch: Patch) -> None:
    right = auction._next_bidder

    def next_bidder(position: Position, seat: int) -> None:
        right(position, seat)
        if position.phase == AUCTION and position.bid is not None and not could_bid(position):
            turn = position.turn
            assert turn is not None
            position.passed |= 1 << turn
            next_bidder(position, turn)

    patch.swap(auction, "_next_bidder", next_bidder)


@mutant("auction.forced-pass", "nothing-legal", "A seat that can bid nothing has no action either.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        if position.phase == AUCTION and position.turn in legal:
            stuck = position.bid is not None and not could_bid(position)
            if stuck:
                del legal[position.turn]

    hooks.on_legal(patch, change)


_after_bid("auction.end", "two-passes", "The auction is over after two passes.",
           lambda p, seat: p.passed.bit_count() >= 2)  # fmt: skip
_after_bid("auction.end", "one-round", "The auction is over when everybody has spoken once.",
           lambda p, seat: seat == p.dealer)  # fmt: skip
_after_bid("auction.end", "back-at-forehand", "Forehand is asked only if he has been held out.",
           lambda p, seat: (seat + 1) % 4 == p.forehand and p.bidder != p.forehand
           and p.bid.rank > 3)  # fmt: skip


@mutant("auction.end", "survivor-confirms", "The last one left is asked once more.")
def _(patch: Patch) -> None:
    def next_bidder(position: Position, seat: int) -> None:
        if position.passed.bit_count() == 4:
            auction._conclude(position)
            return
        for step in range(1, 5):
            other = (seat + step) % 4
            if not position.passed >> other & 1:
                if other == seat and position.bidder == seat:
                    auction._conclude(position)
                    return
                position.turn = other
                return

    patch.swap(auction, "_next_bidder", next_bidder)


@mutant("auction.end", "raises-himself", "The last one left may still raise his own bid.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        contract = position.rules.by_name.get(str(action.value))
        waiting = position.phase == PLAY and not position.trick and not position.tricks_done
        if action.verb != "bid" or contract is None or not waiting or seat != position.declarer:
            return False
        return position.contract is not None and contract.rank > position.contract.rank

    hooks.accept(patch, "auction.when", do)


def _concluded(slug: str, sentence: str, change: Any) -> None:
    @mutant("auction.last-bid", slug, sentence)
    def _(patch: Patch) -> None:
        right = auction._conclude
        bids: list[tuple[int, Contract]] = []
        bid, pass_by = auction.bid, auction.pass_by

        def noted_bid(position: Position, seat: int, name: str) -> None:
            if position.bid is None:
                bids.clear()
            bid(position, seat, name)
            bids.append((seat, position.rules.by_name[name]))

        def conclude(position: Position) -> None:
            right(position)
            if bids:
                change(position, bids)

        patch.swap(auction, "bid", noted_bid)
        patch.swap(auction, "pass_by", pass_by)
        patch.swap(auction, "_conclude", conclude)


def _set(position: Position, declarer: int, contract: Contract) -> None:
    position.declarer, position.contract = declarer, contract


def _named(position: Position) -> Contract:
    assert position.contract is not None
    return position.contract


_concluded("forehand-plays", "Forehand plays the last bid, whoever made it.",
           lambda p, bids: _set(p, p.forehand, _named(p)))  # fmt: skip
_concluded("opening-bid", "The survivor plays the contract that was bid first.",
           lambda p, bids: _set(p, p.declarer, bids[0][1]))  # fmt: skip
_concluded("first-to-name", "Whoever bid the contract first plays it, though it was held.",
           lambda p, bids: _set(p, next(s for s, c in bids if c is _named(p)),
                                _named(p)))  # fmt: skip
_concluded("first-of-the-side", "Whoever of the winning side named a contract first plays.",
           lambda p, bids: _set(p, next(s for s, _ in bids if p.side(s) == p.side(p.declarer)),
                                _named(p)))  # fmt: skip
_concluded("own-first-bid", "The survivor plays the contract he bid first.",
           lambda p, bids: _set(p, p.declarer,
                                next(c for s, c in bids if s == p.declarer)))  # fmt: skip


# --------------------------------------------------------------------------- Kontra on Normal

rules_mutant(
    "auction.kontra-on-normal",
    "cancels-bettler",
    "Kontra on Normal cancels a Bettler that has been bid.",
    contracts={"bettler": {"cancelled_by": "kontra_on_lowest"}},
)


@mutant(
    "auction.kontra-on-normal", "heard", "Kontra may be said to a Bettler, and changes nothing."
)
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        bid = position.bid
        said = action.verb == "kontra" and position.phase == AUCTION and bid is not None
        return said and bid is not None and bid.goal == "no_trick" and seat == position.turn

    hooks.accept(patch, "doubling.window", do)


hooks.wrong_reason("auction.when", "auction.turn", "A call outside the auction")
hooks.wrong_reason("auction.turn", "auction.when", "A call out of turn")
hooks.wrong_reason("auction.must-open", "auction.turn", "Forehand's opening pass")
hooks.wrong_reason("auction.pass-final", "auction.turn", "A call after a pass")
hooks.wrong_reason("auction.bidders", "auction.higher", "A contract that is not open to the seat")
hooks.wrong_reason("auction.cards-required", "auction.bidders", "A contract without its cards")
hooks.wrong_reason("auction.higher", "auction.hold", "A bid that is too low")
hooks.wrong_reason("auction.hold", "auction.higher", "An equal bid without priority")
