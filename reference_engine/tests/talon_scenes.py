"""A table of three in the middle of a deal, under rules that a test chooses."""

from __future__ import annotations

from typing import Any

import pytest

from bauernschnapsen import notation, table
from bauernschnapsen.errors import Refusal
from bauernschnapsen.match import new_score
from bauernschnapsen.ruleset import Rules, compile_rules, load_ruleset, vary

BASE = load_ruleset("talon")
HANDS = {
    "N": "AH TH KH QH AS KD",
    "E": "JH AD TD KS QS JC",
    "S": "QD JD TS JS KC QC",
    "talon": "AC TC",
}
FIVE = {"N": "AS TS KS QD JD KD", "E": "AH TH KH QH JC TC", "S": "AD TD QS JS AC KC"}
FIVE["talon"] = "JH QC"


def variant(**options: Any) -> Rules:
    return compile_rules(vary(BASE, {"options": options}))


def with_contract(name: str, options: dict[str, Any] | None = None, **fields: Any) -> Rules:
    changes = {"contracts": {name: fields}, "options": options or {}}
    return compile_rules(vary(BASE, changes))


class Table:
    """A deal of three under way. Dealer S, so that N is forehand."""

    def __init__(
        self,
        start: str | None = None,
        rules: Rules | None = None,
        hands: dict[str, str] | None = None,
        scores: tuple[int, ...] = (0, 0, 0),
    ) -> None:
        """`start` is `gang N H` or None, which starts before the trump is named."""
        rules = rules or compile_rules(BASE)
        dealt = {owner: notation.parse_cards(cards) for owner, cards in (hands or HANDS).items()}
        talon = dealt.pop("talon")
        score = new_score(rules, scores)
        if start is None:
            self.position = table.new_deal(rules, 2, list(dealt.values()), score, talon)
            return
        name, seat, suit = start.split()
        self.position = table.start_contract(
            rules,
            2,
            list(dealt.values()),
            name,
            notation.parse_seat(seat),
            notation.parse_suit(suit),
            score,
            talon,
        )

    def do(self, *steps: str) -> Table:
        for step in steps:
            seat, action = step.split(" ", 1)
            self.position = table.apply(
                self.position, notation.parse_seat(seat), notation.parse_action(action)
            )
        return self

    def refused(self, step: str) -> str:
        """Return the rule that an action breaks; nothing may change."""
        before = self.view
        with pytest.raises(Refusal) as caught:
            self.do(step)
        seat, action = step.split(" ", 1)
        assert self.view == before
        assert action not in before["legal"].get(seat, ())
        return caught.value.rule

    @property
    def view(self) -> dict[str, Any]:
        return table.view(self.position)

    @property
    def awards(self) -> list[int]:
        return list(self.view["outcome"]["awards"].values())


def auction(rules: Rules | None = None, hands: dict[str, str] | None = None) -> Table:
    """The auction after forehand has named the suit of his first card and opened."""
    suit = (hands or HANDS)["N"][1]
    return Table(None, rules, hands).do(f"N trump {suit}", "N bid normal")


# --------------------------------------------------------------------------- whole deals

VARIANTS = {
    "plain": variant(),
    "raise": variant(talon_raise="allowed", no_talon_bonus=1),
    "without": variant(no_talon_precedence="present", no_talon_bonus=1, equal_bids="never"),
    "late": with_contract("farben-gang", held_at="after_talon"),
    "shown": with_contract("gang", goal="shown", hold="an_ace", held_at="show"),
    "cap": variant(kontra_cap="when_decisive", no_talon_bonus=1, claim_mode="at_end"),
    "carinthia": compile_rules(load_ruleset("talon_carinthia")),
    "wikipedia": compile_rules(load_ruleset("talon_wikipedia")),
}
