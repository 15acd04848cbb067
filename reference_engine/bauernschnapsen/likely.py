"""What somebody may have meant who wrote an action that is none: hints beside error messages.

Nothing here decides anything: `notation` alone says what an action is (rule notation.action).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .errors import Refusal
from .notation import CARDS, RANKS, SUITS, VERBS, parse_action

_LONGEST = 80
_RANK = {**{rank: rank for rank in RANKS}, "D": "Q", "O": "Q", "B": "J", "U": "J"}
"""Ranks by letter; D, O, B and U as on German cards (Dame, Ober, Bube, Unter)."""
_SUIT = dict(zip(SUITS + "♥♦♠♣", SUITS * 2, strict=True))
_SUIT_NAMES = ("hearts heart herz", "diamonds diamond karo", "spades spade pik", "clubs club kreuz")
_SUIT_WORDS = {
    word: suit for suit, names in zip(SUITS, _SUIT_NAMES, strict=True) for word in names.split()
}
_OF_CARDS = ("play", "marry", "discard")


def likely_card(word: str) -> str | None:
    """Return the card that a word such as ``10h``, ``HK`` or ``K♥`` stands for, or None."""
    text = word.upper().replace("10", "T")
    for letters in (text, text[::-1]):
        if len(letters) == 2 and letters[0] in _RANK and letters[1] in _SUIT:
            return _RANK[letters[0]] + _SUIT[letters[1]]
    return None


def likely_action(text: str) -> str | None:
    """Return an action that a text which is none may have been meant as, or None."""
    from difflib import get_close_matches  # only after a mistake: it costs start-up time

    if len(text) > _LONGEST:
        return None
    verb, _, rest = re.sub(r"^turn[ _]?up\b", "turn-up", text.strip().lower()).partition(" ")
    if verb not in VERBS:
        verb = next(iter(get_close_matches(verb, VERBS, n=1)), verb)
    guess = " ".join([verb, *_likely_words(verb, rest.split())])
    try:
        parse_action(guess)
    except Refusal:
        return None
    return guess if guess != text else None


def _likely_words(verb: str, words: list[str]) -> Iterable[str]:
    if verb in _OF_CARDS:
        return [likely_card(word) or word for word in words]
    if verb == "trump":
        return [_SUIT_WORDS.get(word) or _SUIT.get(word.upper(), word) for word in words]
    if verb.startswith(("bid", "raise")):
        return ["-".join(words).replace("_", "-")]
    return words if verb == "turn-up" else []


def hint_about(text: str) -> str | None:
    """Return in a few words what an action that is none may mean; None if there is no telling."""
    guess = likely_action(text)
    if guess is not None:
        return f"did you mean '{guess}'?"
    verb, *words = text.split()[:3] or [""]
    for word in words if verb in _OF_CARDS else ():
        rank = _RANK.get(word[0].upper())
        if likely_card(word) is None and rank is not None:
            cards = [card for card in CARDS if card[0] == rank]
            return f"cards of this rank are {', '.join(cards)}"
    return None
