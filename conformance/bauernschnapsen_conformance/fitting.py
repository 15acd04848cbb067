"""Fit a scenario to an engine: another start, or claims that are made by the cards themselves.

Engines differ in what they can be asked. A contract start can be expanded to the shortest auction
that leads there; a deal start can be cut down to the contract it ended in; for engines that end a
deal by themselves the claim is left out. What was stated about a part that is gone cannot be
observed, and then the scenario is unsupported for that engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import parse_suit, seat_letters
from bauernschnapsen.replay import replay
from bauernschnapsen.ruleset import Rules

from .corpus.reference import Prepared, untrue
from .corpus.scenario import Json
from .views import Statement, View


class CannotBeAsked(Exception):
    """The scenario needs something this engine does not offer; the message says what."""


def fit_start(prepared: Prepared, rules: Rules, starts: Sequence[str]) -> Prepared:
    """Return the scenario with starts the engine takes; CannotBeAsked if there is no way."""
    if not starts:
        raise CannotBeAsked("no replay")
    deals, statements = [], list(prepared.statements)
    for number, deal in enumerate(prepared.deals):
        if ("contract" if "contract" in deal else "deal") in starts:
            deals.append(deal)
            continue
        here = [s for s in statements if s.deal == number]
        others = [s for s in statements if s.deal != number]
        if "contract" in deal:
            changed, shift = _expanded(deal, rules)
        else:
            changed, shift = _cut(deal, prepared.expected[number])
        deals.append(changed)
        statements = others + _shifted(here, shift)
    if deals == prepared.deals:
        return prepared
    return _again(replace(prepared, deals=deals, statements=statements), rules)


def _again(changed: Prepared, rules: Rules) -> Prepared:
    """Run the changed scenario in the reference; it is worth asking only if it still holds."""
    try:
        expected = replay(rules, changed.deals)
    except SpecError as error:
        raise CannotBeAsked(str(error)) from None
    changed = replace(changed, expected=expected)
    if untrue(changed):
        raise CannotBeAsked("no auction leads to this start")
    return changed


def _shifted(statements: list[Statement], by: int) -> list[Statement]:
    kept = []
    for statement in statements:
        if statement.view + by >= 0:
            kept.append(replace(statement, view=statement.view + by))
        elif statement.kind != "accepted":
            raise CannotBeAsked("no auction")
    return kept


# --------------------------------------------------------------------------- starts


def _expanded(deal: Json, rules: Rules) -> tuple[Json, int]:
    """Return the deal with the shortest auction in front, and how many actions that is."""
    start = deal["contract"]
    auction = shortest_auction(deal, rules)
    if auction is None:
        raise CannotBeAsked(f"no auction leads to {start['name']} by {start['declarer']}")
    changed = {key: value for key, value in deal.items() if key != "contract"}
    changed["actions"] = [*auction, *deal["actions"]]
    return changed, len(auction)


def shortest_auction(deal: Json, rules: Rules) -> list[list[str]] | None:
    """Return trump choice and auction that lead to the deal's contract, or None.

    Forehand opens it himself, or opens the lowest contract and the declarer bids over it.
    """
    start = deal["contract"]
    letters = seat_letters(rules.seats)
    if "dealer" not in deal:
        return None
    at = letters.index(deal["dealer"]) + 1
    order = [letters[(at + place) % rules.seats] for place in range(rules.seats)]
    actions = _naming(deal, rules, order[0], start["trump"])
    if actions is None:
        return None
    declarer = start["declarer"]
    if declarer == order[0]:
        actions.append([order[0], f"bid {start['name']}"])
        actions += [[seat, "pass"] for seat in order[1:]]
        return actions
    actions.append([order[0], f"bid {rules.contracts[0].name}"])
    before = order[1 : order.index(declarer)]
    after = order[order.index(declarer) + 1 :]
    actions += [[seat, "pass"] for seat in before]
    actions.append([declarer, f"bid {start['name']}"])
    actions += [[seat, "pass"] for seat in (*after, order[0])]
    return actions


def _naming(deal: Json, rules: Rules, forehand: str, trump: str) -> list[list[str]] | None:
    if rules.options.phases[0] != "trump":
        return []
    parse_suit(trump)
    hand = deal["hands"][forehand]
    first = rules.options.packets[0]
    if rules.options.trump_choice == "any_suit" or any(card[1] == trump for card in hand[:first]):
        return [[forehand, f"trump {trump}"]]
    turnable = {"either": 2, "first": 1, "refused": 0}[rules.options.turn_up]
    for place, card in enumerate(hand[first : first + turnable], start=1):
        if card[1] == trump:
            return [[forehand, f"turn-up {place}"]]
    return None


def _cut(deal: Json, views: list[View]) -> tuple[Json, int]:
    """Return the deal from the end of its auction on, and how many actions fell away (negative)."""
    for number, view in enumerate(views):
        if view["contract"] is not None and view["phase"] in ("play", "show"):
            changed = dict(deal)
            changed["contract"] = {
                "name": view["contract"]["name"],
                "declarer": view["contract"]["declarer"],
                "trump": view["trump"],
            }
            changed["actions"] = deal["actions"][number:]
            return changed, -number
    raise CannotBeAsked("no auction")


# --------------------------------------------------------------------------- claims


def fit_claims(prepared: Prepared, rules: Rules, claims: str) -> Prepared:
    """Return the scenario for an engine whose deals end by themselves or never by a claim.

    `automatic`: `rules` has claim_mode automatic; each `enough` is left out and what was stated
    after it is stated before it. CannotBeAsked where a scenario needs a claim otherwise.
    """
    if claims == "called":
        return prepared
    calls = [
        (number, place)
        for number, deal in enumerate(prepared.deals)
        for place, (_, action) in enumerate(deal["actions"])
        if action == "enough"
    ]
    if calls and claims == "none":
        raise CannotBeAsked("no claims")
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
    except SpecError as error:
        raise CannotBeAsked(str(error)) from None
    for deal in expected:
        for view in deal:
            view["legal"] = {
                seat: [action for action in actions if action != "enough"]
                for seat, actions in view["legal"].items()
            }
    changed = replace(changed, expected=expected)
    if untrue(changed):
        raise NotApplicable("claims end the deal by themselves")
    return changed


class NotApplicable(Exception):
    """The scenario does not hold for an engine of this kind."""


def _without_enough(statements: list[Statement]) -> list[Statement]:
    kept = []
    for statement in statements:
        if statement.kind == "legal":
            rest = tuple(action for action in statement.value if action != "enough")
            kept.append(replace(statement, value=rest))
        elif not (statement.kind in ("can", "cannot") and statement.value == "enough"):
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
