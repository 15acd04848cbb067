"""Know-nothings: adapters without a rule of the game in them, which a good suite has to fail.

Each is asked as any engine is, in process. To be as strong as something that knows nothing can be,
a stub echoes whatever the request already says (dealer, trump, contract, the cards put down), goes
round the table clockwise, and answers every key of a view. What it scores is what a suite gives
away. `certify --python bauernschnapsen_conformance.teeth.stubs:AcceptsEverything` shows it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.notation import seat_letters, side_names
from bauernschnapsen.ruleset import load_ruleset

from ..corpus import Corpus, PositionCase
from ..run.in_process import PythonEngine
from ..run.runner import certify
from ..run.verdicts import Verdict

Json = dict[str, Any]
_DOUBLES = ("kontra", "rekontra", "subkontra")
MOST = 0.05
"""Share of the scenarios that the best know-nothing may pass."""


class Stub:
    """Bookkeeping without rules; subclasses decide what is accepted, legal and won."""

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Answer a request."""
        operation = message["op"]
        if operation == "hello":
            return {"ok": self.hello()}
        if operation == "legal_plays":
            return {"ok": [self.cards(case["hand"], None) for case in message["cases"]]}
        if operation == "trick_winner":
            return {"ok": [self.winner(case["trick"]) for case in message["cases"]]}
        return {"ok": [self.deal(deal) for deal in message["deals"]]}

    def hello(self) -> Json:
        """Claim to know everything."""
        about = {"name": type(self).__name__, "version": "1"}
        able = {
            "players": [4, 3], "legal_plays": True, "trick_winner": True, "match": True,
            "starts": ["deal", "contract"], "claims": "called",
        }  # fmt: skip
        return {"protocol": 1, "adapter": about, "engine": about, "capabilities": able}

    # ---- what differs from stub to stub

    def accepts(self, view: Json, seat: str, action: str) -> bool:  # noqa: ARG002
        """Whether an action is accepted."""
        return True

    def cards(self, hand: list[str], coming: str | None) -> list[str]:  # noqa: ARG002
        """The cards that may be played; `coming` is the card that the request goes on with."""
        return list(hand)

    def legal(self, view: Json, hands: Mapping[str, list[str]], coming: Any) -> Json:
        """The legal actions of all seats; `coming` is the pair that the request goes on with."""
        seat = view["to_act"]
        if seat is None:
            return {}
        card = coming[1].split(" ")[-1] if coming is not None and coming[0] == seat else None
        return {seat: [f"play {one}" for one in self.cards(hands.get(seat, []), card)]}

    def winner(self, trick: list[list[str]]) -> str:
        """The winner of a trick."""
        return trick[0][0]

    # ---- bookkeeping

    def deal(self, deal: Json) -> list[Json]:
        """Return a view before the first action and one after each."""
        hands = {seat: list(cards) for seat, cards in deal["hands"].items()}
        view = _first_view(deal)
        actions = list(deal["actions"])
        views = []
        for place in range(len(actions) + 1):
            coming = actions[place] if place < len(actions) else None
            views.append({**view, "legal": self.legal(view, hands, coming)})
            view = {key: value for key, value in view.items() if key != "refused"}
            if coming is None:
                break
            seat, action = coming
            if self.accepts(views[-1], seat, action):
                self.follow(view, hands, seat, action)
            else:
                view["refused"] = True
        return views

    def follow(self, view: Json, hands: Mapping[str, list[str]], seat: str, action: str) -> None:
        """Note what an action says, in the view and in the hands."""
        verb, _, argument = action.partition(" ")
        seats = seat_letters(len(hands))
        following = seats[(seats.find(seat) + 1) % len(seats)]
        if verb == "trump":
            view |= {"trump": argument, "phase": "auction"}
        elif verb == "bid":
            view |= {"bid": {"seat": seat, "contract": argument}, "to_act": following}
        elif verb == "pass":
            view["to_act"] = following
        elif verb in _DOUBLES and view["contract"]:
            view["contract"] = {**view["contract"], "factor": 2 ** (_DOUBLES.index(verb) + 1)}
        elif verb in ("play", "marry"):
            self._put(view, hands, seat, argument, following)
        elif verb in ("keep", "discard"):
            view["phase"] = "play"
        elif verb in ("enough", "show"):
            view |= {"phase": "over", "to_act": None}

    def _put(
        self, view: Json, hands: Mapping[str, list[str]], seat: str, card: str, following: str
    ) -> None:
        if card in hands.get(seat, []):
            hands[seat].remove(card)
        trick = [*view["trick"], [seat, card]]
        if len(trick) < len(hands):
            view |= {"trick": trick, "to_act": following}
            return
        winner = self.winner(trick)
        side = next(side for side in view["tricks"] if winner in side)
        view |= {
            "trick": [],
            "to_act": winner,
            "last_trick": {"cards": trick, "winner": winner, "points": 0},
            "tricks": {**view["tricks"], side: view["tricks"][side] + 1},
        }


