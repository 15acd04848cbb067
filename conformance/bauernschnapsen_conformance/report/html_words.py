"""Values, actions and cards as HTML for people: names and drawn signs in place of codes.

What an engine said may be anything. It is shown as text that can do nothing, and bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from bauernschnapsen.errors import printable
from bauernschnapsen.notation import CARD_NUMBER, SUITS

from ..cards import Words, chip_element, suit_element, words_of
from ..cards.svg import State
from ..corpus.wording import contract_name, glossary
from ..views import Difference

_MOST_CHARACTERS = 300
_MOST_VALUES = 40
_DEEPEST = 4
_MEMBER = re.compile(r"(contains|does not contain) '([^']*)'")
_PLAIN = {
    "pass": "passes",
    "kontra": "says Kontra",
    "rekontra": "says Rekontra",
    "subkontra": "says Subkontra",
    "enough": "says “enough”",
    "show": "shows the hand",
    "talon": "takes the talon",
    "keep": "leaves the talon",
    "redeal": "asks for a new deal",
    "turn-up 1": "has the first unseen card turned up",
    "turn-up 2": "has the second unseen card turned up",
    "turn-up 3": "has the third unseen card turned up",
}
_CARD_VERBS = {"play": "plays", "marry": "declares a marriage with", "discard": "discards"}
_BIDS = {"bid": "bids", "raise": "raises to"}
_PLACES = {
    "to_act": "Who is to act",
    "legal": "What may be done by",
    "refused": "Whether the action is taken",
    "trump": "Trump",
    "bid": "Standing bid",
    "contract": "Contract",
    "trick": "Cards on the table",
    "last_trick": "Last trick",
    "sees": "What is seen",
    "points": "Card points",
    "tricks": "Tricks",
    "outcome": "Outcome",
    "scores": "Score",
    "next_dealer": "Next dealer",
    "game": "Game",
    "phase": "Phase",
    "legal_plays": "What may be played",
    "trick_winner": "Who wins the trick",
}


def words() -> Words:
    """Return the words of the report's language."""
    return words_of("en")


def text(value: object, most: int = _MOST_CHARACTERS) -> str:
    """Return anything as harmless text of bounded length."""
    shown = printable(str(value)[: most + 1])
    return escape(shown if len(shown) <= most else f"{shown[:most]}…")


def command(line: str) -> str:
    """Return a command to copy; it scrolls rather than break at a hyphen."""
    return f'<pre tabindex="0">{text(line.strip(), 4000)}</pre>'


def seat_name(seat: str) -> str:
    """Return the name of a seat or of the talon; the text itself if there is no such seat."""
    return text({"talon": "Talon", **words().seats}.get(seat, seat))


def side_name(side: str) -> str:
    """Return the name of a side: with three players each seat is one."""
    entry = glossary()["sides"].get(side)
    return text(entry["en"]["main"]) if entry is not None else seat_name(side)


def card(code: str, state: State | None = None) -> str:
    """Return a card as a chip; the text itself if there is no such card."""
    if code not in CARD_NUMBER:
        return f"<code>{text(code)}</code>"
    return chip_element(code, words(), state=state)


def suit(code: object) -> str:
    """Return a suit as a chip; the text itself if there is no such suit."""
    if not (isinstance(code, str) and len(code) == 1 and code in SUITS):
        return f"<code>{text(code)}</code>"
    return suit_element(code, words())


def action(told: str) -> str:
    """Return an action as the rest of a sentence: `plays ♥K`."""
    verb, _, argument = told.partition(" ")
    if told in _PLAIN:
        return _PLAIN[told]
    if verb == "trump":
        return f"names {suit(argument)} as trump"
    if verb in _CARD_VERBS:
        return f"{_CARD_VERBS[verb]} {' '.join(map(card, argument.split()[:4]))}"
    if verb == "bid-without-talon":
        return f"bids {text(contract_name(argument))} without the talon"
    if verb in _BIDS:
        return f"{_BIDS[verb]} {text(contract_name(argument))}"
    return f"<code>{text(told)}</code>"


def place(difference: Difference) -> str:
    """Return what a difference is about: `What may be done by West`."""
    first, *rest = difference.path or ("",)
    named = [text(_PLACES.get(first, first))]
    for part in rest:
        name = side_name(part) if part.isupper() else text(part.replace("_", " "))
        named.append(name if first == "legal" else f"– {name}")
    return " ".join(named)


def value(difference: Difference, shown: Any) -> str:
    """Return one side of a difference."""
    if difference.path == ("refused",):
        if not shown:
            return "accepted"
        return "refused" if shown is True else f"refused, <code>{text(shown)}</code>"
    if (
        difference.path
        and difference.path[0] in ("legal", "legal_plays")
        and isinstance(shown, list | tuple)
    ):
        return actions(shown)
    return _any("" if not difference.path else difference.path[-1], shown, 0)


def actions(told: Sequence[Any]) -> str:
    """Return a set of actions, or of cards, as a list in a sentence."""
    shown = [
        f"<code>{text(one)}</code>"
        if not isinstance(one, str)
        else card(one)
        if one in CARD_NUMBER
        else action(one)
        for one in told[:_MOST_VALUES]
    ]
    more = len(told) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "") if shown else "nothing"


def _any(key: str, shown: Any, depth: int) -> str:
    """A value of a view, by the key it stands under; whatever is not understood stays as it is."""
    if shown is None:
        return "none"
    if isinstance(shown, bool | int | float):
        return text(str(shown).lower())
    if depth >= _DEEPEST:
        return f"<code>{text(shown)}</code>"
    if isinstance(shown, dict):
        parts = [
            f"{side_name(name) if str(name).isupper() else text(str(name).replace('_', ' '))}: "
            f"{_any(str(name), inner, depth + 1)}"
            for name, inner in list(shown.items())[:_MOST_VALUES]
        ]
        return "; ".join(parts) or "nothing"
    if isinstance(shown, list | tuple):
        return _list(key, shown, depth)
    return _word(key, shown)


def _list(key: str, shown: Sequence[Any], depth: int) -> str:
    if not shown:
        return "nothing"
    if all(isinstance(one, list | tuple) and len(one) == 2 for one in shown):
        return ", ".join(
            f"{_any('seat', one[0], depth + 1)} {_any('', one[1], depth + 1)}"
            for one in shown[:_MOST_VALUES]
        )
    return ", ".join(_any(key, one, depth + 1) for one in shown[:_MOST_VALUES])


def _word(key: str, shown: Any) -> str:
    if not isinstance(shown, str):
        return f"<code>{text(shown)}</code>"
    found = _MEMBER.fullmatch(shown)
    if found is not None:
        return f"{found[1]}: {action(found[2])}"
    if key == "trump":
        return suit(shown)
    if shown in CARD_NUMBER:
        return card(shown)
    if key in ("name", "contract"):
        return text(contract_name(shown))
    if key in ("to_act", "next_dealer", "seat", "declarer", "winner", "trick_winner"):
        return seat_name(shown)
    if key == "winners":
        return side_name(shown)
    if key == "reason":
        entry = glossary()["outcomes"].get(shown)
        return text(entry["en"]["main"]) if entry is not None else text(shown)
    return text(shown)
