"""What must not lag when an edition is published: every text in every language of the rulebook.

Rules, examples and headings, the words of the interface, the texts of options and rulesets, and the
hand-written pages under docs/translations/. A translated page says in its front matter which
English it translates: `source:` and the checksum that `page_checksum` gives.

    python -m bauernschnapsen_conformance.rulebook.release page uk learn.md

prints that checksum, for the translator.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from bauernschnapsen.data.locate import spec_root
from bauernschnapsen.data.yaml_loader import load_yaml
from bauernschnapsen.errors import SpecError

from ..corpus import load_corpus
from ..corpus.interface import load_interface_with_errors
from ..corpus.rules import load_rules
from ..corpus.skeleton import language_code
from ..corpus.table_texts import check_table_texts
from ..corpus.translations import Lag, check_translations, load_languages, text_checksum
from .checkout import ROOT

_FRONT = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
_SOURCE = re.compile(r"^source: *'?([0-9a-f]{12})'?$", re.MULTILINE)


def page_checksum(english: str) -> str:
    """Return the checksum of an English page, without its front matter."""
    return text_checksum(_FRONT.sub("", english))


def split_page(text: str) -> tuple[str | None, str]:
    """Return the checksum that a translated page names, and the page without its front matter."""
    front = _FRONT.match(text)
    if front is None:
        return None, text
    source = _SOURCE.search(front[1])
    return (source[1] if source else None), text[front.end() :]


def page_lags(docs: Path, names: Sequence[str]) -> list[Lag]:
    """Return the hand-written pages that a language lacks, or has in an older form."""
    lags = []
    for language in load_languages().published:
        for name in names:
            if language == "en":
                continue
            own = docs / "translations" / language / name
            if not own.is_file():
                lags.append(Lag(language, "pages", name, "missing"))
            elif split_page(own.read_text("utf-8"))[0] != page_checksum(
                (docs / name).read_text("utf-8")
            ):
                lags.append(Lag(language, "pages", name, "stale"))
    return lags


def interface_lags() -> list[Lag]:
    """Return the words of the interface that a language lacks, or has for an older English."""
    lags = []
    for language in load_languages().published:
        found, _ = load_interface_with_errors(language, spec_root())
        lags += [
            Lag(language, "interface", key, "stale" if key in found.stale else "missing")
            for key in sorted(found.lacking)
        ]
    return lags


def release_faults(docs: Path | None, names: Sequence[str]) -> list[SpecError]:
    """Return a fault for everything that lags in a language that is to be released.

    `docs`: the folder of the hand-written pages, None outside a checkout; `names` are their names.
    """
    released = load_languages().released
    options = load_yaml(spec_root() / "options.yaml").value
    errors, tables = check_table_texts(options)
    lags = [
        *check_translations(load_rules(), load_corpus().scenarios).lags,
        *interface_lags(),
        *tables,
        *(page_lags(docs, names) if docs is not None else ()),
    ]
    for lag in lags:
        if lag.language not in released:
            continue
        folder = "docs" if lag.chapter == "pages" else "spec"
        name = lag.id if lag.chapter == "pages" else f"{lag.chapter}.yaml"
        place = f"{folder}/translations/{lag.language}/{name}"
        field = None if lag.chapter == "pages" else lag.id
        errors.append(SpecError(f"the translation is {lag.what}", place, field=field))
    return errors


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the checksum for a page: `page LANGUAGE NAME`; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bauernschnapsen_conformance.rulebook.release",
        description="Print how the translation of a hand-written page begins: with the checksum "
        "of the English page.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    page = commands.add_parser("page", help="print the first lines of a translated page")
    page.add_argument("language", type=language_code, help="such as uk")
    page.add_argument("name", help="the English page docs/NAME, such as learn.md")
    given = parser.parse_args(arguments)
    english = ROOT / "docs" / given.name
    if not english.is_file():
        page.error(f"there is no page docs/{given.name}")
    sys.stdout.write(
        f"docs/translations/{given.language}/{given.name} begins with\n"
        f"---\nsource: {page_checksum(english.read_text('utf-8'))}\n---\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
