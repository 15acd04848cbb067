"""Faulty engines of the chapter "Marriages": who marries, when and how, what is shown."""

from __future__ import annotations

from typing import Any

from bauernschnapsen import marriages, play, table
from bauernschnapsen.cards import KING, QUEEN, RANK_OF, SUIT_MASKS, SUIT_OF
from bauernschnapsen.errors import Refusal
from bauernschnapsen.marriages import PAIRS
from bauernschnapsen.notation import Action, cards_in
from bauernschnapsen.position import PLAY, Position, Trick
from bauernschnapsen_conformance.teeth import Patch, mutant, rules_mutant

from . import hooks

# --------------------------------------------------------------------------- who, and in what

for _name, _who in (
    ("bauern-schnapser", "declarer"), ("kontra-bauern-schnapser", "declarer"), ("gang", "declarer"),
    ("zehner-gang", "declarer"), ("bettler", "all"), ("bauern-schnapser", "all"),
    ("kontra-bauern-schnapser", "all"), ("gang", "all"),
):  # fmt: skip
    rules_mutant(
        "marriages.contracts",
        f"in-{_name}-{_who}",
        f"In {_name} there are marriages too ({_who}).",
        contracts={_name: {"marriages": _who}},
    )
rules_mutant(
    "marriages.contracts", "everywhere", "Marriages may be declared in every contract.",
    every_contract={"marriages": "all"},
)  # fmt: skip
for _name in ("normal", "schnapser", "kontra-schnapser"):
    rules_mutant(
        "marriages.everyone" if _name == "normal" else "marriages.contracts",
        f"not-in-{_name}",
        f"In {_name} there are no marriages.",
        contracts={_name: {"marriages": "none"}},
    )
for _who in ("declarer", "side"):
    rules_mutant(
        "marriages.everyone",
        f"{_who}-only",
        f"In Normal marriages are for forehand{'' if _who == 'declarer' else ' and his partner'}.",
        contracts={"normal": {"marriages": _who}},
    )


