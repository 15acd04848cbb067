"""Faulty engines of the chapter "Talon": who scores what, claims of two, the end of a game."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import claims, match, scoring
from bauernschnapsen.position import Game, Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks

Awards = tuple[int, ...]


def _next(position: Position) -> int:
    """The seat after the declarer."""
    return (position.declarer + 1) % position.rules.seats


def _before(position: Position) -> int:
    """The seat before the declarer."""
    return (position.declarer + 2) % position.rules.seats


def _opponents(position: Position) -> list[int]:
    return [_next(position), _before(position)]


def _only(awards: Awards, *seats: int) -> Awards:
    return tuple(award if seat in seats else 0 for seat, award in enumerate(awards))


def _won(position: Position, awards: Awards) -> bool:
    """Whether the declarer has won."""
    return bool(awards[position.declarer])


def _paid(rule: str, slug: str, sentence: str, when: Any, change: Any) -> None:
    """Pay otherwise where when(position, awards, reason): change(position, awards, reason)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def awards(position: Position, right: Awards, reason: str) -> Awards:
            if position.rules.seats == len(right) and when(position, right, reason):
                return tuple(change(position, right, reason))
            return right

        hooks.on_awards(patch, awards)


# --------------------------------------------------------------------------- success and failure


def _made(position: Position, awards: Awards, reason: str) -> bool:
    return reason in ("made", "shown") and _won(position, awards)


def _lost(position: Position, awards: Awards, reason: str) -> bool:
    return reason == "failed" and not _won(position, awards)


def _give(position: Position, awards: Awards, seat: int, points: int) -> Awards:
    return tuple(points if s == seat else award for s, award in enumerate(awards))


_paid("talon.success", "nobody", "A contract that was bid is worth nothing when made.", _made,
      lambda p, a, r: [0] * len(a))  # fmt: skip
_paid("talon.success", "with-the-next", "The next player scores with the declarer.", _made,
      lambda p, a, r: _give(p, a, _next(p), a[p.declarer]))  # fmt: skip
_paid("talon.success", "with-the-third", "The third player scores with the declarer.", _made,
      lambda p, a, r: _give(p, a, _before(p), a[p.declarer]))  # fmt: skip
_paid("talon.success", "with-forehand", "Forehand scores with the declarer.", _made,
      lambda p, a, r: _give(p, a, p.forehand, a[p.declarer]))  # fmt: skip
_paid("talon.success", "everybody", "All three score what was made.", _made,
      lambda p, a, r: [a[p.declarer]] * len(a))  # fmt: skip
_paid("talon.success", "twice", "Two opponents have lost, so the value counts twice.", _made,
      lambda p, a, r: [2 * award for award in a])  # fmt: skip
_paid("talon.success", "forehand-scores", "Forehand scores what the declarer has made.", _made,
      lambda p, a, r: _give(p, (0,) * len(a), p.forehand, a[p.declarer]))  # fmt: skip
_paid("talon.failure", "next-only", "Only the next player scores.", _lost,
      lambda p, a, r: _only(a, _next(p)))  # fmt: skip
_paid("talon.failure", "third-only", "Only the player before the declarer scores.", _lost,
      lambda p, a, r: _only(a, _before(p)))  # fmt: skip
_paid("talon.failure", "the-winner-of-the-trick", "Only who took the decisive trick scores.", _lost,
      lambda p, a, r: _only(a, p.last_trick.winner) if p.last_trick
      and p.last_trick.winner != p.declarer else a)  # fmt: skip
_paid("talon.failure", "who-doubled", "Only an opponent who has doubled scores.", _lost,
      lambda p, a, r: _only(a, p.doubled_by[0]) if p.doubled_by else a)  # fmt: skip
