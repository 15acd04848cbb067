"""Print the rulebook and the quick sheet of every language.

    python -m bauernschnapsen_conformance.rulebook.pdf [--output site] [--jobs 2] [LANGUAGE ...]

    site/pdf/EDITION/bauernschnapsen-LANGUAGE.pdf        the book
    site/pdf/EDITION/bauernschnapsen-sheet-LANGUAGE.pdf  the quick sheet, one A4 page

With SOURCE_DATE_EPOCH (else the date of the last commit) two prints are the same byte for byte.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from bauernschnapsen.errors import SpecError

from ...corpus.translations import load_languages
from ...report.files import write
from ..checkout import ROOT
from ..editions import this_edition
from ..model import load_book
from ..site import date_of_commit, write_choice
from ..tongue import tongue_of
from . import book_html, print_pdf, sheet_html
from .printer import read_page


def print_language(folder: Path, language: str) -> list[Path]:
    """Print the book and the sheet of one language; return the files. SpecError if it fails."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", date_of_commit())
    book, tongue, docs = load_book(), tongue_of(language), ROOT / "docs"
    learn = read_page(docs, language, "learn.md") or read_page(docs, "en", "learn.md")
    book_file = folder / f"bauernschnapsen-{language}.pdf"
    write(book_file, print_pdf(*book_html(book, tongue, learn=learn)))
    sheet_file = folder / f"bauernschnapsen-sheet-{language}.pdf"
    write(sheet_file, print_pdf(*sheet_html(book, tongue), one_page=True))
    return [book_file, sheet_file]


def print_all(output: Path, languages: Sequence[str], jobs: int) -> list[Path]:
    """Print every language, `jobs` at a time; return the files. SpecError for the first failure."""
    folder = output / "pdf" / this_edition()
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        printed = pool.map(print_language, [folder] * len(languages), languages)
        return [path for files in printed for path in files]


@click.command("pdf")
@click.option("--output", default="site", type=click.Path(path_type=Path), show_default=True)
@click.option("--jobs", default=2, type=click.IntRange(1, 16), show_default=True)
@click.argument("languages", nargs=-1)
def main(output: Path, jobs: int, languages: tuple[str, ...]) -> None:
    """Print the rulebook in all languages, or in those named."""
    try:
        for path in print_all(output, languages or load_languages().published, jobs):
            click.echo(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
        if (output / "index.html").exists():
            write_choice(output, load_languages().published)
    except SpecError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
