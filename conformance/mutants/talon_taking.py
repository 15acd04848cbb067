"""Faulty engines of the chapter "Talon": taking it and laying cards away."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from bauernschnapsen import contracts, notation, table, talon
from bauernschnapsen.cards import SUIT_MASKS, SUIT_OF
from bauernschnapsen.errors import Refusal
from bauernschnapsen.notation import Action, cards_in
from bauernschnapsen.position import TALON, Position
from bauernschnapsen_conformance.teeth import Patch, mutant

from . import hooks


def _number(action: Action) -> int:
    """What an action names as a number: the card it plays, or the mask of two laid away."""
    assert isinstance(action.value, int)
    return action.value


# --------------------------------------------------------------------------- whose it is


def _someone_else(slug: str, sentence: str, who: Any) -> None:
    """Let another seat take the declarer's decisions about the talon."""

    @mutant("talon.declarer", slug, sentence)
    def _(patch: Patch) -> None:
        def do(position: Position, seat: int, action: Action) -> bool:
            if action.verb not in ("talon", "keep", "discard") or not who(position, seat):
                return False
            table._TALON_HANDLERS[action.verb](position, position.declarer, action.value)
            return True

        hooks.accept(patch, "talon.declarer", do)


_someone_else("anybody", "Anybody may settle the talon for the declarer.", lambda p, s: True)
_someone_else("forehand", "Forehand may settle the talon as well.", lambda p, s: s == p.forehand)
_someone_else("dealer", "The dealer settles the talon.", lambda p, s: s == p.dealer)


def _given_to(slug: str, sentence: str, who: Any) -> None:
    """Let the talon belong to another seat."""

    @mutant("talon.declarer", slug, sentence)
    def _(patch: Patch) -> None:
        def take(position: Position, seat: int) -> None:
            talon._check_turn(position, seat)
            aside = talon._of(position)
            if aside.taken:
                raise Refusal("talon.discard-due", "the talon has been taken")
            position.hands[who(position)] |= aside.cards
            position.talon = aside._replace(cards=0, taken=True)

        patch.swap(talon, "take", take)


_given_to("forehand-gets-it", "The talon goes to forehand.", lambda p: p.forehand)
_given_to("dealer-gets-it", "The talon goes to the dealer.", lambda p: p.dealer)


@mutant("talon.declarer", "turn-of-forehand", "It is forehand's turn while the talon is settled.")
def _(patch: Patch) -> None:
    def change(position: Position, view: Any) -> None:
        if position.phase == TALON:
            view["to_act"] = notation.SEATS[position.forehand]

    hooks.on_view(patch, change)