_paid("talon.failure", "halved", "The two opponents share the value.", _lost,
      lambda p, a, r: [award // 2 for award in a])  # fmt: skip
_paid("talon.failure", "lower-halved", "The two share an odd value, the next one more.", _lost,
      lambda p, a, r: [(award + (s == _next(p))) // 2 for s, award in enumerate(a)])  # fmt: skip
_paid("talon.failure", "nobody", "Nobody scores when a contract fails.", _lost,
      lambda p, a, r: [0] * len(a))  # fmt: skip
_paid("talon.failure", "twice", "A contract that fails counts double.", _lost,
      lambda p, a, r: [2 * award for award in a])  # fmt: skip
_paid("talon.failure", "everybody", "All three score the value.", _lost,
      lambda p, a, r: [max(a)] * len(a))  # fmt: skip


@mutant("talon.failure", "deducted", "The declarer who fails loses the value himself.")
def _(patch: Patch) -> None:
    def look(position: Position) -> None:
        outcome = position.outcome
        assert outcome is not None
        if outcome.reason == "failed" and not outcome.awards[position.declarer]:
            points = list(position.score.points)
            value = max(outcome.awards)
            points = [
                have - award if seat != position.declarer else max(0, have - value)
                for seat, (have, award) in enumerate(zip(points, outcome.awards, strict=True))
            ]
            position.score = position.score._replace(points=tuple(points))

    hooks.after_score(patch, look)


# --------------------------------------------------------------------------- two against one


def _camp_points(slug: str, sentence: str, change: Any) -> None:
    """Count card points otherwise: change(position, seat, joint points)."""

    @mutant("talon.joint", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            return lambda position, seat: change(position, seat, right(position, seat))

        patch.wrap(scoring, "camp_points", make)


def _own_points(position: Position, seat: int) -> int:
    return position.points[position.side(seat)]


_camp_points("each-alone", "Each opponent needs 66 card points of his own.",
             lambda p, seat, joint: _own_points(p, seat))  # fmt: skip
_camp_points("better-points", "Of the two the better one counts.",
             lambda p, seat, joint: max(_own_points(p, s) for s in _opponents(p))
             if p.against_declarer(seat) else joint)  # fmt: skip
_camp_points("tricks-joint-only", "Marriages of the other opponent do not count.",
             lambda p, seat, joint: joint - sum(p.declared[p.side(s)] for s in _opponents(p)
                                                if s != seat)
             if p.against_declarer(seat) else joint)  # fmt: skip
_camp_points("all-against", "The declarer may count what the next player has.",
             lambda p, seat, joint: joint if p.against_declarer(seat)
             else joint + _own_points(p, _next(p)))  # fmt: skip


def _tier(slug: str, sentence: str, worth: Any) -> None:
    """Grade a win of the declarer otherwise: worth(position, joint grade)."""

    @mutant("talon.joint", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def tier(position: Position, winner: int) -> int:
                joint: int = right(position, winner)
                return joint if position.against_declarer(winner) else int(worth(position, joint))

            return tier

        patch.wrap(scoring, "tier", make)


def _grade(position: Position, seat: int) -> int:
    """What a win over one opponent alone would be worth."""
    if not position.tricks_by_seat[seat]:
        return 3
    return 2 if _own_points(position, seat) < scoring.OTHERS_SAFE else 1


_tier("either-without-a-trick", "It is worth three if one of the two has no trick.",
      lambda p, joint: 3 if any(not p.tricks_by_seat[s] for s in _opponents(p))
      else joint)  # fmt: skip
_tier("worse-of-two", "The worse of the two opponents decides the grade.",
      lambda p, joint: max(_grade(p, s) for s in _opponents(p)))  # fmt: skip
_tier("better-of-two", "The better of the two opponents decides the grade.",
      lambda p, joint: min(_grade(p, s) for s in _opponents(p)))  # fmt: skip
_tier("next-decides", "The next player decides the grade.",
      lambda p, joint: _grade(p, _next(p)))  # fmt: skip


@mutant("talon.joint", "33-each", "The two are safe only if each of them has 33.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def tier(position: Position, winner: int) -> int:
            joint: int = right(position, winner)
            if joint == 1 and not position.against_declarer(winner):
                each = [
                    _own_points(position, s) >= scoring.OTHERS_SAFE for s in _opponents(position)
                ]
                return 1 if all(each) else 2
            return joint

        return tier

    patch.wrap(scoring, "tier", make)


def _claims(slug: str, sentence: str, who: Any) -> None:
    """Let other opponents claim as well: who(position, seat)."""

    @mutant("talon.claimer", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.allow_claim(patch, "claims.claimer", who)


_claims("either", "Either opponent may claim for both.", lambda p, seat: True)
_claims("next", "The opponent after the declarer claims for both.",
        lambda p, seat: seat == _next(p))  # fmt: skip
_claims("dealer", "The dealer may claim for the other.", lambda p, seat: seat == p.dealer)


@mutant("talon.claimer", "declarer-only", "Only the declarer says enough.")
def _(patch: Patch) -> None:
    hooks.forbid_claim(patch, "claims.claimer", lambda p, seat: p.against_declarer(seat))


@mutant("talon.claimer", "for-himself", "Whoever claims says it for himself alone.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def claim(position: Position, seat: int) -> None:
            claimers[:] = [seat]
            right(position, seat)

        return claim

    def change(position: Position, awards: Awards, reason: str) -> Awards:
        single = reason == "claim" and claimers and not _won(position, awards)
        return _only(awards, claimers[0]) if single else awards

    claimers: list[int] = []
    patch.wrap(claims, "claim", make)
    hooks.on_awards(patch, change)


def _normal(*reasons: str) -> Any:
    """Whether the opponents have won a Normal in one of these ways."""
    return lambda p, awards, reason: reason in reasons and not _won(p, awards)


_LAST = ("claim", "last_trick")
_paid("talon.normal-paid", "leader-only", "Of the opponents only who won the last trick scores.",
      _normal(*_LAST), lambda p, a, r: _only(a, p.last_trick.winner) if p.last_trick
      and p.last_trick.winner != p.declarer else a)  # fmt: skip
_paid("talon.normal-paid", "last-trick-single", "Only who wins the last trick scores for it.",
      _normal("last_trick"), lambda p, a, r: _only(a, p.last_trick.winner))  # fmt: skip
_paid("talon.normal-paid", "false-claim-next", "A false claim of forehand pays the next player.",
      _normal("false_claim"), lambda p, a, r: _only(a, _next(p)))  # fmt: skip
_paid("talon.normal-paid", "false-claim-third", "A false claim of forehand pays the dealer.",
      _normal("false_claim"), lambda p, a, r: _only(a, p.dealer))  # fmt: skip
_paid("talon.normal-paid", "more-tricks", "Of the opponents the one with more tricks scores.",
      _normal(*_LAST), lambda p, a, r: _only(a, max(_opponents(p),
      key=lambda s: p.tricks_by_seat[s])))  # fmt: skip
_paid("talon.normal-paid", "shared", "The two opponents share what they have won.",
      _normal(*_LAST, "false_claim"), lambda p, a, r: [-(-x // 2) for x in a])  # fmt: skip
_paid("talon.normal-paid", "one-each", "Each of the two scores one for a Normal.",
      _normal(*_LAST, "false_claim"),
      lambda p, a, r: [min(x, 1) * p.outcome.factor for x in a])  # fmt: skip
_paid("talon.normal-paid", "false-claim-of-two", "A false claim of one opponent pays the other.",
      lambda p, a, r: r == "false_claim" and _won(p, a),
      lambda p, a, r: [max(a) if s != p.last_trick.winner else 0
                       for s in range(len(a))])  # fmt: skip
_paid("talon.normal-paid", "forehand-and-third", "Forehand's Normal pays the dealer as well.",
      lambda p, a, r: r in (*_LAST, "counted") and _won(p, a),
      lambda p, a, r: _give(p, a, p.dealer, max(a)))  # fmt: skip

# --------------------------------------------------------------------------- the game


def _game(rule: str, slug: str, sentence: str, change: Any) -> None:
    """End games otherwise: change(position, game, scores) -> Game or None."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def look(position: Position) -> None:
            if position.game is not None:
                position.game = change(position, position.game, position.score.points)

        hooks.after_score(patch, look)


def _with_winners(position: Position, winners: list[int]) -> Game:
    """The game as these have won it, the others marked as usual."""
    points, rules = position.score.points, position.rules
    marks = match._bummerl(rules, points, tuple(winners), position.score.led_to_nil)
    return Game(tuple(winners), marks)


def _best(game: Game, points: Awards) -> list[int]:
    return [side for side in game.winners if points[side] == max(points)]


_game("talon.two-winners", "highest-only", "Of two with 24 the one with more has won.",
      lambda p, game, points: _with_winners(p, _best(game, points)))  # fmt: skip
_game("talon.two-winners", "first-only", "Of two with 24 the first at the table has won.",
      lambda p, game, points: _with_winners(p, [game.winners[0]]))  # fmt: skip
_game("talon.two-winners", "last-only", "Of two with 24 the last at the table has won.",
      lambda p, game, points: _with_winners(p, [game.winners[-1]]))  # fmt: skip
_game("talon.two-winners", "nearest-forehand", "Of two with 24 the one nearer to forehand has won.",
      lambda p, game, points: _with_winners(
          p, [min(game.winners, key=lambda s: hooks.place(p, s))]))  # fmt: skip
_game("talon.two-winners", "undecided", "Two with 24 play on.",
      lambda p, game, points: game if len(game.winners) == 1 else None)  # fmt: skip
_game("talon.two-winners", "both-if-equal", "Two have won only with equal scores.",
      lambda p, game, points: game if len({points[s] for s in game.winners}) == 1
      else _with_winners(p, _best(game, points)))  # fmt: skip
_game("talon.two-winners", "whoever-scored", "Whoever scores in the last deal has won.",
      lambda p, game, points: _with_winners(
          p, [s for s, award in enumerate(p.outcome.awards) if award]))  # fmt: skip
for _losers in ("lowest", "all_below_target"):
    rules_mutant(
        "talon.losers",
        _losers.replace("_", "-"),
        {"lowest": "Only the last is marked.", "all_below_target": "All below 24 are marked."}[
            _losers
        ],
        options={"losers": _losers},
    )


def _marks(rule: str, slug: str, sentence: str, marks: Any) -> None:
    """Mark otherwise: marks(position, game, scores) -> marks by side."""
    _game(rule, slug, sentence, lambda p, game, points: game._replace(
        bummerl=tuple(marks(p, game, points))))  # fmt: skip


def _losing(game: Game, points: Awards) -> list[int]:
    return [side for side in range(len(points)) if side not in game.winners]


def _lowest(game: Game, points: Awards) -> list[int]:
    losing = _losing(game, points)
    return [side for side in losing if points[side] == min(points[s] for s in losing)]


def _mark(points: Awards, sides: list[int], worth: Any = None) -> list[int]:
    usual = [2 if not have else 1 for have in points]
    return [(worth or usual[s]) if s in sides else 0 for s in range(len(points))]


_marks("talon.losers", "second-lowest", "Of two losers the better one is marked.",
       lambda p, game, points: _mark(points, [s for s in _losing(game, points) if points[s]
       == max(points[o] for o in _losing(game, points))]))  # fmt: skip
_marks("talon.losers", "one-point-is-level", "Losers one point apart are last together.",
       lambda p, game, points: _mark(points, [s for s in _losing(game, points)
       if points[s] <= min(points[o] for o in _losing(game, points)) + 1]))  # fmt: skip
_marks("talon.losers", "the-declarer", "The declarer who fails is marked.",
       lambda p, game, points: _mark(points, [p.declarer])
       if p.declarer not in game.winners else game.bummerl)  # fmt: skip
_marks("talon.losers", "first-loser", "Of the losers the first at the table is marked.",
       lambda p, game, points: _mark(points, _losing(game, points)[:1]))  # fmt: skip
_marks("talon.losers", "winners-gain", "Every loser marks one for the winner.",
       lambda p, game, points: [sum(game.bummerl) if s in game.winners else 0
                                for s in range(len(points))])  # fmt: skip
_marks("talon.losers", "nobody-with-two-winners", "If two have won, nobody is marked.",
       lambda p, game, points: game.bummerl if len(game.winners) == 1
       else [0] * len(points))  # fmt: skip
_marks("talon.tie", "nobody", "If two are last, nobody is marked.",
       lambda p, game, points: game.bummerl if len(_lowest(game, points)) == 1
       else [0] * len(points))  # fmt: skip
_marks("talon.tie", "first-only", "If two are last, the first at the table is marked.",
       lambda p, game, points: _mark(points, _lowest(game, points)[:1]))  # fmt: skip
_marks("talon.tie", "last-only", "If two are last, the last at the table is marked.",
       lambda p, game, points: _mark(points, _lowest(game, points)[-1:]))  # fmt: skip
_marks("talon.tie", "later-from-forehand", "If two are last, the one farther from forehand is.",
       lambda p, game, points: _mark(points, [max(_lowest(game, points),
       key=lambda s: hooks.place(p, s))]))  # fmt: skip
_marks("talon.schneider", "never", "There is no Schneider with three players.",
       lambda p, game, points: [min(mark, 1) for mark in game.bummerl])  # fmt: skip
_marks("talon.schneider", "both", "If one loser is Schneider, every loser is.",
       lambda p, game, points: [max(game.bummerl) if mark else 0
                                for mark in game.bummerl])  # fmt: skip
_marks("talon.schneider", "only-alone", "Two losers together are no Schneider.",
       lambda p, game, points: [1 if mark and len(_lowest(game, points)) > 1 else mark
                                for mark in game.bummerl])  # fmt: skip
_marks("talon.schneider", "below-the-half", "Below half the winner's score it is a Schneider.",
       lambda p, game, points: [2 if mark and points[s] < 6 else mark
                                for s, mark in enumerate(game.bummerl)])  # fmt: skip
