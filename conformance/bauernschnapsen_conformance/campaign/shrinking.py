"""Shrinking: from a case in which an engine is wrong to one in which nothing can be dropped.

What dropping means, one step at a time, each of which makes the case smaller in the order in which
they stand here (`measure`):

1. a deal is left out; the next one then states dealer and scores itself
2. actions are left out: any run of them, down to every single one
3. trump choice and auction are left out: the deal starts in its contract, if the engine takes that,
   else by the shortest auction that leads there
4. scores become 0 : 0
5. the table is turned so that forehand sits in the first seat
6. suits are renamed so that the named suit, or else the first card, is of the first suit
7. two cards are exchanged so that the deal reads plainer: hands in the order of the pack, from the
   first seat on. A card that does not matter ends where the plainest deal has it. (First all cards
   at once are tried, and all that no action names.)

A smaller case counts only if the engine is wrong in it for the same cause. Shrinking ends when no
single step is left that does, so that whatever is still there is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import CARD_NUMBER, SUITS, parse_seat, seat_letters
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules

from ..run.fitting import CannotBeAsked, cut_auction, shortest_auction
from ..run.turning import turn
from ..run.undecided import is_undecided
from .findings import cut_off
from .generators import Case
from .judging import ENGINE_ERROR, OTHER_ERROR, Cause, Discrepancy, Question
from .workers import Opened

Json = dict[str, Any]
MOST_ASKED = 8000
"""Most cases asked for one finding."""
MOST_FAULTS = 100
"""Most times that its process may misbehave meanwhile: each costs a start, or a wait."""
_BATCH = 16


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest case, what is wrong in it, and how it was reached."""

    deals: Case
    discrepancy: Discrepancy
    asked: int
    finished: bool
    """Whether nothing is left that could be dropped; else the bound on questions was reached."""


def shrink(engine: Opened, deals: Case, wrong: Discrepancy) -> Shrunk:
    """Return the smallest case in which the engine is wrong for the same cause."""
    return _Shrinking(engine, deals, wrong).run()


def shortest_prefix(engine: Opened, deals: Case) -> tuple[Case, Discrepancy] | None:
    """Return the shortest beginning of a case in which anything is wrong, or None."""
    prefixes = [
        [*deals[:number], {**deals[number], "actions": deals[number]["actions"][:length]}]
        for number in range(len(deals))
        for length in range(len(deals[number]["actions"]) + 1)
    ]
    for start in range(0, len(prefixes), _BATCH):
        batch = prefixes[start : start + _BATCH]
        for case, wrong in zip(batch, ask_all(engine, batch), strict=True):
            if wrong is not None:
                return cut_off(case, wrong), wrong
    return None


def ask_all(engine: Opened, cases: Sequence[Case]) -> list[Discrepancy | None]:
    """Return what is wrong in each of some cases; None also where one cannot be asked."""

    def questions() -> Iterator[tuple[int, Question]]:
        for number, case in enumerate(cases):
            asked = engine.question(case)
            if asked is not None:
                yield number, asked

    found: list[Discrepancy | None] = [None] * len(cases)
    for number, _, wrong, _ in engine.put(questions()):
        found[number] = wrong
    return found


