"""Read scenario and position files: schema first, then what a schema cannot say.

Every function returns what it could read together with a list of SpecError, so that an author sees
all faults of a file at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.likely import hint_about
from bauernschnapsen.notation import CARDS, SEATS, parse_action, side_names

from .misread import in_words
from .scenario import (
    DealRecord,
    Do,
    Expect,
    Json,
    Origin,
    Pair,
    PositionCase,
    Refuse,
    Scenario,
    Step,
)

Pointer = tuple[str | int, ...]


class _Faults:
    """Collects what is wrong with one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.errors: list[SpecError] = []

    def add(self, where: Pointer, message: str, hint: str | None = None) -> None:
        line, column = self.document.where(where)
        field = ""
        for part in where:
            field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else part
        self.errors.append(SpecError(message, self.document.file, line, column, field, hint))


def read_scenario_file(path: Path, shown_as: str) -> tuple[list[Scenario], list[SpecError]]:
    """Read one scenario file; `shown_as` is its name in reports."""
    try:
        document = load_yaml(path)
    except SpecError as error:
        return [], [error]
    errors = validate(document.value, "scenario-file", document=document)
    if errors:
        return [], in_words(document, errors)
    faults = _Faults(document)
    data: Json = document.value
    deals = {
        name: _read_deal(deal, ("deals", name), faults)
        for name, deal in data.get("deals", {}).items()
    }
    scenarios = []
    for place, entry in enumerate(data["scenarios"]):
        where: Pointer = ("scenarios", place)
        line = document.where((*where, "id"))[0]
        records = _read_records(entry, deals, where, faults)
        scenarios.append(
            Scenario(
                id=entry["id"],
                topic=data["topic"],
                title=entry["title"],
                why=entry["why"],
                rules=tuple(entry["rules"]),
                deals=tuple(records),
                under=entry.get("under", {}),
                example=entry.get("example", False),
                provisional=entry.get("provisional"),
                origin=Origin(shown_as, line),
            )
        )
    return scenarios, faults.errors


def _read_deal(deal: Json, where: Pointer, faults: _Faults) -> Json:
    """Check that a deal has all twenty cards once; return dealer, hands and talon."""
    hands = {seat: tuple(deal[seat].split()) for seat in SEATS if seat in deal}
    given: dict[str, str] = {}
    talon = tuple(deal["talon"].split()) if "talon" in deal else ()
    for owner, cards in (*hands.items(), ("talon", talon)):
        for card in cards:
            if card in given:
                faults.add(
                    (*where, owner), f"{card} is dealt to {given[card]} and again to {owner}"
                )
            given[card] = owner
    missing = [card for card in CARDS if card not in given]
    if missing:
        faults.add(where, f"{len(given)} cards are dealt; missing: {' '.join(missing)}")
    sizes = {len(cards) for cards in hands.values()}
    if len(sizes) > 1:
        counts = ", ".join(f"{seat} {len(cards)}" for seat, cards in hands.items())
        faults.add(where, f"every seat gets the same number of cards ({counts})")
    dealer = deal.get("dealer", first_dealer(hands))
    if hands and dealer not in hands:
        faults.add((*where, "dealer"), f"nobody sits at {dealer}")
    return {"dealer": dealer, "hands": hands, "talon": talon}


def first_dealer(hands: Iterable[str]) -> str:
    """Return who deals where nobody is named: the last seat, so that the first is forehand."""
    return list(hands)[-1]


def no_scores(hands: Collection[str]) -> dict[str, int]:
    """Return the score at the start of a game of the seats that have these hands."""
    seats = len(hands)
    return dict.fromkeys(side_names(seats, partners=seats % 2 == 0), 0)


def _read_records(
    entry: Json, deals: Mapping[str, Json], where: Pointer, faults: _Faults
) -> list[DealRecord]:
    if "play_on" not in entry:
        return [_read_record(entry, deals, where, faults, first=True)]
    return [
        _read_record(item, deals, (*where, "play_on", place), faults, first=place == 0)
        for place, item in enumerate(entry["play_on"])
    ]


