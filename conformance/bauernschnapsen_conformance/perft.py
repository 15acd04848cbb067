"""Ask an engine for its numbers of legal lines, ply by ply, over the adapter protocol.

The tree is walked by replays: the last view of each line says which cards may follow. Nothing but
`play` actions is counted, whatever else the engine lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bauernschnapsen.errors import SpecError

from .adapter import Request, Session
from .adapter.launch import RULES_KEY
from .corpus.perft import PerftCase

Line = tuple[tuple[str, str], ...]


def lines_of_engine(case: PerftCase, session: Session, depth: int) -> list[dict[Line, int]]:
    """Return, for each ply up to `depth`, every line that was asked and how many cards follow it.

    SpecError where the engine cannot be asked or its answer does not tell.
    """
    extra = {"rules": RULES_KEY} if session.hello.capabilities.configurable else {}
    if "contract" not in session.hello.capabilities.starts:
        raise SpecError("perft needs an engine that starts from a contract (capabilities.starts)")
    layer: list[Line] = [()]
    plies = []
    for _ in range(depth):
        following: dict[Line, list[tuple[str, str]]] = {}

        def requests(lines: list[Line] = layer) -> Iterator[Request]:
            for line in lines:
                played = [[seat, f"play {card}"] for seat, card in line]
                deal = {**case.deal, "actions": [*map(list, case.before), *played]}
                yield Request(line, {"op": "replay", "deals": [deal], **extra})

        for answer in session.ask(requests()):
            if answer.reply is None:
                raise SpecError(f"the adapter failed: {answer.fault}")
            line: Any = answer.key
            following[line] = _cards_that_follow(answer.reply, line, len(case.before))
        plies.append({line: len(following[line]) for line in layer})
        layer = [(*line, card) for line in layer for card in following[line]]
    return plies


def _cards_that_follow(reply: dict[str, Any], line: Line, before: int) -> list[tuple[str, str]]:
    try:
        view = reply["ok"][0][before + len(line)]
        legal, turn = view["legal"], view["to_act"]
    except (KeyError, IndexError, TypeError):
        raise SpecError(f"the engine's answer shows no legal actions after {line}") from None
    if view.get("refused"):
        shown = " ".join(card for _, card in line)
        raise SpecError(f"the engine refuses a card it listed as legal, after {shown}")
    if turn is None or not isinstance(legal, dict):
        return []
    actions = legal.get(turn) or []
    return [(turn, action[5:]) for action in actions if action.startswith("play ")]
