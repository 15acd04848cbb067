"""Faulty engines of the chapter "Talon": what is seen of it, and what it counts."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import marriages, scoring, talon
from bauernschnapsen.cards import POINTS
from bauernschnapsen.notation import Action, cards_in, format_mask, seat_letters
from bauernschnapsen.position import OVER, PLAY, SHOW, TALON, Position
from bauernschnapsen.table import View
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks

# --------------------------------------------------------------------------- who sees what


def _known(rule: str, slug: str, sentence: str, to: Any) -> None:
    """Let seats know the cards lying aside exactly when to(position, seat) says so."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        def known_to(position: Position, seat: int) -> int:
            aside = position.talon
            return aside.cards if aside is not None and to(position, seat, aside) else 0

        patch.swap(talon, "known_to", known_to)
        _everybody_is_told(patch)


def _everybody_is_told(patch: Patch) -> None:
    """Say of every seat what it knows, of the talon as well, also where that is nothing."""

    def change(position: Position, view: View) -> None:
        for letter in seat_letters(position.rules.seats):
            view["sees"].setdefault(letter, {}).setdefault("talon", [])

    hooks.sees_everything(patch)
    hooks.on_view(patch, change)


def _is_over(position: Position, seat: int, aside: Any) -> bool:
    return position.phase == OVER


def _right(position: Position, seat: int, aside: Any) -> bool:
    return position.phase == OVER or (aside.taken and seat == position.declarer)


_known("talon.unseen", "everybody", "Everybody sees the two cards laid away.",
       lambda p, seat, aside: aside.taken or _is_over(p, seat, aside))  # fmt: skip
_known("talon.unseen", "by-forehand", "Forehand sees the cards laid away as well.",
       lambda p, seat, aside: _right(p, seat, aside)
       or (aside.taken and seat == p.forehand))  # fmt: skip
_known("talon.unseen", "by-the-dealer", "The dealer sees the cards laid away as well.",
       lambda p, seat, aside: _right(p, seat, aside)
       or (aside.taken and seat == p.dealer))  # fmt: skip
_known("talon.unseen", "not-by-the-declarer", "Nobody knows what was laid away.", _is_over)
_known("talon.unseen", "by-the-opponents-only", "The opponents see what was laid away.",
       lambda p, seat, aside: _is_over(p, seat, aside)
       or (aside.taken and seat != p.declarer))  # fmt: skip
_known("talon.unseen", "until-the-lead", "The declarer forgets what he has laid away.",
       lambda p, seat, aside: _is_over(p, seat, aside) or (_right(p, seat, aside)
       and not p.trick and not p.tricks_done))  # fmt: skip
_known("talon.left-unseen", "by-the-declarer", "Who leaves the talon looks at it.",
       lambda p, seat, aside: _right(p, seat, aside)
       or (aside.declined and seat == p.declarer))  # fmt: skip
_known("talon.left-unseen", "by-everybody", "A talon that is left is turned up for all.",
       lambda p, seat, aside: _right(p, seat, aside) or aside.declined)  # fmt: skip
_known("talon.left-unseen", "by-the-opponents", "A talon that is left is shown to the opponents.",
       lambda p, seat, aside: _right(p, seat, aside)
       or (aside.declined and seat != p.declarer))  # fmt: skip
_known("talon.shown-at-the-end", "never", "The two cards aside stay hidden after the deal.",
       lambda p, seat, aside: aside.taken and seat == p.declarer)  # fmt: skip
_known("talon.shown-at-the-end", "not-to-opponents", "After the deal only the declarer sees them.",
       lambda p, seat, aside: _right(p, seat, aside) and seat == p.declarer)  # fmt: skip
_known("talon.shown-at-the-end", "only-discards", "After the deal only cards laid away are shown.",
       lambda p, seat, aside: aside.taken and _right(p, seat, aside))  # fmt: skip
_known("talon.shown-at-the-end", "only-if-left", "After the deal only a talon left is shown.",
       lambda p, seat, aside: _right(p, seat, aside)
       and (not aside.taken or seat == p.declarer))  # fmt: skip
_known("talon.shown-at-the-end", "only-if-lost", "They are shown only if the declarer has failed.",
       lambda p, seat, aside: _right(p, seat, aside) and (p.phase != OVER or seat == p.declarer
       or not p.outcome.awards[p.side(p.declarer)]))  # fmt: skip