def _read_record(
    entry: Json, deals: Mapping[str, Json], where: Pointer, faults: _Faults, *, first: bool
) -> DealRecord:
    key = "deal" if "deal" in entry else "hands"
    name = entry[key]
    deal = deals.get(name)
    if deal is None:
        known = ", ".join(deals) or "none"
        faults.add((*where, key), f"there is no deal {name!r} in this file (deals: {known})")
        deal = {"dealer": SEATS[-1], "hands": dict.fromkeys(SEATS, ()), "talon": ()}
    if first and key == "hands":
        faults.add((*where, key), "the first deal says its dealer: write deal instead of hands")
    follows = key == "hands"
    scores = entry.get("scores")
    if follows and scores is not None:
        faults.add((*where, "scores"), "after hands the score follows from the deal before")
    if scores is None and not follows:
        scores = no_scores(deal["hands"])
    contract = entry.get("contract")
    return DealRecord(
        hands=deal["hands"],
        steps=tuple(_read_steps(entry["steps"], (*where, "steps"), faults)),
        dealer=None if follows else deal["dealer"],
        scores=None if follows else scores,
        contract=contract
        and {"name": contract["name"], "declarer": contract["by"], "trump": contract["trump"]},
        talon=deal["talon"],
    )


def _read_steps(steps: list[Any], where: Pointer, faults: _Faults) -> list[Step]:
    read: list[Step] = []
    for place, step in enumerate(steps):
        here: Pointer = (*where, place)
        if isinstance(step, str):
            read.append(Do(*_read_action(step, here, faults)))
        elif "refused" in step:
            seat, _, action = step["refused"].partition(" ")
            read.append(Refuse(seat, action, step["because"]))
        else:
            if read and isinstance(read[-1], Expect):
                faults.add(here, "two expectations in a row: write them as one")
            read.append(_read_expect(step["expect"], (*here, "expect"), faults))
    if read and not any(isinstance(step, Expect | Refuse) for step in read):
        faults.add(where, "nothing is stated: add an expect or a refused step")
    return read


def _read_action(text: str, where: Pointer, faults: _Faults) -> Pair:
    seat, _, action = text.partition(" ")
    try:
        parse_action(action)
    except Refusal as refusal:
        faults.add(where, refusal.message, hint_about(action))
    return seat, action


def _read_expect(expect: Json, where: Pointer, faults: _Faults) -> Expect:
    view: Json = {}
    for key, value in expect.items():
        if key in ("can", "cannot"):
            continue
        if key == "trick":
            view[key] = _read_trick(value)
        elif key == "last_trick" and value and "cards" in value:
            view[key] = {**value, "cards": _read_trick(value["cards"])}
        elif key == "sees":
            view[key] = {
                viewer: {owner: cards.split() for owner, cards in known.items()}
                for viewer, known in value.items()
            }
        else:
            view[key] = value
    for seat, actions in expect.get("legal", {}).items():
        for place, action in enumerate(actions):
            _read_action(f"{seat} {action}", (*where, "legal", seat, place), faults)
    lists: dict[str, tuple[Pair, ...]] = {
        key: tuple(
            _read_action(text, (*where, key, place), faults)
            for place, text in enumerate(expect.get(key, ()))
        )
        for key in ("can", "cannot")
    }
    return Expect(view, lists["can"], lists["cannot"])


def _read_trick(text: str) -> list[list[str]]:
    words = text.split()
    return [list(pair) for pair in zip(words[::2], words[1::2], strict=True)]


# --------------------------------------------------------------------------- positions


def read_position_file(path: Path, shown_as: str) -> tuple[list[PositionCase], list[SpecError]]:
    """Read one table of trick situations; its file name begins with the chapter."""
    try:
        document = load_yaml(path)
    except SpecError as error:
        return [], [error]
    errors = validate(document.value, "position-file", document=document)
    if errors:
        return [], errors
    faults = _Faults(document)
    chapter = path.stem.split("-")[0]
    cases = []
    for place, group in enumerate(document.value["positions"]):
        for number, entry in enumerate(group["cases"]):
            where: Pointer = ("positions", place, "cases", number)
            trick = tuple((seat, card) for seat, card in _read_trick(entry["trick"]))
            hand = tuple(entry.get("hand", "").split())
            legal = tuple(entry.get("legal", "").split())
            cards = [card for _, card in trick] + list(hand)
            if len(set(cards)) != len(cards):
                faults.add(where, "a card appears twice")
            if not set(legal) <= set(hand):
                faults.add((*where, "legal"), "legal names cards that are not in the hand")
            seats = [seat for seat, _ in trick] + ([entry["seat"]] if "seat" in entry else [])
            if len(set(seats)) != len(seats):
                faults.add(where, "a seat appears twice")
            cases.append(
                PositionCase(
                    chapter=chapter,
                    topic=document.value["topic"],
                    rules=tuple(group["rules"]),
                    contract=group["contract"],
                    trump=group["trump"],
                    declarer=group["declarer"],
                    trick=trick,
                    seat=entry.get("seat"),
                    hand=hand,
                    legal=legal,
                    winner=entry.get("winner"),
                    under=group.get("under", {}),
                    origin=Origin(shown_as, faults.document.where(where)[0]),
                )
            )
    return cases, faults.errors
