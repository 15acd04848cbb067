"""Random games of one engine, timed: run in a process and an environment of its own.

    python peer_games.py GAME SECONDS

prints one line of JSON: games, decisions, CPU seconds, yards. In every game the legal actions are
asked for at every decision, one of them is taken at random, and the game is played to its score.
Nothing of this project is imported but by the game `bauernschnapsen`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

Playing = Callable[[], int]
"""Plays one game and returns the number of decisions."""


def bauernschnapsen() -> tuple[Playing, str]:
    """Our reference engine: a deal from the trump choice to the score."""
    import bauernschnapsen as package
    from bauernschnapsen import table
    from bauernschnapsen.notation import DEALS, deal_of_number
    from bauernschnapsen.position import OVER
    from bauernschnapsen.ruleset import rules_of

    chooser = random.Random(1)
    rules = rules_of("pagat")

    def play() -> int:
        hands = deal_of_number(chooser.randrange(DEALS))
        position = table.new_deal(rules, chooser.randrange(4), hands)
        decisions = 0
        while position.phase != OVER:
            legal = table.legal_actions(position)
            seat = chooser.choice(list(legal))
            position = table.apply(position, seat, chooser.choice(legal[seat]))
            decisions += 1
        return decisions

    return play, package.__version__


def open_spiel(name: str) -> tuple[Playing, str]:
    """A game of OpenSpiel, an engine in C++, from Python; chance deals card by card."""
    from importlib.metadata import version

    import pyspiel

    chooser = random.Random(1)
    game = pyspiel.load_game(name)

    def play() -> int:
        state: Any = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(chooser.choice(actions))
        state.returns()
        return decisions

    return play, version("open-spiel")


def rlcard_bridge() -> tuple[Playing, str]:
    """The game object of bridge in RLCard, without observations."""
    from importlib.metadata import version

    from rlcard.games.bridge.game import BridgeGame

    chooser = random.Random(1)

    def play() -> int:
        game: Any = BridgeGame()
        game.init_game()
        decisions = 0
        while not game.is_over():
            game.step(chooser.choice(game.judger.get_legal_actions()))
            decisions += 1
        return decisions

    return play, version("rlcard")


def schnapsen() -> tuple[Playing, str]:
    """The two-hand game of the package schnapsen, between its two random players."""
    from importlib.metadata import version

    from schnapsen.bots import RandBot
    from schnapsen.game import SchnapsenGamePlayEngine

    chooser = random.Random(1)
    engine = SchnapsenGamePlayEngine()
    decisions = 0

    class Counting(RandBot):  # type: ignore[misc] # without types where it is not installed
        """Counts what it decides."""

        def get_move(self, perspective: Any, leader_move: Any) -> Any:
            """Return a random move."""
            nonlocal decisions
            decisions += 1
            return super().get_move(perspective, leader_move)

    players = [Counting(chooser, name) for name in ("one", "two")]

    def play() -> int:
        before = decisions
        engine.play_game(*players, chooser)
        return decisions - before

    return play, version("schnapsen")


def _yardstick(rounds: int = 400_000) -> float:
    begun = time.process_time()
    x = 1
    for i in range(rounds):
        x = (x * 31 + i) & 0xFFFF
    return rounds / (time.process_time() - begun)


def main(name: str, seconds: float) -> None:
    """Play for so many CPU seconds."""
    games: dict[str, Callable[[], tuple[Playing, str]]] = {
        "bauernschnapsen": bauernschnapsen,
        "rlcard bridge": rlcard_bridge,
        "schnapsen": schnapsen,
    }
    known = games.get(name)
    play, version = known() if known is not None else open_spiel(name)
    for _ in range(3):
        play()
    before = _yardstick()
    played = decisions = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        decisions += play()
        played += 1
    yard = (before + _yardstick()) / 2
    found = {"games": played, "decisions": decisions, "seconds": spent, "yard": yard}
    sys.stdout.write(json.dumps({**found, "version": version}) + "\n")


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(description="Time random games of one engine.")
    _parser.add_argument("game", help="bauernschnapsen, schnapsen or a game of another library")
    _parser.add_argument("seconds", type=float, help="CPU seconds to play for")
    _given = _parser.parse_args()
    main(_given.game, _given.seconds)
