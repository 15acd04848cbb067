"""A second opinion on a whole deal: the main rules once more, sentence by sentence.

Nothing of the engine is used here. A record of a deal has the form of the adapter protocol; `judge`
says what is true before its first action and after each. What may be done is never generated: every
conceivable action is tried with `may`. Above each line stands the sentence it obeys.
"""

from __future__ import annotations

from typing import Any

from naive_both import DOUBLES, do_marry, may_claim, may_play
from naive_deal_table import CLOCKWISE, NAMES, TABLE, VOCABULARY, Deal
from naive_oracle import SUITS

# --------------------------------------------------------------------------- what may be done


def may(deal: Deal, seat: str, words: str) -> bool:
    """Whether a seat may do this now."""
    if deal.outcome is not None or words not in VOCABULARY:
        return False
    verb, _, rest = words.partition(" ")
    if verb in ("trump", "turn-up"):
        return _may_name_trump(deal, seat, verb, rest)
    if verb in ("bid", "pass"):
        return _may_speak(deal, seat, verb, rest)
    if deal.contract is None:
        return False
    if verb in DOUBLES:
        return _may_double(deal, seat, verb)
    if verb == "show":
        return deal.row().goal == "show" and seat == deal.declarer
    if deal.row().goal == "show":
        return False
    return may_claim(deal, seat) if verb == "enough" else may_play(deal, seat, verb, rest)


def _may_name_trump(deal: Deal, seat: str, verb: str, rest: str) -> bool:
    # R15: F may not choose again. A9: no change later.
    if deal.trump is not None or seat != deal.forehand():
        return False
    # R13: "On the first three cards only, F must name a trump suit that is among those three."
    if verb == "trump":
        return rest in [card[1] for card in deal.dealt[seat][:3]]
    # R14, A5: "Or F commits to Aufschlagen: one of his last two cards." A6: "Always allowed."
    return True


def _may_speak(deal: Deal, seat: str, verb: str, name: str) -> bool:
    # R17: the auction comes after the trump, and it is over when the contract stands.
    if deal.trump is None or deal.contract is not None or seat != deal.to_bid():
        return False
    # R20, A10: F "cannot pass on that first turn". R21: "Every later turn: pass, or bid."
    if verb == "pass":
        return deal.bids != []
    contract = TABLE[NAMES.index(name)]
    # Section 2, column "may bid".
    if deal.letter(seat) not in contract.who:
        return False
    # A23: "Bidding a lay-down without the cards: illegal."
    suits_held = [card[1] for card in deal.hands[seat]]
    five_of_a_suit = any(suits_held.count(suit) == 5 for suit in SUITS)
    if contract.to_hold == "five of one suit" and not five_of_a_suit:
        return False
    if contract.to_hold == "five trumps" and suits_held.count(deal.trump) != 5:
        return False
    # R20: "he bids Normal or any higher contract open to him". A18: jumps are allowed.
    if not deal.bids:
        return True
    bidder, standing = deal.bids[-1]
    # R23: "A player with higher priority than the current bidder may bid the same contract;"
    # R22: "Priority for equal bids: F, P, M, D." A17: also the partner's.
    if name == standing:
        return "FPMD".index(deal.letter(seat)) < "FPMD".index(deal.letter(bidder))
    # "everyone else must go higher (or pass)". R19, R26: the listed order decides.
    return NAMES.index(name) > NAMES.index(standing)


def _may_double(deal: Deal, seat: str, step: str) -> bool:
    # A38: "Opens when the auction ends, closes with the first lead."
    if deal.tricks or deal.table:
        return False
    # A37: "the first Kontra closes that step for both opponents, and so on up the steps".
    if DOUBLES.index(step) != len(deal.doubles):
        return False
    opponent = deal.side(seat) != deal.side(deal.declarer)
    # R45, R47: the opponents say Kontra and Subkontra; R46: declarer's side says Rekontra.
    # A39: either player of the side; A43: also who sits out; A41, A42: in every contract.
    return opponent if step in ("kontra", "subkontra") else not opponent


# --------------------------------------------------------------------------- what comes of it


def do(deal: Deal, seat: str, words: str) -> None:
    """Do what may be done."""
    verb, _, rest = words.partition(" ")
    if verb == "trump":
        deal.trump = rest
    elif verb == "turn-up":
        # R14: "one of his last two cards is turned up and its suit is trump".
        deal.trump = deal.dealt[seat][2 + int(rest)][1]
    elif verb in ("bid", "pass"):
        _speak(deal, seat, verb, rest)
    elif verb in DOUBLES:
        deal.doubles.append(verb)
    elif verb == "show":
        # Section 2: "show the hand"; "cannot fail".
        _pay(deal, deal.side(seat), deal.row().value, "shown")
    elif verb == "enough":
        _claim(deal, seat)
    else:
        if verb == "marry":
            do_marry(deal, seat, rest)
        if deal.put(seat, rest):
            _end_if_decided(deal)


