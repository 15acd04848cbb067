"""The free table in a real browser: a pupil of the tutorial, whole games, the keyboard alone."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from browser import Browser, Page
from built_site import LANGUAGES
from playable_site import (
    TABLE,
    all_well,
    choose,
    home,
    message,
    one_deal,
    press,
    wait_until,
)
from playable_site import address as address  # noqa: PLC0414 - a fixture
from playable_site import browser as browser  # noqa: PLC0414 - a fixture
from playable_site import english as english  # noqa: PLC0414 - a fixture
from playable_site import german as german  # noqa: PLC0414 - a fixture
from playable_site import site as site  # noqa: PLC0414 - a fixture

from bauernschnapsen_conformance.rulebook.model import load_book
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

pytestmark = pytest.mark.slow
OTHER = "uk"
"""The language that is tried beside English where not all are: one in other letters."""


# ------------------------------------------------------------------ the tutorial

_STEPS = """
[...document.querySelectorAll('#first-deal ~ ol')][0].querySelectorAll(':scope > li')
"""
_READ = f"""
[...{_STEPS}].map((step) => ({{
  text: step.innerText,
  links: [...step.querySelectorAll('a')].map((link) => [link.innerText, link.href]),
  parts: [...step.querySelectorAll('strong, code')].map((part) => {{
    const chip = part.querySelector('bs-chip');
    return [part.localName, chip ? chip.getAttribute('aria-label') : part.innerText];
  }}),
}}))
"""


class Pupil:
    """Does what a page tells in bold, and knows nothing else: fields by label, buttons by name."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.field: str | None = None

    def do(self, kind: str, text: str) -> None:
        """Go to the field of a label, type `code`, choose what the field offers; else press."""
        if kind == "code":
            assert self.field is not None, f"{text} is to be typed, but where?"
            self.page.run(f"document.getElementById({json.dumps(self.field)}).focus()")
            self.page.call("Input.insertText", {"text": text})
            return
        label = self.page.run(
            f"[...document.querySelectorAll('label')].find((one) =>"
            f" one.innerText.trim() === {json.dumps(text)})?.htmlFor ?? null"
        )
        if label:
            self.field = label
            return
        option = self.field and self.page.run(
            f"[...(document.getElementById({json.dumps(self.field)}).options ?? [])]"
            f".find((one) => one.text === {json.dumps(text)})?.value ?? null"
        )
        if option:
            choose(self.page, f"#{self.field}", option)
            return
        self.field = None
        press(self.page, text, "bs-table")


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(one, marks=() if one in ("en", OTHER) else pytest.mark.gates)
        for one in LANGUAGES
    ],
)
def test_who_does_what_the_tutorial_says_plays_a_whole_deal(
    site: Path, address: str, browser: Browser, language: str
) -> None:
    words = tongue_of(language)
    follow = load_book().entries["play.follow"]
    with browser.page(f"{home(site, address, language)}learn/") as page:
        wait_until(page, "document.querySelectorAll('bs-chip:not([drawn])').length === 0")
        steps = page.run(_READ)
        assert len(steps) == 8
        # The way to the table is a link above the steps.
        page.go(page.run("document.querySelector('#first-deal ~ p a').href"))
        pupil, refusals = Pupil(page), []
        for step in steps:
            for kind, text in step["parts"]:
                pupil.do(kind, text)
                said = message(page)
                if words("play.refused") in said:
                    refusals.append((step, said))
        # Refused once, told by which rule and in its words, and the tutorial had said so.
        ((step, said),) = refusals
        assert words.rule(follow.rule, follow.ruleset).text in said
        ((number, target),) = step["links"]
        assert number == follow.number
        assert target.endswith("rules/play/#play.follow")
        assert f"§ {follow.number}" in said
        end = page.text("bs-table")
        assert f"{words('example.ends')} ({words.outcome('claim')})" in end
        side = words.side("NS")
        assert words("example.awards", side=side, points=1) in message(page)
        assert page.text("bs-table .bs-scores tbody tr td") == "1"
        all_well(page, address)


# ------------------------------------------------------------------ whole games


