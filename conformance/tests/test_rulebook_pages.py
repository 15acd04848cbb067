"""The pages of the site in a real browser, as readers on all sorts of devices open them."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Browser
from built_site import LANGUAGES, edition_in, outside, wait_until
from built_site import address as address  # noqa: PLC0414 - a fixture
from built_site import browser as browser  # noqa: PLC0414 - a fixture
from built_site import site as site  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.slow
TEMPLATES = ("", "learn/", "rules/", "rules/claims/", "contracts/", "glossary/", "index/rules/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_open_without_errors_or_outside_requests(
    site: Path, address: str, browser: Browser, language: str
) -> None:
    edition = edition_in(site)
    with browser.page(width=390, height=800) as page:
        for template in TEMPLATES:
            page.go(f"{address}/{language}/{edition}/{template}")
            assert page.run("document.documentElement.lang") == language
            # A phone scrolls down, never sideways.
            assert page.run("document.documentElement.scrollWidth") <= 390, template
        assert page.listen().errors == []
        assert outside(page, address) == []


SEARCHES = {
    "en": "marriage",
    "de": "Vorhand",
    "ru": "козырь",
    "uk": "козир",
    "fr": "atout",
    "pt": "trunfo",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_finds_a_term_and_a_rule_id(
    site: Path, address: str, browser: Browser, language: str
) -> None:
    home = f"{address}/{language}/{edition_in(site)}/"
    results = "document.querySelectorAll('.md-search-result__link').length"
    for wanted in (SEARCHES[language], "play.beat"):
        with browser.page(f"{home}?q={wanted}") as page:
            wait_until(page, f"{results} > 0")
            found = page.run(
                "[...document.querySelectorAll('.md-search-result__link')].map(a => a.href)"
            )
            if wanted == "play.beat":
                assert any("#play.beat" in url for url in found), found[:5]


def test_the_language_switch_keeps_the_place(site: Path, address: str, browser: Browser) -> None:
    edition = edition_in(site)
    with browser.page(f"{address}/en/{edition}/rules/play/#play.ruff") as page:
        href = page.run("document.querySelector('.bs-language[hreflang=uk]').href")
        assert href == f"{address}/uk/{edition}/rules/play/#play.ruff"
        page.run("document.querySelector('.bs-language[hreflang=uk]').click()")
        wait_until(page, "document.documentElement?.lang === 'uk'")
        assert page.run("location.href") == href
        assert page.run("document.getElementById('play.ruff') !== null")


def test_cards_are_drawn_and_the_deck_is_remembered(
    site: Path, address: str, browser: Browser
) -> None:
    edition = edition_in(site)
    with browser.page(f"{address}/de/{edition}/rules/play/") as page:
        wait_until(page, "document.querySelectorAll('bs-card[drawn] svg').length > 10")
        ober = "document.querySelector('bs-card[card^=Q]').getAttribute('aria-label')"
        assert "Ober" in page.run(ober)
        page.click("bs-deck button[data-deck=french]")
        assert "Dame" in page.run(ober)
        page.go(f"{address}/de/{edition}/rules/auction/")
        wait_until(page, "document.querySelectorAll('bs-chip[drawn]').length > 0")
        pressed = "document.querySelector('bs-deck button[aria-pressed=true]').dataset.deck"
        assert page.run(pressed) == "french"


@pytest.mark.parametrize("dark", [False, True])
def test_a_chapter_puts_no_obstacle_in_the_way(
    site: Path, address: str, browser: Browser, dark: bool
) -> None:
    edition = edition_in(site)
    with browser.page(f"{address}/de/{edition}/rules/cards/", dark=dark) as page:
        assert page.obstacles() == []
        page.go(f"{address}/de/{edition}/contracts/")
        assert page.obstacles() == []


def test_a_chapter_is_read_without_scripts(site: Path, address: str, browser: Browser) -> None:
    edition = edition_in(site)
    with browser.page(f"{address}/fr/{edition}/rules/play/", scripts=False) as page:
        assert page.listen().errors == []
        said = page.call("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        text = page.call("DOM.getOuterHTML", {"nodeId": said})["outerHTML"]
    for part in ("bs-text", "bs-why", "bs-example-title", "<noscript>"):
        assert part in text, part
