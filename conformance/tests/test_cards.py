"""The cards: names and letters by language, pictures that stand alone, two renderers that agree."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from browser import Browser, browser_for_tests

from bauernschnapsen.errors import SpecError
from bauernschnapsen.notation import CARDS, RANKS, SUITS
from bauernschnapsen_conformance.cards import (
    DECKS,
    Deck,
    back_element,
    card_element,
    chip_element,
    draw_back,
    draw_card,
    draw_sign,
    draw_trick,
    load_faces,
    page_script,
    page_style,
    suit_element,
    switch_element,
    words_of,
)
from bauernschnapsen_conformance.cards.faces import FOLDER
from bauernschnapsen_conformance.cards.svg import State
from bauernschnapsen_conformance.cards.words import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"
STATES: tuple[State | None, ...] = (None, *get_args(State))
TRICK = [("N", "KH"), ("E", "AH"), ("S", "TS"), ("W", "QH")]
# In the order A 10 K Q J, as players of these languages know them from their cards.
LETTERS = {
    ("en", "french"): "A 10 K Q J",
    ("en", "german"): "A 10 K O U",
    ("de", "french"): "A 10 K D B",
    ("de", "german"): "A 10 K O U",
    ("ru", "french"): "Т 10 К Д В",
    ("ru", "german"): "Т 10 К О У",
    ("uk", "french"): "Т 10 К Д В",
    ("uk", "german"): "Т 10 К О У",
    ("fr", "french"): "A 10 R D V",
    ("fr", "german"): "A 10 R O U",
    ("pt", "french"): "A 10 K Q J",
    ("pt", "german"): "A 10 K O U",
}
NAMES: tuple[tuple[str, Deck, str, str], ...] = (
    ("en", "french", "TH", "ten of hearts"),
    ("en", "german", "QC", "Ober of acorns"),
    ("de", "french", "TH", "Herz-Zehner"),
    ("de", "french", "QS", "Pik-Dame"),
    ("de", "german", "QD", "Schell-Ober"),
    ("de", "german", "AC", "Eichel-Ass"),
    ("ru", "french", "AS", "туз пик"),
    ("ru", "french", "TC", "десятка треф"),
    ("uk", "french", "KD", "король бубни"),
    ("uk", "german", "JC", "унтер жолудів"),
    ("fr", "french", "TH", "dix de cœur"),
    ("fr", "french", "AC", "as de trèfle"),
    ("pt", "french", "AH", "ás de copas"),
    ("pt", "french", "JS", "valete de espadas"),
)


# --------------------------------------------------------------------------- words


@pytest.mark.parametrize(("language", "deck"), LETTERS)
def test_the_corner_shows_the_letters_of_the_language(language: str, deck: Deck) -> None:
    words = words_of(language)
    assert " ".join(words.letter(f"{rank}H", deck) for rank in RANKS) == LETTERS[language, deck]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_glyph_for_every_letter(language: str) -> None:
    faces, words = load_faces(), words_of(language)
    written = {sign for deck in DECKS for letter in words.letters[deck].values() for sign in letter}
    assert {faces["same_glyph"].get(sign, sign) for sign in written} <= faces["glyphs"].keys()


@pytest.mark.parametrize(("language", "deck", "card", "name"), NAMES)
def test_a_card_is_named_in_the_order_and_case_of_the_language(
    language: str, deck: Deck, card: str, name: str
) -> None:
    assert words_of(language).card(card, deck) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_cards_of_a_deck_have_names_of_their_own(language: str) -> None:
    for deck in DECKS:
        assert len({words_of(language).card(card, deck) for card in CARDS}) == 20


def test_a_language_without_cards_is_told_as_such() -> None:
    with pytest.raises(SpecError, match="no cards in the language 'ge'"):
        words_of("ge")


# --------------------------------------------------------------------------- drawing


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_needs_nothing_but_itself(language: str, deck: Deck) -> None:
    words = words_of(language)
    pictures = [draw_card(card, words, deck, state=state) for card in CARDS for state in STATES]
    pictures += [draw_back(words), draw_trick(TRICK, words, deck, winner="E")]
    pictures += [draw_trick(TRICK[:1], words, deck, seats=3)]
    for picture in pictures:
        root = ET.fromstring(picture)
        assert root.get("role") == "img"
        assert root.get("aria-label") == root.findtext(f"{SVG}title") != ""
        for element in root.iter():
            assert element.tag in {
                SVG + tag for tag in ("svg", "g", "path", "rect", "title", "text")
            }
            # What would refer to something else, or needs a style sheet.
            assert not element.attrib.keys() & {
                "id",
                "href",
                "style",
                "clip-path",
                "filter",
                "mask",
            }
            assert not any("url(" in value for value in element.attrib.values())
            if element.tag in (SVG + "path", SVG + "rect"):
                assert element.get("fill") is not None or element.tag == SVG + "path"


def test_no_text_is_drawn_on_a_card() -> None:
    """Letters are lines: no font is needed, and no search index finds them."""
    for deck in DECKS:
        for card in CARDS:
            root = ET.fromstring(draw_card(card, words_of("uk"), deck))
            assert [one.text for one in root.iter() if one.tag != SVG + "title" and one.text] == []


@pytest.mark.parametrize("deck", DECKS)
def test_every_card_looks_different_even_without_colour(deck: Deck) -> None:
    words = words_of("de")
    shapes = {re.sub(r'#[0-9a-f]{6}|aria-label="[^"]*"|<title>.*?</title>', "", picture)
              for picture in (draw_card(card, words, deck) for card in CARDS)}  # fmt: skip
    assert len(shapes) == 20


def test_every_state_looks_different_even_without_colour() -> None:
    words = words_of("en")
    pictures = [draw_card("TH", words, state=state, label="") for state in STATES]
    assert len({re.sub("#[0-9a-f]{6}", "", picture) for picture in pictures}) == len(STATES)
    legal, illegal = (draw_card("TH", words, state=state) for state in ("legal", "illegal"))
    assert 'opacity="0.42"' in illegal
    assert "ten of hearts, may not be played" in illegal
    assert 'transform="translate(0 -8)"' in legal
    assert load_faces()["colours"]["legal"] in legal


@pytest.mark.parametrize("deck", DECKS)
def test_suits_differ_in_colour_and_form_and_are_legible(deck: Deck) -> None:
    faces = load_faces()
    suits = faces["decks"][deck]["suits"]
    dimmed = re.findall(r"\.bs-paper \{ fill: (#[0-9a-f]{6}); \}", page_style())
    assert len(set(dimmed)) == 1
    for one, other in combinations(SUITS, 2):
        assert suits[one]["ink"] != suits[other]["ink"]
        assert suits[one]["sign"] != suits[other]["sign"]
    for suit in SUITS:
        for paper in (faces["colours"]["paper"], dimmed[0]):
            assert _contrast(suits[suit]["ink"], paper) >= 4.5, (suit, paper)


@pytest.mark.parametrize("deck", DECKS)
def test_a_card_reads_the_same_from_both_ends(deck: Deck) -> None:
    """The corner, and the signs of ace and ten, stand at both ends."""
    words = words_of("de")
    for card in CARDS:
        root = ET.fromstring(draw_card(card, words, deck))
        turned = [one for one in root.iter() if one.get("transform") == "rotate(180 50 75)"]
        assert len(turned) == (1 if card[0] in "QJ" and deck == "german" else
                               1 if card[0] == "A" and deck == "french" else 2)  # fmt: skip


def test_names_from_outside_cannot_break_the_picture() -> None:
    words = words_of("en")
    names = dict.fromkeys("NESW", "<b>&\"'")
    root = ET.fromstring(draw_trick(TRICK, words, names=names, label="<&>\"'"))
    assert root.get("aria-label") == "<&>\"'"
    assert root.findtext(f"{SVG}text") == "<b>&\"'"


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# --------------------------------------------------------------------------- the renderer for pages

COMPARE = """
import { readFileSync } from "node:fs";
const module = await import(process.argv[1]);
const { drawCard, drawBack, drawSign, drawTrick } = module;
const faces = JSON.parse(readFileSync(process.argv[2], "utf8"));
const draw = { card: drawCard, back: drawBack, trick: drawTrick };
const answers = JSON.parse(readFileSync(0, "utf8")).map(([kind, words, ...rest]) =>
  kind === "sign" ? drawSign(faces, ...rest) : draw[kind](faces, words, ...rest));
