"""Chapter "Auction": who may bid what over what, and who ends up playing which contract.

Rule ids: auction.when, auction.turn, auction.must-open, auction.pass-final, auction.bidders,
auction.cards-required, auction.higher, auction.hold, auction.priority, auction.partner,
auction.end, auction.last-bid.
"""

from __future__ import annotations

from .cards import ACES, five_of_a_suit
from .errors import Refusal
from .notation import Action
from .position import AUCTION, OVER, PLAY, TRUMP, Position
from .ruleset import Contract


def auction_actions(position: Position) -> dict[int, list[Action]]:
    """Return what the seat on turn in the auction may say."""
    if position.phase != AUCTION or position.turn is None:
        return {}
    seat = position.turn
    allowed = [
        Action("bid", contract.name)
        for contract in position.rules.contracts
        if _objection(position, seat, contract) is None
    ]
    if position.talon is not None:
        allowed += [
            Action("bid-without-talon", contract.name)
            for contract in position.rules.contracts
            if _objection_without(position, seat, contract) is None
        ]
    if _may_pass(position):
        allowed.append(Action("pass"))
    if _may_cancel(position, seat):
        allowed.append(Action("kontra"))
    return {seat: allowed}


def bid(position: Position, seat: int, name: str) -> None:
    """Bid a contract, or take over the standing bid by bidding the same with priority."""
    _check_turn(position, seat)
    contract = position.rules.by_name.get(name)
    if contract is None:
        raise Refusal("auction.bidders", f"{name} is not played at this table")
    _answer(position, seat, contract, _objection(position, seat, contract), without_talon=False)


def bid_without_talon(position: Position, seat: int, name: str) -> None:
    """Bid a contract and renounce the talon, which goes before the same contract with it."""
    _check_turn(position, seat)
    contract = position.rules.by_name.get(name)
    objection = _objection_without(position, seat, contract)
    _answer(position, seat, contract, objection, without_talon=True)


def _answer(
    position: Position,
    seat: int,
    contract: Contract | None,
    objection: Refusal | None,
    without_talon: bool,
) -> None:
    if objection is None:
        assert contract is not None
        position.bid = contract
        position.bidder = seat
        position.cancelled = False
        position.doubled_by = ()
        _note_talon(position, without_talon)
        if contract.goal == "shown" and position.rules.options.laydown_end == "at_bid":
            _conclude(position)
        else:
            _next_bidder(position, seat)
    elif (
        objection.rule in ("auction.higher", "auction.hold")
        and position.rules.options.bid_too_low == "counts_as_pass"
    ):
        pass_by(position, seat)
    else:
        raise objection


def pass_by(position: Position, seat: int) -> None:
    """Pass, which is final for this auction (auction.pass-final)."""
    _check_turn(position, seat)
    if not _may_pass(position):
        raise Refusal("auction.must-open", "forehand opens with a bid")
    if position.bid is None and position.rules.options.opening == "pass_means_normal":
        bid(position, seat, position.rules.contracts[0].name)
        return
    position.passed |= 1 << seat
    _next_bidder(position, seat)


def cancel(position: Position, seat: int) -> None:
    """Say Kontra to forehand's lowest contract over a standing bid that this cancels (A29).

    The lowest contract, doubled once, then stands above the cancelled bid; whoever is still in may
    go higher, and if nobody does, forehand plays it and the first step of doubling is taken.
    """
    if not _may_cancel(position, seat):
        raise Refusal("doubling.window", "doubling begins after the auction")
    _check_turn(position, seat)
    position.cancelled = True
    position.bidder = seat
    _note_talon(position, False)
    position.doubled_by = (seat,)
    _next_bidder(position, seat)


def standing_bid(position: Position) -> tuple[int, Contract] | None:
    """Return the seat and contract that stand in the auction, or None."""
    if position.bid is None or position.bidder is None:
        return None
    if position.cancelled:
        return position.forehand, position.rules.contracts[0]
    return position.bidder, position.bid


def holds_required_cards(position: Position, seat: int, contract: Contract) -> bool:
    """Whether a seat holds the cards that a contract requires (auction.cards-required)."""
    if contract.hold == "none":
        return True
    hand = position.hands[seat]
    if contract.hold == "an_ace":
        return bool(hand & ACES)
    suit = five_of_a_suit(hand)
    if suit is None:
        return False
    if contract.hold == "five_trumps":
        # Where the auction comes first, the trump is still to be named by whoever wins it.
        return position.trump in (suit, None)
    return contract.hold == "five_of_a_suit" or suit != position.trump


def open_to(position: Position, seat: int, contract: Contract) -> bool:
    """Whether a contract is open to a seat, seen from forehand (auction.bidders)."""
    return _place(position, seat) in contract.bidders


def _place(position: Position, seat: int) -> int:
    """Return how many places clockwise from forehand a seat is."""
    return (seat - position.dealer - 1) % position.rules.seats


