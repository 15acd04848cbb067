"""Faulty engines of the chapter "Play": ruffing, discarding, and ruffed tricks."""

from __future__ import annotations

from bauernschnapsen import play as rules_of_play
from bauernschnapsen.cards import POINTS, RANK_OF, SUIT_MASKS, SUIT_OF, higher_cards
from bauernschnapsen.play import Duties
from bauernschnapsen.position import Position
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks
from .hooks import (
    declarer_on_turn,
    drop_duty,
    hand_number,
    on_declarers_side,
    on_duties,
    over,
    partner_wins,
    ruffed,
    suit_held,
    trumps,
)
from .play_duties import must

# --------------------------------------------------------------------------- in a ruffed trick


def _follows_ruffed(position: Position, hand: int) -> bool:
    return bool(suit_held(position, hand)) and ruffed(position)


def _ruffed_by(position: Position) -> int:
    assert position.winning is not None
    return position.winning[0]


must("play.follow-ruffed", "free", "A trick that has been ruffed need not be followed to.",
      _follows_ruffed, lambda p, mask, hand: hand)  # fmt: skip
must("play.follow-ruffed", "fourth-hand", "The last player need not follow to a ruffed trick.",
      lambda p, hand: _follows_ruffed(p, hand) and hand_number(p) == 4,
      lambda p, mask, hand: hand)  # fmt: skip
must("play.follow-ruffed", "third-hand", "The third player need not follow to a ruffed trick.",
      lambda p, hand: _follows_ruffed(p, hand) and hand_number(p) == 3,
      lambda p, mask, hand: hand)  # fmt: skip
must("play.follow-ruffed", "partner-ruffed", "Nobody follows to a trick his partner has ruffed.",
      lambda p, hand: _follows_ruffed(p, hand) and partner_wins(p),
      lambda p, mask, hand: hand)  # fmt: skip
must("play.follow-ruffed", "over-ruff", "In a ruffed trick a higher trump is due before the suit.",
      _follows_ruffed, lambda p, mask, hand: over(p, hand))  # fmt: skip
must("play.follow-ruffed", "may-over-ruff", "A ruffed trick may be over-ruffed instead.",
      _follows_ruffed, lambda p, mask, hand: mask | over(p, hand))  # fmt: skip

rules_mutant(
    "play.head-after-ruff",
    "must-beat-led-card",
    "In a ruffed trick a card higher than the one led is still due.",
    every_contract={"head_after_ruff": "forced"},
)


def _best_of_suit(position: Position) -> int:
    led = position.trick[0][1]
    assert position.contract is not None
    higher = higher_cards(position.contract.ranks)
    same = [card for _, card in position.trick if SUIT_OF[card] == SUIT_OF[led]]
    return higher[min(same, key=lambda card: higher[card].bit_count())]


must("play.head-after-ruff", "must-beat-best-of-suit",
      "In a ruffed trick the best card of the suit led has still to be beaten.",
      _follows_ruffed, lambda p, mask, hand: mask & _best_of_suit(p))  # fmt: skip
must("play.head-after-ruff", "lowest", "In a ruffed trick the lowest card of the suit is due.",
      _follows_ruffed, lambda p, mask, hand: hooks.lowest(mask))  # fmt: skip
must("play.head-after-ruff", "highest", "In a ruffed trick the highest of the suit is due.",
      _follows_ruffed, lambda p, mask, hand: hooks.highest(mask))  # fmt: skip
must("play.head-after-ruff", "opponent-ruffed",
      "In a trick that an opponent has ruffed the led card has still to be beaten.",
      lambda p, hand: _follows_ruffed(p, hand) and not partner_wins(p),
      lambda p, mask, hand: mask & _best_of_suit(p))  # fmt: skip

# --------------------------------------------------------------------------- ruffing, discarding


def _void(position: Position, hand: int) -> bool:
    plain = SUIT_OF[position.trick[0][1]] != position.trump_in_force
    return not suit_held(position, hand) and plain


def _ruffs(position: Position) -> list[int]:
    return [card for _, card in position.trick if SUIT_OF[card] == position.trump_in_force]


