"""The site as a zip that works from a folder, without any server: search and examples included.

    python -m bauernschnapsen_conformance.rulebook.offline [--site site]

takes this edition of a built site and writes site/offline/EDITION/bauernschnapsen-EDITION.zip. A
browser that opens a file shows no page for a folder and lets no script fetch a file; so links name
their index.html, and the index of the search is a script. The same site gives the same bytes.
"""

from __future__ import annotations

import posixpath
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click

from bauernschnapsen.errors import SpecError

from ..corpus.translations import load_languages
from .checkout import ROOT
from .editions import this_edition
from .site import write_choice
from .slim import SHELL, WORDS

SHIM = "iframe-worker.js"
_HREF = re.compile(r'(<a [^>]*?href=")([^"]*)(")')
_LOCATION = re.compile(r'("location":")([^"#]*)')
_ADDRESS = re.compile(r'"((?:rules|options|rulesets|glossary|play)/(?:[a-z-]+/)?)"')
_REFRESH = re.compile(r"(url=)([^\"#]*/)(\")")
_DATE = (1980, 1, 1, 0, 0, 0)


def offline_files(
    site: Path, languages: Sequence[str], edition: str
) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of every file of the zip, in the order of the names.

    SpecError if the site is not built.
    """
    if not (site / "index.html").is_file():
        raise SpecError(f"there is no site in {site}", hint="make docs")
    own = [f"{language}/{edition}/" for language in languages]
    kept = ("index.html", "rule-ids.json", f"assets/{edition}/", *own)
    found: dict[str, bytes] = {}
    for path in site.rglob("*"):
        name = path.relative_to(site).as_posix()
        if (
            path.is_file()
            and name.startswith(kept)
            and path.name not in ("sitemap.xml", "sitemap.xml.gz")
        ):
            found.update(_for_folder(name, path, edition))
    found[f"assets/{edition}/{SHIM}"] = (ROOT / "docs" / "assets" / SHIM).read_bytes()
    for name in sorted(found):
        yield name, found[name]


def write_zip(site: Path, languages: Sequence[str], edition: str) -> Path:
    """Write the zip into the site; return it. SpecError if the site is not built."""
    target = site / "offline" / edition / f"bauernschnapsen-{edition}.zip"
    files = list(offline_files(site, languages, edition))
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(f"bauernschnapsen-{edition}/{name}", _DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return target


def _for_folder(name: str, path: Path, edition: str) -> Iterator[tuple[str, bytes]]:
    """Yield a file of the site as it has to be in a folder."""
    if name.endswith(".html"):
        yield name, _page(path.read_text("utf-8"), name, path.parent, edition).encode()
    elif name.endswith("search/search_index.json"):
        text = _LOCATION.sub(lambda one: f"{one[1]}{_file(one[2])}", path.read_text("utf-8"))
        yield name[: -len("json")] + "js", f"var __index = {text}\n".encode()
    elif path.name == WORDS:
        text = _ADDRESS.sub(lambda one: f'"{one[1]}index.html"', path.read_text("utf-8"))
        yield name, text.encode()
    elif path.name == SHELL:
        # There is one edition only, and nothing to ask for others.
        text = re.sub(
            r'\\"version\\":(?:null|\{[^{}]*\})', r'\\"version\\":null', path.read_text("utf-8")
        )
        yield name, text.encode()
    else:
        yield name, path.read_bytes()


def _page(text: str, name: str, folder: Path, edition: str) -> str:
    def led(found: re.Match[str]) -> str:
        parts = urlsplit(found[2])
        if parts.scheme or parts.netloc or not parts.path:
            return found[0]
        if not (folder / parts.path).is_dir():
            return found[0]
        anchor = f"#{parts.fragment}" if parts.fragment else ""
        return f"{found[1]}{_file(parts.path)}{anchor}{found[3]}"

    # What can be printed and taken along does not come with the zip.
    text = re.sub(r'(<section id="downloads">).*?(</section>)', r"\1\2", text, flags=re.DOTALL)
    text = _REFRESH.sub(lambda one: f"{one[1]}{_file(one[2])}{one[3]}", _HREF.sub(led, text))
    up = posixpath.relpath(f"assets/{edition}", posixpath.dirname(name))
    return text.replace("</title>", f'</title><script src="{up}/{SHIM}"></script>', 1)


def _file(folder: str) -> str:
    """Return the file that a server would give for a folder."""
    return posixpath.join(folder, "index.html") if folder else "index.html"


@click.command("offline")
@click.option("--site", default="site", type=click.Path(path_type=Path), show_default=True)
def main(site: Path) -> None:
    """Write the zip of a built site."""
    edition = this_edition()
    try:
        target = write_zip(site, load_languages().published, edition)
        write_choice(site, load_languages().published)
    except SpecError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    click.echo(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
