"""Playing cards, drawn by our own hand: French and double-German suits, in six languages.

`faces.json` holds every path, colour and layout, `words.py` the letters and names from the
glossary. Two renderers read them and print the same SVG, letter for letter: `svg.py` for print and
for pages without scripts, `cards.mjs` in a page, where readers choose their cards. `markup.py`
writes what such a page contains. Nothing is drawn twice, and no font is needed for the cards.
"""

from .faces import DECKS, Deck, load_faces
from .markup import (
    back_element,
    card_element,
    chip_element,
    page_script,
    page_style,
    suit_element,
    switch_element,
    words_script,
)
from .svg import draw_back, draw_card, draw_sign, draw_trick
from .words import Words, words_of

__all__ = [
    "DECKS",
    "Deck",
    "Words",
    "back_element",
    "card_element",
    "chip_element",
    "draw_back",
    "draw_card",
    "draw_sign",
    "draw_trick",
    "load_faces",
    "page_script",
    "page_style",
    "suit_element",
    "switch_element",
    "words_of",
    "words_script",
]
