"""Faulty engines of the chapter "Contracts": trumps, who may bid, and what it is worth."""

from __future__ import annotations

from typing import Any

from bauernschnapsen.position import Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

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
