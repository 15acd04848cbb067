"""Chapter "Match": the score, the end of a game, Bummerl, and who deals next.

Rule ids: scoring.add, match.start, match.target, match.bummerl, match.schneider,
match.retourschneider, match.overshoot, match.dealer-goes-on, deal.next-dealer.
"""

from __future__ import annotations

from .position import Game, Position, Score
from .ruleset import Rules


def new_score(rules: Rules, points: tuple[int, ...] | None = None) -> Score:
    """Return the score at the start of a game, or that of a game under way."""
    start = points or (0,) * rules.sides
    return Score(start, _led_to_nil(rules, start, (False,) * len(start)))


def enter_score(position: Position) -> None:
    """Add the awards of a finished deal, end the game if the target is reached, pass the deal."""
    rules = position.rules
    assert position.outcome is not None
    before = position.score
    points = tuple(
        have + award for have, award in zip(before.points, position.outcome.awards, strict=True)
    )
    position.score = Score(points, _led_to_nil(rules, points, before.led_to_nil))
    winners = tuple(side for side in range(rules.sides) if points[side] >= rules.options.target)
    if winners and rules.options.after_game != "runs_on":
        position.game = Game(winners, _bummerl(rules, points, winners, before.led_to_nil))
    if position.game is None or rules.options.after_game != "stop":
        # deal.next-dealer, match.dealer-goes-on: to the left, also when a new game begins.
        position.next_dealer = (position.dealer + 1) % rules.seats


def score_of_next_deal(position: Position) -> Score:
    """Return the score with which the next deal starts: 0 all round after a game."""
    restart = position.game is not None and position.rules.options.after_game == "restart"
    return new_score(position.rules) if restart else position.score


def _led_to_nil(
    rules: Rules, points: tuple[int, ...], before: tuple[bool, ...]
) -> tuple[bool, ...]:
    """Return which sides have ever been one point short of the target, the others having none."""
    short = rules.options.target - 1
    return tuple(
        was or (have == short > 0 and not any(points[:side] + points[side + 1 :]))
        for side, (have, was) in enumerate(zip(points, before, strict=True))
    )


def _bummerl(
    rules: Rules, points: tuple[int, ...], winners: tuple[int, ...], led_to_nil: tuple[bool, ...]
) -> tuple[int, ...]:
    losing = [side for side in range(rules.sides) if side not in winners]
    if losing and rules.options.losers == "lowest":
        least = min(points[side] for side in losing)
        losing = [side for side in losing if points[side] == least]
    marks = [0] * rules.sides
    for side in losing:
        if rules.options.retourschneider and led_to_nil[side]:
            marks[side] = rules.options.retourschneider
        else:
            marks[side] = 1 if points[side] else rules.options.schneider
    if rules.options.bummerl_to == "winner" and losing:
        most = max(marks)
        marks = [most if side in winners else 0 for side in range(rules.sides)]
    return tuple(marks)
