"""Hook of mkdocs: the pages of one language.

mkdocs.yml names this file. The language is English unless BAUERNSCHNAPSEN_LANGUAGE says another;
`site.py` builds all of them.
"""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkPage

from bauernschnapsen.errors import SpecError
from bauernschnapsen_conformance.rulebook import publish

_LANGUAGE = "BAUERNSCHNAPSEN_LANGUAGE"
_EDITION = "BAUERNSCHNAPSEN_EDITION"
_KEPT_AS_IS = re.compile(r"(<(?:pre|script|textarea)\b.*?</(?:pre|script|textarea)>)", re.DOTALL)
_BLANKS = re.compile(r"\s*\n\s*")
_NAME = re.compile(r'(class="md-ellipsis">\s*)([^<:]*?)(\s?:[^<]*?)(\s*</span>)')
"""The name of the book in the head of a page, of which a phone shows the beginning."""
_CODE = '<pre><span></span><code tabindex="0">'
_TABLE = re.compile(r"<table>(.*?)</table>", re.DOTALL)
"""A table written in Markdown; those made from data scroll already."""
_WIDE = ("contracts", "options", "rulesets", "glossary", "index/", "sources", "engines")
"""Pages of tables, which need the room of the table of contents."""
_state: dict[str, Any] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the language of theme and search, the title and the navigation."""
    language = os.environ.get(_LANGUAGE, "en")
    edition = os.environ.get(_EDITION)
    try:
        site = publish.make_site(language, Path(config.docs_dir), edition)
    except SpecError as error:
        raise PluginError(str(error)) from None
    _state["site"] = site
    config.theme["language"] = language
    config.site_name = site.tongue("site.title")
    config.site_description = site.tongue("site.description")
    config.nav = site.nav
    for palette, phrase in zip(config.theme["palette"], ("note.dark", "note.light"), strict=True):
        palette["toggle"]["name"] = site.tongue(phrase)
    config.mdx_configs["toc"]["permalink_title"] = ""
    if edition is not None:
        # The theme shows the editions that versions.json lists, one folder above the edition.
        config.extra["version"] = {"provider": "mike"}
    config.extra["alternate"] = site.alternates()
    config.extra["language"] = language
    config.extra["downloads"] = site.tongue("note.downloads")
    config.copyright = site.tongue("site.licences")
    if language != "en":
        # The manual is in English; the navigation leads out of this language, to where it is.
        config.validation.nav.not_found = logging.DEBUG
    return config


# Before the search plugin asks the theme for its language.
on_config.mkdocs_priority = 100  # type: ignore[attr-defined]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, script and style."""
    site = _state["site"]
    manual = publish.manual_files(site.docs)
    for file in list(files):
        if file.src_uri.startswith(("translations/", "engines/")) or (
            site.tongue.code != "en" and file.src_uri in manual
        ):
            files.remove(file)
    for page in site.pages.values():
        files.append(File.generated(config, page.path, content=page.markdown()))
    for path, content in site.assets.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: MkPage, config: MkDocsConfig, files: Files) -> str:
    """Take the translation of a hand-written page, and put the data in."""
    del config, files
    site = _state["site"]
    # In English only: the choice of languages leads to the others' first page.
    page.meta["english"] = page.file.src_uri in (
        *publish.manual_files(site.docs),
        "manual/schemas.md",
    )
    if page.file.src_uri in site.pages:
        if page.file.src_uri.startswith(("index/", "rulesets", "sources", "changes")):
            # Everything there stands elsewhere, too, and a search is to find it in its place.
            page.meta["search"] = {"exclude": True}
        if page.file.src_uri.startswith(_WIDE):
            page.meta["hide"] = ["toc"]
        page.meta["description"] = site.pages[page.file.src_uri].description
        return markdown
    try:
        return str(site.handwritten(page.file.src_uri, markdown))
    except SpecError as error:
        raise PluginError(str(error)) from None


def on_page_content(html: str, page: MkPage, config: MkDocsConfig, files: Files) -> str:
    """Let what scrolls be scrolled with the keyboard: code, and the tables of written pages."""
    del page, config, files
    return _TABLE.sub(_scrolling, html.replace("<pre><span></span><code>", _CODE))


def _scrolling(found: re.Match[str]) -> str:
    # The corner of a table is the head of nothing.
    inside = re.sub(r"<th[^>]*>\s*</th>", "<td></td>", found[1])
    return f'<div class="bs-scroll" tabindex="0"><table class="bs-data">{inside}</table></div>'


def on_post_page(output: str, page: MkPage, config: MkDocsConfig) -> str:
    """Drop the blanks between elements, which are a third of a page; shorten the name on phones."""
    del page, config
    output = _NAME.sub(r'\1\2<span class="bs-rest">\3</span>\4', output, count=1)
    pieces = _KEPT_AS_IS.split(output.replace(' title="">#</a>', ">#</a>"))
    for place in range(0, len(pieces), 2):
        pieces[place] = _BLANKS.sub("\n", pieces[place])
    return "".join(pieces)


def on_post_build(config: MkDocsConfig) -> None:
    """Write the permanent names of the rules with their addresses and checksums."""
    _state["site"].write_rule_ids(Path(config.site_dir))
