"""The site with its playable pages, a browser to open them with, and what a reader's hands do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import Page
from built_site import address as address  # noqa: PLC0414 - a fixture
from built_site import browser as browser  # noqa: PLC0414 - a fixture
from built_site import edition_in
from built_site import site as site  # noqa: PLC0414 - a fixture
from built_site import wait_until as wait_until  # noqa: PLC0414 - for the tests of playable pages

TABLE = "play/table/?deal=10649000000&seat=S&dealer=E"


def home(site: Path, address: str, language: str) -> str:
    """Return the address of a language's book."""
    return f"{address}/{language}/{edition_in(site)}/"


@pytest.fixture(scope="module")
def english(site: Path, address: str) -> str:
    """The address of the English book."""
    return home(site, address, "en")


@pytest.fixture(scope="module")
def german(site: Path, address: str) -> str:
    """The address of the German book."""
    return home(site, address, "de")


def all_well(page: Page, address: str) -> None:
    """Hold a page to no errors and no requests of a network."""
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
    """Choose a value of a field, as a reader does."""
    page.run(
        f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
        f"e.value = {json.dumps(value)};"
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def message(page: Page, inside: str = "bs-table") -> str:
    """Return what the page says about the last thing that was done."""
    return page.text(f"{inside} .bs-message")


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
