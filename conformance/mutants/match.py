"""Faulty engines of the chapter "Match": the game, Bummerl, what comes after."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import match
from bauernschnapsen.position import Game, Position, Score
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks

# --------------------------------------------------------------------------- a game begins


def _restart(slug: str, sentence: str, points: Any) -> None:
    """Start the game after a game otherwise: points(position of the last deal) by side."""

    @mutant("match.start", slug, sentence)
    def _(patch: Patch) -> None:
        right = match.score_of_next_deal

        def score_of_next_deal(position: Position) -> Score:
            if position.game is None:
                score: Score = right(position)
                return score
            return match.new_score(position.rules, tuple(points(position)))

        patch.swap(match, "score_of_next_deal", score_of_next_deal)


_restart("runs-on", "After a game the score runs on.", lambda p: p.score.points)
_restart("losers-keep", "After a game the losers keep their game points.",
         lambda p: [0 if s in p.game.winners else x
                    for s, x in enumerate(p.score.points)])  # fmt: skip
_restart("winners-keep", "After a game the winners keep their game points.",
         lambda p: [x if s in p.game.winners else 0
                    for s, x in enumerate(p.score.points)])  # fmt: skip
_restart("surplus", "What was won beyond 24 is carried into the next game.",
         lambda p: [max(0, x - 24) for x in p.score.points])  # fmt: skip
_restart("last-award", "The last deal of a game is the first one of the next.",
         lambda p: p.outcome.awards)  # fmt: skip
_restart("bummerl", "The Bummerl are the score of the next game.", lambda p: p.game.bummerl)


@mutant("match.start", "given-score-ignored", "Every deal starts at 0 to 0, whatever the score is.")
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is None:
            position.score = match.new_score(position.rules)

    hooks.on_start(patch, change)


# --------------------------------------------------------------------------- a game ends

for _target in (21, 23, 25, 30):
    rules_mutant(
        "match.target",
        f"{_target}",
        f"A game is won with {_target} game points.",
        options={"target": _target},
    )


def _game_over(rule: str, slug: str, sentence: str, change: Any) -> None:
    """End games otherwise: change(position, game or None) -> game or None."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def look(position: Position) -> None:
            position.game = change(position, position.game)

        hooks.after_score(patch, look)


_game_over("match.target", "exactly", "A game is won with exactly 24 game points.",
           lambda p, game: game if game and p.score.points[game.winners[0]] == 24
           else None)  # fmt: skip
_game_over("match.target", "declarers-side-only", "Only the declarer's side can end a game.",
           lambda p, game: game if game and p.side(p.declarer) in game.winners
           else None)  # fmt: skip
_game_over("match.target", "one-deal-late", "A game ends with the next deal after 24 is reached.",
           lambda p, game: game if game and p.score.points[game.winners[0]]
           - p.outcome.awards[game.winners[0]] >= 24 else None)  # fmt: skip
_game_over("match.target", "never", "Games never end.", lambda p, game: None)
_game_over("match.target", "losers-win", "The side with fewer game points has won.",
           lambda p, game: game and Game((1 - game.winners[0],), game.bummerl[::-1]))  # fmt: skip
_game_over("match.target", "both-together", "Who has 20 when a game ends has won as well.",
           lambda p, game: game and Game(tuple(s for s in range(2) if p.score.points[s] >= 20),
                                         game.bummerl))  # fmt: skip
_game_over("match.target", "by-two", "A game is won only with a lead of two.",
           lambda p, game: game if game and abs(p.score.points[0] - p.score.points[1]) >= 2
           else None)  # fmt: skip

rules_mutant(
    "match.target",
    "runs-on",
    "24 game points are passed like any other number.",
    options={"after_game": "runs_on"},
)


def _score(slug: str, sentence: str, change: Any) -> None:
    @mutant("match.overshoot", slug, sentence)
    def _(patch: Patch) -> None:
        def look(position: Position) -> None:
            points = tuple(change(position, x) for x in position.score.points)
            position.score = position.score._replace(points=points)

        hooks.after_score(patch, look)


_score("capped", "A score stops at 24.", lambda p, x: min(x, 24))
_score("modulo", "Beyond 24 the counting starts again.", lambda p, x: x % 24 if x > 24 else x)


@mutant("match.overshoot", "award-cut", "Only what is needed to reach 24 is awarded.")
def _(patch: Patch) -> None:
    def change(position: Position, awards: tuple[int, ...], reason: str) -> tuple[int, ...]:
        have = position.score.points
        return tuple(min(a, max(24 - h, 0)) for a, h in zip(awards, have, strict=True))

    hooks.on_awards(patch, change)


@mutant("match.overshoot", "bust", "Whoever would exceed 24 gets nothing.")
def _(patch: Patch) -> None:
    def change(position: Position, awards: tuple[int, ...], reason: str) -> tuple[int, ...]:
        have = position.score.points
        return tuple(a if a + h <= 24 else 0 for a, h in zip(awards, have, strict=True))

    hooks.on_awards(patch, change)


# --------------------------------------------------------------------------- Bummerl


