"""The printed book and the quick sheet: text, bookmarks, page numbers, tags, fonts, and answers."""

from __future__ import annotations

import builtins
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.commands.rulebook import command
from bauernschnapsen_conformance.corpus.translations import load_languages
from bauernschnapsen_conformance.rulebook.model import Book, load_book
from bauernschnapsen_conformance.rulebook.pdf import book_html, print_pdf, sheet_html
from bauernschnapsen_conformance.rulebook.pdf.example import example_printer
from bauernschnapsen_conformance.rulebook.pdf.pictures import Pictures
from bauernschnapsen_conformance.rulebook.tongue import tongue_of

LANGUAGES = load_languages().published
CODE = re.compile(r"(?<![\w./#-])[ATKQJ][HDSC](?![\w-])")


@pytest.fixture(scope="module")
def book() -> Book:
    return load_book()


def part_of(book: Book, *chapters: str) -> Book:
    """The book with a few of its chapters, which prints in seconds."""
    return replace(book, chapters=tuple(one for one in book.chapters if one.name in chapters))


def printed(html: str, pictures: Pictures, *, one_page: bool = False) -> Any:
    pytest.importorskip("weasyprint", reason="printing needs the extra `docs`: make docs")
    pypdf = pytest.importorskip("pypdf")
    return pypdf.PdfReader(io.BytesIO(print_pdf(html, pictures, one_page=one_page)))


def bookmarks(reader: Any) -> dict[str, int]:
    """Every bookmark with the number of its page, counted from 1."""

    def flat(entries: list[Any]) -> Iterator[Any]:
        for entry in entries:
            if isinstance(entry, list):
                yield from flat(entry)
            else:
                yield entry

    return {
        str(entry.title): reader.get_destination_page_number(entry) + 1
        for entry in flat(reader.outline)
    }


def fonts(reader: Any) -> set[str]:
    return {
        str(font.get_object()["/BaseFont"]).partition("+")[2]
        for page in reader.pages
        for font in page["/Resources"].get("/Font", {}).values()
    }


def hold_to_the_rules_of_print(reader: Any, language: str) -> None:
    root = reader.trailer["/Root"]
    assert root["/Lang"] == language
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert b"pdfuaid:part" in root["/Metadata"].get_data()
    # Our own fonts alone: the book is the same on every machine, and no letter is a box.
    names = fonts(reader)
    assert names
    assert all(name.startswith(("Book-Latin", "Book-Cyrillic")) for name in names), names
    assert all(page.mediabox[2:] == reader.pages[0].mediabox[2:] for page in reader.pages)


