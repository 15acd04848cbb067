"""A table to play examples at, in the notation of the rules: seat, then action."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import notation, table
from bauernschnapsen.errors import Refusal
from bauernschnapsen.match import new_score
from bauernschnapsen.ruleset import Rules, rules_of


class Scene:
    """A deal under way. Dealer W, so that N is forehand, E his left neighbour, S his partner."""

    def __init__(
        self,
        deal: str,
        start: str | None = None,
        *,
        dealer: str = "W",
        scores: tuple[int, int] = (0, 0),
        rules: Rules | None = None,
    ) -> None:
        """Deal `N: AH TH ... / E: ... / S: ... / W: ...`; `start` is `normal N H` or None."""
        rules = rules or rules_of("pagat")
        hands: list[list[int]] = [[]] * 4
        for part in deal.split("/"):
            seat, cards = part.split(":")
            hands[notation.parse_seat(seat.strip())] = notation.parse_cards(cards)
        place, score = notation.parse_seat(dealer), new_score(rules, scores)
        if start is None:
            self.position = table.new_deal(rules, place, hands, score)
        else:
            name, seat, trump = start.split()
            declarer, suit = notation.parse_seat(seat), notation.parse_suit(trump)
            self.position = table.start_contract(rules, place, hands, name, declarer, suit, score)

    def do(self, *steps: str) -> Scene:
        """Do what is written: one step, or several of a trick with `play` understood (`N KH`)."""
        for step in steps:
            seat, action = _read(step)
            self.position = table.apply(self.position, seat, action)
        return self

    def trick(self, cards: str) -> Scene:
        """Play cards in turn, whoever is to act."""
        for card in cards.split():
            turn = self.position.turn
            assert turn is not None, f"nobody is to play {card}"
            action = notation.parse_action(f"play {card}")
            self.position = table.apply(self.position, turn, action)
        return self

    def refused(self, step: str) -> str:
        """Return the rule that an action breaks; AssertionError if it is accepted."""
        seat, action = _read(step)
        before = self.view
        try:
            table.apply(self.position, seat, action)
        except Refusal as refusal:
            assert self.view == before
            assert not self.can(step)
            return refusal.rule
        raise AssertionError(f"{step} is accepted")

    def can(self, step: str) -> bool:
        """Whether an action is legal."""
        seat, action = step.split(" ", 1)
        return action in self.legal(seat)

    def legal(self, seat: str) -> set[str]:
        """Return all that a seat may do."""
        return set(self.view["legal"].get(seat, ()))

    @property
    def view(self) -> dict[str, Any]:
        """The view of the position."""
        return table.view(self.position)

    @property
    def awards(self) -> tuple[int, int]:
        """Game points that this deal has brought to N and S, and to E and W."""
        outcome = self.view["outcome"]
        assert outcome is not None, "the deal has not ended"
        return outcome["awards"]["NS"], outcome["awards"]["EW"]

    @property
    def points(self) -> tuple[int, int]:
        """Card points of N and S, and of E and W."""
        return self.view["points"]["NS"], self.view["points"]["EW"]

    @property
    def reason(self) -> str | None:
        """Why the deal has ended, or None."""
        outcome = self.view["outcome"]
        return outcome["reason"] if outcome else None


def _read(step: str) -> tuple[int, notation.Action]:
    seat, words = step.split(" ", 1)
    if words in notation.CARD_NUMBER:
        words = f"play {words}"
    return notation.parse_seat(seat), notation.parse_action(words)
