"""The zip of the site, opened from a folder as a reader opens it who has no network."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from browser import Browser, Page
from built_site import LANGUAGES, edition_in, wait_until
from built_site import browser as browser  # noqa: PLC0414 - a fixture
from built_site import site as site  # noqa: PLC0414 - a fixture
from playable_site import example, press

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.rulebook.offline import offline_files, write_zip

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked: its only folder."""
    target = write_zip(site, LANGUAGES, edition_in(site))
    place = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(target) as archive:
        archive.extractall(place)
    (only,) = place.iterdir()
    return only


def all_well(page: Page) -> None:
    log = page.listen()
    assert log.errors == []
    assert log.outside == []


@pytest.mark.parametrize(("language", "term"), [("de", "Vorhand"), ("uk", "козир")])
def test_search_works_from_a_folder(
    folder: Path, site: Path, browser: Browser, language: str, term: str
) -> None:
    home = folder / language / edition_in(site) / "index.html"
    results = "document.querySelectorAll('.md-search-result__link').length"
    for wanted in (term, "play.beat"):
        with browser.page(f"{home.as_uri()}?q={wanted}") as page:
            wait_until(page, f"{results} > 0")
            found = page.run(
                "[...document.querySelectorAll('.md-search-result__link')].map(a => a.href)"
            )
            # What is found is a file that is there.
            for address in found[:20]:
                path = address.removeprefix("file://").partition("?")[0].partition("#")[0]
                assert Path(path).is_file(), address
            all_well(page)
    assert any(address.endswith("#play.beat") for address in found)


def test_links_languages_and_examples_work_from_a_folder(
    folder: Path, site: Path, browser: Browser
) -> None:
    with browser.page(folder / "index.html") as page:
        page.click('a[hreflang="en"]')
        wait_until(page, "document.querySelector('.md-nav') !== null")
        page.run("document.querySelector('.md-nav a[href*=rules]').click()")
        wait_until(
            page,
            "location.href.endsWith('/rules/index.html') && document.readyState === 'complete'",
        )
        page.go((folder / "en" / edition_in(site) / "rules" / "play" / "index.html").as_uri())
        # The end of the page before may be taken for that of this one.
        wait_until(page, "document.querySelector('bs-example[data-scenario]') !== null")
        wait_until(page, "document.readyState === 'complete'")
        here = example(page, "play.beat.third-hand-partner")
        press(page, "queen of spades", here)
        wait_until(page, f"document.querySelector('{here} .bs-message a') !== null")
        rule = page.run(f"document.querySelector('{here} .bs-message a').href")
        assert rule.endswith("#play.beat")
        assert Path(rule.removeprefix("file://").partition("#")[0]).is_file()
        page.run("document.querySelector('.bs-language[hreflang=fr]').click()")
        wait_until(page, "document.documentElement?.lang === 'fr'")
        assert "/fr/" in page.run("location.href")
        all_well(page)


@pytest.mark.parametrize(
    "language",
    [pytest.param(one, marks=() if one == "ru" else pytest.mark.gates) for one in LANGUAGES],
)
def test_every_page_opens_from_a_folder(
    folder: Path, site: Path, browser: Browser, language: str
) -> None:
    pages = sorted((folder / language / edition_in(site)).rglob("*.html"))
    assert len(pages) > 25
    with browser.page() as page:
        for path in pages:
            page.go(path)
            assert page.run("document.documentElement.lang") == language, path
            # Errors of what is loaded late are heard, too.
            assert page.run("document.fonts.ready.then(() => document.readyState)") == "complete"
        all_well(page)


def test_the_same_site_gives_the_same_zip(site: Path) -> None:
    edition = edition_in(site)
    first = write_zip(site, LANGUAGES, edition).read_bytes()
    assert write_zip(site, LANGUAGES, edition).read_bytes() == first
    files = dict(offline_files(site, LANGUAGES, edition))
    # One index for search, not two; nothing that only a server has a use for.
    assert not [name for name in files if name.endswith(("search_index.json", "sitemap.xml"))]
    index = files[f"de/{edition}/search/search_index.js"].decode()
    places = [one["location"] for one in json.loads(index.removeprefix("var __index = "))["docs"]]
    assert all(place.partition("#")[0].endswith("index.html") for place in places)


def test_there_is_no_zip_without_a_site(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"there is no site.*make docs"):
        write_zip(tmp_path, LANGUAGES, "0.1")