def hold_to_the_book(reader: Any, book: Book, language: str) -> None:
    """Bookmarks, contents, heads and texts of a book say the same as its data."""
    tongue = tongue_of(language)
    hold_to_the_rules_of_print(reader, language)
    marks = bookmarks(reader)
    texts = [page.extract_text() for page in reader.pages]
    contents = next(text for text in texts[1:] if text.startswith(tongue("print.contents")))
    for chapter in book.chapters:
        title = f"{chapter.number} {tongue.of(chapter.title).text}"
        page = marks[title]
        assert title in texts[page - 1]
        # In the contents the title is followed by dots and the number of that page.
        line = next(one for one in contents.splitlines() if title in one)
        assert re.search(rf"\.\s*{page}$", line), line
        # The head of every page but the first of a part says which chapter it is in.
        if page + 1 not in marks.values():
            assert title in texts[page], (title, page)
        for entry in chapter.entries[:: 1 + len(chapter.entries) // 12]:
            label = next(one for one in marks if one.startswith(f"{entry.number} "))
            assert entry.rule.id in texts[marks[label] - 1]
            said = tongue.rule(entry.rule, entry.ruleset).text
            words = re.sub(r"\s+", "", said)[:30]
            whole = re.sub(r"\s+|-\n", "", "".join(texts[marks[label] - 1 : marks[label] + 1]))
            assert words.replace("-", "") in whole.replace("-", ""), entry.rule.id
    for number, text in enumerate(texts, start=1):
        if number > 1:
            assert str(number) in text.split()[-1:] + text.split()[:3], (number, text[-40:])
    players = [text for text in texts if tongue("options.title") not in text[:80]]
    assert not [
        found
        for text in players[: marks[tongue("contracts.title")]]
        for found in CODE.findall(text)
    ]


@pytest.mark.slow
def test_a_printed_book_says_what_its_data_says(book: Book) -> None:
    some = part_of(book, "cards", "scoring")
    html, pictures = book_html(some, tongue_of("uk"))
    hold_to_the_book(printed(html, pictures), some, "uk")


@pytest.mark.gates
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_book_in_every_language(book: Book, language: str) -> None:
    html, pictures = book_html(book, tongue_of(language))
    hold_to_the_book(printed(html, pictures), book, language)


@pytest.mark.slow
@pytest.mark.parametrize(
    "language",
    [
        pytest.param(one, marks=() if one in ("de", "ru") else pytest.mark.gates)
        for one in LANGUAGES
    ],
)
def test_the_quick_sheet_is_one_a4_page(book: Book, language: str) -> None:
    tongue = tongue_of(language)
    reader = printed(*sheet_html(book, tongue), one_page=True)
    hold_to_the_rules_of_print(reader, language)
    (page,) = reader.pages
    assert [round(float(side) / 72 * 25.4) for side in page.mediabox[2:]] == [210, 297]
    text = re.sub(r"\s+|-\n", "", page.extract_text())
    for name in ("bettler", "herren-schnapser"):
        assert re.sub(r"\s+", "", tongue.contract(name)) in text
    assert CODE.findall(page.extract_text()) == []


@pytest.mark.slow
def test_a_sheet_of_ones_own_table_says_its_values(tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="printing needs the extra `docs`: make docs")
    pypdf = pytest.importorskip("pypdf")
    house, target = tmp_path / "house.yaml", tmp_path / "sheet.pdf"
    house.write_text("ruleset: house\nextends: pagat\ncontracts: {bettler: {value: 17}}\n")
    given = [str(house), "--sheet", "--deck", "german", "--output", str(target)]
    done = CliRunner().invoke(command, given)
    assert done.exit_code == 0, done.output
    first = target.read_bytes()
    assert re.search(r"Bettler[\s\d.]*17", pypdf.PdfReader(target).pages[0].extract_text())
    # The same once more, byte for byte.
    assert CliRunner().invoke(command, given).exit_code == 0
    assert target.read_bytes() == first
    both = CliRunner().invoke(command, [str(house), "--sheet", "--pdf"])
    assert both.exit_code == 2


def test_an_answer_names_the_rule_under_each_card_that_is_refused(book: Book) -> None:
    tongue = tongue_of("en")
    pictures = Pictures(tongue.cards, "french")
    example = book.examples["play.beat.third-hand-partner"]
    html = pictures.printed(example_printer(pictures)(example, book, tongue))
    answer = html[html.index('class="answer"') :]
    # South may only take the king with the ten; the queen would stay below it.
    assert "picture:card/TS/legal" in answer
    for card in ("QS", "TH", "QC", "KC"):
        assert f"picture:card/{card}/illegal" in answer
    refused = answer[answer.index('class="refused"') :]
    numbers = [book.entries[rule].number for rule in ("play.beat", "play.follow")]
    assert refused.count(f">{numbers[0]}</a>") == 1
    assert refused.count(f">{numbers[1]}</a>") == 3
    assert "<svg" in pictures.svg("picture:card/QS/illegal")
    # On paper a second example is left to the site.
    assert example_printer(pictures)(example, book, tongue, more=True) == ""


@pytest.mark.slow
def test_nothing_from_elsewhere_is_printed(book: Book) -> None:
    pytest.importorskip("weasyprint", reason="printing needs the extra `docs`: make docs")
    _, pictures = sheet_html(book, tongue_of("en"))
    html = '<html lang="en"><head><title>x</title></head><body><img src="{}" alt="x"></body></html>'
    for address in ("https://example.org/x.png", "file:///etc/hostname", "picture:card/XX/plain"):
        with pytest.raises(SpecError, match="cannot be printed as it is"):
            print_pdf(html.format(address), pictures)


def test_without_weasyprint_one_is_told_what_to_install(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'\nand more")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SpecError, match=r"libpango-1\.0-0 libpangoft2"):
        print_pdf(*sheet_html(book, tongue_of("en")))
