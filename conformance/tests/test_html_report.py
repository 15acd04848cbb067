"""The HTML report: it stands alone, says what failed and why, and can be walked through."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, browser_for_tests
from certifying import PROGRAM, certified, kind
from certifying import small_suite as small_suite  # noqa: PLC0414 - a fixture

from bauernschnapsen.notation import CARDS
from bauernschnapsen.ruleset import load_ruleset, vary
from bauernschnapsen_conformance.commands import main
from bauernschnapsen_conformance.corpus import Corpus
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.corpus.wording import contract_name, fill_in, glossary, rule_text
from bauernschnapsen_conformance.engine import Engine
from bauernschnapsen_conformance.report import html_words as say
from bauernschnapsen_conformance.report.html import html_report
from bauernschnapsen_conformance.report.machine import json_report
from bauernschnapsen_conformance.report.repeat import Repeat
from bauernschnapsen_conformance.views import Difference

pytestmark = pytest.mark.slow
Json = dict[str, Any]
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&"
VOID = {"meta", "link", "br", "input", "img", "hr"}
ENGINE = Engine(("./my engine", "--fast"))


class Blunderer:
    """The reference engine with blunders of every kind, and with texts that attack the page."""

    def __init__(self, *, queries: bool = False) -> None:
        self.inner = kind(starts=()) if queries else kind()

    def handle(self, message: Json) -> Json:
        reply: Json = self.inner.handle(message)
        if message["op"] == "hello":
            reply["ok"]["engine"]["name"] = f"Blunderer {ATTACK}"
        elif message["op"] == "legal_plays" and "ok" in reply:
            for case, answer in zip(message["cases"], reply["ok"], strict=True):
                answer[:] = case["hand"]
        elif message["op"] == "replay" and "ok" in reply:
            self._blunder(message, reply)
        return reply

    def _blunder(self, message: Json, reply: Json) -> None:
        what = sum(map(ord, json.dumps(message["deals"]))) % 5
        if what == 0:
            raise RuntimeError(f"no idea {ATTACK}")
        for view in (view for deal in reply["ok"] for view in deal):
            for actions in view["legal"].values():
                if what == 1 and view["trick"] and len(actions) > 1:
                    actions.pop()
            if what == 2:
                view["to_act"] = ATTACK * 100
            elif what == 3 and view["outcome"]:
                view["outcome"] = {ATTACK: [ATTACK] * 500, "awards": {"NS": 1e9, "EW": [[[[[]]]]]}}


class Outline(HTMLParser):
    """Holds a page to the rules of HTML that a parser would silently mend."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.tags: dict[str, int] = {}
        self.asked: list[str] = []
        self.shown: list[str] = []
        self.feed(page)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if len(given) != len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if "id" in given:
            self.ids.append(given["id"] or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        elif tag == "th" and "scope" not in given:
            self.faults.append("th without scope")
        self.asked += [v or "" for k, v in attrs if k in ("src", "srcset", "action", "poster")]
        if tag == "link":
            self.asked.append(given["href"] or "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if any(name.startswith("on") for name in given):
            self.faults.append(f"{tag} with a script in an attribute")
        if "p" in self.open and tag in ("p", "div", "table", "pre", "ol", "ul", "dl", "details"):
            self.faults.append(f"{tag} in p")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "code", "pre"} & set(self.open):
            self.shown.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.shown).split())


@lru_cache
def page_of(case: str, most: int = 100) -> str:
    cases: dict[str, tuple[Any, dict[str, Any]]] = {
        "blunders": (Blunderer(), {"step": 4, "blind": True, "seed": 5}),
        "queries": (Blunderer(queries=True), {"step": 2}),
        "right": (kind(), {"step": 8}),
        "no claims": (kind(claims="none"), {"step": 4}),
    }
    engine, how = cases[case]
    report = certified(engine, **how)
    whole = json_report(report, ENGINE)
    repeat = Repeat(ENGINE, seed=report.seed, blind=report.blind)
    return html_report(report, whole, load_rules(), repeat, most_failures=most).decode()


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
        page = page_of(case)
        for text in re.findall("<dd>(.*?)</dd>", page):
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


