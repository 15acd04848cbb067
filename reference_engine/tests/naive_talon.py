"""A second opinion on a deal of three players with a talon: the rules once more, as sentences.

Nothing of the engine is used here. A record of a deal has the form of the adapter protocol; `judge`
says what is true before its first action and after each. What may be done is never generated: every
conceivable action is tried with `may`. Above each line stands the sentence it obeys. What a table
has to agree on beforehand is a set of words, empty for a table that has agreed on nothing:

- `raise`: the declarer may go higher after he has seen the talon (T9);
- `bonus`: leaving the talon is worth one game point more (T10);
- `precedence`: the same contract without the talon outbids the one with it (T10);
- `all marked`: every player below 24 is marked, not only the last (T18).
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from naive_both import DOUBLES, do_marry, may_claim, may_play
from naive_oracle import PACK, SUITS
from naive_talon_table import CLOCKWISE, NAMES, TABLE, Deal

_DISCARDS = [f"discard {one} {two}" for one, two in permutations(PACK, 2)]
WRITTEN_ONCE = [
    *(f"trump {suit}" for suit in SUITS),
    *(f"turn-up {which}" for which in "123"),
    *(f"{verb} {name}" for verb in ("bid", "bid-without-talon", "raise") for name in NAMES),
    "pass",
    *("talon", "keep"),
    *(words for words in _DISCARDS if PACK.index(words[8:10]) < PACK.index(words[11:])),
    *DOUBLES,
    *(f"{verb} {card}" for verb in ("play", "marry") for card in PACK),
    "enough",
]
"""All there is to say and do, two cards laid away in the order of the pack."""
VOCABULARY = {*WRITTEN_ONCE, *_DISCARDS}


# --------------------------------------------------------------------------- what may be done


def may(deal: Deal, seat: str, words: str) -> bool:
    """Whether a seat may do this now."""
    if deal.outcome is not None or words not in VOCABULARY:
        return False
    verb, _, rest = words.partition(" ")
    if verb in ("trump", "turn-up"):
        return _may_name_trump(deal, seat, verb, rest)
    if verb in ("bid", "bid-without-talon", "pass"):
        return _may_speak(deal, seat, verb, rest)
    if deal.contract is None:
        return False
    if verb in DOUBLES:
        return _may_double(deal, seat, verb)
    if verb == "raise":
        return _may_raise(deal, seat, rest)
    if verb in ("talon", "keep", "discard"):
        return _may_turn_to_the_talon(deal, seat, verb, rest)
    # T8: "After the auction the declarer takes the talon and discards two": then comes the play.
    if deal.talon in ("offered", "taken"):
        return False
    return may_claim(deal, seat) if verb == "enough" else may_play(deal, seat, verb, rest)


def _may_name_trump(deal: Deal, seat: str, verb: str, rest: str) -> bool:
    # R15: F may not choose again. A9: no change later.
    if deal.trump is not None or seat != deal.forehand():
        return False
    # T3: "F names trump on his first three" (R13: a suit that is among those three).
    if verb == "trump":
        return rest in [card[1] for card in deal.dealt[seat][:3]]
    # T3: "or has one card of his second packet (three cards) turned up". A6: "Always allowed."
    return True


def _may_speak(deal: Deal, seat: str, verb: str, name: str) -> bool:
    # R17: the auction comes after the trump, and it is over when the contract stands.
    if deal.trump is None or deal.contract is not None or seat != deal.to_bid():
        return False
    # R20, A10: F "cannot pass on that first turn". R21: "Every later turn: pass, or bid."
    if verb == "pass":
        return deal.bids != []
    # T10: bids without the talon only where that was agreed.
    without = verb == "bid-without-talon"
    if without and "precedence" not in deal.agreed:
        return False
    # T4: the column of who may bid. A23: bidding without the cards is illegal; T7: "held at bid".
    if deal.letter(seat) not in TABLE[NAMES.index(name)].who or not _holds(deal, seat, name):
        return False
    # R20: "he bids Normal or any higher contract open to him". A18: jumps are allowed.
    if not deal.bids:
        return True
    bidder, standing, stands_without = deal.bids[-1]
    # "everyone else must go higher (or pass)". R19, R26: the listed order decides.
    if name != standing:
        return NAMES.index(name) > NAMES.index(standing)
    # T10: "precedence between equal bids to the one who plays without talon".
    if without != stands_without:
        return without
    # R23: "A player with higher priority than the current bidder may bid the same contract."
    return "FMD".index(deal.letter(seat)) < "FMD".index(deal.letter(bidder))


def _holds(deal: Deal, seat: str, name: str) -> bool:
    to_hold = TABLE[NAMES.index(name)].to_hold
    suits_held = [card[1] for card in deal.hands[seat]]
    if to_hold == "five of one suit":
        return any(suits_held.count(suit) == 5 for suit in SUITS)
    return to_hold != "five trumps" or suits_held.count(str(deal.trump)) == 5


def _may_turn_to_the_talon(deal: Deal, seat: str, verb: str, rest: str) -> bool:
    # T8: "the declarer takes the talon", and nobody else.
    if seat != deal.declarer:
        return False
    # T8: he takes it "and discards two"; T10: or declines it.
    if verb != "discard":
        return deal.talon == "offered"
    # T8: "(8 cards)". "Whether discards may contain an announced card (yes, any two)."
    one, two = rest.split(" ")
    return deal.talon == "taken" and one in deal.hands[seat] and two in deal.hands[seat]


def _may_raise(deal: Deal, seat: str, name: str) -> bool:
    # T9: "Agree beforehand: may he move up to a higher contract after seeing the talon?"
    if "raise" not in deal.agreed or seat != deal.declarer:
        return False
    # T9: "after seeing the talon", "before the first lead".
    if deal.talon not in ("taken", "laid away") or not deal.not_led_yet():
        return False
    # T9: "to a higher contract", of those that are his to bid, with the cards it demands.
    if deal.letter(seat) not in TABLE[NAMES.index(name)].who or not _holds(deal, seat, name):
        return False
    return NAMES.index(name) > NAMES.index(deal.contract or "")


def _may_double(deal: Deal, seat: str, step: str) -> bool:
    # T17: "Doubling until the first card is played, whether or not the talon was seen."
    if not deal.not_led_yet():
        return False
    # A37: "the first Kontra closes that step for both opponents, and so on up the steps".
    if DOUBLES.index(step) != len(deal.doubles):
        return False
    # R45, R47: the opponents say Kontra and Subkontra; R46: declarer's side says Rekontra.
    return (seat != deal.declarer) == (step != "rekontra")


# --------------------------------------------------------------------------- what comes of it


def do(deal: Deal, seat: str, words: str) -> None:
    """Do what may be done."""
    verb, _, rest = words.partition(" ")
    if verb == "trump":
        deal.trump = rest
    elif verb == "turn-up":
        # T3: the card is turned up, R14: "and its suit is trump".
        card = deal.dealt[seat][2 + int(rest)]
        deal.trump = card[1]
        deal.shown.append(card)
    elif verb in ("bid", "bid-without-talon", "pass"):
        _speak(deal, seat, verb, rest)
    elif verb in DOUBLES:
        deal.doubles.append(verb)
    elif verb == "raise":
        # T17: "a double cannot be withdrawn": the doubles stay.
        deal.contract = rest
    elif verb == "talon":
        deal.talon = "taken"
        deal.hands[seat] += deal.aside
        deal.aside = []
    elif verb == "keep":
        deal.talon = "left"
    elif verb == "discard":
        deal.talon = "laid away"
        deal.aside = rest.split(" ")
        # T8: discards are unseen, so a card turned up may be among them, for all the others know.
        deal.shown = [card for card in deal.shown if card not in deal.hands[seat]]
        deal.hands[seat] = [card for card in deal.hands[seat] if card not in deal.aside]
    elif verb == "enough":
        _claim(deal, seat)
    else:
        if verb == "marry":
            do_marry(deal, seat, rest)
            # A66: "both cards shown; the one kept is public knowledge".
            deal.shown.append({"K": "Q", "Q": "K"}[rest[0]] + rest[1])
        # "Bettler has three active players automatically": nobody sits out.
        if deal.put(seat, rest):
            _end_if_decided(deal)


def _speak(deal: Deal, seat: str, verb: str, name: str) -> None:
    deal.said_in_auction.append(seat)
    if verb == "pass":
        deal.passes.append(seat)
    else:
        deal.bids.append((seat, name, verb == "bid-without-talon"))
    # R25: after all others have passed "the remaining player plays the last bid".
    if len(deal.passes) == 2:
        (remaining,) = [seat for seat in CLOCKWISE if seat not in deal.passes]
        deal.declarer, deal.contract = remaining, deal.bids[-1][1]
        if deal.bids[-1][2]:
            deal.talon = "left"


def _end_if_decided(deal: Deal) -> None:
    objective, value = deal.row().goal, deal.row().value
    winners = [winner for _, winner in deal.tricks]
    own, others = [deal.declarer], deal.opponents()
    everything_won = all(winner == deal.declarer for winner in winners)
    if objective == "66":
        # R54, A74, T16: "last trick rule as in four-hand". A72, L5: unclaimed 66 have no standing.
        if len(winners) == 6:
            _pay(deal, deal.party(winners[-1]), 1, "last_trick")
    elif objective == "no trick":
        # Section 2: "at once when declarer takes a trick".
        if deal.declarer in winners:
            _pay(deal, others, value, "failed")
        elif len(winners) == 6:
            _pay(deal, own, value, "made")
    elif not everything_won:
        # R57, A80, A82: at once when anybody else wins a trick.
        _pay(deal, others, value, "failed")
    elif objective == "four tricks and 66":
        # T5: "first four tricks, 66 in them". E41, A78: no early win.
        if len(winners) == 4:
            made = deal.card_points(own) >= 66
            _pay(deal, own if made else others, value, "made" if made else "failed")
    elif len(winners) == 6:
        # T6: "all six tricks". T7: the sixth too must be won.
        _pay(deal, own, value, "made")


def _claim(deal: Deal, seat: str) -> None:
    own = deal.party(seat)
    others = [other for other in CLOCKWISE if other not in own]
    # T16: "tiers 1/2/3 by the two opponents' joint tricks", and so by the joint 33 of R51.
    if deal.number_of_tricks(others) == 0:
        worth = 3
    elif deal.card_points(others) < 33:
        worth = 2
    else:
        worth = 1
    # T16: "declarer needs 66 alone".
    if deal.card_points(own) >= 66:
        _pay(deal, own, worth, "claim")
    else:
        # R52, A70: "opponents score what the claimer's side would have scored".
        _pay(deal, others, worth, "false_claim")


def _pay(deal: Deal, seats: list[str], value: int, reason: str) -> None:
    # T15: "Success: declarer alone scores; failure: each opponent scores the full value."
    # T16: "Normal won by opponents: each scores."
    # T10: "declining the talon adds 1 game point", won or lost, before doubling.
    if deal.talon == "left" and "bonus" in deal.agreed:
        value += 1
    # R48: "Factors 2/4/8 act on the contract's game points."
    factor = [1, 2, 4, 8][len(deal.doubles)]
    awards = {seat: value * factor if seat in seats else 0 for seat in CLOCKWISE}
    deal.outcome = {"awards": awards, "factor": factor, "reason": reason}
    # R60: "Add game points after each deal." A83: the full number is kept.
    for seat in CLOCKWISE:
        deal.scores[seat] += awards[seat]
    # T18: "Game ends at 24." T19: "two players can pass 24 together: both count as winners".
    winners = [seat for seat in CLOCKWISE if deal.scores[seat] >= 24]
    if winners:
        deal.game = {"winners": winners, "bummerl": _marks(deal, winners)}


def _marks(deal: Deal, winners: list[str]) -> dict[str, int]:
    # T18: "Loser = lowest of the three; equal lowest: both. REG everybody below 24 gets one."
    losers = [seat for seat in CLOCKWISE if seat not in winners]
    if "all marked" not in deal.agreed:
        lowest = min(deal.scores[seat] for seat in losers)
        losers = [seat for seat in losers if deal.scores[seat] == lowest]
    # T18: "(Bummerl, or Schneider with 0)". R62: Schneider is 2 Bummerl.
    marks = dict.fromkeys(CLOCKWISE, 0)
    for seat in losers:
        marks[seat] = 2 if deal.scores[seat] == 0 else 1
    return marks


# --------------------------------------------------------------------------- the judge


def legal(deal: Deal) -> dict[str, set[str]]:
    """Every seat that may do something, and all it may do."""
    found = {seat: {do for do in WRITTEN_ONCE if may(deal, seat, do)} for seat in CLOCKWISE}
    return {seat: actions for seat, actions in found.items() if actions}


def judge(record: dict[str, Any], agreed: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """What is true before the first action of a record of a deal and after each.

    The record has the form of the adapter protocol; `agreed` is what the table has agreed on. Each
    answer says `legal` (seat -> set of actions), `to_act`, `sees` (viewer -> owner -> cards),
    `outcome`, `points`, `tricks`, `scores`, `game`, `next_dealer` and `refused` (whether the action
    just tried was against the rules, and therefore changed nothing).
    """
    deal = Deal(record, agreed)
    answers = [answer(deal, refused=False)]
    for seat, words in record["actions"]:
        allowed = may(deal, seat, words)
        if allowed:
            do(deal, seat, words)
        answers.append(answer(deal, refused=not allowed))
    return answers


def answer(deal: Deal, *, refused: bool) -> dict[str, Any]:
    """What is true now."""
    ended = deal.outcome is not None
    return {
        "legal": legal(deal),
        "to_act": deal.to_act(),
        "bid": _standing_bid(deal),
        "sees": {seat: known for seat in CLOCKWISE if (known := _known(deal, seat))},
        "outcome": deal.outcome,
        "points": {seat: deal.card_points([seat]) for seat in CLOCKWISE},
        "tricks": {seat: deal.number_of_tricks([seat]) for seat in CLOCKWISE},
        "scores": dict(deal.scores),
        "game": deal.game,
        # R10, A2: "The deal then passes to the left every hand", also into a new game.
        "next_dealer": deal.seat_after(deal.dealer) if ended else None,
        "refused": refused,
    }


def _standing_bid(deal: Deal) -> dict[str, Any] | None:
    if deal.contract is not None or not deal.bids:
        return None
    seat, name, without = deal.bids[-1]
    bid = {"seat": seat, "contract": name}
    # T10: where the one who plays without talon has precedence, all must know who bids so.
    return bid | {"without_talon": without} if "precedence" in deal.agreed else bid


def _known(deal: Deal, viewer: str) -> dict[str, set[str]]:
    known = {
        owner: {card for card in deal.shown if card in deal.hands[owner]}
        for owner in CLOCKWISE
        if owner != viewer
    }
    # T8: the talon and the discards are "unseen by others". "Talon exposed at the end (yes)."
    discarded = deal.talon == "laid away" and viewer == deal.declarer
    known["talon"] = set(deal.aside) if discarded or deal.outcome is not None else set()
    return {owner: cards for owner, cards in known.items() if cards}
