"""Faulty engines of the chapter "Play": who wins the trick."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bauernschnapsen import contracts, scoring
from bauernschnapsen import play as rules_of_play
from bauernschnapsen.cards import POINTS, RANK_OF, SUIT_OF
from bauernschnapsen.position import PLAY, Position, Trick
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks

# --------------------------------------------------------------------------- who wins the trick


def _winner(rule: str, slug: str, sentence: str, choose: Any) -> None:
    """Let another seat win a complete trick: choose(position) gives it, or None."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, winner: int) -> int:
            other = choose(position)
            return winner if other is None else other

        hooks.on_winner(patch, change)


def _trumps_in(position: Position) -> list[tuple[int, int]]:
    trump = position.trump_in_force
    return [(seat, card) for seat, card in position.trick if SUIT_OF[card] == trump]


def _same_suit(position: Position) -> list[tuple[int, int]]:
    led = SUIT_OF[position.trick[0][1]]
    return [(seat, card) for seat, card in position.trick if SUIT_OF[card] == led]


def _rank(card: int) -> int:
    return RANK_OF[card]


_winner("play.trump-wins", "first-ruff", "The first ruff wins, a higher one comes too late.",
        lambda p: _trumps_in(p)[0][0] if _trumps_in(p) else None)  # fmt: skip
_winner("play.trump-wins", "last-ruff", "The last trump in the trick wins it.",
        lambda p: _trumps_in(p)[-1][0] if _trumps_in(p) else None)  # fmt: skip
_winner("play.trump-wins", "lowest-trump", "Of several trumps the lowest wins.",
        lambda p: max(_trumps_in(p), key=lambda t: _rank(t[1]))[0]
        if _trumps_in(p) else None)  # fmt: skip
_winner("play.trump-wins", "trump-is-dead", "A ruff does not win.",
        lambda p: min(_same_suit(p), key=lambda t: _rank(t[1]))[0]
        if p.trump_in_force is not None else None)  # fmt: skip
_winner("play.trump-wins", "ace-is-safe", "An ace that was led cannot be ruffed.",
        lambda p: p.trick[0][0] if _rank(p.trick[0][1]) == 0 and p.trump_in_force is not None
        else None)  # fmt: skip
_winner("play.trump-wins", "not-by-fourth-hand", "A ruff of the last player does not win.",
        lambda p: p.winning[0] if (p := _before_last(p)) is not None else None)  # fmt: skip
_winner("play.trump-wins", "partner-not-overtaken", "A ruff does not win over a partner's card.",
        lambda p: _partners_earlier(p))  # noqa: PLW0108  # fmt: skip


def _before_last(position: Position) -> Any:
    """A position in which the last card, if it ruffed, had not been played; else None."""
    _seat, card = position.trick[-1]
    if SUIT_OF[card] != position.trump_in_force or card == position.trick[0][1]:
        return None
    if SUIT_OF[position.trick[0][1]] == position.trump_in_force:
        return None
    before = position.copy()
    before.trick = position.trick[:-1]
    before.winning = _best(before)
    return before


def _best(position: Position) -> tuple[int, int]:
    assert position.contract is not None
    best = position.trick[0]
    for seat, card in position.trick[1:]:
        if rules_of_play.beats(card, best[1], position.contract, position.trump_in_force):
            best = (seat, card)
    return best


def _partners_earlier(position: Position) -> int | None:
    winning = position.winning
    if winning is None or SUIT_OF[winning[1]] != position.trump_in_force:
        return None
    without_ruff = position.copy()
    without_ruff.trick = tuple(pair for pair in position.trick if pair != winning)
    if without_ruff.trick[0] != position.trick[0]:
        return None
    seat, _ = _best(without_ruff)
    return seat if hooks.partners(position, seat, winning[0]) else None


_winner("play.suit-wins", "highest-of-any-suit", "Without trumps the highest of any suit wins.",
        lambda p: min(p.trick, key=lambda t: _rank(t[1]))[0]
        if not _trumps_in(p) else None)  # fmt: skip
_winner("play.suit-wins", "last-highest-of-any-suit", "The last card of the highest rank wins.",
        lambda p: min(reversed(p.trick), key=lambda t: _rank(t[1]))[0]
        if not _trumps_in(p) else None)  # fmt: skip
_winner("play.suit-wins", "last-of-suit", "The last card of the suit led wins.",
        lambda p: _same_suit(p)[-1][0] if not _trumps_in(p) else None)  # fmt: skip
_winner("play.suit-wins", "leader", "Whoever leads wins unless he is ruffed.",
        lambda p: p.trick[0][0] if not _trumps_in(p) else None)  # fmt: skip
_winner("play.suit-wins", "first-two-cards", "Only the first two cards compete for the trick.",
        lambda p: (p.trick[0] if p.trick[1] not in _same_suit(p)
                   or _rank(p.trick[0][1]) < _rank(p.trick[1][1]) else p.trick[1])[0]
        if not _trumps_in(p) else None)  # fmt: skip
_winner("play.suit-wins", "not-fourth-hand", "The last player cannot take a trick without trumps.",
        lambda p: min(_same_suit(p)[:-1] or _same_suit(p), key=lambda t: _rank(t[1]))[0]
        if not _trumps_in(p) and p.trick[-1] in _same_suit(p) and _ordinary(p)
        else None)  # fmt: skip
