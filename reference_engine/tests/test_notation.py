"""Notation: what is printed is read back, and nothing else is read."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PAGAT, every_action, examples, packs

from bauernschnapsen import notation
from bauernschnapsen.errors import Refusal
from bauernschnapsen.likely import hint_about
from bauernschnapsen.notation import Action

DEAL_NUMBERS = st.integers(0, notation.DEALS - 1)
ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=200)
    | st.binary(max_size=5)
    | st.lists(st.text(max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)
# Close to what is right, so that the parser gets past its first test.
WORDS = st.lists(
    st.sampled_from(
        [
            *("play", "marry", "bid", "trump", "turn-up", "discard", "AH", "TH", "H", "1", "gang"),
            *("ah", "", " ", "\n", "\t", "\u00a0", "\u0410H", "\uff21H", "A\u2665", "\x00", "-"),
        ]
    ),
    max_size=4,
)


# --------------------------------------------------------------------------- cards, suits, seats


def test_cards_are_printed_as_they_are_read() -> None:
    assert [notation.format_card(notation.parse_card(card)) for card in notation.CARDS] == list(
        notation.CARDS
    )
    assert sorted(notation.parse_card(card) for card in notation.CARDS) == list(range(20))


@pytest.mark.parametrize(
    ("text", "number"), [("AH", 0), ("TH", 1), ("JH", 4), ("AD", 5), ("JC", 19)]
)
def test_card_numbers_count_suit_by_suit(text: str, number: int) -> None:
    assert notation.parse_card(text) == number
    assert notation.format_card(number) == text


@given(st.sets(st.integers(0, 19)))
@examples(100)
def test_masks_hold_the_cards_they_are_made_of(cards: set[int]) -> None:
    mask = notation.mask_of(sorted(cards))
    assert set(notation.cards_in(mask)) == cards
    assert mask.bit_count() == len(cards)
    assert notation.parse_cards(" ".join(notation.format_mask(mask))) == sorted(cards)


def test_suits_are_printed_as_they_are_read() -> None:
    assert [notation.format_suit(notation.parse_suit(suit)) for suit in "HDSC"] == list("HDSC")
    assert notation.format_suit(None) is None


@pytest.mark.parametrize("seats", [3, 4])
def test_seats_are_printed_as_they_are_read(seats: int) -> None:
    letters = notation.seat_letters(seats)
    assert letters == "NESW"[:seats]
    assert [notation.parse_seat(letter, seats) for letter in letters] == list(range(seats))


def test_a_table_of_three_has_no_fourth_seat() -> None:
    with pytest.raises(ValueError, match="not a seat"):
        notation.parse_seat("W", 3)


def test_sides_are_partners_sitting_opposite_or_single_seats() -> None:
    assert notation.side_names(4, partners=True) == ("NS", "EW")
    assert notation.side_names(4, partners=False) == ("N", "E", "S", "W")
    assert notation.side_names(3, partners=False) == ("N", "E", "S")


@pytest.mark.parametrize(
    "parser", [notation.parse_card, notation.parse_suit, notation.parse_seat, notation.parse_cards]
)
@given(bad=ANYTHING)
@examples(150)
def test_whatever_is_no_card_suit_or_seat_is_a_value_error(parser: object, bad: object) -> None:
    assert callable(parser)
    good = {
        notation.parse_card: set(notation.CARDS),
        notation.parse_suit: set("HDSC"),
        notation.parse_seat: set("NESW"),
        notation.parse_cards: {"", *notation.CARDS},
    }[parser]
    if isinstance(bad, str) and (
        bad in good or (parser is notation.parse_cards and not bad.strip())
    ):
        return
    with pytest.raises(ValueError, match=r"expected|such as") as caught:
        parser(bad)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    ["ah", "HA", "10H", "AH ", " AH", "A", "", "AHH", "AX", "1H", "A♥", "\u0410H", "AH\n", "АН"],
)
def test_near_misses_are_no_cards(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        notation.parse_card(text)


# --------------------------------------------------------------------------- actions


def all_finite_actions() -> list[str]:
    cards = [rank + suit for suit in "HDSC" for rank in "ATKQJ"]
    return [
        *(f"trump {suit}" for suit in "HDSC"),
        *("turn-up 1", "turn-up 2", "turn-up 3"),
        *("redeal", "pass", "kontra", "rekontra", "subkontra"),
        *(f"play {card}" for card in cards),
        *(f"marry {card}" for card in cards),
        *("enough", "show", "talon", "keep"),
        *(f"discard {one} {two}" for one, two in combinations(cards, 2)),
    ]


def test_every_finite_action_is_printed_as_it_is_read() -> None:
    texts = all_finite_actions()
    actions = [notation.parse_action(text) for text in texts]
    assert [notation.format_action(action) for action in actions] == texts
    assert [str(action) for action in actions] == texts
    assert len(set(actions)) == len(texts) == 4 + 8 + 40 + 4 + 190


@given(st.permutations(range(20)).map(lambda pack: pack[:2]))
@examples(60)
def test_discards_read_the_same_in_both_orders(cards: list[int]) -> None:
    one, two = (notation.CARDS[card] for card in cards)
    action = notation.parse_action(f"discard {one} {two}")
    assert action == notation.parse_action(f"discard {two} {one}")
    assert action == Action("discard", notation.mask_of(cards))
    assert notation.parse_action(str(action)) == action


@pytest.mark.parametrize("verb", ["bid", "bid-without-talon", "raise"])
@given(
    name=st.from_regex(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", fullmatch=True).filter(
        lambda n: len(n) < 60
    )
)
@examples(60)
def test_bids_of_any_well_formed_name_are_printed_as_they_are_read(verb: str, name: str) -> None:
    action = notation.parse_action(f"{verb} {name}")
    assert action == Action(verb, name)
    assert str(action) == f"{verb} {name}"


def test_every_contract_of_the_main_ruleset_can_be_written_as_a_bid() -> None:
    for name in PAGAT.by_name:
        assert notation.parse_action(f"bid {name}") == Action("bid", name)


def test_all_actions_that_other_tests_try_can_be_written() -> None:
    for action in every_action(PAGAT):
        assert notation.parse_action(str(action)) == action


def test_verbs_are_those_of_the_protocol() -> None:
    assert set(notation.VERBS) == {
        *("trump", "turn-up", "redeal", "bid", "pass", "kontra", "rekontra", "subkontra"),
        *("play", "marry", "enough", "show", "talon", "keep", "discard", "raise"),
        "bid-without-talon",
    }


def is_refused_as_no_action(text: object) -> bool:
    try:
        notation.parse_action(text)
    except Refusal as refusal:
        told = str(refusal)
        return refusal.rule == "notation.action" and len(told) < 300 and told.isprintable()
    return False


@pytest.mark.parametrize(
    ("text", "told", "hint"),
    [
        ("play KX", "'KX' is no card: a rank (A T K Q J), a suit (H D S C)", "are KH, KD, KS, KC"),
        ("play 10h", "'10h' is no card", "did you mean 'play TH'?"),
        ("marry h♥", "'h♥' is no card", None),
        ("marry k♥", "'k♥' is no card", "did you mean 'marry KH'?"),
        ("play HA", "'HA' is no card", "did you mean 'play AH'?"),
        ("Play AH", "is no action: it begins with none of trump, turn-up", "mean 'play AH'?"),
        ("discard AH XX", "'XX' is no card", None),
        ("discard AH AH", "expected two different cards, such as 'discard AH TS'", None),
        ("discard AH 10s", "'10s' is no card", "did you mean 'discard AH TS'?"),
        ("trump hearts", "'hearts' is not a suit: expected one of H D S C", "mean 'trump H'?"),
        ("trump Karo", "'Karo' is not a suit", "did you mean 'trump D'?"),
        ("trump X", "'X' is not a suit", None),
        ("turn up 2", "is no action", "did you mean 'turn-up 2'?"),
        ("turn-up 7", "'7' is no hidden card: expected 1, 2 or 3", None),
        ("bid Bauern Schnapser", "no contract in small letters", "mean 'bid bauern-schnapser'?"),
        ("raise Gang", "as in 'bid gang'", "did you mean 'raise gang'?"),
        ("kontra!", "is no action", "did you mean 'kontra'?"),
        ("kontra please", "nothing follows the word 'kontra'", "did you mean 'kontra'?"),
        ("", "is no action", None),
    ],
)
def test_what_is_no_action_is_told_with_what_it_may_mean(
    text: str, told: str, hint: str | None
) -> None:
    with pytest.raises(Refusal) as refusal:
        notation.parse_action(text)
    assert told in refusal.value.message
    meant = hint_about(text)
    assert (hint is None and meant is None) or (hint is not None and hint in str(meant))


@given(ANYTHING | WORDS.map(" ".join) | WORDS.map("".join))
@examples(200)
def test_no_text_makes_hints_stumble(text: object) -> None:
    if isinstance(text, str):
        meant = hint_about(text)
        assert meant is None or (meant.isprintable() and len(meant) < 120)


@given(ANYTHING | WORDS.map(" ".join) | WORDS.map("".join))
@examples(400)
def test_hostile_input_is_refused_or_reads_back_exactly(text: object) -> None:
    if not is_refused_as_no_action(text):
        printed = str(notation.parse_action(text))
        assert isinstance(text, str)
        assert text == printed or sorted(text.split(" ")) == sorted(printed.split(" "))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "play", "play ", "play  KH", "play KH ", " play KH", "play KH\n", "play\tKH"),
        *(
            "PLAY KH",
            "Play KH",
            "play kh",
            "play K H",
            "play 10H",
            "play KH QH",
            "marry",
            "marry H",
        ),
        *(
            "trump",
            "trump X",
            "trump h",
            "trump HD",
            "trump N",
            "turn-up",
            "turn-up 0",
            "turn-up 4",
        ),
        *("turn-up 01", "turn-up one", "turnup 1", "pass pass", "passes", "kontra 1", "enough 66"),
        *(
            "bid",
            "bid ",
            "bid  gang",
            "bid Gang",
            "bid gang ",
            "bid gang\n",
            "bid -gang",
            "bid gang-",
        ),
        *("bid 9", "bid gang normal", "bid zehner--gang", "bid zehner–gang", "bid gäng", "raise"),
        *("discard", "discard AH", "discard AH AH", "discard AH TH KH", "discard AH  TH"),
        *("discard TH AX", "discard AHTH", "show hand", "talon 1", "keep it", "redeal 3", "resign"),
        *("play KH\x00", "play\u00a0KH", "рlay KH", "play \uff2bH", "play K♥", "p" * 10**6),
        *("bid " + "g" * 10**6, "discard " + "AH " * 10**5, "{}", "null", '["N","play KH"]'),
    ],
)
def test_near_misses_are_no_actions(text: str) -> None:
    assert is_refused_as_no_action(text)


@pytest.mark.parametrize(
    "value", [None, True, 3, 2.5, b"play KH", ["play", "KH"], {"play": "KH"}, ()]
)
def test_whatever_is_no_text_is_no_action(value: object) -> None:
    assert is_refused_as_no_action(value)


# --------------------------------------------------------------------------- deal numbers


def test_there_are_as_many_deals_as_ways_to_deal() -> None:
    assert factorial(20) // factorial(5) ** 4 == notation.DEALS


def test_the_first_and_the_last_deal() -> None:
    first = ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12, 13, 14), (15, 16, 17, 18, 19))
    last = tuple(reversed(first))
    assert notation.deal_of_number(0) == first
    assert notation.deal_of_number(notation.DEALS - 1) == last
    assert notation.number_of_deal(first) == 0
    assert notation.number_of_deal(last) == notation.DEALS - 1


def test_the_second_deal_exchanges_the_last_card_of_south_for_the_first_of_west() -> None:
    hands = notation.deal_of_number(1)
    assert hands[2:] == ((10, 11, 12, 13, 15), (14, 16, 17, 18, 19))


@given(DEAL_NUMBERS)
@examples(200)
def test_a_deal_number_survives_the_way_there_and_back(number: int) -> None:
    hands = notation.deal_of_number(number)
    assert all(list(hand) == sorted(hand) and len(hand) == 5 for hand in hands)
    assert sorted(card for hand in hands for card in hand) == list(range(20))
    assert notation.number_of_deal(hands) == number


@given(packs)
@examples(200)
def test_a_deal_survives_the_way_there_and_back(pack: list[int]) -> None:
    hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
    number = notation.number_of_deal(hands)
    assert 0 <= number < notation.DEALS
    assert notation.deal_of_number(number) == tuple(tuple(sorted(hand)) for hand in hands)


@given(DEAL_NUMBERS.filter(lambda number: number + 1 < notation.DEALS))
@examples(100)
def test_deals_are_numbered_in_the_order_of_their_hands(number: int) -> None:
    assert notation.deal_of_number(number) < notation.deal_of_number(number + 1)


@given(st.permutations(range(20)), st.permutations(range(5)))
@examples(60)
def test_the_order_within_a_hand_does_not_change_the_number(
    pack: list[int], order: list[int]
) -> None:
    hands = [pack[5 * seat : 5 * seat + 5] for seat in range(4)]
    mixed = [[hand[place] for place in order] for hand in hands]
    assert notation.number_of_deal(mixed) == notation.number_of_deal(hands)


@pytest.mark.parametrize(
    "number",
    [-1, notation.DEALS, 10**30, 1.0, 0.5, True, None, "0", "", [0], float("nan"), float("inf")],
)
def test_other_numbers_are_no_deals(number: object) -> None:
    with pytest.raises(ValueError, match="is no deal number"):
        notation.deal_of_number(number)


@pytest.mark.parametrize(
    "hands",
    [
        [],
        [[0, 1, 2, 3, 4]],
        [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 18]],
        [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 20]],
        [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19]],
        [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19], []],
        [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19, 19]],
    ],
)
def test_other_hands_have_no_number(hands: list[list[int]]) -> None:
    with pytest.raises(ValueError, match=r"four hands of all twenty cards|instead of five"):
        notation.number_of_deal(hands)