def test_a_whole_game_with_bummerl_and_the_next_dealer(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}{TABLE}") as page:
        press(page, "Help me", "bs-table")
        refused = one_deal(page, tries=5)
        assert refused == 5
        dealers = []
        for _ in range(40):
            dealers.append(page.run("document.querySelector('bs-table').match.deal.dealer"))
            if page.run("document.querySelector('bs-table').match.deal.game !== null"):
                break
            page.click("bs-table [data-key=next]")
            one_deal(page)
        assert len(dealers) > 2
        order = "NESW"
        for before, after in pairwise(dealers):
            assert order.index(after) == (order.index(before) + 1) % 4
        assert "The game is over" in message(page)
        points = (
            "[...document.querySelectorAll('bs-table .bs-scores td')].map((one) => one.innerText)"
        )
        _, *cells = page.run(points)
        assert max(int(cells[0]), int(cells[2])) >= 24
        assert sorted([int(cells[1]), int(cells[3])])[0] == 0
        assert int(cells[1]) + int(cells[3]) in (1, 2)
        page.click("bs-table [data-key=next]")
        _, *cells = page.run(points)
        assert [cells[0], cells[2]] == ["0", "0"]
        assert int(cells[1]) + int(cells[3]) in (1, 2)
        all_well(page, address)