def _first_view(deal: Json) -> Json:
    start = deal.get("contract")
    seats = seat_letters(len(deal["hands"]))
    forehand = seats[(seats.index(deal.get("dealer", seats[-1])) + 1) % len(seats)]
    nothing = dict.fromkeys(side_names(len(seats), partners="talon" not in deal), 0)
    first = "talon" if "talon" in deal else "play"
    return {
        "phase": first if start else "trump",
        "to_act": start["declarer"] if start and "talon" in deal else forehand,
        "trump": start["trump"] if start else None,
        "bid": None,
        "contract": {**start, "factor": 1} if start else None,
        "trick": [],
        "last_trick": None,
        "sees": {},
        "points": nothing,
        "tricks": nothing,
        "outcome": None,
        "scores": deal.get("scores", nothing),
        "next_dealer": None,
        "game": None,
    }


class AcceptsEverything(Stub):
    """Every action is accepted, the whole hand is legal."""


class RefusesEverything(Stub):
    """Every action is refused, nothing is legal."""

    def accepts(self, view: Json, seat: str, action: str) -> bool:  # noqa: ARG002
        """Refuse."""
        return False

    def cards(self, hand: list[str], coming: str | None) -> list[str]:  # noqa: ARG002
        """None."""
        return []


class Echo(Stub):
    """Exactly what the request goes on with is legal."""

    def legal(self, view: Json, hands: Mapping[str, list[str]], coming: Any) -> Json:  # noqa: ARG002
        """The action to come, and nothing else."""
        return {} if coming is None else {coming[0]: [coming[1]]}


class EchoOnTurn(Echo):
    """As `Echo`, and refuses whoever is not to act."""

    def accepts(self, view: Json, seat: str, action: str) -> bool:
        """Whether the seat is on turn; doubling goes by no turn."""
        return seat == view["to_act"] or action in _DOUBLES


class FirstCard(Stub):
    """The first card of the hand is the only legal one."""

    def accepts(self, view: Json, seat: str, action: str) -> bool:
        """What is legal, and everything that is no card."""
        return not action.startswith("play") or action in view["legal"].get(seat, [])

    def cards(self, hand: list[str], coming: str | None) -> list[str]:  # noqa: ARG002
        """The first."""
        return hand[:1]


class RandomCard(FirstCard):
    """One card of the hand, drawn at random, is the only legal one."""

    def __init__(self) -> None:
        """Draw the same at every run."""
        self._chance = random.Random("a random card")

    def cards(self, hand: list[str], coming: str | None) -> list[str]:  # noqa: ARG002
        """One of them."""
        return self._chance.sample(hand, min(1, len(hand)))

    def winner(self, trick: list[list[str]]) -> str:
        """Anybody."""
        winner: str = self._chance.choice(trick)[0]
        return winner


class RandomLegal(RandomCard):
    """Some cards of the hand, drawn at random, are legal; half of everything is accepted."""

    def accepts(self, view: Json, seat: str, action: str) -> bool:  # noqa: ARG002
        """By the toss of a coin."""
        return self._chance.random() < 0.5

    def cards(self, hand: list[str], coming: str | None) -> list[str]:  # noqa: ARG002
        """Each with a chance of one half."""
        return [card for card in hand if self._chance.random() < 0.5]


class NothingLegal(Stub):
    """Every action is accepted, nothing is legal."""

    def legal(self, view: Json, hands: Mapping[str, list[str]], coming: Any) -> Json:  # noqa: ARG002
        """Nothing."""
        return {}

    def cards(self, hand: list[str], coming: str | None) -> list[str]:  # noqa: ARG002
        """Nothing."""
        return []


class _Quiet(Stub):
    """Shows nothing but refusals and what is legal, so that nothing else can be wrong."""

    def deal(self, deal: Json) -> list[Json]:
        """Leave out all other keys."""
        return [
            {key: view[key] for key in ("legal", "refused") if key in view}
            for view in super().deal(deal)
        ]


