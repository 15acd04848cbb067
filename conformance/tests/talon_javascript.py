"""A table of three with a talon, kept by the engine in plain JavaScript; deals in short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from javascript_adapter import CARDS, Engine, View

from bauernschnapsen.ruleset import load_ruleset, vary

Json = dict[str, Any]
SEATS = "NES"
NOTHING = {"N": 0, "E": 0, "S": 0}


class Table:
    """The adapter, asked by a ruleset of three seats with these changes."""

    def __init__(self) -> None:
        self.engine = Engine()
        self._sent: set[str] = set()

    def views(
        self, *deals: Json, ruleset: str = "talon", changes: Mapping[str, Any] | None = None
    ) -> list[list[View]]:
        key = f"{ruleset} {changes or {}}"
        if key not in self._sent:
            rules = vary(load_ruleset(ruleset), changes or {})
            assert self.engine.ask("rules", key=key, rules=rules) == {"ok": True}
            self._sent.add(key)
        views: list[list[View]] = self.engine.ask("replay", rules=key, deals=deals)["ok"]
        return views

    def play(
        self, deal: Json, changes: Mapping[str, Any] | None = None, *, ruleset: str = "talon"
    ) -> list[View]:
        return self.views(deal, ruleset=ruleset, changes=changes)[0]


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    one = Table()
    yield one
    one.engine.close()


def deal(packs: str, actions: str = "", contract: str = "", **more: Any) -> Json:
    """A deal record; `packs` are the hands of N, E and S and the talon."""
    *hands, talon = (pack.split() for pack in packs.split("/"))
    assert sorted(card for pack in (*hands, talon) for card in pack) == sorted(CARDS)
    record: Json = {
        "dealer": "S",
        "scores": NOTHING,
        "hands": dict(zip(SEATS, hands, strict=True)),
        "talon": talon,
        "actions": [text.split(" ", 1) for text in actions.split(", ") if text],
        **more,
    }
    if contract:
        name, declarer, trump = contract.split()
        record["contract"] = {"name": name, "declarer": declarer, "trump": trump}
    return record


def awards(view: View) -> tuple[int, int, int, str]:
    paid = view["outcome"]["awards"]
    return paid["N"], paid["E"], paid["S"], view["outcome"]["reason"]


# N can win three tricks with 82 card points in a Schnapser; then his jack loses and his ten wins.
STRONG = "AH KH QH AS TS JC / TH AC TC QC JD AD / JH KC QD KD TD QS / KS JS"
THREE_TRICKS = (
    "N keep, N play AH, E play TH, S play JH, N marry KH, E play JD, S play QD, "
    "N play QH, E play QC, S play KC"
)
LOST = "N keep, N play JC, E play TC, S play KC"
# E has all clubs and the queen of spades.
CLUBS = "AH TH KH AS AD TD / AC TC KC QC JC QS / QH JH KS TS KD QD / JS JD"