def _shown_when_taken(slug: str, sentence: str, change: Any) -> None:
    """Show cards of the declarer while he holds eight: change(before) -> mask of his hand."""

    @mutant("talon.unseen", slug, sentence)
    def _(patch: Patch) -> None:
        def look(before: Position, after: Position, seat: int, action: Action) -> None:
            if action.verb == "talon":
                after.shown[seat] |= change(before)

        hooks.on_accepted(patch, look)
        hooks.sees_everything(patch)


_shown_when_taken("talon-shown", "The talon is shown to all when it is taken.",
                  lambda before: before.talon.cards)  # fmt: skip
_shown_when_taken("one-shown", "One card of the talon is shown when it is taken.",
                  lambda before: before.talon.cards & -before.talon.cards)  # fmt: skip


@mutant("talon.unseen", "listed-for-all", "What may be laid away is listed for the opponents.")
def _(patch: Patch) -> None:
    def change(position: Position, view: View) -> None:
        if position.phase == TALON and talon._of(position).taken:
            letters = seat_letters(position.rules.seats)
            hand = format_mask(position.hands[position.declarer])
            for viewer in letters.replace(letters[position.declarer], ""):
                view["sees"].setdefault(viewer, {})[letters[position.declarer]] = hand

    hooks.on_view(patch, change)


def _after_discard(slug: str, sentence: str, change: Any) -> None:
    """Know other cards of the declarer's after he has laid two away: change(shown, hand)."""

    @mutant("talon.turned-card", slug, sentence)
    def _(patch: Patch) -> None:
        def look(before: Position, after: Position, seat: int, action: Action) -> None:
            if action.verb == "discard":
                after.shown[seat] = change(before.shown[seat], after.hands[seat])

        hooks.on_accepted(patch, look)
        hooks.sees_everything(patch)


_after_discard("kept-known", "A card turned up stays known while it is kept.",
               lambda shown, hand: shown & hand)  # fmt: skip
_after_discard("always-known", "A card turned up stays known, wherever it is.",
               lambda shown, hand: shown)  # fmt: skip


def _forgotten(slug: str, sentence: str, when: Any) -> None:
    """Forget the card turned up: when(seat, declarer, forehand, verb)."""

    @mutant("talon.turned-card", slug, sentence)
    def _(patch: Patch) -> None:
        def look(before: Position, after: Position, seat: int, action: Action) -> None:
            if when(before, action.verb):
                after.shown = [0] * after.rules.seats

        hooks.on_accepted(patch, look)
        hooks.sees_everything(patch)


_forgotten("by-taking", "A card turned up is forgotten when the talon is taken.",
           lambda p, verb: verb == "talon")  # fmt: skip
_forgotten("by-any-declarer", "Whoever lays cards away makes all forget the card turned up.",
           lambda p, verb: verb == "discard")  # fmt: skip
_forgotten("by-leaving", "Leaving the talon makes all forget the card turned up.",
           lambda p, verb: verb == "keep")  # fmt: skip

# --------------------------------------------------------------------------- what counts


def _points(position: Position, seat: int | None) -> None:
    """Count the two cards aside for a seat."""
    if seat is not None and position.talon is not None:
        worth = sum(POINTS[card] for card in cards_in(position.talon.cards))
        position.points[position.side(seat)] += worth


def _counted(slug: str, sentence: str, verbs: str, who: Any) -> None:
    """Count the cards aside at once: who(position after) -> seat."""

    @mutant("talon.no-points", slug, sentence)
    def _(patch: Patch) -> None:
        def look(before: Position, after: Position, seat: int, action: Action) -> None:
            if action.verb in verbs.split() and after.phase in (PLAY, SHOW):
                _points(after, who(after))

        hooks.on_accepted(patch, look)


_counted("declarers", "Cards laid away count for the declarer.", "discard",
         lambda p: p.declarer)  # fmt: skip
_counted("opponents", "Cards laid away count for the opponents.", "discard",
         lambda p: (p.declarer + 1) % 3)  # fmt: skip
_counted("left-for-the-declarer", "A talon that is left counts for the declarer.", "keep",
         lambda p: p.declarer)  # fmt: skip
