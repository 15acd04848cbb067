"""The HTML report: it stands alone, and says what failed and why."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from certifying import PROGRAM
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture
from html_pages import ATTACK, Outline, page_of

from bauernschnapsen.notation import CARDS
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus

pytestmark = pytest.mark.slow
Json = dict[str, Any]
CASES = ("blunders", "queries", "right", "no claims")


@pytest.mark.parametrize("case", CASES)
def test_the_page_is_well_formed_and_can_be_navigated(case: str) -> None:
    page = page_of(case)
    outline = Outline(page)
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert outline.faults == []
    assert len(outline.ids) == len(set(outline.ids))
    assert [
        outline.tags.get(tag) for tag in ("main", "nav", "header", "footer", "h1", "title")
    ] == [1] * 6
    assert outline.headings[0] == 1
    for before, after in zip(outline.headings, outline.headings[1:], strict=False):
        assert after <= before + 1
    assert {link.removeprefix("#") for link in outline.links} <= set(outline.ids)
    assert all(link.startswith("#") for link in outline.links)


@pytest.mark.parametrize("case", CASES)
def test_the_page_stands_alone_and_forbids_everything_else(case: str) -> None:
    page = page_of(case)
    assert Outline(page).asked == ["data:,"]
    assert set(re.findall(r"https?://[^\s\"'<>`]+", page)) == {"http://www.w3.org/2000/svg"}
    policy = re.search('Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1]
    for tag in ("style", "script"):
        inside = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(inside) == 1
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]


def test_a_failure_says_what_why_where_and_how_to_repeat_it() -> None:
    page = page_of("blunders")
    sections = page.split('<details class="failure"')[1:]
    told = next(one for one in sections if "may play, by the rules" in one and "walk-" in one)
    for part in (
        '<span class="verdict fail">fail</span>',
        '<dl class="rules"><dt><code>',
        '<table class="deal"><caption>The cards as dealt',
        "<small>dealer</small>",
        '<ol class="steps"><li',
        '<li class="differs">',
        "First difference after step",
        '<th scope="col">By the rules</th><th scope="col">By the engine</th>',
        "missing:",
        "It was asked with",
        "bauernschnapsen certify --only ",
        "--seed 5 -- &#x27;./my engine&#x27; --fast",
        "--wire",
    ):
        assert part in told, part
    assert told.count('<li class="differs">') == 1
    # All twenty cards, and the hand in question by the rules and by the engine.
    cards = re.findall(r'<bs-card card="(..)"', told)
    assert set(cards) == set(CARDS)
    assert len(re.findall('state="legal"', told)) >= 1
    crashed = next(one for one in sections if "no idea" in one)
    assert "stderr says:" in crashed
    assert "RuntimeError" in crashed


def test_rules_are_told_in_whole_sentences() -> None:
    for case in CASES:
        told = re.findall("<dd>(.*?)</dd>", page_of(case))
        assert told
        for text in told:
            assert text
            assert not re.search(r"\{[a-z]", text)


@pytest.mark.parametrize("case", CASES)
def test_no_code_of_a_card_is_shown(case: str) -> None:
    text = Outline(page_of(case)).text.replace(ATTACK, "")
    assert re.findall(r"\b[ATKQJ][HDSC]\b|\b(?:play|marry|bid|trump) [A-Z]\b", text) == []


def test_what_an_engine_says_can_do_nothing() -> None:
    page = page_of("blunders")
    assert "<script>alert" not in page
    assert "<img" not in page
    assert Outline(page).tags["script"] == 1 + page.count('<script type="application/json">')
    for data in re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL):
        assert json.loads(data)["views"]
    assert page.count("…") > 0
    assert len(page) < 3_000_000


def test_tricks_show_the_hand_by_the_rules_and_by_the_engine() -> None:
    page = page_of("queries")
    told = next(
        one for one in page.split('<details class="failure"')[1:] if "What may be played" in one
    )
    assert "and plays to" in told
    assert "too much:" in told
    assert "may play, by the rules:" in told


def test_what_is_not_told_in_full_is_listed() -> None:
    page = page_of("blunders", most=2)
    assert page.count('<details class="failure"') == 2
    whole = page_of("blunders")
    failures = re.search(r"Failures \((\d+)\)</h2>", page)
    assert failures is not None
    number = int(failures[1])
    assert number == whole.count('<details class="failure"') or number > 100
    assert f"{number - 2} more, in short" in page
    assert page.split("more, in short")[1].split("</section>")[0].count("<li>") == number - 2


def test_a_conforming_engine_is_told_so() -> None:
    page = page_of("right")
    assert "✓ Conforming" in page
    assert "Nothing that was asked has failed." in page
    assert "The engine showed everything that scenarios needed." in page
    assert page.count("✓ reached") >= 4


def test_what_was_not_observed_is_counted() -> None:
    page = page_of("no claims")
    observed = page.split('id="not-observed"')[1].split("</section>")[0]
    assert re.search(r'<th scope="row">[^<]+</th><td class="number">\d+</td>', observed)
    summary = page.split('id="summary"')[1].split("</section>")[0]
    assert "no claims" in summary
    assert "– not reached" in summary


# --------------------------------------------------------------------------- command


def test_certify_writes_the_report(small_suite: Corpus, tmp_path: Path) -> None:
    assert small_suite.scenarios
    file = tmp_path / "report.html"
    code = main(["certify", "--seed", "1", "--html", str(file), "--", *PROGRAM, "serve"])
    assert code == 0
    assert Outline(file.read_text("utf-8")).faults == []
    assert "✓ Conforming" in file.read_text("utf-8")


def test_a_report_that_cannot_be_written_is_told_in_one_line(
    small_suite: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert small_suite.scenarios
    file = str(tmp_path / "missing" / "report.html")
    code = main(["certify", "--only", "cards.*", "--html", file, "--", *PROGRAM, "serve"])
    assert code == 2
    error = capsys.readouterr().err
    assert "cannot be written" in error
    assert file in error
    assert "Traceback" not in error
