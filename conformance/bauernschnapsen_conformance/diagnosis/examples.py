"""Requests to examine an adapter with: situations that every engine can be asked about.

What they are answered is not judged here, only that it is answered, the same way each time.
"""

from __future__ import annotations

from typing import Any

from ..adapter.handshake import Capabilities

Json = dict[str, Any]
SEATS = ["N", "E", "S", "W"]
_TABLE = {"contract": "normal", "trump": "H", "declarer": "N", "seats": SEATS}
_HANDS = (
    ("KH QH TS KC JD", "AH JH QS AC TD", "TH AS JS QC KD", "KS TC JC AD QD"),
    ("AS KS JS QH TD", "TS QS AH JD KC", "KH TH AD QC JC", "JH QD KD TC AC"),
    ("QD JD AD TS KD", "KC TD QC AH JS", "AC TC QH KS JH", "JC TH KH AS QS"),
)
LEGAL_CASES: list[Json] = [
    {**_TABLE, "trick": [["N", "KH"]], "seat": "E", "hand": ["AH", "JH"]},
    {**_TABLE, "trick": [["N", "KC"]], "seat": "E", "hand": ["AH", "QS"]},
    {**_TABLE, "trick": [], "seat": "N", "hand": ["TD", "QS"]},
]
WINNER_CASES: list[Json] = [
    {**_TABLE, "trick": [["N", "KH"], ["E", "AH"], ["S", "TH"], ["W", "QH"]]},
    {**_TABLE, "trick": [["N", "AS"], ["E", "TS"], ["S", "JH"], ["W", "KS"]]},
]


def deal(number: int, *, contract: bool, actions: list[list[str]]) -> Json:
    """Return a deal of a replay request; N is forehand and, from a contract, plays Normal."""
    hands = {seat: cards.split() for seat, cards in zip(SEATS, _HANDS[number], strict=True)}
    record: Json = {"dealer": "W", "hands": hands, "scores": {"NS": 0, "EW": 0}}
    if contract:
        trump = hands["N"][0][1]
        record["contract"] = {"name": "normal", "declarer": "N", "trump": trump}
    record["actions"] = actions
    return record


def replays(able: Capabilities) -> list[Json]:
    """Return requests to replay deals from each start the adapter declares."""
    found = []
    if "contract" in able.starts:
        lines = (
            [["N", "play KH"], ["E", "play AH"], ["S", "play TH"], ["W", "play KS"]],
            [["E", "kontra"], ["N", "play AS"], ["E", "play QS"], ["S", "play QC"]],
            [["N", "marry QD"], ["E", "play TD"]],
        )
        found += [
            {"op": "replay", "deals": [deal(place, contract=True, actions=actions)]}
            for place, actions in enumerate(lines)
        ]
    if "deal" in able.starts:
        opening = [["N", "bid normal"], ["E", "pass"], ["S", "pass"], ["W", "pass"]]
        for place, trump in enumerate("HSD"):
            actions = [["N", f"trump {trump}"], *opening]
            found.append({"op": "replay", "deals": [deal(place, contract=False, actions=actions)]})
    return found


def questions(able: Capabilities) -> list[Json]:
    """Return a request of every kind the adapter declares, several of each."""
    found: list[Json] = []
    if able.legal_plays:
        found += [{"op": "legal_plays", "cases": [case]} for case in LEGAL_CASES]
    if able.trick_winner:
        found += [{"op": "trick_winner", "cases": [case]} for case in WINNER_CASES]
    return found + replays(able)


def refusals(able: Capabilities) -> Json | None:
    """Return a replay in which three actions must be refused and the last one accepted."""
    if not able.starts:
        return None
    contract = "contract" in able.starts
    opening = [["N", "trump H"], ["N", "bid normal"]]
    opening += [[seat, "pass"] for seat in "ESW"]
    tried = [["E", "play AH"], ["N", "play AH"], ["N", "dance on the table"], ["N", "play KH"]]
    actions = tried if contract else opening + tried
    return {"op": "replay", "deals": [deal(0, contract=contract, actions=actions)]}
