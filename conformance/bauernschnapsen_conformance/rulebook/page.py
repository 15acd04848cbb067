"""The form of a page: headings and blocks of HTML, for mkdocs as Markdown or for one HTML file.

Addresses are written as `page.md#anchor` inside `{{...}}` and turned into relative links when the
page is put out, so that a page does not care where it stands.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

_ADDRESS = re.compile(r"\{\{([a-z0-9./_-]+)(#[A-Za-z0-9._:-]*)?\}\}")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `label` is what the table of contents shows, as plain text."""

    level: int
    html: str
    id: str
    label: str | None = None


@dataclass(slots=True)
class Page:
    """A page of the book: `path` as of a Markdown file, such as rules/play.md."""

    path: str
    title: str
    blocks: list[Heading | str] = field(default_factory=list)
    description: str = ""

    def add(self, *blocks: Heading | str) -> None:
        """Add headings and blocks of HTML at the end."""
        self.blocks.extend(blocks)

    def markdown(self) -> str:
        """Return the page as mkdocs reads it: Markdown headings, everything else HTML."""
        lines = [f"# {_plain(self.title)} {{ #top }}", ""]
        for block in self.blocks:
            if isinstance(block, Heading):
                label = ""
                if block.label is not None:
                    label = f' data-toc-label="{escape(block.label)}"'
                lines += [f"{'#' * block.level} {block.html} {{ #{block.id}{label} }}", ""]
            else:
                lines += [f"<div>{block}</div>", ""]
        return resolve("\n".join(lines), lambda target: relative(self.path, target))


def resolve(text: str, address: Callable[[str], str]) -> str:
    """Turn every `{{page.md#anchor}}` into what `address` says for the page."""
    return _ADDRESS.sub(lambda found: address(found[1]) + (found[2] or ""), text)


def link(target: str, html: str, kind: str = "") -> str:
    """Return a link to a page of the book."""
    named = f' class="{kind}"' if kind else ""
    return f'<a href="{{{{{target}}}}}"{named}>{html}</a>'


def relative(source: str, target: str) -> str:
    """Return the address of a page as seen from another, with one folder for each page.

    >>> relative("rules/play.md", "rules/auction.md")
    '../auction/'
    >>> relative("index.md", "glossary.md")
    'glossary/'
    """
    if source == target:
        return ""
    return posixpath.relpath(folder(target), folder(source)) + "/"


def folder(path: str) -> str:
    """Return the folder that mkdocs puts a page into."""
    stem = path.removesuffix(".md")
    if stem == "index" or stem.endswith("/index"):
        stem = stem[: -len("index")].rstrip("/")
    return stem or "."


def table(head: list[str], rows: list[list[str]], kind: str = "", *, labelled: bool = False) -> str:
    """Return a table of HTML cells; the first cell of a row names it.

    It scrolls where it is too wide. `labelled`: on a phone each row becomes a block, in which the
    cells say themselves what they are; the style sheet does that for the class `bs-stack`.
    """
    titles = "".join(f"<th>{cell}</th>" if cell else "<td></td>" for cell in head)
    labels = [f' data-label="{escape(cell)}"' if labelled else "" for cell in head]
    body = "".join(
        f"<tr><th>{row[0]}</th>"
        + "".join(
            f"<td{label}>{cell}</td>" for label, cell in zip(labels[1:], row[1:], strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="bs-scroll" tabindex="0"><table class="{kind or "bs-data"}"><thead>'
        f"<tr>{titles}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _plain(text: str) -> str:
    return re.sub(r"([\\*_`\[\]#])", r"\\\1", text)
