"""`bauernschnapsen rulebook`: the rulebook of a ruleset in one HTML file, or printed as PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ..counting import counted
from . import options


@click.command("rulebook")
@click.option(
    "--language", default="en", show_default=True, metavar="CODE", help="Language of the book."
)
@click.option("--pdf", is_flag=True, help="Print it as PDF instead (needs the extra `docs`).")
@click.option("--sheet", is_flag=True, help="Print the quick sheet, one A4 page, instead.")
@click.option(
    "--deck",
    type=options.Choice(["french", "german"]),
    help="Cards in print; default: those of the language.",
)
@options.output("Write the book to this file; default: RULESET.html or .pdf.")
@click.argument("ruleset", default="pagat", metavar="[NAME|FILE]")
def command(
    ruleset: str,
    language: str,
    output: Path | None,
    deck: Literal["french", "german"] | None,
    *,
    pdf: bool,
    sheet: bool,
) -> int:
    """Write the rulebook of your table: the rules as they are said there, with examples.

    \b
    Examples:
      bauernschnapsen rulebook my-house.yaml
      bauernschnapsen rulebook my-house.yaml --pdf
      bauernschnapsen rulebook my-house.yaml --sheet --language de --output kurzregeln.pdf
    """
    from bauernschnapsen.errors import SpecError, did_you_mean

    from ..corpus.translations import load_languages
    from ..report.files import write
    from ..rulebook.model import load_book
    from ..rulebook.single import single_html
    from ..rulebook.tongue import tongue_of
    from .given import refuse_options

    if pdf and sheet:
        raise click.UsageError("--pdf and --sheet are two files: print one, then the other")
    printing = pdf or sheet
    if not printing:
        refuse_options(("deck",), "pages show the cards of either deck; add --pdf or --sheet")
    ending = ".pdf" if printing else ".html"
    if output is not None and output.suffix.lower() == (".html" if printing else ".pdf"):
        hint = "" if printing else " unless --pdf or --sheet is given"
        raise click.UsageError(f"--output {output}: the file that is written is {ending}{hint}")
    published = load_languages().published
    if language not in published:
        hint = did_you_mean(language, published) or ", ".join(published)
        raise SpecError(f"there is no rulebook in the language {language[:20]!r}", hint=hint)
    book, tongue = load_book(ruleset), tongue_of(language)
    name = f"{book.ruleset['ruleset']}{'-sheet' if sheet else ''}"
    target = output or Path(f"{name}{ending}")
    if printing:
        from ..rulebook.pdf import book_html, print_pdf, sheet_html

        printed = (
            sheet_html(book, tongue, deck=deck) if sheet else book_html(book, tongue, deck=deck)
        )
        write(target, print_pdf(*printed, one_page=sheet))
    else:
        write(target, single_html(book, tongue).encode())
    rules = len(book.entries)
    click.echo(f"{target}: {counted(rules, 'rule')} in {counted(len(book.chapters), 'chapter')}")
    return 0