class _Shrinking:
    """A case on its way to the smallest one."""

    def __init__(self, engine: Opened, deals: Case, wrong: Discrepancy) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.cause: Cause = wrong.cause
        self.deals = cut_off(deals, wrong)
        self.wrong = wrong
        self.asked = self.faults = 0

    @property
    def exhausted(self) -> bool:
        """Whether so much has been asked that it has to be enough."""
        return self.asked >= MOST_ASKED or self.faults >= MOST_FAULTS

    def run(self) -> Shrunk:
        """Take steps until none is left."""
        progress = True
        while progress and not self.exhausted:
            progress = False
            for kind in _STEPS:
                progress |= self._steps_of(kind)
        return Shrunk(self.deals, self.wrong, self.asked, not self.exhausted)

    def _steps_of(self, kind: Any) -> bool:
        """Take all steps of a kind, one after the other; return whether there was any.

        After a step it goes on where it was: what could not be dropped before is tried again only
        in the next round.
        """
        place, progress = 0, False
        while not self.exhausted:
            taken = self._step(kind, place)
            if taken is None:
                break
            place, progress = taken, True
        return progress

    def _step(self, kind: Any, place: int) -> int | None:
        """Take the first step of a kind, from a place in their order, that keeps the cause."""
        size = measure(self.deals)
        starts = self.engine.able.starts
        cases: Iterator[Case] = kind(self.deals, self.rules, starts)
        smaller = islice((case for case in cases if measure(case) < size), place, None)
        # Where each fault costs a start, nothing is asked that may not be needed.
        size_of_batch = _BATCH if self.wrong.difference is not None else 1
        while not self.exhausted and (batch := list(islice(smaller, size_of_batch))):
            self.asked += len(batch)
            answers = ask_all(self.engine, batch)
            self.faults += sum(one is not None and is_fault(one) for one in answers)
            for case, wrong in zip(batch, answers, strict=True):
                if wrong is not None and wrong.cause == self.cause:
                    self.deals, self.wrong = cut_off(case, wrong), wrong
                    return place
                place += 1
        return None


def is_fault(wrong: Discrepancy) -> bool:
    """Whether the engine's process misbehaved, rather than its rules."""
    return wrong.difference is None and wrong.cause.field not in (ENGINE_ERROR, OTHER_ERROR)


def measure(deals: Case) -> tuple[Any, ...]:
    """Return what makes a case small: it is compared from left to right."""
    named = [_named_suit(deal) for deal in deals]
    return (
        len(deals),
        sum(len(deal["actions"]) for deal in deals),
        sum("contract" not in deal for deal in deals),
        sum(bool(points) for deal in deals for points in deal.get("scores", {}).values()),
        [_from_first_seat(deal) for deal in deals],
        [SUITS.index(suit) for suit in named],
        [[CARD_NUMBER[card] for card in _cards(deal)] for deal in deals],
    )


def _named_suit(deal: Json) -> str:
    """The suit that is named, or else that of the first card played or dealt."""
    if "contract" in deal:
        suit: str = deal["contract"]["trump"]
        return suit
    for _, action in deal["actions"]:
        verb, _, word = action.partition(" ")
        if verb == "trump" and word in SUITS and word:
            return str(word)
    return str(_cards(deal)[0][1])


def _cards(deal: Json) -> list[str]:
    return [*(card for hand in deal["hands"].values() for card in hand), *deal.get("talon", ())]


def _from_first_seat(deal: Json) -> int:
    """By how many places forehand sits from the first seat; 0 where the deal before decides."""
    if "dealer" not in deal:
        return 0
    seats = len(deal["hands"])
    return (parse_seat(deal["dealer"], seats) + 1) % seats


# --------------------------------------------------------------------------- the steps


