"""Turn the table: ask a scenario with other seats, and when blind other suits, than written.

An engine's own seat numbers hide bugs, so about a quarter of all scenarios are asked from each
dealer's place. Requests are turned on the way out and views turned back on the way in: everything
else in the runner sees the scenario as its author wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bauernschnapsen.notation import RANKS, SUITS, seat_letters, side_names

Json = dict[str, Any]
_SEAT_KEYS = ("to_act", "next_dealer")
_SIDE_KEYS = ("points", "tricks", "scores")
_CARD_VERBS = frozenset({"play", "marry", "discard"})


@dataclass(frozen=True, slots=True)
class Turning:
    """A renaming of seats, sides and suits, from the written form to the form that is asked."""

    places: int
    """By how many places every seat moves clockwise."""
    seat: Mapping[str, str]
    side: Mapping[str, str]
    suit: Mapping[str, str]
    card: Mapping[str, str] = field(default_factory=dict)

    @property
    def suits(self) -> str:
        """The suits asked instead of H, D, S and C, in this order, as `show --suits` takes them."""
        return "".join(self.suit[suit] for suit in SUITS)

    @property
    def is_plain(self) -> bool:
        """Whether everything keeps its name."""
        return not self.places and all(old == new for old, new in self.suit.items())

    def back(self) -> Turning:
        """The renaming that undoes this one."""
        undo = [
            {new: old for old, new in m.items()}
            for m in (self.seat, self.side, self.suit, self.card)
        ]
        return Turning(-self.places, *undo)

    # ---- requests

    def deals(self, deals: list[Json]) -> list[Json]:
        """Return the deals of a replay request in the form that is asked."""
        return [self._deal(deal) for deal in deals]

    def _deal(self, deal: Json) -> Json:
        turned = dict(deal)
        if "dealer" in deal:
            turned["dealer"] = self.seat[deal["dealer"]]
        hands = {
            self.seat[s]: [self.card[card] for card in deal["hands"][s]] for s in deal["hands"]
        }
        turned["hands"] = {seat: hands[seat] for seat in sorted(hands, key="NESW".index)}
        if "scores" in deal:
            turned["scores"] = {self.side[side]: have for side, have in deal["scores"].items()}
        if "contract" in deal:
            start = deal["contract"]
            turned["contract"] = {
                **start,
                "declarer": self.seat[start["declarer"]],
                "trump": _rename(self.suit, start.get("trump")),
            }
        if "talon" in deal:
            turned["talon"] = [self.card[card] for card in deal["talon"]]
        turned["actions"] = [
            [self.seat.get(seat, seat), self.action(action)] for seat, action in deal["actions"]
        ]
        return turned

    def case(self, case: Json) -> Json:
        """Return a case of a query in the form that is asked; `seats` stay as they sit."""
        turned = {
            **case,
            "trump": self.suit[case["trump"]],
            "declarer": self.seat[case["declarer"]],
            "trick": [[self.seat[seat], self.card[card]] for seat, card in case["trick"]],
        }
        if "seat" in case:
            turned["seat"] = self.seat[case["seat"]]
            turned["hand"] = [self.card[card] for card in case["hand"]]
        return turned

    # ---- replies; they come from outside, so nothing is taken for granted

    def element(self, element: Any) -> Any:
        """Rename the answer to one case of a query: a seat, or cards."""
        if isinstance(element, list):
            return [_rename(self.card, card) for card in element]
        return _rename(self.seat, element)

    def reply(self, reply: Json) -> Json:
        """Rename all views in the reply to a replay request."""
        views = reply.get("ok")
        if self.is_plain or not isinstance(views, list):
            return reply
        return {
            **reply,
            "ok": [
                [self.view(view) if isinstance(view, dict) else view for view in deal]
                if isinstance(deal, list)
                else deal
                for deal in views
            ],
        }

    def action(self, text: Any) -> Any:
        """Rename the cards or the suit in an action."""
        if not isinstance(text, str):
            return text
        verb, blank, argument = text.partition(" ")
        if verb == "trump":
            return verb + blank + self.suit.get(argument, argument)
        if verb in _CARD_VERBS:
            return (
                verb + blank + " ".join(self.card.get(word, word) for word in argument.split(" "))
            )
        return text

    def view(self, view: Json) -> Json:
        """Rename everything in a view; what is not understood stays as it is."""
        turned = dict(view)
        for key in _SEAT_KEYS:
            if key in view:
                turned[key] = _rename(self.seat, view[key])
        for key in _SIDE_KEYS:
            if key in view:
                turned[key] = _rename_keys(self.side, view[key])
        if isinstance(view.get("legal"), dict):
            turned["legal"] = {
                self.seat.get(seat, seat): [self.action(action) for action in actions]
                if isinstance(actions, list)
                else actions
                for seat, actions in view["legal"].items()
            }
        if "trump" in view:
            turned["trump"] = _rename(self.suit, view["trump"])
        if "trick" in view:
            turned["trick"] = self._trick(view["trick"])
        self._nested(view, turned)
        return turned

    def _nested(self, view: Json, turned: Json) -> None:
        for key, renames in (
            ("bid", {"seat": self.seat}),
            ("contract", {"declarer": self.seat, "trump": self.suit}),
            ("last_trick", {"winner": self.seat}),
        ):
            inner = view.get(key)
            if isinstance(inner, dict):
                turned[key] = {
                    name: _rename(renames[name], value) if name in renames else value
                    for name, value in inner.items()
                }
        last = turned.get("last_trick")
        if isinstance(last, dict) and "cards" in last:
            last["cards"] = self._trick(last["cards"])
        for key, name in (("outcome", "awards"), ("game", "bummerl")):
            inner = view.get(key)
            if isinstance(inner, dict):
                turned[key] = {**inner}
                if name in inner:
                    turned[key][name] = _rename_keys(self.side, inner[name])
                if isinstance(inner.get("winners"), list):
                    turned[key]["winners"] = [_rename(self.side, one) for one in inner["winners"]]
        sees = view.get("sees")
        if isinstance(sees, dict):
            turned["sees"] = {
                self.seat.get(viewer, viewer): self._known(known) for viewer, known in sees.items()
            }

    def _known(self, known: Any) -> Any:
        if not isinstance(known, dict):
            return known
        return {
            self.seat.get(owner, owner): [_rename(self.card, card) for card in cards]
            if isinstance(cards, list)
            else cards
            for owner, cards in known.items()
        }

    def _trick(self, trick: Any) -> Any:
        if not isinstance(trick, list):
            return trick
        return [
            [_rename(self.seat, pair[0]), _rename(self.card, pair[1])]
            if isinstance(pair, list) and len(pair) == 2
            else pair
            for pair in trick
        ]


@lru_cache(maxsize=256)
def turn(places: int, *, seats: int = 4, partners: bool = True, suits: str = SUITS) -> Turning:
    """Return the renaming that moves every seat `places` clockwise and suits to `suits`.

    `suits` names the suits that stand for H, D, S and C, in this order. ValueError if it does not.
    """
    if sorted(suits) != sorted(SUITS):
        raise ValueError(f"the suits are the letters {SUITS}, each once, in any order")
    letters = seat_letters(seats)
    moved = {letter: letters[(at + places) % seats] for at, letter in enumerate(letters)}
    names = side_names(seats, partners=partners)
    sides = {name: next(other for other in names if moved[name[0]] in other) for name in names}
    suit = dict(zip(SUITS, suits, strict=True))
    card = {rank + old: rank + new for old, new in suit.items() for rank in RANKS}
    return Turning(places % seats, moved, sides, suit, card)


def _rename(names: Mapping[str, str], value: Any) -> Any:
    return names.get(value, value) if isinstance(value, str) else value


def _rename_keys(names: Mapping[str, str], value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {names.get(key, key): inner for key, inner in value.items()}
