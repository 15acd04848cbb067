"""A ruleset that is taken for an engine's, with the lines that would show another one."""

from __future__ import annotations

from itertools import islice
from typing import Any

from bauernschnapsen.notation import SUITS, parse_action, parse_seat, seat_letters
from bauernschnapsen.ruleset import Resolved, Rules

from .alike import same_form, without_effect
from .asking import Observer
from .fields import (
    AUCTION_FIELDS,
    AUCTION_OPTIONS,
    MATCH_OPTIONS,
    PLAY_FIELDS,
    PLAY_OPTIONS,
    Path,
    changed,
    played,
)
from .lines import Line, Move, Start
from .pools import Drawn, Pools, find_tell
from .telling import Tell

_FEWEST_VOTES, VOTES = 4, 8


class Belief:
    """A ruleset, what has no effect in it, and pools of lines made under it."""

    def __init__(
        self, ruleset: Resolved, observer: Observer, drawn: dict[tuple[str, int], Drawn]
    ) -> None:
        """`drawn` is shared by all beliefs of a search, so that lines are made once."""
        self.ruleset = ruleset
        self.houses = observer.houses
        self.rules = self.houses.rules(ruleset)
        self.idle = without_effect(ruleset)
        self._auctions = "deal" in observer.starts
        self.pools = Pools(
            ruleset,
            houses=self.houses,
            drawn=drawn,
            to_contract=None if "contract" in observer.starts else _by_auction,
            auctions=self._auctions,
            plays=bool(observer.starts),
        )

    def rules_with(self, path: Path, value: Any) -> Rules:
        """Return the rules with another value of one field."""
        return self.houses.rules(changed(self.ruleset, path, value))

    def same_with(self, path: Path, value: Any) -> bool:
        """Whether another value of a field makes no difference here."""
        return same_form(changed(self.ruleset, path, value), self.ruleset)

    # ------------------------------------------------------------------ fields

    def auction_fields(self) -> list[Path]:
        """Return the fields that show in the auction; without one, whether a contract is played."""
        if not self._auctions:
            return [("contracts", name, "played") for name in self.ruleset["contracts"]]
        return self._fields_of_auctions()

    def hidden_fields(self) -> list[Path]:
        """Return the fields that an engine without auctions cannot show."""
        shown = {*self.all_fields()}
        return [path for path in self._fields_of_auctions() if path not in shown]

    def _fields_of_auctions(self) -> list[Path]:
        names = played(self.ruleset)
        fields: list[Path] = [("options", option) for option in AUCTION_OPTIONS]
        for name in self.ruleset["contracts"]:
            wanted = AUCTION_FIELDS[:-1] if name in names else ("played",)
            fields += [("contracts", name, one) for one in wanted]
        return fields

    def play_fields(self, name: str) -> list[Path]:
        """Return the fields that show in the play of a contract."""
        fields: list[Path] = [("options", option) for option in PLAY_OPTIONS]
        if name not in played(self.ruleset):
            return fields
        return [*fields, *(("contracts", name, one) for one in PLAY_FIELDS)]

    def match_fields(self) -> list[Path]:
        """Return the fields that show when deals have ended."""
        return [("options", option) for option in MATCH_OPTIONS]

    def all_fields(self) -> list[Path]:
        """Return all fields that an engine can show."""
        fields = self.auction_fields()
        for name in played(self.ruleset):
            fields += self.play_fields(name)
        return list(dict.fromkeys([*fields, *self.match_fields()]))

    # ------------------------------------------------------------------ lines

    def ballot(self, paths: list[Path], other: Rules, *, most: int = VOTES) -> list[list[Tell]]:
        """Return lines from everywhere these fields show, a list for each place."""
        purposes = dict.fromkeys(one for path in paths for one in self.pools.purposes(path))
        found = [list(islice(self.pools.tells_of(purpose, other), most)) for purpose in purposes]
        found = [group for group in found if group]
        if not found:
            late = (find_tell(self.pools, path, other) for path in paths)
            return [[tell] for tell in late if tell is not None]
        each = max(_FEWEST_VOTES, most // len(found))
        return [group[:: max(1, len(group) // each)][:each] for group in found]


def _by_auction(rules: Rules, start: Start) -> list[Move] | None:
    """Return the moves of an auction that leads to a contract."""
    from ..run.fitting import shortest_auction

    assert start.contract is not None
    name, declarer, suit = start.contract
    record = Line(start, ()).record()
    letters = seat_letters(rules.seats)
    record["contract"] = {"name": name, "declarer": letters[declarer], "trump": SUITS[suit]}
    moves = shortest_auction(record, rules)
    if moves is None:
        return None
    return [(parse_seat(seat, rules.seats), parse_action(action)) for seat, action in moves]
