"""Scenarios as data for the player of examples.

The script looks for the data of `<bs-example data-scenario="ID">` in a `<script>` inside it, and if
there is none, in `bauernschnapsenPlay.examples[ID]`, where a script shared by all pages may put it.
"""

from __future__ import annotations

from typing import Any

from ..model import Example

Json = dict[str, Any]


def example_data(example: Example) -> Json:
    """Return what a page needs in order to play an example; it says nothing in any language.

    id, rules      of the scenario
    ruleset        what differs from the ruleset of the book (`under`); absent mostly
    deals          dealer, contract, scores (absent: all 0) as in a replay request; hands as one
                   text for each seat; actions as texts "N play KH"
    refused        [[deal, action, rule], ...]: actions that are refused, counted from 0
    ask            [deal, action]: where the reader is asked what may be played
    """
    refused, ask = [], None
    for statement in example.prepared.statements:
        if statement.kind == "refused":
            refused.append([statement.deal, statement.view - 1, statement.value])
            ask = ask or [statement.deal, statement.view - 1]
    for statement in example.prepared.statements:
        if statement.kind == "legal" and statement.value:
            ask = ask or [statement.deal, statement.view]
    data = {
        "id": example.scenario.id,
        "rules": list(example.scenario.rules),
        "ruleset": example.scenario.under,
        "deals": [_deal(deal) for deal in example.prepared.deals],
        "refused": refused,
        "ask": ask,
    }
    return {key: value for key, value in data.items() if value}


def _deal(deal: Json) -> Json:
    written = {**deal, "hands": {seat: " ".join(cards) for seat, cards in deal["hands"].items()}}
    written["actions"] = [f"{seat} {action}" for seat, action in deal["actions"]]
    if not any(deal.get("scores", {}).values()):
        written.pop("scores", None)
    return written