def reductions(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:
    """Yield every case that one step makes of this one, if it is smaller and decided."""
    size = measure(deals)
    for kind in _STEPS:
        for case in kind(deals, rules, starts):
            if measure(case) < size and not is_undecided(case, rules):
                yield case


def _fewer_deals(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:  # noqa: ARG001
    if len(deals) == 1:
        return
    try:
        views = replay(rules, deals)
    except SpecError:
        return
    for number in range(len(deals)):
        rest = [*deals[:number], *deals[number + 1 :]]
        if number < len(rest) and {"dealer", "scores"} - set(rest[number]):
            ended, begins = views[number][-1], views[number + 1][0]
            rest[number] = {
                "dealer": ended["next_dealer"],
                "scores": begins["scores"],
                **rest[number],
            }
        yield rest


def _fewer_actions(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:  # noqa: ARG001
    """Leave out runs of actions: long ones first, and late ones first."""
    longest = max(len(deal["actions"]) for deal in deals)
    lengths = dict.fromkeys([longest, *_halves(longest), 4, 3, 2, 1])
    for length in lengths:
        for number, deal in reversed(list(enumerate(deals))):
            actions = deal["actions"]
            for place in range(len(actions) - length, -1, -1):
                rest = actions[:place] + actions[place + length :]
                yield [*deals[:number], {**deal, "actions": rest}, *deals[number + 1 :]]


def _halves(number: int) -> Iterable[int]:
    while number > 4:
        number //= 2
        yield number


def _no_auction(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:
    try:
        views = replay(rules, deals)
    except SpecError:
        return
    for number, deal in enumerate(deals):
        if "contract" in deal:
            continue
        try:
            cut, _ = cut_auction(deal, views[number])
        except CannotBeAsked:
            continue
        if "contract" not in starts:
            auction = shortest_auction(cut, rules)
            if auction is None:
                continue
            rest = {key: value for key, value in cut.items() if key != "contract"}
            cut = {**rest, "actions": [*auction, *cut["actions"]]}
        yield [*deals[:number], cut, *deals[number + 1 :]]


def _no_scores(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:  # noqa: ARG001
    for number, deal in enumerate(deals):
        scores = deal.get("scores", {})
        lost = [side for side, points in scores.items() if points]
        for sides in ([lost] if len(lost) > 1 else []) + [[side] for side in lost]:
            changed = {**deal, "scores": {**scores, **dict.fromkeys(sides, 0)}}
            yield [*deals[:number], changed, *deals[number + 1 :]]


def _turned(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:  # noqa: ARG001
    partners = rules.options.sides == "partners"
    places = -_from_first_seat(deals[0]) % rules.seats
    if places:
        yield turn(places, seats=rules.seats, partners=partners).deals(deals)


def _renamed(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:  # noqa: ARG001
    partners = rules.options.sides == "partners"
    named = SUITS.index(_named_suit(deals[0]))
    orders = [_exchanged(place, place + by) for by in (1, 2, 3) for place in range(4 - by)]
    if named:
        orders.insert(0, _exchanged(0, named))
    for suits in orders:
        yield turn(0, seats=rules.seats, partners=partners, suits=suits).deals(deals)


def _exchanged(one: int, other: int) -> str:
    suits = list(SUITS)
    suits[one], suits[other] = suits[other], suits[one]
    return "".join(suits)


def _plainer(deals: Case, rules: Rules, starts: Sequence[str]) -> Iterator[Case]:  # noqa: ARG001
    """Exchange two cards of a deal that stand in the wrong order; before that, many at once."""
    for number, deal in enumerate(deals):
        cards = _cards(deal)
        for kept in ((), _named(deal)):
            plain = _dealt(deal, _in_order(cards, kept), rules)
            yield [*deals[:number], plain, *deals[number + 1 :]]
    for number, deal in enumerate(deals):
        cards = _cards(deal)
        for first in range(len(cards)):
            lower = sorted(range(first + 1, len(cards)), key=lambda at: CARD_NUMBER[cards[at]])
            for second in lower:
                if CARD_NUMBER[cards[first]] < CARD_NUMBER[cards[second]]:
                    break
                changed = cards[:]
                changed[first], changed[second] = cards[second], cards[first]
                plain = _dealt(deal, changed, rules)
                yield [*deals[:number], plain, *deals[number + 1 :]]


def _named(deal: Json) -> tuple[str, ...]:
    """The cards that are named in the actions of a deal."""
    words = [word for _, action in deal["actions"] for word in action.split(" ")]
    return tuple(word for word in words if word in CARD_NUMBER)


def _in_order(cards: list[str], kept: Sequence[str]) -> list[str]:
    """Put cards into the order of the pack, all but those that are to stay in their places."""
    moved = iter(sorted((one for one in cards if one not in kept), key=CARD_NUMBER.__getitem__))
    return [card if card in kept else next(moved) for card in cards]


def _dealt(deal: Json, cards: list[str], rules: Rules) -> Json:
    size = rules.hand_size
    letters = seat_letters(rules.seats)
    dealt = {
        **deal,
        "hands": {seat: cards[size * at : size * at + size] for at, seat in enumerate(letters)},
    }
    if "talon" in deal:
        dealt["talon"] = cards[size * len(letters) :]
    return dealt


_STEPS = (
    _fewer_deals,
    _fewer_actions,
    _no_auction,
    _no_scores,
    _turned,
    _renamed,
    _plainer,
)