def not_for(rule: str, slug: str, sentence: str, when: Any) -> None:
    """Refuse marriages to a seat: when(position, seat)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        right = marriages._forbidden

        def forbidden(position: Position, seat: int) -> Refusal | None:
            refusal = right(position, seat)
            if refusal is None and when(position, seat):
                return Refusal(rule, "a rule that does not exist")
            return refusal

        patch.swap(marriages, "_forbidden", forbidden)


def _normal(position: Position) -> bool:
    return hooks.goal_is("claim_66")(position)


for _place, _whom in enumerate(("forehand", "dealers-partner", "forehands-partner", "dealer")):
    not_for("marriages.everyone", f"not-{_whom}", f"In Normal {_whom} has no marriages.",
             lambda p, seat, place=_place: _normal(p)
             and hooks.place(p, seat) == place)  # fmt: skip
not_for("marriages.everyone", "not-after-another", "After one marriage the other side has none.",
         lambda p, seat: _normal(p)
         and any(p.declared[s] for s in hooks.others(p, p.side(seat))))  # fmt: skip

_NEVER_LEADS = (
    "The partner of a Kontra-Schnapser's declarer never leads: forehand is an opponent, and the "
    "contract ends when anybody but the declarer wins a trick."
)
for _name in ("schnapser", "kontra-schnapser"):
    for _who in ("side", "all"):
        rules_mutant(
            "marriages.declarer-only",
            f"{_who}-in-{_name}",
            f"In {_name} marriages are not only for the declarer ({_who}).",
            contracts={_name: {"marriages": _who}},
            unless=_NEVER_LEADS if (_name, _who) == ("kontra-schnapser", "side") else None,
        )


@mutant("marriages.declarer-only", "forehand-too", "Forehand keeps his marriages in any case.")
def _(patch: Patch) -> None:
    right = marriages._forbidden

    def forbidden(position: Position, seat: int) -> Refusal | None:
        refusal = right(position, seat)
        if refusal is not None and refusal.rule == "marriages.declarer-only":
            return None if seat == position.forehand else refusal
        return refusal

    patch.swap(marriages, "_forbidden", forbidden)


@mutant(
    "marriages.declarer-only", "shown-for-nothing", "Others may declare, but it counts nothing."
)
def _(patch: Patch) -> None:
    right, declare = marriages._forbidden, marriages.declare

    def forbidden(position: Position, seat: int) -> Refusal | None:
        refusal = right(position, seat)
        only = refusal is not None and refusal.rule == "marriages.declarer-only"
        return None if only else refusal

    def count(position: Position, seat: int, card: int) -> None:
        if right(position, seat) is None:
            declare(position, seat, card)

    patch.swap(marriages, "_forbidden", forbidden)
    patch.swap(marriages, "declare", count)


# --------------------------------------------------------------------------- on lead


def _pairs_in(hand: int) -> int:
    return sum(pair for pair in PAIRS if hand & pair == pair)


def _while_following(slug: str, sentence: str, when: Any) -> None:
    """Accept marriages of players who follow: when(position, seat)."""

    @mutant("marriages.on-lead", slug, sentence)
    def _(patch: Patch) -> None:
        def may(position: Position, seat: int, card: int) -> bool:
            return (
                bool(position.trick)
                and seat == position.turn
                and bool(_pairs_in(position.hands[seat]) >> card & 1)
                and marriages._forbidden(position, seat) is None
                and bool(play.legal_cards(position) >> card & 1)
                and when(position, seat)
            )

        def do(position: Position, seat: int, action: Action) -> bool:
            card = action.value
            if action.verb != "marry" or not isinstance(card, int):
                return False
            if not may(position, seat, card):
                return False
            marriages.declare(position, seat, card)
            table._lay(position, seat, card)
            return True

        def offer(position: Position) -> hooks.Legal:
            seat = position.turn
            if position.phase != PLAY or seat is None:
                return {}
            cards = [c for c in cards_in(position.hands[seat]) if may(position, seat, c)]
            return {seat: [Action("marry", card) for card in cards]} if cards else {}

        hooks.accept(patch, "marriages.on-lead", do, offer)


_while_following("anybody", "A marriage may be declared with any card played.", lambda p, s: True)
_while_following("second-hand", "The second player may declare a marriage.",
                 lambda p, seat: len(p.trick) == 1)  # fmt: skip
_while_following("fourth-hand", "The last player may declare a marriage.",
                 lambda p, seat: len(p.trick) == 3)  # fmt: skip
_while_following("partner-leads", "Whoever follows his partner's lead may declare a marriage.",
                 lambda p, seat: hooks.partners(p, seat, p.trick[0][0]))  # fmt: skip


@mutant("marriages.on-lead", "out-of-turn", "Whoever holds a pair may declare it at any time.")
def _(patch: Patch) -> None:
    def do(position: Position, seat: int, action: Action) -> bool:
        card = action.value
        if action.verb != "marry" or not isinstance(card, int) or position.phase != PLAY:
            return False
        if not _pairs_in(position.hands[seat]) >> card & 1:
            return False
        if marriages._forbidden(position, seat) is not None:
            return False
        marriages.declare(position, seat, card)
        return True

    hooks.accept(patch, "play.turn", do)


@mutant("marriages.on-lead", "offered-to-followers", "Marriages are offered when following, too.")
def _(patch: Patch) -> None:
    def change(position: Position, legal: hooks.Legal) -> None:
        seat = position.turn
        if position.phase != PLAY or seat is None or not position.trick:
            return
        if marriages._forbidden(position, seat) is None:
            pairs = _pairs_in(position.hands[seat]) & play.legal_cards(position)
            legal[seat] += [Action("marry", card) for card in cards_in(pairs)]

    hooks.on_legal(patch, change)


rules_mutant(
    "marriages.first-lead", "side-trick", "A side declares only after it has won a trick.",
    options={"marriage_needs": "side_trick"},
)  # fmt: skip
rules_mutant(
    "marriages.first-lead", "own-trick", "A player declares only after he has won a trick.",
    options={"marriage_needs": "own_trick"},
)  # fmt: skip
not_for("marriages.first-lead", "not-at-first", "At the very first lead nobody declares.",
         lambda p, seat: not p.tricks_done)  # fmt: skip
not_for("marriages.first-lead", "not-in-trumps", "At the first lead only twenties are declared.",
         lambda p, seat: not p.tricks_done and bool(p.hands[seat] & PAIRS[p.trump or 0]
                                                    == PAIRS[p.trump or 0]))  # fmt: skip
not_for("marriages.first-lead", "needs-any-trick", "Somebody must have won a trick before.",
         lambda p, seat: p.tricks_done == 0 and seat == p.forehand and _normal(p))  # fmt: skip

# --------------------------------------------------------------------------- the pair


def half_pair(slug: str, sentence: str, counts: Any, rule: str = "marriages.pair") -> None:
    """Let half pairs count: counts(position, seat, card, missing half)."""

    @mutant(rule, slug, sentence)
    def _(patch: Patch) -> None:
        check, legal = marriages.check_marriage, marriages.marriage_cards

        def half(position: Position, seat: int, card: int) -> bool:
            if RANK_OF[card] not in (KING, QUEEN):
                return bool(counts(position, seat, card, None))
            missing = (PAIRS[SUIT_OF[card]] & ~(1 << card)).bit_length() - 1
            return bool(counts(position, seat, card, missing))

        def check_marriage(position: Position, seat: int, card: int) -> None:
            try:
                check(position, seat, card)
            except Refusal as refusal:
                if refusal.rule != "marriages.pair" or not half(position, seat, card):
                    raise

        def marriage_cards(position: Position) -> int:
            seat = position.turn
            mask: int = legal(position)
            if seat is None or position.trick or marriages._forbidden(position, seat) is not None:
                return mask
            return mask | sum(
                1 << card
                for card in cards_in(position.hands[seat] & ~mask)
                if half(position, seat, card)
            )

        patch.swap(marriages, "check_marriage", check_marriage)
        patch.swap(marriages, "marriage_cards", marriage_cards)


half_pair("half-suffices", "A king or queen alone is as good as the pair.",
      lambda p, seat, card, missing: missing is not None)  # fmt: skip
half_pair("king-alone", "A king alone is as good as the pair.",
      lambda p, seat, card, missing: RANK_OF[card] == KING)  # fmt: skip
half_pair("queen-alone", "A queen alone is as good as the pair.",
      lambda p, seat, card, missing: RANK_OF[card] == QUEEN)  # fmt: skip
half_pair("dealt-together", "King and queen must have been dealt together, no more.",
      lambda p, seat, card, missing: missing in p.dealt[seat])  # fmt: skip
half_pair("with-partner", "The other half may lie with the partner.",
      lambda p, seat, card, missing: missing is not None
      and p.hands[hooks.partner_of(p, seat)] >> missing & 1)  # fmt: skip
half_pair("partners-played", "The other half may have been played by the partner.",
      lambda p, seat, card, missing: missing in p.dealt[hooks.partner_of(p, seat)]
      and not p.hands[hooks.partner_of(p, seat)] >> missing & 1)  # fmt: skip
half_pair("captured", "The other half may lie among the last trick one has won.",
      lambda p, seat, card, missing: p.last_trick is not None
      and any(c == missing for _, c in p.last_trick.cards))  # fmt: skip
half_pair("any-suits", "A king and a queen of different suits make a pair.",
      lambda p, seat, card, missing: missing is not None
      and any(RANK_OF[c] == RANK_OF[missing] for c in cards_in(p.hands[seat])))  # fmt: skip
half_pair("any-card", "With a pair in hand any card may be led to declare it.",
      lambda p, seat, card, missing: missing is None and _pairs_in(p.hands[seat]))  # fmt: skip
half_pair("any-of-the-suit", "A pair may be declared by leading another card of its suit.",
      lambda p, seat, card, missing: missing is None
      and _pairs_in(p.hands[seat]) & SUIT_MASKS[SUIT_OF[card]])  # fmt: skip


def _only_with(slug: str, sentence: str, rank: int) -> None:
    @mutant("marriages.either-card", slug, sentence)
    def _(patch: Patch) -> None:
        hooks.refuse(
            patch,
            "marriages.either-card",
            lambda p, seat, action: (
                action.verb == "marry"
                and isinstance(action.value, int)
                and RANK_OF[action.value] != rank
            ),
        )


_only_with("queen-only", "A marriage is declared by leading the queen.", QUEEN)
_only_with("king-only", "A marriage is declared by leading the king.", KING)

# --------------------------------------------------------------------------- shown


def _shown(slug: str, sentence: str, change: Any) -> None:
    """Show other cards: change(position, seat, mask of the pair)."""

    @mutant("marriages.shown", slug, sentence)
    def _(patch: Patch) -> None:
        right = marriages.declare

        def declare(position: Position, seat: int, card: int) -> None:
            before = position.shown[seat]
            right(position, seat, card)
            change(position, seat, PAIRS[SUIT_OF[card]], before)

        patch.swap(marriages, "declare", declare)
        hooks.sees_everything(patch)


_shown("hidden", "Nobody learns which card is kept.",
       lambda p, seat, pair, before: p.shown.__setitem__(seat, before))  # fmt: skip
_shown("whole-hand", "Declaring a marriage opens the whole hand.",
       lambda p, seat, pair, before: p.shown.__setitem__(seat, p.hands[seat]))  # fmt: skip


def _not_seen_by(slug: str, sentence: str, partner: bool) -> None:
    @mutant("marriages.shown", slug, sentence)
    def _(patch: Patch) -> None:
        from bauernschnapsen.notation import seat_letters

        def change(position: Position, view: Any) -> None:
            letters = seat_letters(position.rules.seats)
            if not any(position.declared):
                return
            for viewer, letter in enumerate(letters):
                for owner, other in enumerate(letters):
                    known = other in view["sees"].get(letter, {})
                    if known and hooks.partners(position, viewer, owner) is partner:
                        view["sees"][letter][other] = []

        hooks.on_view(patch, change)


_not_seen_by("not-by-opponents", "The opponents do not learn which card is kept.", partner=False)
_not_seen_by("not-by-partner", "The partner does not learn which card is kept.", partner=True)


@mutant("marriages.shown", "one-trick-only", "After the trick the card kept is unknown again.")
def _(patch: Patch) -> None:
    def change(position: Position, trick: Trick) -> None:
        position.shown = [0] * position.rules.seats

    hooks.after_trick(patch, change)
    hooks.sees_everything(patch)


@mutant("marriages.shown", "still-after-played", "The card kept is known even when it is played.")
def _(patch: Patch) -> None:
    put = play.put_card

    def put_card(position: Position, seat: int, card: int) -> Trick | None:
        kept = position.shown[seat]
        trick: Trick | None = put(position, seat, card)
        if position.trick and position.trick[0][0] == seat:
            return trick
        position.shown[seat] = kept
        return trick

    patch.swap(play, "put_card", put_card)
