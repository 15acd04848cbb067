"""Random deals of three players, played by the second opinion itself: no engine chooses a card."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from naive_oracle import PACK
from naive_talon import VOCABULARY, answer, do, legal, may
from naive_talon_table import CLOCKWISE, NAMES, Deal

AGREEMENTS = {
    "raise": ("talon_raise", "allowed"),
    "bonus": ("no_talon_bonus", 1),
    "precedence": ("no_talon_precedence", "present"),
    "all marked": ("losers", "all_below_target"),
}
"""What a table may agree on, and the option and value that say so in a ruleset."""
TABLES = [frozenset(some) for size in range(5) for some in combinations(AGREEMENTS, size)]
# What random hands would hardly ever be good or bad enough for; X and Y stand for two suits.
SHAPES = [
    *(["AX", "TX", "KX", "QX", "JX"], ["AX", "TX", "KX", "QX"], ["KX", "QX"]),
    *(["AX", "TX", "KX", "AY", "TY"], ["AX", "KX", "QX", "AY", "TY"], ["JX", "QX", "JY", "QY"]),
    *(["AX", "TX", "KX", "QX", "JX", "AY"], ["TX", "KX", "QX", "JX", "TY", "KY"]),
]
_ODD = [
    *("show", "redeal", "turn-up 4", "discard AH", "discard AH AH", "raise", "bid plauderer", ""),
    *("raise no-such-contract", "keep AH", "talon 2", "discard  AH KH", "discard AH KH QH"),
]
_BY_VERB: dict[str, list[str]] = {"": _ODD}
for _words in sorted(VOCABULARY):
    _BY_VERB.setdefault(_words.partition(" ")[0], []).append(_words)


def options_of(agreed: frozenset[str]) -> dict[str, Any]:
    """The options of a ruleset that say what a table has agreed on."""
    return dict(AGREEMENTS[word] for word in sorted(agreed))


def random_deal(chance: Random, agreed: frozenset[str]) -> tuple[dict[str, Any], list[Any]]:
    """A record of a deal, refused attempts among its actions, and what is true after each."""
    record = _start(chance)
    deal = Deal(record, agreed)
    answers = [answer(deal, refused=False)]
    while deal.outcome is None:
        seat, words = _attempt(chance, deal) if chance.random() < 0.2 else _choice(chance, deal)
        allowed = may(deal, seat, words)
        if allowed:
            do(deal, seat, words)
        record["actions"].append([seat, words])
        answers.append(answer(deal, refused=not allowed))
    return record, answers


def _start(chance: Random) -> dict[str, Any]:
    favoured = chance.choice(CLOCKWISE)
    hands = _hands(chance, CLOCKWISE.index(favoured))
    record: dict[str, Any] = {
        "dealer": chance.choice(CLOCKWISE),
        "hands": dict(zip(CLOCKWISE, hands, strict=False)),
        "talon": hands[3],
        "scores": {seat: chance.choice([0, 0, chance.randrange(24), 23]) for seat in CLOCKWISE},
        "actions": [],
    }
    if chance.random() < 0.6:
        declarer = favoured if chance.random() < 0.7 else chance.choice(CLOCKWISE)
        suits = [card[1] for card in record["hands"][declarer]]
        trump = max(suits, key=suits.count) if chance.random() < 0.7 else chance.choice("HDSC")
        name = chance.choice([*NAMES, "normal", "schnapser", "kontra-schnapser"])
        record["contract"] = {"name": name, "declarer": declarer, "trump": trump}
    return record


def _hands(chance: Random, favoured: int) -> list[list[str]]:
    """Three hands and the talon; one of the seats gets what a contract wants, or nearly."""
    pack = chance.sample(PACK, 20)
    if chance.random() < 0.7:
        names = dict(zip("XY", chance.sample("HDSC", 2), strict=True))
        shape = [rank + names[suit] for rank, suit in map(tuple, chance.choice(SHAPES))]
        wanted = [card for card in pack if card in shape]
        others = [card for card in pack if card not in shape]
        place = 6 * favoured + chance.choice([0, 0, 1])
        pack = others[:place] + wanted + others[place:]
    return [pack[0:6], pack[6:12], pack[12:18], pack[18:20]]


def _choice(chance: Random, deal: Deal) -> tuple[str, str]:
    """Something legal: mostly of the seat on turn, many passes, few false claims."""
    offers = [(seat, words) for seat, can in legal(deal).items() for words in sorted(can)]
    claims = [offer for offer in offers if offer[1] == "enough"]
    if claims and chance.random() < 0.9:
        (seat, _) = claims[0]
        if deal.card_points(deal.party(seat)) >= 66 and chance.random() < 0.6:
            return claims[0]
        offers.remove(claims[0])
    usual = [offer for offer in offers if offer[0] == deal.to_act()]
    kinds = sorted({words.partition(" ")[0] for _, words in usual})
    if "pass" in kinds and chance.random() < 0.7:
        return next(offer for offer in usual if offer[1] == "pass")
    if chance.random() < 0.1:
        return chance.choice(offers)
    kind = chance.choice(kinds)
    return chance.choice([offer for offer in usual if offer[1].partition(" ")[0] == kind])


def _attempt(chance: Random, deal: Deal) -> tuple[str, str]:
    """Something that is probably forbidden: a card of the seat on turn, or any word of any seat."""
    seat = deal.to_act()
    if seat is not None and deal.hands[seat] and chance.random() < 0.4:
        return seat, f"{chance.choice(['play', 'play', 'marry'])} {chance.choice(deal.hands[seat])}"
    if seat is None or chance.random() < 0.3:
        seat = chance.choice(CLOCKWISE)
    return seat, chance.choice(_BY_VERB[chance.choice(list(_BY_VERB))])
