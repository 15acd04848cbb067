"""What a page with cards contains: elements, script and style, all to be put into the page itself.

The elements name their card in full words and hold text for readers without scripts; `cards.mjs`
draws them in the deck that the reader chose.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from html import escape

from .faces import FOLDER, Deck, default_deck, load_faces
from .svg import State, said_of
from .words import Words

_PUBLIC = ("drawCard", "drawBack", "drawSign", "drawTrick")
_CHOICE = ("currentDeck", "chooseDeck", "defineCards")

_MARKS: dict[str | None, str] = {"legal": " ✓", "illegal": " ✗"}


def card_element(
    card: str,
    words: Words,
    *,
    state: State | None = None,
    deck: Deck | None = None,
    width: float | None = None,
    lazy: bool = False,
) -> str:
    """Return `<bs-card>` for a card; `deck` fixes its deck whatever the reader chose.

    `lazy`: it is drawn when it comes near the window, for pages with very many cards.
    """
    more = "" if width is None else f' width="{width:g}"'
    if lazy:
        more += " lazy"
    return _element("bs-card", card, words, state, deck, more)


def chip_element(
    card: str, words: Words, *, state: State | None = None, deck: Deck | None = None
) -> str:
    """Return `<bs-chip>` for a card in running text."""
    return _element("bs-chip", card, words, state, deck, "")


def suit_element(suit: str, words: Words, *, deck: Deck | None = None) -> str:
    """Return `<bs-chip>` for a suit in running text."""
    first = deck or default_deck(words.language)
    name = escape(words.suits[first][suit])
    fixed = "" if deck is None else f' deck="{deck}"'
    text = words.signs[suit] if first == "french" else name
    return (
        f'<bs-chip suit="{suit}"{fixed} role="img" aria-label="{name}" title="{name}">{text}'
        "</bs-chip>"
    )


def back_element(words: Words, *, width: float | None = None) -> str:
    """Return `<bs-card>` for a card that lies face down."""
    said = escape(words.phrases["back"])
    more = "" if width is None else f' width="{width:g}"'
    return f'<bs-card back{more} role="img" aria-label="{said}" title="{said}">?</bs-card>'


def switch_element() -> str:
    """Return the choice of cards; it is empty, and so unseen, without scripts."""
    return "<bs-deck></bs-deck>"


@lru_cache(maxsize=1)
def page_style() -> str:
    """Return the style sheet, to be put into `<style>` or into a file."""
    return (FOLDER / "cards.css").read_text("utf-8")


def words_script(words: Words) -> str:
    """Return a script with the words of one language, for `page_script(None)` to find."""
    return f"globalThis.bauernschnapsenWords = {_json(words.data())};\n"


def page_script(words: Words | None) -> str:
    """Return the script for a page in one language, to be put into `<script>` or into a file.

    None: a script for all languages; `words_script` runs before it.

    It asks for nothing else and is no module, so that it runs in a page opened from a folder, too.
    The drawing functions are left to other scripts in `bauernschnapsenCards`, with `faces` and
    `words` as their first arguments, which are there as well.
    """
    module = (FOLDER / "cards.mjs").read_text("utf-8")
    plain = re.sub(r"^export ", "", module, flags=re.MULTILINE)
    names = ", ".join((*_PUBLIC, *_CHOICE, "faces", "words"))
    said = "globalThis.bauernschnapsenWords" if words is None else _json(words.data())
    return (
        '(() => {\n"use strict";\n'
        f"{plain}\nconst faces = {_json(_faces())};\nconst words = {said};\n"
        f"globalThis.bauernschnapsenCards = {{ {names} }};\n"
        "defineCards(faces, words);\n})();\n"
    )


def _element(
    name: str, card: str, words: Words, state: State | None, deck: Deck | None, more: str
) -> str:
    first = deck or default_deck(words.language)
    said = escape(said_of(words.card(card, first), state, words))
    if deck is not None:
        more += f' deck="{deck}"'
    if state is not None:
        more += f' state="{state}"'
    # German signs are no characters; readers without scripts get the name of the card.
    text = f"{words.signs[card[1]]}{words.letter(card)}" if first == "french" else said
    if first == "french":
        text += _MARKS.get(state, "")
    return (
        f'<{name} card="{card}"{more} role="img" aria-label="{said}" title="{said}">{text}</{name}>'
    )


def _faces() -> dict[str, object]:
    return {key: value for key, value in load_faces().items() if key != "about"}


def _json(value: object) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
