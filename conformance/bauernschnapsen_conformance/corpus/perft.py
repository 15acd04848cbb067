"""Read the perft tables of spec/perft and set their positions up."""

from __future__ import annotations

from dataclasses import dataclass

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError, did_you_mean
from bauernschnapsen.notation import parse_card, parse_seat, parse_suit
from bauernschnapsen.position import Position
from bauernschnapsen.ruleset import rules_of
from bauernschnapsen.table import start_contract

from .scenario import Json, Origin


@dataclass(frozen=True, slots=True)
class PerftCase:
    """A deal and a contract start with its numbers of legal lines of 1, 2, ... cards."""

    id: str
    ruleset: str
    deal: Json
    """As in a replay request: dealer, hands, scores, contract."""
    lines: tuple[int, ...]
    origin: Origin

    def position(self) -> Position:
        """The position before the first lead."""
        rules = rules_of(self.ruleset)
        start = self.deal["contract"]
        return start_contract(
            rules,
            parse_seat(self.deal["dealer"], rules.seats),
            [[parse_card(card) for card in hand] for hand in self.deal["hands"].values()],
            start["name"],
            parse_seat(start["declarer"], rules.seats),
            parse_suit(start["trump"]),
        )


def load_perft() -> list[PerftCase]:
    """Return all perft cases; SpecError for the first faulty file."""
    cases = []
    for path in sorted((spec_root() / "perft").glob("*.yaml")):
        document = load_yaml(path)
        errors = validate(document.value, "perft-file", document=document)
        if errors:
            raise errors[0]
        for place, entry in enumerate(document.value["perft"]):
            start = entry["contract"]
            hands = {seat: entry["deal"][seat].split() for seat in "NESW" if seat in entry["deal"]}
            cards = [card for hand in hands.values() for card in hand]
            if len(set(cards)) != len(cards):
                raise document.error(("perft", place, "deal"), "a card is dealt twice")
            sides = ("NS", "EW") if len(hands) > 3 else tuple(hands)
            deal = {
                "dealer": entry["deal"].get("dealer", "W"),
                "hands": hands,
                "scores": dict.fromkeys(sides, 0),
                "contract": {
                    "name": start["name"],
                    "declarer": start["by"],
                    "trump": start["trump"],
                },
            }
            line = document.where(("perft", place, "id"))[0]
            origin = Origin(path.name, line)
            cases.append(
                PerftCase(entry["id"], entry["ruleset"], deal, tuple(entry["lines"]), origin)
            )
    return cases


def find_perft(wanted: str) -> PerftCase:
    """Return the case of an id; SpecError with a hint if there is none."""
    cases = {case.id: case for case in load_perft()}
    if wanted not in cases:
        raise SpecError(f"there is no perft case {wanted[:80]!r}", hint=did_you_mean(wanted, cases))
    return cases[wanted]
