"""Faulty engines of the chapter "Talon": contracts of four tricks, of six, and Bettler."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, scoring
from bauernschnapsen.cards import SUIT_OF
from bauernschnapsen.position import Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks

_FOUR = ("schnapser", "kontra-schnapser")
_SIX = ("gang", "zehner-gang", "bauern-schnapser", "kontra-bauern-schnapser")
_FIVE_CARDS = ("farben-gang", "herren-schnapser")


def _judge(rule: str, slug: str, sentence: str, goal: str, verdict: Any) -> None:
    """Decide contracts of a goal otherwise: verdict(position, tricks) is True, False or None."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def after_trick(position: Position) -> None:
                if position.contract is None or position.contract.goal != goal:
                    right(position)
                    return
                made = verdict(position, position.tricks_done)
                if made is not None:
                    reason = "made" if made else "failed"
                    scoring.award_contract(position, made=made, reason=reason)

            return after_trick

        patch.wrap(contracts, "after_trick", make)


def _own(position: Position) -> int:
    """Tricks of the declarer."""
    return position.tricks_by_seat[position.declarer]


def _points(position: Position) -> int:
    return position.points[position.side(position.declarer)]


def _last(position: Position) -> int:
    """The number of tricks that the contract has."""
    assert position.contract is not None
    return position.contract.tricks


# --------------------------------------------------------------------------- four tricks and 66

for _tricks, _word in {3: "three", 5: "five", 6: "all six"}.items():
    rules_mutant(
        "talon.four-tricks",
        f"{_word.replace(' ', '-')}-tricks",
        f"A Schnapser is the first {_word} tricks.".replace("first all", "all"),
        contracts={name: {"tricks": _tricks} for name in _FOUR},
    )
for _name in _FOUR:
    rules_mutant(
        "talon.four-tricks",
        f"three-in-{_name}",
        f"{_name} alone is three tricks, as with four players.",
        contracts={_name: {"tricks": 3}},
    )
for _needed in (65, 67, 60):
    _judge("talon.four-tricks", f"{_needed}-points",
           f"A Schnapser is made with {_needed} card points.", "tricks_66",
           lambda p, n, needed=_needed: False if _own(p) < n
           else (_points(p) >= needed if n == _last(p) else None))  # fmt: skip
_judge("talon.four-tricks", "tricks-only", "The four tricks alone make a Schnapser.", "tricks_66",
       lambda p, n: False if _own(p) < n else (True if n == _last(p) else None))  # fmt: skip
_judge("talon.four-tricks", "points-only", "66 in the first four tricks make a Schnapser.",
       "tricks_66", lambda p, n: _points(p) >= 66 if n == _last(p) else None)  # fmt: skip
_judge("talon.four-tricks", "three-of-four", "Three of the four tricks suffice.", "tricks_66",
       lambda p, n: False if _own(p) < n - 1
       else (_points(p) >= 66 if n == _last(p) else None))  # fmt: skip
_judge("talon.four-tricks", "fourth-is-free", "With 66 in three tricks the fourth may be lost.",
       "tricks_66", lambda p, n: False if _own(p) < n < _last(p)
       else (_points(p) >= 66 if n == _last(p) else None))  # fmt: skip
_judge("talon.four-tricks", "tricks-points-only", "Marriages do not count towards the 66.",
       "tricks_66", lambda p, n: False if _own(p) < n
       else (_points(p) - p.declared[p.side(p.declarer)] >= 66
             if n == _last(p) else None))  # fmt: skip
_judge("talon.four-tricks", "left-neighbour", "A trick of the next player does no harm.",
       "tricks_66", lambda p, n: False
       if _own(p) + p.tricks_by_seat[(p.declarer + 1) % 3] < n
       else (_points(p) >= 66 if n == _last(p) else None))  # fmt: skip
_judge("talon.four-tricks.end", "played-on", "A Schnapser goes on after the fourth trick.",
       "tricks_66", lambda p, n: False if _own(p) < n
       else (_points(p) >= 66 if n == 6 else None))  # fmt: skip
_judge("talon.four-tricks.end", "short-goes-on", "Who lacks points after four tricks plays on.",
       "tricks_66", lambda p, n: False if _own(p) < n
       else (True if n >= _last(p) and _points(p) >= 66
             else (False if n == 6 else None)))  # fmt: skip
_judge("talon.four-tricks.end", "ends-with-the-third", "The third trick is the last one.",
       "tricks_66", lambda p, n: False if _own(p) < n
       else (_points(p) >= 66 if n == 3 else None))  # fmt: skip
_judge("talon.four-tricks.end", "marriage-for-the-fifth", "A marriage at a fifth lead would count.",
       "tricks_66", lambda p, n: False if _own(p) < n
       else (None if n == _last(p) and _points(p) < 66 else
             (_points(p) >= 66 if n >= _last(p) else None)))  # fmt: skip