def _bummerl(rule: str, slug: str, sentence: str, marks: Any) -> None:
    """Mark otherwise: marks(position, score won, score lost, due) -> marks of winner and loser."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def look(position: Position) -> None:
            game, points = position.game, position.score.points
            if game is None:
                return
            winner = game.winners[0]
            due = game.bummerl[1 - winner]
            given = marks(position, points[winner], points[1 - winner], due)
            position.game = game._replace(bummerl=given if winner == 0 else given[::-1])

        hooks.after_score(patch, look)


def _loses(rule: str, slug: str, sentence: str, marks: Any) -> None:
    """Mark the loser otherwise: marks(position, score won, score lost, due)."""
    _bummerl(rule, slug, sentence, lambda *about: (0, marks(*about)))


rules_mutant(
    "match.bummerl",
    "to-the-winner",
    "The winners are marked.",
    options={"bummerl_to": "winner"},
)
_bummerl("match.bummerl", "none", "Nobody is marked.", lambda p, won, lost, due: (0, 0))
_bummerl("match.bummerl", "both", "Both sides are marked.", lambda p, won, lost, due: (due, due))
_loses("match.bummerl", "always-two", "Every lost game counts two Bummerl.",
       lambda p, won, lost, due: 2)  # fmt: skip
_loses("match.bummerl", "by-difference", "A game lost by 12 or more counts two Bummerl.",
       lambda p, won, lost, due: 2 if won - lost >= 12 else due)  # fmt: skip
_loses("match.bummerl", "by-declarer", "Only the declarer's side is marked for losing.",
       lambda p, won, lost, due: due if p.score.points[p.side(p.declarer)] < 24 else 0)  # fmt: skip
_loses("match.bummerl", "by-overshoot", "Winning beyond 24 counts two Bummerl.",
       lambda p, won, lost, due: 2 if won > 24 else due)  # fmt: skip


@mutant("match.bummerl", "leaks", "The marks of the games before are counted in.")
def _(patch: Patch) -> None:
    tally = [0, 0]

    def start(position: Position, last: Position | None) -> None:
        if last is None:
            tally[:] = [0, 0]
        elif last.game is not None:
            tally[:] = [have + new for have, new in zip(tally, own, strict=True)]

    own = [0, 0]

    def look(position: Position) -> None:
        if position.game is not None:
            own[:] = position.game.bummerl
            marks = tuple(a + b for a, b in zip(tally, own, strict=True))
            position.game = position.game._replace(bummerl=marks)

    hooks.on_start(patch, start)
    hooks.after_score(patch, look)


rules_mutant("match.schneider", "one", "Schneider counts one Bummerl.", options={"schneider": 1})
rules_mutant("match.schneider", "three", "Schneider counts three.", options={"schneider": 3})
for _below in (2, 7, 12):
    _loses("match.schneider", f"below-{_below}", f"With less than {_below} losers are Schneider.",
           lambda p, won, lost, due, below=_below: 2 if lost < below else 1)  # fmt: skip
_loses("match.schneider", "not-by-showing", "A hand that is shown makes nobody Schneider.",
       lambda p, won, lost, due: 1 if p.outcome.reason == "shown" else due)  # fmt: skip
_loses("match.schneider", "needs-exactly-24", "Schneider counts only against exactly 24.",
       lambda p, won, lost, due: due if won == 24 else 1)  # fmt: skip
_bummerl("match.schneider", "one-each", "The Schneider's second mark goes to the winner.",
         lambda p, won, lost, due: (1, 1) if due == 2 else (0, due))  # fmt: skip

rules_mutant(
    "match.retourschneider",
    "four",
    "Losers who had led 23 to 0 are marked four.",
    options={"retourschneider": 4},
)
_loses("match.retourschneider", "two", "Losers with 23 game points are marked two.",
       lambda p, won, lost, due: 2 if lost == 23 else due)  # fmt: skip
_loses("match.retourschneider", "four-with-23", "Losers with 23 game points are marked four.",
       lambda p, won, lost, due: 4 if lost == 23 else due)  # fmt: skip
_loses("match.retourschneider", "from-nothing", "A game won from 0 in one deal marks two.",
       lambda p, won, lost, due: 2 if won == max(p.outcome.awards) else due)  # fmt: skip

# --------------------------------------------------------------------------- the dealer after it


def _after_game(slug: str, sentence: str, dealer: Any) -> None:
    @mutant("match.dealer-goes-on", slug, sentence)
    def _(patch: Patch) -> None:
        def look(position: Position) -> None:
            if position.game is not None:
                position.next_dealer = dealer(position) % position.rules.seats

        hooks.after_score(patch, look)


_after_game("same-dealer", "After a game the same dealer deals again.", lambda p: p.dealer)
_after_game("loser-deals", "After a game one of the losers deals.",
            lambda p: p.dealer + 1 if p.side(p.dealer + 1 if p.dealer < 3 else 0)
            not in p.game.winners else p.dealer + 2)  # fmt: skip
_after_game("winner-deals", "After a game one of the winners deals.",
            lambda p: p.dealer + 1 if p.side((p.dealer + 1) % 4) in p.game.winners
            else p.dealer + 2)  # fmt: skip
_after_game("partner", "After a game the dealer's partner deals.", lambda p: p.dealer + 2)
_after_game("right", "After a game the deal goes back to the right.", lambda p: p.dealer - 1)
_after_game("declarer", "After a game its last declarer deals.", lambda p: p.declarer)
_after_game("first-seat", "After a game N deals.", lambda p: 0)


@mutant("match.dealer-goes-on", "first-dealer", "The first dealer of a game deals the next one.")
def _(patch: Patch) -> None:
    first: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        if last is None or last.game is not None:
            first[:] = [position.dealer]

    def look(position: Position) -> None:
        if position.game is not None and first:
            position.next_dealer = first[0]

    hooks.on_start(patch, start)
    hooks.after_score(patch, look)


@mutant(
    "match.dealer-goes-on", "said-not-done", "The right next dealer is named, yet another deals."
)
def _(patch: Patch) -> None:
    def start(position: Position, last: Position | None) -> None:
        if last is not None and last.game is not None:
            position.dealer = last.dealer
            position.turn = position.forehand if position.phase == "trump" else position.turn

    hooks.on_start(patch, start)
