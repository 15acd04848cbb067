"""Read the perft tables of spec/perft and set their positions up."""

from __future__ import annotations

from dataclasses import dataclass

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.schemas import validate
from bauernschnapsen.data.yaml_loader import Document, load_yaml
from bauernschnapsen.errors import Refusal, SpecError, did_you_mean
from bauernschnapsen.notation import SEATS, parse_action, parse_card, parse_seat, parse_suit
from bauernschnapsen.position import PLAY, Position
from bauernschnapsen.ruleset import rules_of
from bauernschnapsen.table import apply, start_contract

from .read import first_dealer, no_scores
from .scenario import Json, Origin, Pair


@dataclass(frozen=True, slots=True)
class PerftCase:
    """A deal and a contract start with its numbers of legal lines of 1, 2, ... cards."""

    id: str
    ruleset: str
    deal: Json
    """As in a replay request: dealer, hands, scores, contract, talon if any; no actions."""
    before: tuple[Pair, ...]
    """Seats and actions between the auction and the first lead, such as leaving the talon."""
    lines: tuple[int, ...]
    origin: Origin

    def position(self) -> Position:
        """The position before the first lead."""
        rules = rules_of(self.ruleset)
        start = self.deal["contract"]
        position = start_contract(
            rules,
            parse_seat(self.deal["dealer"], rules.seats),
            [[parse_card(card) for card in hand] for hand in self.deal["hands"].values()],
            start["name"],
            parse_seat(start["declarer"], rules.seats),
            parse_suit(start["trump"]),
            talon_cards=[parse_card(card) for card in self.deal.get("talon", ())],
        )
        for seat, action in self.before:
            position = apply(position, parse_seat(seat, rules.seats), parse_action(action))
        return position


def load_perft() -> list[PerftCase]:
    """Return all perft cases; SpecError for the first faulty file."""
    cases = []
    for path in sorted((spec_root() / "perft").glob("*.yaml")):
        document = load_yaml(path)
        errors = validate(document.value, "perft-file", document=document)
        if errors:
            raise errors[0]
        for place, entry in enumerate(document.value["perft"]):
            deal = _deal(entry)
            cards = [*(card for hand in deal["hands"].values() for card in hand)]
            cards += deal.get("talon", ())
            if len(set(cards)) != len(cards):
                raise document.error(("perft", place, "deal"), "a card is dealt twice")
            seats_and_actions = [text.partition(" ") for text in entry.get("before", ())]
            before = tuple((seat, action) for seat, _, action in seats_and_actions)
            origin = Origin(path.name, document.where(("perft", place, "id"))[0])
            lines = tuple(entry["lines"])
            case = PerftCase(entry["id"], entry["ruleset"], deal, before, lines, origin)
            _check(case, document, ("perft", place))
            cases.append(case)
    return cases


def _deal(entry: Json) -> Json:
    start, dealt = entry["contract"], entry["deal"]
    hands = {seat: dealt[seat].split() for seat in SEATS if seat in dealt}
    return {
        "dealer": dealt.get("dealer", first_dealer(hands)),
        "hands": hands,
        **({"talon": dealt["talon"].split()} if "talon" in dealt else {}),
        "scores": no_scores(hands),
        "contract": {"name": start["name"], "declarer": start["by"], "trump": start["trump"]},
    }


def _check(case: PerftCase, document: Document, where: tuple[str, int]) -> None:
    """Raise SpecError where the deal does not lead to a first card."""
    try:
        phase = case.position().phase
    except (ValueError, KeyError) as error:
        raise document.error((*where, "deal"), f"cannot be played: {error}") from None
    except Refusal as refusal:
        raise document.error((*where, "before"), f"{refusal.message} ({refusal.rule})") from None
    if phase != PLAY:
        hint = "say in before what is done until the first lead"
        raise document.error(where, "no card can be led yet", hint)


def find_perft(wanted: str) -> PerftCase:
    """Return the case of an id; SpecError with a hint if there is none."""
    cases = {case.id: case for case in load_perft()}
    if wanted not in cases:
        raise SpecError(f"there is no perft case {wanted[:80]!r}", hint=did_you_mean(wanted, cases))
    return cases[wanted]
