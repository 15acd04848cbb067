"""The site with its playable pages, a browser to open them with, and what a reader's hands do."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, BrowserError, Page, browser_for_tests

from bauernschnapsen_conformance.rulebook.site import build

LANGUAGES = ("en", "de")
TABLE = "play/table/?deal=10649000000&seat=S&dealer=E"
_BUILT: dict[str, Path] = {}


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a page that is left does not wait for the rest of its files."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in two languages; built once, whichever module asks for it first."""
    pytest.importorskip("mkdocs", reason="the site needs the extra `docs`: make docs")
    if "site" not in _BUILT:
        folder = tmp_path_factory.mktemp("site")
        assert build(folder, LANGUAGES, 2, check=False) == []
        _BUILT["site"] = folder
    return _BUILT["site"]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """A server of the site, on this machine."""
    handler = functools.partial(_Quiet, directory=str(site))
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a module."""
    with browser_for_tests() as found:
        yield found


def home(site: Path, address: str, language: str) -> str:
    """Return the address of a language's book."""
    (edition,) = [path.name for path in (site / language).iterdir() if path.is_dir()]
    return f"{address}/{language}/{edition}/"


@pytest.fixture(scope="module")
def english(site: Path, address: str) -> str:
    """The address of the English book."""
    return home(site, address, "en")


@pytest.fixture(scope="module")
def german(site: Path, address: str) -> str:
    """The address of the German book."""
    return home(site, address, "de")


def wait_until(page: Page, script: str) -> None:
    """Wait until an expression is true in the page, for five seconds at most."""
    for _ in range(100):
        # A page that is just being left answers nothing; the next one will.
        with contextlib.suppress(BrowserError):
            if page.run(script):
                return
        time.sleep(0.05)
    pytest.fail(f"not within 5 s: {script}")


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