@mutant("talon.declarer", "raised-by-anybody", "Anybody may raise the contract.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "raise":
            return False
        talon.raise_contract(position, position.declarer, str(action.value))
        return True

    hooks.accept(patch, "talon.declarer", do)


# --------------------------------------------------------------------------- two cards for two


def _taken(slug: str, sentence: str, which: Any) -> None:
    """Take other cards: which(position, mask of the talon) -> mask."""

    @mutant("talon.both", slug, sentence)
    def _(patch: Patch) -> None:
        def change(before: Position, after: Position, seat: int, action: Action) -> None:
            if action.verb == "talon" and before.talon is not None and after.talon is not None:
                cards = which(before, before.talon.cards)
                after.hands[seat] = before.hands[seat] | cards
                after.talon = after.talon._replace(cards=before.talon.cards & ~cards)

        hooks.on_accepted(patch, change)


_taken("first-only", "Only one card of the talon is taken.", lambda p, cards: cards & -cards)
_taken("last-only", "Only the second card of the talon is taken.",
       lambda p, cards: cards & (cards - 1))  # fmt: skip
_taken("nothing", "Taking the talon is looking at it.", lambda p, cards: 0)
_taken("no-trump", "A trump in the talon stays there.",
       lambda p, cards: sum(1 << c for c in cards_in(cards) if SUIT_OF[c] != p.trump))  # fmt: skip


@mutant("talon.both", "seven-at-most", "With the talon the declarer drops his last card at once.")
def _(patch: Patch) -> None:
    def change(before: Position, after: Position, seat: int, action: Action) -> None:
        if action.verb == "talon":
            after.hands[seat] &= ~(1 << cards_in(before.hands[seat])[-1])

    hooks.on_accepted(patch, change)


@mutant("talon.take-first", "blind-exchange", "Two cards may be exchanged for the talon unseen.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "discard" or _number(action) & ~position.hands[seat]:
            return False
        talon.take(position, seat)
        talon.discard(position, seat, _number(action))
        return True

    def offer(position: Position) -> hooks.Legal:
        if position.phase != TALON or talon._of(position).taken:
            return {}
        held = cards_in(position.hands[position.declarer])
        pairs = [1 << one | 1 << two for one, two in combinations(held, 2)]
        return {position.declarer: [Action("discard", pair) for pair in pairs]}

    hooks.accept(patch, "talon.take-first", do, offer)


@mutant(
    "talon.take-first", "without-notice", "An exchange without taking is accepted, not offered."
)
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        position.talon = talon._of(position)._replace(taken=True)
        talon.discard(position, seat, _number(action))
        return True

    hooks.accept(patch, "talon.take-first", do)


@mutant("talon.discard-due", "leave-after-all", "Who has seen the talon may still leave it.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if action.verb != "keep":
            return False
        aside = talon._of(position)
        dealt = sum(1 << card for card in position.dealt[seat])
        cards = position.hands[seat] & ~dealt
        position.hands[seat] = dealt
        position.talon = aside._replace(cards=cards, declined=True)
        contracts.begin_play(position)
        return True

    hooks.accept(patch, "talon.discard-due", do)


@mutant("talon.discard-due", "eight-cards", "Nothing has to be laid away before the lead.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        aside = position.talon
        if position.phase != TALON or action.verb != "play" or not (aside and aside.taken):
            return False
        contracts.begin_play(position)
        table._play(position, seat, _number(action))
        return True

    hooks.accept(patch, "play.when", do)


@mutant("talon.discard-due", "taken-twice", "Taking the talon again is accepted and does nothing.")
def _(patch: Patch) -> None:
    hooks.accept(patch, "talon.discard-due", lambda p, seat, action: action.verb == "talon")


def _number_of_cards(slug: str, sentence: str, size: int) -> None:
    @mutant("talon.discard-two", slug, sentence)
    def _(patch: Patch) -> None:
        def make(right: Any) -> Any:
            def parse(text: object) -> Action:
                words = text.split(" ") if isinstance(text, str) else []
                if len(words) == size + 1 and words[0] == "discard":
                    cards = [notation.parse_card(word) for word in words[1:]]
                    return Action("discard", notation.mask_of(cards))
                action: Action = right(text)
                return action

            return parse

        patch.wrap(notation, "parse_action", make)


_number_of_cards("one", "One card may be laid away and the other kept.", 1)
_number_of_cards("twice-the-same", "The same card may be named twice.", 2)
_number_of_cards("three", "Three cards may be laid away.", 3)


@mutant("talon.own-cards", "anybodys", "A card that is named need not be in the hand.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        position.hands[seat] &= ~_number(action)
        position.talon = talon._of(position)._replace(cards=_number(action))
        talon._go_on(position)
        return True

    hooks.accept(patch, "talon.own-cards", do)


@mutant("talon.own-cards", "one-is-enough", "Only one of the two cards has to be in the hand.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        if not _number(action) & position.hands[seat]:
            return False
        position.hands[seat] &= ~_number(action)
        position.talon = talon._of(position)._replace(cards=_number(action))
        talon._go_on(position)
        return True

    hooks.accept(patch, "talon.own-cards", do)


def _must_keep(slug: str, sentence: str, kept: Any) -> None:
    """Forbid to lay away some cards: kept(position, mask of the eight cards) -> mask."""

    @mutant("talon.any-two", slug, sentence)
    def _(patch: Patch) -> None:
        def when(position: Position, seat: int, action: Action) -> bool:
            if action.verb != "discard":
                return False
            return bool(_number(action) & kept(position, position.hands[seat]))

        hooks.refuse(patch, "talon.any-two", when)


def _ranks(text: str) -> int:
    """All cards of some ranks."""
    return sum(1 << card for card in range(20) if notation.CARDS[card][0] in text)


def _dealt(position: Position) -> int:
    return sum(1 << card for card in position.dealt[position.declarer])


def _trumps(position: Position) -> int:
    return 0 if position.trump is None else SUIT_MASKS[position.trump]


def _pairs(hand: int) -> int:
    """Kings and queens of which both are held."""
    both = cards_in(hand & _ranks("KQ"))
    return sum(1 << c for c in both if sum(SUIT_OF[c] == SUIT_OF[o] for o in both) == 2)


def _demanded(position: Position) -> int:
    """The five cards that the contract demands."""
    held = _dealt(position)
    asks = position.contract is not None and position.contract.hold != "none"
    return sum(mask for mask in SUIT_MASKS if asks and held & mask == mask)


_must_keep("no-aces", "An ace is not laid away.", lambda p, hand: _ranks("A"))
_must_keep("no-tens", "A ten is not laid away.", lambda p, hand: _ranks("T"))
_must_keep("no-trumps", "A trump is not laid away.", lambda p, hand: _trumps(p))
_must_keep("no-pairs", "King and queen of a pair are not laid away.",
           lambda p, hand: _pairs(hand))  # fmt: skip
_must_keep("not-the-talon", "The cards of the talon stay in the hand.",
           lambda p, hand: hand & ~_dealt(p))  # fmt: skip
_must_keep("only-the-talon", "Only the cards of the talon are laid away again.",
           lambda p, hand: _dealt(p))  # fmt: skip
_must_keep("not-what-is-demanded", "Cards that the contract demands stay in the hand.",
           lambda p, hand: _demanded(p))  # fmt: skip
_must_keep("only-low-ones", "Only jacks, queens and kings are laid away.",
           lambda p, hand: _ranks("AT"))  # fmt: skip


def _must_differ(slug: str, sentence: str, when: Any) -> None:
    """Forbid some pairs: when(position, two cards)."""

    @mutant("talon.any-two", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.refuse(
            patch,
            "talon.any-two",
            lambda p, seat, action: (
                action.verb == "discard" and when(p, *cards_in(_number(action)))
            ),
        )


_must_differ("not-both-of-the-talon", "The talon may not be laid away as it was.",
             lambda p, one, two: not _dealt(p) & (1 << one | 1 << two))  # fmt: skip
_must_differ("of-two-suits", "The two cards are of different suits.",
             lambda p, one, two: SUIT_OF[one] == SUIT_OF[two])  # fmt: skip
_must_differ("of-one-suit", "The two cards are of the same suit.",
             lambda p, one, two: SUIT_OF[one] != SUIT_OF[two])  # fmt: skip
_must_differ("one-of-each", "One card of the talon is laid away and one that was dealt.",
             lambda p, one, two: (_dealt(p) & (1 << one | 1 << two)).bit_count() != 1)  # fmt: skip
