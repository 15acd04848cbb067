"""Faulty engines of the chapter "Talon": bids without it, who is offered it, and when."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, table, talon
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action
from bauernschnapsen.position import PLAY, TALON, Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks


def _number(action: Action) -> int:
    """What an action names as a number: the card it plays, or the mask of two laid away."""
    assert isinstance(action.value, int)
    return action.value


# --------------------------------------------------------------------------- bidding without it

rules_mutant(
    "talon.without",
    "not-played",
    "Nobody bids without the talon.",
    options={"no_talon_precedence": "absent"},
)
rules_mutant(
    "talon.without",
    "always-played",
    "Everybody may bid without the talon, whatever was agreed.",
    options={"no_talon_precedence": "present"},
)


def _without(slug: str, sentence: str, change: Any) -> None:
    """Object otherwise: change(position, seat, contract, right) -> Refusal or None."""

    @mutant("talon.without", slug, sentence)
    def _(patch: Patch) -> None:
        from bauernschnapsen import auction

        def make(right: Any) -> Any:
            return lambda p, seat, contract: change(p, seat, contract, right(p, seat, contract))

        patch.wrap(auction, "_objection_without", make)


def _low(position: Position) -> Refusal:
    return Refusal("auction.higher", "a rule that does not exist")


def _same_with(position: Position, contract: Any) -> bool:
    """Whether the same contract stands, bid with the talon."""
    return contract is position.bid and not (position.talon and position.talon.bid_without)


_without("no-precedence", "Without the talon a contract ranks no higher than with it.",
         lambda p, seat, c, right: _low(p) if _same_with(p, c) else right)  # fmt: skip
_without("by-seat", "Without the talon only an earlier seat takes over the same contract.",
         lambda p, seat, c, right: _low(p) if _same_with(p, c) and hooks.place(p, seat)
         > hooks.place(p, p.bidder) else right)  # fmt: skip
_without("answer-only", "Only an equal bid may be outbid without the talon, nobody opens so.",
         lambda p, seat, c, right: right if c is p.bid else _low(p))  # fmt: skip
_without("above-the-next", "Without the talon a contract outbids the next higher one, too.",
         lambda p, seat, c, right: None if right is not None and right.rule == "auction.higher"
         and p.bid is not None and c.rank == p.bid.rank - 1 else right)  # fmt: skip
_without("anybody-again", "Among bids without the talon the last one goes first.",
         lambda p, seat, c, right: None if right is not None and right.rule == "auction.hold"
         else right)  # fmt: skip
_without("nobody-again", "The first bid without the talon stands.",
         lambda p, seat, c, right: _low(p) if c is p.bid and p.talon.bid_without
         else right)  # fmt: skip


@mutant("talon.without", "outbid-with-it", "A bid without the talon is outbid by the same with it.")
def _(patch: Patch) -> None:
    from bauernschnapsen import auction

    def make(right: Any) -> Any:
        def objection(position: Position, seat: int, contract: Any) -> Refusal | None:
            refusal: Refusal | None = right(position, seat, contract)
            without = position.talon is not None and position.talon.bid_without
            return None if refusal and contract is position.bid and without else refusal

        return objection

    patch.swap(auction, "_objection", make(auction._objection))


@mutant("talon.without-left", "still-offered", "The talon is offered to whoever bid without it.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def begin(position: Position) -> None:
            if position.talon is not None:
                position.talon = position.talon._replace(bid_without=False)
            right(position)

        return begin

    patch.wrap(talon, "begin", make)


@mutant("talon.without-left", "all-contracts", "Once somebody bids without it there is no talon.")
def _(patch: Patch) -> None:
    from bauernschnapsen import auction

    def make(right: Any) -> Any:
        def note(position: Position, without: bool) -> None:
            right(position, without or (position.talon is not None and position.talon.bid_without))

        return note

    patch.wrap(auction, "_note_talon", make)


def _told(slug: str, sentence: str, change: Any) -> None:
    """Tell otherwise of the standing bid: change(bid) leaves it as it is told."""

    @mutant("talon.without", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def describe(position: Position, letters: str) -> Any:
                bid = right(position, letters)
                if bid is not None and "without_talon" in bid:
                    change(bid)
                return bid

            return describe

        patch.wrap(table, "_describe_bid", make)


_told("told-as-any-other", "A bid without the talon is told like any other.",
      lambda bid: bid.update(without_talon=False))  # fmt: skip
_told("told-of-every-bid", "Where bids without the talon are made, each is told as one.",
      lambda bid: bid.update(without_talon=True))  # fmt: skip
_told("told-the-wrong-way-round", "What is told of a bid is whether the talon goes with it.",
      lambda bid: bid.update(without_talon=not bid["without_talon"]))  # fmt: skip


# --------------------------------------------------------------------------- who is offered it


def _offered(slug: str, sentence: str, when: Any) -> None:
    """Offer the talon exactly when(position) says so."""

    @mutant("talon.offered", slug, sentence)
    def _(patch: Patch) -> None:
        def begin(position: Position) -> None:
            if position.talon is not None and when(position):
                position.phase, position.turn = TALON, position.declarer
            else:
                contracts.begin_play(position)

        patch.swap(talon, "begin", begin)


def _is_offered(position: Position) -> bool:
    contract, aside = position.contract, position.talon
    return bool(contract and aside and contract.talon == "offered" and not aside.bid_without)


_offered("never", "Nobody takes the talon.", lambda p: False)
_offered("always", "The talon is offered in every contract.", lambda p: True)
_offered("trump-contracts", "The talon belongs to contracts with a trump.",
         lambda p: _is_offered(p) and p.contract.trump == "named")  # fmt: skip
_offered("no-trump-contracts", "The talon belongs to contracts without trumps.",
         lambda p: _is_offered(p) and p.contract.trump == "none")  # fmt: skip
_offered("not-normal", "In Normal the talon stays where it is.",
         lambda p: _is_offered(p) and p.contract.goal != "claim_66")  # fmt: skip
_offered("not-bettler", "In Bettler the talon stays where it is.",
         lambda p: _is_offered(p) and p.contract.goal != "no_trick")  # fmt: skip
_offered("not-schnapser", "In Schnapser and Kontra-Schnapser the talon stays where it is.",
         lambda p: _is_offered(p) and p.contract.goal != "tricks_66")  # fmt: skip
_offered("not-demanding", "Whoever plays five cards of a suit leaves the talon alone.",
         lambda p: _is_offered(p) and p.contract.hold == "none")  # fmt: skip
_offered("forehand-only", "The talon is forehand's.",
         lambda p: _is_offered(p) and p.declarer == p.forehand)  # fmt: skip
_offered("not-forehand", "Forehand, who names the trump, gets no talon.",
         lambda p: _is_offered(p) and p.declarer != p.forehand)  # fmt: skip
_offered("not-kontra", "In the Kontra contracts the talon stays where it is.",
         lambda p: _is_offered(p) and p.contract.bidders != frozenset({1, 2}))  # fmt: skip


@mutant("talon.offered", "has-to-take", "The declarer has to take the talon.")
def _(patch: Patch) -> None:
    hooks.refuse(patch, "talon.offered", lambda p, seat, action: action.verb == "keep")


@mutant("talon.offered", "has-to-leave", "The declarer may look at the talon, not take it.")
def _(patch: Patch) -> None:
    hooks.refuse(patch, "talon.offered", lambda p, seat, action: action.verb == "talon")


@mutant("talon.offered", "once-a-game", "The talon is offered in the first deal only.")
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is not None and position.talon is not None:
            position.talon = position.talon._replace(bid_without=True)
            if position.phase == TALON:
                contracts.begin_play(position)

    hooks.on_start(patch, change)


def _at_another_time(slug: str, sentence: str, verb: str, when: Any) -> None:
    """Let somebody turn to the talon when it is over, or has not begun."""

    @mutant("talon.when", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            aside = position.talon
            if action.verb != verb or aside is None or not when(position, seat):
                return False
            if verb == "talon":
                position.hands[seat] |= aside.cards
                position.talon = aside._replace(cards=0, taken=True)
            return True

        hooks.accept(patch, "talon.when", do)


_at_another_time("during-the-auction", "Whoever is to bid may look at the talon first.", "talon",
                 lambda p, seat: p.phase == "auction" and seat == p.turn)  # fmt: skip
_at_another_time("after-leaving", "Who has left the talon may still take it before the lead.",
                 "talon", lambda p, seat: seat == p.declarer and p.phase == PLAY
                 and not p.trick and not p.tricks_done)  # fmt: skip
_at_another_time("after-the-lead", "The talon may be taken before the second card.", "talon",
                 lambda p, seat: seat == p.declarer and bool(p.trick))  # fmt: skip
_at_another_time("left-twice", "Leaving the talon may be said at any time.", "keep",
                 lambda p, seat: seat == p.declarer)  # fmt: skip


@mutant("talon.when", "lead-before", "Whoever leads need not wait for the talon.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != TALON or action.verb != "play":
            return False
        contracts.begin_play(position)
        table._play(position, seat, _number(action))
        return True

    hooks.accept(patch, "play.when", do)


@mutant("talon.when", "laid-away-again", "Cards may be laid away again until the first lead.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        aside = position.talon
        before_lead = position.phase == PLAY and not position.trick and not position.tricks_done
        if action.verb != "discard" or aside is None or not (before_lead and aside.taken):
            return False
        hand = position.hands[seat] | aside.cards
        if seat != position.declarer or _number(action) & ~hand:
            return False
        position.hands[seat] = hand & ~_number(action)
        position.talon = aside._replace(cards=_number(action))
        return True

    hooks.accept(patch, "talon.when", do)
