"""Faulty engines of the chapter "Contracts": when a contract is made or lost."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import contracts, scoring
from bauernschnapsen.cards import POINTS
from bauernschnapsen.position import Position
from bauernschnapsen.ruleset import Contract
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks

# --------------------------------------------------------------------------- when it is made


def _won(position: Position, contract: Contract) -> int:
    return contracts._tricks_that_count(position, contract)


def _judge(rule: str, slug: str, sentence: str, contract: str, verdict: Any) -> None:
    """Decide a contract otherwise: verdict(position, trick number) is True, False or None."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def after_trick(position: Position) -> None:
                if position.contract is None or position.contract.name not in contract.split():
                    right(position)
                    return
                made = verdict(position, position.tricks_done)
                if made is not None:
                    reason = "made" if made else "failed"
                    scoring.award_contract(position, made=made, reason=reason)

            return after_trick

        patch.wrap(contracts, "after_trick", make)


def _own(position: Position) -> int:
    """Tricks the declarer himself has won."""
    return position.tricks_by_seat[position.declarer]


def _points(position: Position) -> int:
    return position.points[position.side(position.declarer)]


_ALL = "gang zehner-gang bauern-schnapser kontra-bauern-schnapser"
_THREE = "schnapser kontra-schnapser"

_judge("contracts.bettler", "by-points", "A Bettler is lost with eleven card points.",
       "bettler", lambda p, n: _points(p) < 11 if n == 5 or _points(p) >= 11 else None)  # fmt: skip
_judge("contracts.bettler", "reversed", "The declarer of a Bettler has to win every trick.",
       "bettler", lambda p, n: False if _own(p) < n else (True if n == 5 else None))  # fmt: skip
_judge("contracts.bettler", "lowest-wins", "A Bettler is made with fewer tricks than the others.",
       "bettler", lambda p, n: _own(p) < 3 if n == 5 else None)  # fmt: skip
_judge("contracts.bettler", "over-after-four", "A Bettler is made after four tricks.",
       "bettler", lambda p, n: False if _own(p) else (True if n == 4 else None))  # fmt: skip
_judge("contracts.bettler", "over-after-three", "A Bettler is made after three tricks.",
       "bettler", lambda p, n: False if _own(p) else (True if n == 3 else None))  # fmt: skip
_judge("contracts.bettler.lost", "played-out", "A lost Bettler is played to the end.",
       "bettler", lambda p, n: None if n < 5 else not _own(p))  # fmt: skip
_judge("contracts.bettler.lost", "second-trick", "The declarer of a Bettler may win one trick.",
       "bettler", lambda p, n: False if _own(p) > 1 else (True if n == 5 else None))  # fmt: skip
_judge("contracts.bettler.lost", "first-only", "Only the first trick can lose a Bettler.",
       "bettler", lambda p, n: False if n == 1 and _own(p)
       else (True if n == 5 else None))  # fmt: skip
_judge("contracts.bettler.lost", "last-is-free", "The last trick does not lose a Bettler.",
       "bettler", lambda p, n: True if n == 5 else (False if _own(p) else None))  # fmt: skip
_judge("contracts.bettler.lost", "by-others", "A Bettler is lost when an opponent wins a trick.",
       "bettler", lambda p, n: False if n > _own(p) else (True if n == 5 else None))  # fmt: skip

for _name in _ALL.split():
    _judge(f"contracts.{_name}", "four-tricks", f"Four tricks suffice for {_name}.", _name,
           lambda p, n: False if _own(p) < n - 1 else (True if n == 5 else None))  # fmt: skip
    _judge(f"contracts.{_name}", "most-tricks", f"Three tricks suffice for {_name}.", _name,
           lambda p, n: _own(p) >= 3 if n == 5 else None)  # fmt: skip
    _judge(f"contracts.{_name}", "by-points", f"{_name} is won with 66 card points.", _name,
           lambda p, n: _points(p) >= 66 if n == 5 else None)  # fmt: skip
    _judge(f"contracts.{_name}", "over-after-four", f"{_name} is won after four tricks.", _name,
           lambda p, n: False if _own(p) < n else (True if n == 4 else None))  # fmt: skip
    _judge("contracts.all-tricks.lost", f"side-in-{_name}",
           f"In {_name} a trick of the partner counts as well.", _name,
           lambda p, n: False if p.tricks[p.side(p.declarer)] < n
           else (True if n == 5 else None))  # fmt: skip
    _judge("contracts.all-tricks.lost", f"played-out-{_name}",
           f"A lost {_name} is played to the end.", _name,
           lambda p, n: _own(p) == 5 if n == 5 else None)  # fmt: skip

