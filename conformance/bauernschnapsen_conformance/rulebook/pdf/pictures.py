"""Cards in print: each is a picture of its own name, which the printer fetches and reads once.

A book shows the same twenty cards hundreds of times. Written into the text, each drawing would be
parsed anew; as `<img src="picture:card/KH/legal">` it is parsed once and drawn where it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ...cards import Deck, draw_card, draw_sign, draw_trick
from ...cards.faces import load_faces
from ...cards.words import Words

SCHEME = "picture:"
_CHIP = re.compile(r'<bs-chip (card|suit)="([A-Z]{1,2})"[^>]*>.*?</bs-chip>', re.DOTALL)
_HAND = re.compile(r'<bs-hand cards="([A-Z ]+)"(?: width="(\d+)")?[^>]*>.*?</bs-hand>', re.DOTALL)
_SCREEN = re.compile(r"<p class=\"bs-tools\">.*?</p>|<bs-deck></bs-deck>", re.DOTALL)

_MARK = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="20" height="20">'
    '<path d="{}" fill="none" stroke="{}" stroke-width="3.4"/></svg>'
)
_MARKS = {
    "✗": (_MARK.format("M3 3L17 17M17 3L3 17", "#b3261e"), "illegal"),
    "✓": (_MARK.format("M2 11L8 17L18 3", "#1a7f37"), "legal"),
}
"""Signs that our fonts lack."""


class Pictures:
    """The pictures of one book, in one language and with one kind of cards."""

    def __init__(self, words: Words, deck: Deck) -> None:
        """`deck` says which cards are printed: paper has no switch."""
        self.words = words
        self.deck = deck
        self._drawn: dict[str, str] = {}

    def svg(self, address: str) -> str:
        """Return the drawing at an address that this object gave out; KeyError for any other."""
        return self._drawn[address]

    def card(self, card: str, width: float, state: str | None = None) -> str:
        """Return a card `width` millimetres wide; one with a state stands on a higher canvas."""
        said = self.words.card(card, self.deck)
        kept = state if state in ("legal", "illegal", "winner") else None
        if kept is not None:
            said += f", {self.words.phrases['wins' if kept == 'winner' else kept]}"
        drawing = draw_card(card, self.words, self.deck, state=kept, width=90)  # type: ignore[arg-type]
        faces = load_faces()
        wide = width
        if kept is not None:
            wide = width * (faces["size"][0] + 2 * faces["room"]["side"]) / faces["size"][0]
        return self._image(f"card/{card}/{kept or 'plain'}", drawing, said, f"{wide:.2f}mm")

    def hand(self, cards: Sequence[str], width: float, legal: Sequence[str] | None = None) -> str:
        """Return cards side by side; with `legal`, every card is marked as legal or not."""
        states = [None if legal is None else "illegal" for _ in cards]
        if legal is not None:
            states = ["legal" if card in legal else "illegal" for card in cards]
        drawn = [self.card(card, width, state) for card, state in zip(cards, states, strict=True)]
        return f'<span class="hand">{" ".join(drawn)}</span>'

    def trick(self, plays: Sequence[tuple[str, str]], width: float, seats: int) -> str:
        """Return the cards on the table, the whole table `width` millimetres wide."""
        drawing = draw_trick(plays, self.words, self.deck, seats=seats)
        named = re.search(r'aria-label="([^"]*)"', drawing)
        said = named[1] if named else ""
        name = "-".join(f"{seat}{card}" for seat, card in plays)
        return self._image(f"trick/{seats}/{name}", drawing, said, f"{width:g}mm", escaped=True)

    def chip(self, card: str) -> str:
        """Return a card for running text: sign and letter in a box."""
        sign = self._sign(card[1], self.words.suits[self.deck][card[1]])
        letter = escape(self.words.letter(card, self.deck))
        return f'<span class="chip suit-{card[1]}">{sign}{letter}</span>'

    def suit(self, suit: str) -> str:
        """Return a suit for running text."""
        named = self.words.suits[self.deck][suit]
        return f'<span class="chip suit-{suit}">{self._sign(suit, named)}</span>'

    def printed(self, html: str) -> str:
        """Return HTML of the site with its elements turned into what can be printed.

        A hand with a width of its own is drawn; the hands of a deal are chips, which are smaller.
        """

        def hand(found: re.Match[str]) -> str:
            cards = found[1].split()
            if found[2]:
                return self.hand(cards, int(found[2]) * 0.2)
            return f'<span class="chips">{" ".join(map(self.chip, cards))}</span>'

        def chip(found: re.Match[str]) -> str:
            return self.chip(found[2]) if found[1] == "card" else self.suit(found[2])

        html = _CHIP.sub(chip, _HAND.sub(hand, _SCREEN.sub("", html)))
        for sign, (drawing, phrase) in _MARKS.items():
            said = self.words.phrases[phrase]
            html = html.replace(sign, self._image(f"mark/{phrase}", drawing, said, "", kind="sign"))
        return html

    def _sign(self, suit: str, said: str) -> str:
        drawing = draw_sign(suit, self.deck, size=20)
        return self._image(f"sign/{suit}", drawing, said, "", kind="sign")

    def _image(
        self,
        name: str,
        drawing: str,
        said: str,
        width: str,
        *,
        kind: str = "card",
        escaped: bool = False,
    ) -> str:
        address = SCHEME + name
        self._drawn.setdefault(address, drawing)
        shown = said if escaped else escape(said)
        style = f' style="width:{width}"' if width else ""
        return f'<img class="{kind}" src="{address}" alt="{shown}"{style}>'