_counted("left-for-opponents", "A talon that is left counts for the opponents.", "keep",
         lambda p: (p.declarer + 1) % 3)  # fmt: skip


def _with_a_trick(slug: str, sentence: str, when: Any) -> None:
    """Count the cards aside for the winner of a trick: when(position, winner)."""

    @mutant("talon.no-points", slug, sentence)
    def _(patch: Patch) -> None:
        def change(position: Position, trick: Any) -> None:
            if when(position, trick.winner):
                _points(position, trick.winner)

        hooks.after_trick(patch, change)


_with_a_trick("with-the-first-trick", "The cards aside belong to the first trick.",
              lambda p, winner: p.tricks_done == 1)  # fmt: skip
_with_a_trick("with-the-last-trick", "The cards aside belong to the last trick.",
              lambda p, winner: p.tricks_done == 6)  # fmt: skip
_with_a_trick("declarers-first", "The cards aside belong to the declarer's first trick.",
              lambda p, winner: winner == p.declarer and p.tricks_by_seat[winner] == 1)  # fmt: skip


@mutant("talon.no-points", "in-the-claim", "A claim counts the cards laid away for the declarer.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def camp_points(position: Position, seat: int) -> int:
            total: int = right(position, seat)
            aside = position.talon
            if aside is not None and aside.taken and not position.against_declarer(seat):
                total += sum(POINTS[card] for card in cards_in(aside.cards))
            return total

        return camp_points

    patch.wrap(scoring, "camp_points", make)


@mutant("talon.no-points", "towards-33", "The cards laid away help the opponents to 33.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def tier(position: Position, winner: int) -> int:
            worth: int = right(position, winner)
            aside = position.talon
            if aside is None or position.against_declarer(winner) or worth != scoring_two:
                return worth
            extra = sum(POINTS[card] for card in cards_in(aside.cards))
            others = sum(position.points) - position.points[position.side(winner)]
            return 1 if others + extra >= scoring.OTHERS_SAFE else worth

        return tier

    scoring_two = 2
    patch.wrap(scoring, "tier", make)


# --------------------------------------------------------------------------- marriages


def _pair_needs(slug: str, sentence: str, hand: Any) -> None:
    """Look for pairs in other cards: hand(position, seat) -> mask."""

    @mutant("talon.marriages", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def asked(position: Position, *rest: Any) -> Any:
                seat = hooks.turn_of(position)
                if position.talon is None:
                    return right(position, *rest)
                held = position.hands[seat]
                position.hands[seat] = hand(position, seat)
                try:
                    found = right(position, *rest)
                finally:
                    position.hands[seat] = held
                return found & held if isinstance(found, int) else found

            return asked

        patch.wrap(marriages, "marriage_cards", make)
        patch.wrap(marriages, "check_marriage", make)


def _dealt(position: Position, seat: int) -> int:
    return sum(1 << card for card in position.dealt[seat])


_pair_needs("dealt-only", "Only cards that were dealt make a pair.",
            lambda p, seat: p.hands[seat] & _dealt(p, seat))  # fmt: skip
_pair_needs("laid-away-too", "A queen laid away still makes a pair with the king.",
            lambda p, seat: p.hands[seat] | (p.talon.cards if seat == p.declarer and p.talon.taken
                                             else 0))  # fmt: skip
_pair_needs("left-too", "A queen in a talon that was left makes a pair as well.",
            lambda p, seat: p.hands[seat] | (0 if p.talon.taken or seat != p.declarer
                                             else p.talon.cards))  # fmt: skip


@mutant("talon.marriages", "twenty-from-the-talon", "A pair with a card of the talon makes twenty.")
def _(patch: Patch) -> None:
    def make(right: Any) -> Any:
        def declare(position: Position, seat: int, card: int) -> None:
            before = position.declared[position.side(seat)]
            right(position, seat, card)
            if position.hands[seat] & ~_dealt(position, seat) & (3 << (card // 5 * 5 + 2)):
                extra = position.declared[position.side(seat)] - before - 20
                position.declared[position.side(seat)] -= extra
                position.points[position.side(seat)] -= extra

        return declare

    patch.wrap(marriages, "declare", make)
