"""`bauernschnapsen rulebook`: the rulebook of a ruleset in one HTML file."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("rulebook")
@click.option("--language", default="en", show_default=True, help="Language of the book.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="The file to write; else RULESET.html."
)
@click.argument("ruleset", default="pagat", metavar="[NAME|FILE]")
def command(ruleset: str, language: str, output: Path | None) -> int:
    """Write the rulebook of your table: the rules as they are said there, with examples.

    \b
    Examples:
      bauernschnapsen rulebook my-house.yaml
      bauernschnapsen rulebook my-house.yaml --language de --output regeln.html
    """
    from bauernschnapsen.errors import SpecError, did_you_mean

    from ..corpus.translations import load_languages
    from ..report.files import write
    from ..rulebook.model import load_book
    from ..rulebook.single import single_html
    from ..rulebook.tongue import tongue_of

    published = load_languages().published
    if language not in published:
        hint = did_you_mean(language, published) or ", ".join(published)
        raise SpecError(f"there is no rulebook in the language {language[:20]!r}", hint=hint)
    book = load_book(ruleset)
    target = output or Path(f"{book.ruleset['ruleset']}.html")
    write(target, single_html(book, tongue_of(language)).encode())
    rules = len(book.entries)
    click.echo(f"{target}: {rules} rules in {len(book.chapters)} chapters")
    return 0
