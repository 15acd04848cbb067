"""Faulty engines of the chapter "Cards": rank and card points."""

from __future__ import annotations

from dataclasses import replace

from bauernschnapsen import cards as pack
from bauernschnapsen.cards import POINTS, RANK_OF, SUIT_OF
from bauernschnapsen.notation import RANKS
from bauernschnapsen.position import Position, Trick
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks

ORDINARY = "ATKQJ"

# --------------------------------------------------------------------------- cards.rank


def _ranks(slug: str, order: str, sentence: str) -> None:
    @mutant("cards.rank", slug, sentence)
    def _(patch: Patch) -> None:
        patch.change_contracts(
            lambda contract: (
                replace(contract, ranks=order) if contract.ranks == ORDINARY else contract
            )
        )


_ranks("ten-below-king", "AKTQJ", "The ten ranks below the king.")
_ranks("ten-below-queen", "AKQTJ", "The ten ranks between queen and jack.")
_ranks("ten-lowest", "AKQJT", "The ten ranks lowest, as in other card games.")
_ranks("ten-highest", "TAKQJ", "The ten ranks above the ace.")
_ranks("ace-lowest", "TKQJA", "The ace ranks lowest in every contract, not in Zehner-Gang alone.")
_ranks("queen-above-king", "ATQKJ", "The queen ranks above the king.")
_ranks("jack-above-queen", "ATKJQ", "The jack ranks above the queen.")


@mutant("cards.rank", "jack-is-top-trump", "The jack of trumps is the highest trump.")
def _(patch: Patch) -> None:
    def change(position: Position, card: int, winning: int, right: bool) -> bool:
        trump = position.trump_in_force
        if SUIT_OF[card] == SUIT_OF[winning] == trump:
            if RANKS[RANK_OF[card]] == "J":
                return True
            if RANKS[RANK_OF[winning]] == "J":
                return False
        return right

    hooks.on_beats(patch, change)


@mutant("cards.rank", "winner-ten-below-king", "The king takes the ten, though no duty says so.")
def _(patch: Patch) -> None:
    def change(position: Position, card: int, winning: int, right: bool) -> bool:
        if SUIT_OF[card] == SUIT_OF[winning] and position.contract is not None:
            order = position.contract.ranks.replace("ATKQJ", "AKTQJ")
            return order.index(RANKS[RANK_OF[card]]) < order.index(RANKS[RANK_OF[winning]])
        return right

    hooks.on_beats(patch, change)


@mutant(
    "cards.rank", "duty-ten-below-king", "The king has to beat the ten, though it cannot take it."
)
def _(patch: Patch) -> None:
    def when(position: Position) -> bool:
        return position.contract is not None and position.contract.ranks == ORDINARY

    hooks.asks_like(patch, when, ranks="AKTQJ")


@mutant("cards.rank", "trumps-natural", "Among trumps the ten ranks below the king.")
def _(patch: Patch) -> None:
    def change(position: Position, card: int, winning: int, right: bool) -> bool:
        if SUIT_OF[card] == SUIT_OF[winning] == position.trump_in_force:
            return "AKTQJ".index(RANKS[RANK_OF[card]]) < "AKTQJ".index(RANKS[RANK_OF[winning]])
        return right

    hooks.on_beats(patch, change)


@mutant(
    "cards.rank", "leaks-from-zehner-gang", "After a Zehner-Gang the next deal keeps its order."
)
def _(patch: Patch) -> None:
    def change(position: Position, last: Position | None) -> None:
        if last is None or last.contract is None or position.contract is None:
            return
        position.contract = replace(position.contract, ranks=last.contract.ranks)

    hooks.on_start(patch, change)


# --------------------------------------------------------------------------- cards.points


def _points(slug: str, sentence: str, **other: int) -> None:
    right = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}

    @mutant("cards.points", slug, sentence)
    def _(patch: Patch) -> None:
        value = {**right, **other}
        patch.swap(pack, "POINTS", tuple(value[RANKS[rank]] for rank in RANK_OF))


_points("ace-ten-swapped", "An ace counts 10 and a ten 11.", A=10, T=11)
_points("ace-one", "An ace counts 1.", A=1)
_points("ten-zero", "A ten counts nothing.", T=0)
_points("ten-nine", "A ten counts 9.", T=9)
_points("king-three", "King and queen count 3 each.", K=3)
_points("queen-four", "King and queen count 4 each.", Q=4)
_points("king-queen-swapped", "A king counts 3 and a queen 4.", K=3, Q=4)
_points("jack-zero", "A jack counts nothing.", J=0)
_points("jack-one", "A jack counts 1.", J=1)
_points("queen-two", "Queen and jack count 2 each.", Q=2)


@mutant("cards.points", "trump-jack-twenty", "The jack of trumps counts 20.")
def _(patch: Patch) -> None:
    def change(position: Position, trick: Trick) -> None:
        for _, card in trick.cards:
            if SUIT_OF[card] == position.trump_in_force and RANKS[RANK_OF[card]] == "J":
                position.points[position.side(trick.winner)] += 18

    hooks.after_trick(patch, change)


@mutant("cards.points", "zehner-gang-order", "In a Zehner-Gang the ten counts 11 and the ace 2.")
def _(patch: Patch) -> None:
    right = POINTS
    swapped = tuple({11: 2, 10: 11, 4: 10, 3: 4, 2: 3}[points] for points in right)

    def change(position: Position, trick: Trick) -> None:
        if position.contract is not None and position.contract.ranks != ORDINARY:
            wrong = sum(swapped[card] - right[card] for _, card in trick.cards)
            position.points[position.side(trick.winner)] += wrong

    hooks.after_trick(patch, change)


@mutant("cards.points", "spoilt-card", "The jack of trumps of one deal counts nothing in the next.")
def _(patch: Patch) -> None:
    spoilt: list[int] = []

    def start(position: Position, last: Position | None) -> None:
        spoilt[:] = []
        if last is not None and last.trump is not None:
            spoilt[:] = [5 * last.trump + RANKS.index("J")]

    def change(position: Position, trick: Trick) -> None:
        lost = sum(POINTS[card] for _, card in trick.cards if card in spoilt)
        position.points[position.side(trick.winner)] -= lost

    hooks.on_start(patch, start)
    hooks.after_trick(patch, change)
