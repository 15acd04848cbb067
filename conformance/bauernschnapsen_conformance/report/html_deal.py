"""A deal in the HTML report: the hands as a table, its steps, and the data to walk through them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..cards import card_element
from ..corpus.reference import Prepared
from ..corpus.scenario import PositionCase
from ..corpus.wording import contract_name
from ..views import View
from . import html_words as say

Json = dict[str, Any]
CARD_WIDTH = 46


def draw_deal(key: str, prepared: Prepared, deal: int, until: int, *, differs: bool) -> str:
    """Return a deal as a table with its steps up to `until`; `differs`: the last is marked."""
    record, views = prepared.deals[deal], prepared.expected[deal]
    seats = list(record["hands"])
    dealer = record.get("dealer")
    forehand = None if dealer is None else seats[(seats.index(dealer) + 1) % len(seats)]
    rows = []
    for seat, hand in record["hands"].items():
        role = {dealer: "dealer", forehand: "forehand"}.get(seat) if dealer is not None else None
        rows.append(_row(seat, hand, role))
    if record.get("talon"):
        rows.append(_row("talon", record["talon"], None))
    steps = "".join(_steps(record, views, until, differs=differs))
    listed = f'<ol class="steps">{steps}</ol>' if steps else ""
    rest = len(record["actions"]) - until
    after = f"<p><small>{rest} more steps follow.</small></p>" if rest > 0 else ""
    return _board(key, _caption(record), rows, walk_data(record, views, until), listed + after)


def _caption(record: Json) -> str:
    facts = []
    if record.get("contract"):
        start = record["contract"]
        facts.append(
            f"{say.text(contract_name(start['name']))} by {say.seat_name(start['declarer'])}, "
            f"{say.suit(start['trump'])} was named"
        )
    if record.get("dealer") is None:
        facts.append("dealer and score follow from the deal before")
    scores = record.get("scores") or {}
    if any(scores.values()):
        have = ", ".join(f"{say.side_name(side)} {points}" for side, points in scores.items())
        facts.append(f"score {have}")
    return "The cards as dealt" + "".join(f"; {fact}" for fact in facts)


def _steps(record: Json, views: Sequence[View], until: int, *, differs: bool) -> Iterator[str]:
    for number, (seat, action) in enumerate(record["actions"][:until], start=1):
        kind = ' class="differs"' if differs and number == until else ""
        remark = _remark(views[number - 1], views[number])
        yield f"<li{kind}>{say.seat_name(seat)} {say.action(action)}{remark}</li>"


def _remark(before: View, view: View) -> str:
    """What the rules say to an action, if there is anything to say."""
    if view.get("refused"):
        told = f"refused: <code>{say.text(view['refused'])}</code>"
    elif view["outcome"] is not None and before["outcome"] is None:
        awards = view["outcome"]["awards"].items()
        told = "ends the deal: " + ", ".join(f"{say.side_name(s)} {points}" for s, points in awards)
    elif view["last_trick"] != before["last_trick"]:
        trick = view["last_trick"]
        told = f"{say.seat_name(trick['winner'])} wins the trick, {trick['points']} card points"
    else:
        return ""
    return f" <small>{told}</small>"


def walk_data(record: Json, views: Sequence[View], until: int) -> Json:
    """Return what the page needs to show the table after each step.

    gone: card -> the step it leaves the hand with; views: t cards on the table, w who won them,
    a who is to act, l the cards this seat may play, f a line of facts.
    """
    gone: dict[str, int] = {}
    for number, (_, action) in enumerate(record["actions"][:until], start=1):
        verb, _, argument = action.partition(" ")
        if verb in ("play", "marry", "discard") and not views[number].get("refused"):
            gone.update(dict.fromkeys(argument.split(), number))
    return {
        "seats": len(record["hands"]),
        "gone": gone,
        "views": [_view(view) for view in views[: until + 1]],
    }


def hand_before(record: Json, views: Sequence[View], seat: str, until: int) -> list[str]:
    """Return the cards a seat holds after `until` steps, in the order received."""
    done = [
        action
        for number, (who, action) in enumerate(record["actions"][:until], start=1)
        if who == seat and not views[number].get("refused")
    ]
    taken = record.get("talon", ()) if "talon" in done else ()
    gone = walk_data(record, views, until)["gone"]
    return [card for card in (*record["hands"].get(seat, ()), *taken) if card not in gone]


def _view(view: View) -> Json:
    last = view["last_trick"] or {}
    trick = view["trick"] or []
    turn = view["to_act"]
    playable = [
        action.partition(" ")[2]
        for action in (view["legal"] or {}).get(turn, ())
        if action.startswith("play ")
    ]
    facts = [f"{say.seat_name(turn)} to act"] if turn is not None else ["The deal is over"]
    if view["contract"] is not None:
        contract = view["contract"]
        named = contract_name(contract["name"])
        facts.append(f"{named} by {say.seat_name(contract['declarer'])}")
        if contract.get("factor", 1) != 1:
            facts.append(f"doubled to {contract['factor']}")
    elif view.get("bid"):
        without = " without the talon" if view["bid"].get("without_talon") else ""
        facts.append(f"bid {contract_name(view['bid']['contract'])}{without}")
    if any(view["points"].values()):
        points = view["points"].items()
        facts.append("card points " + ", ".join(f"{say.side_name(s)} {p}" for s, p in points))
    return {
        "t": trick or last.get("cards", []),
        "w": None if trick else last.get("winner"),
        "a": turn,
        "l": playable or None,
        "f": " · ".join(facts),
    }


def draw_position(key: str, case: PositionCase, seats: int) -> str:
    """Return a trick: the hand in question as a table of one row, and the cards on the table."""
    led = ", ".join(f"{say.seat_name(seat)} {say.card(card)}" for seat, card in case.trick)
    told = (
        f"{say.text(contract_name(case.contract))} by {say.seat_name(case.declarer)}, "
        f"{say.suit(case.trump)} was named; on the table: {led}"
    )
    view: Json = {"t": case.trick, "w": case.winner, "a": case.seat, "l": None, "f": ""}
    if case.seat is None:
        rows = [f'<tr><th scope="row">Won by</th><td>{say.seat_name(case.winner or "")}</td></tr>']
    else:
        may = ", ".join(map(say.card, case.legal))
        rows = [
            _row(case.seat, case.hand, None),
            f'<tr><th scope="row">May play</th><td>{may}</td></tr>',
        ]
        view["l"] = list(case.legal)
        view["f"] = f"{say.seat_name(case.seat)} to act"
    walk: Json = {"seats": seats, "gone": {}, "views": [view]}
    return _board(key, told, rows, walk, "")


def _row(seat: str, hand: Sequence[str], role: str | None) -> str:
    words = say.words()
    cards = " ".join(card_element(c, words, width=CARD_WIDTH, lazy=True) for c in hand)
    more = f"<small>{role}</small>" if role else ""
    return (
        f'<tr><th scope="row">{say.seat_name(seat)}{more}</th><td data-seat="{seat}">{cards}</td>'
        "</tr>"
    )


def _board(key: str, caption: str, rows: Sequence[str], walk: Json, steps: str) -> str:
    """The table, a place for the picture of the trick, the steps, and the data to walk through."""
    data = json.dumps(walk, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="walk" id="walk-{key}"><div class="board"><table class="deal">'
        f"<caption>{caption}</caption><tbody>{''.join(rows)}</tbody></table>"
        f'<div class="stage"></div></div>{steps}'
        f'<script type="application/json">{data}</script></div>'
    )


def draw_marked(cards: Sequence[str], legal: Sequence[str]) -> str:
    """Return a hand with its legal cards marked."""
    words = say.words()
    drawn = [
        card_element(
            card,
            words,
            state="legal" if card in legal else "illegal",
            width=CARD_WIDTH,
            lazy=True,
        )
        for card in cards
    ]
    return f'<p class="hand">{" ".join(drawn)}</p>'
