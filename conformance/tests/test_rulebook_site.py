"""The rulebook: pages made from data, the site read over."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from built_site import LANGUAGES, edition_in
from built_site import site as site  # noqa: PLC0414 - a fixture
from click.testing import CliRunner

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.commands.rulebook import command
from bauernschnapsen_conformance.corpus.rules import load_rules
from bauernschnapsen_conformance.rulebook import model
from bauernschnapsen_conformance.rulebook.checks import (
    Read,
    check_page,
    check_site,
    read_page,
    read_site,
)
from bauernschnapsen_conformance.rulebook.examples import action_html, full_example_html
from bauernschnapsen_conformance.rulebook.handwritten import fill
from bauernschnapsen_conformance.rulebook.model import Book, load_book
from bauernschnapsen_conformance.rulebook.pages_rules import chapter_page
from bauernschnapsen_conformance.rulebook.pages_tables import contracts_table
from bauernschnapsen_conformance.rulebook.publish import make_site
from bauernschnapsen_conformance.rulebook.site import build
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

DOCS = Path(__file__).resolve().parents[2] / "docs"


# ------------------------------------------------------------------ the book


@pytest.fixture(scope="module")
def book() -> Book:
    return load_book()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_stands_once_in_the_book_with_the_same_anchor(book: Book, language: str) -> None:
    pages = [
        chapter_page(chapter, book, tongue_of(language)).markdown() for chapter in book.chapters
    ]
    whole = "\n".join(pages)
    anchors = re.findall(r"^## .*\{ #(\S+)", whole, re.MULTILINE)
    assert anchors == list(book.entries)
    assert set(anchors) == {rule.id for rule in load_rules().values()}
    assert "{contracts." not in whole
    assert "{options." not in whole


def test_every_example_is_printed_once_and_every_rule_shows_or_names_one(book: Book) -> None:
    whole = "\n".join(
        chapter_page(chapter, book, tongue_of("en")).markdown() for chapter in book.chapters
    )
    printed = re.findall(r'<bs-example data-scenario="([^"]+)"', whole)
    assert sorted(printed) == sorted(book.examples)
    for entry in book.entries.values():
        if entry.examples:
            rest = whole[whole.index(f"{{ #{entry.rule.id} ") :]
            after = rest.split("\n## ")[0]
            assert "bs-example" in after or "bs-see" in after, entry.rule.id


# A word in English may be the code itself; where English lacks it, so do the others.
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_whatever_is_done_in_an_example_has_words(book: Book, language: str) -> None:
    tongue = tongue_of(language)
    done = {
        action
        for example in book.examples.values()
        for deal in example.prepared.deals
        for _, action in deal["actions"]
    }
    # What is no action at all, too.
    assert {"wait", "no kontra", "not enough"} <= done
    for action in sorted(done):
        said = action_html(action, tongue)
        assert said != action
        assert said != tongue("action.other", words=action), action
    # What an example tries next year is at least marked as what is said.
    assert action_html("fly <b>", tongue) == tongue("action.other", words="fly &lt;b&gt;")


@pytest.mark.slow
def test_an_example_is_data_for_the_player_and_words_for_others(book: Book) -> None:
    site = make_site("de", DOCS, None)
    page = site.pages["rules/play.md"].markdown()
    start = page.index('data-scenario="play.beat.third-hand-partner"')
    inside = page[start : page.index("</bs-example>", start)]
    assert "4 + 2 + 10 + 11 = 27 Augen" in inside
    assert re.search(r"\b[ATKQJ][HDSC]\b", inside) is None
    script = site.assets["assets/examples/play.js"]
    assert 'src="../../assets/examples/play.js"' in page
    assert isinstance(script, str)
    data = json.loads(script[script.index("), {") + 3 : script.rindex(");")])
    own = data["play.beat.third-hand-partner"]
    assert own["deals"][0]["hands"]["S"].split()[0] == "TS"
    assert own["deals"][0]["actions"][0] == "N play KS"
    assert own["refused"] == [[0, 2, "play.beat"]]
    # The data says nothing in any language: all of them share it.
    assert script == make_site("ru", DOCS, None).assets["assets/examples/play.js"]
    full = full_example_html(book.examples["play.beat.third-hand-partner"], book, tongue_of("de"))
    assert "abgelehnt" in full
    assert "♠\ufe0eD" in full


@pytest.mark.slow
def test_one_value_of_a_contract_changes_every_place(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(
        "ruleset: house\nextends: pagat\ncontracts:\n"
        "  bettler: {value: 7}\n  zehner-gang: {played: false}\n"
    )
    own, tongue = load_book(house), tongue_of("de")
    contracts = next(chapter for chapter in own.chapters if chapter.name == "contracts")
    page = chapter_page(contracts, own, tongue).markdown()
    assert "dafür gibt es 7 Spielpunkte" in page
    assert "zehner-gang" not in page
    assert '>Bettler</span> <a href="' in contracts_table(own, tongue)
    row = contracts_table(own, tongue).split("c-bettler")[1].split("</tr>")[0]
    assert ">7</td>" in row
    assert fill("{contracts.bettler.value}", "learn.md", own, tongue) == "7"
    # Numbers close up, names stay.
    assert "contracts.zehner-gang" not in own.entries
    assert [entry.number for entry in contracts.entries] == [
        f"{contracts.number}.{place}" for place in range(1, len(contracts.entries) + 1)
    ]


@pytest.mark.slow
def test_one_changed_sentence_changes_page_and_index(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = dict(load_rules())
    old = rules["play.own-cards"]
    text = {**old.text, "en": "A player sings before he plays."}
    rules["play.own-cards"] = replace(old, text=text, data={**old.data, "text": text})
    monkeypatch.setattr(model, "load_rules", lambda: rules)
    site = make_site("en", DOCS, None)
    for path in ("rules/play.md", "index/rules.md"):
        page = site.pages[path].markdown()
        assert "A player sings before he plays" in page
        assert old.text["en"] not in page
    assert ("ru", "play.own-cards") in make_site("ru", DOCS, None).book.stale


def test_names_in_hand_written_pages_must_exist(book: Book) -> None:
    tongue = tongue_of("en")
    assert 'href="../rules/play/#play.beat">' in fill("x [[play.beat]]", "learn.md", book, tongue)
    assert fill("`[[play.beat]]`", "learn.md", book, tongue) == "`[[play.beat]]`"
    with pytest.raises(SpecError, match=r"2: there is no rule 'play.baet'.*play.beat"):
        fill("x\n[[play.baet]]", "learn.md", book, tongue)
    with pytest.raises(SpecError, match="names nothing"):
        fill("{card:ace-herts}", "learn.md", book, tongue)


def test_an_old_translation_is_marked(book: Book) -> None:
    aged = replace(book, stale=frozenset({("de", "play.beat")}))
    play = next(chapter for chapter in book.chapters if chapter.name == "play")
    assert "bs-stale" not in chapter_page(play, book, tongue_of("de")).markdown()
    page = chapter_page(play, aged, tongue_of("de")).markdown()
    assert page.count("bs-stale") == 1
    assert "bs-stale" not in chapter_page(play, aged, tongue_of("en")).markdown()


@pytest.mark.slow
def test_the_book_of_a_table_of_ones_own(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(
        "ruleset: house\nextends: pagat\ntitle: {en: Our table}\ncontracts: {bettler: {value: 5}}\n"
    )
    target = tmp_path / "book.html"
    done = CliRunner().invoke(command, [str(house), "--output", str(target)])
    assert done.exit_code == 0, done.output
    text = target.read_text("utf-8")
    assert "<title>Our table</title>" in text
    assert "contracts.bettler.value" in text
    assert "{{" not in re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    ids = set(re.findall(r' id="([^"]+)"', text))
    for anchor in re.findall(r'href="#([^"]+)"', text):
        assert anchor in ids, anchor
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', text)
    missing = CliRunner().invoke(command, ["--language", "xx"])
    assert isinstance(missing.exception, SpecError)


# ------------------------------------------------------------------ the site


@pytest.mark.slow
@pytest.mark.parametrize(
    "languages", [("uk",), pytest.param(LANGUAGES, marks=pytest.mark.gates)], ids=["one", "all"]
)
def test_two_builds_are_the_same_byte_for_byte(tmp_path: Path, languages: tuple[str, ...]) -> None:
    pytest.importorskip("mkdocs", reason="the site needs the extra `docs`: make docs")

    def contents(root: Path) -> dict[str, bytes]:
        assert build(root, languages, 2, check=False) == []
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file()
        }

    first, second = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 25


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Read]:
    return read_site(site)


@pytest.mark.slow
def test_the_site_is_small_and_loads_nothing_from_elsewhere(site: Path) -> None:
    # What is there to take along, or to print, is no part of what a reader opens.
    apart = {site / "offline", site / "pdf"}
    files = [one for one in site.rglob("*") if one.is_file() and not apart & set(one.parents)]
    assert sum(path.stat().st_size for path in files) < 8_000_000
    assert not [path for path in files if path.suffix == ".map"]
    for path in files:
        if path.suffix == ".css":
            assert not re.search(r"url\(['\"]?(?:https?:)?//", path.read_text("utf-8")), path
    names = json.loads((site / "rule-ids.json").read_bytes())
    assert names["play.beat"]["address"] == "rules/play/#play.beat"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ('<a href="../nowhere/">x</a>', "leads nowhere"),
        ('<a href="../auction/#play.beat">x</a>', "has no such anchor"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ("<p>He plays KH.</p>", "shows the data code KH"),
        ('<b title="the AS"></b>', "shows the data code AS"),
        ("<p>{contracts.gang.value}</p>", "has the blank"),
    ],
)
def test_the_check_finds_what_is_wrong(
    site: Path, pages: dict[Path, Read], broken: str, said: str
) -> None:
    edition = edition_in(site)
    path = site / "en" / edition / "rules" / "play" / "index.html"
    assert list(check_page(path, site, edition, pages)) == []
    text = path.read_text("utf-8").replace("</article>", f"{broken}</article>")
    changed = {**pages, path: read_page(text)}
    faults = list(check_page(path, site, edition, changed))
    assert len(faults) == 1, faults
    assert said in faults[0]


@pytest.mark.slow
def test_a_lost_anchor_is_found(site: Path, pages: dict[Path, Read]) -> None:
    edition = edition_in(site)
    path = site / "de" / edition / "rules" / "play" / "index.html"
    text = path.read_text("utf-8").replace('id="play.beat"', 'id="play.bet"')
    faults = check_site(site, edition, ["de"], {**pages, path: read_page(text)})
    assert "de: the rule play.beat has no anchor" in faults
    assert any("has no such anchor" in fault for fault in faults)
