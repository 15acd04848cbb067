"""The letters on the cards and the names of cards, in the order and case of each language.

Both come from `spec/glossary.yaml`; `words.json` adds the few words about cards that are no terms
of the game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bauernschnapsen.errors import SpecError, did_you_mean
from bauernschnapsen.notation import CARDS, RANKS, SUITS

from ..corpus.wording import glossary
from .faces import DECKS, FOLDER, Deck

Json = dict[str, Any]
LANGUAGES = ("en", "de", "ru", "uk", "fr", "pt")


@dataclass(frozen=True, slots=True)
class Words:
    """What is written on the cards and said about them in one language."""

    language: str
    letters: Mapping[Deck, Mapping[str, str]]
    """Rank as in the notation -> what stands in the corner."""
    names: Mapping[Deck, Mapping[str, str]]
    """Card as in the notation -> its full name: `Herz-Zehner`, `туз пик`."""
    suits: Mapping[Deck, Mapping[str, str]]
    """Suit as in the notation -> its name."""
    signs: Mapping[str, str]
    """Suit -> the French sign as a character of text, never as a coloured picture."""
    decks: Mapping[Deck, str]
    seats: Mapping[str, str]
    phrases: Mapping[str, str]
    """`back`, `legal`, `illegal`, `led`, `wins`, `empty`, `deck`."""

    def card(self, card: str, deck: Deck = "french") -> str:
        """Return the name of a card in full words."""
        return self.names[deck][card]

    def letter(self, card: str, deck: Deck = "french") -> str:
        """Return what stands in the corner of a card."""
        return self.letters[deck][card[0]]

    def data(self) -> Json:
        """Return everything as JSON, as `cards.mjs` reads it."""
        return {
            "language": self.language,
            "letters": {deck: dict(self.letters[deck]) for deck in DECKS},
            "names": {deck: dict(self.names[deck]) for deck in DECKS},
            "suits": {deck: dict(self.suits[deck]) for deck in DECKS},
            "signs": dict(self.signs),
            "decks": dict(self.decks),
            "seats": dict(self.seats),
            "phrases": dict(self.phrases),
        }


@lru_cache(maxsize=8)
def words_of(language: str) -> Words:
    """Return the words of a language (`en`, `de`, ...). SpecError if there are none."""
    if language not in LANGUAGES:
        hint = did_you_mean(language, LANGUAGES) or f"one of {', '.join(LANGUAGES)}"
        raise SpecError(f"there are no cards in the language {language!r}", hint=hint)
    spoken = glossary()["languages"][language]
    more = json.loads((FOLDER / "words.json").read_bytes())[language]
    suits = {entry["code"]: entry for entry in glossary()["suits"].values()}
    ranks = {entry["code"]: entry for entry in glossary()["ranks"].values()}

    def name(card: str, deck: Deck) -> str:
        rank, suit = ranks[card[0]][deck][language], suits[card[1]][deck][language]
        compound = more["compounds"].get(deck, {}).get(card[1])
        said = suit.get("forms", {}).get(spoken["card_suit_form"], suit["main"])
        return str(spoken["card"].format(rank=rank["main"], suit=compound or said))

    return Words(
        language,
        {deck: {code: ranks[code][deck][language]["index"] for code in RANKS} for deck in DECKS},
        {deck: {card: name(card, deck) for card in CARDS} for deck in DECKS},
        {deck: {code: suits[code][deck][language]["main"] for code in SUITS} for deck in DECKS},
        # The variation selector keeps phones from drawing a heart as an emoji.
        {code: f"{suits[code]['symbol']}\ufe0e" for code in SUITS},
        {deck: glossary()["decks"][deck][language] for deck in DECKS},
        {entry["code"]: entry[language]["main"] for entry in glossary()["seats"].values()},
        {key: value for key, value in more.items() if key != "compounds"},
    )