class AcceptsQuietly(_Quiet):
    """As `AcceptsEverything`, quietly."""


class RefusesQuietly(_Quiet, RefusesEverything):
    """As `RefusesEverything`, quietly."""


class EchoesQuietly(_Quiet, Echo):
    """As `Echo`, quietly."""


class NothingLegalQuietly(_Quiet, NothingLegal):
    """As `NothingLegal`, quietly."""


class RandomQuietly(_Quiet, RandomLegal):
    """As `RandomLegal`, quietly."""


class EmptyReplies(Stub):
    """Every view is an empty object."""

    def deal(self, deal: Json) -> list[Json]:
        """Show nothing."""
        return [{} for _ in range(len(deal["actions"]) + 1)]

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Answer queries by nothing observed."""
        if message["op"] in ("legal_plays", "trick_winner"):
            return {"ok": [None for _ in message["cases"]]}
        return super().handle(message)


class AllUnsupported(Stub):
    """Everything is declared as unsupported."""

    def handle(self, message: Mapping[str, Any]) -> Json:
        """Support the handshake, nothing else."""
        if message["op"] == "hello":
            return super().handle(message)
        return {"unsupported": "nothing is supported"}


STUBS: tuple[type[Stub], ...] = (
    AcceptsEverything,
    RefusesEverything,
    Echo,
    EchoOnTurn,
    FirstCard,
    RandomCard,
    RandomLegal,
    NothingLegal,
    AcceptsQuietly,
    RefusesQuietly,
    EchoesQuietly,
    NothingLegalQuietly,
    RandomQuietly,
    EmptyReplies,
    AllUnsupported,
)


@dataclass(frozen=True, slots=True)
class Score:
    """What a stub gets: what it passed, and how much was applicable.

    Single positions can be guessed: a trick has four players, a hand five cards. So a position
    counts only if all positions of its table that stand for the same rules are passed as well.
    """

    stub: str
    scenarios_passed: tuple[str, ...]
    scenarios: int
    groups_passed: tuple[str, ...]
    """Parts of position tables passed entirely."""
    positions_counted: int
    """Positions in those."""
    positions_passed: int
    """Positions passed singly, by a lucky guess or not."""
    positions: int
    levels: tuple[int, ...]
    exit_code: int
    ruleset: str = "pagat"

    @property
    def share(self) -> float:
        """Share of the scenarios passed."""
        return len(self.scenarios_passed) / max(self.scenarios, 1)

    @property
    def share_of_positions(self) -> float:
        """Share of the positions that count as passed."""
        return self.positions_counted / max(self.positions, 1)

    @property
    def too_good(self) -> bool:
        """Whether this is more than a suite may give away."""
        best = max(self.share, self.share_of_positions)
        return best > MOST or bool(self.levels) or self.exit_code != 1


def score_stubs(corpus: Corpus, ruleset: str = "pagat") -> Iterator[Score]:
    """Certify every stub and yield what it gets."""
    for stub in STUBS:
        yield score_of(stub(), corpus, ruleset)


def score_of(stub: Stub, corpus: Corpus, ruleset: str = "pagat") -> Score:
    """Certify one stub in process."""
    session = PythonEngine(stub)
    session.start()
    report = certify(corpus, load_ruleset(ruleset), session)
    judged = [j for j in report.judgements if j.verdict is not Verdict.NOT_APPLICABLE]
    scenarios = [one for one in judged if not isinstance(one.item, PositionCase)]
    groups: dict[str, list[bool]] = {}
    for one in judged:
        if isinstance(one.item, PositionCase):
            groups.setdefault(group_of(one.item), []).append(one.verdict is Verdict.PASS)
    return Score(
        stub=type(stub).__name__,
        scenarios_passed=tuple(one.item.id for one in scenarios if one.verdict is Verdict.PASS),
        scenarios=len(scenarios),
        groups_passed=tuple(name for name, passed in groups.items() if all(passed)),
        positions_counted=sum(len(passed) for passed in groups.values() if all(passed)),
        positions_passed=sum(map(sum, groups.values())),
        positions=sum(map(len, groups.values())),
        levels=tuple(level.value for level in report.levels),
        exit_code=report.exit_code,
        ruleset=ruleset,
    )


def group_of(case: PositionCase) -> str:
    """Return the name of the part of a table that a position belongs to."""
    return f"{case.origin.file.rsplit('/', 1)[-1]}: {' '.join(case.rules)}"
