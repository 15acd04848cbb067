"""The generators of campaigns as hypothesis strategies, for tests of one's own (extra `fuzz`).

    from hypothesis import given
    from bauernschnapsen_conformance.campaign.strategies import cases

    @given(cases())
    def test_my_engine(case):
        assert my_replay(case.deals) == case.expected

A case has one to three deals in the form of a replay request, what the reference engine shows of
them, and the situations they go through. Hypothesis shrinks them as far as it can; `fuzz` shrinks
further, since it knows what may be dropped.
"""

from __future__ import annotations

import random

from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import SUITS, format_card, seat_letters
from bauernschnapsen.ruleset import Rules, rules_of

from ..identify.deals import KINDS, Sizes, deal
from .generators import ALL, Abilities, Made, Recipe, all_recipes, make_case

try:
    from hypothesis import assume
    from hypothesis import strategies as st
except ImportError:
    raise SpecError(
        "hypothesis is not installed", hint="pip install 'bauernschnapsen[fuzz]'"
    ) from None


def _chance() -> st.SearchStrategy[random.Random]:
    """A source of chance that hypothesis decides, remembers and shrinks."""
    return st.randoms(use_true_random=False)


def _compiled(rules: Rules | str) -> Rules:
    return rules_of(rules) if isinstance(rules, str) else rules


@st.composite
def hands(draw: st.DrawFn, rules: Rules | str = "pagat") -> dict[str, list[str]]:
    """Draw the hands of a deal, seat -> cards in the order received, and `talon` if there is one.

    Long suits, whole suits, pairs of king and queen, strong and weak hands are as common as others.
    """
    compiled = _compiled(rules)
    letters = seat_letters(compiled.seats)
    kind = draw(st.sampled_from(KINDS))
    seat, first = (draw(st.integers(0, compiled.seats - 1)) for _ in range(2))
    suit = draw(st.integers(0, len(SUITS) - 1))
    dealt = deal(draw(_chance()), kind, seat, suit, first, Sizes.of(compiled))
    names = [*letters, "talon"][: len(dealt)]
    return {
        name: [format_card(card) for card in cards]
        for name, cards in zip(names, dealt, strict=True)
    }


@st.composite
def recipes(
    draw: st.DrawFn,
    rules: Rules | str = "pagat",
    able: Abilities = ALL,
    contract: str | None = None,
) -> Recipe:
    """Draw what a case is biased towards; `contract`: one that every first deal starts in."""
    parts = all_recipes(_compiled(rules), able)
    start = contract if contract is not None else draw(st.sampled_from(parts.starts))
    return Recipe(
        start,
        draw(st.sampled_from(parts.shapes)),
        draw(st.sampled_from(parts.manners)),
        draw(st.sampled_from(parts.stakes)),
        draw(st.sampled_from(parts.deals)),
    )


@st.composite
def cases(
    draw: st.DrawFn,
    rules: Rules | str = "pagat",
    able: Abilities = ALL,
    contract: str | None = None,
) -> Made:
    """Draw a case: whole deals with illegal attempts, and all that the reference shows of them.

    `rules` are compiled or named, `able` says what the engine takes, `contract` is one that every
    first deal starts in.
    """
    recipe = draw(recipes(rules, able, contract))
    made = make_case(_compiled(rules), draw(_chance()), recipe, able)
    assume(made is not None)
    assert made is not None
    return made
