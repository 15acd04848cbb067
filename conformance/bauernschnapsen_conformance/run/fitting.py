"""Fit a scenario to an engine: what it can be asked, and what it can answer.

Engines differ. A contract start can be expanded to the shortest auction that leads there; a deal
start can be cut down to the contract it ended in; where deals are ended by the cards themselves
the claim is left out; an engine that only offers cards but enforces nothing is held to what it
offers. What was stated about a part that is gone cannot be observed, and then the scenario is
unsupported for that engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bauernschnapsen import table
from bauernschnapsen.cards import SUIT_OF
from bauernschnapsen.errors import Refusal, SpecError
from bauernschnapsen.notation import (
    SUITS,
    Action,
    format_action,
    parse_card,
    parse_seat,
    seat_letters,
)
from bauernschnapsen.position import AUCTION, TRUMP, Position
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules

from ..adapter.handshake import Capabilities
from ..corpus.reference import Prepared, untrue
from ..corpus.scenario import Json, PositionCase
from ..views import Statement, View
from .levels import Level, level_of

_TO_CONTRACT = (TRUMP, AUCTION)
"""Phases before the contract of a deal is known, which is where a contract start begins."""


class CannotBeAsked(Exception):
    """The scenario needs something this engine does not offer; the message says what.

    `part` is the level the missing thing belongs to: an engine that lacks it cannot reach that
    level, but is not to blame for it at any other. None: no level is about it.
    """

    def __init__(self, reason: str, part: Level | None = None) -> None:
        super().__init__(reason)
        self.part = part


class NotApplicable(Exception):
    """The scenario does not hold for an engine of this kind."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A scenario as an engine is asked it.

    `level` is that of what is still asked. `skip` is the number of views at the beginning of each
    deal that only lead to its contract.
    """

    prepared: Prepared
    level: Level
    skip: tuple[int, ...] = ()


def fit(prepared: Prepared, rules: Rules, able: Capabilities) -> Fitted:
    """Fit a scenario to an engine. Raises CannotBeAsked or NotApplicable.

    `rules` are those the engine plays by: for automatic claims, with claim_mode automatic.
    """
    whole = level_of(prepared)
    if rules.seats not in able.players:
        raise CannotBeAsked(f"no deals for {rules.seats} players", whole)
    if not able.starts:
        position = isinstance(prepared.item, PositionCase)
        raise CannotBeAsked("no replay", whole if position else Level.DEAL)
    if len(prepared.deals) > 1 and not able.match:
        raise CannotBeAsked("no match: one deal at a time", Level.MATCH)
    fitted = fit_claims(prepared, rules, able.claims)
    if not able.enforces:
        fitted = fit_enforcement(fitted)
    fitted, skip = fit_start(fitted, rules, able.starts)
    if able.claims != "called":
        # With another start it was played again, by rules that know of claims.
        fitted = replace(fitted, expected=_unclaimed(fitted.expected))
    level = whole
    cut = "deal" not in able.starts and any("contract" not in deal for deal in prepared.deals)
    about_claims = able.claims == "automatic" and whole == Level.CLAIMS
    if (cut or able.claims == "none") and not about_claims:
        # What is left may be about less than the whole was: no auction, no claim.
        level = min(whole, level_of(fitted))
    return Fitted(fitted, level, skip)


# --------------------------------------------------------------------------- starts


def fit_start(
    prepared: Prepared, rules: Rules, starts: Sequence[str]
) -> tuple[Prepared, tuple[int, ...]]:
    """Return the scenario with starts the engine takes; CannotBeAsked if there is no way.

    Beside it, for each deal, the number of views that were put in front.
    """
    deals, statements, skip = [], list(prepared.statements), []
    for number, deal in enumerate(prepared.deals):
        skip.append(0)
        if ("contract" if "contract" in deal else "deal") in starts:
            deals.append(deal)
            continue
        here = [s for s in statements if s.deal == number]
        others = [s for s in statements if s.deal != number]
        if "contract" in deal:
            auction = shortest_auction(deal, rules, _dealer(prepared, number))
            if auction is None:
                start = deal["contract"]
                raise CannotBeAsked(f"no auction leads to {start['name']} by {start['declarer']}")
            changed = {key: value for key, value in deal.items() if key != "contract"}
            changed["actions"] = [*auction, *deal["actions"]]
            shift = skip[-1] = len(auction)
        else:
            changed, shift = cut_auction(deal, prepared.expected[number])
        deals.append(changed)
        statements = others + _shifted(here, shift)
    if deals == prepared.deals:
        return prepared, ()
    changed_start = replace(prepared, deals=deals, statements=statements)
    return _again(changed_start, rules, expanded=any(skip)), tuple(skip)


def _again(changed: Prepared, rules: Rules, *, expanded: bool) -> Prepared:
    """Run the changed scenario in the reference; it is worth asking only if it still holds."""
    trouble = (
        CannotBeAsked("no auction leads to this start")
        if expanded
        else CannotBeAsked("no auction", Level.AUCTION)
    )
    try:
        expected = replay(rules, changed.deals)
    except SpecError:
        raise trouble from None
    changed = replace(changed, expected=expected)
    if untrue(changed):
        raise trouble
    return changed


def _shifted(statements: list[Statement], by: int) -> list[Statement]:
    kept = []
    for statement in statements:
        if statement.view + by >= 0:
            kept.append(replace(statement, view=statement.view + by))
        elif statement.kind != "accepted":
            raise CannotBeAsked("no auction", Level.AUCTION)
    return kept


def _dealer(prepared: Prepared, number: int) -> str | None:
    """Return who deals: where a deal does not say so, the end of the one before does."""
    dealer = prepared.deals[number].get("dealer")
    if dealer is None and number:
        dealer = prepared.expected[number - 1][-1]["next_dealer"]
    return dealer if isinstance(dealer, str) else None


def shortest_auction(deal: Json, rules: Rules, dealer: str | None = None) -> list[list[str]] | None:
    """Return trump choice and auction that lead to the deal's contract, or None.

    Forehand opens it himself, or opens the lowest contract and the declarer bids over it. `dealer`
    is for a deal that does not name one.
    """
    start = deal["contract"]
    dealer = deal.get("dealer", dealer)
    if dealer is None:
        return None
    letters = seat_letters(rules.seats)
    hands = [[parse_card(card) for card in deal["hands"][seat]] for seat in letters]
    declarer = parse_seat(start["declarer"], rules.seats)
    talon = [parse_card(card) for card in deal.get("talon", ())]
    position = table.new_deal(rules, parse_seat(dealer, rules.seats), hands, talon_cards=talon)
    actions = []
    while position.phase in _TO_CONTRACT:
        seat = position.turn
        action = _next_action(position, start, declarer)
        if seat is None or action is None:
            return None
        try:
            position = table.apply(position, seat, action)
        except Refusal:
            return None
        actions.append([letters[seat], format_action(action)])
    reached = position.contract is not None and position.contract.name == start["name"]
    return actions if reached and position.declarer == declarer else None


def _next_action(position: Position, start: Json, declarer: int) -> Action | None:
    seat = position.turn
    if seat is None:
        return None
    legal = table.legal_actions(position).get(seat, [])
    if position.phase == TRUMP:
        return _naming(position, legal, start["trump"])
    done = Action("pass")
    wanted = Action("bid", start["name"])
    stands = position.bid is not None and position.bid.name == start["name"]
    if seat == declarer and wanted in legal and not (stands and position.bidder == declarer):
        return wanted
    if done not in legal and seat != declarer:
        done = Action("bid", position.rules.contracts[0].name)
    return done if done in legal else None


def _naming(position: Position, legal: list[Action], trump: str | None) -> Action | None:
    """Name the suit, or have a card of it turned up."""
    if trump is None:
        return legal[0] if legal else None
    named = Action("trump", SUITS.index(trump))
    if named in legal:
        return named
    assert position.turn is not None
    unseen = position.dealt[position.turn][position.rules.options.packets[0] :]
    for place, card in enumerate(unseen, start=1):
        turned = Action("turn-up", place - 1)
        if SUIT_OF[card] == named.value and turned in legal:
            return turned
    return None


def cut_auction(deal: Json, views: list[View]) -> tuple[Json, int]:
    """Return the deal from the end of its auction on, and how many actions fell away (negative).

    `views` are those of the deal. CannotBeAsked where its auction does not end.
    """
    for number, view in enumerate(views):
        if view["contract"] is not None and view["phase"] not in _TO_CONTRACT:
            changed = dict(deal)
            changed["contract"] = {
                "name": view["contract"]["name"],
                "declarer": view["contract"]["declarer"],
                "trump": view["trump"],
            }
            changed["actions"] = deal["actions"][number:]
            return changed, -number
    raise CannotBeAsked("no auction", Level.AUCTION)


# --------------------------------------------------------------------------- claims


def fit_claims(prepared: Prepared, rules: Rules, claims: str) -> Prepared:
    """Return the scenario for an engine whose deals end by themselves or never by a claim.

    `automatic`: `rules` has claim_mode automatic; each `enough` is left out and what was stated
    after it is stated before it. CannotBeAsked where a scenario needs a claim otherwise,
    NotApplicable where nothing of it holds for such an engine.
    """
    if claims == "called":
        return prepared
    calls = [
        (number, place)
        for number, deal in enumerate(prepared.deals)
        for place, (_, action) in enumerate(deal["actions"])
        if action == "enough"
    ]
    if claims == "none" and (calls or _claims_stated(prepared.statements)):
        raise CannotBeAsked("no claims", Level.CLAIMS)
    if claims == "automatic" and _claims_stated(prepared.statements):
        raise CannotBeAsked("claims are not called")
    statements = _without_enough(prepared.statements)
    deals = [dict(deal) for deal in prepared.deals]
    for number, place in sorted(calls, reverse=True):
        deals[number]["actions"] = [
            pair for at, pair in enumerate(deals[number]["actions"]) if at != place
        ]
        statements = _joined(statements, number, place)
    changed = replace(prepared, deals=deals, statements=statements)
    try:
        expected = replay(rules, deals)
    except SpecError:
        # Such as a next deal without a dealer, since the one before does not end now.
        raise NotApplicable("deals end otherwise without this claim") from None
    changed = replace(changed, expected=_unclaimed(expected))
    if untrue(changed):
        raise NotApplicable("claims end the deal by themselves")
    return changed


def _unclaimed(expected: Sequence[Sequence[View]]) -> list[list[View]]:
    """Return the views without `enough` among what is legal."""
    return [
        [
            {
                **view,
                "legal": {
                    seat: kept
                    for seat, actions in view["legal"].items()
                    if (kept := [action for action in actions if action != "enough"])
                },
            }
            for view in deal
        ]
        for deal in expected
    ]


def _claims_stated(statements: list[Statement]) -> bool:
    return any(s.kind in ("can", "cannot") and s.value == "enough" for s in statements)


def _without_enough(statements: list[Statement]) -> list[Statement]:
    kept = []
    for statement in statements:
        if statement.kind == "legal":
            rest = tuple(action for action in statement.value if action != "enough")
            kept.append(replace(statement, value=rest))
        else:
            kept.append(statement)
    return kept


def _joined(statements: list[Statement], deal: int, place: int) -> list[Statement]:
    """Leave out the action at `place`: the view after it becomes the view before it."""
    kept = []
    for statement in statements:
        if statement.deal != deal or statement.view < place:
            kept.append(statement)
        elif statement.view == place:
            if statement.kind == "accepted":
                kept.append(statement)
        elif not (statement.view == place + 1 and statement.kind == "accepted"):
            kept.append(replace(statement, view=statement.view - 1))
    return kept


# --------------------------------------------------------------------------- enforcement


def fit_enforcement(prepared: Prepared) -> Prepared:
    """Return the scenario for an engine that offers actions but takes any.

    What would be refused is not sent; instead it must not be among what the seat is offered.
    """
    deals = [dict(deal) for deal in prepared.deals]
    expected = [list(views) for views in prepared.expected]
    statements = list(prepared.statements)
    for number, views in enumerate(prepared.expected):
        for place in range(len(views) - 1, 0, -1):
            if not views[place].get("refused"):
                continue
            seat, action = deals[number]["actions"][place - 1]
            deals[number]["actions"] = [
                pair for at, pair in enumerate(deals[number]["actions"]) if at != place - 1
            ]
            del expected[number][place]
            statements = [_offered(s, number, place, seat, action) for s in statements]
    if deals == prepared.deals:
        return prepared
    return replace(prepared, deals=deals, expected=expected, statements=statements)


def _offered(statement: Statement, deal: int, place: int, seat: str, action: str) -> Statement:
    """The statement without the refused action before the view `place`."""
    if statement.deal != deal or statement.view < place:
        return statement
    if statement.view == place and statement.kind == "refused":
        return Statement(deal, place - 1, "cannot", (seat,), action)
    return replace(statement, view=statement.view - 1)
