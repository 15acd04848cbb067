"""The playable pages in a real browser: the tutorial's steps, examples, questions, whole games."""

from __future__ import annotations

import functools
import http.server
import json
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, Page, browser_for_tests

from bauernschnapsen_conformance.rulebook.model import load_book
from bauernschnapsen_conformance.rulebook.single import single_html
from bauernschnapsen_conformance.rulebook.site import build
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

Json = dict[str, Any]
LANGUAGES = ("en", "de")
pytestmark = pytest.mark.slow
PHONE = 360
TABLE = "play/table/?deal=10649000000&seat=S&dealer=E"
PLAYING = "document.querySelectorAll('bs-example[playing]').length"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="the site needs the extra `docs`: make docs")
    folder = tmp_path_factory.mktemp("site")
    assert build(folder, LANGUAGES, 2, check=False) == []
    return folder


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_for_tests() as found:
        yield found


def home(site: Path, address: str, language: str) -> str:
    (edition,) = [path.name for path in (site / language).iterdir() if path.is_dir()]
    return f"{address}/{language}/{edition}/"


@pytest.fixture(scope="module")
def english(site: Path, address: str) -> str:
    return home(site, address, "en")


@pytest.fixture(scope="module")
def german(site: Path, address: str) -> str:
    return home(site, address, "de")


def wait_until(page: Page, script: str) -> None:
    for _ in range(100):
        if page.run(script):
            return
        time.sleep(0.05)
    pytest.fail(f"not within 5 s: {script}")


def all_well(page: Page, address: str) -> None:
    log = page.listen()
    assert log.errors == []
    assert [url for url in log.outside if not url.startswith(address)] == []


def press(page: Page, name: str, inside: str = "body") -> None:
    """Click the button that a reader knows by this name: its label, or what is written on it."""
    found = page.run(
        f"""(() => {{
          document.querySelectorAll('[data-now]').forEach((one) => one.removeAttribute('data-now'));
          const wanted = {json.dumps(name)};
          const named = (one) => (one.getAttribute('aria-label') ?? one.textContent).trim();
          const all = [...document.querySelectorAll({json.dumps(inside + " button")})]
            .filter((one) => named(one) === wanted && one.checkVisibility());
          all[0]?.setAttribute('data-now', '');
          return all.length;
        }})()"""
    )
    assert found == 1, f"{found} buttons are called {name!r}"
    page.click("[data-now]")


