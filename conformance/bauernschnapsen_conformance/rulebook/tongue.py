"""One reader's language: phrases, names and texts, with English where something is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from bauernschnapsen.ruleset import Resolved

from ..cards import Words, words_of
from ..corpus.interface import Interface, load_interface
from ..corpus.rules import Rule
from ..corpus.wording import fill_in, glossary, rule_note, rule_text


@dataclass(frozen=True, slots=True)
class Said:
    """A text for a reader. `language` is the one it is really in."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of one language."""

    code: str
    interface: Interface
    cards: Words

    def __call__(self, key: str, **blanks: object) -> str:
        """Return a phrase of the interface."""
        return self.interface(key, **blanks)

    def labelled(self, label: str, text: str) -> str:
        """Return a label and what it labels, with the colon as this language sets it."""
        return f"{label}{self('mark.colon')}{text}"

    def of(self, texts: Mapping[str, str]) -> Said:
        """Return the text in this language, else in English."""
        text = texts.get(self.code)
        return Said(text, self.code) if text else Said(texts["en"], "en")

    def rule(self, rule: Rule, ruleset: Resolved) -> Said:
        """Return what a rule says under a ruleset."""
        text = rule_text(rule, ruleset, self.code)
        return Said(text, self.code) if text else Said(rule_text(rule, ruleset, "en"), "en")

    def note(self, rule: Rule, ruleset: Resolved) -> Said | None:
        """Return the note of a rule under a ruleset, or None where it has none."""
        if not rule_note(rule, ruleset, "en"):
            return None
        text = rule_note(rule, ruleset, self.code)
        return Said(text, self.code) if text else Said(rule_note(rule, ruleset, "en"), "en")

    def filled(self, texts: Mapping[str, str], ruleset: Resolved) -> Said:
        """Return a text with the values of a ruleset put in."""
        said = self.of(texts)
        return Said(fill_in(said.text, ruleset, said.language), said.language)

    def contract(self, name: str, ruleset: Resolved | None = None) -> str:
        """Return the name of a contract, also of one that only this ruleset has."""
        entry = glossary()["contracts"].get(name)
        if entry is not None:
            return str(entry[self.code]["main"])
        own: Any = (ruleset or {}).get("contracts", {}).get(name, {}).get("name")
        return self.of(own).text if own and "en" in own else name

    def seat(self, seat: str) -> str:
        """Return the name of a seat."""
        return self.cards.seats[seat]

    def side(self, side: str) -> str:
        """Return the name of a side; with three players each seat is one."""
        entry = glossary()["sides"].get(side)
        return self.seat(side) if entry is None else str(entry[self.code]["main"])

    def term(self, name: str) -> str | None:
        """Return the main form of a term of the glossary."""
        entry = glossary()["terms"].get(name)
        return None if entry is None else str(entry[self.code]["main"])

    def outcome(self, reason: str) -> str:
        """Return how a deal ended."""
        return str(glossary()["outcomes"][reason][self.code]["main"])

    def phrase(self, kind: str, value: str) -> str | None:
        """Return the phrase for a value of a field, from the glossary or the interface."""
        entry = glossary()["values"].get(kind, {}).get(value)
        if entry is not None:
            return str(entry[self.code])
        key = f"value.{kind}.{value}"
        return self(key) if self.interface.has(key) else None

    def action(self, verb: str) -> str:
        """Return what one does, as the glossary names it; the verb itself if it does not."""
        entry = glossary()["actions"].get(verb)
        return escape(str(entry[self.code]["main"])) if entry is not None else escape(verb)

    def plain(self, card: str) -> str:
        """Return a card as characters, for readers without scripts: ♥K."""
        return f"{self.cards.signs[card[1]]}{self.cards.letter(card)}"

    def card(self, card: str) -> str:
        """Return a card for running text, as HTML; the script draws and names it."""
        return f'<bs-chip card="{card}">{self.plain(card)}</bs-chip>'

    def chips(self, cards: Sequence[str]) -> str:
        """Return cards for running text, as HTML."""
        return " ".join(self.card(card) for card in cards)

    def suit(self, suit: str) -> str:
        """Return a suit for running text, as HTML."""
        return f'<bs-chip suit="{suit}">{self.cards.signs[suit]}</bs-chip>'

    def hand(self, cards: Sequence[str], width: int = 46) -> str:
        """Return cards side by side, as HTML; the script draws them when they come into view."""
        wide = "" if width == 46 else f' width="{width}"'
        shown = " ".join(self.plain(card) for card in cards)
        return f'<bs-hand cards="{" ".join(cards)}"{wide}>{shown}</bs-hand>'

    def html(self, said: Said) -> str:
        """Return a text as HTML; one that is not in this language is marked."""
        if said.language == self.code:
            return escape(said.text, quote=False)
        note = escape(self("note.fallback"))
        return (
            f'<span lang="{said.language}">{escape(said.text, quote=False)}</span> '
            f'<small class="bs-fallback">{note}</small>'
        )


@lru_cache(maxsize=8)
def tongue_of(language: str) -> Tongue:
    """Return a language. SpecError if its words cannot be read."""
    return Tongue(language, load_interface(language), words_of(language))
