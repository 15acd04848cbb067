"""The playable pages in a real browser: examples, "What may I play here?", and every reader."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import Browser
from built_site import LANGUAGES
from playable_site import TABLE, all_well, choose, example, home, one_deal, press, wait_until
from playable_site import address as address  # noqa: PLC0414 - a fixture
from playable_site import browser as browser  # noqa: PLC0414 - a fixture
from playable_site import english as english  # noqa: PLC0414 - a fixture
from playable_site import german as german  # noqa: PLC0414 - a fixture
from playable_site import site as site  # noqa: PLC0414 - a fixture

from bauernschnapsen_conformance.rulebook.model import load_book
from bauernschnapsen_conformance.rulebook.single import single_html
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

pytestmark = pytest.mark.slow
PHONE = 360
PLAYING = "document.querySelectorAll('bs-example[playing]').length"
SETTLED = """
document.readyState === 'complete' && document.fonts.status === 'loaded'
&& [...document.querySelectorAll('bs-example')].every((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return one.hasAttribute('playing') || !one.checkVisibility() || bottom < 0 || top > innerHeight;
})
"""
"""Nothing that a reader sees will grow any more."""
WALK = """
[...document.querySelectorAll('bs-example')].flatMap((one) => {
  one.start();
  one.listed.open = true;
  return one.line.map((_, place) => {
    one.go(place);
    return [one.querySelector('.bs-message').textContent, one.list.textContent].join(' / ');
  });
})
"""
"""Every step of every example of a page, as it is told and as it stands in the list."""
CHAPTERS = tuple(chapter.name for chapter in load_book().chapters)


# ------------------------------------------------------------------ examples


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


@pytest.mark.parametrize(
    ("language", "chapters"),
    [
        ("uk", ("notation",)),
        *(pytest.param(one, CHAPTERS, marks=pytest.mark.gates) for one in LANGUAGES),
    ],
)
def test_every_step_of_every_example_is_told_in_words(
    site: Path, address: str, browser: Browser, language: str, chapters: tuple[str, ...]
) -> None:
    with browser.page() as page:
        for chapter in chapters:
            page.go(f"{home(site, address, language)}rules/{chapter}/")
            wait_until(page, f"document.readyState === 'complete' && {PLAYING} > 0")
            told = page.run(WALK)
            assert len(told) > 2 * page.count("bs-example"), chapter
            for one in told:
                assert re.search(r"\b(?:[ATKQJ][HDSC]|undefined|null)\b", one) is None, one
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
            wait_until(page, SETTLED)
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