_judge("contracts.all-tricks.lost", "by-opponents-only", "Only opponents' tricks end it at once.",
       _ALL, lambda p, n: False if p.tricks[1 - p.side(p.declarer)]
       else (_own(p) == 5 if n == 5 else None))  # fmt: skip
_judge("contracts.all-tricks.lost", "first-only", "Only the first trick ends it at once.",
       _ALL, lambda p, n: False if n == 1 and not _own(p)
       else (_own(p) == 5 if n == 5 else None))  # fmt: skip
_judge("contracts.all-tricks.lost", "last-is-free", "The last trick does not matter any more.",
       _ALL, lambda p, n: True if n == 5 and _own(p) >= 4
       else (False if _own(p) < n else None))  # fmt: skip
_judge("contracts.all-tricks.lost", "two-in-a-row", "It is lost with the second trick given away.",
       _ALL, lambda p, n: False if _own(p) < n - 1
       else (_own(p) == 5 if n == 5 else None))  # fmt: skip

for _name in _THREE.split():
    _judge(f"contracts.{_name}", "points-only", f"{_name} needs 66, whoever wins tricks.", _name,
           lambda p, n: _points(p) >= 66 if n == 3 else None)  # fmt: skip
    _judge(f"contracts.{_name}", "tricks-only", f"{_name} needs the three tricks alone.", _name,
           lambda p, n: False if _own(p) < n else (True if n == 3 else None))  # fmt: skip
    _judge(f"contracts.{_name}", "two-tricks", f"Two of three tricks suffice for {_name}.", _name,
           lambda p, n: False if _own(p) < n - 1
           else (_points(p) >= 66 if n == 3 else None))  # fmt: skip
    _judge(f"contracts.{_name}", "all-five", f"{_name} is played to the last trick.", _name,
           lambda p, n: False if _own(p) < n
           else (_points(p) >= 66 if n == 5 else None))  # fmt: skip
    _judge("contracts.three-tricks.own", f"side-in-{_name}",
           f"In {_name} a trick of the partner counts as well.", _name,
           lambda p, n: False if p.tricks[p.side(p.declarer)] < n
           else (_points(p) >= 66 if n == 3 else None))  # fmt: skip
    _judge("contracts.three-tricks.own", f"played-out-{_name}",
           f"A lost {_name} is over after the third trick only.", _name,
           lambda p, n: _own(p) == 3 and _points(p) >= 66 if n == 3 else None)  # fmt: skip
    _judge("contracts.three-tricks.own", f"by-opponents-only-{_name}",
           f"In {_name} only a trick of the opponents loses.", _name,
           lambda p, n: False if p.tricks[1 - p.side(p.declarer)]
           else (_points(p) >= 66 if n == 3 else None))  # fmt: skip
    _judge("contracts.three-tricks.own", f"last-is-free-{_name}",
           f"With 66 the third trick of {_name} need not be won.", _name,
           lambda p, n: _points(p) >= 66 if n == 3
           else (False if _own(p) < n else None))  # fmt: skip


def _needs(slug: str, sentence: str, counted: Any) -> None:
    """Count the 66 of a Schnapser otherwise: counted(position)."""
    _judge("contracts.three-tricks.points", slug, sentence, _THREE,
           lambda p, n: False if _own(p) < n
           else (counted(p) >= 66 if n == 3 else None))  # fmt: skip