def choose(page: Page, selector: str, value: str) -> None:
    page.run(
        f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
        f"e.value = {json.dumps(value)};"
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def message(page: Page, inside: str = "bs-table") -> str:
    return page.text(f"{inside} .bs-message")


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


@pytest.mark.parametrize("language", LANGUAGES)
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


# ------------------------------------------------------------------ examples


def example(page: Page, name: str) -> str:
    """Bring an example into the window; return the selector of it."""
    wanted = f'bs-example[data-scenario="{name}"]'
    page.run(
        f"(() => {{ const e = document.querySelector('{wanted}');"
        "const folded = e.closest('details');"
        "if (folded) folded.open = true; e.scrollIntoView({block: 'center'}); })()"
    )
    wait_until(page, f"document.querySelector('{wanted}').hasAttribute('playing')")
    return wanted


def test_an_example_refuses_and_explains_and_goes_on(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}rules/play/") as page:
        here = example(page, "play.beat.third-hand-partner")
        status = f"{here} .bs-message"
        assert page.run(f"document.querySelector('{status}').getAttribute('aria-live')") == "polite"
        press(page, "Show what may be played", here)
        assert page.count(f"{here} .bs-is-illegal") > 0
        assert page.count(f"{here} .bs-is-legal") > 0
        press(page, "Show what may be played", here)
        assert page.count(f"{here} .bs-is-illegal") == 0
        # The trick of E2: a lower card of the suit, although the partner leads.
        before = page.run(f"document.querySelector('{here} .bs-trick').childElementCount")
        press(page, "queen of spades", here)
        told = page.text(status)
        assert "refused" in told
        assert "if he can" in told
        rule = f"document.querySelector('{status} a').href"
        assert page.run(rule).endswith("rules/play/#play.beat")
        assert page.run("document.getElementById('play.beat') !== null")
        assert page.count(f"{here} .bs-is-illegal[data-card=QS]") == 1
        assert page.run(f"document.querySelector('{here} .bs-trick').childElementCount") == before
        press(page, "ten of spades", here)
        assert "Allowed" in page.text(status)
        assert page.run(f"document.querySelector('{here} .bs-trick').childElementCount") > before
        all_well(page, address)


def test_a_whole_deal_is_stepped_through_with_the_keyboard(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}rules/claims/") as page:
        here = example(page, "claims.last-trick.all-five")
        count = f"document.querySelector('{here} .bs-count').innerText"
        place = page.run(count)
        page.run(f"document.querySelector('{here} [data-key=step-back]').focus()")
        page.key("Home", 36)
        assert page.run(count).startswith("Step 0 of ")
        steps = int(page.run(count).split()[-1])
        seen = [page.text(f"{here} .bs-message")]
        for _ in range(steps):
            page.key("ArrowRight", 39)
            seen.append(page.text(f"{here} .bs-message"))
        assert page.run(count) == f"Step {steps} of {steps}"
        assert len(set(seen)) > steps * 0.7
        assert sum("wins the trick" in one for one in seen) == 5
        assert sum("refused" in one for one in seen) == 6
        for _ in range(steps):
            page.key("ArrowLeft", 37)
        assert page.text(f"{here} .bs-message") == seen[0]
        # Arrows do nothing at the ends, and the page does not scroll sideways for them.
        page.key("ArrowLeft", 37)
        assert page.run(count).startswith("Step 0")
        assert place != page.run(count)
        all_well(page, address)


def test_ones_own_way_leads_back_to_the_example(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}rules/play/") as page:
        here = example(page, "play.ruffed.third-hand")
        legal = f"{here} .bs-tap.bs-is-legal"
        press(page, "Show what may be played", here)
        assert page.count(legal) > 1
        written = page.run(
            f"document.querySelector('{here}').line[document.querySelector('{here}').at + 1].action"
        )
        others = page.run(
            f"[...document.querySelectorAll('{legal}')].map((one) => one.dataset.card)"
        )
        other = next(card for card in others if f"play {card}" != written)
        page.click(f'{here} .bs-tap[data-card="{other}"]')
        press(page, "Back to the example", here)
        page.run(f"document.querySelector('{here}').go(Infinity)")
        assert page.count(f"{here} [data-key=return]") == 0
        all_well(page, address)


def test_an_auction_and_a_wrong_moment_are_refused_too(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}rules/auction/") as page:
        here = example(page, "auction.cards.four-clubs")
        press(page, "Farben-Gang", here)
        assert "refused" in page.text(f"{here} .bs-message")
        rule = page.run(f"document.querySelector('{here} .bs-because').dataset.rule")
        assert rule == "auction.cards-required"
        card = f"{here} .bs-tap"
        page.click(card)
        assert page.run(f"document.querySelector('{here} .bs-because').dataset.rule") == "play.when"
        press(page, "Gang", here)
        assert "Allowed" in page.text(f"{here} .bs-message")
        all_well(page, address)


def test_an_example_of_the_three_hand_game_is_played_too(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}rules/talon/", width=PHONE) as page:
        here = example(page, "talon.taking.both-cards")
        assert page.count(f"{here} .bs-held") == 3
        page.run(f"document.querySelector('{here}').go(0)")
        while page.count(f"{here} [data-action=talon]") == 0:
            press(page, "One step on", here)
        press(page, "Take the talon", here)
        assert page.count(f"{here} .bs-tap") == 8
        card = f"{here} .bs-tap:nth-child"
        page.click(f"{card}(1)")
        assert page.count(f"{here} .bs-is-laid") == 1
        page.click(f"{card}(1)")
        assert page.count(f"{here} .bs-is-laid") == 0
        page.click(f"{card}(1)")
        page.click(f"{card}(3)")
        assert "discards" in page.text(f"{here} .bs-message")
        assert page.count(f"{here} .bs-tappable > *") == 6
        assert page.run("document.documentElement.scrollWidth") <= PHONE
        all_well(page, address)


def test_a_link_to_a_rule_stays_where_it_leads(english: str, browser: Browser) -> None:
    for width in (PHONE, 1200):
        with browser.page(f"{english}rules/play/#play.ruff", width=width) as page:
            wait_until(page, f"{PLAYING} > 1")
            time.sleep(0.3)
            top = page.run("document.getElementById('play.ruff').getBoundingClientRect().top")
            assert 0 <= top < 130, (width, top)


def test_cards_follow_the_choice_of_deck_everywhere(
    german: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{german}rules/play/") as page:
        here = example(page, "play.beat.third-hand-partner")
        label = f"document.querySelector('{here} .bs-tap[data-card=QS]').getAttribute('aria-label')"
        assert page.run(label) == "Laub-Ober"
        page.click("bs-deck button[data-deck=french]")
        assert page.run(label) == "Pik-Dame"
        page.go(f"{german}{TABLE}")
        names = "[...document.querySelectorAll('bs-table .bs-btn')].map((one) => one.ariaLabel)"
        assert "Pik" in page.run(names)
        page.click("bs-deck button[data-deck=german]")
        assert "Laub" in page.run(names)
        all_well(page, address)


# ------------------------------------------------------------------ what may I play here?


def test_the_reader_sets_up_a_trick_and_reads_what_may_be_played(
    english: str, address: str, browser: Browser
) -> None:
    with browser.page(f"{english}play/what/") as page:
        press(page, "Clear the table", "bs-may")
        for name in ("ace of spades", "jack of hearts", "queen of hearts", "ten of clubs"):
            press(page, name, "bs-may .bs-pack")
        press(page, "into the trick", "bs-may")
        for name in ("king of clubs", "king of hearts"):
            press(page, name, "bs-may .bs-pack")
        answer = page.text("bs-may .bs-answer")
        assert "You may play" in answer
        assert page.run("document.querySelector('bs-may .bs-answer bs-chip').ariaLabel") == (
            "ten of clubs"
        )
        assert page.count("bs-may .bs-answer [data-rule='play.follow']") == 1
        choose(page, "#bs-may-contract", "gang")
        assert page.run("document.querySelectorAll('bs-may .bs-is-legal').length") == 1
        # Another house rule: nobody has to follow suit.
        page.click("bs-may summary")
        choose(page, "#bs-may-follow", "free")
        assert page.count("bs-may .bs-is-illegal") == 0
        assert "Every card may be played" in page.text("bs-may .bs-answer")
        # The address holds it all, for another language too, and when it is opened again.
        url = page.run("location.href")
        assert "contract=gang" in url
        assert "follow=free" in url
        other = page.run("document.querySelector('.bs-language[hreflang=de]').href")
        assert other.endswith(url.partition("?")[2])
        page.go(url)
        assert page.count("bs-may .bs-held .bs-is-legal") == 4
        page.go(other)
        assert page.text("bs-may .bs-answer").startswith("✓ Du darfst spielen")
        all_well(page, address)


def test_the_words_of_a_changed_house_rule_are_those_of_the_option(
    english: str, browser: Browser
) -> None:
    query = "contract=normal&trump=H&declarer=N&trick=JS.TS&hand=QS.AS&head_target=led_card"
    with browser.page(f"{english}play/what/?{query}") as page:
        assert page.count("bs-may .bs-held .bs-is-legal") == 2
        page.go(f"{english}play/what/?{query.replace('trick=JS.TS', 'trick=KS.JS')}")
        why = page.text("bs-may .bs-answer [data-rule='play.beat']")
        option = page.run("bauernschnapsenPlay.options.head_target.values.led_card")
        assert option in why


# ------------------------------------------------------------------ the free table

_CHOICES = """
[...document.querySelectorAll('bs-table .bs-bar .bs-words button, bs-table .bs-tap')]
  .map((one) => [
    one.dataset.key, one.matches('.bs-is-legal, .bs-may-say, .bs-main, [data-key=plain]'),
  ])
"""


def one_deal(page: Page, tries: int = 0) -> int:
    """Play a deal with the first thing that is marked as allowed; return how many were refused.

    `tries`: so many times what is marked as forbidden is tried first.
    """
    refused = 0
    for _ in range(80):
        choices = page.run(_CHOICES)
        if any(key == "next" for key, _ in choices):
            return refused
        for key, allowed in choices:
            if not allowed and key not in ("declare", "marry") and refused < tries:
                page.click(f'bs-table [data-key="{key}"]')
                assert page.count("bs-table .bs-message .bs-because[data-rule]") == 1, key
                rule = page.run("document.querySelector('bs-table .bs-because').innerText")
                assert len(rule.split()) > 4, rule
                refused += 1
                break
        allowed_keys = [key for key, allowed in choices if allowed]
        key = "plain" if "plain" in allowed_keys else allowed_keys[0]
        page.click(f'bs-table [data-key="{key}"]')
    pytest.fail("the deal does not end")


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


# ------------------------------------------------------------------ everybody's page


@pytest.mark.parametrize(
    "dark", [pytest.param(False, marks=pytest.mark.gates), True], ids=["light", "dark"]
)
def test_the_playable_pages_put_no_obstacle_in_the_way(
    german: str, address: str, browser: Browser, dark: bool
) -> None:
    with browser.page(f"{german}play/what/", dark=dark) as page:
        assert page.obstacles() == []
        page.go(f"{german}{TABLE}")
        assert page.obstacles() == []
        press(page, "Hilf mir", "bs-table")
        one_deal(page)
        assert page.obstacles() == []
        page.go(f"{german}rules/cards/")
        wait_until(page, f"{PLAYING} > 0")
        page.run("document.querySelector('bs-example [data-key=mark]')?.click()")
        page.run("document.querySelector('bs-example .bs-listed').open = true")
        assert page.obstacles() == []
        all_well(page, address)


@pytest.mark.parametrize("path", ["play/what/", TABLE, "rules/play/", "rules/auction/"])
def test_a_phone_shows_everything_without_scrolling_sideways(
    german: str, address: str, browser: Browser, path: str
) -> None:
    with browser.page(f"{german}{path}", width=PHONE, height=740) as page:
        if path.startswith("rules"):
            page.run("document.querySelector('bs-example').scrollIntoView()")
            wait_until(page, f"{PLAYING} > 0")
        assert page.run("document.documentElement.scrollWidth") <= PHONE
        small = page.run(
            "[...document.querySelectorAll('.bs-tap, .bs-play .bs-btn, bs-table button')]"
            ".filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())"
            ".filter((box) => box.width < 24 || box.height < 24 || box.left < 0 || box.right > 360)"
            ".length"
        )
        assert small == 0
        assert page.count(".bs-tap, bs-table button") > 4
        all_well(page, address)


@pytest.mark.parametrize("path", ["play/table/index.html", "play/what/index.html"])
def test_the_pages_work_from_a_folder(site: Path, browser: Browser, path: str) -> None:
    (edition,) = [one for one in (site / "en").iterdir() if one.is_dir()]
    with browser.page(edition / path) as page:
        if "table" in path:
            press(page, "Deal", "bs-table")
        assert page.count("bs-table .bs-held, bs-may .bs-tap") >= 4
        assert page.listen().outside == []


def test_the_book_of_a_table_of_ones_own_is_played_by_its_rules(
    tmp_path: Path, browser: Browser
) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(
        "ruleset: house\nextends: pagat\ntitle: {en: Our table}\n"
        "contracts: {bettler: {head: free}}\n"
    )
    book = tmp_path / "book.html"
    book.write_text(single_html(load_book(house), tongue_of("en")), "utf-8")
    with browser.page(book, dark=True) as page:
        here = example(page, "play.beat.third-hand-partner")
        press(page, "queen of spades", here)
        link = f"document.querySelector('{here} .bs-message a').getAttribute('href')"
        assert page.run(link) == "#play.beat"
        log = page.listen()
        assert log.errors == []
        assert log.outside == []


def test_without_scripts_the_pages_say_so_and_examples_can_be_read(
    site: Path, english: str, browser: Browser
) -> None:
    with browser.page(f"{english}play/table/", scripts=False) as page:
        assert page.listen().errors == []
    (edition,) = [one for one in (site / "en").iterdir() if one.is_dir()]
    text = (edition / "play/table/index.html").read_text("utf-8")
    assert "<noscript><p>This page needs scripts" in text
