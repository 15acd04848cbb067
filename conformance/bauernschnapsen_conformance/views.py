"""Views: what must be true of them, and where what an engine showed differs.

A view is a JSON object as in the protocol. `null` says "there is none"; a key that is absent, at
any depth, says "this engine does not know" and is never a difference. A seat left out of `legal`
has no action; a seat (or `legal` itself) that is null is not observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

View = dict[str, Any]
Path = tuple[str, ...]
Kind = Literal["value", "legal", "can", "cannot", "accepted", "refused", "cards", "winner"]
NOT_OBSERVED: Any = type("NotObserved", (), {"__repr__": lambda _: "not observed"})()

_TWO_CARDS = "discard "
NOT_COMPARED_AFTER_END = frozenset({"trick"})
COMPARED = (
    "phase", "to_act", "legal", "trump", "bid", "contract", "trick", "last_trick", "sees",
    "points", "tricks", "outcome", "scores", "next_dealer", "game",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that an author vouches for about one view of one deal.

    kind      path                value
    value     into the view       the value there
    legal     (seat,)             all its actions
    can       (seat,)             one action it has
    cannot    (seat,)             one action it has not
    accepted  (seat, action)      True: the action before this view was accepted
    refused   (seat, action)      the rule that forbids it
    cards     (seat,)             (hand, legal): of these cards, exactly those may be played
    winner    ()                  the seat that won the trick just completed
    """

    deal: int
    view: int
    kind: Kind
    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """Something an engine showed that is not as it must be."""

    deal: int
    view: int
    path: Path
    expected: Any
    got: Any
    stated: bool
    """False: not stated by the author but filled in from the reference (incidental)."""

    @property
    def where(self) -> str:
        """The place in the view, as `outcome.awards.NS`."""
        return ".".join(self.path)


def look(view: View, path: Path) -> Any:
    """Return the value at a path, or NOT_OBSERVED where a key is absent."""
    value: Any = view
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return value if value is None else NOT_OBSERVED
        value = value[key]
    return value


def legal_of(view: View, seat: str) -> frozenset[str] | Any:
    """Return a seat's legal actions as a set, or NOT_OBSERVED."""
    legal = view.get("legal")
    if legal is None:
        return NOT_OBSERVED
    actions = legal.get(seat, ())
    return NOT_OBSERVED if actions is None else actions_of(actions)


def actions_of(actions: Iterable[Any]) -> frozenset[Any]:
    """Return actions as a set; two cards laid away are the same in either order."""
    return frozenset(map(_in_order, actions))


def _in_order(action: Any) -> Any:
    if not isinstance(action, str) or not action.startswith(_TWO_CARDS):
        return action
    return _TWO_CARDS + " ".join(sorted(action[len(_TWO_CARDS) :].split(" ")))


def check_statement(statement: Statement, view: View, *, reasons: bool = True) -> Any:
    """Hold one statement against a view.

    Returns None if it is true, NOT_OBSERVED if the view does not tell, else a Difference.
    `reasons` says whether the engine names the rule when it refuses.
    """
    kind, path, value = statement.kind, statement.path, statement.value

    def differs(where: Path, expected: Any, got: Any) -> Difference:
        return Difference(statement.deal, statement.view, where, expected, got, stated=True)

    if kind == "accepted":
        refused = view.get("refused")
        return differs(("refused",), None, refused) if refused else None
    if kind == "refused":
        refused = view.get("refused")
        if not refused:
            return differs(("refused",), value, refused)
        named = isinstance(refused, str) and reasons
        return differs(("refused",), value, refused) if named and refused != value else None
    if kind in ("legal", "can", "cannot", "cards"):
        return _check_legal(statement, view, differs)
    if kind == "winner":
        seen = _winner(view)
        if seen is NOT_OBSERVED or seen == value:
            return seen if seen is NOT_OBSERVED else None
        return differs(("last_trick", "winner"), value, seen)
    return _check_value(path, value, view, differs)


def _check_legal(statement: Statement, view: View, differs: Any) -> Any:
    seat = statement.path[0]
    actions = legal_of(view, seat)
    if actions is NOT_OBSERVED:
        return NOT_OBSERVED
    where = ("legal", seat)
    value = statement.value
    if statement.kind == "legal":
        stated = actions_of(value)
        return None if actions == stated else differs(where, sorted(stated), sorted(actions))
    if statement.kind == "cards":
        hand, legal = value
        shown = [card for card in hand if f"play {card}" in actions]
        return None if set(shown) == set(legal) else differs(where, list(legal), shown)
    if (_in_order(value) in actions) == (statement.kind == "can"):
        return None
    wanted = f"{'contains' if statement.kind == 'can' else 'does not contain'} {value!r}"
    return differs(where, wanted, sorted(actions))


def _check_value(path: Path, value: Any, view: View, differs: Any) -> Any:
    """Compare as much as is stated; every stated leaf must be observed."""
    missing = None
    for where, expected in _leaves(path, value):
        got = _shown(view, where, expected)
        if got is NOT_OBSERVED:
            missing = NOT_OBSERVED
        elif where[0] == "sees":
            if _known(got) != _known(expected):
                return differs(where, expected, got)
        elif where[-1] == "winners" and isinstance(got, list):
            if sorted(got, key=repr) != sorted(expected, key=repr):
                return differs(where, expected, got)
        elif got != expected or isinstance(got, bool) != isinstance(expected, bool):
            return differs(where, expected, got)
    return missing


