"""The JavaScript adapter in a child process, and the deals of the worked examples.

The names E1, E2, ... are those of the worked examples of the rules. Every deal has all twenty
cards; `W` deals and `N` is forehand unless a deal says otherwise.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bauernschnapsen.ruleset import load_ruleset, vary

HERE = Path(__file__).parent.parent / "adapters" / "javascript"
NODE = shutil.which("node")
SEATS = "NESW"
CARDS = [rank + suit for suit in "HDSC" for rank in "ATKQJ"]
View = dict[str, Any]


class Engine:
    """The adapter in a child process, one request at a time."""

    def __init__(self, *switches: str) -> None:
        assert NODE is not None
        self._child = subprocess.Popen(
            [NODE, str(HERE / "adapter.mjs"), *switches],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._id = 0
        self._sent: set[str] = set()

    def line(self, text: str) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(text + "\n")
        self._child.stdin.flush()

    def ask(self, op: str, **body: Any) -> dict[str, Any]:
        assert self._child.stdout is not None
        self._id += 1
        self.line(json.dumps({"id": self._id, "op": op, **body}))
        reply: dict[str, Any] = json.loads(self._child.stdout.readline())
        assert reply.pop("id") == self._id
        return reply

    def hello(self) -> dict[str, Any]:
        ok: dict[str, Any] = self.ask("hello", protocol={"min": 1, "max": 1})["ok"]
        return ok

    def rules(self, changes: Mapping[str, Any] | None = None) -> str:
        key = json.dumps(changes or {}, sort_keys=True)
        if key not in self._sent:
            assert "ok" in self.ask("rules", key=key, rules=resolved(key))
            self._sent.add(key)
        return key

    def views(self, *deals: Mapping[str, Any], changes: Mapping[str, Any] | None = None) -> Any:
        reply = self.ask("replay", rules=self.rules(changes), deals=deals)
        return reply["ok"]

    def play(self, deal: Mapping[str, Any], **changes: Any) -> list[View]:
        views: list[View] = self.views(deal, changes=changes)[0]
        return views

    def close(self) -> None:
        self._child.communicate(timeout=10)
        assert self._child.returncode == 0


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One adapter for all tests of a module."""
    one = Engine()
    yield one
    one.close()


@cache
def resolved(changes: str) -> dict[str, Any]:
    return vary(load_ruleset("pagat"), json.loads(changes))


def deal(hands: str, actions: str = "", contract: str = "", **more: Any) -> dict[str, Any]:
    """A deal record; `hands` from N clockwise, `actions` and `contract` ("gang E H") as text."""
    packs = [hand.split() for hand in hands.split("/")]
    assert sorted(card for pack in packs for card in pack) == sorted(CARDS)
    record: dict[str, Any] = {
        "dealer": "W",
        "scores": {"NS": 0, "EW": 0},
        "hands": dict(zip(SEATS, packs, strict=True)),
        "actions": [text.split(" ", 1) for text in actions.split(", ") if text],
        **more,
    }
    if contract:
        name, declarer, trump = contract.split()
        record["contract"] = {"name": name, "declarer": declarer, "trump": trump}
    return record


def legal(view: View, seat: str) -> set[str]:
    return set(view["legal"].get(seat, ()))


def plays(view: View, seat: str) -> str:
    """The cards this seat may play, sorted: `AH JH`."""
    return " ".join(sorted(word[5:] for word in legal(view, seat) if word.startswith("play ")))


def reasons(views: list[View]) -> list[str]:
    return [view["refused"] for view in views if "refused" in view]


def awards(view: View) -> tuple[int, int, str]:
    outcome = view["outcome"]
    return outcome["awards"]["NS"], outcome["awards"]["EW"], outcome["reason"]


def comparable(views: Any) -> Any:
    """Views as data, with the order of sets and what is not compared after the end taken out."""
    plain: list[View] = json.loads(json.dumps(views))
    for view in plain:
        view["legal"] = {seat: sorted(words) for seat, words in view["legal"].items()}
        view["sees"] = {
            viewer: {owner: sorted(cards) for owner, cards in known.items()}
            for viewer, known in view["sees"].items()
        }
        if view["phase"] == "over":
            view["trick"] = None
    return plain


E1 = "KH AS TS KS QS / AH JH AC TC KC / TH QC JC AD TD / QH JS KD QD JD"
E2 = "KS AH TH KH QH / JS JH AC TC KC / TS QS QC JC AD / AS TD KD QD JD"
E3 = "AS TH AD TD KD / JH AC TC KC QD / TS QS KS JS AH / KH QH QC JC JD"
E4 = "AS AH AD TD KD / TH AC TC KC QD / TS QS KS JS JD / JH QH KH QC JC"
E5 = "JH QC JC QD JD / AS TS AH TH AD / KS JS KH QH TD / QS AC TC KC KD"
E6 = "QC JC KD QD JD / TS AS AH TH KH / KS QH JH AD TD / QS JS AC TC KC"
E7 = "KC JC AH TH KH / TC QH AD TD KD / AC AS TS KS JH / QC JD QD JS QS"
E8 = "AC JD AH TH KH / KC TC QH AD TD / JC QD AS TS KS / QC KD JS QS JH"
FIVE_TRUMPS = "AH TH KH QH JH / AD TD KD AC TC / QD JD KC QC JC / AS TS KS QS JS"
TWO_FIVES = "AH TH KD QD JD / AC TC KC QC JC / KH QH JH AD TD / AS TS KS QS JS"
E20 = "KH QH AS JD JC / TS AH AD KC QD / KS QS TH TC TD / JS JH AC QC KD"
E22 = "KH QH AS QD JC / TS AH AD KC TD / JS KS QS TH JH / JD KD AC TC QC"
E23 = "KH QH JD JC JS / AH AD AC AS KS / JH QD KC QS QC / TH TD TC TS KD"
E24 = "AH TH KH QS JD / AS KC QC JH QD / AC AD TD JS QH / TS KS TC JC KD"
E25 = "AH TH KH QH AC / AS TS KS TD KD / JH QS QD JD JC / JS AD TC KC QC"
E36 = "KH QH JC AS JD / AC TC KS AH JS / KC QC QS TH JH / KD TS AD TD QD"
FIRST_27 = "N play AS, E play TS, S play KS, W play JS"
E32 = "JH QS KS JD QD / AS AD TD KC JC / TS JS KD TC QC / AH TH KH QH AC"
E32_LOST = "JH QS KS JD QD / AS AD TD KC JC / TS AC KD TC QC / AH TH KH QH JS"

E24_TRICKS = (
    "N play QS, E play AS, S play JS, W play KS, E marry KC, S play AC, W play JC, N play KH, "
    "N play AH, E play JH, S play QH, W play KD, N play TH, E play QD, S play AD, W play TS"
)
E36_TRICKS = (
    "N play JC, E play AC, S play KC, W play KD, E play KS, S play QS, W play TS, N play AS"
)