def test_a_match_is_taken_up_again_and_a_deal_looked_back_at(
    german: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{german}{TABLE}") as page:
        press(page, "Hilf mir", "bs-table")
        one_deal(page)
        press(page, "Die Runde noch einmal ansehen", "bs-table")
        count = "document.querySelector('bs-table bs-example .bs-count').innerText"
        assert page.run(count).startswith("Schritt 0 von ")
        page.key("ArrowRight", 39)
        assert page.run(count).startswith("Schritt 1 von ")
        press(page, "Nächste Runde", "bs-table")
        state = "JSON.stringify(document.querySelector('bs-table').match.deal)"
        before = page.run(state)
        page.call("Page.reload")
        wait_until(page, "document.querySelector('bs-table')?.match !== undefined")
        assert page.run(state) == before
        # The cards of the others stay closed to the eye and to what is read aloud.
        hidden = page.run(
            "[...document.querySelectorAll('bs-table .bs-seat:not(.bs-at-bottom) bs-card')]"
            ".every((one) => one.hasAttribute('back') && !one.hasAttribute('card'))"
        )
        assert hidden
        all_well(page, address)


def test_a_number_that_is_no_deal_is_refused(english: str, browser: Browser) -> None:
    with browser.page(f"{english}play/table/") as page:
        for wrong in ("99999999999", "12x"):
            page.run(f"document.querySelector('#bs-table-number').value = '{wrong}'")
            press(page, "Deal", "bs-table")
            assert "from 0 to 11732745023" in message(page)
        page.run("document.querySelector('#bs-table-number').value = ''")
        press(page, "Deal", "bs-table")
        assert page.count("bs-table .bs-held") == 4
        number = page.run("document.querySelector('bs-table').match.number")
        assert 0 <= number < 11_732_745_024
        assert f"deal={number}" in page.run("location.search")


def test_the_table_is_played_with_the_keyboard_alone(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}{TABLE}") as page:
        focused = "document.activeElement?.dataset?.key ?? document.activeElement?.id"

        def reach(key: str) -> None:
            for _ in range(120):
                if page.run(focused) == key:
                    return
                page.key("Tab", 9)
            pytest.fail(f"Tab does not lead to {key}")

        reach("say S trump H")
        page.key("Enter", 13)
        reach("say S bid normal")
        page.key(" ", 32)
        reach("card QH")
        page.key("Enter", 13)
        # The question about the marriage has the focus, and its answer as well.
        assert page.run(focused) == "marry"
        page.key("Enter", 13)
        assert page.run(focused) == "go-on"
        page.key("Enter", 13)
        reach("card TH")
        page.key("Enter", 13)
        assert "refused" in message(page)
        # The refused card keeps the focus.
        assert page.run(focused) == "card TH"
        reach("card AD")
        page.key(" ", 32)
        reach("say S enough")
        page.key("Enter", 13)
        assert page.run(focused) == "next"
        assert "correct claim" in message(page)
        all_well(page, address)


def test_a_turn_is_waited_for_at_the_pace_of_the_reader(english: str, browser: Browser) -> None:
    with browser.page(f"{english}play/table/?deal=10649000000&seat=W&dealer=E") as page:
        choose(page, "#bs-table-pace", "normal")
        page.go(f"{english}play/table/?deal=5000000001&seat=E&dealer=E")
        log = "document.querySelectorAll('bs-table .bs-log li').length"
        assert page.run(log) == 1
        wait_until(page, f"{log} > 2")
        assert page.run("document.querySelector('bs-table .bs-log').getAttribute('role')") == "log"


# ------------------------------------------------------------------ three players

_THREE = "play/table/?deal=2718281830&seat=S&dealer=E&rules=talon"


def test_talon_schnapsen_is_bid_and_played_with_the_talon(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}{_THREE}") as page:
        seats = "[...document.querySelectorAll('#bs-table-seat option')].map((one) => one.value)"
        assert page.run(seats) == ["N", "E", "S"]
        assert page.count("bs-table .bs-aside bs-card[back]") == 2
        press(page, "spades", "bs-table")
        press(page, "Normal", "bs-table")
        assert "take the talon" in message(page)
        # Nothing is played yet, and nobody may go higher before he has looked at the talon.
        page.click('bs-table [data-key="card AC"]')
        assert "declarer has settled the talon" in message(page)
        press(page, "Take the talon", "bs-table")
        assert message(page) == "Lay two cards away: tap them."
        assert page.count("bs-table .bs-at-bottom .bs-tap") == 8
        for refused, rule in (
            ("Raise to Gang", "talon.raise"),
            ("Leave the talon", "talon.discard-due"),
        ):
            press(page, refused, "bs-table")
            assert page.run("document.querySelector('bs-table .bs-because').dataset.rule") == rule
        # A card that is tapped once more stays in the hand.
        for card in ("QS", "QS", "AC", "KD"):
            page.click(f'bs-table [data-key="card {card}"]')
        assert page.count("bs-table .bs-at-bottom .bs-tap") == 6
        aside = "[...document.querySelectorAll('bs-table .bs-aside bs-card')]"
        assert page.run(f"{aside}.map((one) => one.getAttribute('card')).sort()") == ["AC", "KD"]
        press(page, "Help me", "bs-table")
        assert one_deal(page) == 0
        rows = "[...document.querySelectorAll('bs-table .bs-scores tbody th')]"
        assert page.run(f"{rows}.map((one) => one.innerText)") == ["North", "East", "South (you)"]
        press(page, "Look back at the deal", "bs-table")
        page.key("End", 35)
        count = page.run("document.querySelector('bs-example .bs-count').innerText")
        assert re.fullmatch(r"Step (\d\d) of \1", count)
        all_well(page, address)


def test_a_standing_bid_without_the_talon_is_told(english: str, browser: Browser) -> None:
    path = "play/table/?deal=2718281830&seat=S&dealer=E&rules=talon_wikipedia"
    with browser.page(f"{english}{path}") as page:
        choose(page, "#bs-table-pace", "normal")
        page.go(f"{english}{path}")
        press(page, "spades", "bs-table")
        press(page, "Normal without the talon", "bs-table")
        assert "Highest bid: Normal without the talon (South)" in page.text("bs-table")


def test_whoever_sits_in_the_west_moves_where_nobody_sits_there(
    english: str, browser: Browser
) -> None:
    with browser.page(f"{english}play/table/?deal=11000000000&seat=W") as page:
        choose(page, "#bs-table-ruleset", "talon_wikipedia")
        assert page.run("document.querySelector('#bs-table-seat').value") == "S"
        press(page, "Deal", "bs-table")
        assert "from 0 to 3259095839" in message(page)
        choose(page, "#bs-table-ruleset", "pagat")
        press(page, "Deal", "bs-table")
        assert "11000000000" in page.text("bs-table .bs-log")


def test_what_may_be_played_by_three_is_asked_with_six_cards(
    english: str, address: str, browser: Browser
) -> None:
    cards = "trick=KS.QD.JD&hand=AS.QS.TH.JH.AD.KD"
    situation = f"rules=talon&contract=normal&trump=H&declarer=W&{cards}"
    with browser.page(f"{english}play/what/?{situation}") as page:
        assert page.count("bs-may .bs-at-bottom .bs-tap") == 6
        assert page.count("bs-may .bs-slot") == 2
        assert page.count("bs-may .bs-is-legal") == 1
        choose(page, "#bs-may-ruleset", "pagat")
        assert page.count("bs-may .bs-at-bottom .bs-tap") == 5
        all_well(page, address)