def _shown(view: View, where: Path, expected: Any) -> Any:
    """Return what a view shows where a value is stated, or NOT_OBSERVED.

    A seat or an owner left out of `sees` is as good as an empty list where nothing is to be known.
    """
    got = look(view, where)
    if got is NOT_OBSERVED and where[0] == "sees" and not expected and view.get("sees") is not None:
        return expected
    return got


def _known(cards: Any) -> Any:
    """Return cards in order, by owner and viewer, or None: nothing known is the same as no key."""
    if isinstance(cards, dict):
        known = {key: _known(inner) for key, inner in cards.items()}
        return {key: inner for key, inner in known.items() if inner is not None} or None
    return sorted(cards or ()) or None


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    else:
        yield path, value


def places_of(statement: Statement, view: View) -> list[str]:
    """Return the places a statement needs that a view does not show, as `outcome.awards`.

    Where the place is there and only a seat or side in it is missing, that is named, as written:
    `legal.E` is a seat set to null, `outcome.awards.NS` a side left out. The winner of a trick is
    read off `to_act`, but where the deal ends with the trick only `last_trick` tells him.
    """
    if statement.kind == "value":
        leaves = _leaves(statement.path, statement.value)
        return [_named(at, view) for at, want in leaves if _shown(view, at, want) is NOT_OBSERVED]
    if statement.kind == "winner":
        return ["last_trick.winner" if "to_act" in view else "to_act"]
    return ["legal" if view.get("legal") is None else f"legal.{statement.path[0]}"]


def _named(where: Path, view: View) -> str:
    """The place without the seats and sides in it, but for one that alone is missing."""
    inner: Any = view
    for depth, key in enumerate(where, start=1):
        if not isinstance(inner, dict):
            break
        if key not in inner:
            if key.isupper():
                return ".".join(where[:depth])
            break
        inner = inner[key]
    return ".".join(part for part in where if not part.isupper())


def _winner(view: View) -> Any:
    seen = look(view, ("last_trick", "winner"))
    if seen is not NOT_OBSERVED and seen is not None:
        return seen
    turn = view.get("to_act")
    return turn if turn is not None else NOT_OBSERVED


# --------------------------------------------------------------------------- the rest of a view


def same(expected: View, got: View) -> bool:
    """Whether a whole view is right but for the order of actions: the quick answer to most views.

    False says nothing: `compare` finds out. Any other key than those expected is ignored.
    """
    for key, want in expected.items():
        have = got.get(key, NOT_OBSERVED)
        if have != want and (key != "legal" or not _same_sets(want, have)):
            return False
    return "error" not in got and bool(expected.get("refused")) == bool(got.get("refused"))


def _same_sets(want: View, have: Any) -> bool:
    if type(have) is not dict or have.keys() != want.keys():
        return False
    for seat, actions in want.items():
        given = have[seat]
        if given != actions:
            try:
                if type(given) is not list or set(given) != set(actions):
                    return False
            except TypeError:  # something in it is no text
                return False
    return True


def compare(expected: View, got: View, deal: int, number: int) -> list[Difference]:
    """Return every observed difference between a whole expected view and what an engine showed."""
    found: list[Difference] = []

    def differs(path: Path, want: Any, have: Any) -> None:
        found.append(Difference(deal, number, path, want, have, stated=False))

    if bool(expected.get("refused")) != bool(got.get("refused")):
        differs(("refused",), expected.get("refused"), got.get("refused"))
    for key in COMPARED:
        if key not in got or key not in expected:
            continue
        want, have = expected[key], got[key]
        if want == have:
            continue
        if key == "legal":
            _compare_legal(want, have, differs)
        elif key == "sees":
            _compare_sees(want, have, differs)
        elif key not in NOT_COMPARED_AFTER_END or expected["phase"] != "over":
            _compare_value((key,), want, have, differs)
    return found


def _compare_legal(want: View, have: View | None, differs: Any) -> None:
    """Hold the actions of every seat against each other; null says nothing about a seat or all."""
    if have is None:
        return
    for seat in sorted(want.keys() | have.keys()):
        right, actions = want.get(seat, []), have.get(seat, [])
        if actions is None or right == actions:
            continue
        if actions_of(right) != actions_of(actions):
            differs(("legal", seat), sorted(right), sorted(set(actions)))


def _compare_value(path: Path, want: Any, have: Any, differs: Any) -> None:
    if isinstance(want, dict) and isinstance(have, dict):
        for key, inner in want.items():
            if key in have:
                _compare_value((*path, key), inner, have[key], differs)
    elif path[-1] == "winners" and isinstance(want, list) and isinstance(have, list):
        if sorted(want) != sorted(have, key=repr):
            differs(path, want, have)
    elif want != have:
        differs(path, want, have)


def _compare_sees(want: View, have: View | None, differs: Any) -> None:
    """Cards shown must be exactly the known ones; what is left out says nothing."""
    for viewer, known in (have or {}).items():
        for owner, cards in (known or {}).items():
            expected = want.get(viewer, {}).get(owner, [])
            if cards is not None and sorted(cards) != sorted(expected):
                differs(("sees", viewer, owner), expected, cards)