def _check_turn(position: Position, seat: int) -> None:
    if position.phase != AUCTION:
        raise Refusal("auction.when", "there is no auction now")
    if position.passed >> seat & 1:
        raise Refusal("auction.pass-final", "this seat has passed already")
    if seat != position.turn:
        raise Refusal("auction.turn", "another seat is to bid")


def _may_pass(position: Position) -> bool:
    return position.bid is not None or position.rules.options.opening != "must_bid"


def _may_cancel(position: Position, seat: int) -> bool:
    bid, rules = position.bid, position.rules
    return (
        bid is not None
        and bid.cancelled_by == "kontra_on_lowest"
        and not position.cancelled
        and position.side(seat) != position.side(position.forehand)
        and rules.options.kontra_levels > 0
        and rules.contracts[0].kontra == "allowed"
    )


def _objection(position: Position, seat: int, contract: Contract) -> Refusal | None:
    """Return why the seat on turn may not bid this contract, or None if it may."""
    rules = position.rules
    place = _place(position, seat)
    if place not in contract.bidders:
        return Refusal("auction.bidders", f"{contract.name} is not open to this seat")
    if contract.held_at == "bid" and not holds_required_cards(position, seat, contract):
        return Refusal("auction.cards-required", f"{contract.name} needs cards that are not held")
    standing, bidder = position.bid, position.bidder
    if standing is None or bidder is None:
        return None
    holder = position.forehand if position.cancelled else bidder
    partner = seat != holder and position.side(seat) == position.side(holder)
    if partner and rules.options.overbid_partner == "refused":
        return Refusal("auction.partner", "a partner's bid is not taken over")
    # Clockwise from forehand, an earlier seat has priority (auction.hold).
    earlier = place < _place(position, bidder)
    if contract is standing:
        if position.cancelled:
            return Refusal("auction.higher", "the bid has been cancelled by Kontra")
        if position.talon is not None and position.talon.bid_without:
            return Refusal("auction.higher", "the standing bid is one without the talon")
        return _objection_to_equal(position, earlier)
    if contract.value == standing.value and rules.options.equal_values != "listed_order":
        if earlier and rules.options.equal_values == "earlier_seat":
            return None
        return Refusal("auction.higher", f"{contract.name} is worth no more than the standing bid")
    if contract.rank < standing.rank:
        return Refusal("auction.higher", f"{contract.name} ranks below the standing bid")
    return None


def _objection_to_equal(position: Position, earlier: bool) -> Refusal | None:
    if earlier and position.rules.options.equal_bids == "by_priority":
        return None
    return Refusal("auction.hold", "only an earlier seat may bid the same")


def _objection_without(position: Position, seat: int, contract: Contract | None) -> Refusal | None:
    """Return why the seat on turn may not bid this contract without the talon, or None."""
    talon, rules = position.talon, position.rules
    if talon is None or rules.options.no_talon_precedence == "absent":
        return Refusal("talon.without", "nobody bids without the talon at this table")
    if contract is None:
        return Refusal("auction.bidders", "the contract is not played at this table")
    if contract.talon != "offered":
        return Refusal("talon.without", f"{contract.name} is always played without the talon")
    objection = _objection(position, seat, contract)
    bidder = position.bidder
    if contract is not position.bid or position.cancelled or bidder is None:
        return objection
    if objection is not None and objection.rule not in ("auction.higher", "auction.hold"):
        return objection
    if not talon.bid_without:
        return None  # talon.without: it goes before the same contract with the talon
    earlier = _place(position, seat) < _place(position, bidder)
    return _objection_to_equal(position, earlier)


def _note_talon(position: Position, without: bool) -> None:
    if position.talon is not None:
        position.talon = position.talon._replace(bid_without=without)


def _next_bidder(position: Position, seat: int) -> None:
    rules = position.rules
    if rules.options.auction_rounds == "one_round" and seat == position.dealer:
        _conclude(position)
        return
    for step in range(1, rules.seats):
        place = (seat + step) % rules.seats
        if not position.passed >> place & 1:
            if place == position.bidder:
                break  # auction.end: all others have passed
            position.turn = place
            return
    _conclude(position)


def _conclude(position: Position) -> None:
    standing = standing_bid(position)
    if standing is None:
        position.phase = OVER  # all have passed: the same dealer deals again, nothing is scored
        position.turn = None
        position.next_dealer = position.dealer
        return
    position.declarer, position.contract = standing  # auction.last-bid
    position.steps = len(position.doubled_by)
    position.bid = position.bidder = None
    needs_trump = position.contract.trump == "named" or position.contract.hold == "five_trumps"
    if position.trump is None and needs_trump:
        position.phase = TRUMP  # the auction came first: its winner names the trump
        position.turn = position.declarer
    else:
        position.phase = PLAY