process.stdout.write(JSON.stringify(answers));
"""


def test_both_renderers_print_the_same_letter_for_letter() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on the PATH to run cards.mjs")
    asked: list[Any] = []
    wanted: list[str] = []
    for language in LANGUAGES:
        words = words_of(language)
        data = words.data()
        for deck in DECKS:
            for card in CARDS:
                state = STATES[len(asked) % len(STATES)]
                width = 40 + len(asked) % 7 / 3
                asked.append(["card", data, card, {"deck": deck, "state": state, "width": width}])
                wanted.append(draw_card(card, words, deck, state=state, width=width))
            asked += [
                ["trick", data, TRICK, {"deck": deck, "winner": "E", "width": 61}],
                ["trick", data, [["S", "AC"]], {"deck": deck, "seats": 3, "names": data["seats"]}],
                ["trick", data, [], {"deck": deck}],
                ["sign", None, "C", {"deck": deck, "size": 17}],
                ["back", data, {"width": 33}],
                ["card", data, "JH", {"deck": deck, "hidden": True}],
                ["card", data, "JH", {"deck": deck, "label": 'l\'as & "co"'}],
            ]
            wanted += [
                draw_trick(TRICK, words, deck, winner="E", width=61),
                draw_trick([("S", "AC")], words, deck, seats=3, names=words.seats),
                draw_trick([], words, deck),
                draw_sign("C", deck, size=17),
                draw_back(words, width=33),
                draw_card("JH", words, deck, hidden=True),
                draw_card("JH", words, deck, label='l\'as & "co"'),
            ]
    run = subprocess.run(
        [node, "--input-type=module", "--eval", COMPARE,
         (FOLDER / "cards.mjs").as_uri(), str(FOLDER / "faces.json")],
        input=json.dumps(asked).encode(), capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr.decode()
    got = json.loads(run.stdout)
    assert len(got) == len(wanted)
    for question, one, other in zip(asked, got, wanted, strict=True):
        assert one == other, question


def test_the_script_can_stand_in_a_page() -> None:
    for language in LANGUAGES:
        script = page_script(words_of(language))
        assert "</script" not in script.lower()
        assert "<!--" not in script
        assert not re.search("^(import|export) ", script, re.MULTILINE)


# --------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_for_tests() as started:
        yield started


def _page(folder: Path, language: str) -> Path:
    words = words_of(language)
    cards = "".join(card_element(card, words, width=46) for card in CARDS)
    page = folder / f"{language}.html"
    page.write_text(
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Cards</title>'
        f"<style>{page_style()}</style></head><body><main>{switch_element()}<p id='all'>{cards}</p>"
        f"<p id='states'>{card_element('TH', words, state='legal')}"
        f"{card_element('QS', words, state='illegal')}{back_element(words)}</p>"
        f"<p id='text' style='width: 6em'>{chip_element('TD', words)} {chip_element('QC', words)} "
        f"{suit_element('H', words)} {card_element('KC', words, deck='french')}</p></main>"
        f"<script>{page_script(words)}</script></body></html>",
        "utf-8",
    )
    return page


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_draws_the_cards_of_its_language(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    words = words_of(language)
    first: Deck = "german" if language == "de" else "french"
    with browser.page(_page(tmp_path, language), width=400) as page:
        said = page.run("[...document.querySelectorAll('#all bs-card')].map(c => c.ariaLabel)")
        assert said == [words.card(card, first) for card in CARDS]
        assert page.count("#all bs-card[role=img] > svg[aria-hidden=true]") == 20
        assert page.count(f"bs-deck [data-deck={first}][aria-pressed=true]") == 1
        # What is left of text is what chips say: letters of the language, never a data code.
        assert page.text("#text").split() == [words.letter("TD", first), words.letter("QC", first)]
        log = page.listen()
        assert log.errors == []
        assert log.outside == []


@pytest.mark.slow
def test_the_choice_of_cards_is_kept_and_spoken(browser: Browser, tmp_path: Path) -> None:
    words = words_of("en")
    file = _page(tmp_path, "en")
    with browser.page(file) as page:
        french = page.run("document.querySelector('#all').innerHTML")
        page.click("bs-deck [data-deck=german]")
        assert page.run("document.querySelector('#all').innerHTML") != french
        assert page.run("document.querySelector('bs-chip[card=QC]').ariaLabel") == "Ober of acorns"
        assert page.run("document.querySelector('bs-card[deck]').ariaLabel") == "king of clubs"
        assert page.run("document.querySelector('bs-chip[suit]').ariaLabel") == "hearts"
        page.go(file)
        assert page.count("bs-deck [data-deck=german][aria-pressed=true]") == 1
        said = page.run("document.querySelector('#all bs-card').ariaLabel")
        assert said == words.card("AH", "german")
        # By keyboard: the first button is the first thing to reach.
        page.key("Tab", 9)
        page.key("Enter", 13)
        assert page.count("bs-deck [data-deck=french][aria-pressed=true]") == 1
        assert page.run("document.querySelector('#all').innerHTML") == french


@pytest.mark.slow
def test_the_corner_is_legible_at_46_pixels(browser: Browser, tmp_path: Path) -> None:
    with browser.page(_page(tmp_path, "en"), width=400) as page:
        sizes = page.run(
            "[...document.querySelectorAll('#all bs-card > svg')].map(svg => {"
            "const corner = svg.querySelector('g[stroke-width=\"3.9\"]').getBoundingClientRect();"
            "const card = svg.getBoundingClientRect();"
            "return [card.width, corner.height, corner.left - card.left, corner.width]; })"
        )
    assert len(sizes) == len(CARDS)
    for wide, high, left, across in sizes:
        assert wide == pytest.approx(46, abs=0.6)
        assert high >= 9.5
        assert left >= 1
        assert left + across <= 15


@pytest.mark.slow
def test_a_chip_is_never_broken(browser: Browser, tmp_path: Path) -> None:
    with browser.page(_page(tmp_path, "en"), width=320) as page:
        boxes = "[...document.querySelectorAll('bs-chip')].map(c => c.getClientRects().length)"
        assert page.run(boxes) == [1, 1, 1]


@pytest.mark.slow
def test_without_scripts_the_cards_are_text(browser: Browser, tmp_path: Path) -> None:
    _page(tmp_path, "de")
    with browser.page(_page(tmp_path, "uk"), scripts=False) as page:
        assert page.text("#all").startswith("♥\ufe0eТ♥\ufe0e10♥\ufe0eК")
        assert page.text("#states").startswith("♥\ufe0e10 ✓")
    with browser.page(tmp_path / "de.html", scripts=False) as page:
        assert page.text("#text").startswith("Schell-Zehner")
