"""Read the built site over: what must never reach a reader.

A link or anchor that leads nowhere, anything loaded from another host, a data code of a card on a
page for players, a rule without its anchor, a blank that was not filled in, a page that one
language has and another lacks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from .checkout import ROOT
from .publish import manual_files

_CODE = re.compile(r"(?<![\w./#-])[ATKQJ][HDSC](?![\w-])")
_BLANK = re.compile(
    r"\{(?:contracts|options|card|cards|suit|contract|term|table|example)[.:][^}]*\}"
)
IDS = "rule-ids.json"
"""The file with the permanent names of the rules, in assets/EDITION."""
_UNSEEN = {"script", "style", "template", "svg"}
_LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
_ENGLISH_ONLY = tuple(
    dict.fromkeys(
        name.split("/")[0].removesuffix(".md") for name in ("manual/", *manual_files(ROOT / "docs"))
    )
)
"""Parts of the site that are for engine authors, and in English."""
_FOR_ENGINES = (
    *_ENGLISH_ONLY,
    "options",
    "rulesets",
    "engines",
)
"""Parts of the site where data codes belong: what a programmer writes."""


@dataclass(slots=True)
class Read:
    """What stands in one HTML file."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = Read()
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if named.get("id"):
            self.found.ids.add(str(named["id"]))
        if tag == "a" and named.get("href"):
            self.found.links.append(str(named["href"]))
        address = named.get(_LOADING.get(tag, ""))
        if address and not (tag == "link" and named.get("rel") in ("canonical", "alternate")):
            self.found.loaded.append(address)
        for key in ("aria-label", "title", "alt"):
            if named.get(key):
                self.found.text.append(str(named[key]))
        if tag in _UNSEEN:
            self._unseen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._unseen and self._unseen[-1] == tag:
            self._unseen.pop()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.found.text.append(data)


def check_site(
    output: Path, edition: str, languages: Sequence[str], read: dict[Path, Read] | None = None
) -> list[str]:
    """Return everything that is wrong with the site, with the page it is on.

    `read`: the site as `read_site` has read it already.
    """
    if read is None:
        read = read_site(output)
    faults = [fault for path in read for fault in check_page(path, output, edition, read)]
    pages: dict[str, set[str]] = {}
    names = json.loads((output / "assets" / edition / IDS).read_bytes())
    for language in languages:
        folder = output / language / edition
        own = {path.relative_to(folder).as_posix() for path in read if folder in path.parents}
        pages[language] = own
        for name, about in names.items():
            page = folder / about["address"].partition("#")[0] / "index.html"
            if page not in read or name not in read[page].ids:
                faults.append(f"{language}: the rule {name} has no anchor")
    first = languages[0]
    for language in languages[1:]:
        faults += [
            f"{page} is not in both {first} and {language}"
            for page in sorted(pages[first] ^ pages[language])
            if page.split("/")[0] not in _ENGLISH_ONLY
        ]
    return faults


def read_site(output: Path) -> dict[Path, Read]:
    """Return what stands in every HTML file under a folder."""
    return {path: read_page(path.read_text("utf-8")) for path in sorted(output.rglob("*.html"))}


def read_page(html: str) -> Read:
    """Return what stands in one page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


def check_page(path: Path, output: Path, edition: str, read: dict[Path, Read]) -> Iterator[str]:
    """Yield what is wrong with one page of the site that was read."""
    found, shown = read[path], path.relative_to(output).as_posix()
    for address in found.loaded:
        if urlsplit(address).netloc:
            yield f"{shown} loads {address}"
    for address in found.links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or path.name == "404.html":
            continue
        plain, anchor = urldefrag(address)
        target = path if not plain else (path.parent / unquote(plain)).resolve()
        if target.is_dir():
            target /= "index.html"
        if not target.exists():
            # A language that is not built this time is no dead link.
            if not _other_language(target, output, edition):
                yield f"{shown}: the link {address} leads nowhere"
        elif anchor and target in read and unquote(anchor) not in read[target].ids:
            yield f"{shown}: the link {address} has no such anchor"
    inside = shown.split("/")
    area = inside[2] if len(inside) > 2 else ""
    text = " ".join(found.text)
    if area not in _FOR_ENGINES:
        for code in sorted(set(_CODE.findall(text))):
            yield f"{shown} shows the data code {code}"
    if area not in _FOR_ENGINES:
        for blank in sorted(set(_BLANK.findall(text))):
            yield f"{shown} has the blank {blank}"


def _other_language(target: Path, output: Path, edition: str) -> bool:
    try:
        parts = target.relative_to(output.resolve()).parts
    except ValueError:
        return False
    return len(parts) > 1 and parts[1] == edition and not (output / parts[0]).exists()