def _speak(deal: Deal, seat: str, verb: str, name: str) -> None:
    deal.said_in_auction.append(seat)
    if verb == "bid":
        deal.bids.append((seat, name))
    else:
        deal.passes.append(seat)
    # R25: "After three passes the remaining player plays the last bid."
    if len(deal.passes) == 3:
        (remaining,) = [seat for seat in CLOCKWISE if seat not in deal.passes]
        deal.declarer, deal.contract = remaining, deal.bids[-1][1]


def _end_if_decided(deal: Deal) -> None:
    objective, value = deal.row().goal, deal.row().value
    winners = [winner for _, winner in deal.tricks]
    own = deal.side(deal.declarer)
    others = "EW" if own == "NS" else "NS"
    everything_won = all(winner == deal.declarer for winner in winners)
    if objective == "66":
        # R54, A74: "No claim before the lead to the last trick: the last trick's side scores 1."
        # R55: no bonus for it. A72, L5: unclaimed 66 have no standing.
        if len(winners) == 5:
            _pay(deal, deal.side(winners[-1]), 1, "last_trick")
    elif objective == "no trick":
        # Section 2: "at once when declarer takes a trick"; R59: failure pays the opponents.
        if deal.declarer in winners:
            _pay(deal, others, value, "failed")
        elif len(winners) == 5:
            _pay(deal, own, value, "made")
    elif not everything_won:
        # R57, A80, A82: at once, "any other winner, partner included, breaks the contract".
        _pay(deal, others, value, "failed")
    elif objective == "three tricks and 66":
        # R56, A78, A79: all three tricks, then 66 or more; no early win.
        if len(winners) == 3:
            made = deal.card_points(own) >= 66
            _pay(deal, own if made else others, value, "made" if made else "failed")
    elif len(winners) == 5:
        # R36: "Five tricks in an ordinary deal." A82: success after trick 5.
        _pay(deal, own, value, "made")


def _claim(deal: Deal, seat: str) -> None:
    own = deal.side(seat)
    others = "EW" if own == "NS" else "NS"
    # R51: "1 if opponents have 33+; 2 if they have a trick but under 33; 3 if no trick."
    # A59: marriages count towards the 33. R50: an unfinished trick counts for nobody.
    if deal.number_of_tricks(others) == 0:
        worth = 3
    elif deal.card_points(others) < 33:
        worth = 2
    else:
        worth = 1
    # R49: "when the pair has at least 66".
    if deal.card_points(own) >= 66:
        _pay(deal, own, worth, "claim")
    else:
        # R52, A70: "opponents score what the claimer's side would have scored".
        _pay(deal, others, worth, "false_claim")


def _pay(deal: Deal, side: str, value: int, reason: str) -> None:
    other = "EW" if side == "NS" else "NS"
    # R48: "Factors 2/4/8 act on the contract's game points." A44: in Normal on whichever side wins.
    factor = [1, 2, 4, 8][len(deal.doubles)]
    awards = {side: value * factor, other: 0}
    deal.outcome = {"awards": awards, "factor": factor, "reason": reason}
    # R60: "Add game points after each deal." A83: the full number is kept.
    deal.scores[side] += value * factor
    # R61: "First pair at 24 or more wins."
    if deal.scores[side] >= 24:
        # R62, A84: "Losers are marked 1 Bummerl, or 2 if they have 0 game points."
        marks = 2 if deal.scores[other] == 0 else 1
        deal.game = {"winners": [side], "bummerl": {side: 0, other: marks}}


# --------------------------------------------------------------------------- the judge


def legal(deal: Deal) -> dict[str, set[str]]:
    """Every seat that may do something, and all it may do."""
    found = {seat: {words for words in VOCABULARY if may(deal, seat, words)} for seat in CLOCKWISE}
    return {seat: actions for seat, actions in found.items() if actions}


def judge(record: dict[str, Any]) -> list[dict[str, Any]]:
    """What is true before the first action of a record of a deal and after each.

    The record has the form of the adapter protocol. Each answer says `legal` (seat -> set of
    actions), `outcome`, `points`, `tricks`, `scores`, `game`, `next_dealer` and `refused` (whether
    the action just tried was against the rules, and therefore changed nothing).
    """
    deal = Deal(record)
    answers = [_answer(deal, refused=False)]
    for seat, words in record["actions"]:
        allowed = may(deal, seat, words)
        if allowed:
            do(deal, seat, words)
        answers.append(_answer(deal, refused=not allowed))
    return answers


def _answer(deal: Deal, *, refused: bool) -> dict[str, Any]:
    ended = deal.outcome is not None
    return {
        "legal": legal(deal),
        "outcome": deal.outcome,
        "points": {side: deal.card_points(side) for side in ("NS", "EW")},
        "tricks": {side: deal.number_of_tricks(side) for side in ("NS", "EW")},
        "scores": dict(deal.scores),
        "game": deal.game,
        # R10, A2: "The deal then passes to the left every hand", also into a new game.
        "next_dealer": deal.seat_after(deal.dealer) if ended else None,
        "refused": refused,
    }