# --------------------------------------------------------------------------- words


TALON_AGREEMENTS: dict[str, Any] = {
    "options": {"talon_raise": "allowed", "no_talon_bonus": 1, "no_talon_precedence": "present"},
    "contracts": {"farben-gang": {"held_at": "after_talon"}},
}


def test_every_rule_can_be_told_under_every_value_of_its_field() -> None:
    rulesets = [load_ruleset(name) for name in ("pagat", "talon", "talon_carinthia")]
    rulesets.append(vary(rulesets[1], TALON_AGREEMENTS))
    for rule in load_rules().values():
        assert rule.chapter == "talon" or rule_text(rule, rulesets[0]), rule.id
        for language in ("en", "de"):
            told = [text for one in rulesets if (text := rule_text(rule, one, language))]
            assert told, (rule.id, language)
            assert not [text for text in told if re.search(r"\{[a-z]", text)], (rule.id, told)


def test_a_text_follows_the_ruleset() -> None:
    pagat = load_ruleset("pagat")
    rules = load_rules()
    opening = rules["auction.must-open"]
    other = vary(pagat, {"options": {"opening": "pass_means_normal"}})
    assert rule_text(opening, pagat) == "At his first turn forehand has to bid and may not pass."
    assert rule_text(opening, other).startswith("At his first turn forehand may pass")
    assert fill_in("{contracts.bettler.value}", pagat) == "4"
    assert fill_in("{contracts.bettler.bidders}", pagat, "de") == "jeder Spieler"
    assert fill_in("{contracts.nothing.value}", pagat) == "{contracts.nothing.value}"
    assert contract_name("gang") == "Gang"
    assert contract_name("unheard-of") == "unheard-of"


@pytest.mark.parametrize("text", glossary()["actions"])
def test_every_action_is_a_sentence(text: str) -> None:
    full = {
        "trump": "trump H", "turn-up": "turn-up 1", "bid": "bid gang", "raise": "raise gang",
        "play": "play KH", "marry": "marry KH", "discard": "discard AH TH",
    }.get(text, text)  # fmt: skip
    assert not say.action(full).startswith("<code>"), full


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        (("to_act",), "W", "West"),
        (("to_act",), None, "none"),
        (("contract", "name"), "gang", "Gang"),
        (("outcome", "awards"), {"NS": 0, "EW": 9}, "North and South: 0; East and West: 9"),
        (("outcome", "reason"), "<b>", "&lt;b&gt;"),
        (("refused",), None, "accepted"),
        (("refused",), True, "refused"),
        (("refused",), "play.beat", "refused, <code>play.beat</code>"),
        (("game", "winners"), ["EW"], "East and West"),
        (("legal", "W"), [], "nothing"),
        (("points", "NS"), 12, "12"),
        (("points", "NS"), True, "true"),
        (("points", "NS"), "\x1b[31m", "\N{REPLACEMENT CHARACTER}[31m"),
    ],
)
def test_values_are_told_in_words(path: tuple[str, ...], value: Any, shown: str) -> None:
    assert say.value(Difference(0, 0, path, None, value, True), value) == shown


def test_values_of_any_depth_and_length_are_bounded() -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = [deep, {"a": deep}] if not isinstance(deep, list) or len(str(deep)) < 500 else [deep]
    for value in (deep, ["play KH"] * 10_000, "x" * 100_000, {str(n): n for n in range(9999)}):
        for path in (("legal", "W"), ("points",), ("refused",)):
            assert len(say.value(Difference(0, 0, path, None, value, True), value)) < 60_000


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


# --------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_for_tests() as started:
        yield started


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(page_of("blunders", most=20), "utf-8")
    return file


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
