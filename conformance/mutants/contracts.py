"""Faulty engines of the chapter "Contracts"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bauernschnapsen import contracts, scoring
from bauernschnapsen.notation import Action
from bauernschnapsen.position import AUCTION, OVER, PLAY, SHOW, Position
from bauernschnapsen_conformance.teeth import Patch, equivalent, mutant, rules_mutant

from . import hooks

_TRUMPS = ("normal", "schnapser", "kontra-schnapser", "bauern-schnapser", "kontra-bauern-schnapser")
_NO_TRUMPS = ("bettler", "gang", "zehner-gang")
_FORM = {
    "forehand": {0},
    "forehand_side": {0, 2},
    "partner": {2},
    "opponents": {1, 3},
    "not_forehand": {1, 2, 3},
    "anyone": {0, 1, 2, 3},
}

# --------------------------------------------------------------------------- trumps

for _name in _TRUMPS:
    rules_mutant(
        "contracts.trump-suit",
        f"none-in-{_name}",
        f"In {_name} there are no trumps.",
        contracts={_name: {"trump": "none"}},
    )


def _trump_of(rule: str, slug: str, sentence: str, choose: Any) -> None:
    """Let another suit be trump in force: choose(position, right) -> suit or None."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right: Any = vars(Position)["trump_in_force"]

        def trump_in_force(self: Position) -> Any:
            return choose(self, right.fget(self))

        patch.attribute(Position, "trump_in_force", property(trump_in_force))


_trump_of("contracts.trump-suit", "hearts", "Hearts are trump, whatever suit was named.",
          lambda p, right: None if right is None else 0)  # fmt: skip
_trump_of("contracts.trump-suit", "declarers-suit", "The suit the declarer holds most of is trump.",
          lambda p, right: right if right is None or p.declarer in (p.forehand, -1)
          else max(range(4), key=lambda s: sum(c // 5 == s
                                               for c in p.dealt[p.declarer])))  # fmt: skip
_trump_of("contracts.trump-suit", "forehands-side-only", "Only forehand's side has trumps.",
          lambda p, right: right if hooks.partners(p, p.forehand, p.declarer)
          else None)  # fmt: skip

for _name in _NO_TRUMPS:
    rules_mutant(
        "contracts.no-trumps",
        f"alive-in-{_name}",
        f"In {_name} the suit named is trump.",
        contracts={_name: {"trump": "named"}},
    )


@mutant("contracts.no-trumps", "only-wins", "Without trumps the named suit still takes tricks.")
def _(patch: Patch) -> None:
    def change(position: Position, card: int, winning: int, right: bool) -> bool:
        if position.trump_in_force is not None or card // 5 == winning // 5:
            return right
        return card // 5 == position.trump

    hooks.on_beats(patch, change)


@mutant("contracts.no-trumps", "only-duty", "Without trumps a void player has to give that suit.")
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        if not position.trick or position.trump_in_force is not None or position.trump is None:
            return mask
        hand = position.hands[position.turn or 0]
        led = 0b11111 << 5 * (position.trick[0][1] // 5)
        return mask if hand & led else hand & 0b11111 << 5 * position.trump or mask

    hooks.on_allowed(patch, change)


@mutant("contracts.no-trumps", "shown-as-trump", "Without trumps the contract still names one.")
def _(patch: Patch) -> None:
    from bauernschnapsen.notation import format_suit

    def change(position: Position, view: Any) -> None:
        if view["contract"] is not None:
            view["contract"]["trump"] = format_suit(position.trump)

    hooks.on_view(patch, change)


@mutant("contracts.no-trumps", "leaks", "The trump of the deal before takes tricks without trumps.")
def _(patch: Patch) -> None:
    old: list[int | None] = [None]

    def start(position: Position, last: Position | None) -> None:
        old[0] = None if last is None else last.trump

    def change(position: Position, card: int, winning: int, right: bool) -> bool:
        if position.trump_in_force is None and old[0] is not None:
            return right or (card // 5 == old[0] != winning // 5)
        return right

    hooks.on_start(patch, start)
    hooks.on_beats(patch, change)


# --------------------------------------------------------------------------- who may bid

_BIDDERS = {
    "normal": "forehand",
    "bettler": "anyone",
    "schnapser": "forehand_side",
    "gang": "anyone",
    "zehner-gang": "anyone",
    "kontra-schnapser": "opponents",
    "bauern-schnapser": "forehand_side",
    "farben-gang": "not_forehand",
    "kontra-bauern-schnapser": "opponents",
    "herren-schnapser": "forehand",
}
_LOWEST = (
    "Normal can only open, and only forehand opens; for the others it is too low anyway, and "
    "which of the two reasons is given is not looked at."
)
_FIVE_TRUMPS = (
    "Nobody but forehand can hold five trumps, so the others are refused for want of cards, and "
    "which of the two reasons is given is not looked at."
)
for _name, _right in _BIDDERS.items():
    for _wrong, _seats in _FORM.items():
        if _wrong == _right:
            continue
        _keeps_forehand = 0 in _seats
        _unless = None
        if _name == "normal" and _keeps_forehand:
            _unless = _LOWEST
        if _name == "herren-schnapser" and _keeps_forehand:
            _unless = _FIVE_TRUMPS
        rules_mutant(
            f"contracts.{_name}.bidders",
            _wrong.replace("_", "-"),
            f"The bidders of {_name} are: {_wrong.replace('_', ' ')}.",
            contracts={_name: {"bidders": frozenset(_seats)}},
            unless=_unless,
        )
for _seat, _who in enumerate(("forehand", "dealers-partner", "forehands-partner", "dealer")):
    for _name in ("bettler", "gang", "zehner-gang") if _seat else ():
        rules_mutant(
            f"contracts.{_name}.bidders",
            f"not-{_who}",
            f"{_name} is not open to {_who}.",
            contracts={_name: {"bidders": frozenset({0, 1, 2, 3} - {_seat})}},
        )
    for _name in ("kontra-schnapser", "kontra-bauern-schnapser", "farben-gang"):
        if _seat and (_name == "farben-gang" or _seat % 2):
            rules_mutant(
                f"contracts.{_name}.bidders",
                f"not-{_who}",
                f"{_name} is not open to {_who}.",
                contracts={_name: {"bidders": frozenset(_FORM[_BIDDERS[_name]] - {_seat})}},
            )

# --------------------------------------------------------------------------- what it is worth

for _name, *_values in (
    ("bettler", 5, 3, 6),
    ("schnapser", 5, 4, 3),
    ("gang", 10, 8, 6),
    ("zehner-gang", 9, 8, 12),
    ("kontra-schnapser", 6, 10, 24),
    ("bauern-schnapser", 10, 24, 9),
    ("farben-gang", 16, 12, 24),
    ("kontra-bauern-schnapser", 12, 18, 20),
    ("herren-schnapser", 18, 12, 48),
):
    for _value in _values:
        rules_mutant(
            f"contracts.{_name}",
            f"worth-{_value}",
            f"The contract {_name} is worth {_value} game points.",
            contracts={_name: {"value": _value}},
        )


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
    from bauernschnapsen.cards import five_of_a_suit

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
    from bauernschnapsen.cards import SUIT_MASKS

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
    from bauernschnapsen.cards import SUIT_MASKS

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
