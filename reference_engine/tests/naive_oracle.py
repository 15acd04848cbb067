"""A second opinion on one trick: the rules once more, sentence by sentence, as slowly as need be.

Nothing of the engine is used here, not even its notation: a card is its two letters, a hand a list.
Above each line stands the sentence it obeys. `legal_cards` and `trick_winner` judge a trick under
any order of ranks; `legality_keys` and `tables` list every question there is to ask about one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import NamedTuple

RANKS = "ATKQJ"
SUITS = "HDSC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


# --------------------------------------------------------------------------- one trick


def trick_winner(trick: list[str], trump: str | None, ranks: str) -> int:
    """The place, from 0, of the card that wins a trick; `ranks` from the highest to the lowest."""
    # R34: "Highest trump, else highest card of the suit led, wins."
    trumps = [card for card in trick if card[1] == trump]
    # A52: "Void in no-trump contracts: any card; never wins."
    of_the_suit_led = [card for card in trick if card[1] == trick[0][1]]
    for rank in ranks:
        for card in trumps or of_the_suit_led:
            if card[0] == rank:
                return trick.index(card)
    raise AssertionError("a trick without a card")


def legal_cards(hand: list[str], trick: list[str], trump: str | None, ranks: str) -> list[str]:
    """The cards of a hand that may be added to a trick: each is tried on its own."""
    return [card for card in hand if _may_be_added(card, hand, trick, trump, ranks)]


def _may_be_added(
    card: str, hand: list[str], trick: list[str], trump: str | None, ranks: str
) -> bool:
    # R28: "One card each." Whoever leads chooses freely.
    if not trick:
        return True
    led = trick[0][1]
    can_follow = [mine for mine in hand if mine[1] == led]
    # R28: "Follow suit if possible."
    if can_follow and card[1] != led:
        return False
    # R29: "When possible, beat the highest card so far in the trick, also partner's."
    if can_follow:
        can_beat = [mine for mine in can_follow if _wins_if_added(mine, trick, trump, ranks)]
        # R33: "If an opponent has ruffed and you hold the suit led, you follow; not being able to
        # win does not release you." A48: "any card of the suit".
        return card in can_beat or not can_beat
    can_trump = [mine for mine in hand if mine[1] == trump]
    # R32: "Free discard only with neither the suit nor a trump."
    if not can_trump:
        return True
    # R30: "Void in the suit led: must trump." A51: also if the partner is winning.
    if card[1] != trump:
        return False
    # R30: "and beat a trump already there if possible". A50: "Over-trump: yes."
    can_beat = [mine for mine in can_trump if _wins_if_added(mine, trick, trump, ranks)]
    # R31, A49: "If it cannot be beaten, a lower trump must still be played."
    return card in can_beat or not can_beat


def _wins_if_added(card: str, trick: list[str], trump: str | None, ranks: str) -> bool:
    return trick_winner([*trick, card], trump, ranks) == len(trick)


# --------------------------------------------------------------------------- every question


class Key(NamedTuple):
    """What the legality of a card can depend on, apart from the order of ranks.

    Suits are renamed: the suit led is H; a trump suit that was not led is D.
    """

    hand: list[str]
    winning: str
    trump: str | None


LED = "H"


def legality_keys(largest: int = 5) -> Iterator[Key]:
    """Every hand of one to five cards, winning card and trump, once up to renaming of suits.

    With three players the `largest` hand has six.

    Suits that play no part in the trick are interchangeable, so their holdings come in one order.
    """
    holdings = [
        "".join(part) for size in range(6) for part in combinations(RANKS, size)
    ]  # of one suit
    for trump in (None, LED, "D"):
        fixed = "HD" if trump == "D" else "H"
        idle = [suit for suit in SUITS if suit not in fixed]
        for parts in product(holdings, repeat=len(fixed)):
            if len("".join(parts)) > largest:
                continue
            for others in combinations_with_replacement(holdings, len(idle)):
                held = zip(fixed + "".join(idle), (*parts, *others), strict=True)
                hand = [rank + suit for suit, ranks in held for rank in ranks]
                if 1 <= len(hand) <= largest:
                    yield from (Key(hand, card, trump) for card in _can_win(hand, trump))


def _can_win(hand: list[str], trump: str | None) -> list[str]:
    unseen = [card for card in PACK if card not in hand]
    if not any(card[1] == LED for card in unseen):
        return []  # nobody else could have led the suit
    return [card for card in unseen if card[1] in (LED, trump)]


def renamings(key: Key) -> int:
    """The number of different keys that renaming the suits makes of this one."""
    idle = [suit for suit in SUITS if suit not in (LED, key.trump)]
    holdings = ["".join(c[0] for c in key.hand if c[1] == suit) for suit in idle]
    different = len(set(permutations(holdings)))
    return different * (4 if key.trump in (None, LED) else 12)


def tables(key: Key, ranks: str) -> list[list[str]]:
    """Tricks of one to three cards that this card wins, in as many shapes as the pack allows.

    Among them, where such cards are left: the winning card led, played over lower cards, and before
    them; one trump, two trumps ascending, two trumps descending; discards before and after it.
    """
    win = key.winning
    unseen = [card for card in PACK if card not in key.hand and card != win]
    unseen.sort(key=lambda card: ranks.index(card[0]))
    lower = [c for c in unseen if c[1] == win[1] and ranks.index(c[0]) > ranks.index(win[0])]
    off = [card for card in unseen if card[1] not in (LED, key.trump)]
    shapes: list[list[str]] = []
    if win[1] == LED:
        shapes += [[win]] + [[low, win] for low in lower] + [[win, low] for low in lower]
        shapes += [[one, two, win] for one, two in pairwise(lower)]
        shapes += [[two, one, win] for one, two in pairwise(lower)]
        shapes += [shape for d in off[:1] for shape in _with_discard(win, d, lower)]
    else:
        leads = [card for card in unseen if card[1] == LED]
        for lead in (leads[0], leads[-1]):
            shapes += [[lead, win]]
            shapes += [[lead, low, win] for low in lower] + [[lead, win, low] for low in lower]
            shapes += [[lead, other, win] for other in leads if other != lead]
            shapes += [[lead, win, other] for other in leads if other != lead]
            shapes += [shape for d in off[:1] for shape in ([lead, d, win], [lead, win, d])]
    return [list(shape) for shape in dict.fromkeys(map(tuple, shapes))]


def _with_discard(win: str, discard: str, lower: list[str]) -> list[list[str]]:
    shapes = [[win, discard]]
    for low in lower[:1]:
        shapes += [[low, discard, win], [low, win, discard], [win, discard, low]]
    return shapes
