"""Tasks: one scenario each, ready to be asked as a replay or as a query, or judged already."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bauernschnapsen.notation import seat_letters
from bauernschnapsen.queries import answer_case
from bauernschnapsen.ruleset import Rules

from ..corpus import Item, PositionCase, Prepared
from ..corpus.scenario import Json
from .levels import Level
from .turning import Turning
from .verdicts import Judgement


@dataclass(frozen=True, slots=True)
class Query:
    """A situation as a query: the operation, one case of its list, and the right answer."""

    op: str
    case: Json
    expected: tuple[str, ...] | str

    @classmethod
    def of(cls, position: PositionCase, rules: Rules) -> Query:
        """Return the query of a situation."""
        case: Json = {
            "contract": position.contract,
            "trump": position.trump,
            "declarer": position.declarer,
            "seats": list(seat_letters(rules.seats)),
            "trick": [list(pair) for pair in position.trick],
        }
        if position.seat is None:
            assert position.winner is not None
            return cls("trick_winner", case, position.winner)
        case |= {"seat": position.seat, "hand": list(position.hand)}
        return cls("legal_plays", case, position.legal)

    def untrue(self, rules: Rules) -> str | None:
        """Say why the stated answer is not that of the reference engine, or None if it is."""
        if self.case["contract"] not in rules.by_name:
            return f"{self.case['contract']} is not played"
        if not self._sits(rules):
            return "another number of seats"
        if len(self.case.get("hand", ())) > rules.hand_size:
            return f"nobody holds more than {rules.hand_size} cards"
        answer = answer_case(self.op, self.case, rules)
        stated = self.expected if isinstance(self.expected, str) else list(self.expected)
        if answer == stated or (isinstance(answer, list) and set(answer) == set(stated)):
            return None
        return f"the reference engine answers {answer}, stated is {stated}"

    def _sits(self, rules: Rules) -> bool:
        """Whether the seats follow each other at this table, a partner perhaps sitting out."""
        letters = seat_letters(rules.seats)
        named = [seat for seat, _ in self.case["trick"]]
        complete = self.op == "trick_winner"
        asked = named if complete else [*named, self.case["seat"]]
        if not {*asked, self.case["declarer"]} <= set(letters):
            return False
        declarer = letters.index(self.case["declarer"])
        out = {s for s in range(rules.seats) if rules.side_of[s] == rules.side_of[declarer]}
        sits_out = rules.by_name[self.case["contract"]].partner == "out"
        out = out - {declarer} if sits_out else set()
        places = [letters.index(seat) for seat in asked]
        if out.intersection(places):
            return False
        if complete:
            places.append(places[0])
        for here, there in pairwise(places):
            between = {
                (here + step) % rules.seats
                for step in range(1, (there - here) % rules.seats or rules.seats)
            }
            if not between <= out:
                return False
        return not complete or len(set(asked)) == len(asked) >= rules.seats - len(out)


@dataclass(frozen=True, slots=True)
class Task:
    """One scenario ready to be asked, or already judged because it need not be."""

    number: int
    item: Item
    level: Level
    prepared: Prepared | None = None
    turning: Turning | None = None
    query: Query | None = None
    skip: tuple[int, ...] = ()
    """Views at the beginning of each deal that only lead to its contract."""
    done: Judgement | None = None