def _over(position: Position, hand: int, ruff: int) -> int:
    """Return the trumps of a hand above one in the trick, or else all of them."""
    assert position.contract is not None
    return hand & higher_cards(position.contract.ranks)[ruff] or hand & trumps(position)


def _must_ruff(position: Position, hand: int) -> bool:
    return _void(position, hand) and bool(hand & trumps(position))


def _cannot_over_ruff(position: Position, hand: int) -> bool:
    return _must_ruff(position, hand) and ruffed(position) and not over(position, hand)


must("play.ruff", "if-points", "A trick without an ace or ten need not be ruffed.",
      lambda p, hand: _must_ruff(p, hand) and sum(POINTS[c] for _, c in p.trick) < 10,
      lambda p, mask, hand: hand)  # fmt: skip
must("play.ruff", "last-trump", "Nobody has to ruff with his only trump.",
      lambda p, hand: _must_ruff(p, hand) and (hand & trumps(p)).bit_count() == 1,
      lambda p, mask, hand: hand)  # fmt: skip
must("play.ruff", "lowest", "Whoever ruffs has to do it with his lowest trump.",
      lambda p, hand: _must_ruff(p, hand) and not ruffed(p),
      lambda p, mask, hand: hooks.lowest(mask))  # fmt: skip
must("play.over-ruff", "highest", "Whoever over-ruffs has to take his highest trump.",
      lambda p, hand: _must_ruff(p, hand) and ruffed(p) and bool(over(p, hand)),
      lambda p, mask, hand: hooks.highest(mask))  # fmt: skip
must("play.over-ruff", "last-ruff", "The trump played last has to be over-ruffed, not the best.",
      lambda p, hand: _must_ruff(p, hand) and ruffed(p),
      lambda p, mask, hand: _over(p, hand, _ruffs(p)[-1]))  # fmt: skip
must("play.over-ruff", "first-ruff", "Only the trump that came first has to be over-ruffed.",
      lambda p, hand: _must_ruff(p, hand) and ruffed(p),
      lambda p, mask, hand: _over(p, hand, _ruffs(p)[0]))  # fmt: skip
must("play.over-ruff", "optional-discard", "A trick already ruffed need not be ruffed again.",
      lambda p, hand: _must_ruff(p, hand) and ruffed(p),
      lambda p, mask, hand: hand)  # fmt: skip
must("play.under-ruff", "free", "Whoever cannot over-ruff may discard.",
      _cannot_over_ruff, lambda p, mask, hand: hand)  # fmt: skip
must("play.under-ruff", "fourth-hand", "The last player may discard if he cannot over-ruff.",
      lambda p, hand: _cannot_over_ruff(p, hand) and hand_number(p) == 4,
      lambda p, mask, hand: hand)  # fmt: skip
must("play.under-ruff", "third-hand", "The third player may discard if he cannot over-ruff.",
      lambda p, hand: _cannot_over_ruff(p, hand) and hand_number(p) == 3,
      lambda p, mask, hand: hand)  # fmt: skip
must("play.under-ruff", "partner-ruffed", "Whoever cannot over-ruff his partner may discard.",
      lambda p, hand: _cannot_over_ruff(p, hand) and partner_wins(p),
      lambda p, mask, hand: hand)  # fmt: skip
must("play.under-ruff", "opponent-ruffed", "Whoever cannot over-ruff an opponent may discard.",
      lambda p, hand: _cannot_over_ruff(p, hand) and not partner_wins(p),
      lambda p, mask, hand: hand)  # fmt: skip
must("play.under-ruff", "lowest", "Whoever cannot over-ruff has to give his lowest trump.",
      _cannot_over_ruff, lambda p, mask, hand: hooks.lowest(mask))  # fmt: skip
must("play.under-ruff", "forbidden", "Whoever cannot over-ruff keeps his trumps if he can.",
      _cannot_over_ruff, lambda p, mask, hand: hand & ~trumps(p))  # fmt: skip


def _discards(position: Position, hand: int) -> bool:
    return not suit_held(position, hand) and not hand & trumps(position)


must("play.discard", "lowest", "Whoever discards has to give a card of the lowest rank he holds.",
      _discards, lambda p, mask, hand: _of_rank(mask, lowest=True))  # fmt: skip
