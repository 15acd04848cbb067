"""Telling two rulesets apart: the shortest line that they answer differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bauernschnapsen.notation import Action
from bauernschnapsen.ruleset import Rules

from .lines import Line, Move, Played, sketch, step

_LEGAL = 2
_SEES = 13
"""From here on a sketch holds what only `sees` shows, of which an engine may leave out anything."""


@dataclass(frozen=True, slots=True)
class Tell:
    """A line, and the number of the view where two rulesets differ first."""

    line: Line
    view: int


def first_split(played: Played, other: Rules) -> int | None:
    """Return the number of the first view that another ruleset would show otherwise, or None.

    Where only what seats see of others differs, the whole line is needed to see which it is.
    """
    position = played.line.start.position(other)
    if position is None:
        return 0
    seen = sketch(position)
    if seen[:_SEES] != played.sketches[0][:_SEES]:
        return 0
    by_sight = seen != played.sketches[0]
    for number, move in enumerate(played.line.moves):
        position, fine = step(position, move)
        if fine != played.accepted[number]:
            return number + 1
        if fine:
            seen, ours = sketch(position), played.sketches[number + 1]
            if seen != ours:
                if seen[:_SEES] != ours[:_SEES]:
                    return number + 1
                by_sight = True
    return len(played.line.moves) if by_sight else None


def tells(lines: Iterable[Played], other: Rules) -> Iterator[Tell]:
    """Yield, for each line that two rulesets answer differently, its part up to the difference.

    Where they differ in what is legal, the line goes on with a move that only one of them allows:
    an engine that does not show what is legal then accepts or refuses it.
    """
    for played in lines:
        view = first_split(played, other)
        if view is None:
            continue
        moves = list(played.line.moves[:view])
        extra = _only_one_allows(played, other, view)
        if extra is not None:
            moves.append(extra)
        yield Tell(Line(played.line.start, tuple(moves)), view)


def _only_one_allows(played: Played, other: Rules, view: int) -> Move | None:
    position = played.line.start.position(other)
    if position is None:
        return None
    for move in played.line.moves[:view]:
        position, _ = step(position, move)
    ours, theirs = played.sketches[view][_LEGAL], sketch(position)[_LEGAL]
    for seat in sorted(ours.keys() | theirs.keys()):
        moves: set[Action] = {*ours.get(seat, ())} ^ {*theirs.get(seat, ())}
        if moves:
            return seat, min(moves, key=_order)
    return None


def _order(action: Action) -> tuple[str, str]:
    return action.verb, str(action.value)


def shortest(found: Iterable[Tell], enough: int = 6) -> Tell | None:
    """Return the shortest of the first few."""
    best: Tell | None = None
    for number, tell in enumerate(found):
        if best is None or len(tell.line.moves) < len(best.line.moves):
            best = tell
        if number + 1 >= enough:
            break
    return best


def held_against(line: Line, rules: Rules) -> Any:
    """Return the sketches of a line under a ruleset, or None where it cannot start."""
    position = line.start.position(rules)
    if position is None:
        return None
    sketches = [sketch(position)]
    for move in line.moves:
        position, _ = step(position, move)
        sketches.append(sketch(position))
    return sketches
