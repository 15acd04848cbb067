"""The pages on which one plays: "What may I play here?" and the free table."""

from __future__ import annotations

from ..page import Page
from ..tongue import Tongue

TABLE = "play/table.md"
MAY = "play/what.md"


def table_page(tongue: Tongue) -> Page:
    """Return the page with the free table."""
    return _page(TABLE, "play.table", "bs-table", tongue)


def may_page(tongue: Tongue) -> Page:
    """Return the page on which the reader asks what he may play."""
    return _page(MAY, "play.may", "bs-may", tongue)


def _page(path: str, key: str, element: str, tongue: Tongue) -> Page:
    page = Page(path, tongue(f"{key}.title"), description=tongue(f"{key}.intro"))
    page.add(
        f"<p>{tongue(f'{key}.intro')}</p>"
        f'<p class="bs-tools"><bs-deck></bs-deck></p>'
        f"<noscript><p>{tongue('play.no-scripts')}</p></noscript>"
        f"<{element} data-search-exclude></{element}>"
    )
    return page