_winner("play.suit-wins", "discard-ace", "An ace wins the trick, whatever its suit.",
        lambda p: next((s for s, c in p.trick if _rank(c) == 0), None)
        if not _trumps_in(p) and _ordinary(p) else None)  # fmt: skip


def _ordinary(position: Position) -> bool:
    return position.contract is not None and position.contract.ranks == "ATKQJ"


def _next_leader(slug: str, sentence: str, choose: Any) -> None:
    @mutant("play.winner-leads", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, trick: Trick) -> None:
            position.turn = choose(position, trick)

        hooks.after_trick(patch, change)


_next_leader("same-leader", "Whoever led the trick leads again.", lambda p, t: t.cards[0][0])
_next_leader("next-seat", "The lead goes round: left of the last leader leads.",
             lambda p, t: p.after(t.cards[0][0]))  # fmt: skip
_next_leader("left-of-winner", "Left of the winner leads.", lambda p, t: p.after(t.winner))
_next_leader("forehand", "Forehand leads to every trick.",
             lambda p, t: p.forehand if p.forehand != p.out else t.winner)  # fmt: skip
_next_leader("declarer", "The declarer leads to every trick.", lambda p, t: p.declarer)
_next_leader("partner", "The partner of the winner leads.",
             lambda p, t: hooks.partner_of(p, t.winner) if p.out < 0 else t.winner)  # fmt: skip
_next_leader("declarers-side", "If the declarer's partner wins, the declarer leads.",
             lambda p, t: t.winner if p.against_declarer(t.winner) else p.declarer)  # fmt: skip


def _trick_points(slug: str, sentence: str, change: Any) -> None:
    @mutant("play.trick-points", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.after_trick(patch, change)


def _give(position: Position, trick: Trick, side: int) -> None:
    position.points[position.side(trick.winner)] -= trick.points
    position.points[side] += trick.points


_trick_points("leader", "The points of a trick go to the side that led it.",
              lambda p, t: _give(p, t, p.side(t.cards[0][0])))  # fmt: skip
_trick_points("declarers-side", "The points of every trick go to the declarer's side.",
              lambda p, t: _give(p, t, p.side(p.declarer)))  # fmt: skip
_trick_points("opponents-lost", "Tricks of the declarer's opponents count nothing.",
              lambda p, t: p.points.__setitem__(p.side(t.winner), p.points[p.side(t.winner)]
              - t.points) if p.against_declarer(t.winner) else None)  # fmt: skip
_trick_points("partner-lost", "Tricks of the declarer's partner count nothing.",
              lambda p, t: p.points.__setitem__(p.side(t.winner), p.points[p.side(t.winner)]
              - t.points) if not p.against_declarer(t.winner) and t.winner != p.declarer
              else None)  # fmt: skip
_trick_points("own-card-only", "Only the winning card counts for the winner.",
              lambda p, t: _only(p, t, lambda seat: seat == t.winner))  # fmt: skip
_trick_points("own-side-only", "Cards that the other side has played count for that side.",
              lambda p, t: _split(p, t))  # noqa: PLW0108  # fmt: skip
_trick_points("without-last-card", "The last card of a trick is not counted.",
              lambda p, t: _only(p, t, lambda seat: seat != t.cards[-1][0]))  # fmt: skip
_trick_points("first-trick-forgotten", "The first trick is not counted.",
              lambda p, t: _only(p, t, lambda seat: p.tricks_done > 1))  # fmt: skip
_trick_points("last-replaces", "The points of a trick replace those of the tricks before.",
              lambda p, t: p.points.__setitem__(p.side(t.winner), t.points))  # fmt: skip


def _only(position: Position, trick: Trick, counts: Any) -> None:
    lost = sum(POINTS[card] for seat, card in trick.cards if not counts(seat))
    position.points[position.side(trick.winner)] -= lost


def _split(position: Position, trick: Trick) -> None:
    for seat, card in trick.cards:
        if position.side(seat) != position.side(trick.winner):
            position.points[position.side(trick.winner)] -= POINTS[card]
            position.points[position.side(seat)] += POINTS[card]


@mutant("play.trick-points", "leaks", "The card points of a deal stay for the next one.")
def _(patch: Patch) -> None:
    hooks.leak(patch, "points")


@mutant("play.five-tricks", "four-tricks", "A deal is over after the fourth trick.")
def _(patch: Patch) -> None:
    patch.change_contracts(lambda contract: replace(contract, tricks=min(contract.tricks, 4)))


@mutant("play.five-tricks", "decided", "A Normal is over as soon as one side has 66 card points.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def after_trick(position: Position) -> None:
            right(position)
            if position.phase == PLAY and hooks.goal_is("claim_66")(position):
                for seat in (position.forehand, position.dealer):
                    if scoring.camp_points(position, seat) >= 66:
                        scoring.award_claim(position, seat, holds=True)
                        return

        return after_trick

    patch.wrap(contracts, "after_trick", make)


@mutant("play.five-tricks", "last-card-stays", "The last trick is not played but laid down.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def after_trick(position: Position) -> None:
            right(position)
            assert position.contract is not None
            last = position.tricks_done == position.rules.hand_size - 1
            slam = hooks.goal_is("all_tricks", "no_trick")(position)
            if position.phase == PLAY and last and slam:
                scoring.award_contract(position, made=True, reason="made")

        return after_trick

    patch.wrap(contracts, "after_trick", make)
