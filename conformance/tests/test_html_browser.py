"""The HTML report in a browser: deals can be walked through, by everybody, on paper as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, browser_for_tests
from html_pages import report as report  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.slow
Json = dict[str, Any]


# --------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_for_tests() as started:
        yield started


UNFOLD = (
    "(() => { const all = [...document.querySelectorAll('details.failure')];"
    "all.forEach(one => { one.open = false; });"
    "const one = all.find(f => f.querySelector('li.differs') && f.querySelector('.hands'));"
    "one.open = true; one.id = 'this-one'; one.scrollIntoView();"
    "const steps = one.querySelectorAll('li').length;"
    "return new Promise(done => setTimeout(() => done(steps), 400)); })()"
)


def test_a_deal_can_be_walked_through(browser: Browser, report: Path) -> None:
    with browser.page(report) as page:
        steps = page.run(UNFOLD)
        said = "#this-one .walker [role=status]"
        assert page.text(said).startswith(f"{steps} of {steps}: ")
        assert page.count("#this-one li.differs[aria-current=step]") == 1
        gone = page.count("#this-one .deal [data-gone][aria-hidden=true]")
        assert gone > 0
        assert page.count("#this-one .deal bs-card[state=legal]") > 0
        page.click("#this-one .walker button[aria-label='One step back']")
        assert page.text(said).startswith(f"{steps - 1} of {steps}: ")
        assert page.count("#this-one li.differs[aria-current=step]") == 0
        page.run("document.querySelector('#this-one .walker input').focus()")
        page.key("Home", 36)
        assert page.text(said) == f"0 of {steps}: before the first step"
        assert page.count("#this-one .deal [data-gone]") == 0
        assert page.count("#this-one .walker button:disabled") == 1
        page.key("End", 35)
        assert page.count("#this-one .deal [data-gone]") == gone
        # The status is read aloud: cards in full words.
        assert re.search("plays (ace|ten|king|queen|jack) of (hearts|diamonds|spades|clubs)",
                         page.text(said))  # fmt: skip
        log = page.listen()
        assert log.errors == []
        assert log.outside == []
        assert len(log.requests) == 1 + log.requests.count("data:,")


def test_the_choice_of_cards_reaches_every_picture(browser: Browser, report: Path) -> None:
    with browser.page(report) as page:
        page.run(UNFOLD)
        french = page.run("document.querySelector('#this-one .stage').innerHTML")
        page.click("bs-deck [data-deck=german]")
        assert page.run("document.querySelector('#this-one .stage').innerHTML") != french
        assert page.run("document.querySelector('#this-one .deal bs-card[card$=D]').ariaLabel"
                        ).endswith("of bells")  # fmt: skip
        page.run("localStorage.clear()")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_is_open_to_everybody(
    browser: Browser, report: Path, *, dark: bool, width: int
) -> None:
    with browser.page(report, dark=dark, width=width) as page:
        page.run(UNFOLD)
        assert page.obstacles(least="moderate") == []
        assert page.run("document.documentElement.scrollWidth") <= width


def test_the_page_works_without_scripts(browser: Browser, report: Path) -> None:
    with browser.page(report, scripts=False) as page:
        assert page.count("details.failure[open]") == 1
        assert page.count("bs-card svg") == 0
        shown = page.text("details.failure[open]")
        assert re.search("[♥♦♠♣]\ufe0e(A|10|K|Q|J)", shown)
        assert "Repeat this one:" in shown
        assert page.listen().errors == []


def test_everything_is_there_in_print(browser: Browser, report: Path) -> None:
    with browser.page(report) as page:
        assert page.pdf().startswith(b"%PDF-")
        assert page.count("details.failure:not([open])") == 0
        assert page.count("bs-card:not([drawn])") == 0
