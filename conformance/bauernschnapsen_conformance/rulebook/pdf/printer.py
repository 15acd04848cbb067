"""Print a document as PDF with WeasyPrint: our own fonts, tags, bookmarks, nothing from outside."""

from __future__ import annotations

import datetime
import logging
import os
from pathlib import Path
from typing import Any

from bauernschnapsen.errors import SpecError

from ..publish import OWN_ASSETS
from ..release import split_page
from .pictures import SCHEME, Pictures

_EPOCH = "SOURCE_DATE_EPOCH"
_FONTS = "fonts/"
_FACES = (
    ("Book Latin", "normal", "noto-sans-latin-wght-normal.woff2"),
    ("Book Latin", "italic", "noto-sans-latin-wght-italic.woff2"),
    ("Book Cyrillic", "normal", "noto-sans-cyrillic-wght-normal.woff2"),
    ("Book Cyrillic", "italic", "noto-sans-cyrillic-wght-italic.woff2"),
)
"""One family for each file: WeasyPrint takes two files of one family and weight for the same."""
_SIZES = (9.2, 8.8, 8.4, 8.0, 7.6, 7.2)
MISSING = (
    "printing needs WeasyPrint, which comes with the extra `docs`"
    " (pip install 'bauernschnapsen[docs]'), and the library Pango"
    " (on Debian: apt install libpango-1.0-0 libpangoft2-1.0-0)"
)


def print_pdf(html: str, pictures: Pictures, *, one_page: bool = False) -> bytes:
    """Return a document as PDF, tagged for readers who hear it (PDF/UA-1).

    `one_page`: in the largest type with which it fits on one page. SpecError if WeasyPrint or Pango
    is missing, or if anything in the document cannot be printed. The same document gives the same
    bytes; SOURCE_DATE_EPOCH dates it.
    """
    try:
        import weasyprint
    except (ImportError, OSError) as error:
        raise SpecError(MISSING, hint=str(error).splitlines()[0][:200]) from None
    complaints = _Complaints()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(complaints)
    dated = _dated()
    undated = _EPOCH not in os.environ
    # The fonts in a PDF carry the date of their making.
    os.environ.setdefault(_EPOCH, "0")
    try:
        for size in _SIZES if one_page else (None,):
            style = _faces() + ("" if size is None else f"html {{ font-size: {size}pt; }}")
            document = weasyprint.HTML(
                string=html.replace("</head>", f"{dated}<style>{style}</style></head>"),
                base_url="about:blank",
                url_fetcher=_fetcher(weasyprint, pictures),
            ).render()
            if size is None or len(document.pages) == 1:
                break
        else:
            raise SpecError("the document does not fit on one page")
        data: bytes = document.write_pdf(pdf_variant="pdf/ua-1")
    finally:
        logger.removeHandler(complaints)
        if undated:
            del os.environ[_EPOCH]
    if complaints.lines:
        listed = "; ".join(complaints.lines[:5])
        raise SpecError(f"the document cannot be printed as it is: {listed}")
    return data


def _fetcher(weasyprint: Any, pictures: Pictures) -> Any:
    """Return what WeasyPrint asks for files: it gives our pictures and fonts, and nothing else."""
    fonts = {f"about:{_FONTS}{name}": OWN_ASSETS / "fonts" / name for _, _, name in _FACES}

    class Fetcher(weasyprint.urls.URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            del headers
            if url.startswith(SCHEME):
                drawing = pictures.svg(url).encode()
                return weasyprint.urls.URLFetcherResponse(
                    url, drawing, {"Content-Type": "image/svg+xml"}
                )
            if url in fonts:
                return weasyprint.urls.URLFetcherResponse(
                    url, fonts[url].read_bytes(), {"Content-Type": "font/woff2"}
                )
            raise ValueError(f"{url} is not among the pictures and fonts of this book")

    return Fetcher()


def _faces() -> str:
    return "".join(
        f'@font-face {{ font-family: "{family}"; font-style: {style}; '
        f"src: url(about:{_FONTS}{name}); }}\n"
        for family, style, name in _FACES
    )


def _dated() -> str:
    """Return the date as metadata: that of SOURCE_DATE_EPOCH, else none."""
    seconds = os.environ.get(_EPOCH, "")
    if not seconds.isdigit():
        return ""
    date = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )
    return (
        f'<meta name="dcterms.created" content="{date}">'
        f'<meta name="dcterms.modified" content="{date}">'
    )


class _Complaints(logging.Handler):
    """Keeps what WeasyPrint warns about: a book with a missing picture is not printed."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message."""
        self.lines.append(record.getMessage())


def read_page(folder: Path, language: str, name: str) -> str | None:
    """Return a hand-written page in a language; None where it is not there."""
    path = folder / name if language == "en" else folder / "translations" / language / name
    return split_page(path.read_text("utf-8"))[1] if path.is_file() else None