must("play.discard", "no-points", "Aces and tens may not be discarded.",
      _discards, lambda p, mask, hand: mask & ~hooks.cards("AH", "AD", "AS", "AC", "TH", "TD",
                                                           "TS", "TC"))  # fmt: skip
must("play.discard", "named-suit", "Without trumps a void player still owes the suit named.",
      lambda p, hand: _discards(p, hand) and p.trump_in_force is None and p.trump is not None,
      lambda p, mask, hand: mask & SUIT_MASKS[p.trump])  # fmt: skip
must("play.discard", "not-the-named-suit", "Without trumps the suit named may not be discarded.",
      lambda p, hand: _discards(p, hand) and p.trump_in_force is None and p.trump is not None,
      lambda p, mask, hand: mask & ~SUIT_MASKS[p.trump])  # fmt: skip
must("play.discard", "points-for-partner", "To a partner's trick the best card is discarded.",
      lambda p, hand: _discards(p, hand) and partner_wins(p),
      lambda p, mask, hand: _of_rank(mask, lowest=False))  # fmt: skip


def _of_rank(mask: int, *, lowest: bool) -> int:
    best = hooks.lowest(mask) if lowest else hooks.highest(mask)
    rank = RANK_OF[best.bit_length() - 1]
    return mask & sum(1 << card for card in range(20) if RANK_OF[card] == rank)


# --------------------------------------------------------------------------- in every contract

for _name in (
    "bettler", "schnapser", "gang", "zehner-gang", "kontra-schnapser", "bauern-schnapser",
    "kontra-bauern-schnapser",
):  # fmt: skip
    rules_mutant(
        "play.every-contract",
        f"no-beating-in-{_name}",
        f"In {_name} nobody has to beat.",
        contracts={_name: {"head": "free"}},
    )

for _name in ("bettler", "gang", "zehner-gang"):
    rules_mutant(
        "play.every-contract",
        f"no-following-in-{_name}",
        f"In {_name} suit need not be followed.",
        contracts={_name: {"head": "free", "follow": "free"}},
    )

for _name in ("schnapser", "kontra-schnapser", "bauern-schnapser", "kontra-bauern-schnapser"):
    rules_mutant(
        "play.every-contract",
        f"no-ruffing-in-{_name}",
        f"In {_name} nobody has to ruff.",
        contracts={_name: {"ruff": "free"}},
    )


@mutant("play.every-contract", "bettler-declarer-ducks", "In a Bettler the declarer need not beat.")
def _(patch: Patch) -> None:
    ducks = hooks.goal_is("no_trick")
    drop_duty(patch, "play.beat", lambda p: ducks(p) and declarer_on_turn(p))


@mutant("play.every-contract", "bettler-opponents-duck", "In a Bettler opponents need not beat.")
def _(patch: Patch) -> None:
    ducks = hooks.goal_is("no_trick")
    drop_duty(patch, "play.beat", lambda p: ducks(p) and not declarer_on_turn(p))


@mutant(
    "play.every-contract", "partner-spares-declarer", "A declarer's trick is not beaten by his."
)
def _(patch: Patch) -> None:
    alone = hooks.goal_is("all_tricks", "tricks_66")
    drop_duty(
        patch,
        "play.beat",
        lambda p: alone(p) and p.winning is not None and p.winning[0] == p.declarer
        and on_declarers_side(p),
    )  # fmt: skip


@mutant("play.every-contract", "duty-by-ordinary-rank", "Duties know no rank order but A T K Q J.")
def _(patch: Patch) -> None:
    hooks.asks_like(patch, lambda p: True, ranks="ATKQJ")


@mutant("play.every-contract", "duty-with-named-trump", "Without trumps the named suit must ruff.")
def _(patch: Patch) -> None:
    clean = rules_of_play.duties

    def change(position: Position, asked: Duties) -> Duties:
        contract, winning = position.contract, position.winning
        if position.trump_in_force is not None or contract is None or winning is None:
            return asked
        return clean(contract, position.trump, position.trick[0][1], winning[1])

    on_duties(patch, change)
