"""Renaming suits and turning the table: changes of name under which the game stays the same."""

from __future__ import annotations

from typing import Any, NamedTuple

from strategies import Deal

from bauernschnapsen import notation
from bauernschnapsen.notation import Action

SEATS, SUITS = notation.SEATS, notation.SUITS


class Renaming(NamedTuple):
    """`suits[s]` is the new suit number of s; every seat moves `turn` places clockwise."""

    suits: tuple[int, ...]
    turn: int

    def card(self, card: int) -> int:
        """Return the new number of a card."""
        return self.suits[card // 5] * 5 + card % 5

    def seat(self, seat: int) -> int:
        """Return the new place of a seat."""
        return (seat + self.turn) % 4

    def action(self, action: Action) -> Action:
        """Return an action with its suit or card renamed."""
        value = action.value
        if action.verb in ("play", "marry"):
            return Action(action.verb, self.card(int(value or 0)))
        if action.verb == "trump":
            return Action(action.verb, self.suits[int(value or 0)])
        return action

    def deal(self, deal: Deal) -> Deal:
        """Return a deal with everything renamed."""
        hands: list[tuple[int, ...]] = [()] * 4
        for seat, hand in enumerate(deal.hands):
            hands[self.seat(seat)] = tuple(self.card(card) for card in hand)
        start = deal.start
        if start is not None:
            start = (start[0], self.seat(start[1]), self.suits[start[2]])
        scores = deal.scores if self.turn % 2 == 0 else (deal.scores[1], deal.scores[0])
        return Deal(self.seat(deal.dealer), tuple(hands), scores, start)

    # views: `_letter` and the like rename texts --------------------------------------

    def _letter(self, seat: str | None) -> str | None:
        return None if seat is None else SEATS[self.seat(SEATS.index(seat))]

    def _suit(self, suit: str | None) -> str | None:
        return None if suit is None else SUITS[self.suits[SUITS.index(suit)]]

    def _card(self, card: str) -> str:
        return card[0] + str(self._suit(card[1]))

    def _side(self, side: str) -> str:
        return side if self.turn % 2 == 0 else {"NS": "EW", "EW": "NS"}[side]

    def _sides(self, values: dict[str, Any]) -> dict[str, Any]:
        return {self._side(side): value for side, value in values.items()}

    def _played(self, cards: list[list[str]]) -> list[list[str | None]]:
        return [[self._letter(seat), self._card(card)] for seat, card in cards]

    def view(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return a view with everything renamed, and with sets where the order means nothing."""
        new = dict(view)
        new["to_act"] = self._letter(view["to_act"])
        new["legal"] = {
            self._letter(seat): {str(self.action(notation.parse_action(text))) for text in actions}
            for seat, actions in view["legal"].items()
        }
        new["trump"] = self._suit(view["trump"])
        if view["bid"]:
            new["bid"] = {**view["bid"], "seat": self._letter(view["bid"]["seat"])}
        if view["contract"]:
            new["contract"] = {
                **view["contract"],
                "declarer": self._letter(view["contract"]["declarer"]),
                "trump": self._suit(view["contract"]["trump"]),
            }
        new["trick"] = self._played(view["trick"])
        if view["last_trick"]:
            new["last_trick"] = {
                **view["last_trick"],
                "cards": self._played(view["last_trick"]["cards"]),
                "winner": self._letter(view["last_trick"]["winner"]),
            }
        new["sees"] = {
            self._letter(viewer): {
                self._letter(owner): {self._card(card) for card in cards}
                for owner, cards in known.items()
            }
            for viewer, known in view["sees"].items()
        }
        for key in ("points", "tricks", "scores"):
            new[key] = self._sides(view[key])
        if view["outcome"]:
            new["outcome"] = {**view["outcome"], "awards": self._sides(view["outcome"]["awards"])}
        new["next_dealer"] = self._letter(view["next_dealer"])
        if view["game"]:
            new["game"] = {
                "winners": {self._side(side) for side in view["game"]["winners"]},
                "bummerl": self._sides(view["game"]["bummerl"]),
            }
        return new


NOTHING = Renaming((0, 1, 2, 3), 0)