for _early, _how in {
    "when_lost": "It is never won before the last trick.",
    "when_lost_or_marriage": "A marriage that makes 66 wins at once.",
    "when_lost_or_66": "With 66 card points it is won at once.",
    "never": "All its tricks are played, though it is lost.",
}.items():
    rules_mutant(
        "talon.four-tricks.no-early-win",
        _early.replace("_", "-"),
        _how,
        contracts={name: {"ends_early": _early} for name in _FOUR},
    )


@mutant("talon.four-tricks.no-early-win", "marriage-after-a-trick", "A forty wins after one trick.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def after_marriage(position: Position) -> None:
            contract = position.contract
            if contract is not None and contract.goal == "tricks_66" and _points(position) >= 66:
                scoring.award_contract(position, made=True, reason="made")
            else:
                right(position)

        return after_marriage

    patch.wrap(contracts, "after_marriage", make)


# --------------------------------------------------------------------------- six tricks

for _name in (*_SIX, *_FIVE_CARDS):
    rules_mutant(
        "talon.six-tricks",
        f"five-in-{_name}",
        f"{_name} is made after five tricks.",
        contracts={_name: {"tricks": 5}},
    )
_judge("talon.six-tricks", "last-is-free", "The sixth trick may be lost.", "all_tricks",
       lambda p, n: False if _own(p) < n < 6 else (True if n == 6 else None))  # fmt: skip
_judge("talon.six-tricks", "five-of-six", "Five of the six tricks suffice.", "all_tricks",
       lambda p, n: False if _own(p) < n - 1 else (True if n == 6 else None))  # fmt: skip
_judge("talon.six-tricks", "by-points", "It is made with 66 card points.", "all_tricks",
       lambda p, n: _points(p) >= 66 if n == 6 else None)  # fmt: skip
_judge("talon.six-tricks", "opponents-may-have-one", "The dealer's trick does no harm.",
       "all_tricks", lambda p, n: False if _own(p) + (p.tricks_by_seat[p.dealer]
       if p.dealer != p.declarer else 0) < n else (True if n == 6 else None))  # fmt: skip
_judge("talon.six-tricks", "five-with-the-suit", "The five cards of a suit are enough.",
       "all_tricks", lambda p, n: False if _own(p) < n
       else (True if n == (5 if p.contract.hold != "none" else 6) else None))  # fmt: skip


@mutant("talon.sixth-trick", "five-tricks", "A deal has five tricks.")
def _(patch: Patch) -> None:
    def change(contract: Contract) -> Contract:
        from dataclasses import replace

        return replace(contract, tricks=5) if contract.goal == "claim_66" else contract

    patch.change_contracts(change)


@mutant("talon.sixth-trick", "unfinished", "With no card left the deal waits for a claim.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def after_trick(position: Position) -> None:
            contract = position.contract
            if contract is None or contract.goal != "claim_66":
                right(position)

        return after_trick

    patch.wrap(contracts, "after_trick", make)


@mutant("talon.sixth-trick", "talon-goes-along", "Two more tricks are played with the talon.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def after_trick(position: Position) -> None:
            aside = position.talon
            normal = position.contract is not None and position.contract.goal == "claim_66"
            if aside is not None and normal and position.tricks_done == 5 and aside.cards:
                position.hands[position.declarer] |= aside.cards
                position.talon = aside._replace(cards=0)
            right(position)

        return after_trick

    patch.wrap(contracts, "after_trick", make)


# --------------------------------------------------------------------------- Bettler


def _sits_out(slug: str, sentence: str, who: Any) -> None:
    @mutant("talon.bettler", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def begin_play(position: Position) -> None:
                contract = position.contract
                if contract is not None and contract.goal == "no_trick":
                    position.out = who(position)
                right(position)

            return begin_play

        patch.wrap(contracts, "begin_play", make)


_sits_out("next-sits-out", "The player after the declarer sits out.",
          lambda p: (p.declarer + 1) % 3)  # fmt: skip
_sits_out("third-sits-out", "The player before the declarer sits out.",
          lambda p: (p.declarer + 2) % 3)  # fmt: skip
rules_mutant("talon.bettler", "five-tricks", "A Bettler is made after five tricks.",
             contracts={"bettler": {"tricks": 5}})  # fmt: skip
_judge("talon.bettler", "last-is-free", "The sixth trick does not lose a Bettler.", "no_trick",
       lambda p, n: True if n == 6 else (False if _own(p) else None))  # fmt: skip
_judge("talon.bettler", "played-out", "A lost Bettler is played to the end.", "no_trick",
       lambda p, n: not _own(p) if n == 6 else None)  # fmt: skip
_judge("talon.bettler", "one-is-allowed", "The declarer of a Bettler may win one trick.",
       "no_trick",
       lambda p, n: False if _own(p) > 1 else (True if n == 6 else None))  # fmt: skip
_judge("talon.bettler", "by-others", "A Bettler is lost when somebody else wins a trick.",
       "no_trick", lambda p, n: False if _own(p) < n else (True if n == 6 else None))  # fmt: skip
rules_mutant("talon.bettler", "need-not-beat", "In a Bettler nobody has to beat.",
             contracts={"bettler": {"head": "free"}})  # fmt: skip
rules_mutant("talon.bettler", "with-trumps", "In a Bettler the suit named is trump.",
             contracts={"bettler": {"trump": "named"}})  # fmt: skip

# --------------------------------------------------------------------------- five of a suit and one


def _five(rule: str, slug: str, sentence: str, **fields: Any) -> None:
    contract = "farben-gang" if rule.startswith("farben") else "herren-schnapser"
    rules_mutant(f"talon.{rule}", slug, sentence, contracts={contract: fields})


_five("farben-gang", "shown", "A Farben-Gang is laid down.", goal="shown")
_five("farben-gang", "played", "A Farben-Gang is always played out.", goal="all_tricks")
_five("farben-gang", "forehand-leads", "Forehand leads to a Farben-Gang.", lead="forehand")
_five("farben-gang", "five-tricks", "Five tricks make a Farben-Gang.", tricks=5)
_five("farben-gang", "ten-high", "In a Farben-Gang the ten is the highest card.", ranks="TKQJA")
_five("farben-gang.no-trumps", "with-trumps", "The suit named is trump in it.", trump="named")
_five("herren-schnapser", "shown", "A Herren-Schnapser is laid down.", goal="shown")
_five("herren-schnapser", "played", "A Herren-Schnapser is always played out.", goal="all_tricks")
_five("herren-schnapser", "five-tricks", "Five tricks make a Herren-Schnapser.", tricks=5)
_five("herren-schnapser", "no-trumps", "A Herren-Schnapser has no trumps.", trump="none")


def _sixth(contract: str, slug: str, sentence: str, made: Any) -> None:
    """Decide a played contract of five cards otherwise: made(position, tricks)."""
    _judge_one(f"talon.{contract}", slug, sentence, contract, made)


def _judge_one(rule: str, slug: str, sentence: str, name: str, verdict: Any) -> None:
    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def after_trick(position: Position) -> None:
                contract = position.contract
                if contract is None or contract.name != name or contract.goal != "all_tricks":
                    right(position)
                    return
                made = verdict(position, position.tricks_done)
                if made is not None:
                    reason = "made" if made else "failed"
                    scoring.award_contract(position, made=made, reason=reason)

            return after_trick

        patch.wrap(contracts, "after_trick", make)


for _contract in _FIVE_CARDS:
    _sixth(_contract, "sixth-is-free", "The sixth card need not win.",
           lambda p, n: False if _own(p) < n < 6
           else (True if n == 6 else None))  # fmt: skip
    _sixth(_contract, "suit-first", "The five cards of the suit have to be led first.",
           lambda p, n: False if _own(p) < n or (n == 1 and not _leads_suit(p))
           else (True if n == 6 else None))  # fmt: skip


def _leads_suit(position: Position) -> bool:
    """Whether the trick just won was led in a suit of which the declarer holds four more."""
    assert position.last_trick is not None
    led = position.last_trick.cards[0][1]
    held = position.hands[position.declarer]
    return sum(held >> card & 1 for card in range(20) if SUIT_OF[card] == SUIT_OF[led]) >= 4


@mutant("talon.farben-gang.no-trumps", "sixth-is-ruffed", "The trick of the sixth card is ruffed.")
def _(patch: Patch) -> None:
    def change(position: Position, winner: int) -> int:
        contract = position.contract
        if contract is None or contract.hold != "five_of_a_suit" or position.tricks_done < 5:
            return winner
        trumps = [seat for seat, card in position.trick if SUIT_OF[card] == position.trump]
        return trumps[0] if trumps else winner

    hooks.on_winner(patch, change)


@mutant("talon.farben-gang.no-trumps", "has-to-ruff", "Whoever is void has to play a trump in it.")
def _(patch: Patch) -> None:
    def change(position: Position, mask: int) -> int:
        contract = position.contract
        if contract is None or contract.hold != "five_of_a_suit" or not position.trick:
            return mask
        led = SUIT_OF[position.trick[0][1]]
        follows = any(mask >> card & 1 and SUIT_OF[card] == led for card in range(20))
        trumps = sum(mask & (1 << card) for card in range(20) if SUIT_OF[card] == position.trump)
        return mask if follows or not trumps else trumps

    hooks.on_allowed(patch, change)


@mutant("talon.herren-schnapser", "declarer-right-leads", "The player before forehand leads to it.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def begin_play(position: Position) -> None:
            right(position)
            if position.contract is not None and position.contract.hold == "five_trumps":
                position.turn = position.dealer

        return begin_play

    patch.wrap(contracts, "begin_play", make)
