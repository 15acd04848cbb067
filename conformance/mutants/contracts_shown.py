"""Faulty engines of the chapter "Contracts": hands that are shown, and contracts not played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bauernschnapsen import contracts, scoring
from bauernschnapsen.cards import SUIT_MASKS, five_of_a_suit
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, OVER, PLAY, SHOW, Position
from bauernschnapsen_conformance.teeth import Patch, equivalent, mutant, rules_mutant

from . import hooks

# --------------------------------------------------------------------------- hands that are shown

for _name in ("farben-gang", "herren-schnapser"):
    rules_mutant(
        "contracts.not-played",
        f"played-{_name}",
        f"The contract {_name} is played: every trick has to be won.",
        contracts={_name: {"goal": "all_tricks"}},
    )


@mutant(
    "contracts.not-played", "turn-of-forehand", "After the auction forehand is on turn to lead."
)
def _(patch: Patch) -> None:
    def make(begin: Any) -> Any:
        def begin_play(position: Position) -> None:
            begin(position)
            if position.phase == SHOW:
                position.turn = position.forehand

        return begin_play

    patch.wrap(contracts, "begin_play", make)


def _also_show(slug: str, sentence: str, when: Any) -> None:
    """Let hands be shown elsewhere: when(position, seat)."""

    @mutant("contracts.show", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            if not when(position, seat):
                return False
            position.shown[seat] = position.hands[seat]
            return True

        hooks.accept(patch, "contracts.show", do)


_also_show("any-time", "A hand may be shown at any time, for nothing.", lambda p, seat: True)
_also_show("in-play", "The declarer may lay his hand open while he plays.",
           lambda p, seat: p.phase == PLAY and seat == p.declarer)  # fmt: skip
_also_show("in-auction", "A hand may be shown during the auction.",
           lambda p, seat: p.phase == AUCTION)  # fmt: skip


@mutant("contracts.show", "concedes", "Showing the hand in play gives the deal up.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != PLAY or position.contract is None or seat != position.turn:
            return False
        made = position.against_declarer(seat)
        scoring.award_contract(position, made=made, reason="failed")
        return True

    hooks.accept(patch, "contracts.show", do)


@mutant("contracts.show", "wins-auction", "Whoever shows five of a suit in the auction has won.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if position.phase != AUCTION or five_of_a_suit(position.hands[seat]) is None:
            return False
        name = "farben-gang" if seat != position.forehand else "herren-schnapser"
        position.contract, position.declarer = position.rules.by_name[name], seat
        scoring.award_contract(position, made=True, reason="shown")
        return True

    hooks.accept(patch, "contracts.show", do)


def _shown_by(slug: str, sentence: str, when: Any) -> None:
    @mutant("contracts.show-declarer", slug, sentence)
    def _(patch: Patch) -> None:
        right = contracts.show

        def show(position: Position, seat: int) -> None:
            if position.phase == SHOW and when(position, seat):
                seat = position.declarer
            right(position, seat)

        patch.swap(contracts, "show", show)


_shown_by("anybody", "Anybody may show the declarer's hand.", lambda p, seat: True)
_shown_by("partner", "The declarer's partner may show for him.",
          lambda p, seat: not p.against_declarer(seat))  # fmt: skip
_shown_by("forehand", "Forehand may show for the declarer.",
          lambda p, seat: seat == p.forehand)  # fmt: skip


@mutant("contracts.show-declarer", "everybody", "Every player may lay his own hand open.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        position.shown[seat] = position.hands[seat]
        return True

    hooks.accept(patch, "contracts.show-declarer", do)


def _shows(slug: str, sentence: str, change: Any) -> None:
    """Change what showing does: change(position, seat) instead of the right thing."""

    @mutant("contracts.show-wins", slug, sentence)
    def _(patch: Patch) -> None:
        right = contracts.show

        def show(position: Position, seat: int) -> None:
            if position.phase != SHOW or seat != position.declarer:
                right(position, seat)
                return
            position.shown[seat] |= position.hands[seat]
            change(position, seat)

        patch.swap(contracts, "show", show)


def _still_playing(position: Position, seat: int) -> None:
    position.phase = PLAY
    position.turn = seat


_shows("goes-on", "After the hand was shown the declarer leads.", _still_playing)
_shows("loses", "A hand that is shown loses the contract.",
       lambda p, seat: scoring.award_contract(p, made=False, reason="shown"))  # fmt: skip
_shows("nothing", "Showing the hand scores nothing by itself.", lambda p, seat: None)
_shows("made", "The deal counts as made, not as shown.",
       lambda p, seat: scoring.award_contract(p, made=True, reason="made"))  # fmt: skip


@mutant("contracts.show-wins", "not-seen", "The hand that was shown is not known to the others.")
def _(patch: Patch) -> None:
    def change(position: Position, view: Any) -> None:
        if position.phase == OVER and position.outcome and position.outcome.reason == "shown":
            for known in view["sees"].values():
                for owner in known:
                    known[owner] = []

    hooks.on_view(patch, change)


rules_mutant(
    "contracts.show-wins",
    "after-the-auction",
    "A contract that is not played is over with the auction.",
    options={"laydown_end": "after_auction"},
)


# --------------------------------------------------------------------------- reasons and the rest


@mutant("contracts.farben-gang", "four-cards", "Four of the five cards are enough when shown.")
def _(patch: Patch) -> None:
    hooks.allow_bid(
        patch,
        "auction.cards-required",
        lambda p, seat, c: (
            c.name == "farben-gang"
            and any((p.hands[seat] & mask).bit_count() >= 4 for mask in SUIT_MASKS)
        ),
    )


@equivalent(
    "contracts.farben-gang",
    "plain-suit-only",
    "The five cards of a Farben-Gang must not be trumps.",
    why="Forehand holds a trump whichever way it was fixed, so nobody else can hold all five.",
)
def _(patch: Patch) -> None:
    hooks.forbid_bid(
        patch,
        "auction.cards-required",
        lambda p, seat, c: c.name == "farben-gang" and p.hands[seat] >> 5 * (p.trump or 0) & 1 == 1,
    )


@mutant("contracts.herren-schnapser", "any-suit", "Five cards of any suit make a Herren-Schnapser.")
def _(patch: Patch) -> None:
    patch.change_contracts(
        lambda c: (
            replace(c, hold="five_of_a_suit", bidders=frozenset(range(4)))
            if c.hold == "five_trumps"
            else c
        )
    )


@mutant("contracts.herren-schnapser", "four-trumps", "Four trumps make a Herren-Schnapser.")
def _(patch: Patch) -> None:
    hooks.allow_bid(
        patch,
        "auction.cards-required",
        lambda p, seat, c: (
            c.hold == "five_trumps"
            and p.trump is not None
            and (p.hands[seat] & SUIT_MASKS[p.trump]).bit_count() >= 4
        ),
    )


hooks.wrong_reason(
    "contracts.show", "contracts.show-declarer", "Showing a hand in a contract that is played"
)
hooks.wrong_reason("contracts.show-declarer", "contracts.show", "Showing a hand by another seat")