_needs("sixty-five", "In a Schnapser 65 card points suffice.", lambda p: _points(p) + 1)
_needs("sixty-seven", "In a Schnapser 67 card points are needed.", lambda p: _points(p) - 1)
_needs("without-marriages", "In a Schnapser marriages do not count towards 66.",
       lambda p: _points(p) - p.declared[p.side(p.declarer)])  # fmt: skip
_needs("marriages-in-hand", "A pair still in hand counts towards the 66.",
       lambda p: _points(p) + sum(40 if s == p.trump else 20 for s in range(4)
                                  if p.hands[p.declarer] >> 5 * s & 12 == 12))  # fmt: skip
_needs("cards-in-hand", "The cards left in the declarer's hand count towards the 66.",
       lambda p: _points(p) + sum(POINTS[c] for c in range(20)
                                  if p.hands[p.declarer] >> c & 1))  # fmt: skip
_needs("trumps-only-counted", "In a Schnapser a 20 does not count towards the 66.",
       lambda p: _points(p) - p.declared[p.side(p.declarer)] % 40)  # fmt: skip

for _tricks in (2, 4, 5):
    rules_mutant(
        "contracts.three-tricks.end",
        f"{_tricks}-tricks",
        f"A Schnapser or Kontra-Schnapser is played for {_tricks} tricks.",
        contracts={name: {"tricks": _tricks} for name in _THREE.split()},
    )
_judge("contracts.three-tricks.end", "goes-on-without-66", "Without 66 a fourth trick is played.",
       _THREE, lambda p, n: False if _own(p) < n or n == 5
       else (True if n >= 3 and _points(p) >= 66 else None))  # fmt: skip
_judge("contracts.three-tricks.end", "waits-for-marriage", "After it a pair may be shown.",
       _THREE, lambda p, n: False if _own(p) < n
       else (None if n == 3 and _points(p) < 66 and any(
           p.hands[p.declarer] >> 5 * s & 0b01100 == 0b01100 for s in range(4))
       else (_points(p) >= 66 if n >= 3 else None)))  # fmt: skip

for _early in ("when_lost_or_66", "when_lost_or_marriage"):
    rules_mutant(
        "contracts.three-tricks.no-early-win",
        _early.replace("_", "-"),
        "A Schnapser is won as soon as 66 are reached"
        + (", if by a marriage." if _early.endswith("marriage") else "."),
        contracts={name: {"ends_early": _early} for name in _THREE.split()},
    )
for _name in _THREE.split():
    rules_mutant(
        "contracts.three-tricks.no-early-win",
        f"in-{_name}",
        f"A {_name} is won as soon as 66 are reached.",
        contracts={_name: {"ends_early": "when_lost_or_66"}},
    )


for _order, _slug, _what in (
    ("ATKQJ", "ordinary", "the ordinary one"),
    ("TAKQJ", "ace-second", "ten, ace, king, queen, jack"),
    ("AKQJT", "ten-lowest", "ace, king, queen, jack, ten"),
    ("TKAQJ", "ace-third", "ten, king, ace, queen, jack"),
    ("TKQAJ", "ace-above-jack", "ten, king, queen, ace, jack"),
    ("TQKJA", "queen-above-king", "ten, queen, king, jack, ace"),
    ("KQJTA", "ten-above-ace", "king, queen, jack, ten, ace"),
    ("TKJQA", "jack-above-queen", "ten, king, jack, queen, ace"),
):
    rules_mutant(
        "contracts.zehner-gang.rank",
        _slug,
        f"The rank order of a Zehner-Gang is {_what}.",
        contracts={"zehner-gang": {"ranks": _order}},
    )


@mutant("contracts.zehner-gang.rank", "only-wins", "In a Zehner-Gang duties know the old order.")
def _(patch: Patch) -> None:
    hooks.asks_like(patch, hooks.contract_is("zehner-gang"), ranks="ATKQJ")


@mutant("contracts.zehner-gang.rank", "only-duty", "In a Zehner-Gang the ace still takes the ten.")
def _(patch: Patch) -> None:
    def change(position: Position, card: int, winning: int, right: bool) -> bool:
        if hooks.contract_is("zehner-gang")(position) and card // 5 == winning // 5:
            return card < winning
        return right

    hooks.on_beats(patch, change)
